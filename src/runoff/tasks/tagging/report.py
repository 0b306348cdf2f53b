"""How well words are tagged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from runoff.data.files import FilePath
from runoff.data.nbest import NBest
from runoff.data.sentence import Sentence
from runoff.data.text.read import read_tagged_sentences
from runoff.pipeline.folds import with_gold
from runoff.report.tables import Cell, Table


@dataclass
class TagReport:
    """How well words are tagged.

    Accuracies are shares from 0 to 1. Unknown are the words that training did not see; where there
    are none, their accuracy is None.
    """

    words: int
    accuracy: float | None
    known: float | None
    unknown_words: int
    unknown: float | None
    sentences: float | None
    confusions: list[tuple[str, str, int]]


def report(
    found: Iterable[Sequence[str]],
    sentences: Iterable[Sentence],
    known: Callable[[str], bool],
    top: int = 20,
) -> TagReport:
    """Tags against gold: accuracies, and the most frequent (gold, found) that differ.

    Examples
    --------
    >>> sentence = Sentence(("the", "vote"), gold=("DT", "NN"))
    >>> seen = report([["DT", "VB"]], [sentence], known=lambda word: word == "the")
    >>> seen.accuracy, seen.known, seen.unknown, seen.confusions
    (0.5, 1.0, 0.0, [('NN', 'VB', 1)])
    """
    counts: Counter[tuple[bool, bool]] = Counter()
    wrong: Counter[tuple[str, str]] = Counter()
    whole = Counter[bool]()
    for tags, sentence in zip(found, sentences, strict=True):
        whole[tuple(tags) == sentence.labels] += 1
        for word, gold, tag in zip(sentence.words, sentence.labels, tags, strict=True):
            counts[known(word), gold == tag] += 1
            if gold != tag:
                wrong[gold, tag] += 1
    ordered = sorted(wrong.items(), key=lambda item: (-item[1], item[0]))
    right = counts[True, True] + counts[False, True]
    return TagReport(
        words=counts.total(),
        accuracy=_share(right, counts.total()),
        known=_share(counts[True, True], counts[True, True] + counts[True, False]),
        unknown_words=counts[False, True] + counts[False, False],
        unknown=_share(counts[False, True], counts[False, True] + counts[False, False]),
        sentences=_share(whole[True], whole.total()),
        confusions=[(gold, tag, count) for (gold, tag), count in ordered[:top]],
    )


def gold_lists(model: Any, files: Sequence[FilePath], n: int) -> Iterator[NBest]:
    """What a tagger makes of sentences with gold tags."""
    sentences = [one for file in files for one in read_tagged_sentences(file)]
    return with_gold(model.lists(sentences, n), (list(one.labels) for one in sentences))


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def summary(header: Mapping[str, Any]) -> list[Table]:
    """How well development sentences are tagged, as tables."""
    if "dev" not in header:
        return []
    dev = dict(header["dev"])
    rows: list[dict[str, Cell]] = [
        {"what": name, "value": _shown(dev[key])}
        for key, name in SHOWN.items()
        if dev[key] is not None
    ]
    confusions: list[dict[str, Cell]] = [
        dict(zip(("gold", "found", "times"), row, strict=True)) for row in dev["confusions"]
    ]
    tables = [Table("development sentences", rows), Table("most frequent confusions", confusions)]
    return [one for one in tables if one.rows]


SHOWN = {
    "words": "words",
    "accuracy": "accuracy",
    "known": "accuracy of known words",
    "unknown_words": "unknown words",
    "unknown": "accuracy of unknown words",
    "sentences": "sentences without an error",
}
"""What figures are called; all but numbers of words are shares."""


def _shown(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{100 * value:.2f}%"
