"""How well records are resolved, and the worst mistakes, with what speaks for and against them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from runoff.data.files import FilePath
from runoff.learners.terms import Term
from runoff.report.pieces import paragraph, section, table_html, waterfall
from runoff.report.tables import Cell, Table
from runoff.tasks.identity.evaluate import scores
from runoff.tasks.identity.model import IdentityModel
from runoff.tasks.identity.resolution import Resolution
from runoff.tasks.identity.train import joined

CASES, MEMBERS = 20, 12
"""Mistakes that a report shows of each kind, and records of one."""


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


def gold_parts(model: IdentityModel, files: Sequence[FilePath]) -> list[str]:
    """The parts of a report on records with gold clusters, in the column `cluster`.

    A file may be followed by `::COLUMN` where another column has them.
    """
    sources = [str(one).partition("::") for one in files]
    column = next((name for _, _, name in sources if name), "cluster")
    every = joined([source for source, _, _ in sources], None)
    labels = every.column(column)
    found = model.resolve(every.take([i for i, one in enumerate(labels) if one is not None]))
    gold = [one for one in labels if one is not None]
    figures = {key.replace("-", " "): value for key, value in scores(gold, found.labels).items()}
    rows: list[dict[str, Cell]] = [{"what": key, "value": value} for key, value in figures.items()]
    return [
        section("Gold and found clusters", table_html(Table("", rows))),
        section("Different things in one cluster", *_mistakes(found, gold, found.labels, gold)),
        section("One thing in several clusters", *_mistakes(found, gold, gold, found.labels)),
    ]


def _mistakes(
    found: Resolution, gold: Sequence[Any], groups: Sequence[Any], parts: Sequence[Any]
) -> list[str]:
    """Groups of records that have several parts, those with the most wrong pairs first."""
    members: dict[Any, list[int]] = {}
    for place, group in enumerate(groups):
        members.setdefault(_key(group), []).append(place)
    wrong = []
    for own in members.values():
        sizes = Counter(_key(parts[place]) for place in own)
        pairs = (len(own) ** 2 - sum(size**2 for size in sizes.values())) // 2
        if pairs:
            wrong.append((-pairs, own))
    return [_mistake(found, gold, own, parts, -pairs) for pairs, own in sorted(wrong)[:CASES]]


def _key(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _mistake(
    found: Resolution, gold: Sequence[Any], own: list[int], parts: Sequence[Any], pairs: int
) -> str:
    """The records of a group, and why the first two that differ are, or are not, together."""
    records = found.records
    other = next(one for one in own if _key(parts[one]) != _key(parts[own[0]]))
    listed = sorted({own[0], other, *own[: MEMBERS - 2]})
    rows: list[dict[str, Cell]] = [
        {
            "id": records.ids[place],
            "gold": _text(gold[place]),
            "cluster": found.labels[place],
            **{name: _text(records.columns[name][place]) for name in found.model.fields},
        }
        for place in listed
    ]
    said = f"{pairs:,} wrong pair{'' if pairs == 1 else 's'}"
    if len(own) > len(listed):
        said += f"; {len(own) - len(listed):,} more records are not shown"
    reasons = found.why(records.ids[own[0]], records.ids[other])
    body = [paragraph(reasons.note)] if reasons.note else []
    if reasons.chain:
        last = reasons.chain[-1]
        terms = [Term(t.statement, t.value, 0.0, t.weight, t.term) for t in last.terms]
        leads = "The log-odds that the two sets are one thing are"
        body.append(waterfall(terms, last.logodds, {}, 8, total="log-odds", leads=leads))
    names = f"{reasons.first} and {reasons.second}"
    head = ['<div class="case">', f"<h3>{escape(names)}</h3>", paragraph(said)]
    return "\n".join([*head, table_html(Table("", rows)), *body, "</div>"])


def _text(value: Any) -> str:
    text = "" if value is None else str(value)
    return text if len(text) <= 120 else f"{text[:120]}…"
