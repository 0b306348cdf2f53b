"""Feature extractors: plain functions from a candidate to named numbers.

An extractor takes `(input, candidate)` and returns feature names, or a mapping from names to
counts or other numbers. One that needs to see the whole list is marked with `whole_list`, takes
the `NBest` and returns one result per candidate. No extractor ever sees gold or a quality.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias, TypeVar

from runoff.data.nbest import NBest
from runoff.errors import RunoffError, unknown_choice
from runoff.problem.build.batch_features import Encoded, ListError
from runoff.user_code import load_function

Function = TypeVar("Function", bound=Callable[..., Any])
Encode: TypeAlias = Callable[[Sequence[NBest], Sequence[int]], Encoded]
AnyExtractors: TypeAlias = str | Sequence[str | Callable[..., Any]]
"""What functions that need features are given: one name, or names and functions."""

EXTRACTORS: dict[str, str | Callable[..., Any]] = {
    "chunk-tree": "runoff.features.chunk_tree:chunk_tree",
    "given": "runoff.features.given:given",
    "lexical-tree": "runoff.features.trees:lexical_tree",
    "parse": "runoff.features.parse:parse",
    "parse-rich": "runoff.features.parse:parse_rich",
    "phrases": "runoff.features.phrases:phrases",
    "tagging": "runoff.features.tagging:tagging",
    "text": "runoff.features.text:text",
    "tree": "runoff.features.trees:tree",
}
"""Extractors known by name: ours by place, a user's own as registered functions."""


class Extractor(NamedTuple):
    """An extractor with the name by which a model remembers it."""

    name: str
    function: Callable[..., Any]

    @property
    def encode(self) -> Encode | None:
        """How it encodes many lists at once, if it can; see `encoded_by`."""
        return getattr(self.function, "encode", None)

    @property
    def makes_trees(self) -> bool:
        """Whether it gives trees, not features; see `runoff.features.trees`."""
        return hasattr(self.function, "lexical")


def whole_list(function: Function) -> Function:
    """Mark an extractor that takes an `NBest` and returns one result per candidate.

    Examples
    --------
    >>> @whole_list
    ... def size(nbest):
    ...     return [{"candidates": len(nbest)} for _ in nbest.candidates]
    """
    function.whole_list = True  # type: ignore[attr-defined]
    return function


def encoded_by(encode: Encode) -> Callable[[Function], Function]:
    """Mark an extractor that has a faster way: many lists and thresholds in, arrays out.

    The arrays hold what the function itself would have said; see
    `runoff.problem.build.batch_features`. The lists come without gold. A candidate that cannot be
    read is a `ListError`.
    """

    def mark(function: Function) -> Function:
        function.encode = encode  # type: ignore[attr-defined]
        return function

    return mark


def extractor(name: str) -> Callable[[Function], Function]:
    """Register an extractor under a name.

    Examples
    --------
    >>> @extractor("shouting")
    ... def shouting(input, candidate):
    ...     return ["shouts"] if candidate.output.isupper() else []
    >>> find_extractors(["shouting"])[0].function is shouting
    True
    """

    def register(function: Function) -> Function:
        EXTRACTORS[name] = function
        return function

    return register


def find_extractors(names: AnyExtractors) -> list[Extractor]:
    """The extractors of these names; `module:function` imports a user's own.

    Only names that the user typed may come here: a model file's are checked by the caller first.

    Examples
    --------
    >>> def capitals(input, candidate):
    ...     return {"capitals": sum(letter.isupper() for letter in candidate.output)}
    >>> [one.name.split(":")[-1] for one in find_extractors(["text", capitals])]
    ['text', 'capitals']
    """
    return [
        Extractor(name, _find(name))
        if isinstance(name, str)
        else Extractor(f"{name.__module__}:{name.__qualname__}", name)
        for name in ([names] if isinstance(names, str) else names)
    ]


def _find(name: str) -> Callable[..., Any]:
    known = EXTRACTORS.get(name)
    if known is None and ":" not in name:
        raise unknown_choice("feature set", name, [*EXTRACTORS, "module:function"])
    place = name if known is None else known
    return load_function(place, "extractor") if isinstance(place, str) else place


def extract(
    nbest: NBest, extractors: Sequence[Extractor], number: int = 1
) -> list[dict[str, float]]:
    """Named features of every candidate of a list; where two extractors agree on a name, they add.

    `number` is the list's place among others, for errors about lists without an id.

    Examples
    --------
    >>> from runoff.data.nbest import Candidate
    >>> extract(NBest(candidates=[Candidate("a", features={"lm": -3})]), find_extractors(["given"]))
    [{'lm': -3}]
    """
    hidden = nbest.without_gold()
    features: list[dict[str, float]] = [{} for _ in hidden.candidates]
    for one in extractors:
        for place, result in enumerate(results_of(one, hidden, number)):
            try:
                features[place] = _added(features[place], result)
            except (TypeError, ValueError, OverflowError) as error:
                raise complaint(one, nbest, number, place, error) from None
    return features


def results_of(one: Extractor, nbest: NBest, number: int) -> list[Any]:
    """What an extractor gives for every candidate of a list; its failures are complained about."""
    if getattr(one.function, "whole_list", False):
        try:
            results = list(one.function(nbest))
        except ListError as error:
            raise complaint(one, nbest, number, error.place, ValueError(error.message)) from None
        except Exception as error:
            raise complaint(one, nbest, number, None, error) from error
        if len(results) != len(nbest):
            problem = ValueError(f"{len(results)} results for {len(nbest)} candidates")
            raise complaint(one, nbest, number, None, problem)
        return results
    results = []
    for place, candidate in enumerate(nbest.candidates):
        try:
            results.append(one.function(nbest.input, candidate))
        except Exception as error:
            raise complaint(one, nbest, number, place, error) from error
    return results


def _added(
    features: dict[str, float], result: Mapping[str, float] | Iterable[str] | None
) -> dict[str, float]:
    """The features with an extractor's result added."""
    if result is None:
        return features
    if isinstance(result, str):
        raise TypeError("an extractor returns names, not one text")
    numbers = result if isinstance(result, Mapping) else Counter(result)
    if not all(map(math.isfinite, numbers.values())):
        name = next(name for name, number in numbers.items() if not math.isfinite(number))
        raise ValueError(f"feature {name!r} is {numbers[name]}")
    if not features:
        return dict(numbers)
    for name, number in numbers.items():
        features[name] = features.get(name, 0) + number
    return features


def complaint(
    one: Extractor, nbest: NBest, number: int, place: int | None, error: Exception
) -> RunoffError:
    """What to tell the user about an extractor that failed, and where."""
    where = nbest.name(number) + ("" if place is None else f", candidate {place}")
    kind = "" if isinstance(error, ValueError) else f"{type(error).__name__}: "
    return RunoffError(f"extractor {one.name!r} failed on {where}: {kind}{error}")
