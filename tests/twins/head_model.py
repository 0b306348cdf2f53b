"""The head-driven models from their definitions: decisions, back-off estimates, all derivations.

A derivation is a tree with heads. A part of speech is (tag, word), a constituent is (label, place
of the head, children). Nothing here knows of spans, charts, fingerprints or numbers for names.
"""

from collections import Counter, defaultdict
from itertools import pairwise, product
from math import log

import numpy as np

from runoff.data.tree import Tree
from runoff.data.treebank.heads import head_child

TOP, STOP, NONE = "TOP", "STOP", None
VERBS = {"VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "MD"}
CONJUNCTIONS = {"CC", "CONJP"}
UNSEEN = {"word": 1e-6, "word2": 1e-6}  # what the last level backs off to; 1e-5 elsewhere
MAX_UNARY = 4
LEAST_EVENTS = 3  # of a context
MOST_OF_A_KIND = 3  # complements in a frame

KINDS = {"NP": "NP", "S": "S", "SQ": "S", "SINV": "S", "SBAR": "SBAR", "VP": "VP"}


def complement(side, parent, head, modifier):
    """The kind of complement that a modifier is, or None."""
    verbs = {"VBZ", "VBD", "VBP", "VB", "MD"}
    prepositions = {"IN", "TO", "VBG", "VBN", "RP", "FW"}
    if side == "left":
        is_one = parent in {"S", "SINV", "SQ"} and head == "VP" and modifier == "NP"
    elif parent in {"SINV", "SQ"}:
        is_one = head in verbs | {"VP"} and modifier in {"NP", "VP"}
    elif parent == "VP":
        is_one = head in verbs | {"VBG", "VBN", "TO"} and modifier in {"NP", "S", "SBAR", "VP"}
    elif parent in {"PP", "WHPP"}:
        phrases = {"NP", "S", "SBAR", "VP", "PP", "ADJP", "ADVP", "WHNP"}
        is_one = head in prepositions and modifier in phrases
    elif parent == "SBAR":
        heads = {"IN", "DT", "WHNP", "WHPP", "WHADVP", "WHADJP", "TO", "RB"}
        is_one = head in heads and modifier in {"S", "SQ", "SINV"}
    else:
        is_one = False
    return KINDS.get(modifier, "other") if is_one else None


def is_tag(node):
    return len(node) == 2


def label(node):
    return node[0]


def lexical(node):
    """Tag and word of the head word."""
    while not is_tag(node):
        node = node[2][node[1]]
    return node


def tags_of(node):
    """The tags below a node, left to right."""
    return [node[0]] if is_tag(node) else [tag for child in node[2] for tag in tags_of(child)]


def head_place(node):
    """Which of the words below a node is its head word."""
    if is_tag(node):
        return 0
    before = sum(len(tags_of(child)) for child in node[2][: node[1]])
    return before + head_place(node[2][node[1]])


def frame_of(side, parent, head, modifiers):
    """The complements on a side, as sorted pairs of kind and number."""
    kinds = Counter(complement(side, parent, head, label(m)) for m in modifiers)
    return {kind: min(n, MOST_OF_A_KIND) for kind, n in kinds.items() if kind is not None}


def frozen(frame):
    return tuple(sorted((kind, n) for kind, n in frame.items() if n))


def decisions(tree, tags=None):
    """Every decision of a derivation below TOP: its name, contexts (specific first), future.

    `tags` say which words are taken for verbs; without, the tree's own do.
    """
    root = tree[2][0]
    yield "head", [(TOP, NONE), (TOP,)], label(root)
    tag, word = nobody = (NONE, NONE)
    yield "head2", [(TOP, tag, NONE, word), (TOP, tag, NONE), (TOP, tag), (TOP,)], label(root)
    yield from lexical_decisions((TOP, NONE, "right", NONE), nobody, root)
    yield from inside(root, TOP, tags or tags_of(root))


def inside(node, above, tags):
    """The decisions of a constituent and of all below it."""
    if is_tag(node):
        return
    parent, place, children = node
    head = label(children[place])
    tag, word = lexical(node)
    yield "head", [(parent, above), (parent,)], head
    levels = [(parent, tag, above, word), (parent, tag, above), (parent, tag), (parent,)]
    yield "head2", levels, head
    yield from side_decisions(node, above, tags, "right", children[place + 1 :])
    yield from side_decisions(node, above, tags, "left", children[:place][::-1])
    for child in children:
        size = len(tags_of(child))
        yield from inside(child, parent, tags[:size])
        tags = tags[size:]


def side_decisions(node, above, tags, side, modifiers):
    """A frame, then the modifiers of a side from the head outward, then STOP."""
    parent, place, children = node
    head = label(children[place])
    tag, word = lexical(node)
    pair = (parent, head, side)
    frame = frame_of(side, parent, head, modifiers)
    levels = [(*pair, tag, above, word), (*pair, tag, above), (*pair, tag), pair]
    yield "frame2", levels, frozen(frame)
    previous = before = NONE
    between = verbs_between(node, tags, side)  # whether one was crossed, before each modifier
    for modifier, verb in zip([*modifiers, None], between, strict=True):
        future = STOP if modifier is None else label(modifier)
        first = previous is NONE
        a, b, c = pair, (*pair, first), (*pair, first, previous)
        d = (*c, above)
        yield "label", [(*d, before), d, c, b, a], future
        a = (*pair, frozen(frame))
        b = (*a, previous)
        c = (*b, verb, tag)
        d = (*c, above)
        e = (*d, before)
        yield "label2", [(*e, word), e, d, c, b, a], future
        if modifier is not None:
            state = (parent, head, side, previous)
            yield from lexical_decisions(state, (tag, word), modifier)
            kind = complement(side, parent, head, future)
            if frame.get(kind, 0):
                frame[kind] -= 1
            previous, before = future, previous


def verbs_between(node, tags, side):
    """For each place on a side where something may attach: was a verb crossed on the way?"""
    _, place, children = node
    head_word = head_place(node)
    words = 0
    bounds = []  # (first word, end) of each child
    for child in children:
        bounds.append((words, words + len(tags_of(child))))
        words = bounds[-1][1]
    if side == "right":
        ends = [begin for begin, _ in bounds[place + 1 :]] + [words]
        return [bool(VERBS & set(tags[head_word + 1 : end])) for end in ends]
    ends = [end for _, end in bounds[:place][::-1]] + [0]
    return [bool(VERBS & set(tags[end:head_word])) for end in ends]


def lexical_decisions(state, governor, node):
    """The tag of a modifier's head word, unless the modifier is a tag itself, and the word."""
    parent, head, side, previous = state
    tag, word = governor
    own_tag, own_word = lexical(node)
    modifier = label(node)
    if not is_tag(node):
        a = (modifier,)
        b = (*a, parent, head)
        c = (*b, tag, side, previous)
        yield "tag2", [(*c, word), c, b, a], own_tag
    yield "word", [(own_tag,)], own_word
    a = (own_tag,)
    b = (*a, modifier)
    c = (*b, parent, head)
    d = (*c, tag, side, previous in CONJUNCTIONS)
    yield "word2", [(*d, word), d, c, b, a], own_word


def cut(value):
    """A number as tables hold it: a float of which the upper half is kept, rounded."""
    bits = int(np.float32(value).view(np.uint32))
    return float(np.uint32((bits + 0x8000) >> 16 << 16).view(np.float32))


class Estimates:
    """p_l(f) = (n(c_l, f) + d(c_l) p_{l+1}(f)) / (n(c_l) + d(c_l)), d(c) = 5 + 15 u(c), but u(c)
    on the last level, where u(c) is how many futures c was seen with. Contexts of fewer than three
    events are passed over, but never those of the last level.

    With `exact`, numbers are as they come; otherwise as the native tables hold them.
    """

    def __init__(self, trees, exact):
        self.number = (lambda value: value) if exact else cut
        self.seen = defaultdict(Counter)
        self.levels = {}
        for tree in trees:
            for name, contexts, future in decisions(tree):
                self.levels[name] = len(contexts)
                for level, context in enumerate(contexts):
                    self.seen[name, level, context][future] += 1

    def aside(self, name, level, futures):
        return len(futures) if level == self.levels[name] - 1 else 5 + 15 * len(futures)

    def is_rare(self, name, level, futures):
        return futures.total() < LEAST_EVENTS and level < self.levels[name] - 1

    def estimate(self, name, contexts, future, level=0):
        """By the formula; the context at the level was seen with the future."""
        if level == len(contexts):
            return UNSEEN.get(name, 1e-5)
        futures = self.seen[name, level, contexts[level]]
        aside = self.aside(name, level, futures)
        below = self.estimate(name, contexts, future, level + 1)
        return (futures[future] + aside * below) / (futures.total() + aside)

    def probability(self, name, contexts, future):
        """Of a future in any contexts, seen or not."""
        weight = 1.0
        for level, context in enumerate(contexts):
            futures = self.seen.get((name, level, context))
            if futures is None or self.is_rare(name, level, futures):
                continue
            if future in futures:
                return weight * self.number(self.estimate(name, contexts, future, level))
            aside = self.aside(name, level, futures)
            weight *= self.number(aside / (futures.total() + aside))
        return weight * UNSEEN.get(name, 1e-5)

    def logprob(self, tree, lexicalised, tags=None):
        """The log-probability of a derivation, and of how many decisions it is made."""
        names = {"head2", "frame2", "label2", "tag2", "word2"}
        if not lexicalised:
            names = {"head", "label", "word"}
        own = [log(self.probability(*d)) for d in decisions(tree, tags) if d[0] in names]
        return sum(own), len(own)


class TooManyError(Exception):
    """There are more derivations than a test has time for."""


class Grammar:
    """What was seen in trees: all that derivations may be made of."""

    def __init__(self, trees):
        self.heads, self.modifiers, self.frames = set(), set(), set()
        for tree in trees:
            for name, contexts, future in decisions(tree):
                if name == "head":
                    self.heads.add((*contexts[-1], future))
                elif name == "label" and future != STOP:
                    self.modifiers.add((*contexts[-1], future))
                elif name == "frame2":
                    self.frames.add((*contexts[-1], future))

    def derivations(self, words, choices, lexicalised, limit):
        """Every derivation of a sentence whose words may have the tags of the choices."""
        self.limit = limit
        spans = {}
        for width in range(1, len(words) + 1):
            for start in range(len(words) - width + 1):
                span = (start, start + width)
                spans[span] = self.over(span, words, choices, spans)
        roots = [root for root in spans[0, len(words)] if (TOP, label(root)) in self.heads]
        made = [(TOP, 0, [root]) for root in roots]
        return [
            tree
            for tree in made
            if wrapped_once(tree) and (not lexicalised or self.frames_fit(tree))
        ]

    def over(self, span, words, choices, spans):
        """All that can stand over a span, up to four constituents on top of each other."""
        start, end = span
        level = [(tag, words[start]) for tag in choices[start]] if end == start + 1 else []
        for rows in splits(start, end):
            for children in product(*(spans[row] for row in rows)):
                level += self.constituents(list(children))
                self.check(level)
        found = list(level)
        for _ in range(MAX_UNARY):
            level = [
                (parent, 0, [child])
                for child in level
                for parent, head in sorted(self.heads)
                if head == label(child) and parent not in (head, TOP)
            ]
            found += level
            self.check(found)
        return found

    def constituents(self, children):
        """The children as one constituent, with any of them as the head."""
        for parent, head in sorted(self.heads):
            if parent == TOP:
                continue
            for place, child in enumerate(children):
                left, right = children[:place], children[place + 1 :]
                if (
                    label(child) == head
                    and all((parent, head, "left", label(m)) in self.modifiers for m in left)
                    and all((parent, head, "right", label(m)) in self.modifiers for m in right)
                ):
                    yield (parent, place, children)

    def frames_fit(self, node):
        """Whether each constituent with modifiers has frames that were seen with its head."""
        if is_tag(node):
            return True
        parent, place, children = node
        head = label(children[place])
        sides = {"left": children[:place], "right": children[place + 1 :]}
        for side, modifiers in sides.items():
            kinds = Counter(complement(side, parent, head, label(m)) for m in modifiers)
            if any(n > MOST_OF_A_KIND for kind, n in kinds.items() if kind):
                return False
            frame = frozen(frame_of(side, parent, head, modifiers))
            if len(children) > 1 and (parent, head, side, frame) not in self.frames:
                return False
        return all(self.frames_fit(child) for child in children)

    def check(self, found):
        if len(found) > self.limit:
            raise TooManyError


def splits(start, end):
    """The ways to cut a span into two or more spans."""
    for cuts in product([False, True], repeat=end - start - 1):
        places = [start, *(start + n + 1 for n, cut in enumerate(cuts) if cut), end]
        if len(places) > 2:
            yield list(pairwise(places))


def wrapped_once(node, above=NONE):
    """Whether no NP directly in an NP is made of a base NP alone, which is one itself."""
    if is_tag(node):
        return True
    parent, _, children = node
    if (parent, above, [label(c) for c in children]) == ("NP", "NP", ["NPB"]):
        return False
    return all(wrapped_once(child, parent) for child in children)


def shown(node):
    """The tree of a derivation: base NPs are NPs, and NPs of a base NP alone are that."""
    if is_tag(node):
        return Tree(node[0], [node[1]])
    parent, _, children = node
    if parent == "NP" and [label(c) for c in children] == ["NPB"]:
        return shown(children[0])
    return Tree("NP" if parent == "NPB" else parent, [shown(child) for child in children])


def headed(tree):
    """The derivation of a marked tree by the head rules."""
    if tree.is_preterminal:
        return (tree.label, tree.words[0])
    place = head_child(tree.label, tuple(child.label for child in tree.children))
    return (tree.label, place, [headed(child) for child in tree.children])
