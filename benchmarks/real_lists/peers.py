"""Other packages on the columns of Runoff, their settings chosen on development lists.

All learn from the same matrix: every feature, its rank in the list and its distance from the
list's mean, and the log-probability. The grids are at least as wide as that of `auto`.
"""

import sys
from itertools import product

import numpy as np
from problems import best_pairs

from runoff.data.lists import NBestFiles, open_lists
from runoff.features.extract import find_extractors
from runoff.learners.folds import fold_numbers
from runoff.problem.build.build import build_problem
from runoff.problem.views import Views

FEATURES = ("given", "text", "changes")


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


def fit_pairs(train, dev, metric):
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


def fit_lightgbm(train, dev, metric):
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


def fit_xgboost(train, dev, metric):
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


def fit_by_hand(train, dev, metric):
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
