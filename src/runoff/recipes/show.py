"""A plan written out as a recipe, every option with its help."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from runoff.pipeline.options import help_text, plan_options

RUN = """\
# Files are relative to the folder of corpora, which is the current one in:
# runoff reproduce FILE.toml --data .

"""
"""How a recipe is run whose task has experiments."""


def recipe_text(task: str, what: str, metric: str, data: Mapping[str, list[str]], plan: Any) -> str:
    """The recipe of a plan, as TOML that `runoff reproduce` reads.

    Examples
    --------
    >>> from runoff.tasks.words.train import Plan
    >>> text = recipe_text("words", "An example.", "accuracy", {"train": ["a.txt"]}, Plan())
    >>> text.splitlines()[0]
    'task = "words"'
    """
    lines = [
        f"task = {toml_value(task)}",
        f"what = {toml_value(what)}",
        f"metric = {toml_value(metric)}",
    ]
    lines += ["", "[data]", 'name = "yours"', 'source = "your own files"']
    lines += [f"{key} = {toml_value(files)}" for key, files in data.items()]
    return "\n".join([*lines, "", "[plan]", *_options(plan)]) + "\n"


def _options(plan: Any) -> Iterator[str]:
    for name, about in plan_options(plan).items():
        value = getattr(plan, name)
        yield f"# {help_text(about.help)}"
        yield f"# {name} is not set" if value is None else f"{name} = {toml_value(value)}"


def toml_value(value: Any) -> str:
    """A value in TOML, whose strings are those of JSON but for one character."""
    if isinstance(value, Mapping):
        pairs = ", ".join(f"{_key(key)} = {toml_value(one)}" for key, one in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(toml_value, value))}]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return json.dumps(value)


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else toml_value(name)
