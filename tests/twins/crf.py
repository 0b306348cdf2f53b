"""A slow, obvious twin of the native CRF: every label sequence of a sentence is written down."""

from itertools import pairwise, product
from math import exp, log


class Crf:
    """Weights as plain Python.

    `pairs` are the neighbours that are allowed, `n_labels` standing before the first word. A state
    is a label, or with order 2 a pair; `edges` has weights by (state, state), `weights` by
    (attribute, target), where a target is ("label", label) or ("pair", pair).
    """

    def __init__(self, order, n_labels, pairs, weights, edges):
        self.order, self.n_labels, self.pairs = order, n_labels, set(pairs)
        self.weights, self.edges = weights, edges

    def states(self, labels):
        pairs = list(zip([self.n_labels, *labels], labels, strict=False))
        return list(labels) if self.order == 1 else pairs

    def score(self, sentence, labels):
        """The score of a sequence; None where it is not allowed."""
        pairs = list(zip([self.n_labels, *labels], labels, strict=False))
        if not self.pairs.issuperset(pairs):
            return None
        states, score = self.states(labels), 0.0
        for attributes, label, pair in zip(sentence, labels, pairs, strict=True):
            for attribute, value in attributes:
                for target in (("label", label), ("pair", pair)):
                    score += value * self.weights.get((attribute, target), 0.0)
        return score + sum(map(self.edges.__getitem__, pairwise(states)))

    def sequences(self, sentence):
        """Every label sequence with its log-probability."""
        every = product(range(self.n_labels), repeat=len(sentence))
        scores = {labels: self.score(sentence, labels) for labels in every}
        scores = {labels: score for labels, score in scores.items() if score is not None}
        highest = max(scores.values())
        total = highest + log(sum(exp(score - highest) for score in scores.values()))
        return {labels: score - total for labels, score in scores.items()}

    def loss(self, sentences, gold):
        """The sum of -log p(gold)."""
        pairs = zip(sentences, gold, strict=True)
        return -sum(self.sequences(sentence)[tuple(labels)] for sentence, labels in pairs)
