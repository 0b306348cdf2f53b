"""Makes the parts of the reference that are said in the code: verbs, plans, tasks, learners.

    python docs/make_reference.py [--check]

Each page of `docs/reference` has such a part between two marks; what stands around it is written by
hand. With `--check` nothing is written, and the exit status is 1 if a page is out of date.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import typer

from runoff.cli.app import app
from runoff.cli.examples import EXAMPLES
from runoff.cli.help import Row, parameter_rows, usage
from runoff.cli.plan_options import shown_default
from runoff.features.extract import EXTRACTORS
from runoff.fitting.parameters import defaults_of
from runoff.learners import LEARNERS
from runoff.metrics import METRICS
from runoff.pipeline.options import help_text, plan_options
from runoff.recipes.show import toml_value
from runoff.tasks import TASKS

REFERENCE = Path(__file__).parent / "reference"
COMMAND = "python docs/make_reference.py"
BEGIN = f"<!-- made by {COMMAND}; do not edit -->"
END = "<!-- until here -->"


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    """A table in Markdown, and a blank line."""
    head = list(head)
    yield from (f"| {' | '.join(head)} |", "|" + "---|" * len(head))
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"
    yield ""


def rows_table(rows: Iterable[Row]) -> Iterator[str]:
    """Parameters of a command as a table."""
    rows = list(rows)
    if rows:
        shown = ([f"`{row.name}`", row.help, _note(row.note)] for row in rows)
        yield from table(["option", "meaning", "default"], shown)


def _note(note: str) -> str:
    """A default in a table: `50`, and the range of the values."""
    if not note.startswith("default: "):
        return note
    value, semicolon, limits = note.removeprefix("default: ").partition("; ")
    return f"`{value}`{semicolon}{limits}"


def verbs() -> Iterator[str]:
    """Every command with its help, arguments and options."""
    group: Any = typer.main.get_command(app)
    for path, command in _commands("runoff", group):
        if hasattr(command, "commands"):
            continue
        yield from (
            f"### {path.removeprefix('runoff ')}",
            "",
            "```text",
            usage(path, command),
            "```",
        )
        yield ""
        for paragraph in (command.help or "").split("\n\n"):
            yield from (" ".join(paragraph.split()), "")
        yield from rows_table(parameter_rows(command.params))
        yield from _defaults(path)
        examples = EXAMPLES[path.removeprefix("runoff ")]
        yield from ("Examples:", "", "```text", *examples, "```", "")


def _commands(path: str, command: Any) -> Iterator[tuple[str, Any]]:
    yield path, command
    if hasattr(command, "commands"):
        for name in command.list_commands(None):
            yield from _commands(f"{path} {name}", command.get_command(None, name))


def _defaults(path: str) -> Iterator[str]:
    """Options of learners that a task has other defaults for."""
    task = TASKS.get(path.removeprefix("runoff train "))
    given = getattr(task.module("train").Plan, "learner_defaults", {}) if task else {}
    if given:
        yield "Learners get these options by default:"
        yield ""
        rows = [[f"`{name}`", f"`{shown_default(options)}`"] for name, options in given.items()]
        yield from table(["learner", "options"], rows)


def tasks() -> Iterator[str]:
    """The models of the tasks, and the functions that train them."""
    for name, task in TASKS.items():
        yield from (f"## {name}", "")
        links = [
            f"[`runoff {verb}`](command-line.md#{verb.replace(' ', '-')})"
            for verb in (f"train {name}", task.verb)
        ]
        yield from (f"{task.learns} On the command line: {' and '.join(links)}.", "")
        for what in (f"model.{task.model}", "train.train"):
            yield from (f"::: {task.package}.{what}", "")


def plans() -> Iterator[str]:
    """The keys of the plans of recipes, by task."""
    for name, task in TASKS.items():
        if task.has_experiments:
            module = task.module("experiment")
            plan = getattr(module, "Plan", None) or module.Experiment.plan
            yield from (f"### {name}", "")
            defaults = plan()
            rows = [
                [f"`{key}`", help_text(about.help), _value(getattr(defaults, key))]
                for key, about in plan_options(plan).items()
            ]
            yield from table(["key", "meaning", "default"], rows)


def _value(value: Any) -> str:
    return "" if value is None or value in ((), {}) else f"`{toml_value(value)}`"


def learners() -> Iterator[str]:
    """Learners with their options."""
    for name, place in LEARNERS.items():
        kind = _found(place)
        yield from (f"### {name}", "", (inspect.getdoc(kind) or "").split("\n\n")[0], "")
        meanings = option_meanings(kind)
        rows = [
            [
                f"`{key}`",
                meanings[key],
                f"`{shown_default(default)}`" if default not in ((), "") else "",
            ]
            for key, default in defaults_of(kind).items()
        ]
        if rows:
            yield from table(["option", "meaning", "default"], rows)


def option_meanings(kind: type) -> dict[str, str]:
    """What the docstrings of a class and of its bases say of the parameters."""
    found: dict[str, str] = {}
    for one in kind.__mro__:
        text = inspect.cleandoc(one.__doc__ or "") if "__doc__" in vars(one) else ""
        section = re.search(r"^Parameters\n-+\n(.*?)(?=\n\n\w+\n-+\n|\Z)", text, re.S | re.M)
        items = re.findall(r"^(\w[\w, ]*) : (.*(?:\n    .*)*)", section[1] if section else "", re.M)
        for names, meaning in items:
            sentence = " ".join(meaning.split())
            for name in names.split(", "):
                found.setdefault(name, sentence[:1].upper() + sentence[1:])
    return found


def features() -> Iterator[str]:
    """The feature sets."""
    places = {name: place for name, place in EXTRACTORS.items() if isinstance(place, str)}
    rows = [[f"`{name}`", _first_line(_found(place))] for name, place in places.items()]
    yield from table(["name", "features"], rows)


def metrics() -> Iterator[str]:
    """The metrics."""
    rows = []
    for name, (place, preset) in METRICS.items():
        given = "" if not preset else f" (`{shown_default(preset)}`)"
        rows.append([f"`{name}`", _first_line(_found(f"runoff.metrics.{place}")) + given])
    yield from table(["name", "what it measures"], rows)


def _found(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def _first_line(thing: Any) -> str:
    return " ".join((inspect.getdoc(thing) or "").split("\n\n")[0].split())


PARTS: Mapping[str, Any] = {
    "command-line.md": verbs,
    "tasks.md": tasks,
    "recipes.md": plans,
    "learners.md": learners,
    "features.md": features,
    "metrics.md": metrics,
}


def page(name: str) -> str:
    """A page of the reference as it should be."""
    before, _, rest = (REFERENCE / name).read_text().partition(BEGIN)
    after = rest.partition(END)[2]
    made = "\n".join(PARTS[name]()).strip("\n")
    return f"{before}{BEGIN}\n\n{made}\n\n{END}{after}"


def main() -> int:
    """Write the pages, or tell which are out of date."""
    stale = [name for name in PARTS if page(name) != (REFERENCE / name).read_text()]
    if "--check" in sys.argv[1:]:
        for name in stale:
            print(f"docs/reference/{name} is out of date; make it anew: {COMMAND}")
        return 1 if stale else 0
    for name in stale:
        (REFERENCE / name).write_text(page(name))
    return 0


if __name__ == "__main__":
    sys.exit(main())
