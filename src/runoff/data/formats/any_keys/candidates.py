"""Candidates and lists out of objects whose keys are known."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from runoff.data.formats.any_keys.mapping import MEASURES, PAIR, Map, plain_name, value_at
from runoff.data.formats.common import shown
from runoff.data.nbest import Candidate, NBest
from runoff.errors import FormatError

OWN = ("score", "rank")
"""Parts that Runoff writes itself, which are read back when both are there."""


def one_candidate(fields: Mapping[str, Any], keys: Mapping[str, str], where: Where) -> Candidate:
    """The candidate that an object or a row describes.

    A number under a key that is no part of a candidate is a feature of that name; anything else is
    kept in `extra`.
    """
    part = {name: value_at(fields, keys.get(name)) for name in ("output", "logprob", "quality")}
    used = {key.partition(".")[0] for key in keys.values()} | {"features"}
    reranked = all(name in fields for name in OWN)
    if reranked:
        used |= {*OWN}
    features = where.numbers(fields.get("features"), "features")
    extra: dict[str, Any] = {}
    for key, value in fields.items():
        if key in used or value is None or value == "":
            continue
        number = as_number(value)
        if number is not None and plain_name(key) not in MEASURES:
            features[key] = number
        else:
            extra[key] = value
    rank = where.number(fields["rank"], "rank") if reranked else None
    return Candidate(
        output=as_text(part["output"]),
        logprob=where.number(part["logprob"], keys.get("logprob")),
        quality=where.number(part["quality"], keys.get("quality")),
        features=features or None,
        score=where.number(fields["score"], "score") if reranked else None,
        rank=None if rank is None else int(rank),
        extra=extra,
    )


def one_list(fields: Mapping[str, Any], keys: Mapping[str, str], map: Map, where: Where) -> NBest:
    """The list of an object that has all its candidates: texts, objects, or lists side by side."""
    outputs = value_at(fields, keys["output"])
    n = len(outputs)
    aside = {
        key: value
        for key, value in fields.items()
        if isinstance(value, list) and len(value) == n and key not in (keys["output"], *_own(keys))
    }
    for part in ("logprob", "quality"):
        found = value_at(fields, keys.get(part))
        if found is not None and (not isinstance(found, list) or len(found) != n):
            had = len(found) if isinstance(found, list) else "no list"
            problem = f"there are {n} candidates, and {had} of {keys[part]}"
            raise where.error(problem, keys[part])
    candidates = []
    for place, output in enumerate(outputs):
        own = {key: value[place] for key, value in aside.items()}
        inner = Where(where.path, where.line, f"{keys['output']}[{place}]")
        if isinstance(output, Mapping):
            own |= output
            # what the map says of the whole is not looked for in a part
            named = {p: k for p, k in map.keys.items() if k in own and p not in _WHOLE}
            own_keys = (Map(named) if named else _NO_MAP).found(own)
            if "output" not in own_keys and fields.get("features") is None:
                own_keys = {**own_keys, **_chat(output)}
            if "output" not in own_keys and not isinstance(own.get("features"), Mapping):
                raise inner.error(f"found no text among the keys {', '.join(map_keys(own))}")
        else:
            own_keys = {p: keys[p] for p in ("logprob", "quality") if keys.get(p) in own}
            own, own_keys = {**own, "output": output}, {**own_keys, "output": "output"}
        parts = {p: k for p, k in own_keys.items() if p not in _WHOLE}
        candidates.append(one_candidate(own, parts, inner))
    used = {key.partition(".")[0] for key in keys.values()} | aside.keys()
    return NBest(
        as_id(value_at(fields, keys.get("id"))),
        value_at(fields, keys.get("input")),
        candidates,
        as_gold(value_at(fields, keys.get("gold"))),
        {key: value for key, value in fields.items() if key not in used},
    )


_WHOLE = ("id", "input", "gold")
_NO_MAP = Map()


def _own(keys: Mapping[str, str]) -> list[str]:
    """Keys of the list itself, whose values are not lists beside the candidates."""
    return [keys[part] for part in _WHOLE if part in keys]


def _chat(output: Mapping[str, Any]) -> dict[str, str]:
    return {"output": "message"} if "message" in output else {}


def map_keys(fields: Mapping[str, Any]) -> list[str]:
    """The first keys of an object, for an error."""
    return [shown(str(key)) for key in list(fields)[:12]]


def one_pair(fields: Mapping[str, Any], keys: Mapping[str, str], where: Where) -> NBest:
    """The list of a preferred answer and a rejected one, in an order that does not tell which.

    Scores of the two (`score_chosen`) are their qualities where there are any, else 1 and 0.
    """
    candidates = []
    for name, default in zip(PAIR, (1.0, 0.0), strict=True):
        given = fields.get(f"score_{name}", fields.get(f"{name}_score", default))
        quality = where.number(given, f"score_{name}")
        candidates.append(Candidate(as_text(fields[name]), quality=quality))
    candidates.sort(key=lambda one: str(one.output))
    scores = {f"score_{name}" for name in PAIR} | {f"{name}_score" for name in PAIR}
    used = {*PAIR, *scores, *keys.values()}
    return NBest(
        as_id(value_at(fields, keys.get("id"))),
        value_at(fields, keys.get("input")),
        candidates,
        extra={key: value for key, value in fields.items() if key not in used},
    )


class Where:
    """The place of an object in a file, for errors."""

    def __init__(self, path: object, line: int | None, key: str | None = None) -> None:
        self.path, self.line, self.key = path, line, key

    def error(self, problem: str, key: str | None = None) -> FormatError:
        """The error for this place."""
        name = ".".join(part for part in (self.key, key) if part)
        return FormatError(problem, path=self.path, line=self.line, key=name or None)

    def number(self, value: Any, key: str | None) -> float | None:
        """The number that a value is or spells; true is 1."""
        if value is None or value == "":
            return None
        number = as_number(value)
        if number is None:
            raise self.error(f"expected a number, got {shown(str(value))}", key)
        return number

    def numbers(self, value: Any, key: str) -> dict[str, float]:
        """The named numbers of an object."""
        if value is None:
            return {}
        if not isinstance(value, Mapping):
            raise self.error(f"expected named numbers, got {shown(str(value))}", key)
        found = {str(name): self.number(one, f"{key}.{name}") for name, one in value.items()}
        return {name: number for name, number in found.items() if number is not None}


def as_number(value: Any) -> float | None:
    """The finite number that a value is or spells, true is 1; None for anything else.

    Examples
    --------
    >>> as_number(True), as_number("-1.5"), as_number("1_0"), as_number("high")
    (1.0, -1.5, None, None)
    """
    if isinstance(value, str):
        if "_" in value or not value.strip():
            return None
        lower = value.strip().lower()
        if lower in ("true", "false"):
            return float(lower == "true")
    elif not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def as_text(value: Any) -> Any:
    """The text of a chat message, or of the last of several; any other value as it is.

    Examples
    --------
    >>> as_text([{"role": "user", "content": "2+2?"}, {"role": "assistant", "content": "4"}])
    '4'
    >>> as_text(["B-NP", "O"])
    ['B-NP', 'O']
    """
    if isinstance(value, Mapping) and "content" in value:
        return as_text(value["content"])
    if isinstance(value, list) and value and isinstance(value[-1], Mapping):
        last = value[-1]
        if "content" in last:
            return as_text(last["content"])
        if all(isinstance(one, Mapping) and isinstance(one.get("text"), str) for one in value):
            return "".join(one["text"] for one in value)
    return value


def as_gold(value: Any) -> Any:
    """The reference; of a message, its text."""
    return as_text(value)


def as_id(value: Any) -> str | int | None:
    """The id of a list: text or a whole number."""
    if value is None or (isinstance(value, str | int) and not isinstance(value, bool)):
        return value
    return str(value)
