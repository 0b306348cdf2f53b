"""Parsing by classification, slowly: states are tuples of items, and all of them are looked at."""

import math
from typing import NamedTuple

from runoff.data.treebank.heads import head_child
from runoff.data.treebank.tag_classes import CLASS_OF
from runoff.proposers.parsing.classification.items import SHAPES, shape_of

TOP = "TOP"


class Item(NamedTuple):
    """A label over words; `head` is the place of a child."""

    label: str
    start: int
    end: int
    word: str
    tag: str
    head_at: int
    children: tuple = ()
    head: int = 0
    shape: str = ""

    def spans(self):
        """This phrase and those below: label, start, end."""
        own = [(self.label, self.start, self.end)] if self.children else []
        return [*own, *(one for child in self.children for one in child.spans())]


class State(NamedTuple):
    """The frontier, where the last item is on it, and the words."""

    frontier: tuple
    last: int
    words: tuple


def start(words, tags, strategy):
    items = tuple(
        Item(tag, n, n + 1, word.lower(), tag, n, shape=SHAPES[shape_of(word)])
        for n, (word, tag) in enumerate(zip(words, tags, strict=True))
    )
    return State(items, len(items) - 1 if strategy == "r2l" else 0, items)


def is_complete(state):
    return len(state.frontier) == 1 and state.frontier[0].label == TOP


def candidates(state, strategy, max_children):
    """First child and number of children of every item that may come next."""
    for first in range(len(state.frontier)):
        for size in range(1, min(max_children, len(state.frontier) - first) + 1):
            last = first + size - 1
            if strategy == "r2l" and first > state.last:  # wholly to the right
                continue
            if strategy == "l2r" and last < state.last:
                continue
            yield first, size


def allows(state, first, size, label):
    """Whether no item of the same words and label is there, and a top is above all."""
    if label == TOP:
        return size == len(state.frontier)
    if size > 1:
        return True
    item = state.frontier[first]
    return (label, item.start, item.end) not in item.spans()


def inferences(state, strategy, max_children, phrases):
    if is_complete(state):
        return
    for first, size in candidates(state, strategy, max_children):
        for label in phrases:
            if allows(state, first, size, label):
                yield first, size, label


def after(state, first, size, label):
    children = state.frontier[first : first + size]
    head = head_child(label, tuple(child.label for child in children))
    _, _, _, word, tag, head_at, *_, shape = children[head]
    span = children[0].start, children[-1].end
    item = Item(label, *span, word, tag, head_at, children, head, shape)
    frontier = (*state.frontier[:first], item, *state.frontier[first + size :])
    return State(frontier, first, state.words)


def gold_inferences(state, tree):
    """Inferences of the tree's constituents all of whose children are on the frontier."""
    spans = {(item.label, item.start, item.end): n for n, item in enumerate(state.frontier)}
    for node in tree.nodes():
        if not node.is_preterminal:
            below = [(child.label, *child.span) for child in node.children]
            if all(child in spans for child in below):
                yield spans[below[0]], len(below), node.label


def orders(tree, strategy):
    """All ways to build a tree, each a list of inferences; no limit on the number of children."""
    tags = [node.label for node in tree.preterminals()]
    todo = [(start(tree.words, tags, strategy), [])]
    while todo:
        state, path = todo.pop()
        if is_complete(state):
            yield path
        for step in gold_inferences(state, tree):
            if step[:2] in set(candidates(state, strategy, len(tags))):
                todo.append((after(state, *step), [*path, step]))


def members(group, state, first, size, head):
    """The items of a group; see `runoff.proposers.parsing.classification.atoms`."""
    frontier, words = state.frontier, state.words
    children = frontier[first : first + size]
    left, right = frontier[:first], frontier[first + size :]
    anchors = {"leftmost": 0, "head": head, "rightmost": size - 1}
    anchor = anchors[group.anchor]
    n = group.n
    if group.kind == "item":
        place = first + anchor + n
        return frontier[place : place + 1] if place >= 0 else ()
    if group.kind == "word":
        ends = {
            "leftmost": children[0].start,
            "head": children[head].head_at,
            "rightmost": children[-1].end - 1,
        }
        place = ends[group.anchor] + n
        return words[place : place + 1] if place >= 0 else ()
    if group.kind == "grandchild":
        below = children[anchor]
        if not below.children:
            return ()
        return (below.children[(0, below.head, len(below.children) - 1)[n]],)
    found = {
        "first children": children[:n],
        "last children": children[max(size - n, 0) :],
        "items before": left[max(len(left) - n, 0) :],
        "items after": right[:n],
        "children before the head": children[:head][max(head - n, 0) :],
        "children after the head": children[head + 1 :][:n],
        "head": (children[head],),
        "all items": frontier,
        "all items before": left,
        "all items after": right,
        "all children but the leftmost": children[1:],
        "all children but the head": children[:head] + children[head + 1 :],
        "all children but the rightmost": children[:-1],
        "all children up to the head": children[: head + 1],
        "all children before the head": children[:head],
        "all children from the head on": children[head:],
        "all children after the head": children[head + 1 :],
        "all children": children,
    }[group.kind]
    if group.words:
        return tuple(word for item in found for word in words[item.start : item.end])
    return found


def atoms(groups, names, state, first, size, label, shaped=False):
    """The atoms of an inference in words; `names` are the words and tags that are known."""
    below = tuple(child.label for child in state.frontier[first : first + size])
    head = head_child(label, below)
    words, labels = names
    found = set()
    for group in groups:
        items = members(group, state, first, size, head)
        for item in items:
            if item.label in labels and not (group.words or group.kind == "word"):
                found.add(f"label {item.label} in {group}")
            if item.word in words:
                found.add(f"head word {item.word} in {group}")
            if item.tag in labels:
                found.add(f"head tag {item.tag} in {group}")
                if item.tag in CLASS_OF:
                    found.add(f"class of head tag {CLASS_OF[item.tag]} in {group}")
            if shaped:
                found.add(f"shape of head word {item.shape} in {group}")
        if group.has_length:
            found |= {f"number of {group} = {n}" for n in range(16) if len(items) == n}
            found |= {f"number of {group} > {n}" for n in range(16) if len(items) > n}
    return found


def cost(h):
    return math.log1p(math.exp(-h)) if h > 0 else math.log1p(math.exp(h)) - h


def all_parses(state, strategy, max_children, phrases, score):
    """Every tree that can be built, by its spans, with the cost of the cheapest way to it.

    `score(state, first, size, label)` is h.
    """
    goals, level = {}, {tuple(item.spans() for item in state.frontier).__repr__(): (0.0, state)}
    while level:
        following = {}
        for total, one in level.values():
            for step in inferences(one, strategy, max_children, phrases):
                reached = after(one, *step)
                now = total + cost(score(one, *step))
                if is_complete(reached):
                    tree = tuple(reached.frontier[0].spans())
                    goals[tree] = min(now, goals.get(tree, math.inf))
                    continue
                key = repr(reached.frontier)
                if key not in following or now < following[key][0]:
                    following[key] = (now, reached)
        level = following
    return goals
