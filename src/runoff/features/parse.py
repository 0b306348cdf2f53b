"""Features of parse trees: those of Collins & Koo (2005), fewer of them, and a richer set.

The templates are native (`collins_koo_templates.cpp` and `rich_templates.cpp` in
`cpp/runoff/features`); here are the tables they go by, and the extractors. Raise `REVISION`
when a template or a table changes, so that no cache serves features of before.

References
----------
Collins and Koo (2005), "Discriminative reranking for natural language parsing", section 5.2.
Charniak and Johnson (2005), "Coarse-to-fine n-best parsing and MaxEnt discriminative reranking".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial

import numpy as np

from runoff import _native
from runoff.data.nbest import NBest
from runoff.data.treebank.heads import native_heads
from runoff.features.extract import Function, mark
from runoff.problem.batch_features import BatchFeatures
from runoff.problem.brackets import bracket_bytes, refuse_no_tree
from runoff.problem.extractor import PieceFeatures, Pieces

REVISION = 2

CLOSED_TAGS = tuple("CC DT EX IN MD PDT POS PRP PRP$ RP TO WDT WP WP$ WRB AUX AUXG".split())
"""Words under these tags are closed-class."""

VERB_TAGS = tuple("VB VBD VBG VBN VBP VBZ".split())
AUXILIARIES = tuple(
    "be am is are was were been being 's 're 'm have has had having 've 'd do does did".split()
)
"""So are these words, in any case, under the tag of a verb."""


@cache
def native_features(kind: str) -> _native.ParseFeatures:
    """The native extractor of a set: full, small or rich."""
    return _native.ParseFeatures(native_heads(), CLOSED_TAGS, VERB_TAGS, AUXILIARIES, kind)


def _encode(
    lists: Sequence[NBest], thresholds: Sequence[int], *, kind: str, keep_all: bool = False
) -> BatchFeatures:
    texts = [[bracket_bytes(c.output) for c in nbest.candidates] for nbest in lists]
    asked = np.array(thresholds or [1], dtype=np.int64)
    try:
        columns = native_features(kind).encode(texts, asked, keep_all)
    except ValueError:
        refuse_no_tree(texts, lambda text: native_features(kind).encode([[text]], asked, keep_all))
    return BatchFeatures.of_native(columns, len(asked))


def _pieces(nbest: NBest, *, kind: str) -> PieceFeatures:
    """The features of every word of every tree: those of the nodes that close with it."""
    trees = [bracket_bytes(c.output) for c in nbest.candidates]
    try:
        return PieceFeatures(*native_features(kind).encode_pieces(trees))
    except ValueError:
        refuse_no_tree([trees], lambda tree: native_features(kind).encode_pieces([tree]))


def _by_words(kind: str) -> Callable[[Function], Function]:
    """Mark the extractor of a set of templates, which native code reads as a whole or by words."""
    return lambda function: mark(
        function,
        whole_list=True,
        encode=partial(_encode, kind=kind),
        pieces=Pieces(encode=partial(_pieces, kind=kind)),
    )


@_by_words("full")
def parse(nbest: NBest) -> list[dict[str, float]]:
    """The features of Collins & Koo (2005) of every candidate, which is a bracketed tree.

    A feature is present or absent, so its value is 1.

    Examples
    --------
    >>> from runoff.data.nbest import Candidate
    >>> tree = "(TOP (S (NP (PRP we)) (VP (VBD voted))))"
    >>> (features,) = parse(NBest(candidates=[Candidate(tree)]))
    >>> sorted(name for name in features if name.startswith(("rule:", "head-modifier:")))[:3]
    ['head-modifier: L TOP S VP NP adj=1', 'rule: NP -> PRP', 'rule: NP/we -> PRP/we']
    """
    return _encode([nbest], (), kind="full", keep_all=True).mappings()


@_by_words("small")
def parse_small(nbest: NBest) -> list[dict[str, float]]:
    """The features of `parse` without distances and without closed-class head words in labels.

    Collins & Koo (2005), section 5.3, compare ExpLoss and LogLoss on these.

    Examples
    --------
    >>> from runoff.data.nbest import Candidate
    >>> tree = "(TOP (S (NP (PRP we)) (VP (VBD voted))))"
    >>> (features,) = parse_small(NBest(candidates=[Candidate(tree)]))
    >>> sorted(name for name in features if name.startswith(("rule:", "distance:")))
    ['rule: NP -> PRP', 'rule: S -> NP VP', 'rule: TOP -> S', 'rule: VP -> VBD']
    """
    return _encode([nbest], (), kind="small", keep_all=True).mappings()


@_by_words("rich")
def parse_rich(nbest: NBest) -> list[dict[str, float]]:
    """The features of `parse`, and counts of those in the spirit of Charniak & Johnson (2005).

    Examples
    --------
    >>> from runoff.data.nbest import Candidate
    >>> tree = "(TOP (S (NP (PRP we)) (VP (VBD voted))))"
    >>> (features,) = parse_rich(NBest(candidates=[Candidate(tree)]))
    >>> features["head-words: L voted we"], features["right-branch: on"]
    (1.0, 3.0)
    """
    return _encode([nbest], (), kind="rich", keep_all=True).mappings()
