"""N-best lists of a translator, reranked: what every learner makes of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from runoff.data.nbest import NBest
from runoff.engine import Engine
from runoff.metrics.bleu import Bleu, gains
from runoff.metrics.significance import Comparison
from runoff.report.tables import Cell, Table
from runoff.tasks.ranking.evaluate import evaluate
from runoff.tasks.ranking.fit import fit
from runoff.tasks.translation.model import TranslationModel

if TYPE_CHECKING:
    from runoff.tasks.translation.experiment import Plan

FEATURES = {"mert": ("given",)}
"""Features of learners that take few; others also get those of the text."""

BINARY = ("boosted-trees", "exp-loss", "log-loss")
THRESHOLDS, BINS = (1, 2, 4), 20
"""Learners of binary features, and how counts and other numbers become such."""

HELD_OUT = 3
"""Learners choose by one of so many lists of the development text, and learn from the others."""


def lists_with_gold(
    model: TranslationModel,
    pairs: Sequence[tuple[str, str]],
    n: int,
    metric: Bleu,
    engine: Engine,
) -> list[NBest]:
    """The n-best lists of a text and its translations as gold: words that a metric compares."""
    sentences = [model.source_words(source) for source, _ in pairs]
    made = []
    for number, (found, (source, target)) in enumerate(
        zip(model.found(sentences, n, threads=engine.threads), pairs, strict=True), 1
    ):
        candidates = [
            msgspec.structs.replace(model.candidate(one), output=_compared(one.words, metric))
            for one in found.derivations
        ]
        gold = _compared(model.wording.words(target), metric)
        made.append(NBest(number, source, candidates, gold))
    return made


def with_gains(lists: Sequence[NBest], metric: Bleu) -> list[NBest]:
    """The lists, with what BLEU of all of them gains by each candidate as its quality."""
    statistics = np.concatenate(
        [metric.statistics([c.output for c in nbest.candidates], nbest.gold) for nbest in lists]
    )
    owners = np.repeat(np.arange(len(lists)), [len(nbest) for nbest in lists])
    ranks = np.array([rank for nbest in lists for rank in nbest.base_ranks()])
    found = iter(gains(statistics, owners, -ranks).tolist())
    return [
        msgspec.structs.replace(
            nbest,
            candidates=[
                msgspec.structs.replace(one, quality=next(found)) for one in nbest.candidates
            ],
        )
        for nbest in lists
    ]


def _compared(words: Sequence[str], metric: Bleu) -> str:
    return " ".join(metric.words(" ".join(words)))


def rerank_table(
    title: str,
    model: TranslationModel,
    dev: Sequence[tuple[str, str]],
    test: Sequence[tuple[str, str]],
    plan: Plan,
    engine: Engine,
) -> Table:
    """BLEU of the base order, of each learner's picks, and of the oracle, with significance.

    Learners see two of every three lists of `dev`; the rest chooses what they let choose. `mert`
    maximises BLEU itself, the others the gains of single candidates.
    """
    tokens = Bleu(tokenize=plan.tokenize)
    tuned, tested = (lists_with_gold(model, own, plan.n, tokens, engine) for own in (dev, test))
    metric = Bleu(tokenize="none")
    gained = with_gains(tuned, metric)
    figures = evaluate(tuned, metric).figures, evaluate(tested, metric).figures
    base, best = (
        _row(name, figures[0][name]["BLEU"], figures[1][name]["BLEU"])
        for name in ("base", "oracle")
    )
    rows = [base]
    for learner in engine.counted("rerankers", plan.rerank, len(plan.rerank), every=1):
        binary, whole = learner in BINARY, learner == "mert"
        known = tuned if whole else gained
        ranker = fit(
            [one for i, one in enumerate(known, 1) if i % HELD_OUT],
            dev=known[HELD_OUT - 1 :: HELD_OUT],
            learner=learner,
            features=FEATURES.get(learner, ("given", "text")),
            thresholds=THRESHOLDS if binary else (),
            bins=BINS if binary else 0,
            metric=metric if whole else "quality",
            engine=engine,
            seed=plan.seed,
        )
        found = evaluate(ranker.rerank(tested), metric)
        gain = found.comparisons[1]
        rows.append(_row(learner, None, found.figures["picked"]["BLEU"], gain))
    rows.append(best)
    n = max(map(len, tested), default=0)
    decimals = {"dev BLEU": 2, "BLEU": 2, "gain": 2, "p": 4}
    return Table(f"reranked {n}-best lists: {title}", rows, decimals)


def _row(
    learner: str, dev: float | None, test: float, gain: Comparison | None = None
) -> dict[str, Cell]:
    found = (None, None) if gain is None else (gain.difference, gain.p_value)
    return {"learner": learner, "dev BLEU": dev, "BLEU": test, "gain": found[0], "p": found[1]}
