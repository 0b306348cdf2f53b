"""Time and peak memory of the verbs on large files of text lists.

    python benchmarks/verbs.py [--lists 10000] [--candidates 50] [--folder DIR]

Lists are made up: sentences of a random 5,000-word Zipf vocabulary, candidates with a few words
changed. Every verb runs as its own process at a tenth of the size and at full size; streaming
verbs must not need more memory for more lists. Times are CPU and wall seconds on a shared
machine: compare rows of one run only.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from itertools import accumulate
from pathlib import Path

from measuring import machine, table

from runoff.data.formats import write_nbest
from runoff.data.nbest import Candidate, NBest

RESULTS = Path(__file__).parent / "results" / "verbs.md"
FIT = ("--metric", "wer", "--learner", "perceptron", "--features", "given", "--features", "text")


def make_lists(lists, candidates, seed=1):
    rng = random.Random(seed)
    words = [
        "".join(rng.choices("abcdefghijklmnoprstuvw", k=rng.randint(2, 9))) for _ in range(5000)
    ]
    weights = list(accumulate(1 / (rank + 1) for rank in range(len(words))))
    for number in range(lists):
        gold = rng.choices(words, cum_weights=weights, k=rng.randint(10, 30))
        found = {}
        while len(found) < candidates:
            other = list(gold)
            changed = rng.sample(range(len(gold)), rng.randint(0, 4))
            for place in changed:
                other[place] = rng.choices(words, cum_weights=weights)[0]
            logprob = -2.0 * len(gold) - len(changed) + rng.gauss(0, 2)
            found[" ".join(other)] = round(logprob, 3)
        found = [Candidate(text, logprob) for text, logprob in found.items()]
        yield NBest(f"u{number}", None, found, gold=" ".join(gold))


def run(arguments):
    """CPU seconds, wall seconds and peak memory (MB) of a command and its children."""
    start = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "runoff.cli", *arguments], stdout=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"runoff {' '.join(arguments)} failed")
    return usage.ru_utime + usage.ru_stime, time.perf_counter() - start, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lists", type=int, default=10_000)
    parser.add_argument("--candidates", type=int, default=50)
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    folder = options.folder or Path(tempfile.mkdtemp())
    os.environ["RUNOFF_CACHE"] = str(folder / "cache")
    rows = []
    for lists in (options.lists // 10, options.lists):
        file, model, ranked = (
            str(folder / f"{lists}.{end}") for end in ("jsonl", "runoff", "out.jsonl")
        )
        write_nbest(make_lists(lists, options.candidates), file)
        size = Path(file).stat().st_size / 2**20
        commands = {
            "check": ["check", file],
            "inspect": ["inspect", file, "--metric", "wer"],
            "convert to moses": ["convert", file, str(folder / f"{lists}.moses")],
            "fit": ["fit", file, "-o", model, *FIT],
            "fit, 2 jobs": ["fit", file, "-o", model, *FIT, "-j", "2", "--no-cache"],
            "fit again (cached)": ["fit", file, "-o", model, *FIT, "--seed", "1"],
            "rerank": ["rerank", model, file, "-o", ranked],
            "rerank, 2 jobs": ["rerank", model, file, "-o", ranked, "-j", "2"],
            "evaluate": ["evaluate", ranked, "--metric", "wer"],
        }
        for name, arguments in commands.items():
            cpu, wall, memory = run(arguments)
            rows.append((lists, round(size), name, f"{cpu:.1f}", f"{wall:.1f}", f"{memory:.0f}"))
            print(*rows[-1], sep="\t", flush=True)
    head = ("lists", "file MB", "verb", "CPU s", "wall s", "peak MB")
    lines = [
        "# Verbs on large files",
        f"\n`python benchmarks/verbs.py`: {options.candidates} candidates a list, {machine()}. "
        "Peak memory is that of the largest process.\n",
        *table(head, rows),
    ]
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
