"""The contents of a language model, and its perplexity."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from runoff.report.tables import Cell, Table


def summary(header: Mapping[str, Any]) -> list[Table]:
    """N-grams and discounts of each order, and the perplexity of the development text."""
    rows = [_order(row) for row in header["n-grams"]]
    tables = [Table("n-grams", rows, {name: 4 for name in ("D1", "D2", "D3+")})]
    if "dev" in header:
        dev: list[dict[str, Cell]] = [
            {"what": key, "value": f"{value:,}" if isinstance(value, int) else f"{value:,.2f}"}
            for key, value in header["dev"].items()
        ]
        tables.append(Table("development text", dev))
    return tables


def _order(row: Mapping[str, Any]) -> dict[str, Cell]:
    shown: dict[str, Cell] = {"order": int(row["order"]), "n-grams": int(row["n-grams"])}
    if "discounts" in row:
        shown |= dict(zip(("D1", "D2", "D3+"), map(float, row["discounts"]), strict=True))
        shown["discounts"] = "too few counts" if row["fallback"] else "estimated"
    return shown
