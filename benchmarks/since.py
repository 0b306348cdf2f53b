"""What one list, extraction, a fit and a rerank cost now and at an earlier commit, in one run.

    git worktree add ../earlier 4acb35a && (cd ../earlier && python3 -m venv .venv &&
        .venv/bin/pip install scikit-build-core nanobind cmake ninja &&
        .venv/bin/pip install --no-build-isolation .)
    python benchmarks/since.py --earlier ../earlier/.venv/bin/python [--lists 10000] [--repeats 2]

Lists are those of `verbs.py`: 50 candidates of 10 to 30 words; for one list in a service, 20
candidates of 8 words. Every figure is the least CPU time of a few runs, in which both commits take
turns. A fit reads, extracts, learns and writes the model with the defaults of its commit: the
perceptron at 4acb35a, `auto` with the features of changes now; and once more with what the earlier
one does, the perceptron over the same features.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from measuring import ONE_THREAD, machine, table
from verbs import make_lists

RESULTS = Path(__file__).parent / "results" / "since.md"
AS_BEFORE = ("--learner", "perceptron", "--features", "given", "--features", "text")

EXTRACTION = """
import json, sys, time
from runoff.features.extract import find_extractors
try:
    from runoff.problem.build.build import build_problem
except ImportError:  # before that room was there
    from runoff.features.build import build_problem
from runoff.data.formats import read_nbest
lists = list(read_nbest(sys.argv[1]))
start = time.process_time()
build_problem(lists, find_extractors(sys.argv[2].split(",")))
print(json.dumps(time.process_time() - start))
"""

ONE_LIST = """
import json, sys, time
import runoff as ro
reranker = ro.load(sys.argv[1])
lists = list(ro.read_nbest(sys.argv[2]))
pairs = [[(c.output, c.logprob) for c in nbest.candidates] for nbest in lists]
dicts = [[{"output": t, "logprob": p} for t, p in own] for own in pairs]
work = {"rerank, an NBest": (lambda one: reranker.rerank([one]), lists)}
if hasattr(reranker, "best"):
    work["best, texts with log-probabilities"] = reranker.best, pairs
    work["best, dictionaries"] = reranker.best, dicts
found = {}
for name, (function, given) in work.items():
    for _ in range(7):
        start = time.process_time()
        for one in given:
            function(one)
        took = 1e3 * (time.process_time() - start) / len(given)
        found[name] = min(took, found.get(name, took))
print(json.dumps(found))
"""


def short_lists(lists, seed=1):
    """Lists for a service: 20 candidates of 8 words with two words changed at most."""
    rng = random.Random(seed)
    words = [f"w{number}" for number in range(400)]
    for number in range(lists):
        gold = [rng.choice(words) for _ in range(8)]
        candidates = []
        for _ in range(20):
            other = list(gold)
            for _ in range(rng.randrange(3)):
                other[rng.randrange(8)] = rng.choice(words)
            changed = sum(a != b for a, b in zip(gold, other, strict=True))
            logprob = round(-5 * rng.random() - 2 * changed, 3)
            candidates.append({"output": " ".join(other), "logprob": logprob})
        yield {"id": f"s{number}", "candidates": candidates, "gold": " ".join(gold)}


def cpu(python, arguments, folder):
    """CPU seconds of a command of Runoff and its children."""
    environment = {**os.environ, **ONE_THREAD, "RUNOFF_CACHE": str(folder / "cache")}
    command = [python, "-m", "runoff.cli", *map(str, arguments)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{' '.join(command)} failed")
    return usage.ru_utime + usage.ru_stime


def told(python, script, *arguments):
    """What a script prints as JSON."""
    command = [python, "-c", script, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def measure(pythons, options, folder):
    """Figures by what was measured and by commit, `earlier` or `now`: the least of all runs."""
    long, short = folder / "long.jsonl", folder / "short.jsonl"
    from runoff.data.formats import write_nbest

    write_nbest(make_lists(options.lists, 50), long)
    short.write_text("".join(json.dumps(one) + "\n" for one in short_lists(300)))
    least = {}

    def note(name, which, figure):
        least[name, which] = min(figure, least.get((name, which), figure))
        print(name, which, f"{figure:.3g}", sep="\t", flush=True)

    for _ in range(options.repeats):
        for which, python in pythons.items():
            model, ranked = folder / f"{which}.runoff", folder / "ranked.jsonl"
            new = which == "now"
            note("features given, text: s", which, told(python, EXTRACTION, long, "given,text"))
            if new:
                sets = "given,text,changes"
                note(
                    "features given, text, changes: s", which, told(python, EXTRACTION, long, sets)
                )
            fit = ["fit", long, "--metric", "wer", "--no-cache", "-o", model]
            note("fit, as before: s", which, cpu(python, [*fit, *AS_BEFORE], folder))
            note(
                "rerank, as before: s",
                which,
                cpu(python, ["rerank", model, long, "-o", ranked], folder),
            )
            if new:
                note("fit, defaults: s", which, cpu(python, fit, folder))
                took = cpu(python, ["rerank", model, long, "-o", ranked], folder)
                note("rerank, defaults: s", which, took)
            fit[1] = short
            for name, more in (("as before", AS_BEFORE), ("defaults", ())):
                if new or more:
                    cpu(python, [*fit, *more], folder)
                    for call, figure in told(python, ONE_LIST, model, short).items():
                        note(f"one list, {name}, {call}: ms", which, figure)
    return least


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--earlier", required=True, help="Python that has the earlier commit")
    parser.add_argument("--name", default="4acb35a", help="of the earlier commit")
    parser.add_argument("--lists", type=int, default=10_000)
    parser.add_argument("--repeats", type=int, default=2)
    options = parser.parse_args()
    pythons = {"earlier": options.earlier, "now": sys.executable}
    with tempfile.TemporaryDirectory() as folder:
        least = measure(pythons, options, Path(folder))
    rows = []
    for name in dict.fromkeys(name for name, _ in least):
        # the defaults of before are what it did then
        base = least.get(
            (name, "earlier"), least.get((name.replace("defaults", "as before"), "earlier"))
        )
        if base is None and name.startswith("features"):
            base = least["features given, text: s", "earlier"]
        now = least[name, "now"]
        ratio = "" if base is None else f"{base / now:.1f}"
        rows.append((name, "" if base is None else f"{base:.3g}", f"{now:.3g}", ratio))
    about = (
        f"`python benchmarks/since.py --earlier PYTHON`: {options.lists:,} lists of 50 candidates "
        "of 10 to 30 words, and one list of 20 candidates of 8 words; CPU time, the least of "
        f"{options.repeats} runs in turns; {machine()}; {time.strftime('%Y-%m-%d')}, load "
        f"{os.getloadavg()[0]:.0f}. Where the earlier commit has no such thing, it is compared "
        "with what it did instead."
    )
    head = ("what", options.name, "now", "times as fast")
    lines = [f"# Now and at {options.name}", "", about, "", *table(head, rows)]
    RESULTS.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
