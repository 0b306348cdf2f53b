"""Statements made from the fields of records and what is in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from runoff.data.records.records import Records
from runoff.proposers.identity.columns import Columns
from runoff.proposers.identity.fields import Field
from runoff.proposers.identity.language import WHOLE
from runoff.proposers.identity.statements import Statement, statement_of

RARE = 0.03
"""Fields that fewer records have are left out."""

DATED, USUAL = 0.3, 0.8
"""Share of records with a year for which years are asked of whole records, and not of a field."""

SAMPLE = 5000
"""Records that are looked at."""


def default_statements(records: Records, fields: Sequence[str]) -> list[Statement]:
    """Statements about fields, by what is in them: years, numbers, lists, names, text."""
    sample = records.take(range(min(len(records), SAMPLE)))
    columns = Columns.of(sample)
    found: list[dict[str, object]] = []
    dated = False
    for name in fields:
        field = columns.field(name)
        if _share(field, field.given) >= RARE:
            kind = kind_of(name, field)
            found += _statements(_quoted(name), name, kind)
            dated |= kind == "year" and _share(field, field.given) >= USUAL
    whole = columns.field(WHOLE)
    if not dated and _share(whole, ~np.isnan(whole.years)) >= DATED:
        found += _of_years(WHOLE)  # years are in one field here, in another there
    found += _graded("cosine", WHOLE) + _graded("token_set", WHOLE)
    found += _of_match()
    found.append({"mean": "apart"})
    found += [{"count": "records", "above": n} for n in (2, 4, 8, 16)]
    return [statement_of(one) for one in found]


def _share(field: Field, which: NDArray[np.bool_]) -> float:
    """The share of records whose value is one of these."""
    return float(np.sum(field.counts[which]) / max(1, len(field.codes)))


def _quoted(name: str) -> str:
    return name if re.fullmatch(r"[^\W\d][\w.-]*", name) else repr(name)


def kind_of(name: str, field: Field) -> str:
    """What is in a field: a list, years, numbers, names or text."""
    if any(isinstance(value, list) for value in field.values):
        return "list"
    there = _share(field, field.given)

    def most(holds: Iterable[bool]) -> bool:
        return _share(field, field.given & np.array(list(holds))) > 0.8 * there

    if most(len(text) <= 12 for text in field.texts) and most(~np.isnan(field.years)):
        return "year"
    if most(bool(re.fullmatch(r"[\d .-]+", text)) for text in field.texts):
        return "number"
    return "name" if "name" in name.casefold() or "author" in name.casefold() else "text"


def _statements(name: str, raw: str, kind: str) -> list[dict[str, object]]:
    missing: list[dict[str, object]] = [{"all": f"missing({name})"}, {"mean": f"missing({name})"}]
    if kind == "year":
        return [*missing, *_of_years(name), {"distinct": raw, "above": 2}]
    if kind == "number":
        return [*missing, *_matching(name), *_graded("ratio", name), {"distinct": raw, "above": 2}]
    if kind == "list":
        return [
            *missing,
            {"max": f"shared({name})"},
            {"mean": f"shared({name})"},
            {"some": f"shared({name}) > 0"},
            {"mean": f"shared({name}) > 0"},
            {"all": f"shared({name}) > 0"},
            *_graded("cosine", name),
        ]
    own = [*missing, *_matching(name), *_graded("token_sort", name), *_graded("token_set", name)]
    own += _graded("cosine", name)
    if kind == "name":
        own += [{"all": f"initials({name})"}, {"some": f"middle({name})"}]
    return own


def _of_years(name: str) -> list[dict[str, object]]:
    return [
        {"mean": f"years({name}) = 0"},
        {"all": f"years({name}) = 0"},
        {"some": f"years({name}) > 0"},
        {"some": f"years({name}) > 1"},
        {"some": f"years({name}) > 3"},
        {"some": f"years({name}) > 10"},
    ]


def _of_match() -> list[dict[str, object]]:
    ranges: list[dict[str, object]] = [{}, {"over": "between"}]
    return [
        {quantifier: of, **over}
        for over in ranges
        for quantifier, of in (
            ("min", "match(*)"),
            ("mean", "match(*)"),
            ("max", "match(*)"),
            ("mean", "match(*) > 0"),
            ("all", "match(*) > 0"),
            ("some", "match(*) < -3"),
            ("mean", "match(*) > -3"),
        )
    ]


def _matching(name: str) -> list[dict[str, object]]:
    return [
        {"all": f"equal({name})"},
        {"some": f"equal({name})"},
        {"mean": f"equal({name})"},
    ]


def _graded(function: str, name: str) -> list[dict[str, object]]:
    """The extremes and the mean of a similarity, and thresholds on the least."""
    call = f"{function}({name})"
    return [
        {"min": call},
        {"mean": call},
        {"mean": f"{call} > 0.5"},
        {"mean": f"{call} > 0.7"},
        {"mean": f"{call} > 0.9"},
    ]
