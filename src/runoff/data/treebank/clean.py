"""Treebanks, cleaned for training and scoring: no traces, no function tags, one kind of top.

`read_treebank` takes files and folders of Penn brackets; `read_wsj` knows the sections of the Wall
Street Journal.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, islice
from pathlib import Path
from typing import NamedTuple

from runoff.data.files import FilePath
from runoff.data.flat_tree import Flat
from runoff.data.tree import Tree, read_trees
from runoff.errors import FormatError, unknown_choice

TOP = "TOP"
TOPS = frozenset(["", TOP, "S1", "ROOT"])
EMPTY = frozenset(["-NONE-", "CODE"])

WSJ_SOURCE = "the Wall Street Journal treebank is LDC99T42, https://catalog.ldc.upenn.edu/LDC99T42"

_FILES = re.compile(r".*\.(mrg|parse|prd|tree)(\.gz)?", re.IGNORECASE)
_WSJ_FILES = re.compile(r"wsj_(\d\d)\d\d\.mrg(\.gz)?", re.IGNORECASE)


def clean_tree(tree: Tree, *, same_unaries: bool = True) -> Tree | None:
    """The tree as parsers learn it and are scored by; None if nothing is left of it.

    Empty elements go, and phrases that are left without words, and `CODE`; labels lose function
    tags and indices. The outermost bracket is `TOP`, whatever it was, or comes on top; a bracket
    without a label goes elsewhere, and two words under one tag get one each.

    Parameters
    ----------
    tree : a tree of a treebank.
    same_unaries : keep phrases whose only child is a phrase of the same label.

    Examples
    --------
    >>> tree = Tree.parse("( (S (NP-SBJ-1 (PRP we)) (VP (VBD won) (NP (-NONE- *T*-1)))))")
    >>> print(clean_tree(tree))
    (TOP (S (NP (PRP we)) (VP (VBD won))))
    """
    flat = tree.flat()
    real = [True] * len(flat.words)
    for label, start, stop in zip(flat.labels, flat.starts, flat.stops, strict=True):
        if label in EMPTY:
            real[start:stop] = [False] * (stop - start)
    if not any(real):
        return None
    cleaned = _cleaned(flat, real)
    return Tree._view(cleaned if same_unaries else _without_same_unaries(cleaned))


@lru_cache(maxsize=1 << 14)
def plain_label(label: str) -> str:
    """The label without function tags and indices; `-LRB-` and its like stay.

    Examples
    --------
    >>> plain_label("NP-SBJ-1"), plain_label("NP=2"), plain_label("-LRB-"), plain_label("PRP$")
    ('NP', 'NP', '-LRB-', 'PRP$')
    """
    return re.split("[-=]", label, maxsplit=1)[0] or label


def read_treebank(
    paths: FilePath | Iterable[FilePath], *, same_unaries: bool = True
) -> Iterator[Tree]:
    """The cleaned trees of files and folders, one by one; those that are empty are left out.

    Of a folder, all files are read whose names end in .mrg, .parse, .prd or .tree, or that with
    .gz, in the order of their paths.

    Raises
    ------
    FormatError : a file that cannot be read, or a folder without such files.

    Examples
    --------
    >>> from runoff.data.tree import write_trees
    >>> write_trees([Tree.parse("( (NP-SBJ (NNS votes)))")], "votes.mrg")
    >>> [str(tree) for tree in read_treebank("votes.mrg")]
    ['(TOP (NP (NNS votes)))']
    """
    for path in [paths] if isinstance(paths, str | os.PathLike) else paths:
        for file in _files(path):
            for tree in read_trees(file):
                cleaned = clean_tree(tree, same_unaries=same_unaries)
                if cleaned is not None:
                    yield cleaned


def without_mixed_labels(trees: Sequence[Tree]) -> list[Tree]:
    """The trees in which no label is above words that is mostly above constituents.

    Or the other way round. These are slips of annotators, from which a parser cannot learn.

    Examples
    --------
    >>> trees = [Tree.parse("(TOP (NP (NNS votes)))"), Tree.parse("(TOP (NP we) (NP (PRP it)))")]
    >>> [str(tree) for tree in without_mixed_labels(trees)]
    ['(TOP (NP (NNS votes)))']
    """
    found = Counter(use for tree in trees for use in _uses(tree))
    mixed = {label for label, on_word in found if (label, not on_word) in found}
    slips = {(label, found[label, True] <= found[label, False]) for label in mixed}
    return [tree for tree in trees if slips.isdisjoint(_uses(tree))]


def _uses(tree: Tree) -> Iterator[tuple[str, bool]]:
    """Labels, and whether they are directly above a word."""
    flat = tree.flat()
    for node, (label, end) in enumerate(zip(flat.labels, flat.ends, strict=True)):
        yield label, end == node + 1


class Part(NamedTuple):
    """Sections of the Wall Street Journal, and which of their trees: `[start, stop)`."""

    sections: tuple[int, ...]
    start: int = 0
    stop: int | None = None


_TRAINING = tuple(range(2, 22))
WSJ_PARTS = {
    "train": Part(_TRAINING),
    "train-36000": Part(_TRAINING, 0, 36_000),
    "train-rest": Part(_TRAINING, 36_000),
    "00": Part((0,)),
    "22": Part((22,)),
    "23": Part((23,)),
    "24": Part((24,)),
}
"""The field's standard parts, and Collins & Koo's: 36,000 trees to train, the rest to develop."""


def read_wsj(folder: FilePath, part: str, *, same_unaries: bool = True) -> Iterator[Tree]:
    """The cleaned trees of a part of the Wall Street Journal; see `WSJ_PARTS`.

    Files are found by their names, wherever they lie in the folder: `wsj_0201.mrg` is of section 2.

    Raises
    ------
    UsageError : there is no such part.
    FormatError : no file of a section is in the folder, or one is there twice.
    """
    if part not in WSJ_PARTS:
        raise unknown_choice("part", part, WSJ_PARTS)
    sections, start, stop = WSJ_PARTS[part]
    trees = read_treebank(_wsj_files(Path(folder), sections), same_unaries=same_unaries)
    return islice(trees, start, stop)


def _wsj_files(folder: Path, sections: tuple[int, ...]) -> list[FilePath]:
    found: dict[str, Path] = {}
    for file in _below(folder):
        match = _WSJ_FILES.fullmatch(file.name)
        if match is None or int(match[1]) not in sections:
            continue
        name = file.name.lower().removesuffix(".gz")
        if name in found:
            raise FormatError(f"occurs twice; the other file is {found[name]}", path=file)
        found[name] = file
    missing = set(sections) - {int(name[4:6]) for name in found}
    if missing:
        problem = f"no files such as wsj_{min(missing):02}01.mrg in this folder"
        raise FormatError(problem, path=folder, hint=WSJ_SOURCE)
    return [found[name] for name in sorted(found)]


def _files(path: FilePath) -> list[FilePath]:
    if str(path) == "-" or not Path(path).is_dir():
        return [path]
    files: list[FilePath] = [file for file in _below(Path(path)) if _FILES.fullmatch(file.name)]
    if not files:
        raise FormatError("no .mrg files in this folder", path=path)
    return files


def _below(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise FormatError("no such folder", path=folder, hint=WSJ_SOURCE)
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _cleaned(flat: Flat, real: list[bool]) -> Flat:
    """The tree of the real words; node 0 is the top."""
    place = list(accumulate(real, initial=0))
    rows: list[tuple[str, int, int, int]] = [(TOP, 0, 0, place[-1])]  # label, old node, span
    before = []  # old node -> new nodes before it
    for node, label in enumerate(flat.labels):
        before.append(len(rows))
        start, stop = place[flat.starts[node]], place[flat.stops[node]]
        if start == stop or not label or (node == 0 and label in TOPS):
            continue
        if flat.ends[node] == node + 1:
            rows += [(plain_label(label), -1, word, word + 1) for word in range(start, stop)]
        else:
            rows.append((plain_label(label), node, start, stop))
    before.append(len(rows))
    labels, nodes, starts, stops = zip(*rows, strict=True)
    ends = [place + 1 if node < 0 else before[flat.ends[node]] for place, node in enumerate(nodes)]
    words = tuple(word for word, kept in zip(flat.words, real, strict=True) if kept)
    return Flat(labels, tuple(ends), starts, stops, words)


def _without_same_unaries(flat: Flat) -> Flat:
    """The tree without nodes whose parent has the same label and no other child."""
    kept = [
        node == 0 or flat.labels[node] != flat.labels[node - 1] or not _alone(flat, node)
        for node in range(len(flat.labels))
    ]
    before = list(accumulate(kept, initial=0))
    nodes = [node for node, keep in enumerate(kept) if keep]
    return Flat(
        tuple(flat.labels[node] for node in nodes),
        tuple(before[flat.ends[node]] for node in nodes),
        tuple(flat.starts[node] for node in nodes),
        tuple(flat.stops[node] for node in nodes),
        flat.words,
    )


def _alone(flat: Flat, node: int) -> bool:
    """Whether the node before is the parent, and covers no more than this one."""
    return flat.ends[node - 1] == flat.ends[node] and (
        flat.starts[node - 1] == flat.starts[node] and flat.stops[node - 1] == flat.stops[node]
    )
