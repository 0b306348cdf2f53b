"""Features of parse trees: those of Collins & Koo (2005), and a second, richer set.

The templates are native (`cpp/src/collins_koo_templates.cpp`, `rich_templates.cpp`); here are the
tables they go by, and their two doors. Raise `REVISION` when a template or a table changes, so that
no cache serves features of before.

References
----------
Collins and Koo (2005), "Discriminative reranking for natural language parsing", section 5.2.
Charniak and Johnson (2005), "Coarse-to-fine n-best parsing and MaxEnt discriminative reranking".
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from typing import Any

import numpy as np

from runoff import _native
from runoff.data.heads import NOUN_PHRASES, PUNCTUATION, RULES
from runoff.data.nbest import NBest
from runoff.data.tree import Tree
from runoff.errors import FormatError
from runoff.features.encoded import Encoded, ListError
from runoff.features.extract import encoded_by, whole_list

REVISION = 2

CLOSED_TAGS = tuple("CC DT EX IN MD PDT POS PRP PRP$ RP TO WDT WP WP$ WRB AUX AUXG".split())
"""Words under these tags are closed-class."""

VERB_TAGS = tuple("VB VBD VBG VBN VBP VBZ".split())
AUXILIARIES = tuple(
    "be am is are was were been being 's 're 'm have has had having 've 'd do does did".split()
)
"""So are these words, in any case, under the tag of a verb."""


@cache
def _native_features(rich: bool) -> _native.ParseFeatures:
    return _native.ParseFeatures(
        RULES,
        sorted(NOUN_PHRASES),
        sorted(PUNCTUATION),
        CLOSED_TAGS,
        VERB_TAGS,
        AUXILIARIES,
        rich,
    )


def _encode(
    lists: Sequence[NBest], thresholds: Sequence[int], *, rich: bool, keep_all: bool = False
) -> Encoded:
    texts = [[_brackets(c.output) for c in nbest.candidates] for nbest in lists]
    asked = np.array(thresholds or [1], dtype=np.int64)
    try:
        columns = _native_features(rich).encode(texts, asked, keep_all)
    except ValueError:
        _complain(texts)
        raise
    return Encoded.of_native(columns, len(asked))


def _brackets(output: Any) -> bytes:
    """The brackets of a tree; of what is none, a text that is no tree."""
    text = output if isinstance(output, str) else str(output) if isinstance(output, Tree) else ""
    return text.encode(errors="surrogatepass")


def _complain(texts: Sequence[Sequence[bytes]]) -> None:
    """Say which candidate is not a tree."""
    for number, candidates in enumerate(texts):
        for place, text in enumerate(candidates):
            try:
                Tree.parse(text.decode(errors="surrogatepass"))
            except FormatError as error:
                problem = f"the output is not a bracketed tree ({error.message})"
                raise ListError(problem, number, place) from None


@encoded_by(partial(_encode, rich=False))
@whole_list
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
    return _encode([nbest], (), rich=False, keep_all=True).mappings()


@encoded_by(partial(_encode, rich=True))
@whole_list
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
    return _encode([nbest], (), rich=True, keep_all=True).mappings()
