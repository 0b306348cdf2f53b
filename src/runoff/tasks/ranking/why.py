"""Why A over B: named terms that sum to the difference of their scores."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple, dataclass
from itertools import islice

from runoff.data.lists import Lists, open_lists
from runoff.data.nbest import Candidate, NBest
from runoff.errors import UsageError
from runoff.learners.terms import Term, Terms
from runoff.report.tables import plain_table, shown_candidate
from runoff.tasks.ranking.reranker import Reranker
from runoff.tasks.ranking.results.ranked import RankedList

SHOWN = 20
"""Terms that are printed one by one."""


@dataclass(frozen=True)
class Reasons:
    """Why the winner's score exceeds the rival's; the contributions sum to the difference.

    Where scores are votes, `note` says what is explained in their place; of names, it says where
    else they are found.
    """

    winner: Candidate
    rival: Candidate
    rival_rank: int
    terms: list[Term]
    difference: float
    note: str | None = None

    def __str__(self) -> str:
        rows: list[list[object]] = [list(astuple(term)) for term in self.terms[:SHOWN]]
        rest = self.terms[SHOWN:]
        if rest:
            left = sum(term.contribution for term in rest)
            rows.append([f"{len(rest)} smaller terms", None, None, None, left])
        rows.append(["difference of scores", None, None, None, self.difference])
        head = [f"winner  {shown_candidate(self.winner)}",
                f"rival   {shown_candidate(self.rival)}  (rank {self.rival_rank})"]  # fmt: skip
        head += [self.note] if self.note else []
        columns = ["feature", "winner", "rival", "weight", "contribution"]
        return "\n".join([*head, "", plain_table(columns, rows)])

    def _repr_html_(self) -> str:
        from runoff.report.drawings import pair
        from runoff.report.pieces import notebook, waterfall

        drawn = pair(self.winner, self.rival)
        return notebook(drawn, waterfall(self.terms, self.difference, {}))


def why(
    reranker: Reranker, nbest: Lists, *, id: str | int | None = None, over: int | None = None
) -> Reasons:
    """The terms that made the winner win, the largest first.

    Parameters
    ----------
    nbest : one list, in any form; or several, or a file of them, with the `id` of one.
    id : of the list, or its number, from 1; by default, the only one is meant.
    over : rank of the rival in the new order, from 0. By default it is the base system's first
        choice, or the runner-up where the winner is that already.

    Examples
    --------
    >>> import runoff as ro
    >>> heard = [ro.Candidate("a b", -1.0), ro.Candidate("a c", -1.5)]
    >>> lists = [ro.NBest(i, None, heard, gold="a c") for i in range(3)]
    >>> reasons = ro.why(ro.fit(lists, metric="wer"), lists[0])
    >>> reasons.winner.output, reasons.rival.output
    ('a c', 'a b')
    >>> abs(sum(term.contribution for term in reasons.terms) - reasons.difference) < 1e-9
    True
    """
    if id is not None:
        found = find_list(open_lists(nbest), str(id))
        return reasons(reranker, reranker.ranked([found])[0], over=over)
    given = list(islice(open_lists(nbest), 2))
    if len(given) != 1:
        several = "several lists" if given else "no list"
        raise UsageError(f"there is {several} to explain", hint="name one of them: id=...")
    return reasons(reranker, reranker.ranked(given)[0], over=over)


def reasons(reranker: Reranker, ranked: RankedList, *, over: int | None = None) -> Reasons:
    """The reasons of `why` for a list that was just ranked; nothing is extracted again."""
    candidates, terms = ranked.nbest.candidates, decisive_terms(reranker, ranked)
    base_first = [candidate.rank for candidate in candidates].index(0)
    rival_rank = base_first or 1 if over is None else over
    if not 0 < rival_rank < len(candidates):
        raise UsageError(
            f"the rival's rank must lie between 1 and {len(candidates) - 1}, not {rival_rank}"
        )
    winner, rival = candidates[0], candidates[rival_rank]
    parts = terms.between(ranked.order[0], ranked.order[rival_rank])
    if terms.note is None:
        difference = (winner.score or 0.0) - (rival.score or 0.0)
    else:
        difference = sum(term.contribution for term in parts)
    return Reasons(winner, rival, rival_rank, parts, difference, terms.note)


def decisive_terms(reranker: Reranker, ranked: RankedList) -> Terms:
    """The terms of a list, if there was something to decide."""
    if len(ranked.nbest) < 2:
        raise UsageError(f"list {ranked.nbest.id!r} has one candidate, so nothing was decided")
    return reranker.terms(ranked)


def find_list(lists: Iterable[NBest], name: str) -> NBest:
    """The list with this id; where no list has it, the list of this number, from 1."""
    by_number = None
    for number, nbest in enumerate(lists, start=1):
        if nbest.id is not None and str(nbest.id) == name:
            return nbest
        if str(number) == name:
            by_number = nbest
    if by_number is None:
        raise UsageError(f"there is no list with the id or number {name!r}")
    return by_number
