"""N-best lists: what a base system proposes for one input, and what a ranker orders.

Three numbers of a candidate are never mixed up: `logprob` is the base system's, `score` a
ranker's, `quality` a metric's against gold.
"""

from __future__ import annotations

import hashlib
import html
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec


class Candidate(msgspec.Struct, frozen=True, omit_defaults=True):
    """One proposal for an input.

    Parameters
    ----------
    output : the proposal: text, a bracketed tree, a list of tags, any JSON value.
    logprob : the base system's log-probability.
    quality : how good it is against gold, bigger is better, where it is known.
    features : named numbers that the list carries itself.
    score : what a ranker gave it.
    rank : its place in the base system's order, from 0, once a ranker has moved it.
    extra : keys of the file that Runoff does not know; they are kept.

    Examples
    --------
    >>> Candidate("I scream", -4.2)
    Candidate(output='I scream', logprob=-4.2)
    """

    output: Any = None
    logprob: float | None = None
    quality: float | None = None
    features: dict[str, float] | None = None
    score: float | None = None
    rank: int | None = None
    extra: dict[str, Any] = msgspec.field(default_factory=dict)

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        fields = ((name, getattr(self, name)) for name in self.__struct_fields__)
        return [(name, value) for name, value in fields if value is not None and value != {}]

    def __repr__(self) -> str:
        return f"Candidate({', '.join(f'{k}={v!r}' for k, v in self.__rich_repr__())})"


class NBest(msgspec.Struct, frozen=True, omit_defaults=True):
    """The candidates for one input, in the order in which they were delivered.

    Examples
    --------
    >>> nbest = NBest("u1", None, [Candidate("ice cream", -5.0), Candidate("I scream", -4.2)])
    >>> nbest.base_order()
    [1, 0]
    """

    id: str | int | None = None
    input: Any = None
    candidates: Sequence[Candidate] = ()
    gold: Any = None
    extra: dict[str, Any] = msgspec.field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.candidates)

    def _repr_html_(self) -> str:
        """The candidates as a table, for notebooks."""
        parts = ("output", "logprob", "quality", "score", "rank")
        shown = [p for p in parts if any(getattr(c, p) is not None for c in self.candidates)]
        heads = "".join(f"<th>{part}</th>" for part in shown)
        rows = [
            "".join(f"<td>{html.escape(str(getattr(one, part)))}</td>" for part in shown)
            for one in self.candidates
        ]
        body = "".join(f"<tr>{row}</tr>" for row in [heads, *rows])
        title = html.escape(f"{self.id}: {self.input}" if self.input is not None else f"{self.id}")
        return f"<table><caption>{title}</caption>{body}</table>"

    @property
    def document(self) -> Any:
        """Id of the document that the input is part of, which lists keep in `extra`, or None."""
        return self.extra.get("document")

    def name(self, number: int) -> str:
        """The name of the list in errors: its id, or its number among others."""
        return f"list {number}" if self.id is None else f"list {self.id!r}"

    def base_scores(self) -> list[float]:
        """The base system's score of each candidate: its log-probability, or minus its rank.

        A list that gives every candidate a log-probability is ordered by it. Any other list is
        taken in the order of `rank`, or as it stands.
        """
        logprobs = [c.logprob for c in self.candidates if c.logprob is not None]
        if len(logprobs) == len(self.candidates):
            return logprobs
        places = enumerate(self.candidates)
        return [-float(place if c.rank is None else c.rank) for place, c in places]

    def base_order(self) -> list[int]:
        """Indices of the candidates, the base system's first choice first.

        Ties keep the order of `rank`, which a reranked list remembers, or else of the list.
        """
        ranks = [place if c.rank is None else c.rank for place, c in enumerate(self.candidates)]
        places = sorted(range(len(ranks)), key=ranks.__getitem__)  # stable, as the next one
        return sorted(places, key=[-score for score in self.base_scores()].__getitem__)

    def base_ranks(self) -> list[int]:
        """The rank of each candidate in the base order, from 0."""
        ranks = [0] * len(self.candidates)
        for rank, place in enumerate(self.base_order()):
            ranks[place] = rank
        return ranks

    def without_gold(self) -> NBest:
        """The list as a ranker may see it: without gold, qualities and earlier scores."""
        if self.gold is None and all(map(_is_open, self.candidates)):
            return self
        candidates = [
            c if _is_open(c) else msgspec.structs.replace(c, quality=None, score=None)
            for c in self.candidates
        ]
        return msgspec.structs.replace(self, candidates=candidates, gold=None)


def _is_open(candidate: Candidate) -> bool:
    """Whether a ranker may see all of a candidate."""
    return candidate.quality is None and candidate.score is None


class ListsHash:
    """A hash of all that lists hold, whatever their order, taken while they pass by.

    Examples
    --------
    >>> lists = [NBest("a", None, [Candidate("b")]), NBest("c", None, [Candidate("d")])]
    >>> one, other = ListsHash(), ListsHash()
    >>> len([*one.watch(lists)]), len([*other.watch(reversed(lists))])
    (2, 2)
    >>> one.hexdigest() == other.hexdigest()
    True
    """

    def __init__(self) -> None:
        self._hashes: list[bytes] = []
        self._documents: list[bytes | None] = []

    def watch(self, lists: Iterable[NBest]) -> Iterator[NBest]:
        """The lists, unchanged."""
        for nbest in lists:
            self._hashes.append(hashlib.blake2b(_as_bytes(nbest), digest_size=16).digest())
            own = (
                None if nbest.document is None else repr(nbest.document).encode("utf-8", "replace")
            )
            self._documents.append(own)
            yield nbest

    def documents(self) -> list[int] | None:
        """A number for the document of each list that has passed; None where no list has any.

        A list without a document is its own.
        """
        if not any(self._documents):
            return None
        named = zip(self._documents, self._hashes, strict=True)
        digests = [hashlib.blake2b(own or other, digest_size=7).digest() for own, other in named]
        return [int.from_bytes(one, "big") for one in digests]

    def hexdigest(self) -> str:
        """The hash of all lists that have passed."""
        return hashlib.blake2b(b"".join(sorted(self._hashes)), digest_size=16).hexdigest()


def _as_bytes(nbest: NBest) -> bytes:
    try:
        return _ENCODER.encode(nbest)
    except (UnicodeEncodeError, OverflowError):  # lists that no file can hold, made in Python
        return repr(nbest).encode("utf-8", "surrogatepass")


def _plain(value: Any) -> Any:
    """Numpy's numbers and arrays as Python's, other objects, such as trees, as text."""
    return value.tolist() if hasattr(value, "tolist") else str(value)


_ENCODER = msgspec.msgpack.Encoder(enc_hook=_plain, order="deterministic")
