"""Language models that score texts word by word: ours, ARPA files, and those of KenLM."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from runoff.data.files import FilePath, open_input
from runoff.data.nbest import NBest
from runoff.errors import import_extra
from runoff.tasks.lm.model import LanguageModel
from runoff.tasks.ranking.partial.scorers import words_of

KENLM = b"mmap lm http://kheafield.com/code"
"""How binary files of KenLM begin."""

END = "</s>"


class LanguageModelScorer:
    """A language model of ours, word by word; the last word comes with the end of the sentence.

    Examples
    --------
    >>> from runoff.ngrams.estimate import estimate
    >>> model = LanguageModel(estimate([["row", "your", "boat"]], order=2).model, True, {})
    >>> scorer = LanguageModelScorer(model)
    >>> state, _ = scorer.read(scorer.start(), "row", False)
    >>> round(scorer.read(state, "your", True)[1] - model.score("row your"), 6)
    0.0
    """

    kind = "lm"

    def __init__(self, model: LanguageModel) -> None:
        self._model, self._step = model, model.ngrams.step

    def begin(self, nbest: NBest) -> None:
        """Turn to a list, of which nothing needs to be known."""

    def pieces(self, output: Any) -> Sequence[str]:
        """The words of a text as the model reads it, or the items of a list of words."""
        words = self._model.words(output) if isinstance(output, str) else words_of(output)
        return words or [""]

    def start(self) -> Any:
        """The state before the first word, and the log-probability of nothing."""
        return self._model.ngrams.start, 0.0

    def read(self, state: Any, piece: str, last: bool) -> tuple[Any, float]:
        """The log-probability of all words so far, with that of the end after the last one."""
        context, total = state
        for word in ([piece] if piece else []) + ([END] if last else []):
            score, context = self._step(context, word)
            total += score
        return (context, total), total

    def whole(self, pieces: Sequence[str]) -> float:
        """The log-probability of a whole text."""
        state, score = self.start(), 0.0
        for number, piece in enumerate(pieces, 1):
            state, score = self.read(state, piece, number == len(pieces))
        return score


class KenlmScorer(LanguageModelScorer):
    """A language model of KenLM, word by word; texts are split at whitespace."""

    def __init__(self, path: FilePath) -> None:
        self._kenlm = import_extra("kenlm", "lm")
        self._kenlm_model = self._kenlm.Model(str(path))

    def pieces(self, output: Any) -> Sequence[str]:
        """The words of a text, or the items of a list of them."""
        return words_of(output)

    def start(self) -> Any:
        """The state before the first word, and the log-probability of nothing."""
        state = self._kenlm.State()
        self._kenlm_model.BeginSentenceWrite(state)
        return state, 0.0

    def _step(self, state: Any, word: str) -> tuple[float, Any]:
        after = self._kenlm.State()
        return self._kenlm_model.BaseScore(state, word, after) * math.log(10), after


def is_kenlm(path: FilePath) -> bool:
    """Whether a file is a binary language model of KenLM."""
    with open_input(path) as stream:
        return stream.read(len(KENLM)) == KENLM


def lm_scorer(path: FilePath, *, map: bool = True) -> LanguageModelScorer:
    """What scores texts word by word by the language model of a file."""
    if is_kenlm(path):
        return KenlmScorer(path)
    return LanguageModelScorer(LanguageModel.read(path, map=map))
