"""Finding the format of a file by looking at its beginning."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Mapping
from typing import Any

from runoff.data.formats import fairseq, openai
from runoff.data.formats.any_keys.candidates import as_number
from runoff.data.formats.any_keys.mapping import Map
from runoff.data.formats.any_keys.values import first_value
from runoff.data.formats.speech.results import is_sherpa, is_vosk, is_whisper

PARQUET = b"PAR1"
BARS = re.compile(r"(?<![^ \t])\|\|\|(?![^ \t])")


def found_in(head: bytes) -> str | None:
    r"""The name of the format that the beginning of a file is in; None if it cannot be told.

    Examples
    --------
    >>> found_in(b"0 ||| a house ||| LM= -1 ||| -2.5\n"), found_in(b"utt,hyp\nu1,I scream\n")
    ('moses', 'csv')
    """
    if head.startswith(PARQUET):
        return "parquet"
    if head.lstrip()[:1] in (b"{", b"["):
        value = first_value(head)
        return _json(value) if value else None
    lines = [line.rstrip("\r") for line in head.decode("utf-8", "replace").split("\n")[:400]]
    first = [line for line in lines if line.strip()][:4]
    if not first:
        return None
    return next((name for name, fits in TEXTS.items() if fits(first, lines)), None)


def _json(value: Any) -> str:
    if isinstance(value, Mapping) and _is_native(value):
        return "jsonl"
    one = value[0] if isinstance(value, list) and value else value
    return next((name for name, fits in VALUES.items() if fits(one)), "json")


def _is_native(value: Mapping[str, Any]) -> bool:
    candidates = value.get("candidates")
    if not isinstance(candidates, list):
        return False
    return all(
        not isinstance(one, Mapping) or "output" in one or "features" in one for one in candidates
    )


def _is_espnet(value: Any) -> bool:
    if not isinstance(value, Mapping) or not value:
        return False
    first = next(iter(value.values()))
    return isinstance(value.get("utts"), Mapping) or (
        isinstance(first, Mapping) and any(key.startswith("hyp_") for key in first)
    )


VALUES: dict[str, Callable[[Any], bool]] = {
    "espnet": _is_espnet,
    "openai": openai.looks_like,
    "whisper": is_whisper,
    "sherpa": is_sherpa,
    "vosk": is_vosk,
}
"""What the first JSON value of a file looks like, in the order in which it is asked."""


def _is_moses(first: list[str], _: list[str]) -> bool:
    return len(BARS.findall(first[0])) >= 3


def _is_bllip(first: list[str], _: list[str]) -> bool:
    return (
        len(first) >= 3
        and re.fullmatch(r"[0-9]{1,9}[ \t]+\S.*", first[0].strip()) is not None
        and all(as_number(one) is not None for one in first[1].split())
        and first[2].lstrip().startswith("(")
    )


def _is_svmlight(first: list[str], lines: list[str]) -> bool:
    body = next((line for line in lines if line.strip() and not line.startswith("#")), "")
    return re.match(r"\S+\s+(qid:\S|[0-9]+:[-+0-9.])", body) is not None


def _is_crf(first: list[str], _: list[str]) -> bool:
    return re.fullmatch(r"# 0 [0-9.eE+-]+", first[0]) is not None


def _is_tsv(first: list[str], _: list[str]) -> bool:
    score, tab, _text = first[0].partition("\t")
    return bool(tab) and as_number(score) is not None


def _is_nemo(first: list[str], _: list[str]) -> bool:
    columns = [line.split("\t") for line in first]
    return all(len(row) == 2 and as_number(row[1]) is not None for row in columns)


def _is_table(first: list[str], _: list[str]) -> bool:
    names = column_names(first[0])
    return len(names) > 1 and "output" in Map().found(names)


TEXTS: dict[str, Callable[[list[str], list[str]], bool]] = {
    "fairseq": lambda _, lines: fairseq.looks_like(lines),
    "moses": _is_moses,
    "bllip": _is_bllip,
    "conll": _is_crf,
    "svmlight": _is_svmlight,
    "tsv": _is_tsv,
    "nemo": _is_nemo,
    "csv": _is_table,
}
"""What the first lines of a text file look like, in the order in which it is asked."""


def column_names(line: str) -> list[str]:
    """The names in the first line of a table, which has tabs or commas."""
    if "\t" in line:
        return line.split("\t")
    try:
        return next(csv.reader([line]), [])
    except csv.Error:
        return []
