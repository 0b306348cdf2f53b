"""Boosting over subtrees: time and memory against size, frequency and number of lists.

    python benchmarks/subtrees.py LISTS [--features lexical-tree] [--metric parseval] [--rounds 320]
    python benchmarks/subtrees.py LISTS --features chunk-tree --metric chunk-f1
    python benchmarks/subtrees.py LISTS --model MODEL

LISTS is a file of n-best lists with gold, such as those that `runoff train parsing` and `runoff
train chunking` leave in their folders of steps. Every row is a process of its own with one thread:
it reads the first lists, holds their trees with what candidates have in common, and does some
rounds. Times are CPU seconds on a shared machine: compare rows of one run only. The last column but
one says what scoring costs. Each kind of trees has its own file of results.

With a model, a ranker such as `runoff reproduce` leaves in its folder of steps, it prints CPU
milliseconds of reranking a list, from lists in memory to lists, the best of three passes.
"""

import argparse
import json
import sys
from itertools import islice
from pathlib import Path

from measuring import child, machine, memory, seconds, table

from runoff import _native
from runoff.data.formats import read_nbest
from runoff.features.extract import find_extractors
from runoff.learners.boosting.subtrees import SubtreeBoost
from runoff.metrics import metric as find_metric
from runoff.problem.build.build import build_problem
from runoff.tasks.ranking.reranker import Reranker, reranking_ms

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results"
MIDDLE = {"lists": 1000, "size": 6, "frequency": 10}
VARIED = {
    "size": (2, 3, 4, 5),
    "frequency": (5, 20, 40),
    "lists": (250, 500, 2000, 4000, 8000, 16000),
}
HEAD = (
    "lists, s, f",
    "reading, s",
    "nodes",
    "roots",
    "packing, s",
    "fit, s",
    "visited",
    "pruned",
    "cached",
    "active",
    "scoring, ms a list",
    "peak, MB",
)


def measured(task):
    """One row."""
    lists = islice(read_nbest(task["file"]), task["lists"])
    (problem, space), reading = seconds(
        lambda: build_problem(
            lists,
            find_extractors(task["features"]),
            metric=find_metric(task["metric"]),
            min_lists=task["frequency"],
        )
    )
    shared, packing = seconds(
        lambda: _native.SharedTrees(
            problem.list_offsets,
            *problem.known_trees(),
            problem.best(),
            len(space),
            task["size"],
            task["frequency"],
        )
    )
    roots = shared.roots
    del shared
    ranker = SubtreeBoost(
        rounds=task["rounds"],
        size=task["size"],
        frequency=task["frequency"],
        loss=task["loss"],
    )
    _, fitting = seconds(lambda: ranker.fit(problem))
    _, scoring = seconds(lambda: ranker.scores(problem))
    searches = ranker.record_["searches"]
    return {
        "lists": problem.n_lists,
        "reading": reading,
        "nodes": len(problem.known_trees().labels),
        "roots": roots,
        "packing": packing,
        "fit": fitting,
        "visited": sum(row["visited"] for row in searches) / max(1, len(searches)),
        "pruned": sum(row["pruned"] for row in searches) / max(1, len(searches)),
        "cached": max((row["cached"] for row in searches), default=0.0),
        "active": len(ranker.weights()),
        "scoring": 1000 * scoring / problem.n_lists,
        "peak": memory("VmHWM"),
    }


def tasks(arguments):
    """What is measured: the middle, and what differs from it in one thing."""
    common = {key: getattr(arguments, key) for key in ("file", "features", "metric", "rounds")}
    common["loss"] = arguments.loss
    yield {**common, **MIDDLE}
    for key, values in VARIED.items():
        for value in values:
            yield {**common, **MIDDLE, key: value}


def row(task):
    """The cells of one row."""
    found = child(__file__, task)
    name = f"{found.pop('lists', task['lists'])}, {task['size']}, {task['frequency']}"
    if "error" in found:
        return [name, found["error"], *[""] * (len(HEAD) - 2)]
    whole = ("nodes", "roots", "visited", "pruned", "cached", "active", "peak")
    return [name, *(f"{v:,.0f}" if k in whole else f"{v:.2f}" for k, v in found.items())]


def reranking_time(model, file):
    """Milliseconds of a list."""
    ranker, lists = Reranker.load(model), list(islice(read_nbest(file), MIDDLE["lists"]))
    spent = min(reranking_ms(ranker, lists) for _ in range(3))
    return f"{ranker.n_weights():,} subtrees: {spent:.2f} ms a list"


def main():
    """Measure every row, print and write the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--features", default="lexical-tree")
    parser.add_argument("--metric", default="parseval")
    parser.add_argument("--rounds", type=int, default=320)
    parser.add_argument("--loss", default="exp")
    parser.add_argument("--model")
    arguments = parser.parse_args()
    if arguments.model:
        print(reranking_time(arguments.model, arguments.file))
        return
    rows = []
    for task in tasks(arguments):
        rows.append(row(task))
        print(*rows[-1], sep="\t", flush=True)
    names = ("features", "metric", "rounds", "loss")
    given = " ".join(f"--{name} {getattr(arguments, name)}" for name in names)
    lines = [
        f"# Boosting over subtrees: {arguments.features}",
        "",
        f"`python benchmarks/subtrees.py LISTS {given}`: {machine()}. What the columns mean is in "
        "`subtrees.py`; visited and pruned are means over searches.",
        "",
        *table(HEAD, rows),
    ]
    (RESULTS / f"subtrees-{arguments.features}.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    if sys.argv[1:] == ["--child"]:
        print(json.dumps(measured(json.load(sys.stdin))))
    else:
        main()
