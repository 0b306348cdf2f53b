"""The hidden Markov name tagger of Nymble (Bikel et al. 1997), over words or characters.

A sentence is a chain of stretches: names of a type, and what is between them. The class of a
stretch depends on the class and the words before it, its first word on both classes, each other
word on the words before it in the stretch; a stretch ends where the model says so. What was seldom
seen is interpolated with what shorter histories say. The n best are exact: nothing is pruned.

Where Nymble looks at one word before, `order` words are looked at here. Words that were never seen
are told apart by their kind: their characters' classes. What Nymble gives a word in the end,
P(word | class) P(kind | class), would sum to less than 1 over all words; here it is P(kind | class)
over the number of words of that kind, so that every distribution sums to 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Self

import msgspec
import numpy as np
from numpy.typing import NDArray

from runoff.data.nbest import Candidate
from runoff.data.numbering import offsets_of
from runoff.data.schemes import OUTSIDE, convert
from runoff.data.sentence import AnySentence, Sentence
from runoff.errors import NotFittedError, UsageError, check_at_least
from runoff.fitting.record import Record
from runoff.fitting.run import ALONE, Run
from runoff.proposers.base import named_lists
from runoff.proposers.sequence.hmm_counts import Counts, Events, Stretches, Symbols
from runoff.proposers.sequence.hmm_model import HmmModel, Vocabulary
from runoff.store.file import Arrays

LONGEST_ORDER = 4


@dataclass(kw_only=True)
class HmmTagger:
    """Proposes the names of a sentence, as tags in IOB2.

    Parameters
    ----------
    order : words before, in the same stretch, that a word depends on; Nymble has 1.

    References
    ----------
    Bikel, Miller, Schwartz and Weischedel (1997), "Nymble: a high-performance learning
    name-finder", ANLP.

    Examples
    --------
    >>> corpus = [Sentence(("Ann", "won"), gold=("B-PER", "O")),
    ...           Sentence(("we", "won"), gold=("O", "O"))]
    >>> tagger = HmmTagger().fit(corpus)
    >>> tagger.propose(["Ann", "won"], 1)[0].output
    ['B-PER', 'O']
    """

    order: int = 2

    model_: HmmModel = field(init=False, repr=False, compare=False)
    record_: Record = field(init=False, repr=False, compare=False, default_factory=dict)

    def fit(
        self,
        corpus: Sequence[Sentence],
        dev: Sequence[Sentence] | None = None,
        *,
        run: Run = ALONE,
    ) -> Self:
        """Count what the gold tags of sentences show; there is nothing for `dev` to choose."""
        self.check()
        tags = [convert(sentence.labels, "iob2") for sentence in corpus]
        types = sorted({tag[2:] for own in tags for tag in own if tag != OUTSIDE})
        if not any(map(len, tags)):
            raise UsageError("an HMM learns from sentences with words, and there are none")
        vocabulary = Vocabulary.of(word for sentence in corpus for word in sentence.words)
        symbols = Symbols(len(vocabulary), len(types) + 1)
        whole = _stretches(vocabulary, types, [one.words for one in corpus], tags)
        halves = whole._replace(tokens=_unknown_in_half(whole, vocabulary))
        unknown = np.arange(symbols.tokens + symbols.classes + 3) < len(vocabulary.kinds)
        events = Events.joined(
            [
                whole.events(symbols, self.order),
                halves.events(symbols, self.order).with_any(unknown),
            ]
        )
        self.model_ = HmmModel(
            self.order, tuple(types), vocabulary, Counts.of(events, symbols.classes + 1)
        )
        return self

    def check(self, *, with_dev: bool = True) -> None:
        """Raise an error for options that make no sense."""
        check_at_least(1, order=self.order)
        if self.order > LONGEST_ORDER:
            raise UsageError(f"order must be at most {LONGEST_ORDER}, not {self.order}")

    @property
    def model(self) -> HmmModel:
        """The learned model."""
        if not hasattr(self, "model_"):
            raise NotFittedError("this HmmTagger has not been fitted")
        return self.model_

    def propose(self, input: AnySentence, n: int) -> list[Candidate]:
        """At most n distinct lists of tags with log-probabilities, best first."""
        return self.propose_all([input], n)[0]

    def propose_all(
        self, sentences: Iterable[AnySentence], n: int, *, threads: int = 1
    ) -> list[list[Candidate]]:
        """The n best of many sentences; runs without the interpreter lock."""
        check_at_least(1, n=n)
        words = [Sentence.of(one).words for one in sentences]
        offsets = offsets_of([len(own) for own in words])
        tokens = self.model.vocabulary.tokens(word for own in words for word in own)
        found = self.model.native.n_best(tokens.astype(np.uint32), offsets, n, threads=threads)
        return named_lists(offsets, *found, self.model.tags)

    def stored(self) -> tuple[dict[str, Any], Arrays]:
        """Header and arrays, for a model file."""
        return {"parameters": {"order": self.order}, "record": self.record_}, self.arrays()

    @classmethod
    def restored(cls, header: Mapping[str, Any], arrays: Arrays) -> Self:
        """The tagger of a header and arrays, which are checked."""
        checked = msgspec.convert(header, _Header)
        tagger = cls(order=checked.parameters.order).restore(arrays)
        tagger.record_ = checked.record
        return tagger

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The learned parameters as arrays for a model file."""
        return self.model.arrays()

    def restore(self, arrays: Arrays) -> Self:
        """Restore the learned parameters from the arrays of a model file, checked."""
        self.model_ = HmmModel.from_arrays(arrays, self.order)
        return self


class _Parameters(msgspec.Struct):
    order: Annotated[int, msgspec.Meta(ge=1, le=LONGEST_ORDER)]


class _Header(msgspec.Struct):
    parameters: _Parameters
    record: Record = {}


def _stretches(
    vocabulary: Vocabulary,
    types: Sequence[str],
    words: Sequence[Sequence[str]],
    tags: Sequence[Sequence[str]],
) -> Stretches:
    """Sentences with tags in IOB2 as numbers; class 0 is outside."""
    number = {OUTSIDE: 0} | {
        f"{b}-{kind}" if kind else b: i for b in "BI" for i, kind in enumerate(types, 1)
    }
    flat = [tag for own in tags for tag in own]
    classes = np.array([number[tag] for tag in flat], dtype=np.int64)
    starts = np.zeros(len(flat), dtype=np.bool_)
    starts[offsets_of([len(own) for own in words if own])[:-1]] = True
    begins = np.array([tag[0] == "B" for tag in flat], dtype=np.bool_)
    first = starts | begins | (classes != np.roll(classes, 1))
    tokens = vocabulary.tokens(word for own in words for word in own)
    return Stretches(tokens, classes, first, starts)


def _unknown_in_half(given: Stretches, vocabulary: Vocabulary) -> NDArray[np.int64]:
    """The tokens, where those of each half of the sentences are unknown if the other lacks them."""
    sentence = np.cumsum(given.starts) - 1
    second = sentence >= (sentence[-1] + 1) // 2
    tokens = given.tokens.copy()
    for half in (second, ~second):
        seen = np.zeros(len(vocabulary), dtype=np.bool_)
        seen[given.tokens[~half]] = True
        unseen = half & ~seen[given.tokens]
        tokens[unseen] = vocabulary.kind_numbers[given.tokens[unseen]]
    return tokens
