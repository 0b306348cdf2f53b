"""Slow, obvious twins of the native tagger: every tag sequence of a sentence is written down."""

from collections import Counter
from itertools import pairwise, product
from math import exp, log


class Tagger:
    """Templates, sets and weights as plain Python; a feature is a tuple that says what it saw."""

    def __init__(self, templates, sets, n_tags, forms, word_sets):
        self.templates, self.sets, self.n_tags = templates, sets, n_tags
        self.forms, self.word_sets = forms, word_sets

    def allowed(self, sentence, at):
        return self.sets[self.word_sets[sentence[at]]]

    def features(self, sentence, at, tags):
        """What the templates find at a word; `tags` are those of the words before."""
        found = []
        for number, atoms in enumerate(self.templates):
            values = [self.value(sentence, at, tags, *atom) for atom in atoms]
            if 0 not in values:
                found.append((number, *values, *[0] * (3 - len(values))))
        return found

    def value(self, sentence, at, tags, place, form):
        where = at + place
        if form == -1:
            return (tags[where] if where >= 0 else self.n_tags) + 1
        row = sentence[where] if 0 <= where < len(sentence) else 0
        return self.forms[row][form]

    def probabilities(self, weights, sentence, at, tags):
        """p(tag | history) of the tags that the word may have."""
        own = self.features(sentence, at, tags)
        powers = {
            tag: exp(sum(weights.get((feature, tag), 0.0) for feature in own))
            for tag in self.allowed(sentence, at)
        }
        total = sum(powers.values())
        return {tag: power / total for tag, power in powers.items()}

    def sequences(self, weights, sentence):
        """Every tag sequence with its probability."""
        found = {}
        for tags in product(*(self.allowed(sentence, at) for at in range(len(sentence)))):
            found[tags] = 1.0
            for at in range(len(sentence)):
                found[tags] *= self.probabilities(weights, sentence, at, tags[:at])[tags[at]]
        return found

    def marginals(self, weights, sentence):
        """For every word the probability of each tag."""
        found = [Counter() for _ in sentence]
        for tags, probability in self.sequences(weights, sentence).items():
            for at, tag in enumerate(tags):
                found[at][tag] += probability
        return found

    def decisions(self, sentences, gold):
        """(features, gold tag, tags) of every word that leaves a choice."""
        for sentence, tags in zip(sentences, gold, strict=True):
            for at in range(len(sentence)):
                if len(self.allowed(sentence, at)) > 1 and tags[at] in self.allowed(sentence, at):
                    yield sentence, at, tags

    def pairs(self, sentences, gold, min_count):
        """Features seen often enough, sorted, each with the tags that it was seen with."""
        counts, seen = Counter(), {}
        for sentence, at, tags in self.decisions(sentences, gold):
            for feature in self.features(sentence, at, tags[:at]):
                counts[feature] += 1
                seen.setdefault(feature, set()).add(tags[at])
        return [(f, sorted(seen[f])) for f in sorted(counts) if counts[f] >= min_count]

    def loss(self, weights, sentences, gold):
        return -sum(
            log(self.probabilities(weights, sentence, at, tags[:at])[tags[at]])
            for sentence, at, tags in self.decisions(sentences, gold)
        )


def split(words, offsets):
    return [tuple(words[a:b]) for a, b in pairwise(offsets)]
