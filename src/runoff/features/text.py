"""A general feature set for text: makes any text n-best list usable at once.

Lengths, n-grams, overlap with the input, agreement with the other candidates, base rank and
log-probability per word. Agreement rewards what many candidates say, as minimum Bayes risk
decoding does.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from itertools import chain, pairwise
from typing import Any, TypeVar

from runoff.data.nbest import NBest
from runoff.features.extract import whole_list

Gram = TypeVar("Gram", bound=Hashable)

# Scripts without spaces between words are read character by character.
_UNSPACED = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_TOKEN = re.compile(f"[{_UNSPACED}]|[^\\s{_UNSPACED}]+")


def tokens(value: Any) -> list[str]:
    """Words of a text, characters of Chinese or Japanese, or the items of a list.

    Examples
    --------
    >>> tokens("it's 选举 day"), tokens(["B-NP", "O"]), tokens(None)
    (["it's", '选', '举', 'day'], ['B-NP', 'O'], [])
    """
    if isinstance(value, str):
        return _TOKEN.findall(value)
    if isinstance(value, list | tuple):
        return [str(item) for item in value]
    return []


@whole_list
def text(nbest: NBest) -> list[dict[str, float]]:
    """Features of every candidate's text.

    Examples
    --------
    >>> from runoff.data.nbest import Candidate
    >>> first, second = text(NBest(candidates=[Candidate("a vote"), Candidate("a boat")]))
    >>> first["number of words"], first["agreement of words"], first["word: vote"]
    (2, 0.5, 1)
    """
    words = [tokens(candidate.output) for candidate in nbest.candidates]
    bigrams = [list(pairwise(["<s>", *own, "</s>"])) if own else [] for own in words]
    features: list[dict[str, float]] = [{} for _ in words]
    _lengths(nbest, words, features)
    _input_overlap(tokens(nbest.input), words, features)
    _grams("word", words, "word: {}".format, features)
    _grams("bigram", bigrams, lambda pair: "bigram: {} {}".format(*pair), features)
    _base(nbest, words, features)
    return features


def _lengths(
    nbest: NBest, words: Sequence[Sequence[str]], features: Sequence[dict[str, float]]
) -> None:
    for candidate, own, result in zip(nbest.candidates, words, features, strict=True):
        result["number of words"] = len(own)
        if isinstance(candidate.output, str):
            result["number of characters"] = len(candidate.output)


def _input_overlap(
    given: Sequence[str], words: Sequence[Sequence[str]], features: Sequence[dict[str, float]]
) -> None:
    if not given:
        return
    known = set(given)
    for own, result in zip(words, features, strict=True):
        result["words per word of input"] = len(own) / len(given)
        result["share of words in the input"] = sum(w in known for w in own) / max(1, len(own))
        result["share of the input covered"] = len(known.intersection(own)) / len(known)


def _grams(
    kind: str,
    grams: Sequence[Sequence[Gram]],
    name_of: Callable[[Gram], str],
    features: Sequence[dict[str, float]],
) -> None:
    """Counts of n-grams, and how many of the other candidates have them, on average.

    An n-gram that every candidate has once tells them apart in nothing and is left out.
    """
    own_counts = [Counter(own) for own in grams]
    having = Counter(chain.from_iterable(own_counts))  # candidates that have the n-gram
    occurring = Counter(chain.from_iterable(grams))
    n = len(grams)
    # Candidates share most n-grams, so each name is made once for the list.
    names = {g: name_of(g) for g, k in having.items() if k < n or occurring[g] != n}
    for own, counts, result in zip(grams, own_counts, features, strict=True):
        if own and n > 1:
            agreeing = sum(map(having.__getitem__, own)) - len(own)
            result[f"agreement of {kind}s"] = agreeing / (len(own) * (n - 1))
        result.update({names[gram]: k for gram, k in counts.items() if gram in names})


def _base(
    nbest: NBest, words: Sequence[Sequence[str]], features: Sequence[dict[str, float]]
) -> None:
    columns = (nbest.candidates, nbest.base_ranks(), words, features)
    for candidate, rank, own, result in zip(*columns, strict=True):
        result["base rank"] = rank
        result["first in base order"] = float(rank == 0)
        if candidate.logprob is not None:
            result["logprob per word"] = candidate.logprob / (len(own) + 1)
