"""What a tagger looks at, as text: `tag[-1]+word[0]` is the tag before together with the word."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from runoff.errors import UsageError
from runoff.proposers.sequence.word_forms import FORMS

TEMPLATES = (
    *("word[0]", "lower[0]", "shape[0]", "pattern[0]", "marks[0]"),
    *("prefix1[0]", "prefix2[0]", "prefix3[0]", "prefix4[0]"),
    *("suffix1[0]", "suffix2[0]", "suffix3[0]", "suffix4[0]", "suffix5[0]"),
    *("word[-2]", "word[-1]", "word[1]", "word[2]"),
    *("suffix3[-1]", "suffix3[1]", "class[-1]", "class[1]", "class[2]"),
    *("word[-1]+word[0]", "word[0]+word[1]", "lower[-1]+lower[1]"),
    *("suffix3[0]+class[1]", "class[1]+class[2]"),
    *("tag[-1]", "tag[-1]+tag[-2]", "tag[-1]+tag[-2]+class[1]"),
    *("tag[-1]+lower[0]", "tag[-1]+suffix3[0]", "tag[-1]+marks[0]"),
    *("tag[-1]+word[1]", "tag[-1]+class[1]"),
)
"""The words around, parts of the word, and the two tags before."""

CLUSTER_TEMPLATES = (
    *("cluster[0]", "cluster4[0]", "cluster6[0]", "cluster8[0]"),
    *("cluster[-1]", "cluster[1]", "cluster6[-1]", "cluster6[1]"),
    *("cluster6[-1]+cluster6[0]", "cluster6[0]+cluster6[1]"),
    *("suffix3[0]+cluster[-1]", "suffix3[0]+cluster6[1]"),
    *("tag[-1]+cluster[0]", "tag[-1]+cluster6[0]", "tag[-1]+cluster[1]"),
)
"""Clusters of words, fine and coarse, of the word and its neighbours."""

TAG, UNUSED = -1, -2
"""What stands for a form where an atom is a tag, and where a template has fewer than three."""

_ATOM = re.compile(r"(\w+)\[(-?\d{1,2})\]")

Atom = tuple[int, int]
"""Place and form."""


def parse_template(text: str) -> list[Atom]:
    """The atoms of a template.

    Examples
    --------
    >>> parse_template("tag[-1]+word[0]")
    [(-1, -1), (0, 0)]
    """
    atoms = []
    for part in text.split("+"):
        found = _ATOM.fullmatch(part)
        if found is None or found[1] not in ("tag", *FORMS):
            known = ", ".join(("tag", *FORMS))
            raise UsageError(f"a template is written tag[-1]+word[0], with {known}; not {text!r}")
        place, form = int(found[2]), TAG if found[1] == "tag" else FORMS.index(found[1])
        if form == TAG and place not in (-1, -2):
            raise UsageError(f"a template sees tag[-1] and tag[-2] alone; {text!r} wants another")
        atoms.append((place, form))
    if len(atoms) > 3:
        raise UsageError(f"a template has at most three parts; {text!r} has {len(atoms)}")
    return atoms


def native_atoms(templates: Sequence[str]) -> NDArray[np.int32]:
    """Six numbers per template, as native code takes them."""
    padded = [[*parse_template(text), (0, UNUSED), (0, UNUSED)][:3] for text in templates]
    return np.array(padded, dtype=np.int32).reshape(-1)
