"""Tuning: weights that make the translations of development text as good as possible.

In each round, the text is translated with the weights so far; the n-best lists of all rounds
together are a ranking problem, whose learner gives the weights of the next round (Och 2003). The
lists' log-probability is the score of the weights so far, so learners set out from these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from runoff.data.numbering import offsets_of
from runoff.engine import ALONE, Engine
from runoff.fitting.run import Run
from runoff.learners import make_ranker
from runoff.learners.base import LinearRanker
from runoff.metrics.bleu import Bleu, bleu, gains, word_statistics
from runoff.pipeline.work_folder import WorkFolder
from runoff.problem.problem import RankingProblem
from runoff.proposers.translation.decoder import Floats, Lists
from runoff.proposers.translation.features import FeatureSet
from runoff.store.arrays import take, take_offsets
from runoff.store.file import load, save

TUNERS = ("mert", "maxent", "maxent-rank", "p-norm-push", "least-squares", "perceptron")
"""Learners that can tune: they give features of any value a weight each."""

SMALLEST_STEP = 1e-3
"""Tuning ends when no weight changes by more, where their sizes sum to 1."""


@dataclass(frozen=True, kw_only=True)
class Tuning:
    """How weights are tuned.

    Parameters
    ----------
    learner : name of the learner, one of `TUNERS`.
    rounds : how often the text is translated, at most.
    n : translations of a sentence in each round.
    options : of the learner.
    """

    learner: str = "mert"
    rounds: int = 8
    n: int = 100
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0


class Translates(Protocol):
    """What weights are tuned for: translates sentences, whatever those are to it, by a search."""

    def lists(self, sentences: Any, weights: Floats, search: Any, *, n: int, threads: int) -> Lists:
        """The n best translations of sentences."""
        ...


Text = tuple[Sequence[Any], Sequence[Sequence[str]]]
"""Sentences, and the words of their translations."""


class Round(NamedTuple):
    """The lists of a round: weights, BLEU of the first choices, and all candidates."""

    weights: Floats
    bleu: float
    offsets: NDArray[np.int64]
    features: Floats
    statistics: Floats


def translated(
    decoder: Translates,
    features: FeatureSet,
    weights: Floats,
    search: object,
    text: Text,
    n: int,
    engine: Engine,
) -> Round:
    """The n-best lists of a text, with the statistics of BLEU."""
    raw = decoder.lists(text[0], features.raw_weights(weights), search, n=n, threads=engine.threads)
    rows = [
        word_statistics(raw.words[first:last], [reference])
        for (first, last), reference in zip(raw.bounds, text[1], strict=True)
    ]
    statistics = np.concatenate(rows) if rows else np.zeros((0, len(Bleu.columns)))
    first = raw.offsets[:-1][np.diff(raw.offsets) > 0]
    score = float(bleu(statistics[first].sum(axis=0), effective_order=False))
    return Round(weights, score, raw.offsets, features.values(raw.features), statistics)


def tune(
    decoder: Translates,
    features: FeatureSet,
    search: object,
    text: Text,
    tuning: Tuning,
    *,
    work: WorkFolder,
    key: object,
    engine: Engine = ALONE,
) -> list[Round]:
    """All rounds; the weights of the one with the highest BLEU are those to take."""
    rounds: list[Round] = []
    weights = normalised(np.array(features.start))
    how = (tuning.learner, sorted(tuning.options.items()), tuning.n, tuning.seed, search)
    steps = [
        work.step("tuning", ".runoff", key, features.names, how, number)
        for number in range(tuning.rounds)
    ]
    for number, made in enumerate(steps):
        if not made.done:
            if rounds:
                fitted = _fitted(rounds, tuning, engine)
                if np.abs(fitted - weights).max() < SMALLEST_STEP:
                    break
                weights = fitted
            found = translated(decoder, features, weights, search, text, tuning.n, engine)
            _write(found, made.path)
        rounds.append(_read(made.path, len(features.names)))
        weights = rounds[-1].weights  # of a round that was done before, too
        engine.tell("tuning", number + 1, tuning.rounds)
    return rounds


def best_round(rounds: Sequence[Round]) -> Round:
    """The round of the highest BLEU, the first of equals."""
    return max(rounds, key=lambda one: one.bleu)


def normalised(weights: Floats) -> Floats:
    """Weights whose sizes sum to 1."""
    return weights / max(float(np.abs(weights).sum()), 1e-12)


def merged(rounds: Sequence[Round], weights: Floats) -> RankingProblem:
    """The candidates of all rounds, each once, as a ranking problem."""
    owners = np.concatenate(
        [np.repeat(np.arange(len(r.offsets) - 1), np.diff(r.offsets)) for r in rounds]
    )
    features = np.concatenate([r.features for r in rounds])
    statistics = np.concatenate([r.statistics for r in rounds])
    rows = np.column_stack([owners, np.round(features, 6), statistics])
    _, kept = np.unique(rows, axis=0, return_index=True)
    owners, features, statistics = owners[kept], features[kept], statistics[kept]
    logprobs = features @ weights
    n_lists, n_features = len(rounds[0].offsets) - 1, features.shape[1]
    return RankingProblem(
        list_offsets=offsets_of(np.bincount(owners, minlength=n_lists)),
        feature_offsets=np.arange(len(owners) + 1, dtype=np.int64) * n_features,
        feature_ids=np.tile(np.arange(n_features, dtype=np.uint32), len(owners)),
        feature_values=np.ascontiguousarray(features).reshape(-1),
        logprobs=logprobs,
        qualities=gains(statistics, owners, logprobs),
        n_features=n_features,
        statistics=statistics,
        metric=Bleu(tokenize="none"),
    )


def _fitted(rounds: Sequence[Round], tuning: Tuning, engine: Engine) -> Floats:
    weights = rounds[-1].weights
    ranker = make_ranker(tuning.learner, tuning.options, seed=tuning.seed)
    assert isinstance(ranker, LinearRanker)
    ranker.fit(merged(rounds, weights), run=Run(threads=engine.threads))
    return normalised(ranker.logprob_weight_ * weights + ranker.weights())


def _write(found: Round, path: Any) -> None:
    arrays = {
        name: getattr(found, name) for name in ("weights", "offsets", "features", "statistics")
    }
    save(path, "tuning round", {"bleu": found.bleu}, arrays)


def _read(path: Any, n_features: int) -> Round:
    _, header, arrays = load(path, kind="tuning round", map=False)
    features = take(arrays, "features", np.float64, (None, n_features))
    return Round(
        take(arrays, "weights", np.float64, (n_features,)),
        float(header["bleu"]),
        take_offsets(arrays, "offsets", len(features)),
        features,
        take(arrays, "statistics", np.float64, (len(features), len(Bleu.columns))),
    )
