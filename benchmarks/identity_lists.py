"""Reranking clusterings of authors: the best of 20 for each name, picked by three learners.

    python benchmarks/identity_lists.py [--data DIR]

The names of the ACL Anthology fall into four parts. The lists of a part are made by a model of
identity that learned from the other parts, and ranked by learners that were fitted to the lists of
the other parts. *base* takes the clustering with the greatest score, which is what `runoff resolve`
answers; *oracle* is the best of each list. Figures are pair F1 over all names.
"""

import argparse
from pathlib import Path

from measuring import machine, table

import runoff as ro
from runoff.data.records.records import read_records
from runoff.recipes.corpora import data_folder
from runoff.tasks.identity.clusterings import clusterings
from runoff.tasks.identity.train import Plan, train

PARTS, N = 4, 20
METRICS = ("pair-f1", "b-cubed")
LEARNERS = ("perceptron", "maxent", "svm-rank")
WAYS = ("base", "picked", "oracle")
RESULT = Path(__file__).parent / "results" / "identity-lists.md"
PLAN = Plan(block="block", ignore=("name_full",), prior=(0.03,), gain=("union",))


def first(figures):
    return next(iter(figures.values()))


def lists_of_parts(records):
    """The lists of each part, by a model of the others."""
    blocks = records.column("block")
    names = sorted(set(blocks))
    for part in range(PARTS):
        tested = set(names[part::PARTS])
        own = [i for i, name in enumerate(blocks) if name in tested]
        others = [i for i, name in enumerate(blocks) if name not in tested]
        model = train(records.take(others), plan=PLAN)
        yield list(clusterings(model, records.take(own), N, cluster="cluster"))


def picked(parts, learner, metric):
    """The lists of all parts, each ranked by what was learned from the others."""
    found = []
    for part, tested in enumerate(parts):
        others = [one for i, lists in enumerate(parts) if i != part for one in lists]
        ranker = ro.fit(others, learner=learner, features=("given",), metric=metric)
        found += ro.rerank(ranker, tested)
    return found


def main():
    """Write the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path)
    folder = data_folder(parser.parse_args().data)
    parts = list(lists_of_parts(read_records(folder / "acl_authors/open.jsonl.gz")))
    every = [one for lists in parts for one in lists]
    rows = []
    for metric in METRICS:
        for learner in LEARNERS:
            made = ro.evaluate(picked(parts, learner, metric), metric)
            rows.append([metric, learner, *(f"{first(made.figures[w]):.1f}" for w in WAYS)])
    head = ["metric", "learner", *WAYS]
    size = sum(map(len, every)) / len(every)
    text = [
        "# Record identity: clusterings, reranked",
        f"\n`python benchmarks/identity_lists.py`: {machine()}. {len(every)} lists, {size:.1f} "
        "clusterings each.\n",
        *table(head, rows),
    ]
    RESULT.write_text("\n".join(text) + "\n")
    print(*text, sep="\n")


if __name__ == "__main__":
    main()
