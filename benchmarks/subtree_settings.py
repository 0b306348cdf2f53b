"""Settings of boosted subtrees: what development lists say of the rule for w0 and of ties.

    python benchmarks/subtree_settings.py LISTS [--dev DEV] [--lists 3000]
    python benchmarks/subtree_settings.py LISTS --features chunk-tree

LISTS and DEV are files of n-best lists with gold, such as those that `runoff reproduce` leaves in
its folder of steps; with --lists only the first are learned from. Without DEV the last K of five
folds of LISTS judge what was learned from the other folds. A row is one setting: the weight of the
log-probability, the round at which the mean of the judges' curves is highest, the mean quality
there, and the relative error reduction. Each kind of trees has its own file of results.
"""

import argparse
from itertools import islice, product
from pathlib import Path

import numpy as np
from measuring import machine, table

from runoff.data.formats import read_nbest
from runoff.features.extract import find_extractors
from runoff.learners.boosting.subtrees import LOGPROB_RULES, SubtreeBoost
from runoff.metrics import metric as find_metric
from runoff.pipeline.folds import folds_of
from runoff.problem.build.build import build_problem

RESULTS = Path(__file__).parent / "results"
KINDS = {"lexical-tree": ("parseval", 10), "chunk-tree": ("chunk-f1", 5)}
"""Metric and frequency for each kind of trees."""

FOLDS = 5
HEAD = ("logprob_rule", "ties", "w0", "rounds", "quality", "error reduction")


def judged(options):
    """Pairs of lists to learn from and lists that judge."""
    lists = list(islice(read_nbest(options.file), options.lists))
    if options.dev:
        return [(lists, list(read_nbest(options.dev)))]
    cut = folds_of(len(lists), FOLDS)[-options.judges :]
    return [
        (lists[: inside.start] + lists[inside.stop :], lists[inside.start : inside.stop])
        for inside in cut
    ]


def problems(options):
    """Pairs of problems, to learn from and to judge by."""
    name, frequency = KINDS[options.features]
    extractors, metric = find_extractors([options.features]), find_metric(name)
    found = []
    for train, dev in judged(options):
        own, space = build_problem(train, extractors, metric=metric, min_lists=frequency)
        found.append((own, build_problem(dev, extractors, metric=metric, space=space)[0]))
    return found


def tied(problem):
    """The share of candidates other than the best one that are as good as it."""
    best = (problem.list_offsets[:-1] + problem.best())[problem.owners]
    is_other = best != np.arange(problem.n_candidates)
    return np.mean((problem.qualities == problem.qualities[best])[is_other])


def mean_curve(curves):
    """Rounds, and the mean of the judges' curves at them."""
    rounds = np.unique([row["round"] for curve in curves for row in curve])
    each = [
        np.interp(rounds, [row["round"] for row in c], [row["dev quality"] for row in c])
        for c in curves
    ]
    return rounds, np.mean(each, axis=0)


def row(pairs, options, rule, ties):
    """The cells of one setting."""
    weights, curves = [], []
    for train, dev in pairs:
        ranker = SubtreeBoost(
            rounds=options.rounds,
            frequency=KINDS[options.features][1],
            smoothing=options.smoothing,
            logprob_rule=rule,
            ties=ties,
        ).fit(train, dev)
        weights.append(ranker.logprob_weight_)
        curves.append(ranker.record_["curve"])
    base = np.mean([dev.picked_quality(dev.logprobs) for _, dev in pairs])
    rounds, mean = mean_curve(curves)
    best = mean.argmax()
    reduction = 100 * (mean[best] - base) / (100 - base)
    cells = [rule, "yes" if ties else "no", f"{np.mean(weights):.4f}"]
    return [*cells, int(rounds[best]), f"{mean[best]:.2f}", f"{reduction:.2f}%"]


def given(options):
    """The arguments, files by what they hold."""
    files = "LISTS --dev DEV" if options.dev else "LISTS"
    names = ("features", "rounds", *(["lists"] if options.lists else []))
    return " ".join([files, *(f"--{name} {getattr(options, name)}" for name in names)])


def main():
    """Measure every setting, print and write the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--dev")
    parser.add_argument("--features", choices=KINDS, default="lexical-tree")
    parser.add_argument("--smoothing", type=float, default=0.001)
    parser.add_argument("--rounds", type=int, default=500)
    parser.add_argument("--lists", type=int)
    parser.add_argument("--judges", type=int, default=3)
    options = parser.parse_args()
    pairs, rows = problems(options), []
    for setting in product(LOGPROB_RULES, (False, True)):
        rows.append(row(pairs, options, *setting))
        print(*rows[-1], flush=True)
    base = np.mean([dev.picked_quality(dev.logprobs) for _, dev in pairs])
    lines = [
        f"# Settings of boosted subtrees: {options.features}",
        f"\n`python benchmarks/subtree_settings.py {given(options)}`: {machine()}. What is "
        "measured, and how, is said in `subtree_settings.py`.\n",
        f"{pairs[0][0].n_lists:,} training lists, {pairs[0][1].n_lists:,} that judge"
        f"{'' if options.dev else f', {options.judges} times'}; {options.rounds:,} rounds, "
        f"smoothing {options.smoothing:g}; "
        f"{KINDS[options.features][0]} of the base {base:.2f}. "
        f"{100 * tied(pairs[0][0]):.1f}% of the other candidates tie with the best one.\n",
        *table(HEAD, rows),
    ]
    (RESULTS / f"subtree_settings-{options.features}.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
