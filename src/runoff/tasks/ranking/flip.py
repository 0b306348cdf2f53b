"""What the choice hangs on: the fewest terms without which another candidate would win."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from runoff.data.nbest import Candidate, NBest
from runoff.errors import UsageError
from runoff.learners.terms import Term
from runoff.tasks.ranking.reranker import Reranker
from runoff.tasks.ranking.why import decisive_terms


@dataclass(frozen=True)
class Flip:
    """The fewest terms whose removal, for all candidates, makes another one win.

    `difference` is by how much the winner leads the new winner, `left` what remains of it without
    the terms: at most 0. Where nothing changes the winner there is no new one, and no terms.
    """

    winner: Candidate
    new_winner: Candidate | None = None
    terms: tuple[Term, ...] = ()
    difference: float | None = None
    left: float | None = None

    def _repr_html_(self) -> str:
        from runoff.report.drawings import pair
        from runoff.report.pieces import notebook, paragraph, waterfall

        if self.new_winner is None:
            return notebook(paragraph(f"{self.winner.output} wins whatever terms are removed."))
        drawn = pair(self.winner, self.new_winner)
        hung = sum(term.contribution for term in self.terms)
        return notebook(drawn, waterfall(self.terms, hung, {}))


def flip(reranker: Reranker, nbest: NBest) -> Flip:
    """The smallest set of terms that decided a list; the log-probability is one of the terms.

    Exact for linear rankers. Against one rival, nothing does more than to remove the largest
    contributions to the winner's lead, so the smallest set is found rival by rival; of several that
    are as small, it is the one that leaves its rival furthest ahead. Equal scores keep the base
    order, as everywhere. Time is that of sorting the terms of every candidate.

    Examples
    --------
    >>> import runoff as ro
    >>> heard = [ro.Candidate("a b", -1.0), ro.Candidate("a c", -1.5)]
    >>> lists = [ro.NBest(i, None, heard, gold="a c") for i in range(3)]
    >>> result = ro.flip(ro.fit(lists, metric="wer"), lists[0])
    >>> result.winner.output, result.new_winner.output, result.left <= 0
    ('a c', 'a b', True)
    """
    ranked = reranker.ranked([nbest])[0]
    table, candidates = decisive_terms(reranker, ranked), ranked.nbest.candidates
    if table.note is not None:
        raise UsageError(
            "a vote hangs on no terms that could be removed",
            hint="fit with -O form=averaged to ask what a choice hangs on",
        )
    values = table.values[ranked.order]
    leads = np.sort((values[0] - values[1:]) * table.weights, axis=1)  # (rivals, terms)
    # summed from the smallest, so that terms which cancel leave exactly nothing
    left = np.cumsum(np.pad(leads, ((0, 0), (1, 0))), axis=1)
    ranks = np.array([candidate.rank for candidate in candidates])
    ahead = (left < 0) | ((left == 0) & (ranks[1:] < ranks[0])[:, np.newaxis])
    for kept in range(leads.shape[1] - 1, -1, -1):
        rivals = np.flatnonzero(ahead[:, kept])
        if len(rivals):
            rival = 1 + min(rivals.tolist(), key=lambda r: (left[r, kept], ranks[r + 1]))
            pair = ranked.order[0], ranked.order[rival]
            terms = sorted(table.between(*pair), key=lambda term: -term.contribution)
            return Flip(
                candidates[0],
                candidates[rival],
                tuple(terms[: leads.shape[1] - kept]),
                (candidates[0].score or 0.0) - (candidates[rival].score or 0.0),
                float(left[rival - 1, kept]),
            )
    return Flip(candidates[0])
