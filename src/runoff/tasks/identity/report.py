"""How well records are resolved, and which statements weigh most."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from runoff.report.tables import Cell, Table


def summary(header: Mapping[str, Any]) -> list[Table]:
    """What folds chose, and how well the development records are resolved."""
    tables = []
    if header.get("choices"):
        rows: list[dict[str, Cell]] = [
            {key.replace("_", " "): value for key, value in row.items()}
            for row in header["choices"]
        ]
        decimals = {"quality": 4}
        tables.append(Table("mean of pair F1 and B-cubed, on folds", rows, decimals))
    if "dev" in header:
        dev: list[dict[str, Cell]] = [
            {"what": key, "value": f"{value:,}" if isinstance(value, int) else f"{value:.4f}"}
            for key, value in header["dev"].items()
        ]
        tables.append(Table("development records", dev))
    return tables
