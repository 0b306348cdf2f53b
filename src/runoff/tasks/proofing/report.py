"""How well confusable words are told apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from runoff.report.tables import Cell, Table

SHARES = ("accuracy", "false alarms", "errors found")


def summary(header: Mapping[str, Any]) -> list[Table]:
    """How well experts do on text that they have not seen."""
    rows: list[dict[str, Cell]] = [
        {
            "words": ", ".join(one["words"]),
            "occurrences": one["occurrences"],
            "features": one["features"],
            **{name: f"{100 * one[name]:.2f}%" for name in SHARES},
        }
        for one in header.get("dev") or ()
    ]
    return [Table("experts", rows)] if rows else []
