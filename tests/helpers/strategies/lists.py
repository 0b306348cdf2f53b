"""Hypothesis strategies for n-best lists: for every format, lists made of what it carries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from runoff.data.nbest import Candidate, NBest

Strategy = st.SearchStrategy[Any]

numbers = st.floats(allow_nan=False, allow_infinity=False)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
lines = texts.map(lambda text: text.replace("\r", "").replace("\n", ""))
trimmed = lines.map(lambda text: text.strip(" \t").replace("|||", "||"))
words = trimmed.map(lambda text: "".join(text.split())).filter(bool)
names = words.filter(lambda word: not word.isdigit())
fields = lines.map(lambda text: text.replace("\t", "")).filter(lambda text: text.strip(" "))
counts = st.integers(0, 10**17)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | numbers | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)


def maybe(strategy: Strategy) -> Strategy:
    """The strategy's values, or None."""
    return st.none() | strategy


def _extra(*known: str) -> Strategy:
    keys = texts.filter(lambda key: key not in known and not key.startswith("hyp_"))
    return st.dictionaries(keys, json_values, max_size=2)


def _candidates(**parts: Strategy) -> Strategy:
    return st.lists(st.builds(Candidate, **parts), min_size=1, max_size=4)


def _lists(ids: Strategy, candidates: Strategy, **parts: Strategy) -> Strategy:
    one = st.builds(NBest, id=ids, candidates=candidates, **parts)
    return st.lists(one, max_size=4, unique_by=lambda nbest: str(nbest.id))


def _jsonl() -> Strategy:
    candidate = dict(
        output=maybe(json_values),
        logprob=maybe(numbers),
        quality=maybe(numbers),
        features=maybe(st.dictionaries(texts, numbers, max_size=3)),
        score=maybe(numbers),
        rank=maybe(st.integers(0, 1000)),
        extra=_extra("output", "logprob", "quality", "features", "score", "rank"),
    )
    sound = st.builds(Candidate, **candidate).filter(
        lambda c: c.output is not None or c.features is not None
    )
    one = st.builds(
        NBest,
        id=maybe(texts | st.integers(-(2**63), 2**63 - 1)),
        input=json_values,
        candidates=st.lists(sound, min_size=1, max_size=3),
        gold=json_values,
        extra=_extra("id", "input", "gold", "candidates"),
    )
    return st.lists(one, max_size=4)


def _moses() -> Strategy:
    candidates = _candidates(
        output=trimmed,
        logprob=numbers,
        features=maybe(st.dictionaries(names | stems, numbers, min_size=1, max_size=5)),
        extra=st.just({}) | st.fixed_dictionaries({"columns": st.lists(trimmed, min_size=1)}),
    )
    return _lists(counts | names, candidates)


stems = st.builds("{}_{}".format, st.sampled_from(["TM", "LM", ""]), st.integers(0, 3))


def _bracket(label: str, children: list[str]) -> str:
    return f"({label} {' '.join(children)})"


labels = st.sampled_from(["S", "NP", "-LRB-", "VP|x", "é"])
trees = st.recursive(
    st.builds(lambda label, word: f"({label} {word})", labels, labels),
    lambda inner: st.builds(_bracket, labels, st.lists(inner, min_size=1, max_size=3)),
    max_leaves=8,
)


def _bllip() -> Strategy:
    return _lists(counts | names, _candidates(output=trees, logprob=numbers, score=maybe(numbers)))


def _espnet() -> Strategy:
    candidates = _candidates(output=texts, logprob=numbers, extra=_extra("score", "text"))
    ids = texts.filter(lambda name: name != "utts")
    return _lists(ids, candidates, gold=json_values, extra=_extra("ref"))


def _tsv() -> Strategy:
    one = st.builds(NBest, candidates=_candidates(output=lines, logprob=numbers))
    return st.lists(one, max_size=4)


def _svmlight() -> Strategy:
    plain = lines.filter(lambda name: not name.isdigit())
    comments = lines.map(lambda text: text.strip(" \t")).filter(bool)

    def of(ids: Strategy, features: Strategy) -> Strategy:
        candidates = _candidates(
            quality=numbers,
            features=st.dictionaries(features, numbers, max_size=4),
            extra=st.just({}) | st.fixed_dictionaries({"comment": comments}),
        )
        return _lists(ids, candidates)

    some = [(ids, names) for ids in (counts, plain) for names in (counts.map(str), plain)]
    return st.one_of([of(ids, names) for ids, names in some])


@st.composite
def _sentence(draw: Callable[[Strategy], Any]) -> NBest:
    size = draw(st.integers(1, 4))
    column = st.lists(fields, min_size=size, max_size=size)
    gold = draw(maybe(column.filter(lambda tags: set(tags) != {"_"})))
    outputs = draw(st.lists(column, min_size=1, max_size=3))
    return NBest(None, draw(column), [Candidate(output) for output in outputs], gold)


LISTS: dict[str, Strategy] = {
    "jsonl": _jsonl(),
    "moses": _moses(),
    "bllip": _bllip(),
    "espnet": _espnet(),
    "tsv": _tsv(),
    "svmlight": _svmlight(),
    "conll": st.lists(_sentence(), max_size=3),
}
"""For every format, lists that it carries whole."""
