"""Tables of Huang, Knight & Joshi (2006) on a text of one's own, and what lies beyond."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from runoff.metrics.base import Floats
from runoff.metrics.bleu import Bleu
from runoff.pipeline.steps import work_folder
from runoff.proposers.translation.features import FeatureSet, feature_set
from runoff.proposers.translation.trees.decoder import DIRECT, TreeSearch
from runoff.proposers.translation.trees.rules import rules_of
from runoff.proposers.translation.trees.source import Parses
from runoff.recipes.experiment import Setting
from runoff.report.tables import Cell, Table
from runoff.tasks.translation.model import TranslationModel
from runoff.tasks.translation.trees.log_linear import bleu_of, k_best, tuned
from runoff.tasks.translation.trees.model import TreeTranslationModel
from runoff.tasks.translation.trees.parsing import parses_of
from runoff.tasks.translation.tuning import Translates, best_round, tune

if TYPE_CHECKING:
    from runoff.tasks.translation.experiment import Plan

LONGEST = 100
SHARE_OF = (10, 100, 1000)
"""Derivations among which different strings are counted."""

Pairs = Sequence[tuple[str, str]]


class Sentences(NamedTuple):
    """A text, parsed, and its translations."""

    source: list[list[str]]
    parses: list[Parses]
    references: list[str]

    def first(self, n: int) -> Sentences:
        """The first sentences."""
        return Sentences(self.source[:n], self.parses[:n], self.references[:n])


class Tables:
    """The tables of one trained translator, beside one by phrases."""

    def __init__(
        self,
        model: TreeTranslationModel,
        phrases: TranslationModel,
        dev: Pairs,
        test: Pairs,
        plan: Plan,
        setting: Setting,
    ) -> None:
        self.model, self.phrases, self.plan, self.setting = model, phrases, plan, setting
        self.metric = Bleu(tokenize=plan.tokenize)
        self.dev, self.test = self._parsed(dev), self._parsed(test)

    def _parsed(self, pairs: Pairs) -> Sentences:
        model, most = self.model, max([1, *self.plan.parses_tried])
        with work_folder(self.setting.work) as work:
            parses, _ = parses_of(
                [source for source, _ in pairs], model.parser, raw=model.raw_source,
                longest=LONGEST, k=most, work=work, engine=self.setting.engine,
            )  # fmt: skip
        trees = model.decoder.trees([own[:1] for own in parses])
        return Sentences(trees.words, list(parses), [target for _, target in pairs])

    def table_1(self, paper: dict[str, float]) -> Table:
        """BLEU of all systems: tuned and measured on a few sentences of dev, and properly."""
        few = self.dev.first(self.plan.few)
        rows = []
        columns = {"same sentences": (few, few), "test": (self.dev, self.test)}
        found: dict[str, dict[str, float]] = {}
        for column, (tuned_on, measured) in columns.items():
            for name, bleu in self._systems(tuned_on, measured):
                found.setdefault(name, {})[column] = bleu
        for name, own in found.items():
            row: dict[str, Cell] = {"system": name, "paper": paper.get(name)}
            rows.append(row | {column: own.get(column) for column in columns})
        decimals = {"paper": 1, **dict.fromkeys(columns, 2)}
        return Table(f"Table 1: BLEU ({len(few.references)} sentences; test)", rows, decimals)

    def _systems(self, tuned_on: Sentences, measured: Sentences) -> Iterator[tuple[str, float]]:
        plan, decoder = self.plan, self.model.decoder
        yield "phrases", self._phrases(tuned_on, measured)
        direct = decoder.lists(measured.parses, DIRECT, TreeSearch(search="direct"))
        yield "direct", self._bleu(direct.words, measured)
        model = tuned(k_best(decoder, tuned_on.parses, plan.k), tuned_on.references, self.metric)
        lists = k_best(decoder, measured.parses, plan.k)
        best = lists.best(model.beta, model.penalty)
        yield "rescored", self._bleu([lists.words[i] for i in best], measured)
        search = replace(plan.tree_search, parses=1)
        yield "cube pruning", self._searched("huang", search, tuned_on, measured)
        for parses in (1, *plan.parses_tried):
            name = "all features" + ("" if parses == 1 else f", {parses} parses")
            how = replace(search, parses=parses)
            yield name, self._searched("tree", how, tuned_on, measured)

    def _phrases(self, tuned_on: Sentences, measured: Sentences) -> float:
        """BLEU of phrases."""
        model = self.phrases
        raw = model.feature_set.raw_weights(model.weights)
        if tuned_on is not self.dev:
            raw = self._tuned(model.decoder, model.feature_set, model.search, tuned_on.source,
                              tuned_on.references)  # fmt: skip
        return self._bleu(model.decoder.lists(measured.source, raw, model.search).words, measured)

    def _searched(
        self, features: str, search: TreeSearch, tuned_on: Sentences, measured: Sentences
    ) -> float:
        """BLEU of a search with a set of features."""
        model = self.model
        raw = model.raw_weights
        if tuned_on is not self.dev or (features, search) != (model.features, model.search):
            raw = self._tuned(model.decoder, feature_set(features), search, tuned_on.parses,
                              tuned_on.references)  # fmt: skip
        return self._bleu(model.decoder.lists(measured.parses, raw, search).words, measured)

    def _tuned(
        self,
        decoder: Translates,
        features: FeatureSet,
        search: object,
        sentences: Sequence[Any],
        references: Sequence[str],
    ) -> Floats:
        """The weights of raw features that tuning gives, where those of the training are others."""
        text = sentences, [own.split() for own in references]
        with work_folder(self.setting.work) as work:
            rounds = tune(
                decoder,
                features,
                search,
                text,
                self.plan.tuning,
                work=work,
                key=("table 1", repr(text), len(self.model.decoder.table)),
                engine=self.setting.engine,
            )
        return features.raw_weights(best_round(rounds).weights)

    def _bleu(self, words: Sequence[Sequence[str]], sentences: Sentences) -> float:
        return bleu_of(words, sentences.references, self.metric)

    def unique_table(self) -> Table:
        """Section 5.2: different strings among the k best derivations of dev sentences."""
        few = self.dev.first(self.plan.few)
        rows: list[dict[str, Cell]] = []
        for k in SHARE_OF:
            every, strings, asked = 0, 0, 0
            for first in range(0, len(few.parses), 16):
                part = few.parses[first : first + 16]
                search = TreeSearch(search="direct")
                found = self.model.decoder.translate(part, DIRECT, search, n=k, distinct=False)
                unique = self.model.decoder.lists(part, DIRECT, search, n=k)
                every += sum(len(one.derivations) for one in found)
                strings += sum(len({tuple(d.words) for d in one.derivations}) for one in found)
                asked += len(unique.words)
            rows.append(
                {
                    "k": k,
                    "derivations": every,
                    "their strings": strings,
                    "share, %": 100 * strings / max(every, 1),
                    "k best strings": asked,
                }
            )
        return Table("Section 5.2: strings among the k best derivations", rows, {"share, %": 1})

    def rules_table(self) -> Table:
        """Rules by rank and by height."""
        decoder = self.model.decoder
        counted = Counter(
            (min(one.rank, 5), min(one.height, 5))
            for one in rules_of(decoder.table, decoder.symbols, decoder.target)
        )
        heights = range(1, 6)
        rows: list[dict[str, Cell]] = [
            {"rank": f"{rank}" if rank < 5 else "5 or more",
             **{f"height {h}" if h < 5 else "height 5 or more": counted[rank, h] for h in heights}}
            for rank in range(6)
        ]  # fmt: skip
        return Table("rules by rank and height", rows)

    def search_tables(self) -> list[Table]:
        """BLEU and CPU time by k, pops, and parses, with weights tuned on dev."""
        decoder, plan = self.model.decoder, self.plan
        made = []
        if plan.rescored:
            lists = k_best(decoder, self.dev.parses, max(plan.rescored))
            rows = []
            for k in plan.rescored:
                model = tuned(lists.first(k), self.dev.references, self.metric)
                begin = time.process_time()
                found = k_best(decoder, self.test.parses, k)
                words = [found.words[i] for i in found.best(model.beta, model.penalty)]
                rows.append(self._row("k", k, words, begin))
            made.append(Table("rescoring by k", rows, _DECIMALS))
        weights = feature_set("tree").raw_weights(self.model.weights)
        cubes = [
            ("pops", [(n, TreeSearch(pops=n)) for n in plan.pops_tried]),
            ("parses", [(n, replace(plan.tree_search, parses=n)) for n in plan.parses_tried]),
        ]
        for key, searches in cubes:
            rows = []
            for n, search in searches:
                begin = time.process_time()
                words = decoder.lists(self.test.parses, weights, search).words
                rows.append(self._row(key, n, words, begin))
            if rows:
                made.append(Table(f"cube pruning by {key}", rows, _DECIMALS))
        return made

    def _row(self, key: str, n: int, words: list[list[str]], begin: float) -> dict[str, Cell]:
        seconds = time.process_time() - begin
        return {key: n, "BLEU": self._bleu(words, self.test), "CPU s": seconds,
                "sentences per CPU s": len(words) / seconds}  # fmt: skip


_DECIMALS = {"BLEU": 2, "CPU s": 2, "sentences per CPU s": 1}
