"""Looking at treebanks as they are: what is in them, and what cleaning would take away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from runoff.data.compression import without_suffix
from runoff.data.files import FilePath
from runoff.data.text.read import TREE_FILES
from runoff.data.tree import Tree
from runoff.data.treebank.clean import EMPTY, TOPS, clean_tree, plain_label


def is_treebank(path: FilePath) -> bool:
    """Whether the name of a file says that it has trees: `.mrg`, `.tree`, ..., `.gz` or not.

    Examples
    --------
    >>> is_treebank("votes.mrg.gz"), is_treebank("votes.jsonl")
    (True, False)
    """
    return without_suffix(path).lower().endswith(TREE_FILES)


@dataclass
class TreebankInspection:
    """The counts of a treebank.

    `kept` trees have words; `cleaned` ones are other than they are in the file. `words`, `labels`
    and `tags` are those of the cleaned trees, `remarks` what cleaning takes away.
    """

    trees: int = 0
    kept: int = 0
    cleaned: int = 0
    words: int = 0
    longest: int = 0
    deepest: int = 0
    vocabulary: int = 0
    labels: dict[str, int] = field(default_factory=dict)
    tags: dict[str, int] = field(default_factory=dict)
    remarks: dict[str, int] = field(default_factory=dict)


def inspect_trees(trees: Iterable[Tree]) -> TreebankInspection:
    """The counts of a treebank, whose trees are gone through once.

    Examples
    --------
    >>> tree = Tree.parse("( (S (NP-SBJ (PRP we)) (VP (VBD won) (NP (-NONE- *)))))")
    >>> found = inspect_trees([tree])
    >>> found.words, found.labels, found.remarks["empty elements"]
    (2, {'S': 1, 'NP': 1, 'VP': 1}, 1)
    """
    found = TreebankInspection()
    labels, tags, words, remarks = Counter[str](), Counter[str](), set[str](), Counter[str]()
    for tree in trees:
        found.trees += 1
        remarks.update(remarks_on(tree))
        clean = clean_tree(tree)
        if clean is None:
            continue
        found.kept += 1
        found.cleaned += clean != tree
        found.words += len(clean.words)
        found.longest = max(found.longest, len(clean.words))
        found.deepest = max(found.deepest, depth(clean))
        words.update(clean.words)
        for node in clean.nodes():
            if node.label not in TOPS:
                (tags if node.is_preterminal else labels)[node.label] += 1
    found.vocabulary = len(words)
    found.labels, found.tags = dict(labels.most_common()), dict(tags.most_common())
    found.remarks = dict(remarks.most_common())
    return found


def remarks_on(tree: Tree) -> Iterator[str]:
    """What cleaning takes away from a tree, once for each node, and what is odd about it."""
    for node in tree.nodes():
        if node.label in EMPTY:
            yield "empty elements"
        elif plain_label(node.label) != node.label:
            yield "labels with function tags or indices"
        words = sum(isinstance(child, str) for child in node)
        if words and not node.is_preterminal:
            yield "words beside other children"
        only = node[0] if len(node) == 1 else None
        if isinstance(only, Tree) and only.label == node.label:
            yield "phrases whose only child has the same label"
    if tree.label not in TOPS:
        yield "trees without a top"


def depth(tree: Tree) -> int:
    """How many nodes are above a word, at most."""
    flat, open_ends, deepest = tree.flat(), list[int](), 0
    for node, end in enumerate(flat.ends):
        while open_ends and open_ends[-1] <= node:
            open_ends.pop()
        open_ends.append(end)
        deepest = max(deepest, len(open_ends))
    return deepest
