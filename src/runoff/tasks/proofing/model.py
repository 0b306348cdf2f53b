"""Confusables: words that writers take for each other, and experts that tell them apart.

An expert knows one set of words and chooses among them by the words around (Van den Bosch 2006,
section 4; Golding & Roth 1999). The sets are n-best lists whose candidates are the words, and an
expert is a linear ranker with features of the neighbouring words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Annotated, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from runoff.data.confusables import forms_of
from runoff.data.nbest import Candidate, NBest
from runoff.data.text.words import Word, find_words
from runoff.engine import ALONE, AnyEngine, Engine
from runoff.engine.reference import Reference
from runoff.errors import ModelError, UsageError
from runoff.pipeline.model import TextModel
from runoff.store.arrays import prefixed, take, without_prefix
from runoff.store.file import Arrays
from runoff.store.model import SavedModel
from runoff.store.strings import StringTable, pack_names, take_names
from runoff.tasks.proofing.context import context_features
from runoff.tasks.proofing.ignore import NOTHING, Ignored, ignored_lines
from runoff.tasks.proofing.proof import Suspect, context_of, is_mentioned, make_suspects
from runoff.tasks.proofing.prose import prose_of

STEPS = 64
"""Weights are stored in this many steps per unit."""


@dataclass
class Expert:
    """The classifier for the words of one confusable set.

    Parameters
    ----------
    words : the set; the first has the score 0 everywhere.
    names : features, as `features.context.context_features` names them.
    weights : of each feature for each word but the first; shape (features, words - 1).
    thresholds : how much better than the word that is there another one must be, to be suggested,
        in logarithms of probabilities; by the word that is there.
    """

    words: tuple[str, ...]
    names: StringTable
    weights: NDArray[np.int16]
    thresholds: tuple[float, ...]

    def scores(self, words: Sequence[str], place: int) -> NDArray[np.float64]:
        """The logarithms of the probabilities of the set's words at a place."""
        known = self.names.numbered
        rows = [known[name] for name in context_features(words, place) if name in known]
        scores = np.zeros(len(self.words))
        scores[1:] = self.weights[rows].sum(axis=0) / STEPS
        logs: NDArray[np.float64] = scores - np.logaddexp.reduce(scores)
        return logs

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The learned parameters as arrays for a model file."""
        return {"names": pack_names(self.names), "weights": self.weights.view(np.uint16)}

    @classmethod
    def restored(cls, header: ExpertHeader, arrays: Arrays) -> Expert:
        """The expert of a header and arrays, which are checked."""
        names = take_names(arrays, "names")
        weights = take(arrays, "weights", np.uint16, (len(names), len(header.words) - 1))
        if len(header.thresholds) != len(header.words):
            raise ModelError("an expert does not have a threshold for each word")
        return cls(header.words, names, weights.view(np.int16), header.thresholds)


class ExpertHeader(msgspec.Struct):
    """The header of an expert in a model file."""

    words: Annotated[tuple[str, ...], msgspec.Meta(min_length=2)]
    thresholds: tuple[float, ...]


@dataclass
class ConfusablesModel(SavedModel, TextModel[list[Suspect]]):
    """Experts for sets of words.

    Parameters
    ----------
    training : on what they were trained and how well they do; becomes the header of the file.
    """

    kind = "confusables"

    experts: list[Expert]
    training: dict[str, Any]

    def stored(self) -> tuple[dict[str, Any], Arrays]:
        """Header and arrays, for a model file."""
        headers = [ExpertHeader(one.words, one.thresholds) for one in self.experts]
        header = {"experts": msgspec.to_builtins(headers), **self.training}
        arrays: dict[str, NDArray[Any]] = {}
        for number, expert in enumerate(self.experts):
            arrays |= prefixed(f"{number}.", expert.arrays())
        return header, arrays

    @classmethod
    def restored(cls, header: dict[str, Any], arrays: Arrays) -> ConfusablesModel:
        """The model of a header and arrays, which are checked."""
        experts = [
            Expert.restored(one, without_prefix(f"{number}.", arrays))
            for number, one in enumerate(msgspec.convert(header, _Header).experts)
        ]
        training = {key: value for key, value in header.items() if key != "experts"}
        return cls(experts, training)

    def proof(
        self,
        text: str,
        name: str = "",
        *,
        threshold: float | None = None,
        ignore: Ignored = NOTHING,
    ) -> list[Suspect]:
        """The suspects of a text, in order; the name of its file says what is prose in it.

        A word is suspected where another one of its set is better by more than the threshold that
        training has set. One that is only mentioned is not, nor one that marks in the text exclude;
        see `runoff.tasks.proofing.ignore`.

        Parameters
        ----------
        threshold : the least probability of a suggestion, instead of the thresholds of training.
        ignore : words and places that are passed over.
        """
        if threshold is not None and not 0 <= threshold < 1:
            raise UsageError(f"threshold must be at least 0 and below 1, not {threshold:g}")
        found = []
        for word, expert, there, logs in self._chosen(text, name):
            best = int(np.argmax(logs))
            if best == there:
                continue
            better = (
                logs[best] - logs[there] > expert.thresholds[there]
                if threshold is None
                else np.exp(logs[best]) >= threshold
            )
            if better:
                found.append((word, expert.words[best], float(np.exp(logs[best]))))
        lines = ignored_lines(text)
        return [
            one
            for one in make_suspects(text, found)
            if one.line not in lines and not ignore.has(one.word, name, one.line)
        ]

    def results(
        self, texts: Sequence[str], engine: Engine = ALONE, *, first: int | None = None
    ) -> list[list[Suspect]]:
        """The results of `proof` for some texts."""
        return [self.proof(text) for text in texts]

    def lists(
        self, inputs: Iterable[str], n: int | None = None, *, engine: AnyEngine = ALONE
    ) -> Iterator[NBest]:
        """The set of every word of texts that has one, as n-best lists, as a stream.

        The input of a list is the text around; the word that is there stands in `extra`.
        """
        work = partial(_lists, Reference(self, type(self).load), n)
        for number, nbest in enumerate(Engine.of(engine).stream(work, inputs, size=1), 1):
            yield msgspec.structs.replace(nbest, id=number)

    def lists_of(self, text: str, n: int | None) -> Iterator[NBest]:
        """The lists of one text."""
        for word, expert, there, logs in self._chosen(text, ""):
            order = np.argsort(-logs, kind="stable")[:n].tolist()
            best = [Candidate(expert.words[i], float(logs[i])) for i in order]
            extra = {"word": expert.words[there]}
            yield NBest(None, context_of(text, word)[0], best, extra=extra)

    def _chosen(
        self, text: str, name: str
    ) -> Iterator[tuple[Word, Expert, int, NDArray[np.float64]]]:
        """Every word that is in a set, its expert, its number, and what the expert thinks."""
        for found in _paragraphs(prose_of(text, name)):
            words = [word.text for word in found]
            for place, word in enumerate(found):
                if word.text in self.by_form and not is_mentioned(text, word):
                    expert, there = self.by_form[word.text]
                    yield word, expert, there, expert.scores(words, place)

    @cached_property
    def by_form(self) -> dict[str, tuple[Expert, int]]:
        """The expert of each form of a word, and the word's number in its set."""
        return {
            form: (expert, number)
            for expert in self.experts
            for number, word in enumerate(expert.words)
            for form in forms_of(word)
        }


def _lists(model: Reference[ConfusablesModel], n: int | None, texts: list[str]) -> list[NBest]:
    return [nbest for text in texts for nbest in model.model.lists_of(text, n)]


_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")


def _paragraphs(prose: str) -> Iterator[list[Word]]:
    """The words of each paragraph: what is beyond a blank line is no context of a word."""
    words: list[Word] = []
    for word in find_words(prose):
        if words and _BLANK_LINE.search(prose, words[-1].end, word.start):
            yield words
            words = []
        words.append(word)
    yield words


class _Header(msgspec.Struct):
    experts: list[ExpertHeader]
