"""N-best lists of a translator, reranked: what every learner makes of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from runoff.data.nbest import NBest
from runoff.engine import Engine
from runoff.metrics.bleu import Bleu
from runoff.report.tables import Cell, Table
from runoff.tasks.ranking.evaluate import evaluate
from runoff.tasks.ranking.fit import fit
from runoff.tasks.translation.model import TranslationModel

if TYPE_CHECKING:
    from runoff.tasks.translation.experiment import Plan

FEATURES = {"mert": ("given",)}
"""Features of learners that take few; others also get those of the text."""


def lists_with_gold(
    model: TranslationModel, pairs: Sequence[tuple[str, str]], n: int, engine: Engine
) -> list[NBest]:
    """The n-best lists of a text as words with spaces, and its translations as gold."""
    sentences = [model.wording.words(source) for source, _ in pairs]
    made = []
    for number, (found, (source, target)) in enumerate(
        zip(model.found(sentences, n, threads=engine.threads), pairs, strict=True), 1
    ):
        candidates = [
            msgspec.structs.replace(model.candidate(one), output=" ".join(one.words))
            for one in found.derivations
        ]
        gold = " ".join(model.wording.words(target))
        made.append(NBest(number, source, candidates, gold))
    return made


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
    metric = Bleu(tokenize=plan.tokenize)
    tuned = lists_with_gold(model, dev, plan.n, engine)
    tested = lists_with_gold(model, test, plan.n, engine)
    held_out = [i % 3 == 2 for i in range(len(tuned))]
    fitted = [one for one, out in zip(tuned, held_out, strict=True) if not out]
    choosing = [one for one, out in zip(tuned, held_out, strict=True) if out]
    rows: list[dict[str, Cell]] = []
    for learner in engine.counted("rerankers", plan.rerank, len(plan.rerank), every=1):
        features = FEATURES.get(learner, ("given", "text"))
        ranker = fit(fitted, dev=choosing, learner=learner, features=features, metric=metric,
                     engine=engine, seed=plan.seed)  # fmt: skip
        found = evaluate(ranker.rerank(tested), metric)
        if not rows:
            rows.append(_row("base", found.figures["base"]["BLEU"], None, None))
        gain = found.comparisons[1]
        rows.append(_row(learner, found.figures["picked"]["BLEU"], gain.difference, gain.p_value))
    oracle = evaluate(tested, metric).figures["oracle"]["BLEU"]
    rows.append(_row("oracle", oracle, None, None))
    n = int(np.max([len(one) for one in tested], initial=0))
    return Table(f"reranked {n}-best lists: {title}", rows, {"BLEU": 2, "gain": 2, "p": 4})


def _row(learner: str, bleu: float, gain: float | None, p: float | None) -> dict[str, Cell]:
    return {"learner": learner, "BLEU": bleu, "gain": gain, "p": p}
