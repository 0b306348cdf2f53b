"""Modified Kneser-Ney estimates of n-gram models from text.

Every order is discounted by what its counts of counts say and interpolated with the order below it
(Chen & Goodman 1998; Heafield et al. 2013, whose program `lmplz` gives the same figures).
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from runoff import _native
from runoff.data.numbering import Numbering
from runoff.errors import FormatError, UsageError
from runoff.ngrams.model import MAX_ORDER, SPECIAL, NgramModel, Order
from runoff.store.strings import StringTable

logger = logging.getLogger(__name__)

BEGIN, END = (np.array([SPECIAL.index(word)], np.uint32) for word in ("<s>", "</s>"))


class Estimate(NamedTuple):
    """A model with what its orders subtract from counts of 1, 2, and 3 or more.

    `fallback` are the orders, from 1, whose counts of counts give no discounts: 0.5, 1 and 1.5 are
    taken instead. It is so with small texts.
    """

    model: NgramModel
    discounts: list[tuple[float, float, float]]
    fallback: list[int]


def estimate(sentences: Iterable[Sequence[str]], order: int = 5) -> Estimate:
    """The model of sentences; words of `<unk>`, `<s>` and `</s>` are errors.

    Time and memory are linear in the text.

    Examples
    --------
    >>> made = estimate([["row", "row", "your", "boat"]], order=3)
    >>> [len(one.probabilities) for one in made.model.orders], made.fallback
    ([6, 5, 4], [1, 2, 3])
    """
    if not 1 <= order <= MAX_ORDER:
        raise UsageError(f"the order must be 1 to {MAX_ORDER}, not {order}")
    numbering, parts = Numbering(SPECIAL), []
    for sentence in sentences:
        numbers = numbering.numbers(sentence)
        if len(numbers) and numbers.min() < len(SPECIAL):
            raise FormatError(f"the text has the word {SPECIAL[numbers.min()]}, which models use")
        parts += [BEGIN, numbers, END]
    if not parts:
        raise FormatError("there are no sentences to learn from")
    return _estimate(np.concatenate(parts), StringTable.of(numbering), order)


def _estimate(text: np.ndarray, vocabulary: StringTable, order: int) -> Estimate:
    made = _native.estimate_ngrams(text, len(vocabulary), order)
    orders = tuple(Order(*one[:4]) for one in made)
    fallback = [n for n, one in enumerate(made, 1) if one[5]]
    if fallback:
        which = ", ".join(map(str, fallback))
        logger.info("the text is too small to estimate the discounts of orders %s", which)
    return Estimate(NgramModel(vocabulary, orders), [tuple(one[4]) for one in made], fallback)
