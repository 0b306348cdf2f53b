"""Extractors as values, and the features they give the candidates of a list.

An extractor takes `(input, candidate)` and returns feature names, or a mapping from names to
counts or other numbers. One that sees whole lists takes the `NBest` and returns one result per
candidate; one that sees whole documents takes all lists of one, and returns such results for each
list. No extractor ever sees gold or a quality. `runoff.features` has those that Runoff brings.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from runoff.data.nbest import Candidate, NBest
from runoff.engine import chunked
from runoff.errors import RunoffError
from runoff.problem.batch_features import BatchFeatures, CandidateError
from runoff.problem.trees import ReadTrees

Encode: TypeAlias = Callable[[Sequence[NBest], Sequence[int]], BatchFeatures]
"""Takes lists and thresholds, and gives the features of all candidates as arrays."""


class PieceFeatures(NamedTuple):
    """The features of every piece of the candidates of a list, as arrays.

    Parameters
    ----------
    pieces : how many each candidate has.
    keys : the fingerprints of features, see `runoff.problem.batch_features`.
    counts, ids, values : how many features each piece has, which, and what they add.
    """

    pieces: NDArray[np.int64]
    keys: NDArray[np.uint64]
    counts: NDArray[np.int64]
    ids: NDArray[np.uint32]
    values: NDArray[np.float64]


@dataclass(frozen=True)
class Pieces:
    """How the features of a candidate are found piece by piece, in one of two ways.

    Parameters
    ----------
    read : takes an input and a candidate, and gives the features that each piece adds, one after
        the other.
    length : takes the same, and gives the number of pieces.
    encode : takes a list, and gives those of all candidates at once.
    """

    read: Callable[[Any, Candidate], Iterable[Iterable[str] | Mapping[str, float]]] | None = None
    length: Callable[[Any, Candidate], int] | None = None
    encode: Callable[[NBest], PieceFeatures] | None = None


@dataclass(frozen=True)
class TreeSource:
    """How the trees of candidates are read.

    Parameters
    ----------
    lexical : whether they are parse trees that are to be lexicalised: every constituent gets the
        word of its head (`runoff.data.treebank.heads`) as another, leftmost daughter, and labels
        lose what follows `-` or `=`.
    read : a faster way than brackets, many lists in, arrays out.
    """

    lexical: bool = False
    read: Callable[[Sequence[NBest]], ReadTrees] | None = None


@dataclass(frozen=True)
class Extractor:
    """An extractor with the name by which a model remembers it.

    Parameters
    ----------
    function : takes an input and a candidate.
    whole_list : whether it takes a whole list instead, and gives one result per candidate.
    documents : whether it takes all lists of a document instead, and gives for each of them one
        result per candidate.
    encode : a faster way: many lists and thresholds in, arrays out, which hold what the function
        itself would have said. The lists come without gold.
    trees : if there is one, the function gives not features but a tree: brackets as text, or a
        `Tree`.
    pieces : if there is one, the features piece by piece; all together are the function's.
    light : whether the function costs next to nothing.
    """

    name: str
    function: Callable[..., Any]
    whole_list: bool = False
    documents: bool = False
    encode: Encode | None = None
    trees: TreeSource | None = None
    pieces: Pieces | None = None
    light: bool = False


def are_native(extractors: Iterable[Extractor]) -> bool:
    """Whether native code does what extractors do, but for next to nothing."""
    return all(one.encode is not None or one.light for one in extractors)


def extract(
    nbest: NBest, extractors: Sequence[Extractor], number: int = 1
) -> list[dict[str, float]]:
    """Named features of every candidate of a list; where two extractors agree on a name, they add.

    `number` is the list's place among others, for errors about lists without an id. Extractors that
    see documents see this list alone.

    Examples
    --------
    >>> from runoff.data.nbest import Candidate
    >>> own = Extractor("own", lambda input, candidate: candidate.features)
    >>> extract(NBest(candidates=[Candidate("a", features={"lm": -3})]), [own])
    [{'lm': -3}]
    """
    return next(extract_all([nbest], extractors, number))


def extract_all(
    lists: Sequence[NBest], extractors: Sequence[Extractor], first: int = 1
) -> Iterator[list[dict[str, float]]]:
    """What `extract` gives for lists that have whole documents; `first` is the first one's number.

    Neighbours with the same `NBest.document` are a document; a list without one is its own.
    """
    for number, own in _documents(lists, first):
        hidden = [nbest.without_gold() for nbest in own]
        shared = {
            one.name: _document_results(one, hidden, number) for one in extractors if one.documents
        }
        for place, nbest in enumerate(hidden):
            features: list[dict[str, float]] = [{} for _ in nbest.candidates]
            for extractor in extractors:
                results = (
                    shared[extractor.name][place]
                    if extractor.documents
                    else results_of(extractor, nbest, number + place)
                )
                for index, result in enumerate(results):
                    if result is None or result == {}:
                        continue
                    try:
                        features[index] = _added(features[index], result)
                    except (TypeError, ValueError, OverflowError) as error:
                        where = nbest, number + place, index
                        raise failure(extractor, *where, error) from None
            yield features


def _documents(lists: Sequence[NBest], first: int) -> Iterator[tuple[int, list[NBest]]]:
    """The lists of each document, and the number of the first of them."""
    for chunk in chunked(lists, 1, document_of):
        yield first, chunk
        first += len(chunk)


def document_of(nbest: NBest) -> Any:
    """The id of a list's document."""
    return nbest.document


def kept_together(extractors: Iterable[Extractor]) -> Callable[[NBest], Any] | None:
    """What keeps the lists of a document together, if an extractor has to see them so."""
    return document_of if any(one.documents for one in extractors) else None


def _document_results(extractor: Extractor, lists: list[NBest], number: int) -> list[list[Any]]:
    """What an extractor of documents gives for every candidate of every list of one."""
    try:
        found = [list(results) for results in extractor.function(lists)]
    except Exception as error:
        raise failure(extractor, lists[0], number, None, error) from error
    if len(found) != len(lists):
        problem = ValueError(f"{len(found)} results for the {len(lists)} lists of the document")
        raise failure(extractor, lists[0], number, None, problem)
    for place, (nbest, results) in enumerate(zip(lists, found, strict=True)):
        if len(results) != len(nbest):
            problem = ValueError(f"{len(results)} results for {len(nbest)} candidates")
            raise failure(extractor, nbest, number + place, None, problem)
    return found


def results_of(extractor: Extractor, nbest: NBest, number: int) -> list[Any]:
    """The result of an extractor for every candidate of a list; failures name the candidate."""
    if extractor.whole_list:
        try:
            results = list(extractor.function(nbest))
        except CandidateError as error:
            problem = ValueError(error.message)
            raise failure(extractor, nbest, number, error.candidate_index, problem) from None
        except Exception as error:
            raise failure(extractor, nbest, number, None, error) from error
        if len(results) != len(nbest):
            problem = ValueError(f"{len(results)} results for {len(nbest)} candidates")
            raise failure(extractor, nbest, number, None, problem)
        return results
    results = []
    for index, candidate in enumerate(nbest.candidates):
        try:
            results.append(extractor.function(nbest.input, candidate))
        except Exception as error:
            raise failure(extractor, nbest, number, index, error) from error
    return results


def _added(
    features: dict[str, float], result: Mapping[str, float] | Iterable[str]
) -> dict[str, float]:
    """The features with an extractor's result added."""
    if isinstance(result, str):
        raise TypeError("an extractor must return names or a mapping, not a string")
    numbers = result if isinstance(result, Mapping) else Counter(result)
    if not all(map(math.isfinite, numbers.values())):
        name = next(name for name, number in numbers.items() if not math.isfinite(number))
        raise ValueError(f"feature {name!r} is {numbers[name]}")
    if not features:
        return dict(numbers)
    for name, number in numbers.items():
        features[name] = features.get(name, 0) + number
    return features


def failure(
    extractor: Extractor, nbest: NBest, number: int, index: int | None, error: Exception
) -> RunoffError:
    """The error of an extractor that failed on a list, or on one of its candidates."""
    where = nbest.name(number) + ("" if index is None else f", candidate {index}")
    kind = "" if isinstance(error, ValueError) else f"{type(error).__name__}: "
    return RunoffError(f"extractor {extractor.name!r} failed on {where}: {kind}{error}")
