"""What the page asks the server for."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Raw, Struct

from runoff.data.formats import READ, jsonl, read_nbest
from runoff.data.nbest import NBest
from runoff.errors import FormatError, UsageError, unknown_choice
from runoff.features.places import Place, places_of
from runoff.serve.explain import ListView, view
from runoff.serve.guard import Refused
from runoff.serve.lists import FILTERS, SORTS, ListFiles, Page, Query, read_pasted
from runoff.serve.models import Models
from runoff.serve.settings import Settings
from runoff.serve.verbs import TEXT_VERBS, VERBS, read_list
from runoff.tasks.load import ranker_of
from runoff.tasks.ranking.overview import Row


@dataclass
class State:
    """What a server has: models, lists, settings, and the metric of the lists."""

    models: Models
    lists: ListFiles
    settings: Settings
    metric: str | None


class StateRequest(Struct, forbid_unknown_fields=True):
    """Nothing needs to be said."""


class RowsRequest(Struct, forbid_unknown_fields=True):
    """Which rows are wanted."""

    filter: str = "all"
    sort: str = "file"
    find: Annotated[str, Meta(max_length=200)] = ""
    offset: Annotated[int, Meta(ge=0)] = 0
    count: Annotated[int, Meta(ge=1, le=500)] = 100
    without: Annotated[list[int], Meta(max_length=10_000)] = []


class ListRequest(Struct, forbid_unknown_fields=True):
    """A list of the server's files by its number, from 0, or a list itself."""

    number: int | None = None
    list: Raw = Raw(b"")


class PastedRequest(Struct, forbid_unknown_fields=True):
    """A file of lists that was pasted or dropped; its name tells the format."""

    text: str
    name: Annotated[str, Meta(max_length=1000)] = ""
    format: str | None = None


class PastedAnswer(Struct):
    """The lists of a file, for the browser to keep, with a row for each."""

    lists: list[Raw]
    rows: list[Row]
    figures: dict[str, dict[str, float]]


class PlacesRequest(Struct, forbid_unknown_fields=True):
    """Two candidates of a list, by their places in the list as it was read."""

    candidates: tuple[int, int]
    number: int | None = None
    list: Raw = Raw(b"")


def _state(state: State, _: StateRequest) -> dict[str, Any]:
    models = state.models
    ranker = models.ranker
    return {
        "models": models.shown(),
        "ranker": None
        if ranker is None
        else {
            "file": models.ranker_name,
            "learner": ranker.ranker.name,
            "features": [one.name for one in ranker.extractors],
            "calibrated": ranker.calibration is not None,
            "metric": ranker.training.get("metric"),
        },
        "text": _ranked_verbs(models),
        "formats": list(READ),
        **state.lists.shown(),
    }


def _ranked_verbs(models: Models) -> list[str]:
    """The verbs whose lists the page can show: the ranker cannot read those of other models."""
    found = {path: VERBS[path].needs(models) for path in TEXT_VERBS}
    return [
        path
        for path, model in found.items()
        if model is not None and ranker_of(model) is models.ranker
    ]


def _rows(state: State, request: RowsRequest) -> Page:
    if request.filter not in FILTERS:
        raise unknown_choice("filter", request.filter, FILTERS)
    if request.sort not in SORTS:
        raise unknown_choice("order", request.sort, SORTS)
    query = Query(request.filter, request.sort, request.find, frozenset(request.without))
    return state.lists.page(query, request.offset, request.count)


def _given(state: State, number: int | None, raw: Raw) -> tuple[list[NBest], int]:
    """The list of a request, among those of its document."""
    if (number is None) == (not bytes(raw)):
        raise UsageError("a request has either a number or a list")
    if number is None:
        return [read_list(raw, state.settings)], 0
    try:
        return state.lists.document(number)
    except KeyError:
        raise Refused(404, f"there is no list {number}") from None


def _list(state: State, request: ListRequest) -> ListView:
    lists, place = _given(state, request.number, request.list)
    if request.number is not None:
        return state.lists.view(request.number)
    return view(state.models, lists, place)


def _places(state: State, request: PlacesRequest) -> list[list[Place]]:
    """The places of the features of which two candidates do not have the same number."""
    ranker = state.models.ranker
    lists, place = _given(state, request.number, request.list)
    if not all(0 <= one < len(lists[place]) for one in request.candidates):
        raise Refused(404, "there is no such candidate")
    extractors = () if ranker is None else ranker.extractors
    found = [places_of(lists[place], one, extractors) for one in request.candidates]
    first, second = (Counter(one.feature for one in own) for own in found)
    same = {name for name, count in first.items() if second[name] == count}
    return [[one for one in own if one.feature not in same] for own in found]


def _original(state: State, request: ListRequest) -> Raw:
    lists, place = _given(state, request.number, request.list)
    return Raw(next(iter(jsonl.encode([lists[place]]))))


def _pasted(state: State, request: PastedRequest) -> PastedAnswer:
    if request.format and request.format not in READ:
        raise unknown_choice("format", request.format, READ)
    lists = read_text(request.text, request.name, request.format)
    if not lists:
        raise FormatError("there are no lists in it")
    if len(lists) > state.settings.most_lists:
        raise Refused(
            413, f"more than {state.settings.most_lists:,} lists", "start the server with the file"
        )
    rows, figures = read_pasted(lists, state.models, state.metric)
    return PastedAnswer([Raw(line) for line in jsonl.encode(lists)], rows, figures)


def read_text(text: str, name: str = "", format: str | None = None) -> list[NBest]:
    """The lists of a text in one of the formats; without one, the text or its name tells."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"pasted{Path(name).suffix}")
        path.write_text(text, encoding="utf-8", errors="surrogatepass")
        try:
            return list(read_nbest(path, format or None))
        except FormatError as error:
            raise FormatError(
                error.problem, line=error.line, key=error.key, hint=error.hint
            ) from None


@dataclass(frozen=True)
class PageCall:
    """A call of the page: the type of its request, and what answers it."""

    request: type
    run: Callable[[State, Any], Any]


PAGE_CALLS: Mapping[str, PageCall] = {
    "state": PageCall(StateRequest, _state),
    "rows": PageCall(RowsRequest, _rows),
    "list": PageCall(ListRequest, _list),
    "original": PageCall(ListRequest, _original),
    "places": PageCall(PlacesRequest, _places),
    "pasted": PageCall(PastedRequest, _pasted),
}
"""The calls of the page, by name."""
