"""Slow, obvious twins of boosting: Figure 3 and section 4.6 of Collins & Koo 2005, as printed."""

import math

from twins.ranking import candidates_of

BITS, FEWEST_BITS = 60, 52


def scale_for(loss):
    """Weights are whole multiples of 1 / scale."""
    return 2.0 ** min(BITS - math.frexp(loss)[1], 900) if loss else 1.0


def needs_scale(total):
    """Whether a sum of weights in whole units has become too small."""
    return 0 < total < 1 << FEWEST_BITS


def pairs_of(problem, weighted=True):
    """(list, gap, S, features of the best alone, features of the other alone) of every pair."""
    result = []
    best = problem.best()
    for number in range(problem.n_lists):
        candidates = candidates_of(problem, number)
        if not candidates:
            continue
        first = problem.list_offsets[number]
        own, logprob = candidates[best[number]]
        quality = problem.qualities[first + best[number]]
        for place, (features, other) in enumerate(candidates):
            s = quality - problem.qualities[first + place]
            if s > 0:
                plus, minus = set(own) - set(features), set(features) - set(own)
                result.append((number, logprob - other, s if weighted else 1.0, plus, minus))
    return result


def grid_a0(pairs):
    """The paper's search: every value from 0.001 to 10 in steps of 0.001."""
    return min(
        (step / 1000 for step in range(1, 10_001)),
        key=lambda a: sum(s * math.exp(-a * gap) for _, gap, s, _, _ in pairs),
    )


class Naive:
    """Figure 3 in floating point: every round goes through all the data."""

    def __init__(self, problem, a0, smoothing, weighted=True):
        self.pairs = pairs_of(problem, weighted)
        self.margins = [a0 * gap for _, gap, _, _, _ in self.pairs]
        self.n_features, self.smoothing = problem.n_features, smoothing

    def weights(self):
        return [
            s * math.exp(-m) for m, (_, _, s, _, _) in zip(self.margins, self.pairs, strict=True)
        ]

    def sums(self, weights):
        """Z, W+ and W-."""
        plus, minus = [0] * self.n_features, [0] * self.n_features
        for weight, (_, _, _, ours, theirs) in zip(weights, self.pairs, strict=True):
            for k in ours:
                plus[k] += weight
            for k in theirs:
                minus[k] += weight
        return sum(weights), plus, minus

    def round(self):
        z, plus, minus = self.sums(self.weights())
        gains = [abs(math.sqrt(p) - math.sqrt(m)) for p, m in zip(plus, minus, strict=True)]
        k = max(range(self.n_features), key=lambda k: (gains[k], -k))
        smooth = self.smoothing * z
        if not gains[k] > 0:
            return None
        delta = 0.5 * math.log((plus[k] + smooth) / (minus[k] + smooth))
        if delta == 0:
            return None
        self.move(k, delta)
        return k, delta

    def move(self, k, delta):
        for at, (_, _, _, ours, theirs) in enumerate(self.pairs):
            if k in ours:
                self.margins[at] += delta
            elif k in theirs:
                self.margins[at] -= delta


class NaiveLog(Naive):
    """The same with q of equation B.1 in place of S exp(-M)."""

    def weights(self):
        denominators = {}
        for margin, (number, *_) in zip(self.margins, self.pairs, strict=True):
            denominators[number] = denominators.get(number, 1.0) + math.exp(-margin)
        return [
            math.exp(-margin) / denominators[number]
            for margin, (number, *_) in zip(self.margins, self.pairs, strict=True)
        ]

    def loss(self):
        sums = {}
        for margin, (number, *_) in zip(self.margins, self.pairs, strict=True):
            sums[number] = sums.get(number, 0.0) + math.exp(-margin)
        return sum(math.log1p(sum_) for sum_ in sums.values())


class InWholeUnits(Naive):
    """Figure 3 with weights rounded to whole units, as the native code keeps them: exact sums."""

    def __init__(self, problem, a0, smoothing, weighted=True):
        super().__init__(problem, a0, smoothing, weighted)
        self.exponents = [
            (math.log(s) if weighted else 0.0) - m
            for m, (_, _, s, _, _) in zip(self.margins, self.pairs, strict=True)
        ]
        self.scale = None

    def move(self, k, delta):
        for at, (_, _, _, ours, theirs) in enumerate(self.pairs):
            if k in ours:
                self.exponents[at] -= delta
            elif k in theirs:
                self.exponents[at] += delta

    def weights(self):
        raw = [math.exp(exponent) for exponent in self.exponents]
        if self.scale is None:
            self.scale = scale_for(sum(raw))
        total = sum(self.units(raw))
        if needs_scale(total):
            self.scale = scale_for(total / self.scale)
        return self.units(raw)

    def units(self, raw):
        return [int(weight * self.scale + 0.5) for weight in raw]


def exact_selection(problem, rounds):
    """Feature selection for LogLoss as in section 4.6: the best weight of every feature, by
    iterative scaling, and the feature whose best loss is lowest. Yields the loss after each round.

    a0 is 1. A weight is not pushed beyond 20, where the best one is infinite.
    """
    lists = [candidates_of(problem, number) for number in range(problem.n_lists)]
    best = problem.best().tolist()
    scores = [[logprob for _, logprob in candidates] for candidates in lists]

    def loss_with(k, delta):
        total = 0.0
        for candidates, own, top in zip(lists, scores, best, strict=True):
            moved = [s + delta * (k in f) for s, (f, _) in zip(own, candidates, strict=True)]
            if moved:
                total += math.log(sum(math.exp(s - moved[top]) for s in moved))
        return total

    def expected(k, delta):
        total = 0.0
        for candidates, own in zip(lists, scores, strict=True):
            moved = [s + delta * (k in f) for s, (f, _) in zip(own, candidates, strict=True)]
            z = sum(map(math.exp, moved))
            total += sum(
                math.exp(s) / z for s, (f, _) in zip(moved, candidates, strict=True) if k in f
            )
        return total

    def best_weight(k):
        seen = sum(
            k in candidates[top][0]
            for candidates, top in zip(lists, best, strict=True)
            if candidates
        )
        delta = 0.0
        for _ in range(200):
            held = expected(k, delta)
            if seen == 0 or held == 0:
                return -20.0 if held else 0.0
            step = math.log(seen / held)
            delta = max(-20.0, min(20.0, delta + step))
            if abs(step) < 1e-9:
                break
        return delta

    for _ in range(rounds):
        options = [
            (loss_with(k, d), k, d) for k in range(problem.n_features) for d in [best_weight(k)]
        ]
        loss, k, delta = min(options)
        scores = [
            [s + delta * (k in f) for s, (f, _) in zip(own, candidates, strict=True)]
            for own, candidates in zip(scores, lists, strict=True)
        ]
        yield loss


def freund_steps(gaps, steps):
    """The weight of a real-valued feature after some steps of Freund et al. (2003), section 3.2."""
    unit, weight = max(map(abs, gaps)), 0.0
    for _ in range(steps):
        d = [math.exp(-weight * gap) for gap in gaps]
        r = sum(one * gap / unit for one, gap in zip(d, gaps, strict=True)) / sum(d)
        weight += 0.5 * math.log((1 + r) / (1 - r)) / unit
    return weight
