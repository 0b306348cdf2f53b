"""Lists of a speech recogniser: pocketsphinx on noisy synthetic speech.

    python benchmarks/real_lists/speech.py FOLDER [--utterances N] [--n 30]

Needs `pip install pocketsphinx numpy` and apt-get. Sentences of Debian's fortunes, spoken by voices
of flite, with white noise of 12 to 30 dB below the speech; the n-best lists come from the
recogniser's lattices, with its scores, which are logarithms. Writes
speech-{train,dev,test}.jsonl, split by the fortunes' files (`document`).
"""

import argparse
import hashlib
import io
import json
import math
import random
import re
import wave
from itertools import islice
from pathlib import Path

import numpy as np
import pocketsphinx
from tools import Tools

RATE = 16000
FILES = ("people", "wisdom", "science", "love", "work", "politics", "miscellaneous", "humorists")
FILES += ("law", "sports", "food", "kids", "medicine", "education", "men-women", "news", "pets")
VOICES = ("kal16", "slt", "awb", "rms")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--utterances", type=int, default=1500)
    parser.add_argument("--n", type=int, default=30)
    options = parser.parse_args()
    tools = Tools(options.folder)
    # narrow beams: a recogniser in a hurry, and a benchmark of minutes
    decoder = pocketsphinx.Decoder(
        fwdflat=False, maxhmmpf=3000, maxwpf=10, ds=2, topn=2, loglevel="FATAL"
    )
    files = {}
    for document, number, text in sentences(tools.root, decoder)[: options.utterances]:
        draw = random.Random(digest(text))
        voice = draw.choice(VOICES)
        heard = noisy(spoken(tools, voice, text), draw.uniform(12, 30), draw)
        candidates = recognised(decoder, heard, options.n)
        if len(candidates) < 2:
            continue
        one = {"id": f"{document} {number}", "document": document, "gold": text, "voice": voice}
        part = part_of(document)
        if part not in files:
            files[part] = (options.folder / f"speech-{part}.jsonl").open("w")
        print(json.dumps({**one, "candidates": candidates}), file=files[part], flush=True)


def sentences(root, decoder):
    """Sentences of 4 to 10 words that the recogniser knows, by a hash of theirs."""
    found = []
    for document in FILES:
        text = (root / f"usr/share/games/fortunes/{document}").read_text(errors="replace")
        text = re.sub(r"\n\s*-- .*", "\n%", text)
        parts = re.split(r"(?<=[.!?])\s+|\n%\n", text)
        for number, part in enumerate(parts):
            words = re.sub(r"[^a-z' ]", " ", part.lower().replace("\n", " ")).split()
            known = all(decoder.lookup_word(word) for word in words)
            if 4 <= len(words) <= 10 and known and not re.search(r"[\d_@/]", part):
                found.append((document, number, " ".join(words)))
    return sorted(found, key=lambda one: digest(one[2]))


def spoken(tools, voice, text):
    """A sentence as numbers at the recogniser's rate."""
    raw = tools.run("flite", "-voice", voice, "-t", text, "-o", "/dev/stdout")
    with wave.open(io.BytesIO(raw)) as sound:
        rate, frames = sound.getframerate(), sound.readframes(1 << 30)
    samples = np.frombuffer(frames[: len(frames) // 2 * 2], dtype="<i2").astype(np.float64)
    times = np.arange(0, len(samples), rate / RATE)
    return np.interp(times, np.arange(len(samples)), samples)


def noisy(samples, decibels, draw):
    """Speech with white noise so far below it, as the recogniser takes it."""
    generator = np.random.default_rng(draw.getrandbits(64))
    level = np.sqrt(np.mean(samples**2)) * 10 ** (-decibels / 20)
    silence = np.zeros(RATE // 5)
    mixed = np.concatenate([silence, samples, silence])
    mixed = mixed + generator.normal(0, max(level, 1e-9), len(mixed))
    return np.clip(mixed, -32768, 32767).astype("<i2").tobytes()


def recognised(decoder, heard, n):
    """The n best different sentences of the lattice with their scores."""
    decoder.start_utt()
    decoder.process_raw(heard, full_utt=True)
    decoder.end_utt()
    found = {}
    for one in islice(decoder.nbest() or (), 20 * n):
        words = re.sub(r"\(\d+\)|<[^>]*>|\[[^]]*\]", "", one.hypstr or "").split()
        if one.score > 0:
            found.setdefault(" ".join(words), math.log(one.score))
        if len(found) == n:
            break
    return [{"output": text, "logprob": round(score, 6)} for text, score in found.items()]


def part_of(document):
    """Files of fortunes are whole in training, development or test."""
    return {"people": "test", "science": "test", "work": "test", "love": "dev", "law": "dev"}.get(
        document, "train"
    )


def digest(text):
    """A number that depends on the text alone."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=6).digest(), "big")


if __name__ == "__main__":
    main()
