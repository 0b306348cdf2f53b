"""Rules of parsed and aligned pairs by definition, and all derivations of a tree by trying all."""

import math
from itertools import combinations, product


class Node:
    """A node of a tree in brackets: its number in preorder, its children, and its words."""

    def __init__(self, symbols, depths):
        self.symbols, self.depths = symbols, depths
        self.children = [[] for _ in symbols]
        above = []
        for node, depth in enumerate(depths):
            del above[depth:]
            if above:
                self.children[above[-1]].append(node)
            above.append(node)
        self.words, count = [], 0
        for node in range(len(symbols)):
            self.words.append(count if not self.children[node] else None)
            count += not self.children[node]

    def below(self, node):
        return [node] + [n for child in self.children[node] for n in self.below(child)]

    def places(self, node):
        return {self.words[n] for n in self.below(node) if self.words[n] is not None}


def all_rules(tree, target_size, links, compose):
    """{(root, variables, target)} by the definition: what a rule takes and writes is linked only
    with each other, its variables too, and no more than `compose` frontier nodes are inside."""
    if not links:
        return set()

    def span(node):
        linked = [j for i, j in links if i in tree.places(node)]
        return set(range(min(linked), max(linked) + 1)) if linked else set()

    inner = [n for n in range(len(tree.symbols)) if tree.children[n]]
    frontier = [
        n
        for n in inner
        if span(n) and not any(j in span(n) for i, j in links if i not in tree.places(n))
    ]
    found = set()
    for root in frontier:
        under = [n for n in tree.below(root)[1:] if n in frontier]
        for size in range(len(under) + 1):
            for variables in combinations(under, size):
                covered = [set(tree.below(v)) for v in variables]
                if any(a & b for a, b in combinations(covered, 2)):
                    continue
                hidden = set().union(*covered)
                inside = 1 + sum(n not in hidden for n in under)
                if inside > compose:
                    continue
                whole = set(range(target_size)) if root == 0 else span(root)
                target, last = [], None
                for j in sorted(whole):
                    owner = next((k for k, v in enumerate(variables) if j in span(v)), None)
                    if owner is None:
                        target.append(j)
                    elif owner != last:
                        target.append(("x", owner))
                    last = owner
                found.add((root, variables, tuple(target)))
    return found


def derivations(tree, rules, copies, node=0):
    """(steps, words) of every derivation: a step is (node, rule), rules are (root symbol tree)."""
    found = []
    fitting = [
        (number, variables, target)
        for number, (pattern, target) in enumerate(rules)
        if (variables := fits(tree, node, pattern)) is not None
    ]
    if not fitting and len(tree.below(node)) == 2:  # a tag: rules for the word with any label
        (word,) = tree.children[node]
        fitting = [
            (number, [], target)
            for number, (pattern, target) in enumerate(rules)
            if pattern == (" *", [(tree.symbols[word], [])])
        ]
    if not fitting:
        children = tree.children[node]
        variables = [c for c in children if tree.children[c]]
        target = [
            ("x", variables.index(c)) if tree.children[c] else copies[tree.words[c]]
            for c in children
        ]
        fitting = [(-1, variables, target)]
    for number, variables, target in fitting:
        for parts in product(*(derivations(tree, rules, copies, v) for v in variables)):
            words = []
            for token in target:
                words += parts[token[1]][1] if isinstance(token, tuple) else [token]
            steps = [(node, number)] + [step for part in parts for step in part[0]]
            found.append((steps, words))
    return found


def fits(tree, node, pattern):
    """The variables of a pattern (symbol, children or None for a variable) at a node, or None."""
    symbol, below = pattern
    if tree.symbols[node] != symbol:
        return None
    if below is None:
        return [node] if tree.children[node] else None
    children = tree.children[node]
    if len(children) != len(below):
        return None
    variables = []
    for child, own in zip(children, below, strict=True):
        found = fits(tree, child, own)
        if found is None:
            return None
        variables += found
    return variables


def lm_score(lm, words):
    state, total = lm.start, 0.0
    for word in [*words, "</s>"]:
        logprob, state = lm.step(state, word)
        total += logprob
    return total


def best_of_each(scored):
    """The best score of each string."""
    best = {}
    for score, words in scored:
        best[tuple(words)] = max(score, best.get(tuple(words), -math.inf))
    return best
