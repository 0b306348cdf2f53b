"""Ranking files of SVMlight, SVMrank and similar programs.

    # qid 1 s1
    # feature 1 length
    0.87 qid:1 1:9 # a comment
    0.51 qid:1 1:11

The target is the candidate's quality, the query its list; what follows `#` is kept as
`extra["comment"]`. Features are named by their number, unless a line `# feature 1 length` says
otherwise, and so are lists (`# qid 1 s1`). The writer adds such lines where names are not
numbers, just before they are needed; other programs skip them as comments. The lines of a list
stand together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

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
from runoff.data.numbering import Numbering
from runoff.errors import FormatError

Names = dict[str, dict[str, str]]  # "qid" or "feature" -> number -> name


def read(path: FilePath) -> Iterator[NBest]:
    """The lists of a ranking file, one by one."""
    names: Names = {"qid": {}, "feature": {}}
    sizes = _query_sizes(path)
    seen = SeenIds()
    query, candidates = "", list[Candidate]()
    for number, line in read_text_lines(path):
        fields, _, comment = line.partition("#")
        if not fields.strip(BLANKS):
            _take_name(comment, names)
            continue
        target, qid, *features = _fields(fields, path, number, sizes)
        if qid != query or not candidates:
            if candidates:
                yield NBest(read_id(names["qid"].get(query, query)), None, candidates)
            query, candidates = qid, []
            if not seen.add(qid):
                problem = f"query {shown(qid)} was here before; its lines must stand together"
                raise FormatError(problem, path=path, line=number)
        candidates.append(
            Candidate(
                quality=read_number(target, path, number, "target"),
                features=_features(features, names["feature"], path, number),
                extra={"comment": comment.strip(BLANKS)} if comment.strip(BLANKS) else {},
            )
        )
    if candidates:
        yield NBest(read_id(names["qid"].get(query, query)), None, candidates)


def _take_name(comment: str, names: Names) -> None:
    match comment.split(" ", 3):
        case ["", ("qid" | "feature") as kind, number, name]:
            names[kind][number] = name


SIDE_FILES = (".query", ".group")
"""Endings of the files beside in which LightGBM and XGBoost keep how many lines each list has."""


def _query_sizes(path: FilePath) -> Iterator[str] | None:
    """The query of each line, by number, where there is a file beside that says so."""
    names = [Path(f"{path}{ending}") for ending in SIDE_FILES]
    beside = next((one for one in names if one.is_file()), None)
    if str(path) == "-" or beside is None:
        return None
    sizes = [
        int(read_number(text.strip(BLANKS), beside, number))
        for number, text in read_text_lines(beside)
        if text.strip(BLANKS)
    ]
    return (str(query) for query, size in enumerate(sizes, start=1) for _ in range(size))


def _fields(text: str, path: object, line: int, queries: Iterator[str] | None) -> list[str]:
    fields = text.split()
    if queries is not None and len(fields) > 1 and not fields[1].startswith("qid:"):
        query = next(queries, None)
        if query is None:
            problem = "has more lines than the file beside counts"
            raise FormatError(problem, path=path, line=line)
        fields.insert(1, f"qid:{query}")
    if len(fields) < 2 or not fields[1].startswith("qid:") or fields[1] == "qid:":
        problem = f"expected `target qid:N number:value ...`, found {shown(text.strip())}"
        sizes = " or ".join(f"{path}{ending}" for ending in SIDE_FILES)
        hint = f"the number of lines of each list may be in {sizes}; or name the format: --format"
        raise FormatError(problem, path=path, line=line, hint=hint)
    fields[1] = fields[1].removeprefix("qid:")
    return fields


def _features(
    fields: list[str], names: dict[str, str], path: object, line: int
) -> dict[str, float]:
    features: dict[str, float] = {}
    for field in fields:
        number, colon, value = field.rpartition(":")
        if not colon or not number:
            problem = f"expected `number:value`, found {shown(field)}"
            raise FormatError(problem, path=path, line=line)
        name = names.get(number, number)
        if name in features:
            raise FormatError(f"feature {shown(name)} occurs twice", path=path, line=line)
        features[name] = read_number(value, path, line, number)
    return features


class _Numbering:
    """Numbers for names: their own where the first is a number, else 1, 2, 3 as they come."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.own: bool | None = None
        self.numbers = Numbering()

    def number(self, name: str, item: Numbered, notes: list[str]) -> int:
        """The number of a name; a name seen for the first time leaves a note for the file."""
        own = isinstance(read_id(name), int)
        if self.own is None:
            self.own = own
        if self.own and not own:
            raise item.error(f"mixes a {self.kind} named by a number with one named by text")
        if self.own:
            return int(name)
        is_new, number = name not in self.numbers, self.numbers[name] + 1
        if is_new:
            notes.append(f"# {self.kind} {number} {item.text(name, 'a name')}\n")
        return number


def encode(lists: Iterable[NBest]) -> Iterator[bytes]:
    """The lists as lines, features in the order of their numbers."""
    queries, features, seen = _Numbering("qid"), _Numbering("feature"), SeenIds()
    for item in numbered(lists):
        notes: list[str] = []
        qid = queries.number(str(item.id), item, notes)
        if not seen.add(qid):
            raise item.error("has the id of an earlier list")
        lines = [_line(c, f"qid:{qid}", features, item, notes) for c in item.nbest.candidates]
        yield "".join(notes + lines).encode()


def _line(
    candidate: Candidate, qid: str, numbering: _Numbering, item: Numbered, notes: list[str]
) -> str:
    if candidate.features is None:
        raise item.error("has a candidate without features, which this format needs")
    values = {numbering.number(n, item, notes): v for n, v in candidate.features.items()}
    fields = [item.number(candidate.quality, "quality"), qid]
    fields += [f"{n}:{item.number(values[n], 'feature')}" for n in sorted(values)]
    if "comment" in candidate.extra:
        fields.append(f"# {item.text(candidate.extra['comment'], 'a comment')}")
    return " ".join(fields) + "\n"
