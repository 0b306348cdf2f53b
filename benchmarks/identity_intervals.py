"""OBJECTS against ways by pairs alone, with intervals: what of a difference may be chance.

    python benchmarks/identity_intervals.py citations|authors [--test NAME]... [--data DIR]

The tests are those of the recipes `culotta-mccallum-2006-citations` and `-authors`, with the same
models. Of citations the clusters of gold are resampled (10,000 times, paired): each has its right
pairs, its pairs, and half of every pair that was found for one of its records. Of authors the 48
names are resampled, and the figure is the mean of their F1. *Above* is the share of the samples
in which OBJECTS has the greater F1. `--test` takes single tests, or parts that have a name.
"""

import argparse
from pathlib import Path

import numpy as np
from measuring import machine, table

from runoff.data.records.records import read_records
from runoff.engine import ALONE, Engine
from runoff.pipeline.steps import work_folder
from runoff.proposers.identity.learning import OBJECTS
from runoff.recipes.corpora import data_folder
from runoff.tasks.identity.plan import Plan
from runoff.tasks.identity.steps import Steps

RESULTS = Path(__file__).parent / "results"
SAMPLES = 10_000
FILES = {
    "citations": ("citeseer/citeseer.jsonl.gz", "cora_refs/cora_refs.jsonl.gz"),
    "authors": ("acl_authors/open.jsonl.gz",),
}
PLANS = {
    "citations": ("section", {"tokens", "labels", "text"}),
    "authors": ("block", {"name_full"}),
}
AGAINST = {"citations": ("pairs",), "authors": ("pairs", "average", "closure")}
PARTS = 4


def tests(records, what, column):
    """The records that each model learns from, and the sections it is tested on."""
    labels = records.column(column)
    sections = sorted(set(labels))
    groups = [sections[part::PARTS] for part in range(PARTS)]
    for tested in groups if what == "authors" else [[one] for one in sections]:
        trained = [i for i, label in enumerate(labels) if label not in tested]
        own = [[i for i, label in enumerate(labels) if label == one] for one in tested]
        yield tested, records.take(trained), [records.take(some) for some in own]


def counts(gold, found):
    """By cluster of gold: its right pairs, its pairs, and half of the pairs found for each."""
    _, gold = np.unique(gold, return_inverse=True)
    _, both = np.unique(np.stack([gold, found]), axis=1, return_inverse=True)

    def others(labels):
        return (np.bincount(labels)[labels] - 1) / 2

    parts = (others(one) for one in (both.ravel(), gold, np.asarray(found)))
    return np.stack([np.bincount(gold, weights=part) for part in parts], axis=1)


def f1(sums):
    right, known, found = np.moveaxis(sums, -1, 0)
    return 200 * right / np.maximum(known + found, 1)


def measured(what, folder, wanted):
    """For each test, by method: the counts of the clusters of each section."""
    (column, hidden), methods = PLANS[what], (OBJECTS, *AGAINST[what])
    for file in FILES[what]:
        records = read_records(folder / file)
        plan = Plan(block=column, ignore=tuple(sorted(hidden & set(records.fields))))
        for names, trained, tested in tests(records, what, column):
            if wanted and not wanted & set(names):
                continue
            with work_folder(None) as work:
                models = Steps(work, plan, Engine.of(ALONE)).models(trained, methods)
                made = {
                    method: [
                        counts(one.column("cluster"), model.resolve(one).labels) for one in tested
                    ]
                    for method, model in zip(methods, models, strict=True)
                }
            yield names, made


def compared(name, ours, theirs, method, figures):
    """A row: both figures, their difference and its interval; `figures` of samples."""
    rows = np.random.default_rng(0).integers(0, len(ours), (SAMPLES, len(ours)))
    gains = figures(ours, rows) - figures(theirs, rows)
    every = np.arange(len(ours))[None]
    known = figures(ours, every)[0], figures(theirs, every)[0]
    low, high = np.quantile(gains, [0.025, 0.975])
    cells = [f"{x:.1f}" for x in (*known, known[0] - known[1], low, high)]
    return [name, method, *cells, f"{100 * np.mean(gains > 0):.0f}%"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=sorted(FILES))
    parser.add_argument("--test", action="append", default=[])
    parser.add_argument("--data", type=Path)
    options = parser.parse_args()
    folder = data_folder(options.data, project=Path(__file__).parent.parent)
    rows, others = [], AGAINST[options.what]
    names = {method: [] for method in (OBJECTS, *others)}
    for tested, made in measured(options.what, folder, set(options.test)):
        for method, sections in made.items():
            names[method] += [f1(one.sum(axis=0)) for one in sections]
        if options.what == "citations":
            rows += [
                compared(
                    tested[0], made[OBJECTS][0], made[method][0], method,
                    lambda counts, rows: f1(counts[rows].sum(axis=1)),
                )
                for method in others
            ]  # fmt: skip
        print(
            tested, {method: f"{np.mean(some):.1f}" for method, some in names.items()}, flush=True
        )
    if options.what == "authors":
        rows = [
            compared(
                f"{len(names[OBJECTS])} names, mean", np.array(names[OBJECTS]),
                np.array(names[method]), method, lambda figures, rows: figures[rows].mean(axis=1),
            )
            for method in others
        ]  # fmt: skip
    head = ["test", "against", "OBJECTS", "F1", "difference", "from", "to", "above"]
    text = [
        f"# Record identity: {options.what}, with intervals",
        f"\n`python benchmarks/identity_intervals.py {options.what}`: {machine()}. Differences "
        "with 95% intervals; how they are made is in `identity_intervals.py`.\n",
        *table(head, rows),
    ]
    (RESULTS / f"identity-{options.what}-intervals.md").write_text("\n".join(text) + "\n")
    print(*text, sep="\n")


if __name__ == "__main__":
    main()
