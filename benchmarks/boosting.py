"""Boosting at the size of Collins & Koo 2005: what a round costs, and the memory of a fit.

    python benchmarks/boosting.py [--size full] [--rounds 100000] [--seed 2]

On one thread. A *naive pass* is one round of Figure 3 as native code: weights of all pairs, all
sums W, all gains; the rounds of Figure 4 are compared with passes that are timed between them, in
the same process, since the machine may be shared. Memory is the peak of a process that fits from a
problem file, Python and numpy included, beside the size of the two indices.
"""

import argparse
import json
import sys
import time
from pathlib import Path

import numpy as np
from measuring import child, machine, memory
from problems import SIZES, problem_files
from rich.console import Console
from rich.table import Table

from runoff import _native
from runoff.learners.boosting.boosting import ExpLoss, LogLoss
from runoff.learners.boosting.history import Rounds
from runoff.problem.problem import RankingProblem
from runoff.store.file import load

RESULTS = Path(__file__).parent / "results"
LEARNERS = {"exp-loss": ExpLoss, "log-loss": LogLoss}
SMOOTHING = 0.0025
SLICES = 20
NOTHING = (np.zeros(0, np.uint32), np.zeros(0))


def open_problem(file, n_features):
    """The problem alone: half a million names would be memory that boosting does not use."""
    _, _, arrays = load(file)
    columns = ("list_offsets", "feature_offsets", "feature_ids", "logprobs", "qualities")
    return RankingProblem(
        **{name: arrays[name] for name in columns}, feature_values=None, n_features=n_features
    )


def time_rounds(task):
    """CPU time of the rounds, and of naive passes between them."""
    learner = LEARNERS[task["learner"]]()
    problem = open_problem(task["file"], task["features"])
    began = time.process_time()
    index = _native.PairIndex(problem.native, problem.qualities, problem.best(), problem.let_go)
    a0, exponents = learner._start(problem, index)
    index.invert()
    indexing = time.process_time() - began
    booster = _native.Booster(index, learner.loss, exponents, SMOOTHING)
    rounds, cpu, passes = Rounds.planned(task["rounds"], 0.0), 0.0, []
    wall = 0.0
    while rounds.done < task["rounds"]:
        began = time.process_time()
        booster.replay(*NOTHING, booster.scale)
        passes.append(time.process_time() - began)
        size = -(-task["rounds"] // SLICES)
        now = slice(rounds.done, rounds.done + size)
        columns = rounds.columns(now.start, now.stop)
        began, start = time.process_time(), time.perf_counter()
        rounds.done += booster.run(None, *columns.values(), 1 << 62)
        cpu += time.process_time() - began
        wall += time.perf_counter() - start
    updates = int(rounds.updates.sum())
    print(
        json.dumps(
            {
                "pairs": index.pairs,
                "T": index.entries,
                "a0": a0,
                "index MB": index.bytes / 1e6,
                "indexing": indexing,
                "cpu": cpu,
                "pass": float(np.median(passes)),
                "updates": updates,
                "search": booster.search_seconds / wall,
                "features": len(np.unique(rounds.features)),
                "savings": rounds.savings(index.entries),
                "loss": [float(rounds.losses[0]), float(rounds.losses[-1])],
            }
        )
    )


def measure_memory(task):
    """Peak memory of a fit; few rounds, since their number does not matter."""
    problem = open_problem(task["file"], task["features"])
    LEARNERS[task["learner"]](rounds=1000).fit(problem)
    print(json.dumps({"peak MB": memory("VmHWM") * 2**20 / 1e6}))


def rows(found, rounds):
    yield "pairs; T = entries of B", [f"{one['pairs']:,}; {one['T']:,}" for one in found]
    yield "two indices, MB", [f"{one['index MB']:.0f}" for one in found]
    yield "peak memory of a fit, MB", [f"{one['peak MB']:.0f}" for one in found]
    yield "  in units of the indices", [f"{one['peak MB'] / one['index MB']:.2f}" for one in found]
    yield "indexing, CPU s", [f"{one['indexing']:.2f}" for one in found]
    yield f"{rounds:,} rounds, CPU s", [f"{one['cpu']:.2f}" for one in found]
    yield "  microseconds a round", [f"{1e6 * one['cpu'] / rounds:.0f}" for one in found]
    yield "  in naive passes", [f"{one['cpu'] / one['pass']:.0f}" for one in found]
    yield "one naive pass, CPU ms", [f"{1e3 * one['pass']:.0f}" for one in found]
    yield "Work(n), passes by count", [f"{one['updates'] / one['T']:.1f}" for one in found]
    yield (
        "W updates a CPU s, millions",
        [f"{one['updates'] / one['cpu'] / 1e6:.0f}" for one in found],
    )
    yield "finding the best feature, share of time", [f"{one['search']:.2f}" for one in found]
    yield "time a round against exp-loss", [f"{one['cpu'] / found[0]['cpu']:.2f}" for one in found]
    yield "features with a weight", [f"{one['features']:,}" for one in found]
    yield "loss, first and last round", ["{:,.0f}; {:,.0f}".format(*one["loss"]) for one in found]
    for place, row in enumerate(found[0]["savings"]):
        name = f"Savings({row['from']:,.0f}, {row['to']:,.0f})"
        yield name, [f"{one['savings'][place]['savings']:,.1f}" for one in found]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--size", choices=SIZES, default="full")
    parser.add_argument("--rounds", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        task = json.load(sys.stdin)
        globals()[task["do"]](task)
        return
    file = str(problem_files(options.size, options.seed)[0])
    task = {"file": file, "features": SIZES[options.size].features, "rounds": options.rounds}
    found = []
    for name in LEARNERS:
        parts = [
            child(__file__, {**task, "do": do.__name__, "learner": name})
            for do in (time_rounds, measure_memory)
        ]
        if any("error" in part for part in parts):
            sys.exit(f"{name} failed: {parts}")
        found.append(parts[0] | parts[1])
    table = Table("", *LEARNERS)
    lines = [f"| | {' | '.join(LEARNERS)} |", "|---|---|---|"]
    for name, values in rows(found, options.rounds):
        table.add_row(name, *values)
        lines.append(f"| {name.strip()} | {' | '.join(values)} |")
    Console().print(table)
    command = f"python benchmarks/boosting.py --size {options.size} --rounds {options.rounds}"
    head = [
        "# Boosting at the size of Collins & Koo 2005",
        "",
        f"`{command} --seed {options.seed}`, {machine()}, one thread, "
        f"smoothing {SMOOTHING}. The paper: 37.1 passes by count, 3 to 4 hours.",
        "",
    ]
    out = RESULTS / ("boosting.md" if options.size == "full" else f"boosting-{options.size}.md")
    out.write_text("\n".join([*head, *lines]) + "\n")


if __name__ == "__main__":
    main()
