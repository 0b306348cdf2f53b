"""The contents of a translator, and how well it was tuned."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from runoff.report.tables import Cell, Table


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
