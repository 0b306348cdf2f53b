"""Parsing: a tagger, a base parser and a reranker in one model, and putting it to work."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, overload

import msgspec

from runoff.data.files import FilePath
from runoff.data.nbest import Candidate, NBest
from runoff.data.text.read import sentence_words
from runoff.data.text.sentences import split_sentences
from runoff.data.tree import Tree
from runoff.errors import UsageError
from runoff.pipeline.model import RankedLists
from runoff.proposers.parsing.head_parser import HeadParser
from runoff.proposers.parsing.latent_grammars import LatentGrammars
from runoff.proposers.parsing.long_sentences import Words
from runoff.store.file import checking, load, prefixed, save, without_prefix
from runoff.tasks.ranking.reranker import Reranker
from runoff.tasks.tagging.model import TaggingModel

KIND = "parser"

PARTS = ("tagger", "parser", "grammars", "ranker")
"""Of a model, and what the names of its arrays begin with."""

TAG_RATIO = 0.01
"""Tags that the parser may choose from, against the likeliest tag of a word."""

_NOT_IN_TREES = re.compile(r"[ \t\n\r\v\f\ud800-\udfff]")


@dataclass
class ParsingModel(RankedLists[Words | Sequence[str]]):
    """Parses text.

    Parameters
    ----------
    tagger : gives the parser the tags to choose from.
    parser : proposes trees.
    ranker : picks one of them; without one, the parser's favourite is taken.
    training : how it was trained and on what; becomes the header of its file.
    n : how many trees the ranker has to choose from.
    grammars : that choose these among more, and whose opinion of a tree becomes a feature of it.
    proposed : how many trees the grammars have to choose from.

    Examples
    --------
    >>> from runoff.data.tagged import TaggedSentence
    >>> from runoff.proposers.parsing.head_parser import CollinsParser
    >>> from runoff.tasks.tagging.model import train_tagger
    >>> trees = [Tree.parse("(TOP (S (NP (PRP we)) (VP (VBP vote))))")]
    >>> tagged = [TaggedSentence((("we", "vote"), ("PRP", "VBP")))]
    >>> tagger = train_tagger(tagged, options={"prior": (10.0,), "min_count": 1})
    >>> model = ParsingModel(tagger, CollinsParser(min_count=1).fit(trees), None, {})
    >>> print(model.parse(["we", "vote"]))
    (TOP (S (NP (PRP we)) (VP (VBP vote))))
    """

    tagger: TaggingModel
    parser: HeadParser
    ranker: Reranker | None
    training: dict[str, Any]
    n: int = 50
    grammars: LatentGrammars | None = None
    proposed: int = 500

    @overload
    def parse(self, text: str) -> list[Tree]: ...  # type: ignore[overload-overlap]

    @overload
    def parse(self, text: Sequence[str]) -> Tree: ...

    def parse(self, text: str | Sequence[str]) -> list[Tree] | Tree:
        """The trees of the sentences of a text, or the one tree of a sentence given as words."""
        if isinstance(text, str):
            sentences = (sentence_words(piece.text) for piece in split_sentences(text))
            return [Tree.parse(nbest.candidates[0].output) for nbest in self.lists(sentences)]
        (nbest,) = self.lists([text])
        return Tree.parse(nbest.candidates[0].output)

    def propose(
        self, sentences: Sequence[Words | Sequence[str]], n: int, threads: int = 1
    ) -> list[NBest]:
        """The parser's trees, or those that grammars chose, before a ranker sees them.

        Sentences are words, or `Words` where their tags are given.
        """
        return self._judged([_cleaned(one) for one in sentences], n, threads)

    def _propose(self, sentences: list[Words], n: int, threads: int) -> list[NBest]:
        bare = [one.words for one in sentences if one.choices is None]
        choices = iter(self.tagger.tagger.choices_all(bare, TAG_RATIO, threads=threads))
        given = [
            one if one.choices is not None else Words(one.words, next(choices)) for one in sentences
        ]
        found = iter(self.parser.propose_all([o for o in given if o.words], n, threads=threads))
        nothing = [Candidate("(TOP)", 0.0)]
        return [
            NBest(None, list(one.words), next(found) if one.words else nothing) for one in given
        ]

    def _judged(self, sentences: list[Words], n: int, threads: int) -> list[NBest]:
        if self.grammars is None:
            return self._propose(sentences, n, threads)
        found = self._propose(sentences, max(n, self.proposed), threads)
        return self.grammars.judged(found, n, threads=threads)

    def save(self, path: FilePath) -> None:
        """Write the model file."""
        tagger, tagger_arrays = self.tagger.stored()
        ranker, ranker_arrays = (None, {}) if self.ranker is None else self.ranker.stored()
        grammars, grammar_arrays = (None, {}) if self.grammars is None else self.grammars.stored()
        parser, parser_arrays = self.parser.stored()
        header = {
            **self.training,
            "n": self.n,
            "proposed": self.proposed,
            "tagger": tagger,
            "parser": parser,
            "grammars": grammars,
            "ranker": ranker,
        }
        arrays = (
            prefixed("tagger.", tagger_arrays)
            | prefixed("parser.", parser_arrays)
            | prefixed("grammars.", grammar_arrays)
            | prefixed("ranker.", ranker_arrays)
        )
        save(path, KIND, header, arrays)

    @classmethod
    def load(cls, path: FilePath) -> ParsingModel:
        """Read a model file; nothing in it is run."""
        _, header, arrays = load(path, kind=KIND)
        with checking(path):
            checked = msgspec.convert(header, _Header)
            return cls(
                TaggingModel.restored(checked.tagger, without_prefix("tagger.", arrays)),
                HeadParser.restored(checked.parser, without_prefix("parser.", arrays)),
                None
                if checked.ranker is None
                else Reranker.restored(checked.ranker, without_prefix("ranker.", arrays)),
                {key: header[key] for key in header if key not in _Header.__struct_fields__},
                checked.n,
                None
                if checked.grammars is None
                else LatentGrammars.restored(checked.grammars, without_prefix("grammars.", arrays)),
                checked.proposed,
            )


ListSize = Annotated[int, msgspec.Meta(ge=1, le=10_000)]


class _Header(msgspec.Struct):
    n: ListSize
    proposed: ListSize
    tagger: dict[str, Any]
    parser: dict[str, Any]
    ranker: dict[str, Any] | None
    grammars: dict[str, Any] | None = None


def _cleaned(sentence: Words | Sequence[str]) -> Words:
    """The sentence as a tree can hold it: brackets as themselves, no white space inside words."""
    words, choices = sentence if isinstance(sentence, Words) else (sentence, None)
    if isinstance(words, str) or not all(words):
        raise UsageError("a sentence is a list of words, none of which is empty")
    if choices is not None and len(choices) != len(words):
        raise UsageError(f"{len(words)} words have tags for {len(choices)}")
    return Words([_cleaned_word(word) for word in words], choices)


def _cleaned_word(word: str) -> str:
    plain = word.replace("-LRB-", "(").replace("-RRB-", ")")
    return _NOT_IN_TREES.sub("\N{REPLACEMENT CHARACTER}", plain)
