"""Learners beside other packages on lists of other people's systems.

    python benchmarks/real_lists/compare.py FOLDER [--set NAME]... [--method NAME]... [--quick]

FOLDER has what `spelling.py`, `queries.py` and `speech.py` wrote; it also gets a JSON file per set
and method, so that what was measured is not measured again. Needs `pip install lightgbm xgboost
scikit-learn scipy`.

Every method is a process of its own on one thread and learns from train and dev together:

- `runoff fit` with nothing but the metric, from files to model; with the features of changes; and
  with the learner auto.
- scikit-learn's logistic regression on pairs, the best of a list against each worse candidate;
  LightGBM's lambdarank; XGBoost's rank:ndcg. They get the same columns, those relative to the list
  among them. Settings are chosen on dev (for queries, on a fifth of the training queries) by the
  same figure, then learned from all.
- A hand-tuned interpolation, for spelling: the base rank plus a weight times the edits.

CPU seconds are those of the process from its start to the fitted model, grid included. The first
figure is the metric's on the test lists, the standard error by 1,000 bootstrap samples of lists.
"""

import argparse
import json
import sys
from itertools import product
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
from measuring import child, cpu_seconds, machine, memory, table
from problems import best_pairs

import runoff as ro
from runoff.data.lists import NBestFiles, open_lists
from runoff.features.extract import find_extractors
from runoff.learners.folds import fold_numbers
from runoff.metrics import metric as find_metric
from runoff.problem.build.build import build_problem
from runoff.problem.views import Views

RESULTS = Path(__file__).parents[1] / "results" / "real_lists.md"
FEATURES = ("given", "text", "changes")
SETS = {
    "spelling, words seen": ("spelling", "exact", ["seen"]),
    "spelling, words unseen": ("spelling", "exact", ["unseen"]),
    "queries": ("queries", "quality", None),
    "speech": ("speech", "wer", ["test"]),
}
METHODS = {
    "base order": None,
    "runoff fit --learner auto": {"learner": "auto", "features": FEATURES},
    "runoff fit --learner auto, given and text": {"learner": "auto"},
    "runoff fit, with changes": {"features": FEATURES},
    "runoff fit": {},
    "interpolation by hand": None,
    "logistic regression on pairs": None,
    "LightGBM lambdarank": None,
    "XGBoost rank:ndcg": None,
    "oracle": None,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--set", action="append", choices=SETS)
    parser.add_argument("--method", action="append", choices=METHODS)
    options = parser.parse_args()
    for name in options.set or SETS:
        for method in options.method or METHODS:
            kept = options.folder / f"{name} {method}.json".replace(",", "").replace(" ", "-")
            if not kept.exists() and parts_of(options.folder, name):
                task = {"folder": str(options.folder), "set": name, "method": method}
                kept.write_text(json.dumps(child(__file__, task, limit=1800)))
    write(options.folder)


def parts_of(folder, name):
    """Training files, development file and test files of each part of a set that there are."""
    kind, _, tests = SETS[name]
    if tests is None:
        parts = [
            ([folder / f"{kind}-train-{k}.jsonl"], None, [folder / f"{kind}-test-{k}.jsonl"])
            for k in range(5)
        ]
    else:
        known = [folder / f"{kind}-train.jsonl"], folder / f"{kind}-dev.jsonl"
        parts = [(*known, [folder / f"{kind}-{test}.jsonl" for test in tests])]
    return [part for part in parts if part[0][0].exists()]


def measure_one(folder, name, method):
    """The statistics of what a method picks from the test lists, CPU seconds, memory."""
    metric = find_metric(SETS[name][1])
    picked, seconds = [], 0.0
    for train, dev, tests in parts_of(Path(folder), name):
        test = [one for file in tests for one in open_lists(NBestFiles([str(file)]))]
        before = cpu_seconds()
        choose = FITS.get(method, fit_ours)(train, dev, metric, METHODS[method] or {})
        seconds += cpu_seconds() - before
        plain, _ = build_problem(test, find_extractors("given"), metric=metric)
        scores = choose(test, plain)
        places = plain.picks(scores)
        own = plain.list_offsets[:-1][places >= 0] + places[places >= 0]
        picked.append(plain.pick_statistics()[own])
    statistics = np.concatenate(picked)
    return {**interval(statistics, metric), "seconds": seconds, "memory": memory("VmHWM")}


def interval(statistics, metric):
    """The figure of picks, and its standard error by the bootstrap."""

    def figure(own):
        return float(next(iter(metric.figures(own.sum(axis=0)).values())))

    random = np.random.default_rng(0)
    n = len(statistics)
    samples = [figure(statistics[random.integers(0, n, n)]) for _ in range(1000)]
    return {"lists": n, "figure": figure(statistics), "error": float(np.std(samples))}


def fit_ours(train, dev, metric, options):
    files = [str(file) for file in [*train, *([dev] if dev else [])]]
    reranker = ro.fit(NBestFiles(files), metric=metric, **options)
    return lambda test, plain: reranker.ranker.scores(reranker.problem(test))


def fit_base(train, dev, metric, options):
    return lambda test, plain: plain.logprobs


def fit_oracle(train, dev, metric, options):
    return lambda test, plain: plain.known_qualities()


class Matrices:
    """What peers are given: all features and the views of them, and how to choose settings."""

    def __init__(self, train, dev, metric):
        files = [str(file) for file in [*train, *([dev] if dev else [])]]
        lists = list(open_lists(NBestFiles(files)))
        self.extractors = find_extractors(FEATURES)
        self.problem, self.space = build_problem(lists, self.extractors, metric=metric, min_lists=2)
        self.views = Views.of(self.problem)
        self.all = self.views.added(self.problem)
        if dev is None:
            self.held_out = fold_numbers(self.problem, 5) == 0
        else:
            size = sum(1 for _ in open_lists(NBestFiles([str(dev)])))
            self.held_out = np.arange(self.problem.n_lists) >= self.problem.n_lists - size

    def rows(self, problem):
        """All columns of a problem, the log-probability last, as a sparse matrix."""
        from scipy.sparse import csr_matrix, hstack

        shape = problem.n_candidates, problem.n_features
        own = csr_matrix(
            (problem.feature_values, problem.feature_ids, problem.feature_offsets), shape
        )
        return hstack([own, problem.logprobs[:, np.newaxis]]).tocsr().astype(np.float32)

    def best(self, settings, fit):
        """What learns best under one of the settings, learned from all lists."""
        train = self.all.keep(~self.held_out[self.all.owners])
        dev = self.all.keep(self.held_out[self.all.owners])
        rows = self.rows(dev)
        found = [
            (dev.picked_quality(scores), -number, setting | chosen)
            for number, setting in enumerate(settings)
            for chosen, scores in fit(train, self.rows(train), setting)(rows)
        ]
        setting = max(found, key=lambda one: one[:2])[2]
        print(setting, file=sys.stderr)
        ranker = fit(self.all, self.rows(self.all), setting)

        def choose(test, plain):
            problem, _ = build_problem(test, self.extractors, space=self.space)
            return ranker(self.rows(self.views.added(problem)))[-1][1]

        return choose


def grid(**choices):
    return [dict(zip(choices, values, strict=True)) for values in product(*choices.values())]


def fit_pairs(train, dev, metric, options):
    """Logistic regression on the differences of the best candidate and each worse one."""
    from scipy.sparse import diags
    from sklearn.linear_model import LogisticRegression

    def fit(problem, rows, setting):
        scales = np.sqrt(np.asarray(rows.multiply(rows).mean(axis=0))).ravel()
        scales[scales == 0] = 1
        better, worse = best_pairs(problem)
        signs = np.where(np.arange(len(better)) % 2, 1, -1)
        scaled = rows @ diags(1 / scales).astype(np.float32)
        differences = diags(signs.astype(np.float32)) @ (scaled[better] - scaled[worse])
        model = LogisticRegression(C=setting["C"], fit_intercept=False, max_iter=200)
        model.fit(differences, signs)
        weights = model.coef_[0] / scales
        return lambda own: [({}, np.asarray(own @ weights).ravel().astype(np.float64))]

    return Matrices(train, dev, metric).best(grid(C=[0.003, 0.01, 0.03, 0.1, 1.0]), fit)


def sizes_of(problem):
    sizes = np.diff(problem.list_offsets)
    return sizes[sizes > 0]


def grades_of(problem):
    """Qualities as whole grades from 0 to 30, the same distance for the same difference."""
    low, high = problem.qualities.min(), problem.qualities.max()
    steps = min(30, len(np.unique(problem.qualities)) - 1)
    return np.round((problem.qualities - low) / max(high - low, 1e-9) * steps).astype(int)


ROUNDS = (50, 100, 200, 300)


def fit_lightgbm(train, dev, metric, options):
    import lightgbm

    def fit(problem, rows, setting):
        chosen = {key: value for key, value in setting.items() if key != "rounds"}
        parameters = {
            **chosen,
            "objective": "lambdarank",
            "label_gain": list(range(31)),
            "verbose": -1,
            "num_threads": 1,
            "deterministic": True,
            "bagging_freq": 1,
            "bagging_fraction": 0.5,
            "feature_fraction": 0.5,
            "learning_rate": 0.05,
        }
        data = lightgbm.Dataset(rows, grades_of(problem), group=sizes_of(problem))
        model = lightgbm.train(parameters, data, setting.get("rounds", ROUNDS[-1]))
        wanted = [setting["rounds"]] if "rounds" in setting else ROUNDS
        return lambda own: [({"rounds": n}, model.predict(own, num_iteration=n)) for n in wanted]

    settings = grid(num_leaves=[7, 31], min_data_in_leaf=[5, 20, 50])
    return Matrices(train, dev, metric).best(settings, fit)


def fit_xgboost(train, dev, metric, options):
    import xgboost

    def fit(problem, rows, setting):
        chosen = {key: value for key, value in setting.items() if key != "rounds"}
        parameters = {
            **chosen,
            "objective": "rank:ndcg",
            "ndcg_exp_gain": False,
            "tree_method": "hist",
            "nthread": 1,
            "subsample": 0.5,
            "colsample_bytree": 0.5,
            "eta": 0.05,
            "seed": 0,
        }
        data = xgboost.DMatrix(rows, grades_of(problem), nthread=1)
        data.set_group(sizes_of(problem))
        model = xgboost.train(parameters, data, setting.get("rounds", ROUNDS[-1]))
        wanted = [setting["rounds"]] if "rounds" in setting else ROUNDS

        def scores(own):
            own = xgboost.DMatrix(own, nthread=1)
            return [
                ({"rounds": n}, model.predict(own, iteration_range=(0, n)).astype(np.float64))
                for n in wanted
            ]

        return scores

    return Matrices(train, dev, metric).best(grid(max_depth=[3, 6], min_child_weight=[0.1, 1]), fit)


def fit_by_hand(train, dev, metric, options):
    """The base order and the edits from the input, with the weight that is best on dev."""
    both = Matrices(train, dev, metric)
    names = both.space.names
    if "edits" not in names:
        raise SystemExit("there is no input to compare with")
    column = names.index("edits")

    def scores(problem, weight):
        edits = both.rows(problem)[:, [column]].toarray().ravel()
        return problem.logprobs - weight * edits.astype(np.float64)

    held_out = both.problem.keep(both.held_out[both.problem.owners])
    weights = [0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0]
    weight = max(weights, key=lambda one: held_out.picked_quality(scores(held_out, one)))

    def choose(test, plain):
        problem, _ = build_problem(test, both.extractors, space=both.space)
        return scores(problem, weight)

    return choose


FITS = {
    "base order": fit_base,
    "oracle": fit_oracle,
    "interpolation by hand": fit_by_hand,
    "logistic regression on pairs": fit_pairs,
    "LightGBM lambdarank": fit_lightgbm,
    "XGBoost rank:ndcg": fit_xgboost,
}


def write(folder):
    """The table of what was measured so far."""
    parts = []
    for name, (_, metric, _) in SETS.items():
        rows = []
        for method in METHODS:
            kept = folder / f"{name} {method}.json".replace(",", "").replace(" ", "-")
            found = json.loads(kept.read_text()) if kept.exists() else {"error": "not run"}
            if "figure" in found:
                lists = found["lists"]
                figures = f"{found['figure']:.2f} ± {found['error']:.2f}"
                rows.append([method, figures, f"{found['seconds']:.1f}", f"{found['memory']:.0f}"])
        if rows:
            head = ["method", metric, "CPU s", "peak MB"]
            parts += [f"## {name}: {lists:,} test lists", "", *table(head, rows), ""]
    text = ["# Lists of other people's systems", "", machine(), "", *parts]
    RESULTS.write_text("\n".join(text))


if __name__ == "__main__":
    if sys.argv[1:] == ["--child"]:
        given = json.load(sys.stdin)
        print(json.dumps(measure_one(given["folder"], given["set"], given["method"])))
    else:
        main()
