"""The log-linear model of Huang, Knight & Joshi (2006, section 4.2), tuned as they did.

A translation c of e scores log Pr(c|e) + beta log Pr(c) - lambda |c|. For each beta of a grid,
lambda is found by bisection so that the translations are as long as the references (6.2); the beta
with the highest BLEU is taken. With this sign a positive lambda shortens; section 4.2 says the
opposite of its own formula.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from runoff.metrics.base import Floats, figure
from runoff.metrics.bleu import Bleu
from runoff.proposers.translation.features import COPIED_WORDS, RAW, RULE
from runoff.proposers.translation.trees.decoder import DIRECT, TreeDecoder, TreeSearch
from runoff.proposers.translation.trees.source import Parses

LANGUAGE_MODEL, LENGTH = 7, 4

BETAS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0)
BISECTIONS = 20
LARGEST_LAMBDA = 10.0

SENTENCES_AT_ONCE = 16
"""Long lists have many steps, of which only sums are kept."""


class Rescored(NamedTuple):
    """The k best different strings of sentences by the direct model.

    Parameters
    ----------
    offsets : where the strings of each sentence begin.
    direct, language_model, lengths : of each string: both log-probabilities, and its words.
    words : the strings.
    """

    offsets: list[int]
    direct: Floats
    language_model: Floats
    lengths: Floats
    words: list[list[str]]

    def first(self, k: int) -> Rescored:
        """The k best strings of each sentence."""
        kept = [i for a, b in pairwise(self.offsets) for i in range(a, min(b, a + k))]
        sizes = [min(b - a, k) for a, b in pairwise(self.offsets)]
        return Rescored(
            np.cumsum([0, *sizes]).tolist(),
            self.direct[kept],
            self.language_model[kept],
            self.lengths[kept],
            [self.words[i] for i in kept],
        )

    def best(self, beta: float, penalty: float) -> NDArray[np.int64]:
        """The string of each sentence that scores highest."""
        scores = self.direct + beta * self.language_model - penalty * self.lengths
        return np.array([a + int(np.argmax(scores[a:b])) for a, b in pairwise(self.offsets)])


class LogLinear(NamedTuple):
    """Weights of the language model and of the length, and BLEU on what they were tuned on."""

    beta: float
    penalty: float
    bleu: float

    @property
    def weights(self) -> Floats:
        """The weights of raw features."""
        made = np.zeros(RAW)
        made[[RULE, LANGUAGE_MODEL, LENGTH, COPIED_WORDS]] = (
            1.0, self.beta, -self.penalty, DIRECT[COPIED_WORDS],
        )  # fmt: skip
        return made


def k_best(decoder: TreeDecoder, sentences: Sequence[Parses], k: int) -> Rescored:
    """The k best different strings of sentences, with the language model's log-probabilities."""
    offsets, columns, words = [0], [np.zeros((0, RAW))], list[list[str]]()
    search = TreeSearch(search="rescore", k=k)
    for first in range(0, len(sentences), SENTENCES_AT_ONCE):
        made = decoder.lists(sentences[first : first + SENTENCES_AT_ONCE], DIRECT, search, n=k)
        offsets += [offsets[-1] + end for end in made.offsets[1:].tolist()]
        columns.append(made.features)
        words += made.words
    values = np.concatenate(columns)
    return Rescored(offsets, values @ DIRECT, values[:, LANGUAGE_MODEL], values[:, LENGTH], words)


def bleu_of(words: Sequence[Sequence[str]], references: Sequence[str], metric: Bleu) -> float:
    """Corpus BLEU of translations."""
    rows = [
        metric.statistics([" ".join(own)], reference)[0]
        for own, reference in zip(words, references, strict=True)
    ]
    return float(figure(metric, np.sum(rows, axis=0)))


def tuned(found: Rescored, references: Sequence[str], metric: Bleu) -> LogLinear:
    """The log-linear model that is best on these lists."""
    wanted = sum(len(reference.split()) for reference in references)
    models = []
    for beta in BETAS:
        low, high = -LARGEST_LAMBDA, LARGEST_LAMBDA
        for _ in range(BISECTIONS):
            middle = (low + high) / 2
            longer = found.lengths[found.best(beta, middle)].sum() > wanted
            low, high = (middle, high) if longer else (low, middle)
        best = found.best(beta, high)
        models.append(
            LogLinear(beta, high, bleu_of([found.words[i] for i in best], references, metric))
        )
    return max(models, key=lambda one: one.bleu)
