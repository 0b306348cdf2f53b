"""The registry of feature extractors: plain functions from a candidate to named numbers.

An extractor takes `(input, candidate)` and returns feature names, or a mapping from names to
counts or other numbers. One that needs to see the whole list is marked with `whole_list`, takes
the `NBest` and returns one result per candidate; one that needs to see other sentences of the
document is marked with `whole_document`. No extractor ever sees gold or a quality.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeAlias, TypeVar

from runoff.data.nbest import Candidate
from runoff.errors import unknown_choice
from runoff.problem.extractor import Encode, Extractor, Pieces
from runoff.user_code import load_function, plugin, plugins

Function = TypeVar("Function", bound=Callable[..., Any])
AnyExtractors: TypeAlias = str | Sequence[str | Callable[..., Any]]
"""What functions that need features are given: one name, or names and functions."""

EXTRACTORS: dict[str, str | Callable[..., Any]] = {
    "changes": "runoff.features.changes:changes",
    "chunk-tree": "runoff.features.chunk_tree:chunk_tree",
    "given": "runoff.features.given:given",
    "links": "runoff.features.links:links",
    "lexical-tree": "runoff.features.trees:lexical_tree",
    "parse": "runoff.features.parse:parse",
    "parse-rich": "runoff.features.parse:parse_rich",
    "parse-small": "runoff.features.parse:parse_small",
    "phrases": "runoff.features.phrases:phrases",
    "tagging": "runoff.features.tagging:tagging",
    "text": "runoff.features.text:text",
    "tree": "runoff.features.trees:tree",
}
"""Extractors known by name: ours by place, a user's own as registered functions."""

_MARKED: dict[int, Extractor] = {}
"""Functions that are more than plain ones, by their identity."""


def mark(function: Function, **fields: Any) -> Function:
    """Note what kind of extractor a function is, as fields of `Extractor`; gives it back."""
    _MARKED[id(function)] = replace(_extractor("", function), **fields)
    return function


def _extractor(name: str, function: Callable[..., Any]) -> Extractor:
    """The function as an extractor of this name, of the kind that it was marked as."""
    return replace(_MARKED.get(id(function), Extractor(name, function)), name=name)


def whole_list(function: Function) -> Function:
    """Mark an extractor that takes an `NBest` and returns one result per candidate.

    Examples
    --------
    >>> @whole_list
    ... def size(nbest):
    ...     return [{"candidates": len(nbest)} for _ in nbest.candidates]
    """
    return mark(function, whole_list=True)


def whole_document(function: Function) -> Function:
    """Mark an extractor that takes all lists of a document, and returns such results for each.

    Lists are of one document if they stand together and have the same `document`, as those of files
    with `-DOCSTART-` lines do; a list without any is its own.

    Examples
    --------
    >>> @whole_document
    ... def elsewhere(lists):
    ...     first = [nbest.candidates[0].output for nbest in lists]
    ...     return [
    ...         [{"times in first place": first.count(c.output)} for c in nbest.candidates]
    ...         for nbest in lists
    ...     ]
    """
    return mark(function, documents=True)


def light(function: Function) -> Function:
    """Mark an extractor that costs next to nothing."""
    return mark(function, light=True)


def encoded_by(encode: Encode) -> Callable[[Function], Function]:
    """Mark an extractor that has a faster way: many lists and thresholds in, arrays out.

    The arrays hold what the function itself would have said; see
    `runoff.problem.batch_features`. The lists come without gold. A candidate that cannot be
    read is a `CandidateError`.
    """
    return lambda function: mark(function, encode=encode)


def read_by_pieces(
    read: Callable[[Any, Candidate], Any], length: Callable[[Any, Candidate], int]
) -> Callable[[Function], Function]:
    """Mark an extractor whose features come piece by piece, e.g. with each word of a candidate.

    What all pieces say together is what the function itself says. A candidate that cannot win may
    then be left before its end; see `runoff rerank --epsilon`.

    Parameters
    ----------
    read : takes an input and a candidate, and gives the features that each piece adds, one after
        the other.
    length : takes the same, and gives the number of pieces.

    Examples
    --------
    >>> def by_words(input, candidate):
    ...     for word in candidate.output.split():
    ...         yield [f"word: {word}"]
    >>> @read_by_pieces(by_words, length=lambda input, candidate: len(candidate.output.split()))
    ... def words(input, candidate):
    ...     return [f"word: {word}" for word in candidate.output.split()]
    """
    return lambda function: mark(function, pieces=Pieces(read, length))


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
        _extractor(name, _find(name))
        if isinstance(name, str)
        else _extractor(f"{name.__module__}:{name.__qualname__}", name)
        for name in ([names] if isinstance(names, str) else names)
    ]


def _find(name: str) -> Callable[..., Any]:
    known = EXTRACTORS.get(name) or plugin("features", name)
    if known is None and ":" not in name:
        choices = [*EXTRACTORS, *plugins("features"), "module:function"]
        raise unknown_choice("feature set", name, choices)
    place = name if known is None else known
    return load_function(place, "extractor") if isinstance(place, str) else place
