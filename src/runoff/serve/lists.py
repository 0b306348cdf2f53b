"""The files of lists that a server was started with: read once, kept in a spool, shown by pages.

A thread reads and ranks them in the background, so that the first lists are there at once and a
long file is never held in memory, here or in the browser.
"""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from runoff.data.files import open_input
from runoff.data.formats import jsonl, read_nbest
from runoff.data.nbest import NBest
from runoff.engine import chunked
from runoff.errors import RunoffError
from runoff.metrics import metric as find_metric
from runoff.metrics.measure import measure
from runoff.problem.extractor import kept_together
from runoff.serve.explain import ListView, view, why_command
from runoff.serve.models import Models
from runoff.tasks.ranking.overview import Overview, Row, metric_for, with_qualities

CHUNK = 32
"""Lists that are ranked together."""

AT_ONCE = 5
"""Lists at the start that are ranked one by one, so that something can be seen at once."""

UNSURE, UNSURE_SHARE = 0.7, 0.2
"""A pick is unsure below this confidence; without confidences, the smallest margins are."""


class Query(msgspec.Struct, frozen=True):
    """Which rows are shown: a filter, an order, a text to find, and rows that are left out."""

    filter: str = "all"
    sort: str = "file"
    find: str = ""
    without: frozenset[int] = frozenset()


class Page(msgspec.Struct):
    """Some rows, how many match, and the state of the whole."""

    rows: list[Row]
    matching: int
    lists: int
    done: bool
    figures: dict[str, dict[str, float]]
    counts: dict[str, int]
    signature: str | None = None
    error: str | None = None


class ListFiles:
    """Lists of files, by number."""

    def __init__(
        self,
        files: Sequence[str],
        models: Models,
        metric: str | None = None,
        format: str | None = None,
        map: str | None = None,
    ) -> None:
        self.files, self._format, self._map = list(files), format, map
        self._models, self._named = models, find_metric(metric, allow_code=True) if metric else None
        self._overview = Overview(models.ranker)
        self._rows: list[Row] = []
        self._offsets, self._documents = [0], list[int]()
        self._spool = tempfile.TemporaryFile()
        self._lock = threading.Lock()
        self._done = not files
        self._error: str | None = None
        self._file_of: list[int] = []
        self._stop = threading.Event()
        for file in files:
            if file != "-":
                with open_input(file):  # an error now, not when the page is open
                    pass
        if files:
            threading.Thread(target=self._read, name="runoff-lists", daemon=True).start()

    def close(self) -> None:
        """Stop reading."""
        self._stop.set()

    def _read(self) -> None:
        try:
            self._read_all()
        except (RunoffError, OSError) as error:
            self._error = str(error)
        self._done = True

    def _read_all(self) -> None:
        numbered = (
            (place, nbest)
            for place, file in enumerate(self.files)
            for nbest in read_nbest(file, self._format, self._map)
        )
        first = next(numbered, None)
        if first is None:
            return
        self._overview.metric = metric_for(first[1], self._named, find_metric("quality"))
        ranker = self._models.ranker
        together = kept_together(ranker.extractors) if ranker else None
        every = chain([first], numbered)
        few = islice(every, 0 if together else AT_ONCE)  # documents stay together
        key = (lambda one: together(one[1])) if together else None
        chunks = chain(chunked(few, 1), chunked(every, CHUNK, key))
        for chunk in chunks:
            if self._stop.is_set():
                return
            self._add([place for place, _ in chunk], [nbest for _, nbest in chunk])

    def _add(self, places: list[int], lists: list[NBest]) -> None:
        found = self._overview.add(lists)
        lines = list(jsonl.encode(lists))
        with self._lock:
            self._spool.seek(0, 2)
            self._spool.writelines(lines)
            self._spool.flush()
            for line, nbest in zip(lines, lists, strict=True):
                self._offsets.append(self._offsets[-1] + len(line))
                self._documents.append(self._start_of_document(nbest))
            self._file_of += places
            self._rows += [row for _, row in found]

    def _start_of_document(self, nbest: NBest) -> int:
        number = len(self._documents)
        if number and nbest.document is not None and nbest.document == self._document_before:
            start = self._documents[-1]
        else:
            start = number
        self._document_before = nbest.document
        return start

    _document_before: Any = None

    def nbest(self, number: int) -> NBest:
        """The list of this number, as its file has it."""
        with self._lock:
            if not 0 <= number < len(self._rows):
                raise KeyError(number)
            first, last = self._offsets[number : number + 2]
            self._spool.seek(first)
            line = self._spool.read(last - first)
        return jsonl.decode_line(line, number=number + 1)

    def document(self, number: int) -> tuple[list[NBest], int]:
        """All lists of the document that a list is in, and which of them it is."""
        ranker = self._models.ranker
        nbest = self.nbest(number)
        if ranker is None or kept_together(ranker.extractors) is None:
            return [nbest], 0
        first = self._documents[number]
        last = number
        while last + 1 < len(self._documents) and self._documents[last + 1] == first:
            last += 1
        return [self.nbest(one) for one in range(first, last + 1)], number - first

    def view(self, number: int) -> ListView:
        """A list as the page shows it."""
        lists, place = self.document(number)
        metric = self._overview.metric
        if metric is not None:
            lists = with_qualities(lists, measure(lists, metric, number - place + 1))
        found = view(self._models, lists, place)
        name = self._models.ranker_name
        if name is not None and len(self._models.by_kind) and found.terms is not None:
            found.command = why_command(
                name, self.files[self._file_of[number]], lists[place], number
            )
        return found

    def page(self, query: Query, offset: int, count: int) -> Page:
        """Some of the rows that match a query, in its order."""
        with self._lock:
            rows = list(self._rows)
        found = select(rows, query)
        overview = self._overview
        return Page(
            found[offset : offset + count],
            len(found),
            len(rows),
            self._done,
            overview.figures(),
            {name: len(select(rows, Query(filter=name))) for name in FILTERS},
            overview.metric.signature() if overview.metric else None,
            self._error,
        )

    def shown(self) -> dict[str, Any]:
        """The names of the files, and whether qualities are known."""
        return {
            "files": [Path(file).name for file in self.files],
            "lists": len(self._rows),
            "done": self._done,
        }


def read_pasted(
    lists: list[NBest], models: Models, metric: str | None
) -> tuple[list[Row], dict[str, dict[str, float]]]:
    """Rows and figures of lists that a browser sent."""
    named = find_metric(metric, allow_code=False) if metric else None
    overview = Overview(models.ranker)
    overview.metric = metric_for(lists[0], named, find_metric("quality"))
    if overview.metric is named and any(nbest.gold is None for nbest in lists):
        overview.metric = None
    return [row for _, row in overview.add(lists)], overview.figures()


FILTERS = ("all", "changed", "mended", "harmed", "unsure")
SORTS = ("file", "margin", "gain", "confidence")


def select(rows: list[Row], query: Query) -> list[Row]:
    """The rows that match a query, in its order."""
    found = list(_filtered(rows, query.filter))
    if query.without:
        found = [row for row in found if row.number not in query.without]
    if query.find:
        wanted = query.find.casefold()
        found = [row for row in found if wanted in f"{row.id} {row.text}".casefold()]
    if query.sort == "margin":
        found.sort(key=lambda row: np.inf if row.margin is None else row.margin)
    elif query.sort == "gain":
        found.sort(key=lambda row: row.gain)
    elif query.sort == "confidence":
        found.sort(key=lambda row: 1.0 if row.confidence is None else row.confidence)
    return found


def _filtered(rows: list[Row], name: str) -> Iterator[Row]:
    if name == "unsure":
        margins = sorted(row.margin for row in rows if row.margin is not None)
        least = margins[int(UNSURE_SHARE * len(margins))] if margins else -np.inf
        for row in rows:
            sure = row.confidence
            if (sure < UNSURE) if sure is not None else ((row.margin or np.inf) < least):
                yield row
        return
    tests = {
        "all": lambda row: True,
        "changed": lambda row: row.before > 0,
        "mended": lambda row: row.gain > 0,
        "harmed": lambda row: row.gain < 0,
    }
    yield from filter(tests[name], rows)
