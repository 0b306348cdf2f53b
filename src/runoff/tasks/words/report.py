"""How well words are predicted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from runoff.report.tables import Cell, Table


def summary(header: Mapping[str, Any]) -> list[Table]:
    """How many words of the development text are predicted."""
    if "dev" not in header:
        return []
    rows: list[dict[str, Cell]] = [
        {"what": key, "value": f"{value:,}" if isinstance(value, int) else f"{100 * value:.2f}%"}
        for key, value in header["dev"].items()
    ]
    return [Table("development text", rows)]
