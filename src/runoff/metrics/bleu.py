"""BLEU through sacrebleu: corpus BLEU as the figure, smoothed sentence BLEU as the quality."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from runoff import _native
from runoff.data.numbering import Numbering, Numbers
from runoff.errors import import_extra, unknown_choice
from runoff.metrics.base import Floats, Integers, MeasureError, ratio

ORDER = 4


class Bleu:
    """BLEU of 1- to 4-grams with sacrebleu's tokens and exponential smoothing.

    The statistics are sacrebleu's: both lengths, n-grams that match, n-grams. Their sum gives what
    `sacrebleu.corpus_bleu` gives; each row alone, with effective order, `sacrebleu.sentence_bleu`,
    which is the quality; learning takes `gains`. Gold is one reference or a list of them. Needs the
    extra `bleu`.

    Parameters
    ----------
    tokenize : sacrebleu's tokenizer: `13a`, `intl`, `zh`, `char`, `none`, ...
    lowercase : compare without case.

    References
    ----------
    Papineni et al. (2002), "BLEU: a method for automatic evaluation of machine translation";
    Post (2018), "A call for clarity in reporting BLEU scores".

    Examples
    --------
    >>> metric = Bleu()
    >>> statistics = metric.statistics(["we vote today", "we voted today ."], "we voted today .")
    >>> metric.quality(statistics).round(2)
    array([ 24.84, 100.  ])
    """

    name = "bleu"
    higher_is_better = True
    reads: Literal["output"] = "output"
    columns = (
        "output length",
        "gold length",
        *(f"matching {n}-grams" for n in range(1, ORDER + 1)),
        *(f"{n}-grams" for n in range(1, ORDER + 1)),
    )

    def __init__(self, *, tokenize: str = "13a", lowercase: bool = False) -> None:
        self.tokenize, self.lowercase = tokenize, lowercase
        self._tokens: Callable[[str], str] = _unchanged
        if tokenize != "none":
            sacrebleu = import_extra("sacrebleu.metrics", "bleu")
            if tokenize not in sacrebleu.BLEU.TOKENIZERS:
                raise unknown_choice("tokenizer", tokenize, sacrebleu.BLEU.TOKENIZERS)
            self._tokens = sacrebleu.BLEU(tokenize=tokenize).tokenizer

    def statistics(self, outputs: Sequence[Any], gold: Any) -> Floats:
        """Sacrebleu's sufficient statistics of each output; see `columns`.

        A list costs little more than splitting its texts into tokens.
        """
        references = [self.words(reference) for reference in _references(gold)]
        found = []
        for i, output in enumerate(outputs):
            if not isinstance(output, str):
                raise MeasureError(f"expected text, not {output!r:.60}", output=i)
            found.append(self.words(output))
        return word_statistics(found, references)

    def words(self, text: str) -> list[str]:
        """The words of a text that are compared."""
        return self._tokens((text.lower() if self.lowercase else text).rstrip()).split()

    def figures(self, totals: Floats) -> dict[str, Floats]:
        """BLEU, the brevity penalty, and the length of the output over that of gold."""
        return {
            "BLEU": bleu(totals, effective_order=False),
            "BP": brevity_penalty(totals),
            "ratio": ratio(totals[..., 0], totals[..., 1]),
        }

    def quality(self, statistics: Floats) -> Floats:
        """Sentence BLEU, from 0 to 100."""
        return bleu(statistics, effective_order=True)

    def signature(self) -> str:
        """Sacrebleu's own signature: `bleu|case:mixed|eff:no|tok:13a|smooth:exp|version:2.4.0`."""
        version = import_extra("sacrebleu", "bleu").__version__
        case = "lc" if self.lowercase else "mixed"
        tokenizer = "none" if self.tokenize == "none" else self._tokens.signature()  # type: ignore[attr-defined]
        return f"bleu|case:{case}|eff:no|tok:{tokenizer}|smooth:exp|version:{version}"


def word_statistics(
    outputs: Sequence[Sequence[str]], references: Sequence[Sequence[str]]
) -> Floats:
    """The statistics of outputs that are given as words; see `Bleu.columns`.

    Examples
    --------
    >>> word_statistics([["we", "vote", "today"]], [["we", "voted", "today", "."]]).tolist()
    [[3.0, 4.0, 2.0, 0.0, 0.0, 0.0, 3.0, 2.0, 1.0, 0.0]]
    """
    numbering = Numbering()
    texts, offsets = _flat(outputs, numbering)
    golds, gold_offsets = _flat(references, numbering)
    found = _native.match_ngrams(texts, offsets, golds, gold_offsets, ORDER).reshape(-1, ORDER)
    lengths, gold_lengths = np.diff(offsets), np.sort(np.diff(gold_offsets))
    nearest = np.abs(gold_lengths[np.newaxis] - lengths[:, np.newaxis]).argmin(axis=1)
    totals = np.maximum(lengths[:, np.newaxis] - np.arange(ORDER), 0)
    columns = [lengths[:, np.newaxis], gold_lengths[nearest][:, np.newaxis], found, totals]
    return np.concatenate(columns, axis=1).astype(np.float64)


def _flat(texts: Sequence[Sequence[str]], numbering: Numbering) -> tuple[Numbers, Integers]:
    words = numbering.numbers([word for text in texts for word in text])
    return words, np.cumsum([0, *map(len, texts)], dtype=np.int64)


def _unchanged(text: str) -> str:
    return text


def brevity_penalty(totals: Floats) -> Floats:
    """exp(1 - gold / output) where the output is shorter than gold, else 1."""
    output, gold = totals[..., 0], totals[..., 1]
    return np.where(output < gold, np.exp(1 - ratio(gold, output, empty=np.inf)), 1.0)


def bleu(totals: Floats, *, effective_order: bool) -> Floats:
    """BLEU of summed statistics, smoothed as mteval-v13a does; (..., 10) gives (...).

    The first order without a match counts as half a match, the next as a quarter, and so on.
    An order without n-grams makes BLEU zero, or with `effective_order` is left out.
    """
    correct, total = totals[..., 2 : 2 + ORDER], totals[..., 2 + ORDER :]
    missed = (correct == 0) & (total > 0)
    smoothed = np.where(missed, 0.5 ** np.cumsum(missed, axis=-1), correct)
    orders = (total > 0).sum(axis=-1)
    precision = 100 * ratio(smoothed, total, empty=0.01)  # log 1 = 0 where there are no n-grams
    mean_log = ratio(np.log(precision).sum(axis=-1), orders)
    score = brevity_penalty(totals) * np.exp(mean_log)
    scored = correct.any(axis=-1) & (effective_order | (orders == ORDER))
    return np.where(scored, score, 0.0)


def gains(statistics: Floats, owners: Integers, scores: Floats) -> Floats:
    """What BLEU of all lists gains by each candidate in the place of its list's best, times lists.

    BLEU of a sentence by itself likes short ones: it counts the words that this sentence misses,
    not those that the text does (compare Chiang, Marton & Resnik 2008).

    Parameters
    ----------
    statistics : one row per candidate.
    owners : the list of each candidate.
    scores : the best of a list has the highest.
    """
    order = np.lexsort((-scores, owners))
    _, starts, lists = np.unique(owners[order], return_index=True, return_inverse=True)
    best = statistics[order][starts]
    places = np.empty(len(owners), np.int64)
    places[order] = lists
    total = best.sum(axis=0)
    swapped = bleu(total - best[places] + statistics, effective_order=False)
    return (swapped - bleu(total, effective_order=False)) * len(best)


def _references(gold: Any) -> list[str]:
    references = [gold] if isinstance(gold, str) else gold
    if not isinstance(references, (list, tuple)) or not references:
        raise MeasureError(f"expected text or a list of references, not {gold!r:.60}")
    if not all(isinstance(reference, str) for reference in references):
        raise MeasureError("a reference is not text")
    return list(references)
