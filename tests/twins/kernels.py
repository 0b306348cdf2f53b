"""Kernels by listing all fragments, and the perceptron in the space of fragments itself."""

from collections import Counter
from functools import partial
from itertools import combinations, product

from twins.ranking import shuffled


def nested(trees, number):
    """A tree as (label, children), or None if it has no nodes."""
    first, last = (int(n) for n in trees.offsets[number : number + 2])
    path = []
    for at in range(first, last):
        node = (int(trees.labels[at]), [])
        del path[int(trees.depths[at]) :]
        if path:
            path[-1][1].append(node)
        path.append(node)
    return path[0] if path else None


def nodes(tree):
    yield tree
    for child in tree[1]:
        yield from nodes(child)


def fragments_at(node, unknown):
    """Fragments with their root here, as pairs of their text and size; none at leaves."""
    label, children = node
    if not children or unknown in (label, *(child[0] for child in children)):
        return []
    ways = [[((child[0], not child[1]), 0), *fragments_at(child, unknown)] for child in children]
    return [
        ((label, tuple(part for part, _ in chosen)), 1 + sum(size for _, size in chosen))
        for chosen in product(*ways)
    ]


def tree_fragments(trees, number, unknown, lam):
    """How often a tree has each fragment, and what the kernel multiplies it by."""
    tree = nested(trees, number)
    found = [f for node in nodes(tree) for f in fragments_at(node, unknown)] if tree else []
    return Counter(text for text, _ in found), {text: lam**size for text, size in found}


def tagging_fragments(trees, number, unknown, lam, shapes=True):
    """The same of a tagging: runs of tags, each alone or with its word, or shape if they count."""
    tree, counts, weights = nested(trees, number), Counter(), {}
    positions = []
    for tag, below in tree[1] if tree else ():
        marks = [("word", below[0][0])] if below else []
        marks += [("shape", below[1][0])] if len(below) > 1 and shapes else []
        positions.append((tag, [None, *(mark for mark in marks if mark[1] != unknown)]))
    for start in range(len(positions)):
        for end in range(start + 1, len(positions) + 1):
            run = positions[start:end]
            if unknown in (tag for tag, _ in run):
                break
            for chosen in product(*(marks for _, marks in run)):
                text = tuple((tag, mark) for (tag, _), mark in zip(run, chosen, strict=True))
                counts[text] += 1
                weights[text] = lam ** (len(run) - 1)
                if shapes:
                    weights[text] *= 0.5 ** sum(mark is not None for mark in chosen)
    return counts, weights


FRAGMENTS = {
    "tree": tree_fragments,
    "tagging": tagging_fragments,
    "plain-tagging": partial(tagging_fragments, shapes=False),
}


def kernel(trees, a, b, kind, unknown, lam):
    """The inner product of two trees in the space of fragments."""
    left, weights = FRAGMENTS[kind](trees, a, unknown, lam)
    right, _ = FRAGMENTS[kind](trees, b, unknown, lam)
    return sum(weights[text] * count * right[text] for text, count in left.items())


def scale(trees, number, kind, unknown, lam):
    """What a tree is multiplied by so that its kernel with itself is 1; 0 if it has no fragment."""
    own = kernel(trees, number, number, kind, unknown, lam)
    return own**-0.5 if own else 0.0


class NearTie(Exception):
    """Two scores differ by less than rounding errors may."""


class Primal:
    """A perceptron that has a weight for every fragment, and for the log-probability."""

    def __init__(self, kind, lam, beta, unknown, normalised=False):
        self.kind, self.lam, self.beta, self.unknown = kind, lam, beta, unknown
        self.normalised, self.w, self.logprob = normalised, Counter(), 0.0

    def copy(self):
        other = Primal(self.kind, self.lam, self.beta, self.unknown, self.normalised)
        other.w, other.logprob = Counter(self.w), self.logprob
        return other

    def scale(self, problem, candidate):
        if not self.normalised:
            return 1.0
        return scale(problem.trees, candidate, self.kind, self.unknown, self.lam)

    def score(self, problem, candidate):
        counts, weights = self.fragments(problem, candidate)
        kernels = sum(weights[text] * n * self.w[text] for text, n in counts.items())
        return self.scale(problem, candidate) * kernels + self.logprob * float(
            problem.logprobs[candidate]
        )

    def scores(self, problem, own):
        """The scores of candidates of a list; NearTie where rounding decides which is higher."""
        scores = {j: self.score(problem, j) for j in own}
        for a, b in combinations(own, 2) if self.normalised and self.w else ():
            exact = scores[a] == scores[b] and self.fragments(problem, a) == self.fragments(
                problem, b
            )
            if abs(scores[a] - scores[b]) < 1e-9 and not exact:
                raise NearTie
        return scores

    def fragments(self, problem, candidate):
        given = (problem.trees, candidate, self.unknown, self.lam)
        return FRAGMENTS[self.kind](*given)

    def add(self, problem, candidate, sign):
        size = sign * self.scale(problem, candidate)
        for text, n in self.fragments(problem, candidate)[0].items():
            self.w[text] += size * n
        self.logprob += sign * self.beta * float(problem.logprobs[candidate])


def learn(problem, lists, epochs, seed, perceptron):
    """The perceptron after every list that it visits: one voter each."""
    voters = []
    for epoch in range(epochs):
        for place in shuffled((seed << 20) + epoch, len(lists)):
            own = range(*(int(n) for n in problem.list_offsets[lists[place] : lists[place] + 2]))
            logprobs, qualities = problem.logprobs, problem.qualities
            scores = perceptron.scores(problem, own)
            pick = min(own, key=lambda j: (-scores[j], -logprobs[j], j))
            best = min(own, key=lambda j: (-qualities[j], -logprobs[j], j))
            if qualities[pick] < qualities[best]:
                perceptron = perceptron.copy()
                perceptron.add(problem, best, 1)
                perceptron.add(problem, pick, -1)
            voters.append(perceptron)
    return voters


def votes(problem, voters):
    """The share of the voters that rank a candidate first; exact ties all get the vote."""
    shares = [0.0] * problem.n_candidates
    for first, last in zip(problem.list_offsets, problem.list_offsets[1:], strict=False):
        for voter in voters:
            scores = voter.scores(problem, range(first, last))
            keys = {j: (score, float(problem.logprobs[j])) for j, score in scores.items()}
            for j, key in keys.items():
                shares[j] += (key == max(keys.values())) / len(voters)
    return shares
