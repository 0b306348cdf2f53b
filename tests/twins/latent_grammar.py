"""Grammars with substates as plain Python: probabilities by writing down every assignment."""

import math
from itertools import product

UNSEEN = 1e-6
SMOOTHING = {"word": 0.05, "rule": 0.01}


def binary(tree, labels, word):
    """The tree as (symbol, child, ...) or (symbol, word number), with intermediate symbols."""
    labels = [*labels, tree.label]  # the last stands for all that are not known
    symbol = labels.index(tree.label)
    if tree.is_preterminal:
        return (symbol, word(tree.children[0]))
    children = [binary(child, labels[:-1], word) for child in tree.children]
    while len(children) > 2:
        children[-2:] = [(len(labels) + symbol, *children[-2:])]
    return (symbol, *children)


def nodes(tree):
    """All nodes, children before parents."""
    inner = [node for child in tree[1:] if isinstance(child, tuple) for node in nodes(child)]
    return [*inner, tree]


class Grammar:
    """A grammar from the arrays of the native one."""

    def __init__(self, substates, rules, offsets, places, codes):
        self.substates = substates.tolist()
        self.rules = {}
        for number, rule in enumerate(rules.reshape(-1, 3).tolist()):
            _, left, right = rule
            lefts = self.substates[left] if left >= 0 else 1
            rights = self.substates[right] if left >= 0 and right >= 0 else 1
            entries = {}
            for entry in range(offsets[number], offsets[number + 1]):
                place, probability = int(places[entry]), 2.0 ** (-int(codes[entry]) / 2048)
                entries[place // rights // lefts, place // rights % lefts, place % rights] = (
                    probability
                )
            self.rules[tuple(rule)] = entries

    def smoothed(self, node, parent, left, right):
        """The probability of a rule with substates, which share a little with each other."""
        symbol, *children = node
        lexical = not isinstance(children[0], tuple)
        if lexical:
            rule = (symbol, -1, children[0])
        else:
            rule = (symbol, children[0][0], children[1][0] if len(children) > 1 else -1)
        entries = self.rules.get(rule, {})
        count = self.substates[symbol]
        if not entries:
            sizes = [self.substates[child[0]] for child in children if isinstance(child, tuple)]
            return UNSEEN / math.prod(sizes)
        own = [entries.get((p, left, right), 0.0) for p in range(count)]
        amount = SMOOTHING["word" if lexical else "rule"]
        return (1 - amount) * own[parent] + amount * sum(own) / count

    def assignments(self, tree):
        """How many ways there are to give the nodes substates."""
        return math.prod(self.substates[node[0]] for node in nodes(tree))

    def log_probability(self, tree):
        """The sum over all ways to give the nodes substates."""
        every = nodes(tree)
        total = 0.0
        for states in product(*(range(self.substates[node[0]]) for node in every)):
            chosen = {id(node): state for node, state in zip(every, states, strict=True)}
            probability = 1.0
            for node, state in zip(every, states, strict=True):
                below = [chosen[id(child)] for child in node[1:] if isinstance(child, tuple)]
                probability *= self.smoothed(node, state, *[*below, 0, 0][:2])
            total += probability
        return math.log(total) - math.log(self.substates[tree[0]])
