"""Files of clusters: the id of every record, its cluster, and how certain that is."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from runoff.data.files import FilePath, write_pieces
from runoff.data.formats.common import shown
from runoff.data.formats.json_text import encode_json
from runoff.data.records.files import format_of_name
from runoff.data.records.records import Records, read_records
from runoff.errors import FormatError, UsageError

COLUMNS = ("id", "cluster", "confidence")

ROWS = 1000
"""Rows that are written at once."""

Row = tuple[str, str | int, float]


def write_clusters(
    records: Records | Sequence[str],
    clusters: Sequence[str | int],
    confidences: Sequence[float],
    path: FilePath,
) -> None:
    r"""Write every record once, in the order given, with its cluster and confidence.

    The file's name decides between CSV, TSV and JSON Lines; any other name, and `-` for stdout,
    mean CSV. The file appears whole or not at all.

    Parameters
    ----------
    records : the records, or their ids.
    clusters : name or number of the cluster of each record.
    confidences : from 0 to 1, one for each record.

    Examples
    --------
    >>> from pathlib import Path
    >>> write_clusters(["a", "b"], [1, 1], [0.93, 0.93], "clusters.csv")
    >>> Path("clusters.csv").read_text()
    'id,cluster,confidence\na,1,0.93\nb,1,0.93\n'
    """
    ids = records.ids if isinstance(records, Records) else records
    if not len(ids) == len(clusters) == len(confidences):
        counts = f"{len(ids)} ids, {len(clusters)} clusters and {len(confidences)} confidences"
        raise UsageError(f"every record has one cluster and one confidence, not {counts}")
    certain = (float(f"{confidence:.6g}") for confidence in confidences)
    rows = zip(ids, clusters, certain, strict=True)
    write_pieces(_ENCODERS[format_of_name(path) or "csv"](rows), path)


def read_clusters(path: FilePath) -> Records:
    """The records of a file of clusters: `cluster` is among their fields, and nobody lacks one."""
    records = read_records(path)
    for place, cluster in enumerate(records.column("cluster")):
        if cluster is None:
            raise FormatError(f"record {shown(records.ids[place])} has no cluster", path=path)
    return records


def _encode_csv(rows: Iterator[Row]) -> Iterator[bytes]:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    yield text.getvalue().encode()
    while some := list(islice(rows, ROWS)):
        text.seek(0)
        text.truncate()
        writer.writerows(some)
        yield _utf8(text.getvalue(), some)


def _encode_tsv(rows: Iterable[Row]) -> Iterator[bytes]:
    yield ("\t".join(COLUMNS) + "\n").encode()
    for row in rows:
        cells = [str(cell) for cell in row]
        if any(c in cell for cell in cells for c in "\t\r\n"):
            problem = f"TSV cannot hold the TAB or line end in {shown(str(row[0]))}"
            raise FormatError(problem, hint="write CSV or JSON Lines")
        yield _utf8("\t".join(cells) + "\n", [row])


def _encode_jsonl(rows: Iterable[Row]) -> Iterator[bytes]:
    for row in rows:
        yield encode_json(dict(zip(COLUMNS, row, strict=True))) + b"\n"


def _utf8(text: str, rows: Iterable[Row]) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        wrong = next(row[0] for row in rows if any("\ud800" <= c <= "\udfff" for c in row[0]))
        raise FormatError(f"an id with an unpaired surrogate: {shown(wrong)}") from None


_ENCODERS = {"csv": _encode_csv, "tsv": _encode_tsv, "jsonl": _encode_jsonl}
