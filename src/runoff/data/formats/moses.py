"""Moses n-best lists, also as Marian, Joshua and cdec write them.

    0 ||| this is a house ||| LM0= -12.1 TM0= -1.5 -0.2 ||| -3.4 ||| 0-0 1-1 2-2 3-3

The columns are sentence number, text, features, total score and whatever follows, which is kept
as `extra["columns"]`. The total is the log-probability. A feature with one value keeps its name
(`LM0`); of several values each has its number (`TM0_0`, `TM0_1`). Spaces around a column do not
count. The lines of a sentence stand together.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from runoff.data.files import FilePath, read_text_lines
from runoff.data.formats.common import (
    BLANKS,
    Numbered,
    SeenIds,
    numbered,
    read_id,
    read_number,
    shown,
)
from runoff.data.nbest import Candidate, NBest
from runoff.errors import FormatError

_BAR = re.compile(r"(?<![^ \t])\|\|\|(?![^ \t])")
_LAYOUT = "a line is `number ||| text ||| features ||| total`"


def read(path: FilePath) -> Iterator[NBest]:
    """The lists of a Moses n-best file, one by one."""
    seen = SeenIds()
    name, candidates = "", list[Candidate]()
    for number, line in read_text_lines(path):
        if not line.strip(BLANKS):
            continue
        columns = [column.strip(BLANKS) for column in _BAR.split(line)]
        if len(columns) < 4 or not columns[0]:
            raise FormatError("too few columns", path=path, line=number, hint=_LAYOUT)
        if columns[0] != name or not candidates:
            if candidates:
                yield NBest(read_id(name), None, candidates)
            name, candidates = columns[0], []
            if not seen.add(name):
                problem = f"sentence {shown(name)} was here before; its lines must stand together"
                raise FormatError(problem, path=path, line=number)
        candidates.append(_candidate(columns, path, number))
    if candidates:
        yield NBest(read_id(name), None, candidates)


def _candidate(columns: list[str], path: object, line: int) -> Candidate:
    return Candidate(
        output=columns[1],
        logprob=read_number(columns[3], path, line, "total"),
        features=read_features(columns[2], path, line) or None,
        extra={"columns": columns[4:]} if len(columns) > 4 else {},
    )


def read_features(text: str, path: object = None, line: int = 1) -> dict[str, float]:
    """Named numbers from `Name= 1 2 Other= 3`, or `name=1 other=3`, or the older `name: 1 2`.

    Examples
    --------
    >>> read_features("LM= -5 TM= 1.2 3.4")
    {'LM': -5.0, 'TM_0': 1.2, 'TM_1': 3.4}
    """
    groups: list[tuple[str, list[float]]] = []
    for token in text.split():
        if token[-1] in "=:" and len(token) > 1:
            groups.append((token[:-1], []))
            continue
        name, equals, value = token.rpartition("=")
        if equals and name:
            groups.append((name, [read_number(value, path, line, name)]))
        elif groups:
            groups[-1][1].append(read_number(token, path, line, groups[-1][0]))
        else:
            problem = f"expected the name of a feature, found {shown(token)}"
            raise FormatError(problem, path=path, line=line)
    return _named(groups, path, line)


def _named(groups: list[tuple[str, list[float]]], path: object, line: int) -> dict[str, float]:
    features: dict[str, float] = {}
    for group, values in groups:
        for place, value in enumerate(values):
            name = group if len(values) == 1 else f"{group}_{place}"
            if name in features:
                raise FormatError(f"feature {shown(name)} occurs twice", path=path, line=line)
            features[name] = value
    return features


def encode(lists: Iterable[NBest]) -> Iterator[bytes]:
    """The lists as lines; a list without an id gets its index, from 0."""
    seen = SeenIds()
    for item in numbered(lists):
        name = _column(str(item.id), "an id", item)
        if not name or name != name.strip(BLANKS) or not seen.add(name):
            raise item.error(
                "has an id that is empty, has spaces around it or is that of an earlier list"
            )
        for candidate in item.nbest.candidates:
            columns = [
                name,
                _column(candidate.output, "an output", item),
                _show_features(candidate.features or {}, item),
                item.number(candidate.logprob, "logprob"),
                *(_column(c, "an extra column", item) for c in candidate.extra.get("columns", ())),
            ]
            yield (" ||| ".join(columns) + "\n").encode()


def _column(value: object, what: str, item: Numbered) -> str:
    text = item.text(value, what)
    if _BAR.search(text):
        raise item.error(f"has {what} with the column mark '|||' in it")
    return text


def _show_features(features: dict[str, float], item: Numbered) -> str:
    """The features as text; values that were numbered under one name are written together."""
    pieces: list[str] = []
    names = list(features)
    place = 0
    while place < len(names):
        group, size = _group(names, place)
        if group.split() != [group]:
            raise item.error(f"has a feature whose name is empty or has spaces: {shown(group)}")
        values = (item.number(features[n], "feature") for n in names[place : place + size])
        pieces.append(f"{item.text(group, 'a feature')}= {' '.join(values)}")
        place += size
    return " ".join(pieces)


def _group(names: list[str], place: int) -> tuple[str, int]:
    """Name and size of the group of features that begins at an index."""
    stem = names[place].removesuffix("_0")
    size = 1
    while place + size < len(names) and names[place + size] == f"{stem}_{size}":
        size += 1
    grouped = size > 1 and names[place] == f"{stem}_0" and stem != ""
    return (stem, size) if grouped else (names[place], 1)
