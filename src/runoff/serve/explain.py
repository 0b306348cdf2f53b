"""A list as the page shows it: candidates in their new order, and the table of terms.

The table is sent once for a list; the browser itself works out every pair, every changed weight and
what a choice hangs on.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from runoff.data.nbest import NBest
from runoff.errors import UsageError
from runoff.features.templates import sentences_for
from runoff.learners.terms import Terms
from runoff.report.blocks import translation_of
from runoff.serve.models import Models
from runoff.tasks.ranking.overview import in_given_order


class CandidateView(msgspec.Struct, omit_defaults=True):
    """A candidate; `index` is its place in the list as it was read, `rank` in the base order.

    A translation has its words and blocks, which say what each was translated from.
    """

    index: int
    rank: int
    output: Any = None
    logprob: float | None = None
    quality: float | None = None
    score: float | None = None
    words: Any = None
    blocks: Any = None


class TermTable(msgspec.Struct, omit_defaults=True):
    """The terms of all candidates: a score is the sum of weight times value.

    What all candidates share is left out. `rows` has, for each candidate in its new order, columns
    and values in turn. `templates` has a sentence for each kind of name.
    """

    names: list[str]
    weights: list[float]
    rows: list[list[float]]
    templates: dict[str, str]
    note: str | None = None


class ListView(msgspec.Struct, omit_defaults=True):
    """All that the page shows of one list."""

    kind: str
    candidates: list[CandidateView]
    id: str | int | None = None
    input: Any = None
    gold: Any = None
    confidence: float | None = None
    terms: TermTable | None = None
    unexplained: str | None = None
    command: str | None = None


def view(models: Models, lists: list[NBest], place: int = 0) -> ListView:
    """A list in its new order, with its terms; `lists` are those of its document."""
    reranker = models.ranker
    if reranker is None:
        return _unranked(models, lists[place])
    ranked = reranker.ranked(lists)[place]
    found = _view(ranked.nbest, ranked.order)
    extractors = [one.name for one in reranker.extractors]
    try:
        found.terms = term_table(reranker.terms(ranked), ranked.order, extractors)
    except UsageError as error:
        found.unexplained = error.message
    return found


def _unranked(models: Models, nbest: NBest) -> ListView:
    """A list in its own order; a translator has terms of its own."""
    order = _given_places(nbest)
    found = _view(in_given_order(nbest), order)
    if found.kind == "blocks" and models.scorer is not None:
        found.terms = term_table(models.scorer.own_terms(nbest), order)
    return found


def _given_places(nbest: NBest) -> list[int]:
    order = in_given_order(nbest)
    base = nbest.base_order()
    return [base[c.rank or 0] for c in order.candidates]


def _view(nbest: NBest, order: list[int]) -> ListView:
    candidates = [
        CandidateView(
            index,
            c.rank or 0,
            c.output,
            c.logprob,
            c.quality,
            c.score,
            c.extra.get("words"),
            c.extra.get("blocks"),
        )
        for index, c in zip(order, nbest.candidates, strict=True)
    ]
    return ListView(
        kind_of(nbest),
        candidates,
        nbest.id,
        nbest.input,
        nbest.gold,
        nbest.extra.get("confidence"),
    )


def term_table(terms: Terms, order: list[int], extractors: Sequence[str] = ()) -> TermTable:
    """The terms of a list that differ between its candidates, in their new order."""
    values = terms.values[order]
    used = np.flatnonzero((values != values[0]).any(axis=0) & (terms.weights != 0))
    names = [terms.names[term] for term in used.tolist()]
    rows = [
        [x for column in np.flatnonzero(row).tolist() for x in (column, row[column])]
        for row in values[:, used]
    ]
    sentences = sentences_for(names, extractors)
    return TermTable(names, terms.weights[used].tolist(), rows, sentences, terms.note)


def kind_of(nbest: NBest) -> str:
    """How the outputs of a list are drawn: tree, text, blocks, tags, clusters or other.

    Translations with all their blocks are drawn as such.

    Examples
    --------
    >>> from runoff.data.nbest import Candidate
    >>> [kind_of(NBest(1, i, [Candidate(o)])) for i, o in [(None, "a vote"), (["a"], ["B-NP"])]]
    ['text', 'tags']
    >>> kind_of(NBest(1, None, [Candidate("(NP (NN vote))")]))
    'tree'
    """
    outputs = [c.output for c in nbest.candidates]
    if all(translation_of(nbest.input, c) for c in nbest.candidates):
        return "blocks"
    if all(isinstance(one, str) for one in outputs):
        trees = all(one.lstrip().startswith("(") and one.rstrip().endswith(")") for one in outputs)
        return "tree" if trees else "text"
    if all(_is_list_of(one, str) for one in outputs):
        return "tags"
    return "clusters" if all(_is_list_of(one, list) for one in outputs) else "other"


def _is_list_of(value: Any, kind: type) -> bool:
    return isinstance(value, list) and all(isinstance(one, kind) for one in value)


def why_command(model: str, lists: str, nbest: NBest, number: int) -> str:
    """The command that prints the same reasons."""
    name = str(number + 1) if nbest.id is None else str(nbest.id)
    return shlex.join(["runoff", "why", model, lists, "--id", name])
