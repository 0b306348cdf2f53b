"""N-gram models: the probability of a sentence, word by word.

The n-grams are a reversed trie of sorted arrays, which a model file holds as they are and which is
used where it lies; `cpp/runoff/ngrams/model.hpp` describes it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff._native import NgramState
from runoff.data.numbering import Numbers
from runoff.errors import ModelError
from runoff.store.arrays import take
from runoff.store.file import Arrays, checking
from runoff.store.strings import UNKNOWN, StringTable, pack_words, take_words

SPECIAL = ("<unk>", "<s>", "</s>")
"""The unknown word, and the begin and the end of a sentence: the first words of a vocabulary."""

MAX_ORDER = 6

Floats = NDArray[np.float32]


class Order(NamedTuple):
    """The n-grams of one order, sorted; probabilities and backoffs are logarithms to the base 10.

    Parameters
    ----------
    words : the first word of each n-gram; none for unigrams, which are numbered as words are.
    children : where the n-grams of the next order that end in this one begin, and their number;
        none in the highest order, which has no backoffs either.
    """

    words: Numbers
    children: Numbers
    probabilities: Floats
    backoffs: Floats

    @classmethod
    def make(cls, words: Any, children: Any, probabilities: Any, backoffs: Any) -> Order:
        """The order of sequences of numbers."""
        return cls(
            np.ascontiguousarray(words, np.uint32),
            np.ascontiguousarray(children, np.uint32),
            np.ascontiguousarray(probabilities, np.float32),
            np.ascontiguousarray(backoffs, np.float32),
        )


class Perplexity(NamedTuple):
    """How well a model predicts sentences; the ends of sentences count as words.

    Parameters
    ----------
    words : how many there are.
    unknown : how many of them the model does not know.
    logprob : of all words.
    known_logprob : of the words that the model knows.
    """

    words: int
    unknown: int
    logprob: float
    known_logprob: float

    @property
    def perplexity(self) -> float:
        """The perplexity per word, unknown words included."""
        return math.exp(-self.logprob / max(self.words, 1))

    @property
    def of_known(self) -> float:
        """The perplexity per known word."""
        return math.exp(-self.known_logprob / max(self.words - self.unknown, 1))


class _Scored(NamedTuple):
    """Sentences end to end: the words as numbers, and the scores of words and ends."""

    numbers: Numbers
    offsets: NDArray[np.int64]
    scores: NDArray[np.float64]


@dataclass(frozen=True)
class NgramModel:
    """An n-gram model with backoff. All log-probabilities that it gives are natural logarithms.

    Examples
    --------
    >>> from runoff.ngrams.estimate import estimate
    >>> model = estimate([["row", "row", "your", "boat"]], order=2).model
    >>> logprob, state = model.step(model.start, "row")
    >>> round(logprob, 3), state == model.step(state, "row")[1], len({state, model.start})
    (-0.431, True, 2)
    """

    vocabulary: StringTable
    orders: tuple[Order, ...]

    @property
    def order(self) -> int:
        """The number of words of the longest n-grams."""
        return len(self.orders)

    @cached_property
    def native(self) -> _native.NgramModel:
        """The model as native code has it."""
        return _native.NgramModel(list(self.orders))

    @cached_property
    def start(self) -> NgramState:
        """The state before the first word of a sentence."""
        return self.native.begin()

    def step(self, state: NgramState, word: str) -> tuple[float, NgramState]:
        """The log-probability of a word after a state, and the state after the word.

        States are values: equal ones have equal futures, and they can be keys of a dictionary.
        """
        with checking():
            score, after = self.native.score_word(state, self.vocabulary.numbered.get(word, 0))
        return score * math.log(10), after

    def score(self, words: Sequence[str]) -> float:
        """The log-probability of a sentence, its end included."""
        return float(self.scores([words])[0])

    def scores(
        self, sentences: Sequence[Sequence[str]], *, threads: int = 1
    ) -> NDArray[np.float64]:
        """The log-probability of every sentence, its end included."""
        found = self._flat_scores(sentences, threads)
        starts = found.offsets[:-1] + np.arange(len(sentences))
        return np.add.reduceat(found.scores, starts) if len(sentences) else found.scores

    def word_scores(self, words: Sequence[str]) -> NDArray[np.float64]:
        """The log-probability of every word of a sentence, and of its end."""
        return self._flat_scores([words], 1).scores

    def next_scores(self, words: Sequence[str]) -> NDArray[np.float64]:
        """The log-probability of every word of the vocabulary after the first words of a sentence.

        Time is linear in the vocabulary.
        """
        state = self.start
        for word in words:
            _, state = self.step(state, word)
        with checking():
            scores: NDArray[np.float64] = self.native.score_vocabulary(state)
        return scores * math.log(10)

    def perplexity(self, sentences: Sequence[Sequence[str]], *, threads: int = 1) -> Perplexity:
        """How well the model predicts sentences."""
        found = self._flat_scores(sentences, threads)
        ends = np.zeros(len(found.scores), bool)
        ends[found.offsets[1:] + np.arange(len(sentences))] = True
        missing = found.scores[~ends][found.numbers == 0]
        total = float(found.scores.sum())
        return Perplexity(len(found.scores), len(missing), total, total - float(missing.sum()))

    def _flat_scores(self, sentences: Sequence[Sequence[str]], threads: int) -> _Scored:
        offsets = np.cumsum([0, *map(len, sentences)], dtype=np.int64)
        numbers = self.vocabulary.numbers(list(chain.from_iterable(sentences)))
        numbers[numbers == UNKNOWN] = 0
        found = np.empty(len(numbers) + len(sentences), dtype=np.float32)
        with checking():
            self.native.score_sentences(numbers, offsets, found, threads=threads)
        return _Scored(numbers, offsets, found.astype(np.float64) * math.log(10))

    def grams(self) -> Iterator[NDArray[np.uint32]]:
        """The n-grams of every order as numbers of words, shape (n-grams, order)."""
        found = np.arange(len(self.vocabulary), dtype=np.uint32)[:, None]
        yield found
        for below, own in zip(self.orders, self.orders[1:], strict=False):
            children = below.children.astype(np.int64)
            sizes = children[1:] - children[:-1]
            if len(own.words) != sizes.clip(0).sum() or (sizes < 0).any():
                raise ModelError("extensions of an n-gram lie outside the model")
            found = np.column_stack([own.words, np.repeat(found, sizes, axis=0)])
            if len(found) and found[:, 0].max() >= len(self.vocabulary):
                raise ModelError("an n-gram has a word that is not in the vocabulary")
            yield found

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays of a model file."""
        return pack_words(self.vocabulary) | {
            f"{n}.{name}": array
            for n, order in enumerate(self.orders, 1)
            for name, array in order._asdict().items()
            if len(array) or name == "probabilities"
        }

    @classmethod
    def restored(cls, order: int, arrays: Arrays) -> NgramModel:
        """The model of arrays out of a file; they are not read before they are used."""
        vocabulary = take_words(arrays)
        orders = tuple(_taken(arrays, n, n == order) for n in range(1, order + 1))
        if len(orders[0].probabilities) != len(vocabulary):
            raise ModelError("the model does not have one unigram per word")
        if tuple(vocabulary[i] for i in range(min(3, len(vocabulary)))) != SPECIAL:
            raise ModelError(f"the vocabulary must begin with {' '.join(SPECIAL)}")
        model = cls(vocabulary, orders)
        _ = model.native  # which checks the sizes
        return model


def _taken(arrays: Arrays, n: int, last: bool) -> Order:
    none, no_weights = np.zeros(0, np.uint32), np.zeros(0, np.float32)
    return Order(
        none if n == 1 else take(arrays, f"{n}.words", np.uint32),
        none if last else take(arrays, f"{n}.children", np.uint32),
        take(arrays, f"{n}.probabilities", np.float32, finite=False),
        no_weights if last else take(arrays, f"{n}.backoffs", np.float32, finite=False),
    )
