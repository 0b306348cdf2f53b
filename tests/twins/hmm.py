"""A slow, obvious twin of the hidden Markov name tagger: every tagging is written down."""

from collections import Counter, defaultdict
from itertools import product
from math import log

from runoff.data.schemes import convert
from runoff.proposers.sequence.hmm_model import kind_of, plain

END, BEGIN, OUTSIDE = "+end+", "+begin+", ("class", None)


class Hmm:
    """Counts as plain Python; a history is a tuple, the nearest symbol first."""

    def __init__(self, order, sentences):
        self.order = order
        self.words = {plain(word) for words, _ in sentences for word in words}
        self.kinds = {"other", *map(kind_of, self.words)}
        self.classes = ["O", *sorted({t[2:] for _, tags in sentences for t in tags if t != "O"})]
        self.counts = defaultdict(Counter)  # (root, history) -> symbols
        half = len(sentences) // 2
        seen = [
            {plain(w) for ws, _ in part for w in ws}
            for part in (sentences[:half], sentences[half:])
        ]
        for number, (words, tags) in enumerate(sentences):
            other = seen[number < half]
            for root, history, symbol in self.events([self.token(w) for w in words], tags):
                self.count(root, history, symbol)
            halved = [
                self.token(w) if plain(w) in other else ("kind", kind_of(plain(w))) for w in words
            ]
            for root, history, symbol in self.events(halved, tags):
                if any(one[0] == "kind" for one in (symbol, *history)):
                    self.count(root, history, symbol)

    def token(self, word):
        if plain(word) in self.words:
            return ("word", plain(word))
        kind = kind_of(plain(word))
        return ("kind", kind if kind in self.kinds else "other")

    def count(self, root, history, symbol):
        for length in range(len(history) + 1):
            self.counts[root, history[:length]][symbol] += 1

    def events(self, tokens, tags):
        """Every decision that makes up a tagging: root, history, symbol."""
        before = OUTSIDE
        for place, (token, tag) in enumerate(zip(tokens, tags, strict=True)):
            own = ("class", "O" if tag == "O" else tag[2:])
            if place == 0 or tag[0] == "B" or own != before:
                yield (
                    "classes",
                    (before, *reversed(tokens[max(place - self.order, 0) : place])),
                    own,
                )
                yield own, (BEGIN, before), token
                start = place
            else:
                yield own, self.inside(tokens[start:place]), token
            rest = tags[place + 1 :]
            if not rest or rest[0][0] == "B" or (rest[0] == "O") != (tag == "O"):
                yield own, self.inside(tokens[start : place + 1]), END
            before = own
        yield "classes", (before, *tokens[: -self.order - 1 : -1]), OUTSIDE

    def inside(self, tokens):
        return (*reversed(tokens), BEGIN)[: self.order]

    def probability(self, root, history, symbol):
        """P(symbol | history) with the weights of Nymble."""
        while (root, history) not in self.counts and history:
            history = history[:-1]
        found, left, longer = 0.0, 1.0, 0
        for length in range(len(history), -1, -1):
            counts = self.counts[root, history[:length]]
            if not (total := counts.total()):  # no word is outside of names
                continue
            weight = (1 - longer / total) / (1 + len(counts) / total)
            found += left * weight * counts[symbol] / total
            left, longer = left * (1 - weight), total
        return found + left * self.base(root, symbol)

    def base(self, root, symbol):
        if root == "classes":
            return 1 / (len(self.classes) + 1)
        kinds = Counter()
        for one, count in self.counts[root, ()].items():
            kinds[self.kind(one)] += count
        sizes = Counter([END, *self.kinds, *map(kind_of, self.words)])
        own, different = self.kind(symbol), len(kinds) + 1
        spread = kinds[own] / sizes[own] + different / (len(self.words) + len(self.kinds) + 1)
        return spread / (kinds.total() + different)

    def kind(self, symbol):
        return symbol if symbol == END else symbol[1] if symbol[0] == "kind" else kind_of(symbol[1])

    def joint(self, words, tags):
        """The log-probability of words and tags."""
        total = 0.0
        for root, history, symbol in self.events([self.token(w) for w in words], tags):
            p = self.probability(root, history, symbol)
            if (
                root == "classes"
                and history[0] == ("class", "O")
                and (root, history[:1]) in self.counts
            ):
                p /= 1 - self.probability(root, history, ("class", "O"))
            total += log(p)
        return total

    def taggings(self, words):
        """Every tagging in IOB2 with its joint log-probability."""
        tags = ["O", *(f"{first}-{one}" for one in self.classes[1:] for first in "BI")]
        every = product(tags, repeat=len(words))
        return {one: self.joint(words, one) for one in every if convert(one, "iob2") == [*one]}
