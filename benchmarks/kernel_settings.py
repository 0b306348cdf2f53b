"""Settings of the kernels: what development lists say of form, lam, beta, chunks and epochs.

    python benchmarks/kernel_settings.py TRAIN DEV [--lists 3000]
    python benchmarks/kernel_settings.py TRAIN DEV --kernel tagging

TRAIN and DEV are files of n-best lists with gold, such as those that `runoff train parsing --work`
or `runoff train names --work` leaves; the first lists of TRAIN are learned from. A row is one fit,
whose updates are then read in every form: the votes of the voters, the mean of their scores, the
last of them. The figures are relative error reductions in F1, in per cent.
"""

import argparse
from itertools import islice
from pathlib import Path

from measuring import machine, seconds, table

from runoff.data.formats import read_nbest
from runoff.features.extract import find_extractors
from runoff.learners import make_ranker
from runoff.learners.kernels.ranker import FORMS
from runoff.metrics.chunks import ChunkF1
from runoff.metrics.measure import measure
from runoff.metrics.oracle import totals
from runoff.metrics.parseval import Parseval
from runoff.problem.build.build import build_problem

RESULTS = Path(__file__).parent / "results"
FILES = {"tree": "kernel_settings.md", "tagging": "tagging_kernel_settings.md"}
METRICS = {"tree": Parseval(), "tagging": ChunkF1()}
SETTINGS = {
    "tree": (
        {"lam": 0.1},
        {"lam": 0.2},
        {"lam": 0.3},
        {"lam": 0.4},
        {"lam": 0.5},
        {"lam": 0.2, "beta": 0.02},
        {"lam": 0.2, "beta": 2.0},
        {"lam": 0.3, "beta": 0.01, "normalised": True},
        {"lam": 0.2, "seed": 1},
        {"lam": 0.2, "chunks": 6},
        {"lam": 0.2, "epochs": 3},
    ),
    "tagging": (
        {"lam": 0.3},
        {"lam": 0.5},
        {"lam": 0.7},
        {"lam": 0.5, "beta": 0.02},
        {"lam": 0.5, "beta": 2.0},
        {"lam": 0.5, "beta": 0.01, "normalised": True},
        {"lam": 0.5, "shapes": False},
        {"lam": 0.5, "seed": 1},
        {"lam": 0.5, "chunks": 6},
    ),
}


def problems(arguments):
    """The problems of training and development lists, and what gives the F1 of scores of dev."""
    metric, extractors = METRICS[arguments.kernel], find_extractors([arguments.kernel])
    lists = islice(read_nbest(arguments.train), arguments.lists)
    train, space = build_problem(lists, extractors, metric=metric, min_lists=1)
    lists = list(read_nbest(arguments.dev))
    dev, _ = build_problem(lists, extractors, space=space, metric=metric, min_lists=1)
    measured = measure(lists, metric)

    def f1(scores):
        chosen = measured.offsets[:-1] + dev.picks(scores)
        return float(metric.figures(totals(measured, chosen))["F1"])

    return train, dev, f1


def main():
    """Measure, print and write the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("train")
    parser.add_argument("dev")
    parser.add_argument("--lists", type=int)
    parser.add_argument("--kernel", choices=list(SETTINGS), default="tree")
    arguments = parser.parse_args()
    train, dev, f1 = problems(arguments)
    base, rows = f1(dev.logprobs), []
    for setting in SETTINGS[arguments.kernel]:
        ranker = make_ranker(f"{arguments.kernel}-kernel", {"chunks": 1, **setting})
        _, spent = seconds(lambda ranker=ranker: ranker.fit(train))
        row = [", ".join(f"{key}={value}" for key, value in setting.items())]
        for ranker.form in reversed(FORMS):
            ranker.restore(ranker.arrays(), dev.n_features)
            row.append(f"{100 * (f1(ranker.scores(dev)) - base) / (100 - base):.2f}")
        rows.append([*row, f"{spent:.1f}"])
        print(*rows[-1], flush=True)
    kept = "" if arguments.lists is None else f" --lists {arguments.lists}"
    lines = [
        f"# Settings of the {arguments.kernel} kernel",
        "",
        f"`python benchmarks/kernel_settings.py TRAIN DEV --kernel {arguments.kernel}{kept}`: "
        f"{machine()}.",
        "",
        f"{train.n_lists:,} training and {dev.n_lists:,} development lists; F1 of the base "
        f"{base:.2f}, of the oracle {f1(dev.qualities):.2f}. Not said: beta=0.2, chunks=1, "
        "epochs=1, seed=0, not normalised. Relative error reduction, in per cent:",
        "",
        *table(("", *reversed(FORMS), "fit, CPU s"), rows),
    ]
    print(*lines, sep="\n")
    (RESULTS / FILES[arguments.kernel]).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
