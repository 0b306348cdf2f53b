"""How results are shown: tables for people, JSON for programs, progress on stderr."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table

from runoff.cli.terminal import Terminal
from runoff.report.tables import cells, shown_candidate

if TYPE_CHECKING:
    from runoff.data.nbest import NBest
    from runoff.engine import Engine, Step
    from runoff.report.tables import Table as Figures

Item = TypeVar("Item")

QUICK = 30.0
"""Seconds that a stage may take without a line of progress where stderr is no terminal."""

ROWS_SHOWN = 24
"""Rows of a training record that are printed; `--json` has all of them."""


def print_json(value: Any) -> None:
    """Print a value as one line of JSON."""
    sys.stdout.buffer.write(msgspec.json.encode(plain(value)) + b"\n")


def plain(value: Any) -> Any:
    """A value as JSON has it."""
    return msgspec.to_builtins(value, enc_hook=float)


def print_line(text: str, style: str | None = None, end: str = "\n") -> None:
    """Print a line without wrapping it; the style is seen on terminals only."""
    Terminal(soft_wrap=True).print(text, style=style, end=end)


def note(text: str) -> None:
    """Tell something on stderr."""
    Terminal(stderr=True, soft_wrap=True).print(text, style="dim")


def table(
    title: str | None,
    columns: Sequence[str],
    rows: Sequence[Sequence[object]],
    *,
    decimals: int | Mapping[str, int] | None = None,
) -> None:
    """Print a table; a column whose cells are numbers is aligned to the right.

    Decimals may be given by column.
    """
    result = Table(header_style="bold cyan")
    texts = []
    for place, column in enumerate(columns):
        values = [row[place] for row in rows]
        numeric = all(isinstance(value, int | float) or value is None for value in values)
        result.add_column(column, justify="right" if numeric else "left", overflow="fold")
        asked = decimals.get(column) if isinstance(decimals, Mapping) else decimals
        texts.append(cells(values, asked))
    for row in zip(*texts, strict=True):
        result.add_row(*row)
    if title is not None:
        print_line(title, "bold")
    console = Terminal()
    if not console.is_terminal:
        console.width = 120
    console.print(result)


def print_header(title: str, header: Mapping[str, object]) -> None:
    """Print what a header says, one line for each key that has a value."""
    rows = [[key, shown(value)] for key, value in header.items() if value not in (None, {}, [])]
    table(title, ["what", "value"], rows)


def print_tables(tables: Iterable[Figures]) -> None:
    """Print tables of figures; those without rows are left out."""
    for one in tables:
        if one.rows:
            rows = [list(row.values()) for row in one.rows]
            table(one.title or None, list(one.rows[0]), rows, decimals=one.decimals)


def print_candidates(nbest: NBest, top: int | None = None) -> None:
    """Print the first candidates of a ranked list, and where they were before."""
    rows = [
        [place, one.rank, one.logprob, one.score, shown_candidate(one)]
        for place, one in enumerate(nbest.candidates[:top])
    ]
    table(None, ["rank", "before", "logprob", "score", "candidate"], rows)


def print_record(record: Mapping[str, Sequence[Mapping[str, float]]]) -> None:
    """Print the tables of a training record; long ones thinned out, their last row kept."""
    from runoff.fitting.record import FOR_PLOTS

    for title, rows in record.items():
        if title == FOR_PLOTS:
            continue
        step = -(-len(rows) // ROWS_SHOWN) or 1
        shown_rows = list(reversed(rows[::-1][::step]))
        if rows:
            table(title, list(rows[0]), [list(row.values()) for row in shown_rows])


def shown(value: object) -> str:
    """A value of a header for people to read.

    Examples
    --------
    >>> shown({"epochs": 10, "seed": 0}), shown(["given", "text"]), shown(12345)
    ('epochs 10, seed 0', 'given, text', '12,345')
    """
    if isinstance(value, dict):
        return ", ".join(f"{key} {shown(item)}" for key, item in value.items())
    if isinstance(value, list):
        return ", ".join(map(shown, value))
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def shown_output(output: object) -> str:
    """A candidate's output for people to read, tags or links with spaces between them.

    Examples
    --------
    >>> shown_output(["B-NP", "O"]), shown_output("a vote"), shown_output([[0, 2, "Wd"]])
    ('B-NP O', 'a vote', '0-2-Wd')
    """
    if not isinstance(output, list | tuple):
        return str(output)
    return " ".join(
        "-".join(map(str, item)) if isinstance(item, list | tuple) else str(item) for item in output
    )


def count_of(number: int, noun: str) -> str:
    """A number with its noun.

    Examples
    --------
    >>> count_of(1, "list"), count_of(2000, "list")
    ('1 list', '2,000 lists')
    """
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


@contextmanager
def training_engine(jobs: str) -> Iterator[Engine]:
    """The engine that `--jobs` names, with progress on stderr.

    On a terminal that is a bar for each stage, elsewhere a line for each that takes long.
    """
    from dataclasses import replace

    from runoff.engine import Engine
    from runoff.engine.told import Told

    engine = Engine.parse(jobs)
    if Terminal(stderr=True).is_terminal:
        with _training_bar() as progress:
            yield replace(engine, progress=progress)
    else:
        told = Told(note, QUICK)
        yield replace(engine, progress=told)
        told.end()


@contextmanager
def logging_to(path: str | None) -> Iterator[None]:
    """Within it, what the logger `runoff` is told is added to a file, with the time."""
    import logging

    if path is None:
        yield
        return
    handler = logging.FileHandler(path, encoding="utf-8", errors="backslashreplace")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    logger = logging.getLogger("runoff")
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.setLevel(before)
        logger.removeHandler(handler)
        handler.close()


@contextmanager
def _training_bar() -> Iterator[Callable[[Step], None]]:
    console = Terminal(stderr=True)
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.completed:,.0f}"),
        TimeElapsedColumn(),
        TextColumn("{task.fields[figures]}", markup=False),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        tasks: dict[str, TaskID] = {}

        def show(step: Step) -> None:
            if step.stage not in tasks:
                tasks[step.stage] = bar.add_task(step.stage, total=None, figures="")
            figures = "  ".join(f"{k} {v:,.6g}" for k, v in step.figures.items())
            task = tasks[step.stage]
            bar.update(task, completed=step.done, total=step.total, figures=figures)

        yield show


@contextmanager
def counting(label: str) -> Iterator[Callable[[Iterable[Item]], Iterator[Item]]]:
    """Counts what streams past, on a terminal only."""
    console = Terminal(stderr=True)
    columns = (TextColumn("{task.description}", markup=False), TextColumn("{task.completed:,.0f}"))
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task(label, total=None)

        def count(items: Iterable[Item]) -> Iterator[Item]:
            for item in items:
                bar.advance(task)
                yield item

        yield count
