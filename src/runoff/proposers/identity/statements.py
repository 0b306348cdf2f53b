"""Statements about sets of records, e.g. *some two titles are less than 30% similar*.

Culotta & McCallum (2006), sections 3.3 and 4: a quantifier over the pairs, or the records, of a
set. In a file they are tables of TOML:

    [[statement]]
    some = "ratio(title) < 30%"

    [[statement]]
    min = "ratio(title)"
    above = 0.5

    [[statement]]
    distinct = "first_name"
    above = 2

A quantifier speaks of pairs that have a value; where a field is missing, they have none.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from runoff.data.files import FilePath, read_whole
from runoff.errors import FormatError, UsageError, unknown_choice
from runoff.proposers.identity.columns import PAIR_FUNCTIONS, RECORD_FUNCTIONS
from runoff.proposers.identity.language import MATCH, WHOLE, Expression, calls, is_test, parse

OVER = {"pairs": "over pairs", "records": "over records", "between": "between"}
QUANTIFIERS = ("all", "some", "count", "distinct", "min", "max", "mean")
NUMBERS = ("min", "max", "mean")
"""Quantifiers of numbers; the others are of what is true or false."""

APART, RECORDS = "apart", "records"
"""Words that are no expressions: pairs that canopies keep apart, and the records of a set."""


@dataclass(frozen=True)
class Statement:
    """A statement about a set: a quantifier, of what, and perhaps a threshold.

    Parameters
    ----------
    of : an expression; the name of a field after `distinct`; `records` after `count`; `apart`
        after `mean`.
    over : what the quantifier is over: pairs or records of the set, or the pairs `between` the two
        sets that a merge joins.
    above, below : with one of them, the value is 1 if it lies there, else 0.
    name : what reports call it; by default what it says.
    """

    quantifier: str
    of: Expression | str
    over: str = "pairs"
    above: float | None = None
    below: float | None = None
    name: str = ""

    def __str__(self) -> str:
        return self.name or self.formula

    @property
    def formula(self) -> str:
        """What it says, in a line."""
        over = "" if self.over == "pairs" else f" {OVER[self.over]}"
        test = "" if self.above is None else f" > {self.above:g}"
        test = test if self.below is None else f" < {self.below:g}"
        return f"{self.quantifier} {self.of}{over}{test}"

    @property
    def of_pairs(self) -> bool:
        """Whether it is a statement that the model of pairs has."""
        if isinstance(self.of, str) or self.over == "between":
            return self.quantifier == "distinct"
        return all(call.function != MATCH for call in calls(self.of))

    @property
    def fields(self) -> list[str]:
        """The fields that it speaks of; none of the whole record."""
        if isinstance(self.of, str):
            return [self.of] if self.quantifier == "distinct" else []
        return [call.field for call in calls(self.of) if call.field != WHOLE]

    def as_toml(self) -> dict[str, Any]:
        """Its keys in a file."""
        given = {
            "name": self.name or None,
            self.quantifier: str(self.of),
            "over": self.over if self.over != "pairs" else None,
            "above": self.above,
            "below": self.below,
        }
        return {key: value for key, value in given.items() if value is not None}


def statement_of(given: Mapping[str, Any]) -> Statement:
    """The statement of the keys of a table, checked but for its fields.

    Examples
    --------
    >>> print(statement_of({"some": "ratio(title) < 30%"}))
    some ratio(title) < 0.3
    """
    known = (*QUANTIFIERS, "over", "above", "below", "name")
    for key in given:
        if key not in known:
            raise unknown_choice("key of a statement", key, known)
    found = [key for key in given if key in QUANTIFIERS]
    if len(found) != 1:
        named = f"has {' and '.join(found)}" if found else "has none"
        raise UsageError(f"a statement has one quantifier ({', '.join(QUANTIFIERS)}); this {named}")
    (quantifier,) = found
    _check_types(given, quantifier)
    over = given.get("over", "pairs")
    of = _checked_of(quantifier, given[quantifier], over)
    limits = {key: float(given[key]) for key in ("above", "below") if key in given}
    if len(limits) > 1 or (limits and quantifier in ("all", "some")):
        raise UsageError(f"{quantifier!r} takes {'one' if len(limits) > 1 else 'no'} threshold")
    return Statement(quantifier, of, over, name=given.get("name", ""), **limits)


def _check_types(given: Mapping[str, Any], quantifier: str) -> None:
    for key, value in given.items():
        number = key in ("above", "below")
        if not isinstance(value, int | float if number else str) or isinstance(value, bool):
            wanted = "a number" if number else "text"
            raise UsageError(f"{key} must be {wanted}, not {value!r}")
    if given.get("over", "pairs") not in OVER:
        raise unknown_choice("range of a quantifier", given["over"], OVER)


def _checked_of(quantifier: str, text: str, over: str) -> Expression | str:
    if quantifier == "distinct":
        return text
    if (quantifier, text) in (("count", RECORDS), ("mean", APART)):
        return text
    expression = parse(text)
    functions = RECORD_FUNCTIONS if over == "records" else [*PAIR_FUNCTIONS, MATCH]
    for call in calls(expression):
        if call.function not in functions:
            raise unknown_choice(f"function of {over}", call.function, functions)
    if quantifier not in NUMBERS and not is_test(expression):
        raise UsageError(
            f"{quantifier!r} needs something that is true or false, and {expression} is a number",
            hint=f'compare it, e.g. {quantifier} = "{expression} > 0.5"',
        )
    return expression


def check_fields(
    statements: Iterable[Statement],
    fields: Sequence[str],
    lines: Sequence[int] = (),
    path: Any = None,
) -> None:
    """Raise an error for a statement about a field that the records do not have."""
    for place, one in enumerate(statements):
        for field in one.fields:
            if field not in fields:
                error = unknown_choice("field", field, fields)
                line = lines[place] if lines else None
                problem = f"{error.message} (in {str(one)!r})" if not lines else error.message
                raise FormatError(problem, path=path, line=line, hint=error.hint)


def read_statements(path: FilePath, fields: Sequence[str] | None = None) -> list[Statement]:
    """The statements of a TOML file; errors name the line.

    Parameters
    ----------
    fields : those of the records, if they are known.
    """
    try:
        text = read_whole(path).decode("utf-8")
        given = tomllib.loads(text)
    except UnicodeDecodeError as error:
        raise FormatError(f"not UTF-8 (byte {error.start})", path=path) from None
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\(at line (\d+), column \d+\)", str(error))
        line = int(place[1]) if place else None
        raise FormatError(str(error).partition(" (at")[0], path=path, line=line) from None
    tables = given.pop("statement", [])
    if given or not isinstance(tables, list) or not all(isinstance(t, dict) for t in tables):
        other = next(iter(given), "statement")
        line = _line(text, rf"\[*\s*{re.escape(other)}\b")
        raise FormatError(f"unknown key {other!r}; expected [[statement]]", path=path, line=line)
    if not tables:
        raise FormatError("there are no statements ([[statement]])", path=path)
    starts = [
        number
        for number, line in enumerate(text.splitlines(), 1)
        if re.match(r"\s*\[\[\s*[\"']?statement[\"']?\s*\]\]", line)
    ]
    starts = starts if len(starts) == len(tables) else [1] * len(tables)
    statements = [
        _located(table, path, line, text) for table, line in zip(tables, starts, strict=True)
    ]
    if fields is not None:
        check_fields(statements, fields, starts, path)
    return statements


def _located(table: Mapping[str, Any], path: FilePath, line: int, text: str) -> Statement:
    try:
        return statement_of(table)
    except (FormatError, UsageError) as error:
        raise FormatError(error.message, path=path, line=line, hint=error.hint) from None


def _line(text: str, pattern: str) -> int | None:
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(rf"\s*{pattern}", line):
            return number
    return None


def statements_text(statements: Iterable[Statement]) -> str:
    """Statements as a TOML file.

    Examples
    --------
    >>> print(statements_text([statement_of({"min": "ratio(title)", "above": 0.5})]), end="")
    [[statement]]
    min = "ratio(title)"
    above = 0.5
    """
    return "\n".join(
        "".join(["[[statement]]\n", *(f"{k} = {_toml(v)}\n" for k, v in one.as_toml().items())])
        for one in statements
    )


def _toml(value: Any) -> str:
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return '"' + "".join(c if c >= " " else f"\\u{ord(c):04x}" for c in escaped) + '"'
    return f"{value:g}"
