"""Words: a tree that predicts a word from its neighbours, learned from plain text.

Van den Bosch (2006): every token of a text is a class, the tokens around it are its features.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, NamedTuple

import msgspec
import numpy as np

from runoff.data.nbest import Candidate, NBest
from runoff.data.numbering import Numbers
from runoff.data.sentence import AnySentence, Sentence
from runoff.data.text.words import words_of
from runoff.engine import ALONE, AnyEngine, Engine
from runoff.engine.reference import Reference
from runoff.errors import FormatError, ModelError
from runoff.learners.igtree.tree import IGTree, Windows
from runoff.pipeline.model import TextModel
from runoff.store.arrays import prefixed, without_prefix
from runoff.store.file import Arrays
from runoff.store.model import SavedModel
from runoff.store.strings import StringTable, pack_words, take_words

BLANK = "___"
"""What stands for the word that is asked for."""

DISCOUNTS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
"""What development text chooses from."""

PLACES_PER_PIECE = 1 << 10
PIECES_PER_CHUNK = 16
SHOWN = 7  # words on either side that the input of a list has, where the model looks at fewer


class Asked(NamedTuple):
    """Words, and at which places of them a word is asked for."""

    words: Sequence[str]
    places: Sequence[int]


def blanks_of(given: str | AnySentence) -> Asked:
    """The blanks of a text, or of words: two or more underscores.

    Examples
    --------
    >>> blanks_of("We ____ them.")
    Asked(words=['We', '___', 'them', '.'], places=[1])
    """
    found = words_of(given) if isinstance(given, str) else Sentence.of(given).words
    words = [BLANK if len(word) > 1 and not word.strip("_") else word for word in found]
    return Asked(words, [place for place, word in enumerate(words) if word == BLANK])


@dataclass
class WordModel(SavedModel, TextModel[list[NBest]]):
    """A tree over the words around a word, with its vocabulary.

    Parameters
    ----------
    left, right : how many words on either side the tree looks at.
    discount : what probabilities lose to shorter contexts; see `IGTree.n_best`.
    training : on what it was trained and how well it did; becomes the header of its file.
    """

    kind = "words"

    tree: IGTree
    vocabulary: StringTable
    left: int
    right: int
    discount: float
    training: dict[str, Any]

    def stored(self) -> tuple[dict[str, Any], Arrays]:
        """Header and arrays, for a model file."""
        parameters = _Parameters(
            self.left, self.right, self.discount, self.tree.top, self.tree.prune
        )
        header = {"parameters": msgspec.to_builtins(parameters), **self.training}
        arrays = prefixed("tree.", self.tree.arrays()) | pack_words(self.vocabulary)
        return header, arrays

    @classmethod
    def restored(cls, header: dict[str, Any], arrays: Arrays) -> WordModel:
        """The model of a header and arrays."""
        found = msgspec.convert(header, _Header).parameters
        tree = IGTree(top=found.top, prune=found.prune).restore(without_prefix("tree.", arrays))
        if len(tree.order_) != found.left + found.right:
            raise ModelError("the tree does not look at as many words as the header says")
        training = {key: value for key, value in header.items() if key != "parameters"}
        vocabulary = take_words(arrays)
        return cls(tree, vocabulary, found.left, found.right, found.discount, training)

    def windows(self, words: Sequence[str]) -> Windows:
        """A window for each of the words."""
        return Windows.of_text([self.vocabulary.numbers(words)], self.left, self.right)

    def predict(self, text: str | AnySentence, n: int = 5) -> list[NBest]:
        """The n most probable words for each blank of a text, or of words; a blank is `___`."""
        return list(self.lists([text], n))

    def results(
        self, texts: Sequence[str], engine: Engine = ALONE, *, first: int | None = None
    ) -> list[list[NBest]]:
        """The results of `predict` for some texts."""
        return [self.predict(text) for text in texts]

    def predict_each(self, words: Sequence[str], *, threads: int = 1) -> list[str]:
        """For each of the words the one that its neighbours predict, as the paper does."""
        found = self.tree.predict(self.windows(words), threads=threads)
        numbers, places = np.unique(found, return_inverse=True)
        names = [self.vocabulary[number] for number in numbers.tolist()]
        return [names[place] for place in places.tolist()]

    def judge(self, words: Sequence[str], *, threads: int = 1) -> None:
        """Choose the discount by a text, and note in `training` how many words are predicted."""
        if not words:
            raise FormatError("there are no words to choose by")
        numbers, windows = self.vocabulary.numbers(words), self.windows(words)

        def blended(discount: float) -> float:
            offsets, classes, _ = self.tree.n_best(windows, 1, discount=discount, threads=threads)
            return float((classes[offsets[:-1]] == numbers).mean())

        self.discount = max(DISCOUNTS, key=blended)
        self.training["dev"] = {
            "words": len(words),
            "accuracy": float((self.tree.predict(windows, threads=threads) == numbers).mean()),
            "accuracy of lists": blended(self.discount),
        }

    def lists(
        self, inputs: Iterable[Asked | str | AnySentence], n: int = 5, *, engine: AnyEngine = ALONE
    ) -> Iterator[NBest]:
        """The n most probable words for what is asked, as n-best lists, as a stream.

        The word that is there is gold, unless it is a blank; it is not looked at.

        Parameters
        ----------
        inputs : texts, or words, whose blanks are asked for; or `Asked`, which says at which
            places.
        """
        asked = (given if isinstance(given, Asked) else blanks_of(given) for given in inputs)
        pieces = (piece for one in asked for piece in self.pieces(one))
        workers, work = Engine.of(engine), partial(_predicted, Reference(self, type(self).load), n)
        nearby = partial(work, threads=workers.threads)
        found = workers.stream(work, pieces, size=PIECES_PER_CHUNK, nearby=nearby)
        for number, nbest in enumerate(found, 1):
            yield msgspec.structs.replace(nbest, id=number)

    def pieces(self, asked: Asked) -> Iterator[Asked]:
        """What is asked in pieces, each with the words that are looked at or shown."""
        words, places = asked
        left, right = max(self.left, SHOWN), max(self.right, SHOWN)
        for first in range(0, len(places), PLACES_PER_PIECE):
            own = places[first : first + PLACES_PER_PIECE]
            start = max(min(own) - left, 0)
            yield Asked(words[start : max(own) + 1 + right], [place - start for place in own])

    def lists_of(self, asked: Asked, n: int, threads: int = 1) -> Iterator[NBest]:
        """The lists of what is asked, still without numbers."""
        words, places = asked
        windows = self.windows(words)
        own = windows._replace(places=windows.places[np.asarray(places, dtype=np.int64)])
        offsets, classes, p = self.tree.n_best(own, n, discount=self.discount, threads=threads)
        for i, place in enumerate(places):
            found = slice(int(offsets[i]), int(offsets[i + 1]))
            yield NBest(
                None,
                self.context(words, place),
                self._candidates(classes[found], p[found].tolist()),
                None if words[place] == BLANK else words[place],
            )

    def context(self, words: Sequence[str], place: int) -> str:
        """The words around a place, with a blank there."""
        left, right = max(self.left, SHOWN), max(self.right, SHOWN)
        before, behind = words[max(place - left, 0) : place], words[place + 1 : place + 1 + right]
        return " ".join([*before, BLANK, *behind])

    def _candidates(self, classes: Numbers, probabilities: Sequence[float]) -> list[Candidate]:
        pairs = zip(classes.tolist(), probabilities, strict=True)
        return [Candidate(self.vocabulary[c], math.log(p)) for c, p in pairs if p > 0]


def _predicted(
    model: Reference[WordModel], n: int, pieces: list[Asked], threads: int = 1
) -> list[NBest]:
    return [nbest for piece in pieces for nbest in model.model.lists_of(piece, n, threads)]


Small = Annotated[int, msgspec.Meta(ge=0, lt=1 << 15)]


class _Parameters(msgspec.Struct):
    left: Small
    right: Small
    discount: Annotated[float, msgspec.Meta(ge=0, le=1)]
    top: Annotated[int, msgspec.Meta(ge=1)]
    prune: bool


class _Header(msgspec.Struct):
    parameters: _Parameters
