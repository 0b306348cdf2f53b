"""JSON with any keys: JSON Lines, one array, or values one after another, read as lists.

    {"prompt": "2 + 2?", "completions": ["4", "5"], "rewards": [1.0, 0.0]}
    {"prompt": "2 + 2?", "chosen": "4", "rejected": "5"}

A file has one object per list, or one per candidate. Also read: what Hugging Face's pipelines give
(`[{"generated_text": …}, …]`), and `generate` (`{"sequences": […], "sequences_scores": […]}`), and
what speech services give (`{"results": [{"alternatives": […]}, …]}`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from runoff.data.files import FilePath
from runoff.data.formats.any_keys.mapping import Map
from runoff.data.formats.any_keys.rows import Row, lists_of
from runoff.data.formats.any_keys.values import read_values
from runoff.data.nbest import NBest
from runoff.errors import FormatError

GENERATED = ("generated_text", "translation_text", "summary_text", "token_str")
"""Keys of one of several texts that a pipeline made of one input."""


def read(path: FilePath, map: Map | None = None) -> Iterator[NBest]:
    """The lists of a JSON file, one by one."""
    return lists_of(_rows(path), map or Map(), path)


def _rows(path: FilePath) -> Iterator[Row]:
    for line, value in read_values(path):
        yield from rows_of(value, path, line)


def rows_of(value: Any, path: object = None, line: int | None = None) -> Iterator[Row]:
    """The objects of a JSON value, an array of several or one list of a pipeline among them."""
    if isinstance(value, Mapping):
        details = value.get("details")
        if isinstance(details, Mapping) and details.get("best_of_sequences"):
            value = {**value, "output": [value["generated_text"], *_texts(details)]}
            value = {key: one for key, one in value.items() if key != "generated_text"}
        for one in _utterances(value.get("results")) or [value]:
            yield line, one
    elif isinstance(value, list) and value and all(map(_is_generated, value)):
        yield line, {"candidates": value}
    elif isinstance(value, list):
        for one in value:
            yield from rows_of(one, path, line)
    else:
        problem = f"expected a JSON object, got {type(value).__name__}"
        raise FormatError(problem, path=path, line=line)


def _utterances(results: Any) -> list[Mapping[str, Any]]:
    """The utterances that a recogniser's service has under `results`, or one key below."""
    for one in [results, *results.values()] if isinstance(results, Mapping) else [results]:
        if isinstance(one, list):
            found = [each for each in one if isinstance(each, Mapping) and "alternatives" in each]
            if found:
                return found
    return []


def _is_generated(value: Any) -> bool:
    return isinstance(value, Mapping) and any(key in value for key in GENERATED)


def _texts(details: Mapping[str, Any]) -> list[Any]:
    return [one.get("generated_text") for one in details["best_of_sequences"]]
