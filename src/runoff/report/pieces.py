"""Pieces of HTML that reports and notebooks are made of; the page has the same stylesheet.

Whatever text they show is escaped, and equal input gives equal bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from runoff.report.tables import Cell, Table

if TYPE_CHECKING:
    from runoff.learners.terms import Term

STYLE = Path(__file__).parent / "pieces.css"
"""The stylesheet, which the page has too."""


def document(title: str, parts: Iterable[str]) -> str:
    """A whole file that needs no other: its policy allows nothing but its own style."""
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    style = STYLE.read_text() + REPORT_STYLE
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>",
            f"<h1>{escape(title)}</h1>",
            *parts,
            "</main>\n</body>\n</html>\n",
        ]
    )


REPORT_STYLE = """
main { max-width: 62rem; margin: 0 auto; padding: 1rem; }
main h1 { font-size: 1.5rem; }
.case .winner-name, .case .rival-name { display: block; }
h2 { margin: 2rem 0 .5rem; font-size: 1.25rem; } h3 { margin: 1.4rem 0 .3rem; font-size: 1rem; }
main > table, details table, .case > table:not(.waterfall) { width: auto; margin: .5rem 0 1rem; }
main thead th.number { text-align: right; }
main td, main th { border-top: 1px solid var(--line); padding: .15rem .6rem .15rem 0; }
svg { max-width: 100%; height: auto; }
.case { border-top: 1px solid var(--line); padding: .6rem 0; break-inside: avoid; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; }
.waterfall { max-width: 34rem; } .waterfall svg.bar { width: 100%; height: 8px; }
.plot { color: var(--ink); max-width: 46rem; } summary { cursor: pointer; color: var(--faint); }
@media (max-width: 700px) { .pair { grid-template-columns: 1fr; } }
@media print { details { display: block; } .case { break-inside: avoid; } }
"""


def notebook(*parts: str) -> str:
    """Pieces for a notebook, with their style, which concerns nothing else on its page."""
    style = STYLE.read_text().replace(":root", ":scope")
    return f"<div><style>@scope {{\n{style}}}</style>{''.join(parts)}</div>"


def section(title: str, *parts: str) -> str:
    """A heading with what is below it; nothing if there is nothing."""
    found = [part for part in parts if part]
    return "\n".join([f"<h2>{escape(title)}</h2>", *found]) if found else ""


def paragraph(text: str) -> str:
    """A paragraph of plain text."""
    return f"<p>{escape(text)}</p>"


def table_html(table: Table) -> str:
    """A table of figures; numbers are aligned to the right.

    Examples
    --------
    >>> print(table_html(Table("Votes", [{"who": "<Ann>", "share": 0.5}], {"share": 2})))
    <table><caption>Votes</caption>
    <thead><tr><th scope="col">who</th><th scope="col" class="number">share</th></tr></thead>
    <tbody>
    <tr><td>&lt;Ann&gt;</td><td class="number">0.50</td></tr>
    </tbody></table>
    """
    if not table.rows:
        return ""
    head = "".join(_heading(name, [row[name] for row in table.rows]) for name in table.rows[0])
    rows = [
        "<tr>" + "".join(_cell(v, table.decimals.get(k, 4)) for k, v in row.items()) + "</tr>"
        for row in table.rows
    ]
    caption = f"<caption>{escape(table.title)}</caption>" if table.title else ""
    return "\n".join([f"<table>{caption}", f"<thead><tr>{head}</tr></thead>", "<tbody>", *rows,
                      "</tbody></table>"])  # fmt: skip


def _heading(name: str, values: Sequence[Cell]) -> str:
    numbers = all(value is None or isinstance(value, int | float) for value in values)
    kind = ' class="number"' if numbers else ""
    return f'<th scope="col"{kind}>{escape(name)}</th>'


def _cell(value: Cell, decimals: int) -> str:
    if isinstance(value, float):
        return f'<td class="number">{value:,.{decimals}f}</td>'.replace("-", "−")  # a minus
    if isinstance(value, int):
        return f'<td class="number">{value:,}</td>'
    return f"<td>{escape(str(value or ''))}</td>"


def waterfall(
    terms: Sequence[Term],
    difference: float,
    about: Mapping[str, str],
    top: int = 12,
    *,
    total: str = "difference of scores",
    leads: str = "The winner leads by",
) -> str:
    """Bars of terms, the largest first, that add up to the difference of scores.

    Parameters
    ----------
    about : a sentence for the name of a term, where there is one.
    total, leads : what the sum is called, and how the caption begins.
    """
    shown = [(term.feature, term.contribution) for term in terms[:top]]
    if rest := terms[top:]:
        shown.append((f"{len(rest)} smaller terms", sum(term.contribution for term in rest)))
    at, ends = 0.0, [0.0]
    for _, size in shown:
        at += size
        ends.append(at)
    scale = _scale(min(ends), max(ends))
    rows = [
        _bar_row(name, size, start, scale, "for" if size > 0 else "against", about.get(name))
        for (name, size), start in zip(shown, ends, strict=False)
    ]
    last = _bar_row(total, difference, 0.0, scale, "total", None)
    said = in_words([term.contribution for term in terms], difference, leads)
    return "\n".join(
        ['<table class="waterfall">', f"<caption>{escape(said)}</caption>", "<tbody>", *rows,
         last.replace("<tr>", '<tr class="total">'), "</tbody></table>"]
    )  # fmt: skip


def in_words(parts: Sequence[float], difference: float, leads: str = "The winner leads by") -> str:
    """What the bars say, for those who do not see them.

    Examples
    --------
    >>> in_words([2.0, -0.5], 1.5)
    'The winner leads by 1.50: 1 term for it (+2.00), 1 term against it (−0.50).'
    """
    sides = [[p for p in parts if p > 0], [p for p in parts if p < 0]]
    counts = [f"{len(side)} term{'' if len(side) == 1 else 's'}" for side in sides]
    return (
        f"{leads} {difference:,.2f}: {counts[0]} for it ({signed(sum(sides[0]))}), "
        f"{counts[1]} against it ({signed(sum(sides[1]))})."
    )


def signed(value: float) -> str:
    """A number with its sign, a real minus."""
    return f"{'−' if value < 0 else '+'}{abs(value):,.2f}"


def _scale(low: float, high: float) -> Callable[[float], float]:
    return lambda value: 100 * (value - low) / ((high - low) or 1.0)


def _bar_row(
    name: str,
    size: float,
    start: float,
    scale: Callable[[float], float],
    kind: str,
    about: str | None,
) -> str:
    first, last = sorted((scale(start), scale(start + size)))
    title = f' title="{escape(about)}"' if about else ""
    bar = (
        f'<svg class="bar" aria-hidden="true"><line class="zero" x1="{scale(0):.2f}%" '
        f'x2="{scale(0):.2f}%" y1="0" y2="8"/><rect class="bar-{kind}" x="{first:.2f}%" '
        f'width="{max(last - first, 0.4):.2f}%" height="8" rx="1.5"/></svg>'
    )
    return (
        f'<tr><th scope="row"{title}><span class="term-name">{escape(name)}</span>{bar}</th>'
        f'<td class="number">{signed(size)}</td></tr>'
    )
