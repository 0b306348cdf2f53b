"""How well words are predicted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from runoff.report.tables import Cell, Table


def summary(header: Mapping[str, Any]) -> list[Table]:
    """How many words of the development text are predicted."""
    if "dev" not in header:
        return []
    dev = header["dev"]
    rows: list[dict[str, Cell]] = [{"what": "words", "value": f"{dev['words']:,}"}]
    rows += [
        {"what": name, "value": f"{100 * dev[name]:.2f}%"}
        for name in ("accuracy", "accuracy of lists")
    ]
    return [Table("development text", rows)]
