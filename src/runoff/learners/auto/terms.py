"""The terms of a sum of a linear model and trees, with names that say what a rank means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from runoff.learners.lambdamart.trees import Trees, by_feature, tree_rows
from runoff.learners.terms import LOGPROB, Terms
from runoff.problem.problem import Integers, RankingProblem
from runoff.problem.views import RANK, Views


def joined_terms(
    linear: Terms, views: Views, trees: Trees, problem: RankingProblem, names: Sequence[str]
) -> Terms:
    """The terms of a linear model with those of trees after them."""
    own = [*(names[number] for number in views.ids.tolist()), LOGPROB]
    titles, values = by_feature(own, trees.contributions(tree_rows(views.columns(problem))))
    joined = replace(
        linear,
        names=[*linear.names, *titles],
        weights=np.append(linear.weights, np.ones(len(titles))),
        values=np.concatenate([linear.values, values], axis=1),
    )
    sizes = np.diff(problem.list_offsets)[problem.owners]
    return replace(joined, detail=partial(_detailed, joined, sizes))


def _detailed(terms: Terms, sizes: Integers, term: int, pair: tuple[int, int], part: float) -> str:
    """The name of a term for two candidates; ranks become `2nd smallest`.

    `sizes` has the number of candidates in the list of each.
    """
    name = terms.names[term]
    if not name.startswith(RANK):
        return name
    winner, rival = (placed(terms.values[one, term], int(sizes[one])) for one in pair)
    return f"{name.removeprefix(RANK)}: {winner} of the list, not {rival}"


def placed(above: float, n: int) -> str:
    """Where a value stands among n, from the share of the others that are larger.

    Examples
    --------
    >>> [placed(share, 5) for share in (0.0, 0.25, 0.75, 1.0)]
    ['largest', '2nd largest', '2nd smallest', 'smallest']
    """
    place = int(above * (n - 1)) + 1
    kind = "largest" if 2 * place <= n + 1 else "smallest"
    place = min(place, n + 1 - place)
    ending = {1: "st", 2: "nd", 3: "rd"}.get(0 if place // 10 % 10 == 1 else place % 10, "th")
    return kind if place == 1 else f"{place}{ending} {kind}"
