"""Runoff's learners and those of other packages on one reranking problem.

    python benchmarks/rankers.py [--quick] [--learner NAME]... [--peer NAME]... [--folder DIR]
    python benchmarks/rankers.py --lists TRAIN DEV [--features parse]... [--metric parseval]

The problem is the tenth of `problems.py` (--quick: the hundredth), or real lists with gold,
such as `runoff train parsing` leaves them in its work folder; every other list of DEV then
stands in for the development lists, the rest for the test lists. Every fit is a process of its
own on one thread, one after the other:

- CPU seconds from the loaded problem to the fitted model; for the peers that includes making
  their matrices (pairs, groups), which is shown as well. Scoring is not in it.
- Peak memory of the process, and its increase over what it had with package and data loaded.
- Quality of what is picked on the test lists: base order = 100, and the share of the way from base
  to oracle; standard errors by 1,000 bootstrap samples of the lists.

Parameters come from small grids (GRIDS, PEERS), chosen by the quality picked on the development
lists; learners that can stop early do so on the same figure. The chosen configuration is fitted up
to five times (fewer if that takes over a minute) and the lowest CPU time counts; the time of the
whole grid stands beside it.

Peers get the log-probability as one feature more, divided by its spread within lists. Linear ones
learn from differences of feature vectors, half of them with the sign turned so that there are two
classes, without intercept: the best candidate of a list against all worse ones, or all pairs of
different quality; a pair's weight is its difference in quality, or 1 ("unweighted"). They run as
fast as we could make them: one sparse product makes the differences, LogisticRegression gets
single precision, LinearSVC solves the dual.

Tree ensembles get candidates in groups with qualities as grades (with linear gains in LightGBM),
stop after 50 rounds without gain on the development lists, and may set out from the base order
instead of from nothing (`offset`). Their grids are not complete, for want of time: without offset
there is one configuration each, and rows, columns and penalties stay at their defaults.
"""

import argparse
import json
import sys
import time
from contextlib import suppress
from dataclasses import fields
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from itertools import product
from pathlib import Path

import numpy as np
from measuring import child, cpu_seconds, machine, memory, problem_in_memory, table
from problems import best_pairs, list_files, problem_files, spread
from rich.console import Console
from rich.table import Table

from runoff.fitting.run import Run
from runoff.learners import LEARNERS, make_ranker
from runoff.learners.pairs.selection import below_first

RESULTS = Path(__file__).parent / "results"
LINEAR_TRUTH = (
    " The truth behind this problem is linear in the features, which suits linear rankers."
)
REPEATS, ENOUGH_SECONDS = 5, 60
ROUNDS, PATIENCE = 1000, 50


def grid(**choices):
    """All combinations of some options."""
    return [dict(zip(choices, values, strict=True)) for values in product(*choices.values())]


GRIDS = {
    "perceptron": grid(epochs=[20]),
    "voted-perceptron": grid(epochs=[10]),
    "boosted-trees": grid(split_gain=[0.02, 0.05, 0.2]),
    "exp-loss": grid(rounds=[10_000], smoothing=[0.0005, 0.0025, 0.0075], weighted=[True, False]),
    "log-loss": grid(rounds=[20_000], smoothing=[0.0005, 0.0025, 0.0075]),
    "maxent": grid(prior=[0.3, 1.0, 3.0], penalty=["gaussian", "l1"]),
    "maxent-rank": grid(prior=[0.3, 1.0, 3.0]),
    "svm-rank": grid(cost=[0.003, 0.01, 0.1], subsets=[1, 4]),
    "p-norm-push": grid(p=[1.0, 4.0], rounds=[110, 500]),
    "cascade": grid(stages=["perceptron,perceptron", "exp-loss,perceptron"]),
}
"""Options of our learners; those which are not here run with their defaults."""

LOSSES = ["hinge", "squared_hinge"]
LINEAR = [0.0001, 0.001, 0.01, 0.1, 1.0]
ALL_PAIRS = [0.00001, 0.0001, 0.001, 0.01]  # a dozen times as many rows
PEERS = {
    "LogisticRegression, best pairs": grid(C=LINEAR),
    "LogisticRegression, best pairs, unweighted": grid(C=LINEAR),
    "LogisticRegression, all pairs": grid(C=ALL_PAIRS),
    "LinearSVC, best pairs": grid(C=LINEAR, loss=LOSSES),
    "LinearSVC, best pairs, unweighted": grid(C=LINEAR, loss=LOSSES),
    "LinearSVC, all pairs": grid(C=ALL_PAIRS, loss=LOSSES[:1]),
    "XGBoost rank:pairwise": grid(depth=[4, 8], rate=[0.1, 0.3], offset=[True])
    + grid(depth=[8], rate=[0.1], offset=[False]),
    "LightGBM lambdarank": grid(leaves=[15, 63], rate=[0.1, 0.3], offset=[True])
    + grid(leaves=[63], rate=[0.1], offset=[False]),
}
PACKAGES = ("scikit-learn", "xgboost-cpu", "xgboost", "lightgbm")


# One fit, in a process of its own.


def sparse(problem, scale):
    """One row per candidate: features, then the scaled log-probability."""
    from scipy.sparse import csr_matrix, hstack

    ids, offsets = problem.feature_ids.astype(np.int32), problem.feature_offsets
    shape = (problem.n_candidates, problem.n_features)
    features = csr_matrix((np.ones(len(ids), dtype=np.float32), ids, offsets), shape=shape)
    column = csr_matrix((problem.logprobs / scale)[:, None].astype(np.float32))
    return hstack([features, column], format="csr")


def all_pairs(problem):
    """All pairs of candidates of one list with different quality, better ones first."""
    betters, worses = [], []
    for first, last in zip(problem.list_offsets[:-1], problem.list_offsets[1:], strict=True):
        quality = problem.qualities[first:last]
        better, worse = np.nonzero(quality[:, None] > quality)
        betters.append(better + first)
        worses.append(worse + first)
    return np.concatenate(betters), np.concatenate(worses)


def linear_peer(name, options, train, dev):
    """What makes the matrices, what fits, and what scores, for LogisticRegression and LinearSVC."""
    from scipy.sparse import csr_matrix
    from sklearn.linear_model import LogisticRegression
    from sklearn.svm import LinearSVC

    scale = spread(train)
    dtype = np.float64 if name.startswith("LinearSVC") else np.float32  # what they take uncopied

    def prepare():
        better, worse = all_pairs(train) if "all pairs" in name else best_pairs(train)
        n = len(better)
        signs = np.where(np.arange(n) % 2, -1.0, 1.0)
        ends = np.stack([better, worse], axis=1).ravel().astype(np.int32)
        which = csr_matrix(
            (np.stack([signs, -signs], axis=1).ravel(), ends, np.arange(0, 2 * n + 1, 2)),
            shape=(n, train.n_candidates),
        )
        rows = which.astype(dtype) @ sparse(train, scale).astype(dtype)
        rows.eliminate_zeros()
        weights = train.qualities[better] - train.qualities[worse]
        weights = np.ones_like(weights) if "unweighted" in name else weights / weights.mean()
        return rows, signs, weights

    def fit(rows, signs, weights):
        common = {"C": options["C"], "fit_intercept": False, "max_iter": 1000}
        if name.startswith("LinearSVC"):
            model = LinearSVC(**common, loss=options["loss"], dual=True, random_state=0)
        else:
            model = LogisticRegression(**common)
        model.fit(rows, signs, sample_weight=weights)
        return model.coef_.ravel(), {"iterations": int(np.max(model.n_iter_))}

    return prepare, fit, lambda model, problem: sparse(problem, scale) @ model


def base_weight(problem, scale):
    """The weight of the log-probability alone that makes best pairs likeliest (logistic)."""
    from scipy.optimize import minimize_scalar

    better, worse = best_pairs(problem)
    margins = (problem.logprobs[better] - problem.logprobs[worse]) / scale
    loss = minimize_scalar(lambda a: np.logaddexp(0, -a * margins).sum(), bounds=(0, 10))
    return float(loss.x)


def grades(problem):
    """Whole numbers: 30 for the best of a list, one less for each point of quality, down to 0."""
    below = np.rint(below_first(problem, problem.qualities))
    return 30 - np.minimum(below, 30).astype(np.int32)


def xgboost_peer(_, options, train, dev):
    import xgboost

    scale = spread(train)
    offset = base_weight(train, scale) / scale if options["offset"] else 0.0
    parameters = {
        "objective": "rank:pairwise",
        "tree_method": "hist",
        "max_depth": options["depth"],
        "eta": options["rate"],
        "nthread": 1,
        "disable_default_eval_metric": True,
    }

    def matrix(problem):
        return xgboost.DMatrix(
            sparse(problem, scale),
            label=grades(problem),
            group=np.diff(problem.list_offsets),
            base_margin=offset * problem.logprobs,
            nthread=1,
        )

    def fit(train_matrix, dev_matrix):
        stop = xgboost.callback.EarlyStopping(
            PATIENCE, metric_name="picked", data_name="dev", maximize=True
        )
        model = xgboost.train(
            parameters,
            train_matrix,
            ROUNDS,
            evals=[(dev_matrix, "dev")],
            custom_metric=lambda scores, _: ("picked", picked(dev, scores)),
            callbacks=[stop],
            verbose_eval=False,
        )
        return model, {"trees": model.best_iteration + 1}

    def scores(model, problem):
        rounds = (0, model.best_iteration + 1)
        return model.predict(matrix(problem), iteration_range=rounds, output_margin=True)

    return lambda: (matrix(train), matrix(dev)), fit, scores


def lightgbm_peer(_, options, train, dev):
    import lightgbm

    scale = spread(train)
    offset = base_weight(train, scale) / scale if options["offset"] else 0.0
    parameters = {
        "objective": "lambdarank",
        "label_gain": list(range(31)),
        "lambdarank_truncation_level": 60,
        "metric": "None",
        "num_leaves": options["leaves"],
        "learning_rate": options["rate"],
        "num_threads": 1,
        "force_col_wise": True,
        "verbosity": -1,
        "seed": 0,
        "deterministic": True,
    }

    def prepare():
        data = [
            lightgbm.Dataset(
                sparse(problem, scale),
                label=grades(problem),
                group=np.diff(problem.list_offsets),
                init_score=offset * problem.logprobs,
                params=parameters,
            )
            for problem in (train, dev)
        ]
        data[1].reference = data[0]
        return [dataset.construct() for dataset in data]

    def fit(train_set, dev_set):
        model = lightgbm.train(
            parameters,
            train_set,
            ROUNDS,
            valid_sets=[dev_set],
            feval=lambda scores, _: ("picked", picked(dev, scores), True),
            callbacks=[lightgbm.early_stopping(PATIENCE, verbose=False)],
        )
        return model, {"trees": model.best_iteration}

    def scores(model, problem):
        return model.predict(sparse(problem, scale), raw_score=True) + offset * problem.logprobs

    return prepare, fit, scores


def our_learner(name, options, train, dev):
    def fit():
        ranker = make_ranker(name, options).fit(train, dev, run=Run(threads=1))
        return ranker, {"features": len(ranker.features_used())}

    return tuple, fit, lambda ranker, problem: ranker.scores(problem)


MODULES = {
    linear_peer: ("scipy.sparse", "sklearn.linear_model", "sklearn.svm"),
    xgboost_peer: ("scipy.sparse", "scipy.optimize", "xgboost"),
    lightgbm_peer: ("scipy.sparse", "scipy.optimize", "lightgbm"),
}
"""What is imported before the clock starts."""


def picked(problem, scores):
    return problem.picked_quality(np.asarray(scores, dtype=np.float64))


def work(task):
    """Fit once and print what it took and what it picks."""
    train, dev, test = map(problem_in_memory, task["files"])
    kind = task["name"].partition(" ")[0].rstrip(",")
    makers = {
        "LogisticRegression": linear_peer,
        "LinearSVC": linear_peer,
        "XGBoost": xgboost_peer,
        "LightGBM": lightgbm_peer,
    }
    modules = [LEARNERS[kind].partition(":")[0]] if task["ours"] else MODULES[makers[kind]]
    for module in modules:
        import_module(module)
    maker = our_learner if task["ours"] else makers[kind]
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")  # the peak starts here
    loaded, start, wall = memory("VmRSS"), cpu_seconds(), time.perf_counter()
    prepare, fit, scores = maker(task["name"], task["options"], train, dev)
    prepared = prepare()
    middle = cpu_seconds()
    model, details = fit(*prepared)
    end, wall = cpu_seconds(), time.perf_counter() - wall
    peak = memory("VmHWM")
    del prepared
    test_scores = np.asarray(scores(model, test), dtype=np.float64)
    chosen = test.qualities[test.list_offsets[:-1] + test.picks(test_scores)]
    result = {
        "cpu": end - start,
        "prepare": middle - start,
        "wall": wall,
        "peak": peak,
        "increase": peak - loaded,
        "dev": picked(dev, scores(model, dev)),
        "test": chosen.tolist(),
        "details": details,
    }
    print(json.dumps(result))


# The table.


def our_grid(name):
    """The grid of a learner, as far as it has such options."""
    module, _, class_name = LEARNERS[name].partition(":")
    known = {field.name for field in fields(getattr(import_module(module), class_name))}
    kept = []
    for options in GRIDS.get(name, [{}]):
        options = {key: value for key, value in options.items() if key in known}
        kept += [options] if options not in kept else []
    return kept


def measure(name, ours, files, limit):
    """The best configuration of a grid, by the development lists."""
    tried = []
    for options in our_grid(name) if ours else PEERS[name]:
        task = {"name": name, "ours": ours, "options": options, "files": list(map(str, files))}
        result = {"options": options, "task": task, **child(__file__, task, limit)}
        tried.append(result)
        shown = {key: value for key, value in result.items() if key not in ("test", "task")}
        print(name, json.dumps(shown), file=sys.stderr, flush=True)
    good = [result for result in tried if "error" not in result]
    if not good:
        return {"name": name, "ours": ours, "error": tried[0]["error"]}
    chosen = max(good, key=lambda result: result["dev"])
    repeats = [chosen]
    while len(repeats) < REPEATS and sum(result["cpu"] for result in repeats) < ENOUGH_SECONDS:
        again = child(__file__, chosen["task"], limit)
        if "error" in again:
            break
        repeats.append(again)
    fastest = min(repeats, key=lambda result: result["cpu"])
    return {
        **chosen,
        **{key: fastest[key] for key in ("cpu", "prepare", "wall")},
        "name": name,
        "ours": ours,
        "grid": sum(result["cpu"] for result in good),
        "tried": len(tried),
        "failed": len(tried) - len(good),
    }


def bootstrap(test, base, oracle, samples=1000):
    """Quality with base = 100, and percent of the way to the oracle, both with their errors."""
    drawn = np.random.default_rng(0).integers(len(test), size=(samples, len(test)))
    many = [np.concatenate([[x.sum()], x[drawn].sum(axis=1)]) for x in (test, base, oracle)]
    relative, way = 100 * many[0] / many[1], 100 * (many[0] - many[1]) / (many[2] - many[1])
    return relative[0], relative[1:].std(), way[0], way[1:].std()


def packages():
    for name in PACKAGES:
        try:
            yield f"{name} {version(name)}"
        except PackageNotFoundError:
            continue


def table_rows(results, test):
    """Rows of text, and a sentence on which peer the ratios are against."""
    starts = test.list_offsets[:-1]
    base, oracle = (
        test.qualities[starts + test.picks(scores)] for scores in (test.logprobs, test.qualities)
    )
    peers = [r for r in results if not r["ours"] and "error" not in r]
    best = max(peers, key=lambda r: r["dev"], default=None)
    rows = []
    for r in results:
        if "error" in r:
            rows.append([r["name"], f"failed: {r['error']}", *[""] * (len(HEAD) - 2)])
            continue
        relative, relative_error, way, way_error = bootstrap(np.array(r["test"]), base, oracle)
        chosen = {**r["options"], **r["details"]}
        failed = f", {r['failed']} failed" if r["failed"] else ""
        rows.append(
            [
                r["name"],
                ", ".join(f"{key} {value}" for key, value in chosen.items()),
                f"{relative:.2f} ± {relative_error:.2f}",
                f"{way:.1f} ± {way_error:.1f}",
                f"{r['cpu']:.2f}",
                f"{r['prepare']:.2f}",
                f"{r['wall']:.2f}",
                f"{r['grid']:.1f} ({r['tried']}{failed})",
                f"{r['peak']:.0f}",
                f"{r['increase']:.0f}",
                f"{r['cpu'] / best['cpu']:.3g}" if best else "",
                f"{r['increase'] / best['increase']:.3g}" if best else "",
            ]
        )
    note = f"Best peer by the development lists: {best['name']}. " if best else ""
    relative, _, _, _ = bootstrap(oracle, base, oracle, 1)
    return rows, note + f"Oracle: {relative:.2f} (base = 100)."


HEAD = (
    "ranker",
    "chosen",
    "test quality, base = 100",
    "% of way to oracle",
    "CPU s",
    "of it preparing",
    "wall s",
    "grid CPU s (fits)",
    "peak MB",
    "increase MB",
    "CPU / best peer's",
    "increase / best peer's",
)


def report(results, files, command, problem, remark):
    test = problem_in_memory(files[2])
    train = problem_in_memory(files[0])
    rows, note = table_rows(results, test)
    lines = [
        "# Rankers",
        f"\n`{command}`: {problem}, {train.n_lists:,} training lists, "
        f"{train.n_candidates:,} candidates, {train.n_features:,} features, "
        f"{test.n_lists:,} test lists; {machine()}, one thread, "
        f"{', '.join(packages())}. {note} What the columns mean is in `rankers.py`.{remark}\n",
        *table(HEAD, rows),
    ]
    shown = Table(title=note)
    for column in HEAD:
        shown.add_column(column, overflow="fold")
    for row in rows:
        shown.add_row(*row)
    Console(width=200).print(shown)
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="the hundredth; writes no table")
    parser.add_argument("--lists", type=Path, nargs=2, metavar=("TRAIN", "DEV"))
    parser.add_argument("--features", action="append", help="of --lists; parse")
    parser.add_argument("--metric", default="parseval", help="of --lists")
    parser.add_argument("--learner", action="append", choices=LEARNERS)
    parser.add_argument("--peer", action="append", choices=PEERS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--limit", type=float, default=1200, help="wall seconds a fit")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        work(json.load(sys.stdin))
        return
    if options.lists:
        features = options.features or ["parse"]
        files = list_files(*options.lists, features, options.folder, options.metric)
        names = " and ".join(file.name for file in options.lists)
        about = f"lists {names}, features {', '.join(features)}, {options.metric}", ""
    else:
        size = "hundredth" if options.quick else "tenth"
        files = problem_files(size, options.seed, options.folder)
        about = f"the {size} problem of `problems.py`", LINEAR_TRUTH
    names = [(name, True) for name in options.learner or LEARNERS]
    names += [(name, False) for name in options.peer or PEERS]
    results = [measure(name, ours, files, options.limit) for name, ours in names]
    command = " ".join(["python benchmarks/rankers.py", *sys.argv[1:]])
    text = report(results, files, command, *about)
    name = "rankers-parses.md" if options.lists else "rankers.md"
    out = options.out or (None if options.quick else RESULTS / name)
    if out:
        out.parent.mkdir(exist_ok=True)
        out.write_text(text)


if __name__ == "__main__":
    main()
