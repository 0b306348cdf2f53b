"""Translators by phrases and by trees beside each other: BLEU, speed, the union of their lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from runoff.data.nbest import NBest
from runoff.metrics.base import Floats, figure
from runoff.metrics.bleu import Bleu
from runoff.metrics.significance import randomisation
from runoff.recipes.experiment import Setting
from runoff.report.tables import Cell, Table
from runoff.tasks.ranking.fit import fit
from runoff.tasks.translation.model import TranslationModel
from runoff.tasks.translation.reranked import lists_with_gold
from runoff.tasks.translation.tables import scored
from runoff.tasks.translation.trees.model import TreeTranslationModel
from runoff.tasks.translation.union import united

if TYPE_CHECKING:
    from runoff.tasks.translation.experiment import Plan

PHRASES, TREES, UNION = "phrases", "trees", "both, reranked"

LENGTHS = (0, 5, 8, 12, 20)
"""Words of sentences, of which tables by length have a row between each two."""

COMPARED = Bleu(tokenize="none")
"""The metric of lists whose texts are cut already."""

Pairs = Sequence[tuple[str, str]]


class Chosen(NamedTuple):
    """Statistics of BLEU of what a system chose for each sentence of dev and test."""

    dev: Floats
    test: Floats


def beside_tables(
    trees: TreeTranslationModel,
    phrases: TranslationModel,
    dev: Pairs,
    test: Pairs,
    plan: Plan,
    setting: Setting,
) -> list[Table]:
    """Both systems, each with its own weights, and the union of their lists reranked by `mert`.

    The source of `phrases` is cut into the words of the parser.
    """
    metric = Bleu(tokenize=plan.tokenize)
    texts = {TREES: (dev, test), PHRASES: (_cut(trees, dev), _cut(trees, test))}
    models: Mapping[str, TranslationModel] = {PHRASES: phrases, TREES: trees}
    lists = {
        name: [lists_with_gold(model, own, plan.n, metric, setting.engine) for own in texts[name]]
        for name, model in models.items()
    }
    chosen = {name: Chosen(*map(_first_choices, own)) for name, own in lists.items()}
    chosen[UNION] = _reranked(lists, setting)
    rows: list[dict[str, Cell]] = []
    for name, own in chosen.items():
        row: dict[str, Cell] = {"system": name, "dev BLEU": _bleu(own.dev), "BLEU": _bleu(own.test)}
        for other in models:
            rival = chosen[other].test
            found = None if name == other else randomisation(rival, own.test, COMPARED)
            row |= {
                f"over {other}": None if found is None else found.difference,
                f"p, {other}": None if found is None else found.p_value,
            }
        speed = scored(models[name], texts[name][1], plan.tokenize) if name in models else None
        row["length"] = None if speed is None else speed.length
        row["sentences per CPU s"] = None if speed is None else len(test) / speed.seconds
        rows.append(row)
    title = f"phrases and trees: {len(test):,} sentences, {plan.n} translations of each"
    words = np.array([len(source.split()) for source, _ in texts[PHRASES][1]])
    return [Table(title, rows, _DECIMALS), _by_length(chosen, words)]


_DECIMALS = {"dev BLEU": 2, "BLEU": 2, "over phrases": 2, "over trees": 2, "p, phrases": 4,
             "p, trees": 4, "length": 3, "sentences per CPU s": 1}  # fmt: skip


def _cut(trees: TreeTranslationModel, pairs: Pairs) -> list[tuple[str, str]]:
    return [(" ".join(trees.cut(source)), target) for source, target in pairs]


def _reranked(lists: Mapping[str, Sequence[Sequence[NBest]]], setting: Setting) -> Chosen:
    """The choices from both systems' candidates."""
    dev, test = (united({name: own[part] for name, own in lists.items()}) for part in (0, 1))
    ranker = fit(dev, learner="mert", features=("given",), metric=COMPARED, engine=setting.engine)
    return Chosen(*(_first_choices(list(ranker.rerank(own))) for own in (dev, test)))


def _first_choices(lists: Sequence[NBest]) -> Floats:
    return np.array([COMPARED.statistics([own.candidates[0].output], own.gold)[0] for own in lists])


def _bleu(rows: Floats) -> float:
    return float(figure(COMPARED, rows.sum(axis=0)))


def _by_length(chosen: Mapping[str, Chosen], words: Floats) -> Table:
    """BLEU of all systems on sentences of so many words."""
    rows: list[dict[str, Cell]] = []
    for low, high in pairwise((*LENGTHS, np.inf)):
        own = (low < words) & (words <= high)
        if own.any():
            label = f"{low + 1} to {high}" if high < np.inf else f"more than {low}"
            bleu = {name: _bleu(one.test[own]) for name, one in chosen.items()}
            rows.append({"words": label, "sentences": int(own.sum()), **bleu})
    return Table("BLEU by words of the source", rows, dict.fromkeys(chosen, 2))
