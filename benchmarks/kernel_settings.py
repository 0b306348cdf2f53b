"""Settings of the tree kernel: what development lists say of form, lam, beta, chunks and passes.

    python benchmarks/kernel_settings.py TRAIN DEV [--lists 3000]

TRAIN and DEV are files of n-best lists of trees with gold, such as those that `runoff train parsing
--work` leaves; the first lists of TRAIN are learned from. A row is one fit, whose updates are then
read in every form: the mean of the voters, their votes, the last of them. The figures are shares
of the base's errors in F1 that are corrected, in per cent.
"""

import argparse
from itertools import islice
from pathlib import Path

from measuring import machine, seconds, table

from runoff.data.formats import read_nbest
from runoff.features.extract import find_extractors
from runoff.learners.kernels.ranker import FORMS, TreeKernel
from runoff.metrics.measure import measure
from runoff.metrics.oracle import totals
from runoff.metrics.parseval import Parseval
from runoff.problem.build.build import build_problem

RESULTS = Path(__file__).parent / "results" / "kernel_settings.md"
SETTINGS = (
    {"lam": 0.1},
    {"lam": 0.2},
    {"lam": 0.3},
    {"lam": 0.5},
    {"lam": 0.2, "beta": 0.02},
    {"lam": 0.2, "beta": 2.0},
    {"lam": 0.3, "beta": 0.01, "normalised": True},
    {"lam": 0.2, "seed": 1},
    {"lam": 0.2, "chunks": 6},
    {"lam": 0.2, "epochs": 3},
)


def main():
    """Measure, print and write the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("train")
    parser.add_argument("dev")
    parser.add_argument("--lists", type=int, default=3000)
    arguments = parser.parse_args()
    metric, how = Parseval(), {"metric": Parseval(), "min_lists": 1}
    lists = islice(read_nbest(arguments.train), arguments.lists)
    train, space = build_problem(lists, find_extractors(["tree"]), **how)
    lists = list(read_nbest(arguments.dev))
    dev, _ = build_problem(lists, find_extractors(["tree"]), space=space, **how)
    measured = measure(lists, metric)

    def f1(scores):
        chosen = measured.offsets[:-1] + dev.picks(scores)
        return float(metric.figures(totals(measured, chosen))["F1"])

    base, rows = f1(dev.logprobs), []
    for setting in SETTINGS:
        ranker = TreeKernel(**{"chunks": 1, **setting})
        _, spent = seconds(lambda ranker=ranker: ranker.fit(train))
        row = [", ".join(f"{key}={value}" for key, value in setting.items())]
        for ranker.form in reversed(FORMS):
            ranker.restore(ranker.arrays(), dev.n_features)
            row.append(f"{100 * (f1(ranker.scores(dev)) - base) / (100 - base):.2f}")
        rows.append([*row, f"{spent:.1f}"])
        print(*rows[-1], flush=True)
    lines = [
        "# Settings of the tree kernel",
        "",
        f"`python benchmarks/kernel_settings.py TRAIN DEV --lists {arguments.lists}`: {machine()}.",
        "",
        f"{train.n_lists:,} training and {dev.n_lists:,} development lists; F1 of the base "
        f"{base:.2f}, of the oracle {f1(dev.qualities):.2f}. Not said: beta=0.2, chunks=1, "
        "epochs=1, not normalised. Relative error reduction, in per cent:",
        "",
        *table(("", *reversed(FORMS), "fit, CPU s"), rows),
    ]
    print(*lines, sep="\n")
    RESULTS.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
