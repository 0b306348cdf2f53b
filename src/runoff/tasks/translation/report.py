"""The contents of a translator, and how well it was tuned."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from runoff.data.bitext import read_line_pairs
from runoff.data.files import FilePath
from runoff.data.nbest import NBest
from runoff.errors import UsageError
from runoff.pipeline.folds import with_gold
from runoff.report.tables import Cell, Table


def gold_lists(model: Any, files: Sequence[FilePath], n: int) -> Iterator[NBest]:
    """What a model makes of the lines of a source file, with those of a target file as gold."""
    if len(files) != 2:
        raise UsageError("parallel text is two files, source and target")
    pairs = list(read_line_pairs(*files))
    return with_gold(model.lists((one for one, _ in pairs), n), (other for _, other in pairs))


def summary(header: Mapping[str, Any]) -> list[Table]:
    """The sizes of its parts, and the rounds of tuning."""
    sizes: list[dict[str, Cell]] = [
        {"what": str(key), "number": int(value)} for key, value in header["text"].items()
    ]
    tables = [Table("text", sizes)]
    if "tuning" in header:
        rows: list[dict[str, Cell]] = [
            {
                "round": int(row["round"]),
                "BLEU": float(row["BLEU"]),
                "candidates": int(row["candidates"]),
                "taken": str(row["taken"]),
            }
            for row in header["tuning"]
        ]
        tables.append(Table("tuning", rows, {"BLEU": 2}))
    return tables
