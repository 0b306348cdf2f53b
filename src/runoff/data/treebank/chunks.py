"""Chunks read off trees, as those of the shared task of CoNLL-2000.

A chunk is a phrase up to its head, without what has a chunk of its own. So chunks do not overlap;
postmodifiers and complements are chunks beside it, and punctuation, conjunctions and words directly
below a clause are outside.

References
----------
Tjong Kim Sang and Buchholz (2000), "Introduction to the CoNLL-2000 shared task: chunking",
section 3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from runoff.data.files import FilePath
from runoff.data.flat_tree import Flat, Span, child_nodes, is_preterminal
from runoff.data.schemes import Chunk, encode
from runoff.data.sentence import Sentence
from runoff.data.tagged import read_tagged
from runoff.data.text.read import tagged_words
from runoff.data.tree import Tree
from runoff.data.treebank.clean import read_treebank
from runoff.data.treebank.inspect import is_treebank
from runoff.data.treebank.notation import penn_tree

TYPES = {
    **{label: label for label in "NP VP PP ADVP ADJP SBAR CONJP PRT INTJ LST UCP".split()},
    **{"WHNP": "NP", "WHPP": "PP", "WHADVP": "ADVP", "WHADJP": "ADJP"},
    **dict.fromkeys(["QP", "NX", "NAC", "NML"], "NP"),
}
"""The types of chunks, by the labels of phrases; clauses and fragments have none."""

INSIDE = {
    "NP": frozenset("ADJP WHADJP ADVP QP NX NAC NML UCP".split()),
    "VP": frozenset(["ADVP"]),
    "PP": frozenset(["QP"]),
    "ADVP": frozenset(["ADVP", "ADJP", "QP"]),
    "ADJP": frozenset(["ADJP", "ADVP", "WHADVP", "QP"]),
}
"""Phrases before the head of a chunk that are part of it, by its type."""

HEADS = {
    "VP": frozenset("VB VBD VBG VBN VBP VBZ MD TO".split()),
    "PP": frozenset("IN TO VBG VBN RP FW".split()),
    "SBAR": frozenset("IN TO WDT".split()),
}
"""Tags of heads, where not any word may be one."""

NO_HEADS = frozenset("CC , : . `` '' -LRB- -RRB- HYPH NFP".split())
"""Tags of words that are part of a chunk only if they are between others."""

NOUNS = frozenset("NN NNS NNP NNPS PRP CD $ % FW ADD QP NX NAC NML".split())
"""Heads of a noun phrase that has another one in it."""

MODIFIERS = NOUNS | frozenset("JJ JJR JJS VBG VBN".split())
"""Heads of a noun phrase that has another one in it, before that head."""

DETERMINERS = frozenset("DT PDT PRP$ WP$ WDT POS".split())
ADVERBS = frozenset("RB RBR RBS WRB".split())
POSSESSIVE = "POS"


class _Child(NamedTuple):
    """A child of a phrase: its label, whether that is a tag, and the label of its first child."""

    label: str
    is_word: bool
    begins_with: str

    @property
    def may_be_head(self) -> bool:
        return self.is_word and self.label not in NO_HEADS


def read_chunked(path: FilePath) -> Iterator[Sentence]:
    """Sentences whose gold is chunks: from columns, or from the trees of a treebank.

    Trees are read in the notation of the Penn Treebank.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("votes.mrg").write_text("(S (NP (DT the) (NN vote)) (VP (VBZ counts)))")
    >>> [sentence.gold for sentence in read_chunked("votes.mrg")]
    [('B-NP', 'I-NP', 'B-VP')]
    """
    if not is_treebank(path):
        yield from read_tagged(path)
        return
    for tree in filter(None, map(penn_tree, read_treebank(path))):
        tagged = tagged_words(tree)
        gold = encode(chunks_of(tree), len(tagged))
        yield Sentence(tagged.words, tagged.gold, tuple(gold))


def chunks_of(tree: Tree) -> list[Chunk]:
    """The chunks of a clean tree, from left to right.

    Examples
    --------
    >>> tree = Tree.parse("(S (NP (NP (NNP Ann) (POS 's)) (NN vote)) (VP (MD may) (RB not)"
    ...                   " (VP (VB count) (PP (IN for) (NP (PRP us))))))")
    >>> [(chunk.type, " ".join(tree.words[slice(*chunk.span)])) for chunk in chunks_of(tree)]
    [('NP', 'Ann'), ('NP', "'s vote"), ('VP', 'may not count'), ('PP', 'for'), ('NP', 'us')]
    """
    flat = tree.flat()
    tags = [""] * len(flat.words)
    for node, label in enumerate(flat.labels):
        if is_preterminal(flat, node):
            tags[flat.starts[node]] = label
    owners = _owners(flat, tags)
    chunks, start = list[Chunk](), 0
    for place in range(1, len(owners) + 1):
        owner = owners[start]
        if place < len(owners) and owners[place] == owner and tags[place] != POSSESSIVE:
            continue
        span = _trimmed(start, place, tags)
        if owner is not None and span.start < span.end:
            chunks.append(Chunk(TYPES[flat.labels[owner]], span))
        start = place
    return chunks


def _trimmed(start: int, end: int, tags: Sequence[str]) -> Span:
    """The span without punctuation and conjunctions at its edges."""
    while start < end and tags[start] in NO_HEADS:
        start += 1
    while start < end and tags[end - 1] in NO_HEADS:
        end -= 1
    return Span(start, end)


def _owners(flat: Flat, tags: Sequence[str]) -> list[int | None]:
    """For each word the phrase whose chunk it is part of, if any."""
    owners: list[int | None] = [None] * len(flat.words)
    below = [[child for child in row if isinstance(child, int)] for row in child_nodes(flat)]
    todo = [(0, 0)]  # a node, and the phrase whose chunk continues in it, or itself
    while todo:
        node, owner = todo.pop()
        children = [_seen(flat, child) for child in below[node]]
        kind = TYPES.get(flat.labels[node], "")
        inside = INSIDE.get(kind, frozenset())
        head = _head(kind, children) if kind else 0 if owner != node else -1
        for place, (child, seen) in enumerate(zip(below[node], children, strict=True)):
            last = flat.stops[child] - 1
            if place <= head and (seen.is_word or (place < head and seen.label in inside)):
                for word in range(flat.starts[child], last + 1):
                    owners[word] = owner if owners[word] is None else owners[word]
            elif not seen.is_word:
                if place < head and tags[last] == POSSESSIVE:
                    owners[last] = owner  # begins the chunk of what is possessed
                todo.append((child, owner if place == head else child))
    return owners


def _seen(flat: Flat, node: int) -> _Child:
    inner = flat.ends[node] > node + 1
    return _Child(flat.labels[node], not inner, flat.labels[node + 1] if inner else "")


def _head(kind: str, children: Sequence[_Child]) -> int:
    """The child in which a chunk ends; -1 if the phrase has no chunk."""
    if kind == "NP":
        return _head_of_nouns(children)
    words = [n for n, child in enumerate(children) if child.may_be_head]
    chosen = [n for n in words if kind not in HEADS or children[n].label in HEADS[kind]]
    same = (n for n, c in enumerate(children) if not c.is_word and TYPES.get(c.label) == kind)
    phrase = next(same, None)
    if phrase is not None and (kind == "VP" or all(children[n].label in ADVERBS for n in chosen)):
        return phrase  # a verb after its auxiliaries; "just after" with brackets around "after"
    if not chosen:  # a slip of the tagger, as of a noun in place of a verb
        chosen = [n for n in words if children[n].label not in ADVERBS] or words
    head = _last_in_row(chosen, children, INSIDE.get(kind, frozenset()))
    if kind == "VP" and 0 <= head < len(children) - 1:
        after = children[head + 1]
        head += after.label == "S" and after.begins_with == "VP"  # "want to sell" is one chunk
    return head


def _last_in_row(chosen: Sequence[int], children: Sequence[_Child], inside: frozenset[str]) -> int:
    """The last of the chosen children with no complement between it and the first; -1 of none."""
    last = chosen[0] if chosen else -1
    for place in chosen[1:]:
        between = children[last + 1 : place]
        if not all(child.is_word or child.label in inside for child in between):
            break
        last = place
    return last


def _head_of_nouns(children: Sequence[_Child]) -> int:
    """The child in which the chunk of a noun phrase ends; -1 if it has none."""
    phrases = [n for n, c in enumerate(children) if not c.is_word and c.label in ("NP", "WHNP")]
    if phrases:
        first = phrases[0]
        heads = [
            n for n, c in enumerate(children) if c.label in (MODIFIERS if n > first else NOUNS)
        ]
        return heads[-1] if heads else first
    heads = [n for n, c in enumerate(children) if c.may_be_head or c.label in NOUNS]
    last = heads[-1] if heads else -1
    if last < 0 or children[last].label in DETERMINERS:  # "the very rich"
        inside = (n for n, c in enumerate(children) if not c.is_word and c.label in INSIDE["NP"])
        last = max(last, *inside, -1)
    return last
