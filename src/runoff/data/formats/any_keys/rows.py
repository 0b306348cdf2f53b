"""Lists out of objects or rows of any shape: a list each, or a candidate each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from runoff.data.formats.any_keys.candidates import (
    Where,
    as_gold,
    as_id,
    one_candidate,
    one_list,
    one_pair,
)
from runoff.data.formats.any_keys.mapping import PAIR, Map, no_outputs, value_at
from runoff.data.nbest import Candidate, NBest
from runoff.errors import FormatError

Row = tuple[int | None, Mapping[str, Any]]
"""An object and the line that it stands in, if it is known."""


def lists_of(rows: Iterable[Row], map: Map, path: object = None) -> Iterator[NBest]:
    """The lists of objects that have all candidates of a list, or of rows that have one each.

    Rows of one list stand together, and have the same id, or else the same input; or a map says
    how many of them are a list.

    Examples
    --------
    >>> rows = [{"prompt": "2+2", "completions": ["4", "5"], "rewards": [1, 0]}]
    >>> [nbest.candidates[0] for nbest in lists_of(((None, row) for row in rows), Map())]
    [Candidate(output='4', quality=1.0)]
    """
    group = _Group(map, path)
    for line, fields in rows:
        where = Where(path, line)
        keys = map.found(fields)
        if "output" not in map.keys and all(name in fields for name in PAIR):
            yield from group.end()
            yield one_pair(fields, keys, where)
            continue
        outputs = value_at(fields, keys.get("output"))
        if isinstance(outputs, list) and _are_candidates(outputs, keys["output"], map):
            if not outputs:
                raise where.error("has no candidates", keys["output"])
            yield from group.end()
            yield one_list(fields, keys, map, where)
        elif outputs is None and "features" not in fields:
            raise no_outputs(list(fields), path, line)
        else:
            yield from group.add(fields, keys, where)
    yield from group.end()


def _are_candidates(outputs: list[Any], key: str, map: Map) -> bool:
    """Whether a list has candidates; it may also be one output: a list of tags, chat messages."""
    chat = bool(outputs) and all(isinstance(one, Mapping) and "role" in one for one in outputs)
    return not chat


class _Group:
    """Gathers rows that are candidates of one list."""

    def __init__(self, map: Map, path: object) -> None:
        self._map, self._path = map, path
        self._name: Any = None
        self._candidates: list[Candidate] = []
        self._whole: dict[str, Any] = {}

    def add(self, fields: Mapping[str, Any], keys: Mapping[str, str], where: Where) -> list[NBest]:
        """Add a row; the list before it, if the row begins another."""
        name = self._name_of(fields, keys, where)
        done = self.end() if self._candidates and self._is_new(name) else []
        if not self._candidates:
            self._name = name
            self._whole = {
                "id": as_id(value_at(fields, keys.get("id"))),
                "input": value_at(fields, keys.get("input")),
                "gold": as_gold(value_at(fields, keys.get("gold"))),
            }
        parts = {p: k for p, k in keys.items() if p not in ("id", "input", "gold")}
        used = {keys[p] for p in ("id", "input", "gold") if p in keys}
        own = {key: value for key, value in fields.items() if key not in used}
        self._candidates.append(one_candidate(own, parts, where))
        return done

    def end(self) -> list[NBest]:
        """The list that was gathered, if there is any."""
        if not self._candidates:
            return []
        if self._map.n is not None and len(self._candidates) != self._map.n:
            problem = f"the last list has {len(self._candidates)} rows, not {self._map.n}"
            raise FormatError(problem, path=self._path, hint="--map n=N is the size of every list")
        made = NBest(candidates=self._candidates, **self._whole)
        self._candidates = []
        return [made]

    def _is_new(self, name: Any) -> bool:
        if self._map.n is not None:
            return len(self._candidates) == self._map.n
        return bool(name != self._name)

    def _name_of(self, fields: Mapping[str, Any], keys: Mapping[str, str], where: Where) -> Any:
        part = next((part for part in ("id", "input") if part in keys), None)
        if part is None and self._map.n is None:
            shown = ", ".join(map(str, list(fields)[:12]))
            raise FormatError(
                f"every row is one candidate, and nothing among {shown} says which are one list",
                path=self._path,
                line=where.line,
                hint="name the key that rows of a list share: --map id=KEY; or the number of rows "
                "of every list: --map n=10",
            )
        return None if part is None else value_at(fields, keys[part])
