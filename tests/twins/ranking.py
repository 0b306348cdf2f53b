"""Slow, obvious twins of the native ranking routines: plain Python over plain lists."""

from itertools import pairwise

MASK = (1 << 64) - 1


def candidates_of(problem, number):
    """(features as a dict, log-probability) of every candidate of a list."""
    first, last = problem.list_offsets[number], problem.list_offsets[number + 1]
    result = []
    for j in range(first, last):
        own = range(problem.feature_offsets[j], problem.feature_offsets[j + 1])
        values = problem.feature_values
        features = {
            int(problem.feature_ids[at]): 1.0 if values is None else float(values[at]) for at in own
        }
        result.append((features, float(problem.logprobs[j])))
    return result


def linear_scores(problem, weights, logprob_weight):
    return [
        logprob_weight * logprob + sum(weights[k] * v for k, v in features.items())
        for number in range(problem.n_lists)
        for features, logprob in candidates_of(problem, number)
    ]


def argmax_lists(offsets, keys, second):
    places = []
    for first, last in pairwise(offsets):
        order = sorted(range(first, last), key=lambda j: (-keys[j], -second[j], j))
        places.append(order[0] - first if order else -1)
    return places


def shuffled(seed, n):
    order = list(range(n))
    for i in range(n, 1, -1):
        seed = (seed + 0x9E3779B97F4A7C15) & MASK
        z = seed
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        z ^= z >> 31
        other = z % i
        order[i - 1], order[other] = order[other], order[i - 1]
    return order


def feature_scales(problem):
    """Root mean square distance from the list's mean, features beyond present/absent only."""
    deviations = {}
    real = set()
    for number in range(problem.n_lists):
        candidates = candidates_of(problem, number)
        columns = {k for features, _ in candidates for k in features}
        for k in columns:
            values = [features.get(k, 0.0) for features, _ in candidates]
            real |= {k} if any(v not in (0.0, 1.0) for v in values) else set()
            mean = sum(values) / len(values)
            deviations.setdefault(k, []).extend((v - mean) ** 2 for v in values)
        logprobs = [logprob for _, logprob in candidates]
        mean = sum(logprobs) / len(logprobs) if logprobs else 0.0
        deviations.setdefault("logprob", []).extend((v - mean) ** 2 for v in logprobs)
    real.add("logprob")
    scales = []
    for k in [*range(problem.n_features), "logprob"]:
        squares = deviations.get(k, [])
        scale = (sum(squares) / len(squares)) ** 0.5 if squares and k in real else 0.0
        scales.append(scale if scale > 1e-12 else 1.0)
    return scales


def averaged_perceptron(problem, order, scales, epochs, seed):
    """Weights and log-probability weight: the plain average of the weights after every step."""
    n = problem.n_features
    w = [0.0] * n + [1.0]
    total, steps = list(w), 1
    for epoch in range(epochs):
        for place in shuffled((seed << 20) + epoch, problem.n_lists):
            number = int(order[place])
            candidates = candidates_of(problem, number)
            if candidates:
                _correct(problem, number, candidates, scales, w)
                total = [a + b for a, b in zip(total, w, strict=True)]
                steps += 1
    average = [a / steps / s for a, s in zip(total, scales, strict=True)]
    return average[:n], average[n]


def _correct(problem, number, candidates, scales, w):
    first = int(problem.list_offsets[number])
    qualities = [float(problem.qualities[first + j]) for j in range(len(candidates))]
    vectors = [
        {**{k: v / scales[k] for k, v in features.items()}, len(w) - 1: logprob / scales[-1]}
        for features, logprob in candidates
    ]
    scores = [sum(w[k] * v for k, v in vector.items()) for vector in vectors]
    logprobs = [logprob for _, logprob in candidates]
    order = range(len(candidates))
    pick = min(order, key=lambda j: (-scores[j], -logprobs[j], j))
    best = min(order, key=lambda j: (-qualities[j], -logprobs[j], j))
    if qualities[pick] < qualities[best]:
        for k, v in vectors[best].items():
            w[k] += v
        for k, v in vectors[pick].items():
            w[k] -= v
