"""Expressions in statements, e.g. `ratio(title) < 0.3 and not missing(year)`.

An expression speaks of a pair of records, or of one record. It is parsed into a small tree, and
nothing of it is ever run as code. A comparison of values that a pair does not have is neither true
nor false, and `and`, `or`, `not` treat it as unknown (Kleene).

    expression  = conjunction { "or" conjunction }
    conjunction = negation { "and" negation }
    negation    = "not" negation | comparison
    comparison  = operand [ ("<" | "<=" | ">" | ">=" | "=") number [ "%" ] ]
    operand     = "(" expression ")" | function "(" field ")"
    field       = name | quoted name | "*", which is the whole record
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from runoff.errors import FormatError

Floats: TypeAlias = NDArray[np.float32]

WHOLE = "*"
"""What stands for all fields of a record together."""

OPERATORS: Mapping[str, Callable[[Floats, float], Any]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "=": lambda a, b: a == b,
}

_TOKEN = re.compile(
    r"\s*(?:(?P<number>-?\d+(?:\.\d+)?%?)|(?P<name>[^\W\d][\w.-]*)|(?P<quoted>'[^']*'|\"[^\"]*\")"
    r"|(?P<sign><=|>=|[<>=()*]))"
)


@dataclass(frozen=True)
class Call:
    """A function of a field, e.g. `ratio(title)`: a number for each pair, or each record."""

    function: str
    field: str

    def __str__(self) -> str:
        plain = self.field == WHOLE or re.fullmatch(r"[^\W\d][\w.-]*", self.field)
        return f"{self.function}({self.field if plain else repr(self.field)})"


@dataclass(frozen=True)
class Compare:
    """A comparison with a number."""

    operand: Expression
    operator: str
    number: float

    def __str__(self) -> str:
        return f"{_inner(self.operand)} {self.operator} {self.number:g}"


@dataclass(frozen=True)
class Not:
    """What does not hold."""

    operand: Expression

    def __str__(self) -> str:
        return f"not {_inner(self.operand)}"


@dataclass(frozen=True)
class Both:
    """`and` or `or` of two expressions."""

    word: str
    left: Expression
    right: Expression

    def __str__(self) -> str:
        return f"{_inner(self.left, self.word)} {self.word} {_inner(self.right)}"


Expression: TypeAlias = Call | Compare | Not | Both


def parse(text: str) -> Expression:
    """The expression of a text.

    Examples
    --------
    >>> print(parse("ratio(title)<30% and not (missing(year) or equal(year))"))
    ratio(title) < 0.3 and not (missing(year) or equal(year))
    >>> parse("ratio title")
    Traceback (most recent call last):
    ...
    runoff.errors.FormatError: 'ratio title': expected '(' at 'title'
    """
    reader = _Reader(text)
    found = reader.disjunction()
    if reader.kind:
        raise reader.error("expected the end")
    return found


def calls(expression: Expression) -> Iterator[Call]:
    """The functions of fields that an expression has."""
    match expression:
        case Call():
            yield expression
        case Compare(operand) | Not(operand):
            yield from calls(operand)
        case Both(_, left, right):
            yield from calls(left)
            yield from calls(right)


def evaluate(expression: Expression, values: Callable[[Call], Floats]) -> Floats:
    """The values of an expression; what is unknown is NaN.

    Examples
    --------
    >>> known = np.array([0.2, 0.9, np.nan], dtype=np.float32)
    >>> evaluate(parse("not ratio(title) < 0.3"), lambda call: known)
    array([ 0.,  1., nan], dtype=float32)
    """
    match expression:
        case Call():
            return values(expression)
        case Compare(operand, operator, number):
            found = evaluate(operand, values)
            held = OPERATORS[operator](found, float(np.float32(number)))
            return np.where(np.isnan(found), np.float32(np.nan), held).astype(np.float32)
        case Not(operand):
            return np.float32(1) - (evaluate(operand, values))
        case Both(word, left, right):
            a, b = evaluate(left, values), evaluate(right, values)
            return _either(a, b) if word == "or" else 1 - _either(1 - a, 1 - b)


def is_test(expression: Expression) -> bool:
    """Whether an expression is true or false of a pair, rather than a number."""
    return not isinstance(expression, Call) or expression.function in TRUE_OR_FALSE


MATCH = "match"
"""The function of a pair that is its log-odds by the model of pairs: `match(*)`."""

TRUE_OR_FALSE = frozenset({"equal", "missing", "initials", "middle"})
"""Functions whose values are 0 and 1."""


def _either(a: Floats, b: Floats) -> Floats:
    """Kleene's `or`: true if either is, else unknown if either is."""
    true = (a == 1) | (b == 1)
    unknown = np.isnan(a) | np.isnan(b)
    found: Floats = np.where(true, 1, np.where(unknown, np.nan, 0)).astype(np.float32)
    return found


def _inner(expression: Expression, word: str | None = None) -> str:
    bare = isinstance(expression, Call | Compare | Not)
    bare = bare or (isinstance(expression, Both) and expression.word == word)
    return str(expression) if bare else f"({expression})"


class _Reader:
    """Reads an expression from left to right, one token ahead."""

    def __init__(self, text: str) -> None:
        self.text, self.place, self.kind, self.token = text, 0, "", ""
        self.step()

    def step(self) -> str:
        """The current token; the next one is read."""
        found, self.start = self.token, self.place
        if not self.text[self.place :].strip():
            self.kind = self.token = ""
            return found
        match = _TOKEN.match(self.text, self.place)
        if match is None:
            self.token = self.text[self.place :].split()[0]
            raise self.error("not part of any expression")
        self.place, self.kind = match.end(), match.lastgroup or ""
        self.token = match[self.kind]
        return found

    def error(self, problem: str) -> FormatError:
        where = f"at {self.token!r}" if self.kind or self.token else "at the end"
        return FormatError(f"{self.text!r}: {problem} {where}")

    def takes(self, *tokens: str) -> bool:
        """Whether the current token is one of these."""
        return self.kind in ("name", "sign") and self.token in tokens

    def expect(self, sign: str) -> None:
        if not self.takes(sign):
            raise self.error(f"expected {sign!r}")
        self.step()

    def disjunction(self) -> Expression:
        found = self.conjunction()
        while self.takes("or"):
            self.step()
            found = Both("or", _test(found, self), _test(self.conjunction(), self))
        return found

    def conjunction(self) -> Expression:
        found = self.negation()
        while self.takes("and"):
            self.step()
            found = Both("and", _test(found, self), _test(self.negation(), self))
        return found

    def negation(self) -> Expression:
        if self.takes("not"):
            self.step()
            return Not(_test(self.negation(), self))
        return self.comparison()

    def comparison(self) -> Expression:
        operand = self.operand()
        if self.kind != "sign" or self.token not in OPERATORS:
            return operand
        operator = self.step()
        if self.kind != "number":
            raise self.error("expected a number")
        text = self.step()
        number = float(text[:-1]) / 100 if text.endswith("%") else float(text)
        return Compare(operand, operator, number)

    def operand(self) -> Expression:
        if self.takes("("):
            self.step()
            inner = self.disjunction()
            self.expect(")")
            return inner
        if self.kind != "name":
            raise self.error("expected a function of a field, such as ratio(title),")
        function = self.step()
        self.expect("(")
        if self.kind not in ("name", "quoted") and not self.takes(WHOLE):
            raise self.error("expected the name of a field")
        quoted = self.kind == "quoted"
        field = self.step()
        self.expect(")")
        return Call(function, field[1:-1] if quoted else field)


def _test(expression: Expression, reader: _Reader) -> Expression:
    if is_test(expression):
        return expression
    problem = f"{expression} is a number, so it must be compared with one, as in {expression} > 0.5"
    raise FormatError(f"{reader.text!r}: {problem}")
