"""Trees of other treebanks in the notation of the Penn Treebank."""

from __future__ import annotations

from collections.abc import Iterator

from runoff.data.flat_tree import Flat
from runoff.data.tree import Tree
from runoff.data.treebank.clean import clean_tree

PLACES = frozenset(["CAPTION", "HEADING", "TITLE"])
"""Brackets that tell where a text stands, not what it is."""

RENAMED = {
    "NML": "",  # a bracket without a label goes
    "CIT": "PRN",
    "EDITED": "PRN",
    "SU": "CODE",  # marks the end of a unit of speech; nobody said it
}


def penn_tree(tree: Tree) -> Tree | None:
    """A clean tree in the notation of the Penn Treebank; None if nothing is left of it.

    Captions, headings and titles are the phrase that they consist of, or FRAG; citations and
    repairs are parentheses (PRN); base noun phrases have no brackets inside (NML), speech has no
    marks between its units (SU); and `to` is always TO.

    Examples
    --------
    >>> print(penn_tree(Tree.parse("(TOP (HEADING (NP (NML (NN tax) (NN cut)) (NNS votes))))")))
    (TOP (NP (NN tax) (NN cut) (NNS votes)))
    >>> print(penn_tree(Tree.parse("(TOP (CAPTION (NP (NN Fig.)) (PP (IN to) (NP (CD 2)))))")))
    (TOP (FRAG (NP (NN Fig.)) (PP (TO to) (NP (CD 2)))))
    """
    flat = tree.flat()
    labels = tuple(_labels(flat))
    return tree if labels == flat.labels else clean_tree(Tree._view(flat._replace(labels=labels)))


def _labels(flat: Flat) -> Iterator[str]:
    for node, label in enumerate(flat.labels):
        end = flat.ends[node]
        if label in PLACES and end > node + 1:
            yield "" if flat.ends[node + 1] == end else "FRAG"
        elif label == "IN" and flat.words[flat.starts[node]].lower() == "to":
            yield "TO"
        else:
            yield RENAMED.get(label, label)
