"""Sentences with the chunks, or names, that a model has found in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from runoff.data.characters import standing_together
from runoff.data.flat_tree import Span
from runoff.data.schemes import OUTSIDE, decode, phrases
from runoff.data.sentence import Sentence


@dataclass(frozen=True)
class FoundChunk:
    """A chunk, or a name, of a sentence.

    Parameters
    ----------
    type : what it is, such as NP or PER; empty where a model tells no types apart.
    span : which words of the sentence it has.
    words : those words.
    place : where they stand in the text, in characters, if the sentence came from one.
    """

    type: str
    span: Span
    words: tuple[str, ...]
    place: Span | None = None

    def __str__(self) -> str:
        return f"[{' '.join(filter(None, (self.type, *self.words)))}]"


@dataclass(frozen=True)
class ChunkedSentence:
    """A sentence and the chunks, or names, that were found in it.

    Parameters
    ----------
    sentence : its words, with parts of speech where they were given.
    tags : the tagging that won, in IOB2.

    Examples
    --------
    >>> found = ChunkedSentence(Sentence(("Ann", "Lee", "won")), ("B-PER", "I-PER", "O"))
    >>> print(found, found.chunks[0].type, found.chunks[0].words)
    [PER Ann Lee] won PER ('Ann', 'Lee')
    """

    sentence: Sentence
    tags: tuple[str, ...]

    @cached_property
    def chunks(self) -> list[FoundChunk]:
        """The chunks, from left to right."""
        words, place = self.sentence.words, self.sentence.place
        return [
            FoundChunk(kind, span, words[span.start : span.end], place(span))
            for kind, span in decode(self.tags)
        ]

    def __len__(self) -> int:
        return len(self.chunks)

    def __iter__(self) -> Iterator[FoundChunk]:
        return iter(self.chunks)

    def __str__(self) -> str:
        return bracketed(self.sentence.words, self.tags)


def bracketed(words: Sequence[str], tags: Sequence[str]) -> str:
    """The words with brackets around chunks; characters of Chinese stand together.

    Examples
    --------
    >>> bracketed(["a", "vote", "was"], ["B-NP", "I-NP", "B-VP"])
    '[NP a vote] [VP was]'
    >>> bracketed("他在北京", ["O", "O", "B-LOC", "I-LOC"])
    '他在 [LOC 北京]'
    """
    parts = []
    for kind, (start, end) in phrases(tags):
        text = " ".join(words[start:end])
        parts.append(text if kind == OUTSIDE else f"[{kind} {text}]" if kind else f"[{text}]")
    text = " ".join(parts)
    return standing_together(text) if all(len(word) == 1 for word in words) else text
