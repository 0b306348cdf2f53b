"""Training translators by trees: parses, links, rules, a language model, weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from runoff.data.bitext import Link, SentencePair, links_text, read_links
from runoff.data.files import write_pieces
from runoff.data.numbering import Numbering, offsets_of
from runoff.data.treebank.rules import Rule, read_rules
from runoff.errors import FormatError
from runoff.pipeline.work_folder import files_key, hash_of
from runoff.proposers.translation.alignment import Side, aligned
from runoff.proposers.translation.features import feature_set
from runoff.proposers.translation.trees.decoder import TreeDecoder
from runoff.proposers.translation.trees.extraction import extract
from runoff.proposers.translation.trees.rules import RuleTable
from runoff.proposers.translation.trees.source import (
    new_symbols,
    source_trees,
)
from runoff.store.arrays import prefixed, without_prefix
from runoff.store.file import load, save
from runoff.store.strings import StringTable, pack_words, take_words
from runoff.tasks.translation.train import LONGEST_SENTENCE, Texts, Training, check_target
from runoff.tasks.translation.trees.model import TreeTranslationModel
from runoff.tasks.translation.trees.parsing import (
    NOTHING,
    Parses,
    SourceParser,
    parses_of,
    read_parses,
)
from runoff.tasks.translation.tuning import Round, best_round, normalised, tune
from runoff.tasks.translation.wording import Wording

RULES = "rules from trees"
"""What a file of the work folder says that it is."""


@dataclass(frozen=True)
class RulePart:
    """What is learned from parsed and aligned text: symbols, words, rules, and counts of pairs."""

    symbols: StringTable
    target: StringTable
    table: RuleTable
    without: int


@dataclass(frozen=True)
class TreeTraining(Training):
    """The steps of a training."""

    def run(self) -> TreeTranslationModel:
        """The translator; every step is kept."""
        plan = self.plan
        added = [] if plan.rules is None else list(read_rules(plan.rules))
        wording = Wording.of(self.texts.target, tokenized=plan.tokenized, cased=plan.cased)
        trees, key = self._parsed(self.texts, plan.trees)
        targets = [wording.words(one) for one in self.texts.target]
        pairs = self._tree_pairs(trees, targets)
        if not any(pair.source and pair.target for pair in pairs):
            raise FormatError("there are no sentence pairs to learn from")
        links, links_key = self._tree_links(pairs, key)
        part = self._rules(trees, pairs, links, links_key, added)
        lm = self._lm([pair for pair in pairs if pair.source and pair.target])
        decoder = TreeDecoder(part.symbols, part.target, part.table, lm, plan.cased)
        features = feature_set(plan.feature_name)
        rounds: list[Round] = []
        weights = normalised(np.array(features.start))
        if self.dev is not None:
            rounds = tune(
                decoder,
                features,
                plan.tree_search,
                self._dev_parses(wording, self.dev),
                plan.tuning,
                work=self.work,
                key=(links_key, self._rules_key, self._lm_key, self.dev.key, *self._dev_key),
                engine=self.engine,
            )
            weights = best_round(rounds).weights.copy()
            if plan.parses == 1:  # lists of one parse say nothing of its probability
                parse = np.array([name == "parse" for name in features.names])
                weights[parse] = normalised(np.array(features.start))[parse]
        header = self._tree_header(part, pairs, rounds, lm)
        return TreeTranslationModel(
            decoder, plan.feature_name, weights, plan.tree_search, wording, header,
            parser=self._parser, raw_source=self._raw,
        )  # fmt: skip

    @property
    def _raw(self) -> bool:
        return self.plan.raw_source or not self.plan.tokenized

    @cached_property
    def _parser(self) -> SourceParser:
        return SourceParser(self.plan.parser, binarise=self.plan.binarise)

    def _parsed(self, texts: Texts, given: str | None) -> tuple[list[str], str]:
        """The parses of the source, and a key of what they depend on."""
        if given is not None:
            parses = read_parses(given, texts.source, self._parser)
            key = hash_of([files_key([given]), repr(self.plan.binarise)])
            return [one.tree for (one,) in parses], key
        parses, key = self._parses(texts, 1)
        return [one.tree for one, *_ in parses], key

    def _parses(self, texts: Texts, k: int) -> tuple[list[Parses], str]:
        return parses_of(
            texts.source, self._parser, raw=self._raw, longest=LONGEST_SENTENCE, k=k,
            work=self.work, engine=self.engine,
        )  # fmt: skip

    def _tree_pairs(self, trees: Sequence[str], targets: Sequence[list[str]]) -> list[SentencePair]:
        """The pairs as words; those with nothing to learn from are empty."""
        for line, words in enumerate(targets, 1):
            check_target(words, line)
        read = source_trees(trees, new_symbols(Numbering([""])), cased=self.plan.cased)
        return [
            SentencePair(one, other)
            if 0 < len(one) <= LONGEST_SENTENCE and 0 < len(other) <= LONGEST_SENTENCE
            else SentencePair([], [])
            for one, other in zip(read.words, targets, strict=True)
        ]

    def _tree_links(self, pairs: list[SentencePair], key: str) -> tuple[list[list[Link]], str]:
        plan = self.plan
        if plan.links is not None:
            found = [sorted(own.sure) for own in read_links(plan.links, pairs)]
            return found, hash_of([key, files_key([plan.links])])
        made = self.work.step(
            "links", ".txt.gz", key, self.texts.key, plan.tokenized, plan.cased, plan.aligner,
            plan.symmetrise,
        )  # fmt: skip
        if not made.done:
            self.engine.tell("links", 0)
            links = aligned(pairs, plan.aligner, plan.symmetrise, engine=self.engine)
            write_pieces((f"{links_text(own)}\n".encode() for own in links), made.path)
        self.engine.tell("links")
        return [sorted(own.sure) for own in read_links(made.path, pairs)], made.key

    @property
    def _dev_key(self) -> list[str]:
        trees = self.plan.dev_trees
        return [self.plan.parser] if trees is None else [files_key([trees])]

    @property
    def _rules_key(self) -> tuple[object, ...]:
        plan = self.plan
        rules = None if plan.rules is None else files_key([plan.rules])
        return repr(plan.extraction), plan.per_source, rules

    def _rules(
        self,
        trees: Sequence[str],
        pairs: Sequence[SentencePair],
        links: Sequence[list[Link]],
        key: str,
        added: Sequence[Rule],
    ) -> RulePart:
        made = self.work.step("rules", ".runoff", key, *self._rules_key)
        if not made.done:
            self.engine.tell("rules", 0)
            kept = [i for i, pair in enumerate(pairs) if pair.source and pair.target]
            symbols, words = Numbering([""]), Numbering([""])
            source = source_trees(
                [trees[i] for i in kept], new_symbols(symbols), cased=self.plan.cased
            )
            parts = [words.numbers(pairs[i].target) for i in kept]
            target = Side(np.concatenate(parts), offsets_of([len(one) for one in parts]), 0)
            found = extract(
                source, target, [links[i] for i in kept], self.plan.extraction, added=added,
                numberings=(symbols, words), engine=self.engine,
            )  # fmt: skip
            arrays = {
                **found.table.limited(self.plan.per_source).arrays(),
                **prefixed("symbols.", pack_words(StringTable.of(symbols))),
                **prefixed("words.", pack_words(StringTable.of(words))),
            }
            save(made.path, RULES, {"without": int((found.per_pair == 0).sum())}, arrays)
        self.engine.tell("rules")
        _, header, arrays = load(made.path, kind=RULES, map=False)
        return RulePart(
            take_words(without_prefix("symbols.", arrays)),
            take_words(without_prefix("words.", arrays)),
            RuleTable.restored(arrays),
            int(header["without"]),
        )

    def _dev_parses(self, wording: Wording, dev: Texts) -> tuple[list[Parses], list[list[str]]]:
        targets = [wording.words(one) for one in dev.target]
        if self.plan.dev_trees is not None:
            parses = read_parses(self.plan.dev_trees, dev.source, self._parser)
        else:
            parses, _ = self._parses(dev, self.plan.parses)
        pairs = [
            (own, target)
            for own, target in zip(parses, targets, strict=True)
            if target and own[0] != NOTHING
        ]
        if not pairs:
            raise FormatError("there are no sentence pairs to tune on")
        return [one for one, _ in pairs], [other for _, other in pairs]

    def _tree_header(
        self, part: RulePart, pairs: Sequence[SentencePair], rounds: list[Round], lm: Any
    ) -> dict[str, Any]:
        words = [sum(map(len, side)) for side in zip(*pairs, strict=True)]
        used = sum(bool(pair.source and pair.target) for pair in pairs)
        return self._described(
            {
                "sentence pairs": used,
                "pairs without rules": part.without,
                "source words": words[0],
                "target words": words[1],
                "labels and source vocabulary": len(part.symbols) - 1,
                "target vocabulary": len(part.target) - 1,
                "rules": len(part.table),
                "n-grams": sum(len(one.probabilities) for one in lm.orders),
            },
            rounds,
        )
