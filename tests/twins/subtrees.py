"""Slow, obvious twins of boosting over subtrees (Kudo, Suzuki & Isozaki 2005)."""

import math
from collections import Counter
from itertools import pairwise

from twins.boosting import needs_scale, scale_for


def nested(nodes):
    """A tree `(label, children)` from the labels and depths of its nodes in preorder."""
    roots, path = [], []
    for label, depth in nodes:
        node = (label, [])
        del path[depth:]
        (path[-1][1] if path else roots).append(node)
        path.append(node)
    return roots[0] if roots else None


def trees_of(trees):
    """The nodes of each of `Trees`: labels and depths."""
    nodes = list(zip(trees.labels.tolist(), trees.depths.tolist(), strict=True))
    offsets = trees.offsets.tolist()
    return [nodes[a:b] for a, b in pairwise(offsets)]


def occurs(subtree, tree):
    """Definition 2: somewhere in the tree labels, daughters and their order are found again."""
    return tree is not None and (
        occurs_here(subtree, tree) or any(occurs(subtree, child) for child in tree[1])
    )


def occurs_here(subtree, tree):
    """The same with the root of the subtree at the root of the tree."""
    if subtree[0] != tree[0]:
        return False
    children = iter(tree[1])
    return all(any(occurs_here(wanted, child) for child in children) for wanted in subtree[1])


def subtrees(tree, size):
    """All subtrees of at most so many nodes, as labels and depths in preorder."""
    if tree is None:
        return set()
    found = set(_at_root(tree, size, 0))
    return found.union(*(subtrees(child, size) for child in tree[1]))


def _at_root(tree, size, depth):
    if size > 0:
        for below in _forests(tree[1], size - 1, depth + 1):
            yield ((tree[0], depth), *below)


def _forests(children, size, depth):
    yield ()
    for place, child in enumerate(children):
        for first in _at_root(child, size, depth):
            for rest in _forests(children[place + 1 :], size - len(first), depth):
                yield first + rest


def order(subtree):
    """Which of several equally good subtrees is taken: the first in this order."""
    return len(subtree), [depth for _, depth in subtree], [label for label, _ in subtree]


class Exhaustive:
    """Every round looks at every subtree; weights are whole numbers, as in native code."""

    def __init__(self, problem, exponents, *, size, frequency, smoothing, loss):
        trees = [nested(nodes) for nodes in trees_of(problem.trees)]
        self.has = [
            {t for t in subtrees(tree, size) if all(label < problem.n_features for label, _ in t)}
            for tree in trees
        ]
        self.smoothing, self.loss_name = smoothing, loss
        self.list_of = problem.owners.tolist()
        self.best = (problem.list_offsets[:-1] + problem.best())[problem.owners].tolist()
        self.exponents = {j: e for j, e in enumerate(exponents.tolist()) if e > -math.inf}
        lists = Counter()
        for number in range(problem.n_lists):
            own = [self.has[j] for j, of in enumerate(self.list_of) if of == number]
            lists.update(set().union(*own))
        self.frequent = sorted((t for t in lists if lists[t] >= frequency), key=order)
        self.scale = scale_for(sum(self.list_losses()))

    def list_sums(self):
        """Of each list that has pairs, the highest exponent, if above 0, and the sum over pairs."""
        highest, sums = {}, {}
        for j, exponent in self.exponents.items():
            of = self.list_of[j]
            highest[of] = max(highest.get(of, 0.0), exponent)
        for j, exponent in self.exponents.items():
            of = self.list_of[j]
            sums[of] = sums.get(of, 0.0) + math.exp(exponent - highest[of])
        return highest, sums

    def list_losses(self):
        if self.loss_name == "exp":
            return list(map(math.exp, self.exponents.values()))
        highest, sums = self.list_sums()
        return [
            m + math.log(math.exp(-m) + sums[of]) if m > 0 else math.log1p(sums[of])
            for of, m in highest.items()
        ]

    def weights(self):
        if self.loss_name == "exp":
            raw = {j: math.exp(e) for j, e in self.exponents.items()}
        else:
            highest, sums = self.list_sums()
            raw = {
                j: math.exp(e - highest[of]) / (math.exp(-highest[of]) + sums[of])
                for j, e in self.exponents.items()
                for of in [self.list_of[j]]
            }
        return {j: int(weight * self.scale + 0.5) for j, weight in raw.items()}

    def sums(self, subtree, weights):
        """W+ and W-."""
        plus = minus = 0
        for j, weight in weights.items():
            ours, theirs = subtree in self.has[self.best[j]], subtree in self.has[j]
            plus += weight * (ours and not theirs)
            minus += weight * (theirs and not ours)
        return plus, minus

    def gain(self, subtree, weights):
        plus, minus = self.sums(subtree, weights)
        return abs(math.sqrt(plus) - math.sqrt(minus))

    def best_subtree(self):
        """The subtree of the highest gain, the first of equals, and its gain."""
        weights = self.weights()
        gains = [(self.gain(t, weights), t) for t in self.frequent]
        gain, subtree = max(gains, key=lambda one: one[0], default=(0.0, None))
        return subtree, gain

    def delta(self, subtree):
        weights = self.weights()
        plus, minus = self.sums(subtree, weights)
        smooth = self.smoothing * sum(weights.values())
        return 0.5 * math.log((plus + smooth) / (minus + smooth))

    def add(self, subtree, delta):
        """Change the weight of a subtree; the loss afterwards."""
        for j in self.exponents:
            ours, theirs = subtree in self.has[self.best[j]], subtree in self.has[j]
            self.exponents[j] -= delta * (ours - theirs)
        loss = self.loss()
        if needs_scale(loss):
            self.scale = scale_for(loss / self.scale)
        return self.loss() / self.scale

    def loss(self):
        """In whole units."""
        if self.loss_name == "exp":
            return sum(self.weights().values())
        return sum(int(loss * self.scale + 0.5) for loss in self.list_losses())
