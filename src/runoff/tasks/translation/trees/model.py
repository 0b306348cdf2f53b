"""Translators by trees in use: a parser, rules, a language model, and their weights."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from runoff.data.nbest import Candidate, NBest
from runoff.data.sentence import AnySentence
from runoff.data.tree import Tree
from runoff.engine import ALONE, AnyEngine, Engine, chunked
from runoff.errors import check_at_least
from runoff.proposers.translation.decoder import Derivation, Floats, Found
from runoff.proposers.translation.trees.decoder import DIRECT, TreeDecoder, TreeSearch
from runoff.proposers.translation.trees.rules import RuleTable
from runoff.proposers.translation.trees.source import Parse
from runoff.store.arrays import prefixed, without_prefix
from runoff.store.file import Arrays
from runoff.store.strings import pack_words, take_words
from runoff.tasks.translation.model import (
    SENTENCES_PER_CHUNK,
    Header,
    TranslationModel,
    restored_parts,
)
from runoff.tasks.translation.trees.parsing import NOTHING, Parses, SourceParser

AnyInput = str | AnySentence | Tree


@dataclass
class TreeTranslationModel(TranslationModel):
    """A translator that parses a sentence and rewrites its tree, rule by rule.

    Huang, Knight & Joshi (2006).

    Parameters
    ----------
    parser : parses the source.
    raw_source : whether the source is raw text, whatever the target is.
    """

    decoder: TreeDecoder  # type: ignore[assignment]
    search: TreeSearch  # type: ignore[assignment]
    parser: SourceParser = field(default_factory=lambda: SourceParser("english"))
    raw_source: bool = True

    def cut(self, line: str) -> list[str]:
        """The words of a line of the source, as the parser has them."""
        return self.parser.words(line) if self.raw_source else line.split()

    def parses(
        self, inputs: Sequence[AnyInput], threads: int = 1, k: int | None = None
    ) -> list[Parses]:
        """The parses of sentences; a tree is its own."""
        made = [
            self.parser.taken([Parse(str(one))]) if isinstance(one, Tree) else [] for one in inputs
        ]
        open_places = [i for i, one in enumerate(inputs) if not isinstance(one, Tree)]
        words = [self.source_words(inputs[i]) for i in open_places]  # type: ignore[arg-type]
        engine = Engine.of(threads if threads > 1 else ALONE)
        found = self.parser.parses(words, k or self.search.parses, engine)
        for i, own, sentence in zip(open_places, found, words, strict=True):
            made[i] = self.parser.taken(own) if sentence else [NOTHING]
        return made

    def prepared(self, sentences: Sequence[Any], threads: int = 1) -> Sequence[Parses]:
        """The parses of sentences."""
        return self.parses(sentences, threads)

    def found(
        self,
        sentences: Sequence[Any],
        n: int = 1,
        *,
        targets: Sequence[Sequence[str]] | None = None,
        threads: int = 1,
    ) -> list[Found]:
        """The n best translations of parses, or of words, rule by rule."""
        done = all(isinstance(one, list) and one and isinstance(one[0], Parse) for one in sentences)
        parses = sentences if done else self.parses(sentences, threads)
        return self.decoder.translate(parses, self.raw_weights, self.search, n=n, threads=threads)

    @property
    def raw_weights(self) -> Floats:
        """The weights of raw features; what a step without a rule costs is not tuned."""
        if self.search.search == "direct":
            return DIRECT
        return self.feature_set.raw_weights(self.weights)

    def lists(
        self, inputs: Iterable[AnyInput], n: int = 1, *, engine: AnyEngine = ALONE
    ) -> Iterator[NBest]:
        """The n best translations of sentences, as n-best lists, as a stream.

        A sentence is a text of one line, words, or a tree. Candidates have named features whose
        weighted sum is `logprob`; `extra` has their words, and the derivation: for each rule its
        text, the words of source and target that are below it, and its features.
        """
        check_at_least(1, n=n)
        workers = Engine.of(engine)
        number = 0
        for chunk in chunked(inputs, SENTENCES_PER_CHUNK * workers.threads):
            parses = self.parses(chunk, workers.threads)
            found = self.found(parses, n, threads=workers.threads)
            trees = self.decoder.trees([own[:1] for own in parses])
            for words, own in zip(trees.words, found, strict=True):
                candidates = [self.candidate(one) for one in own.derivations]
                yield NBest(number, " ".join(words), candidates)
                number += 1

    def candidate(self, found: Derivation) -> Candidate:
        """A translation as a candidate of a list."""
        names = self.feature_set.names
        derivation = [
            {
                "rule": self.rule_text(step.block),
                "source": [step.source.start, step.source.stop - 1],
                "target": [step.target.start, step.target.stop - 1],
                "features": _present(names, self.feature_set.values(step.features)),
            }
            for step in found.steps
        ]
        values = self.feature_set.values(found.features).tolist()
        return Candidate(
            self.wording.text(found.words),
            -found.cost,
            features=dict(zip(names, values, strict=True)),
            extra={"words": list(found.words), "parse": found.parse, "derivation": derivation},
        )

    def rule_text(self, rule: int) -> str:
        """A rule as text; a node that no rule fits keeps the order of its children."""
        if rule < 0:
            return "kept"
        found = self.decoder.table.rule(rule, self.decoder.symbols, self.decoder.target)
        return f"{found.tree_text} -> {found.target_text}".rstrip()

    def derivations(self, tree: Tree | str, n: int = 1) -> list[Derivation]:
        """The n best derivations of a tree, rule by rule, each string once."""
        given = tree if isinstance(tree, Tree) else Tree.parse(tree)
        return self.found(self.parses([given]), n)[0].derivations

    def stored(self) -> tuple[dict[str, Any], Arrays]:
        """Header and arrays, for a model file."""
        header, arrays = self._stored_parts()
        parser, parser_arrays = self.parser.stored()
        own = {
            "system": "tree",
            "raw_source": self.raw_source,
            "parser": parser,
            "binarise": self.parser.binarise,
        }
        return {**header, **own}, {
            **arrays,
            **prefixed("symbols.", pack_words(self.decoder.symbols)),
            **prefixed("rules.", self.decoder.table.arrays()),
            **parser_arrays,
        }

    @classmethod
    def restored(cls, header: dict[str, Any], arrays: Arrays) -> TreeTranslationModel:
        """The model of a header and arrays."""
        found = msgspec.convert(header, _TreeHeader)
        parts = restored_parts(found, header, arrays)
        decoder = TreeDecoder(
            take_words(without_prefix("symbols.", arrays)),
            parts.target,
            RuleTable.restored(without_prefix("rules.", arrays)),
            parts.lm,
            found.cased,
        )
        search = msgspec.convert(found.search, TreeSearch)
        search.check()
        parser_arrays = without_prefix("parser.", arrays)
        parser = SourceParser.restored(found.parser, parser_arrays, binarise=found.binarise)
        return cls(decoder, found.features, parts.weights, search, parts.wording, parts.training,
                   parser=parser, raw_source=found.raw_source)  # fmt: skip


class _TreeHeader(Header):
    system: str
    raw_source: bool
    parser: Any
    binarise: bool = False


def _present(names: Sequence[str], values: Floats) -> dict[str, float]:
    return {name: value for name, value in zip(names, values.tolist(), strict=True) if value}
