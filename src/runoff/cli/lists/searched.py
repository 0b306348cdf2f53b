"""Lists that were searched and not read to the end: making them, and showing what was left."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from runoff.data.nbest import NBest
    from runoff.tasks.ranking.reranker import Reranker


def searched(
    model: Reranker,
    lists: Iterable[NBest],
    epsilon: float | None,
    budget: str | None,
    lm: str | None,
    prefixes: str | None,
) -> Iterator[NBest]:
    """The lists as `rerank_partial` gives them, with the scorer that an option names."""
    from runoff.cli.prefix_scorers import prefix_scorer
    from runoff.tasks.ranking.partial.rerank import Budget, rerank_partial

    cost = Budget.of(epsilon, budget)
    with prefix_scorer(lm, prefixes) as scorer:
        yield from rerank_partial(model, lists, cost, scorer)


def print_searched(lists: Iterable[NBest], *, json: bool = False) -> None:
    """Print the candidates of lists: those that were read, and how far the others were."""
    from runoff.cli.show import print_header, shown_output, table
    from runoff.data.files import write_pieces
    from runoff.data.formats import jsonl
    from runoff.tasks.ranking.partial.rerank import SEARCH

    if json:
        write_pieces(jsonl.encode(lists), "-")
        return
    for number, nbest in enumerate(lists, 1):
        rows = [
            [
                one.rank,
                one.extra.get("read", 1.0),
                one.score,
                one.extra.get("expected"),
                one.extra.get("eta"),
                shown_output(one.output),
            ]
            for one in nbest.candidates
        ]
        columns = ["before", "read", "score", "expected", "eta", "candidate"]
        table(nbest.name(number), columns, rows)
        costs = nbest.extra[SEARCH].items()
        rounded = {key: round(one, 4) if isinstance(one, float) else one for key, one in costs}
        print_header("search", rounded)
