"""Learners beside other packages on lists of other people's systems.

    python benchmarks/real_lists/compare.py FOLDER [--set NAME]... [--method NAME]...

FOLDER has what `spelling.py`, `queries.py`, `speech.py` and `ocr.py` wrote; it also gets a JSON
file per set and method, so that what was measured is not measured again. Needs `pip install
lightgbm xgboost scikit-learn scipy`; a package that is not there is left out.

Every method is a process of its own on one thread and learns from train and dev together:

- `runoff fit` with nothing but the metric, from files to model; without the features of changes;
  and single learners.
- scikit-learn's logistic regression on pairs, the best of a list against each worse candidate;
  LightGBM's lambdarank; XGBoost's rank:ndcg. They get the same columns, those relative to the list
  among them. Settings are chosen on dev (for queries, on a fifth of the training queries) by the
  same figure, then learned from all.
- A hand-tuned interpolation, for spelling: the base rank plus a weight times the edits.

CPU seconds are those of the process from its start to the fitted model, grid included. The figure
is the metric's on the test lists, with its standard error by 1,000 bootstrap samples of lists;
beside it, how far it is from the best method of the set, with the standard error of that difference
on the same samples. Lines are those of the method in this folder's scripts.
"""

import argparse
import inspect
import json
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
import peers
from measuring import child, cpu_seconds, machine, memory, table

import runoff as ro
from runoff.data.lists import NBestFiles, open_lists
from runoff.features.extract import find_extractors
from runoff.metrics import metric as find_metric
from runoff.problem.build.build import build_problem

RESULTS = Path(__file__).parents[1] / "results" / "real_lists.md"
SETS = {
    "spelling": ("exact", ["seen", "unseen"]),
    "queries": ("quality", [""]),
    "speech": ("wer", ["test"]),
    "ocr": ("cer", ["test"]),
}
SINGLE = {"features": peers.FEATURES}
METHODS = {
    "base order": None,
    "runoff fit": {},
    "runoff fit, given and text": {"features": ("given", "text")},
    "perceptron": {"learner": "perceptron", **SINGLE},
    "lambdamart": {"learner": "lambdamart", **SINGLE},
    "interpolation by hand": peers.fit_by_hand,
    "logistic regression on pairs": peers.fit_pairs,
    "LightGBM lambdarank": peers.fit_lightgbm,
    "XGBoost rank:ndcg": peers.fit_xgboost,
    "oracle": None,
}
NO_RIVALS = ("base order", "oracle")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--set", action="append", choices=SETS)
    parser.add_argument("--method", action="append", choices=METHODS)
    options = parser.parse_args()
    for name in options.set or SETS:
        for method in options.method or METHODS:
            kept = kept_in(options.folder, name, method)
            if not kept.exists() and parts_of(options.folder, name):
                task = {"folder": str(options.folder), "set": name, "method": method}
                found = child(__file__, task, limit=3600)
                print(name, method, found.get("error", found.get("seconds")), file=sys.stderr)
                if "error" not in found:
                    kept.write_text(json.dumps(found))
    write(options.folder)


def kept_in(folder, name, method):
    """The file of what was measured."""
    return folder / f"{name} {method}.json".replace(",", "").replace(" ", "-")


def parts_of(folder, name):
    """Training files, and the test file of each part of a set, that there are."""
    tests = SETS[name][1]
    if tests == [""]:
        parts = [
            ([folder / f"{name}-train-{k}.jsonl"], None, {"": folder / f"{name}-test-{k}.jsonl"})
            for k in range(5)
        ]
    else:
        known = [folder / f"{name}-train.jsonl"], folder / f"{name}-dev.jsonl"
        parts = [(*known, {test: folder / f"{name}-{test}.jsonl" for test in tests})]
    return [part for part in parts if part[0][0].exists()]


def measure_one(folder, name, method):
    """The statistics of what a method picks from each test list, CPU seconds, memory."""
    metric = find_metric(SETS[name][0])
    picked, seconds = {}, 0.0
    for train, dev, tests in parts_of(Path(folder), name):
        before = cpu_seconds()
        scores_of = learned(method, train, dev, metric)
        seconds += cpu_seconds() - before
        for test, file in tests.items():
            lists = list(open_lists(NBestFiles([str(file)])))
            plain, _ = build_problem(lists, find_extractors("given"), metric=metric)
            places = plain.picks(scores_of(lists, plain))
            own = plain.list_offsets[:-1][places >= 0] + places[places >= 0]
            picked.setdefault(test, []).extend(plain.pick_statistics()[own].tolist())
    return {"picked": picked, "seconds": seconds, "memory": memory("VmHWM")}


def learned(method, train, dev, metric):
    """What scores test lists, learned from files."""
    if method == "base order":
        return lambda lists, plain: plain.logprobs
    if method == "oracle":
        return lambda lists, plain: plain.known_qualities()
    if callable(METHODS[method]):
        return METHODS[method](train, dev, metric)
    files = [str(file) for file in [*train, *([dev] if dev else [])]]
    reranker = ro.fit(NBestFiles(files), metric=metric, **METHODS[method])
    return lambda lists, plain: reranker.ranker.scores(reranker.problem(lists))


def lines_of(method):
    """Lines of code of a method."""
    if not callable(METHODS[method]):
        return "1"
    lines = len(inspect.getsourcelines(METHODS[method])[0])
    return f"{lines} + {len(inspect.getsourcelines(peers.Matrices)[0])}"


def figures(metric, statistics, samples):
    """The figure of picks of all lists, then of each sample."""
    rows = np.array(statistics)
    sums = [rows.sum(axis=0), *(rows[sample].sum(axis=0) for sample in samples)]
    return np.array([float(next(iter(metric.figures(one).values()))) for one in sums])


def compared(found, metric):
    """Figure and error of each method, and its difference from the best with its error."""
    n = len(next(iter(found.values())))
    random = np.random.default_rng(0)
    samples = [random.integers(0, n, n) for _ in range(1000)]
    of = {method: figures(metric, own, samples) for method, own in found.items()}
    sign = 1 if metric.higher_is_better else -1
    rivals = [method for method in of if method not in NO_RIVALS]
    best = of[max(rivals, key=lambda method: sign * of[method][0])]
    rows = {}
    for method, own in of.items():
        behind = own - best
        far = f"{behind[0]:+.2f} ± {np.std(behind[1:]):.2f}" if method in rivals else ""
        rows[method] = [f"{own[0]:.2f} ± {np.std(own[1:]):.2f}", far]
    closed = {m: (own[0] - of["base order"][0]) / (of["oracle"][0] - of["base order"][0])
              for m, own in of.items()}  # fmt: skip
    return rows, closed


def write(folder):
    """The tables of what was measured so far."""
    text = ["# Lists of other people's systems", "", machine(), ""]
    shares, names = {}, []
    for name, (metric, tests) in SETS.items():
        kept = {m: kept_in(folder, name, m) for m in METHODS}
        found = {m: json.loads(file.read_text()) for m, file in kept.items() if file.exists()}
        if not {"base order", "oracle"} < set(found):
            continue
        for test in tests:
            picked = {method: one["picked"][test] for method, one in found.items()}
            rows, closed = compared(picked, find_metric(metric))
            names.append(f"{name} {test}".rstrip())
            for method, share in closed.items():
                shares.setdefault(method, []).append(share)
            size = len(picked["oracle"])
            text += [f"## {name} {test}".rstrip() + f": {size:,} test lists", ""]
            head = ["method", metric, "from the best", "CPU s", "peak MB", "lines"]
            body = [
                [m, *row, f"{found[m]['seconds']:.1f}", f"{found[m]['memory']:.0f}", lines_of(m)]
                for m, row in rows.items()
            ]
            text += [*table(head, body), ""]
    means = [
        [method, *(f"{share:.1%}" for share in own), f"{np.mean(own):.1%}"]
        for method, own in shares.items()
        if len(own) == len(names) and method not in NO_RIVALS
    ]
    text += ["## Share of the way from the base system to the oracle", ""]
    text += [*table(["method", *names, "mean"], means), ""]
    RESULTS.write_text("\n".join(text))


if __name__ == "__main__":
    if sys.argv[1:] == ["--child"]:
        given = json.load(sys.stdin)
        print(json.dumps(measure_one(given["folder"], given["set"], given["method"])))
    else:
        main()
