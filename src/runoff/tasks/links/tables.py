"""The tables of the search: the paper's figures and ours."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
import numpy as np

from runoff.report.tables import Cell, Table
from runoff.tasks.links.measures import Measure, means
from runoff.tasks.links.search_study import GREEDY, Search, SearchStudy

MEASURES = ("rank", "order", "completed", "steps")
DECIMALS = {"rank": 1, "order": 1, "completed": 2, "steps": 2}


class Score(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A row of Table 1: means over all sentences."""

    rank: float | None = None
    order: float | None = None
    completed: float | None = None
    steps: float | None = None
    sentences: int | None = None


class Figures(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """What the paper found.

    Parameters
    ----------
    searches : Table 1, by epsilon or `greedy`.
    sizes : Table 2, by the number of linkages and by epsilon.
    """

    searches: dict[str, Score] = {}
    sizes: dict[str, dict[str, Score]] = {}


def search_tables(found: SearchStudy, paper: Figures) -> list[Table]:
    """Tables 1 and 2, steps at equal rank, and calibration."""
    return [
        _table_1(found, paper),
        _equal_rank(found, "Steps at the same mean rank", apart=False),
        _equal_rank(found, "Steps apart at the same mean rank", apart=True),
        _printed_rank(found, paper),
        _table_2(found, paper),
        _calibration(found, "Share of final scores above eta, which should be epsilon"),
    ]


def choice_tables(found: SearchStudy) -> list[Table]:
    """What the error model is chosen by: its steps at the ranks of the paper's, its calibration."""
    on = f"{found.sentences} development sentences"
    return [
        _equal_rank(found, f"Steps at the same mean rank, {on}", apart=False),
        _calibration(found, f"Share of final scores above eta, {on}"),
    ]


def _name(epsilon: float | None) -> str:
    return GREEDY if epsilon is None else f"{epsilon:g}"


def _row(
    which: str, own: Sequence[Measure], apart: Sequence[Measure], paper: Score | None, title: str
) -> dict[str, Cell]:
    row: dict[str, Cell] = {title: which}
    for name in MEASURES:
        row[f"paper {name}"] = getattr(paper, name, None)
    row |= means(own) if own else dict.fromkeys(MEASURES)
    row["steps apart"] = means(apart)["steps"] if apart else None
    return row


def _decimals() -> dict[str, int]:
    return DECIMALS | {f"paper {name}": n for name, n in DECIMALS.items()} | {"steps apart": 2}


def _table_1(found: SearchStudy, paper: Figures) -> Table:
    rows = []
    asked = {_name(one.epsilon) for one in found.searches if one.model in ("paper", GREEDY)}
    for one in found.searches:
        if one.apart or _name(one.epsilon) not in asked:
            continue
        apart = _same(found, one, lambda other: other.apart)
        first = one.model in ("paper", GREEDY)
        figures = paper.searches.get(_name(one.epsilon)) if first else None
        row = _row(_name(one.epsilon), one.measures, apart, figures, "epsilon")
        rows.append({"error model": one.model, **row})
    return Table("Table 1: means over all sentences", rows, _decimals())


def _same(found: SearchStudy, one: Search, which: Callable[[Search], bool]) -> list[Measure]:
    """The measures of another search with the same error model and epsilon."""
    for other in found.searches:
        if other.model == one.model and other.epsilon == one.epsilon and which(other):
            return other.measures
    return []


def _equal_rank(found: SearchStudy, title: str, *, apart: bool) -> Table:
    """The steps that error models take to the mean ranks that the paper's comes to."""
    curves = _curves(found, apart=apart)
    searches = [one for one in found.searches if one.model == "paper" and one.apart == apart]
    rows: list[dict[str, Cell]] = []
    for one, (rank, steps) in zip(searches, curves.pop("paper"), strict=True):
        row: dict[str, Cell] = {
            "epsilon": _name(one.epsilon),
            "rank": rank,
            "steps, paper's error model": steps,
        }
        row |= {f"steps, {name}": _steps_at(rank, curve) for name, curve in curves.items()}
        rows.append(row)
    decimals = {key: 3 for row in rows for key in row if key.startswith("steps")} | {"rank": 2}
    return Table(f"{title}; all but the paper's are interpolated", rows, decimals)


def _printed_rank(found: SearchStudy, paper: Figures) -> Table:
    """The steps that our error model takes to the ranks that are printed in the paper."""
    shared, apart = (_curves(found, apart=apart)["ours"] for apart in (False, True))
    rows: list[dict[str, Cell]] = [
        {
            "epsilon": epsilon,
            "paper rank": one.rank,
            "paper steps": one.steps,
            "steps": _steps_at(one.rank, shared),
            "steps apart": _steps_at(one.rank, apart),
        }
        for epsilon, one in paper.searches.items()
        if one.rank is not None and epsilon != GREEDY
    ]
    return Table("Steps of our error model at the ranks of the paper", rows, _decimals())


def _curves(found: SearchStudy, *, apart: bool) -> dict[str, list[tuple[float, float]]]:
    """Mean ranks and steps of all searches by error model."""
    curves: dict[str, list[tuple[float, float]]] = {}
    for one in found.searches:
        if one.apart == apart and one.model != GREEDY:
            own = means(one.measures)
            curves.setdefault(one.model, []).append((own["rank"], own["steps"]))
    return curves


def _steps_at(rank: float, curve: Sequence[tuple[float, float]]) -> float | None:
    """The steps to a mean rank, interpolated; none if no epsilon comes to it."""
    ranks, steps = zip(*sorted(curve), strict=True)
    return float(np.interp(rank, ranks, steps)) if ranks[0] <= rank <= ranks[-1] else None


def _table_2(found: SearchStudy, paper: Figures) -> Table:
    rows: list[dict[str, Cell]] = []
    chosen = [one for one in found.searches if not one.apart and one.epsilon in (0.01, 0.2)]
    greedy = [one for one in found.searches if one.model == GREEDY]
    for start in range(1, 100, 10):
        size = f"{start}-{start + 9}"
        for one in [*chosen, *greedy]:
            own = _of_size(one.measures, start)
            first = one.model in ("paper", GREEDY)
            figures = paper.sizes.get(size, {}).get(_name(one.epsilon)) if first else None
            if not own and figures is None:
                continue
            apart = _of_size(_same(found, one, lambda other: other.apart), start)
            row = _row(_name(one.epsilon), own, apart, figures, "epsilon")
            share = len(own) / max(1, len(one.measures))
            rows.append(
                {
                    "linkages": size,
                    "paper sentences": getattr(figures, "sentences", None),
                    "sentences": round(share * found.sentences),
                    "error model": one.model,
                    **row,
                }
            )
    return Table("Table 2: by the number of linkages", rows, _decimals())


def _of_size(measures: Sequence[Measure], start: int) -> list[Measure]:
    return [one for one in measures if start <= one.candidates < start + 10]


def _calibration(found: SearchStudy, title: str) -> Table:
    rows: list[dict[str, Cell]] = [
        {
            "error model": one.model,
            **{f"{epsilon:g}": above for epsilon, above in one.above.items()},
        }
        for one in found.calibration
    ]
    decimals = {key: 3 for row in rows for key in row if key != "error model"}
    return Table(title, rows, decimals)
