"""N-best lists of a translator, reranked: what every learner makes of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from runoff.data.nbest import NBest
from runoff.engine import Engine
from runoff.metrics.bleu import Bleu
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
    made, known = [], model.wording.known
    for number, (found, (source, target)) in enumerate(
        zip(model.found(sentences, n, threads=engine.threads), pairs, strict=True), 1
    ):
        candidates = [
            msgspec.structs.replace(
                model.candidate(one), output=_compared(known(one.words), metric)
            )
            for one in found.derivations
        ]
        gold = _compared(model.wording.words(target), metric)
        made.append(NBest(number, source, candidates, gold))
    return made


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

    Learners see two of every three lists of `dev`; the rest chooses what they let choose.
    """
    tokens = Bleu(tokenize=plan.tokenize)
    tuned, tested = (lists_with_gold(model, own, plan.n, tokens, engine) for own in (dev, test))
    metric = Bleu(tokenize="none")
    figures = evaluate(tuned, metric).figures, evaluate(tested, metric).figures
    base, best = (
        _row(name, figures[0][name]["BLEU"], figures[1][name]["BLEU"])
        for name in ("base", "oracle")
    )
    rows = [base]
    for learner in engine.counted("rerankers", plan.rerank, len(plan.rerank), every=1):
        binary = learner in BINARY
        ranker = fit(
            [one for i, one in enumerate(tuned, 1) if i % HELD_OUT],
            dev=tuned[HELD_OUT - 1 :: HELD_OUT],
            learner=learner,
            features=FEATURES.get(learner, ("given", "text")),
            thresholds=THRESHOLDS if binary else (),
            bins=BINS if binary else 0,
            metric=metric,
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
