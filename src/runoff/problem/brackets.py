"""Candidates that are bracketed trees, as native code reads them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from runoff.data.tree import Tree
from runoff.errors import FormatError
from runoff.problem.batch_features import CandidateError


def bracket_bytes(output: Any) -> bytes:
    """The brackets of a tree as bytes; for any other value, a text that does not parse."""
    text = output if isinstance(output, str) else str(output) if isinstance(output, Tree) else ""
    return text.encode(errors="surrogatepass")


def refuse_no_tree(texts: Sequence[Sequence[bytes]], read: Callable[[bytes], object]) -> NoReturn:
    """Raise an error that names the candidate that is not a tree, or one that cannot be read."""
    for number, candidates in enumerate(texts):
        for place, text in enumerate(candidates):
            try:
                Tree.parse(text.decode(errors="surrogatepass"))
            except FormatError as error:
                problem = f"the output is not a bracketed tree ({error.message})"
                raise CandidateError(problem, number, place) from None
            try:
                read(text)
            except ValueError as error:
                raise CandidateError(str(error), number, place) from None
    raise AssertionError("every candidate can be read by itself")
