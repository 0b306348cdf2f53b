"""Chunk F1: chunks or names found whole, as conlleval counts them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from operator import eq
from typing import Any, Literal, NamedTuple

import numpy as np

from runoff.data.schemes import Chunk, decode
from runoff.metrics.base import Floats, MeasureError, ratio, rows, tokens, tokens_like_gold


class ChunkF1:
    """Precision, recall and F1 of whole chunks, and the accuracy of tags.

    Tags may be in any scheme of `runoff.data.schemes`; violations are read as conlleval reads
    them. Chunks count when type and span are right; tags when they are equal as text.

    The quality of an output is its own F1 between 0 and 1, and 1 where neither gold nor output
    has a chunk.

    References
    ----------
    Tjong Kim Sang and Buchholz (2000), "Introduction to the CoNLL-2000 shared task: chunking".

    Examples
    --------
    >>> statistics = ChunkF1().statistics(["B-NP I-NP O", "B-NP B-NP O"], "B-NP I-NP O")
    >>> ChunkF1().figures(statistics)["F1"]
    array([100.,   0.])
    """

    name = "chunk-f1"
    higher_is_better = True
    reads: Literal["output"] = "output"
    columns = ("correct chunks", "gold chunks", "output chunks", "correct tags", "tags")

    def statistics(self, outputs: Sequence[Any], gold: Any) -> Floats:
        """One row per output; see `columns`."""
        gold_tags = tokens(gold, None)
        gold_chunks = set(_decode(gold_tags, None))
        found = []
        for i, output in enumerate(outputs):
            tags = tokens_like_gold(output, gold_tags, i)
            chunks = _decode(tags, i)
            correct = len(gold_chunks.intersection(chunks))
            right = sum(map(eq, tags, gold_tags))
            found.append([correct, len(gold_chunks), len(chunks), right, len(tags)])
        return rows(found, len(self.columns))

    def figures(self, totals: Floats) -> dict[str, Floats]:
        """F1, precision and recall of chunks, accuracy of tags, in per cent."""
        correct, gold, output, right, tags = (totals[..., column] for column in range(5))
        return {
            "F1": 100 * ratio(2 * correct, gold + output),
            "precision": 100 * ratio(correct, output),
            "recall": 100 * ratio(correct, gold),
            "accuracy": 100 * ratio(right, tags),
        }

    def quality(self, statistics: Floats) -> Floats:
        """F1 of each output, from 0 to 1."""
        correct, gold, output = (statistics[..., column] for column in range(3))
        return ratio(2 * correct, gold + output, empty=1.0)

    def signature(self) -> str:
        """`chunk-f1|as:conlleval`."""
        return "chunk-f1|as:conlleval"


class TypeFigures(NamedTuple):
    """Figures of the chunks of one type, in per cent, and how many were found and are in gold."""

    precision: float
    recall: float
    f1: float
    found: int
    gold: int


def figures_by_type(outputs: Iterable[Any], golds: Iterable[Any]) -> dict[str, TypeFigures]:
    """Precision, recall and F1 of every type of chunk, types in alphabetical order.

    Examples
    --------
    >>> figures_by_type(["B-NP O", "B-NP B-VP"], ["B-NP O", "B-NP O"])["VP"]
    TypeFigures(precision=0.0, recall=0.0, f1=0.0, found=1, gold=0)
    """
    correct, found, wanted = Counter[str](), Counter[str](), Counter[str]()
    for i, (output, gold) in enumerate(zip(outputs, golds, strict=True)):
        gold_tags = tokens(gold, None)
        gold_chunks = _decode(gold_tags, None)
        chunks = _decode(tokens_like_gold(output, gold_tags, i), i)
        correct.update(chunk.type for chunk in set(gold_chunks).intersection(chunks))
        found.update(chunk.type for chunk in chunks)
        wanted.update(chunk.type for chunk in gold_chunks)
    return {
        kind: _type_figures(correct[kind], found[kind], wanted[kind])
        for kind in sorted(found | wanted)
    }


def _type_figures(correct: int, found: int, gold: int) -> TypeFigures:
    totals = np.array([correct, gold, found, 0, 0], dtype=np.float64)
    figures = {name: float(value) for name, value in ChunkF1().figures(totals).items()}
    return TypeFigures(figures["precision"], figures["recall"], figures["F1"], found, gold)


def _decode(tags: list[str], output: int | None) -> list[Chunk]:
    try:
        return decode(tags)
    except ValueError as error:
        raise MeasureError(str(error), output=output) from None
