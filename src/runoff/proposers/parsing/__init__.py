"""Base systems that parse: `PARSERS`, and the contract that they keep."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import msgspec

from runoff.errors import unknown_choice
from runoff.fitting.parameters import with_options
from runoff.proposers.parsing.base import Parser
from runoff.store.file import Arrays

PARSERS = {
    "classification": "runoff.proposers.parsing.classification.parser:ClassificationParser",
    "collins": "runoff.proposers.parsing.head_parser:CollinsParser",
    "pcfg": "runoff.proposers.parsing.head_parser:PcfgParser",
}
"""Parsers by the name that the command line and model files use."""


def make_parser(kind: str, parameters: Mapping[str, Any] | None = None) -> Parser:
    """An unfitted parser of `PARSERS`, its options checked.

    Examples
    --------
    >>> make_parser("collins", {"min_count": "5"})
    CollinsParser(min_count=5, min_events=3, beam=3e-05, fine_beam=1e-06, max_words=200)
    """
    if kind not in PARSERS:
        raise unknown_choice("parser", kind, PARSERS)
    module, _, name = PARSERS[kind].partition(":")
    parser: Parser = with_options(
        getattr(import_module(module), name), parameters or {}, f"the parser {kind}"
    )
    parser.check()
    return parser


class _Header(msgspec.Struct):
    kind: str
    parameters: dict[str, bool | int | float | str]


def restored_parser(header: Mapping[str, Any], arrays: Arrays) -> Parser:
    """The parser of a header and arrays, which are checked."""
    found = msgspec.convert(header, _Header)
    return make_parser(found.kind, found.parameters).restore(arrays)
