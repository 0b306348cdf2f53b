"""Which child of a constituent is its head: the rules of Collins (1999), appendix A.

A rule looks for labels in order of priority, from the left or from the right. Noun phrases have
steps of their own, and a head after a conjunction gives way to the conjunct before it. Labels that
the Wall Street Journal did not have (NML, CAPTION, HEADING, ...) have rules of ours, and where
no rule decides, the first child that is not punctuation does.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from runoff import _native
from runoff.data.flat_tree import Flat, child_nodes


class Scan(NamedTuple):
    """One step of a rule: the first child, seen from a side, that has one of the labels.

    With `in_order`, labels earlier in the list win over children nearer to that side.
    """

    from_left: bool
    labels: tuple[str, ...]
    in_order: bool


PUNCTUATION = frozenset([",", ":", "``", "''", ".", "-LRB-", "-RRB-", "HYPH"])
NOUN_PHRASES = frozenset(["NP", "NPB", "NML", "NX", "NAC"])

_CLAUSES = "S SINV SQ SBARQ SBAR FRAG UCP VP NP NML NPB PP ADJP ADVP QP"

_TABLE = {
    "ADJP": ("left", "NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB"),
    "ADVP": ("right", "RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN"),
    "CONJP": ("right", "CC RB IN"),
    "FRAG": ("left", _CLAUSES),
    "LST": ("right", "LS CD NN :"),
    "PP": ("right", "IN TO VBG VBN RP FW"),
    "PRN": ("left", f"{_CLAUSES} NN NNS NNP CD"),
    "PRT": ("right", "RP"),
    "QP": ("left", "$ IN NNS NN JJ RB DT CD NCD QP JJR JJS"),
    "RRC": ("right", "VP NP ADVP ADJP PP"),
    "S": ("left", "TO IN VP S SBAR ADJP UCP NP"),
    "SBAR": ("left", "WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG"),
    "SBARQ": ("left", "SQ S SINV SBARQ FRAG"),
    "SINV": ("left", "VBZ VBD VBP VB MD VP S SINV ADJP NP"),
    "SQ": ("left", "VBZ VBD VBP VB MD VP SQ"),
    "VP": ("left", "TO VBD VBN MD VBZ VB VBG VBP VP ADJP NN NNS NP"),
    "WHADJP": ("left", "CC WRB JJ ADJP"),
    "WHADVP": ("right", "CC WRB"),
    "WHNP": ("left", "WDT WP WP$ WHADJP WHPP WHNP"),
    "WHPP": ("right", "IN TO FW"),
    "CAPTION": ("left", _CLAUSES),
    "HEADING": ("left", _CLAUSES),
    "TITLE": ("left", _CLAUSES),
    "CIT": ("left", _CLAUSES),
}

RULES: dict[str, tuple[Scan, ...]] = {
    label: (Scan(side == "left", tuple(labels.split()), in_order=True),)
    for label, (side, labels) in _TABLE.items()
}
"""The steps of every label that has a rule; native code is given the same table."""

_NOUNS = (
    Scan(False, tuple("NN NNP NNPS NNS NX NML POS JJR".split()), in_order=False),
    Scan(True, ("NP", "NPB"), in_order=False),
    Scan(False, ("$", "ADJP", "PRN"), in_order=False),
    Scan(False, ("CD",), in_order=False),
    Scan(False, ("JJ", "JJS", "RB", "QP"), in_order=False),
)
RULES |= dict.fromkeys(NOUN_PHRASES, _NOUNS)


@cache
def native_heads() -> _native.HeadTable:
    """The head rules as native code takes them."""
    return _native.HeadTable(RULES, sorted(NOUN_PHRASES), sorted(PUNCTUATION))


@lru_cache(maxsize=1 << 16)
def head_child(label: str, children: Sequence[str]) -> int:
    """The index of the head among the labels of a constituent's children.

    Examples
    --------
    >>> head_child("VP", ("ADVP", "VBD", "NP"))
    1
    >>> head_child("NP", ("NNS", "CC", "NNS"))
    0
    >>> head_child("NP", ("NP", "POS"))
    1
    """
    return _before_conjunction(_by_rules(label, children), children)


def head_children(flat: Flat) -> list[int]:
    """For every node of a tree the node that is its head child, or -1 where that is a word."""
    heads = []
    for label, children in zip(flat.labels, child_nodes(flat), strict=True):
        nodes = [child for child in children if isinstance(child, int)]
        if nodes:
            labels = tuple(flat.labels[node] for node in nodes)
            heads.append(nodes[head_child(label, labels)])
        else:
            heads.append(-1)
    return heads


def _by_rules(label: str, children: Sequence[str]) -> int:
    if label in NOUN_PHRASES and children[-1] == "POS":
        return len(children) - 1
    for scan in RULES.get(label, ()):
        found = _scan(scan, children)
        if found is not None:
            return found
    if label in NOUN_PHRASES:
        return len(children) - 1
    places = (n for n, child in enumerate(children) if child not in PUNCTUATION)
    return next(places, 0)


def _scan(scan: Scan, children: Sequence[str]) -> int | None:
    places = range(len(children)) if scan.from_left else range(len(children) - 1, -1, -1)
    for labels in scan.labels if scan.in_order else (scan.labels,):
        wanted = (labels,) if isinstance(labels, str) else labels
        for place in places:
            if children[place] in wanted:
                return place
    return None


def _before_conjunction(head: int, children: Sequence[str]) -> int:
    """The head of `X CC X`: the first X, though the rule chose the second."""
    if (
        head >= 2
        and children[head - 1] in ("CC", "CONJP")
        and children[head - 2] not in PUNCTUATION
    ):
        return head - 2
    return head
