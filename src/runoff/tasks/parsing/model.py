"""Parsing: a tagger, a base parser and a reranker in one model, and putting it to work."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, overload

import msgspec

from runoff.data.nbest import Candidate, NBest
from runoff.data.text.read import sentence_words
from runoff.data.text.sentences import split_sentences
from runoff.data.tree import Tree
from runoff.errors import UsageError
from runoff.pipeline.model import Parts, RerankedSystem
from runoff.proposers.parsing import restored_parser
from runoff.proposers.parsing.base import Parser
from runoff.proposers.parsing.latent_grammars import LatentGrammars
from runoff.proposers.parsing.long_sentences import Words
from runoff.tasks.ranking.reranker import Reranker
from runoff.tasks.tagging.model import TaggingModel

TAG_RATIO = 0.01
"""Tags that the parser may choose from, against the likeliest tag of a word."""

_NOT_IN_TREES = re.compile(r"[ \t\n\r\v\f\ud800-\udfff]")


ListSize = Annotated[int, msgspec.Meta(ge=1, le=10_000)]


class _Header(msgspec.Struct, kw_only=True):
    n: ListSize
    proposed: ListSize
    tagger: dict[str, Any]
    parser: dict[str, Any]
    grammars: dict[str, Any] | None = None
    ranker: dict[str, Any] | None


@dataclass
class ParsingModel(RerankedSystem[Words | Sequence[str]]):
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
    >>> from runoff.tasks.tagging.train import train_tagger
    >>> trees = [Tree.parse("(TOP (S (NP (PRP we)) (VP (VBP vote))))")]
    >>> tagged = [TaggedSentence((("we", "vote"), ("PRP", "VBP")))]
    >>> tagger = train_tagger(tagged, options={"prior": (10.0,), "min_count": 1})
    >>> model = ParsingModel(tagger, CollinsParser(min_count=1).fit(trees), None, {})
    >>> print(model.parse(["we", "vote"]))
    (TOP (S (NP (PRP we)) (VP (VBP vote))))
    """

    kind: ClassVar[str] = "parser"
    parts: ClassVar[Parts] = {
        "tagger": TaggingModel.restored,
        "parser": restored_parser,
        "grammars": LatentGrammars.restored,
        "ranker": Reranker.restored,
    }
    header: ClassVar[type[msgspec.Struct]] = _Header

    tagger: TaggingModel
    parser: Parser
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
