"""Inputs that are words, and outputs that are their tags."""

from __future__ import annotations

from typing import Any


def words_and_tags(given: Any) -> tuple[list[str], list[str]]:
    """Words and parts of speech of an input; these are empty where there are none."""
    if not isinstance(given, list | tuple):
        raise TypeError(f"the input is a list of words or of pairs, not {given!r:.60}")
    pairs = [(one, "") if isinstance(one, str) else tuple(one) for one in given]
    if not all(len(pair) == 2 and all(isinstance(part, str) for part in pair) for pair in pairs):
        raise ValueError("a word of the input is neither text nor a pair of word and tag")
    return [word for word, _ in pairs], [tag for _, tag in pairs]


def tags_of(output: Any, size: int) -> list[str]:
    """The tags of an output, one for each of `size` words."""
    tags = output.split() if isinstance(output, str) else list(output)
    if len(tags) != size:
        raise ValueError(f"an output has {len(tags)} tags for {size} words")
    return tags
