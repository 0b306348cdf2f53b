"""Stand-in until the branch `records` is merged: files of clusters."""

from __future__ import annotations

from collections.abc import Sequence

from runoff.data.files import FilePath, write_pieces
from runoff.data.records import Records


def write_clusters(
    records: Records | Sequence[str],
    clusters: Sequence[str | int],
    confidences: Sequence[float],
    path: FilePath,
) -> None:
    """Write every record once, in the order given, with its cluster and confidence."""
    ids = records.ids if isinstance(records, Records) else records
    rows = zip(ids, clusters, confidences, strict=True)
    lines = ["id,cluster,confidence\n", *(f"{i},{c},{p:.6g}\n" for i, c, p in rows)]
    write_pieces([line.encode() for line in lines], path)
