"""Time and memory of one learner as its problem grows.

    python benchmarks/scaling.py [--learner exp-loss] [--size tenth] [--option KEY=VALUE]...

The largest problem is the training part of `problems.py` (--size); smaller ones have fewer of its
lists, fewer candidates a list (the first ones), or fewer features (a random part of them). Rounds
(epochs for perceptrons) and threads vary on the whole problem. Every fit is a process of its own,
on one thread where threads are not what varies, without development lists; the lowest CPU time of
--repeats fits counts. Memory is the peak during the fit, and its increase over the RSS before.
*Exponent* is the slope of log CPU against log entries (features active in a candidate, in all),
which is what fewer lists, candidates or features come to, or against log rounds: 1 is linear, and
a fixed cost makes it smaller.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
from measuring import child, cpu_seconds, machine, memory, problem_in_memory, table
from problems import SIZES, problem_files, take
from rich.console import Console
from rich.table import Table

from runoff.fitting.run import Run
from runoff.learners import LEARNERS, make_ranker
from runoff.problem.file import load_problem
from runoff.problem.space import FeatureSpace

RESULTS = Path(__file__).parent / "results"
PARTS = (0.125, 0.25, 0.5, 1.0)
CANDIDATES = (5, 10, 20, 40, 60)
ROUNDS = {"perceptron": ("epochs", 20), "voted-perceptron": ("epochs", 10)}
HEAD = (
    "varies",
    "size",
    "entries",
    "CPU s",
    "wall s",
    "peak MB",
    "increase MB",
    "exponent",
)


def work(task):
    """Fit once, in this process, and print what it took."""
    problem = problem_in_memory(task["file"])
    ranker = make_ranker(task["learner"], task["options"])
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")  # the peak starts here
    loaded, wall, usage = memory("VmRSS"), time.perf_counter(), cpu_seconds()
    ranker.fit(problem, run=Run(threads=task["threads"]))
    usage, wall, peak = cpu_seconds() - usage, time.perf_counter() - wall, memory("VmHWM")
    result = {"cpu": usage, "wall": wall, "peak": peak, "increase": peak - loaded}
    print(json.dumps(result | {"entries": len(problem.feature_ids)}))


def measure(task, repeats):
    """The fastest of some fits, each in a process of its own."""
    results = [child(__file__, task) for _ in range(repeats)]
    failed = [result["error"] for result in results if "error" in result]
    if failed:
        sys.exit(f"{task} failed: {failed[0]}")
    return min(results, key=lambda result: result["cpu"])


def tasks(problem, whole, options, folder):
    """What varies, how large it is, and the fit to measure."""
    name, rounds = ROUNDS.get(options.learner, ("rounds", 10_000))
    given = dict(option.split("=", 1) for option in options.option)
    rounds = int(given.pop(name, rounds))
    common = {"learner": options.learner, "threads": 1, "options": {**given, name: rounds}}

    def cut(**parts):
        key, value = next(iter(parts.items()))
        file = folder / f"{key}-{value}.problem"
        smaller = take(problem, **parts)
        smaller.save(file, FeatureSpace([f"f{n:06d}" for n in range(smaller.n_features)]))
        return {**common, "file": str(file)}

    for part in PARTS:
        size = int(problem.n_lists * part)
        yield "lists", size, cut(lists=size)
    for size in CANDIDATES:
        yield "candidates", size, cut(candidates=size)
    for part in PARTS:
        size = int(problem.n_features * part)
        yield "features", size, cut(features=size)
    for part in PARTS:
        size = max(1, int(rounds * part))
        yield name, size, {**common, "file": whole, "options": {**given, name: size}}
    threads = 1
    while threads <= (os.cpu_count() or 1):
        yield "threads", threads, {**common, "file": whole, "threads": threads}
        threads *= 2


def exponents(rows):
    """The slope of log CPU against log entries or rounds for each thing that varies."""
    found = {}
    for varies in dict.fromkeys(row[0] for row in rows if row[0] != "threads"):
        of_data = varies in ("lists", "candidates", "features")
        points = [
            (result["entries"] if of_data else size, result["cpu"])
            for name, size, result in rows
            if name == varies
        ]
        sizes, seconds = np.log(np.array(points).T)
        found[varies] = np.polyfit(sizes, seconds, 1)[0]
    return found


def draw(rows, title, file):
    """Time above memory, one column for each thing that varies."""
    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib import pyplot

    mpl.rcParams["svg.hashsalt"] = "runoff"
    kinds = list(dict.fromkeys(row[0] for row in rows))
    figure, axes = pyplot.subplots(2, len(kinds), figsize=(3 * len(kinds), 5.5), sharex="col")
    for column, kind in enumerate(kinds):
        sizes = [size for name, size, _ in rows if name == kind]
        results = [result for name, _, result in rows if name == kind]
        time_key = "wall" if kind == "threads" else "cpu"
        top, bottom = axes[0, column], axes[1, column]
        top.plot(sizes, [result[time_key] for result in results], "o-", color="tab:blue")
        bottom.plot(sizes, [result["peak"] for result in results], "o-", label="peak")
        bottom.plot(sizes, [result["increase"] for result in results], "s--", label="increase")
        top.set(title=kind, xscale="log", ylabel=f"{time_key.replace('cpu', 'CPU')} seconds")
        if kind == "threads":
            top.set_ylim(0, None)
        else:
            top.set_yscale("log")
        bottom.set(ylim=(0, None), xlabel=kind, ylabel="MB")
        bottom.set_xscale("log")
        bottom.set_xticks(sizes, [f"{size:,}" for size in sizes], rotation=45)
        bottom.minorticks_off()
    axes[1, 0].legend()
    figure.suptitle(title)
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None})


def report(rows, title, out):
    slopes = exponents(rows)
    cells = []
    for varies, size, r in rows:
        slope = f"{slopes.pop(varies):.2f}" if varies in slopes else ""
        figures = (
            f"{r['cpu']:.3f}",
            f"{r['wall']:.3f}",
            f"{r['peak']:.0f}",
            f"{r['increase']:.1f}",
        )
        cells.append((varies, f"{size:,}", f"{r['entries']:,}", *figures, slope))
    lines = [
        "# Scaling",
        f"\n`{' '.join(['python benchmarks/scaling.py', *sys.argv[1:]])}`: {title}; {machine()}. "
        "What the columns mean is in `scaling.py`.\n",
        "![](scaling.svg)\n",
        *table(HEAD, cells),
    ]
    shown = Table(*HEAD, title=title)
    for row in cells:
        shown.add_row(*row)
    Console().print(shown)
    out.mkdir(exist_ok=True)
    (out / "scaling.md").write_text("\n".join(lines) + "\n")
    draw(rows, title, out / "scaling.svg")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--learner", default="exp-loss", help=f"one of {', '.join(LEARNERS)}")
    parser.add_argument("--size", choices=SIZES, default="tenth")
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="where problem files are")
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        work(json.load(sys.stdin))
        return
    if options.learner not in LEARNERS:
        sys.exit(f"no learner {options.learner!r}; there are {', '.join(LEARNERS)}")
    whole = problem_files(options.size, options.seed, options.folder)[0]
    problem, _ = load_problem(whole)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for varies, size, task in tasks(problem, str(whole), options, Path(folder)):
            rows.append((varies, size, measure(task, options.repeats)))
            print(*rows[-1], file=sys.stderr, flush=True)
    title = f"{options.learner} on the {options.size} problem"
    report(rows, title, options.out)


if __name__ == "__main__":
    main()
