"""The native features of parse trees, slow and obvious: nodes as objects, names as text."""

from collections import Counter
from itertools import pairwise

from runoff.data.tree import Tree
from runoff.data.treebank.heads import NOUN_PHRASES, PUNCTUATION, head_child
from runoff.features.parse import AUXILIARIES, CLOSED_TAGS, VERB_TAGS

TOPS = ("", "TOP", "S1", "ROOT")
STOP = "STOP"


class Node:
    """A constituent or, without children, a tag over one word."""

    def __init__(self, label, children=(), word=None):
        self.label, self.children, self.word, self.parent = label, list(children), word, None
        for child in self.children:
            child.parent = self

    def nodes(self):
        yield self
        for child in self.children:
            yield from child.nodes()

    def tags(self):
        return [node for node in self.nodes() if not node.children]


def plain(label):
    places = [label.index(mark) for mark in "-=" if mark in label]
    return label[: min(places)] if places and min(places) > 0 else label


def shape(tree):
    """The node of a tree, or None where it has no words."""
    if tree.label == "-NONE-":
        return None
    if tree.is_preterminal:
        return Node(plain(tree.label), word=tree.words[0])
    children = shapes(tree)
    return Node(plain(tree.label), children) if children else None


def shapes(tree):
    below = [Node("WORD", word=c) if isinstance(c, str) else shape(c) for c in tree.children]
    return [child for child in below if child is not None]


def find_heads(node):
    for child in node.children:
        find_heads(child)
    if not node.children:
        node.head = node.content = None
        node.head_tag = node.content_tag = node
        return
    labels = [child.label for child in node.children]
    place = head_child(node.label, tuple(labels))
    node.head = node.children[place]
    node.content = node.children[content_place(node, labels, place)]
    node.head_tag, node.content_tag = node.head.head_tag, node.content.content_tag


def content_place(node, labels, head):
    def after(wanted):
        return next((i for i in range(head + 1, len(labels)) if wanted(labels[i])), head)

    if node.label in ("PP", "WHPP"):
        return after(lambda label: label not in PUNCTUATION)
    if node.label in ("VP", "SQ", "SINV") and not node.children[head].children:
        return after(lambda label: label == "VP")
    if node.label == "SBAR":
        return after(lambda label: label in ("S", "SINV", "SQ", "VP", "FRAG"))
    if node.label in NOUN_PHRASES and head > 0 and labels[head] == "POS":
        return head - 1
    return head


def is_closed(tag):
    is_auxiliary = "".join(c.lower() if c.isascii() else c for c in tag.word) in AUXILIARIES
    return tag.label in CLOSED_TAGS or (tag.label in VERB_TAGS and is_auxiliary)


def features(text, kind="full"):
    """Names and values of the features of a bracketed tree, of the kind small, full or rich."""
    tree = Tree.parse(text)
    root = Node("TOP", shapes(tree) if tree.label in TOPS else filter(None, [shape(tree)]))
    if not root.children:
        return {}
    find_heads(root)
    result = dict.fromkeys(collins_koo(root, kind == "small"), 1)
    return result | Counter(second_set(root)) if kind == "rich" else result


def constituents(root):
    return [node for node in root.nodes() if node.children]


def collins_koo(root, small):
    def plain_label(node):
        return node.label

    def augmented(node):
        return f"{node.label}/{node.head_tag.word}" if is_closed(node.head_tag) else node.label

    for node in constituents(root):
        yield from first_templates(node, plain_label)
        yield from head_modifiers(node)
        if not small:
            yield from first_templates(node, augmented)
            yield from distances(node)
        yield from prepositional_phrases(node)


def rule(node, show):
    return f"{show(node)} -> {' '.join(map(show, node.children))}"


def first_templates(node, show):
    """Features in which labels are shown in one way; those without augmented labels are no new."""
    above = node.parent
    yield f"rule: {rule(node, show)}"
    for side, inner, outer in neighbours(node):
        pair = f"{side} {show(node)} {show(inner)} {show(outer) if outer else STOP}"
        words = " ".join(f"{n.label}/{n.head_tag.word}" if n else STOP for n in (inner, outer))
        yield f"bigram: {pair}"
        yield f"lexical-bigram: {side} {show(node)} {words}"
        if above:
            yield f"grandparent-bigram: {show(above)} {pair}"
            if len(above.children) <= 100:
                yield f"two-level-bigram: {rule(above, show)} | {pair}"
    marked = [show(child) + "!" * (child is node.head) for child in node.children]
    padded = [STOP, *marked, STOP]
    for three in zip(padded, padded[1:], padded[2:], strict=False):
        yield f"trigram: {show(node)} {' '.join(three)}"
    if above:
        yield f"grandparent-rule: {show(above)} {rule(node, show)}"
        if len(above.children) <= 100:
            yield f"two-level-rule: {rule(above, show)} | {rule(node, show)}"


def neighbours(node):
    """Side, modifier, and the next modifier outwards or None."""
    place = node.children.index(node.head)
    for side, outwards in (("L", node.children[:place][::-1]), ("R", node.children[place + 1 :])):
        for inner, outer in pairwise([*outwards, None]):
            yield side, inner, outer


def modifiers(node):
    """Side, modifier, and whether it stands beside the head."""
    place = node.children.index(node.head)
    for i, child in enumerate(node.children):
        if i != place:
            yield "L" if i < place else "R", child, abs(i - place) == 1


def head_modifiers(node):
    if node.parent:
        for side, child, adjacent in modifiers(node):
            labels = f"{node.parent.label} {node.label} {node.head.label} {child.label}"
            yield f"head-modifier: {side} {labels} adj={int(adjacent)}"


def distances(node):
    order = {tag: place for place, tag in enumerate(root_of(node).tags())}
    for _, child, _ in modifiers(node):
        d = abs(order[node.head_tag] - order[child.head_tag]) - 1
        start = f"distance: {node.label} {node.head.label} {child.label}"
        yield f"{start} ={d}"
        yield from (f"{start} <={x}" for x in range(d, 10))
        yield from (f"{start} >={x}" for x in range(1, min(d, 40) + 1))


def root_of(node):
    return root_of(node.parent) if node.parent else node


def prepositional_phrases(node):
    for _, phrase, _ in modifiers(node):
        if phrase.label != "PP" or not phrase.children:
            continue
        for argument in phrase.children[phrase.children.index(phrase.head) + 1 :]:
            if argument.label not in PUNCTUATION:
                start = f"PP: {node.label} {node.head.label} PP {argument.label}"
                end = f"{phrase.head_tag.word} {argument.head_tag.word}"
                yield f"{start} {node.head_tag.word} {end}"
                yield f"{start} {end}"


def bin_of(number):
    if number <= 5:
        return str(number)
    return "6-10" if number <= 10 else "11-20" if number <= 20 else "21+"


def second_set(root):
    tags = root.tags()
    for node in constituents(root):
        if node.parent:
            yield from spans(node, tags)
            yield from ancestors(node)
        yield from lexical_rules(node)
        yield from child_grams(node)
        yield from coordination(node)
    for kind in ("head", "content"):
        yield from head_pairs(root, kind)
    for i, tag in enumerate(tags):
        around = [tags[k].label if 0 <= k < len(tags) else STOP for k in (i - 1, i, i + 1)]
        yield f"tags: {' '.join(around)}"
        yield from words(tag)
        yield from projections(tag)
    for left, right in pairwise(tags):
        yield from between(left, right)
    yield from right_branch(root, tags)
    yield from top_words(root.head.label, [tag.word for tag in tags])


def spans(node, tags):
    own = node.tags()
    start, stop = tags.index(own[0]), tags.index(own[-1]) + 1
    outside = Node(STOP, word=STOP)
    before = tags[start - 1] if start > 0 else outside
    after = tags[stop] if stop < len(tags) else outside
    label, first, last = node.label, own[0], own[-1]
    length, to_end = bin_of(stop - start), bin_of(len(tags) - stop)
    yield f"length: {label} {length}"
    yield f"to-end: {label} {to_end}"
    yield f"heavy: {label} {length} {to_end} {after.label}"
    yield f"neighbours: {label} {before.label} {after.label}"
    yield f"neighbours-length: {label} {length} {before.label} {after.label}"
    yield f"neighbour-words: {label} {before.word} {after.word}"
    yield f"edge-tags: {label} {before.label} {first.label} {last.label} {after.label}"
    yield f"edge-words: {label} {first.word} {last.word}"
    yield f"left-edge: {label} {before.word} {first.word}"
    yield f"right-edge: {label} {last.word} {after.word}"


def ancestors(node):
    above = []
    other = node
    while other:
        above.append(other.label)
        other = other.parent
    for size in (3, 4):
        if len(above) >= size:
            yield f"up: {' '.join(above[:size])}"
    if node.head_tag is not node.content_tag:
        content = node.content_tag.label
        yield f"head-kinds: {node.label} {node.head_tag.label} {content}"
        yield f"head-kind-words: {node.label} {node.head_tag.word} {content}"


def lexical_rules(node):
    text = rule(node, lambda one: one.label)
    yield f"rule-tag: {node.head_tag.label} {text}"
    yield f"rule-word: {node.head_tag.word} {text}"
    if node.head_tag is not node.content_tag:
        yield f"rule-content-tag: {node.content_tag.label} {text}"
        yield f"rule-content-word: {node.content_tag.word} {text}"


def child_grams(node):
    marked = [child.label + "!" * (child is node.head) for child in node.children]
    tagged = [
        f"{shown} {child.head_tag.label}"
        for shown, child in zip(marked, node.children, strict=True)
    ]
    marked, tagged = [STOP, *marked, STOP], [STOP, *tagged, STOP]
    for two in pairwise(marked):
        yield f"children: {node.label} {' '.join(two)}"
        if node.parent:
            yield f"children-above: {node.parent.label} {node.label} {' '.join(two)}"
    for two in pairwise(tagged):
        yield f"children-tags: {node.label} {' '.join(two)}"
    if node.parent:
        for three in zip(marked, marked[1:], marked[2:], strict=False):
            yield f"trigram-above: {node.parent.label} {node.label} {' '.join(three)}"


def coordination(node):
    labels = [child.label for child in node.children]
    if "CC" not in labels and "CONJP" not in labels:
        return
    phrases = [i for i, x in enumerate(labels) if x not in PUNCTUATION and x not in ("CC", "CONJP")]
    for i, j in pairwise(phrases):
        if j == i + 1:
            continue
        a, b = node.children[i], node.children[j]
        for depth in (1, 2, 3, 4):
            answer = "yes" if outline(a, depth) == outline(b, depth) else "no"
            yield f"parallel: {node.label} {depth} {answer}"
        longer = len(b.tags()) - len(a.tags())
        sign = "+" if longer > 0 else "-" if longer < 0 else ""
        last = "last" if {"CC", "CONJP"} & set(labels[i + 1 : j]) else "inner"
        yield f"parallel-length: {node.label} {sign}{bin_of(abs(longer))} {last}"
        yield f"parallel-labels: {node.label} {a.label} {b.label}"


def outline(node, depth):
    """The labels down to a depth."""
    return node.label, [outline(c, depth - 1) for c in node.children] if depth > 1 else []


def head_pairs(root, kind):
    def head(node):
        return node.head_tag if kind == "head" else node.content_tag

    above = {}
    for node in constituents(root):
        own = node.head if kind == "head" else node.content
        for child in node.children:
            if child is not own:
                above[head(child)] = head(node)
    for node in constituents(root):
        own = node.head if kind == "head" else node.content
        place = node.children.index(own)
        for i, child in enumerate(node.children):
            if i == place:
                continue
            h, m = head(node), head(child)
            side, labels = "L" if i < place else "R", f"{node.label} {child.label}"
            yield f"{kind}-tags: {side} {h.label} {m.label}"
            yield f"{kind}-tag-word: {side} {h.label} {m.word}"
            yield f"{kind}-word-tag: {side} {h.word} {m.label}"
            yield f"{kind}-words: {side} {h.word} {m.word}"
            yield f"{kind}-tags-labels: {side} {labels} {h.label} {m.label}"
            yield f"{kind}-words-labels: {side} {labels} {h.word} {m.word}"
            if h in above:
                g = above[h]
                yield f"{kind}-tags-three: {g.label} {h.label} {m.label}"
                yield f"{kind}-word-tag-word: {g.word} {h.label} {m.word}"
                yield f"{kind}-words-three: {g.word} {h.word} {m.word}"


def words(tag):
    start = f"word: {tag.word} {tag.label}"
    yield start
    yield f"{start} {tag.parent.label}"
    if tag.parent.parent:
        yield f"{start} {tag.parent.label} {tag.parent.parent.label}"


def spine(tag):
    """The nodes that have this tag's word as their head, from the lowest up."""
    nodes = [tag]
    while nodes[-1].parent and nodes[-1].parent.head is nodes[-1]:
        nodes.append(nodes[-1].parent)
    return nodes


def projections(tag):
    own = spine(tag)
    if len(own) > 1:
        rules = "".join(f" | {marked_rule(node)}" for node in own[1:])
        yield f"head-tree: {tag.label}{rules}"
        yield f"head-tree-word: {tag.word}{rules}"
    above = own[-1].parent
    if above:
        label, following = own[-1].label, spine(above.head_tag)[-1].label
        yield f"projection: {tag.word} {label} {following}"
        yield f"projection-tag: {tag.label} {label} {following}"
        yield f"attached: {tag.word} {label} {above.label}"


def marked_rule(node):
    labels = [child.label + "!" * (child is node.head) for child in node.children]
    return f"{node.label} -> {' '.join(labels)}"


def between(left, right):
    ups, downs = path_up(left), path_up(right)
    joint = next(node for node in ups if node in downs)
    up = " ".join(node.label for node in ups[: ups.index(joint)])
    down = " ".join(node.label for node in downs[: downs.index(joint)][::-1])
    path = f"{up} | {joint.label} | {down}"
    yield f"between: {path}"
    yield f"between-words: {left.word} {path} {right.word}"


def path_up(node):
    return [node, *(path_up(node.parent) if node.parent else [])]


def right_branch(root, tags):
    last = next((t for t in reversed(tags) if t.label not in PUNCTUATION), tags[0])
    for node in constituents(root):
        yield f"right-branch: {'on' if last in node.tags() else 'off'}"


def top_words(label, words):
    yield from {f"top-word: {label} {word}" for word in words}
    yield from {f"top-words: {label} {a} {b}" for a, b in pairwise([STOP, *words, STOP])}
