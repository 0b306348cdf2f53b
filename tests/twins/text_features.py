"""Features of texts, with Python's own regular expressions, counters and divisions."""

from collections import Counter
from itertools import chain, pairwise

from runoff.features.text import tokens


def features(nbest):
    """The features of every candidate; a feature of the value 0 is the same as none."""
    words = [tokens(candidate.output) for candidate in nbest.candidates]
    found = [
        _lengths(candidate, own) | _overlap(tokens(nbest.input), own)
        for candidate, own in zip(nbest.candidates, words, strict=True)
    ]
    _add_grams("word", [[f"word: {word}" for word in own] for own in words], found)
    bigrams = [list(pairwise(["<s>", *own, "</s>"])) if own else [] for own in words]
    _add_grams("bigram", [[f"bigram: {a} {b}" for a, b in own] for own in bigrams], found)
    for candidate, rank, own, result in zip(
        nbest.candidates, nbest.base_ranks(), words, found, strict=True
    ):
        result |= {"base rank": rank, "first in base order": rank == 0}
        if candidate.logprob is not None:
            result["logprob per word"] = candidate.logprob / (len(own) + 1)
    return [{name: value for name, value in result.items() if value} for result in found]


def _lengths(candidate, own):
    is_text = isinstance(candidate.output, str)
    return {
        "number of words": len(own),
        "number of characters": len(candidate.output) if is_text else 0,
    }


def _overlap(given, own):
    known = set(given)
    if not known:
        return {}
    return {
        "words per word of input": len(own) / len(given),
        "share of words in the input": sum(word in known for word in own) / max(1, len(own)),
        "share of the input covered": len(known.intersection(own)) / len(known),
    }


def _add_grams(kind, grams, found):
    """Counts of n-grams but for those that all have once, and how many of the others have them."""
    having = Counter(chain.from_iterable(map(set, grams)))
    occurring = Counter(chain.from_iterable(grams))
    n = len(grams)
    for own, result in zip(grams, found, strict=True):
        if own and n > 1:
            agreeing = sum(having[gram] - 1 for gram in own)
            result[f"agreement of {kind}s"] = agreeing / (len(own) * (n - 1))
        telling = [gram for gram in own if having[gram] < n or occurring[gram] != n]
        result |= Counter(telling)
