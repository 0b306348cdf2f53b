"""The voted perceptron with dense vectors: every one of them is kept and scores every candidate."""

from twins.ranking import candidates_of, shuffled


def vectors_of(features, logprob, scales):
    return [features.get(k, 0.0) / scales[k] for k in range(len(scales) - 1)] + [
        logprob / scales[-1]
    ]


def dot(w, x):
    return sum(a * b for a, b in zip(w, x, strict=True))


def train(problem, order, scales, epochs, seed):
    """The weights after every step, the first ones included: one voter each."""
    w = [0.0] * problem.n_features + [1.0]
    voters = [w]
    lists = [int(i) for i in order if problem.list_offsets[i] < problem.list_offsets[i + 1]]
    for epoch in range(epochs):
        for place in shuffled((seed << 20) + epoch, len(lists)):
            first = int(problem.list_offsets[lists[place]])
            candidates = candidates_of(problem, lists[place])
            rows = [vectors_of(features, logprob, scales) for features, logprob in candidates]
            places = range(len(rows))
            logprobs = [logprob for _, logprob in candidates]
            qualities = [float(problem.qualities[first + j]) for j in places]
            pick = min(places, key=lambda j: (-dot(w, rows[j]), -logprobs[j], j))
            best = min(places, key=lambda j: (-qualities[j], -logprobs[j], j))
            if qualities[pick] < qualities[best]:
                w = [a + b - c for a, b, c in zip(w, rows[best], rows[pick], strict=True)]
            voters.append(w)
    return voters


def shares(problem, voters, scales):
    """The share of the voters that rank a candidate first; exact ties share their votes."""
    result = []
    for number in range(problem.n_lists):
        candidates = candidates_of(problem, number)
        rows = [vectors_of(features, logprob, scales) for features, logprob in candidates]
        votes = [0] * len(rows)
        for w in voters:
            keys = [(dot(w, x), logprob) for x, (_, logprob) in zip(rows, candidates, strict=True)]
            for j, key in enumerate(keys):
                votes[j] += key == max(keys)
        result += [vote / len(voters) for vote in votes]
    return result
