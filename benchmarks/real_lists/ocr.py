"""Lists of an OCR engine: tesseract on lines of text, rendered small and noisy.

    python benchmarks/real_lists/ocr.py FOLDER [--lines N]

Needs `pip install pillow numpy`, apt-get, and `apt-get install tesseract-ocr fonts-dejavu-core`.
Lines of Debian's fortunes are drawn in one of six fonts, turned a little, blurred, darkened with
noise. Tesseract has no n-best lists of lines, so each line is read several times: enlarged by
2, 3 or 4 and with two ways to tell ink from paper. What it read is a list; the log-probability is
the mean of the logarithms of its words' confidences, and how many runs read the same is a feature.
Writes ocr-{train,dev,test}.jsonl, split by the fortunes' files (`document`) as in `speech.py`.
"""

import argparse
import csv
import hashlib
import json
import math
import os
import random
import re
import subprocess
import tempfile
from itertools import product
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont
from tools import Tools

FILES = ("people", "wisdom", "science", "love", "work", "politics", "miscellaneous", "humorists")
FILES += ("law", "sports", "food", "kids", "medicine", "education", "men-women", "news", "pets")
PARTS = {"people": "test", "science": "test", "work": "test", "love": "dev", "law": "dev"}
FONTS = ("Sans", "Sans-Bold", "SansMono", "SansMono-Bold", "Serif", "Serif-Bold")
RUNS = list(product((2, 3, 4), (0, 2)))
"""How much a line is enlarged, and tesseract's thresholding method, Otsu's or Sauvola's."""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--lines", type=int, default=1000)
    options = parser.parse_args()
    lines = lines_of(Tools(options.folder).root)[: options.lines]
    with tempfile.TemporaryDirectory() as folder:
        images = [drawn(text) for _, _, text in lines]
        read = {run: recognised(images, *run, Path(folder)) for run in RUNS}
    parts = {"train": [], "dev": [], "test": []}
    for number, (document, place, text) in enumerate(lines):
        candidates = merged({run: read[run][number] for run in RUNS})
        if len(candidates) > 1:
            one = {"id": f"{document} {place}", "document": document, "gold": text}
            parts[PARTS.get(document, "train")].append({**one, "candidates": candidates})
    for part, lists in parts.items():
        path = options.folder / f"ocr-{part}.jsonl"
        path.write_text("".join(json.dumps(one) + "\n" for one in lists))
        right = sum(one["gold"] in [c["output"] for c in one["candidates"]] for one in lists)
        print(f"{part}: {len(lists):,} lists, the line itself among the candidates of {right:,}")


def lines_of(root):
    """Lines of 4 to 10 words, in an order by a hash of theirs."""
    found = []
    for document in FILES:
        text = (root / f"usr/share/games/fortunes/{document}").read_text(errors="replace")
        for place, line in enumerate(text.splitlines()):
            words = line.split()
            if 4 <= len(words) <= 10 and re.fullmatch(r"[\x20-\x7e]+", line) and "--" not in line:
                found.append((document, place, " ".join(words)))
    return sorted(found, key=lambda one: digest(one[2]))


def drawn(text):
    """A line as a small grey picture that a scanner might have made."""
    draw = random.Random(digest(text))
    noise = np.random.default_rng(draw.getrandbits(64))
    font = ImageFont.truetype(f"DejaVu{draw.choice(FONTS)}.ttf", draw.randint(11, 15))
    _, _, width, height = font.getbbox(text)
    picture = Image.new("L", (width + 24, height + 24), 255)
    ImageDraw.Draw(picture).text((12, 12), text, fill=draw.randint(0, 90), font=font)
    picture = picture.rotate(draw.uniform(-0.7, 0.7), Image.Resampling.BICUBIC, fillcolor=255)
    picture = picture.filter(ImageFilter.GaussianBlur(draw.uniform(0.4, 0.9)))
    grey = np.asarray(picture, dtype=np.float64)
    grey = grey + noise.normal(0, draw.uniform(10, 45), grey.shape)
    return Image.fromarray(np.clip(grey, 0, 255).astype(np.uint8))


def recognised(images, scale, thresholding, folder):
    """The text of each picture with the confidences of its words, 0 to 100, in one run."""
    names = []
    for number, image in enumerate(images):
        names.append(str(folder / f"{number}.png"))
        size = image.width * scale, image.height * scale
        image.resize(size, Image.Resampling.BICUBIC).save(names[-1])
    listed = folder / "names.txt"
    listed.write_text("\n".join([*names, ""]))
    command = ["tesseract", str(listed), "-", "--psm", "7", "-c"]
    command += [f"thresholding_method={thresholding}", "tsv"]
    environment = {**os.environ, "OMP_THREAD_LIMIT": "1"}
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    found = [([], []) for _ in images]
    for row in csv.DictReader(done.stdout.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE):
        if row["level"] == "5" and row["text"].strip():
            words, confidences = found[int(row["page_num"]) - 1]
            words.append(row["text"].strip())
            confidences.append(float(row["conf"]))
    return found


def merged(read):
    """The different texts of all runs, with the best confidence, and how often each was read."""
    found = {}
    for words, confidences in read.values():
        logs = [math.log(max(one, 1.0) / 100) for one in confidences]
        if words:
            found.setdefault(" ".join(words), []).append((sum(logs) / len(logs), min(logs)))
    return [
        {
            "output": text,
            "logprob": round(max(own)[0], 6),
            "features": {"least confident word": round(max(own)[1], 6), "runs": len(own)},
        }
        for text, own in sorted(found.items(), key=lambda one: -max(one[1])[0])
    ]


def digest(text):
    """A number that depends on the text alone."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=6).digest(), "big")


if __name__ == "__main__":
    main()
