"""IGTree as Van den Bosch (2006, section 2.3) describes it, with dictionaries for nodes."""

from collections import Counter
from dataclasses import dataclass
from math import log2


@dataclass
class Node:
    counts: list[tuple[object, int]]  # classes and how often they occur, the first wins
    children: dict[object, "Node"]

    @property
    def cls(self):
        return self.counts[0][0]

    @property
    def total(self):
        return sum(count for _, count in self.counts)


def entropy(labels):
    counts = Counter(labels)
    total = sum(counts.values())
    return -sum(n / total * log2(n / total) for n in counts.values())


def information_gain(rows, classes, feature):
    gain = entropy(classes)
    for value, n in Counter(row[feature] for row in rows).items():
        own = [cls for row, cls in zip(rows, classes, strict=True) if row[feature] == value]
        gain -= n / len(rows) * entropy(own)
    return gain


def grow(rows, classes, order, prune):
    """The tree; of equally frequent classes the one more frequent overall, then first seen."""
    overall = Counter(classes)
    places = {cls: place for place, cls in reversed(list(enumerate(classes)))}

    def node(examples, depth):
        counts = Counter(cls for _, cls in examples)
        ranked = sorted(counts.items(), key=lambda c: (-c[1], -overall[c[0]], places[c[0]]))
        found = Node(ranked, {})
        if len(ranked) == 1 or depth == len(order):
            return found
        for value in sorted({row[order[depth]] for row, _ in examples}):
            child = node([one for one in examples if one[0][order[depth]] == value], depth + 1)
            if not prune or child.children or child.cls != found.cls:
                found.children[value] = child
        return found

    return node(list(zip(rows, classes, strict=True)), 0)


def size(node):
    return 1 + sum(map(size, node.children.values()))


def path(node, row, order):
    """The nodes that match, from the root on."""
    yield node
    for feature in order:
        if row[feature] not in node.children:
            return
        node = node.children[row[feature]]
        yield node


def predict(root, row, order):
    return list(path(root, row, order))[-1].cls


def distribution(root, row, order, discount, top):
    """Probabilities of classes, the nodes of the path blended by absolute discounting."""
    blended = {}
    for depth, node in enumerate(path(root, row, order)):
        lost = discount if depth else 0.0
        above = {c: p * lost * len(node.counts) / node.total for c, p in blended.items()}
        blended = {
            cls: max(count - lost, 0.0) / node.total + above.pop(cls, 0.0)
            for cls, count in node.counts[:top]
        }
        blended |= above
    return blended
