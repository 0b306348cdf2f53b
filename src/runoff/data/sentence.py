"""Sentences and documents: what every task reads, learns from and puts to work."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias

import msgspec

from runoff.data.flat_tree import Span
from runoff.errors import UsageError

_BLANK = re.compile(r"[ \t\n\r\v\f]")


class Sentence(msgspec.Struct, frozen=True, omit_defaults=True):
    """The words of a sentence, and what is known of each.

    Parameters
    ----------
    words : its words, punctuation marks among them.
    tags : parts of speech that came with the words; models use them as given.
    gold : labels to learn from, or to be judged by: parts of speech, chunk tags or name tags.
    starts : where each word begins in the text that the sentence was found in, in characters.
    document : id of the document that the sentence is part of.

    Examples
    --------
    >>> sentence = Sentence(("A", "vote"), ("DT", "NN"), gold=("B-NP", "I-NP"))
    >>> print(sentence, len(sentence))
    A/DT vote/NN 2
    """

    words: tuple[str, ...]
    tags: tuple[str, ...] | None = None
    gold: tuple[str, ...] | None = None
    starts: tuple[int, ...] | None = None
    document: str | None = None

    def __post_init__(self) -> None:
        for what in ("tags", "gold", "starts"):
            column = getattr(self, what)
            if column is not None and len(column) != len(self.words):
                raise UsageError(f"a sentence of {len(self.words)} words has {len(column)} {what}")

    def __len__(self) -> int:
        return len(self.words)

    def __str__(self) -> str:
        return " ".join(self.words if self.tags is None else map("/".join, self.pairs))

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Every word with its tag, which must be there."""
        if self.tags is None:
            raise UsageError("the words of the sentence have no tags")
        return list(zip(self.words, self.tags, strict=True))

    @property
    def labels(self) -> tuple[str, ...]:
        """Gold, which must be there."""
        if self.gold is None:
            raise UsageError("the words of the sentence have no gold labels")
        return self.gold

    def place(self, words: Span) -> Span | None:
        """The offsets of some of the words in the text, if the sentence was found in one.

        Examples
        --------
        >>> Sentence(("A", "vote", "."), starts=(10, 12, 16)).place(Span(1, 3))
        Span(start=12, end=17)
        """
        if self.starts is None or words.start >= words.end:
            return None
        last = words.end - 1
        return Span(self.starts[words.start], self.starts[last] + len(self.words[last]))

    @classmethod
    def of(cls, given: AnySentence) -> Sentence:
        """A sentence as it is, or made of words, or of pairs of word and tag.

        Raises
        ------
        UsageError : a text, which has to be cut into words first; an empty word; a word with blanks
            in it, which is probably a text.

        Examples
        --------
        >>> Sentence.of(["we", "vote"]).words, Sentence.of([("we", "PRP")]).tags
        (('we', 'vote'), ('PRP',))
        """
        if isinstance(given, Sentence):
            return given
        if isinstance(given, str):
            raise UsageError("a sentence is a list of words, not a text")
        words = [one if isinstance(one, str) else one[0] for one in given]
        if not all(words):
            raise UsageError("a sentence is a list of words, none of which is empty")
        if any(map(_BLANK.search, words)):
            odd = next(filter(_BLANK.search, words))
            raise UsageError(
                f"{odd[:60]!r} is given as one word of a sentence, but has blanks in it",
                hint="give a text by itself, or several of them to `pipe`",
            )
        tags = [one[1] for one in given if not isinstance(one, str)]
        if tags and len(tags) < len(words):
            raise UsageError("either all words of a sentence have a tag, or none")
        return cls(tuple(words), tuple(tags) if tags else None)


AnySentence: TypeAlias = Sentence | Sequence[str] | Sequence[tuple[str, str]]
"""What a model takes for a sentence: one, or its words, or pairs of word and tag."""


class Document(msgspec.Struct, frozen=True, omit_defaults=True):
    """Sentences that belong together, in their order.

    Parameters
    ----------
    id : its name; None for sentences outside all documents of a file.
    note : what a file says of it besides, such as its genre.

    Examples
    --------
    >>> news = Document("d1", (Sentence(("A", "vote")), Sentence(("She", "won"))), "news")
    >>> len(news), [str(sentence) for sentence in news]
    (2, ['A vote', 'She won'])
    """

    id: str | None
    sentences: tuple[Sentence, ...]
    note: str = ""

    def __len__(self) -> int:
        return len(self.sentences)

    def __iter__(self) -> Iterator[Sentence]:
        return iter(self.sentences)
