"""Blocks by their definition, and all translations of a sentence by trying everything."""

import math
from itertools import product

BORDER, INSIDE, DISTANCE, BEFORE, AFTER, RAW = 7, 8, 9, 10, 13, 16


def consistent_blocks(source_size, target_size, links, longest):
    """All pairs of intervals that no link leaves (Och & Ney 2004), with a link in them."""
    found = set()
    for s, e, t, u in product(range(source_size), range(source_size), range(target_size),
                              range(target_size)):  # fmt: skip
        if e < s or u < t or e - s >= longest or u - t >= longest:
            continue
        inside = [s <= i <= e and t <= j <= u for i, j in links]
        touched = [s <= i <= e or t <= j <= u for i, j in links]
        if any(inside) and inside == touched:
            found.add((s, e, t, u))
    return found


def orientation(last, begin, end):
    if begin == last[1] + 1:
        return 0
    return 1 if end + 1 == last[0] else 2


def holes(covered):
    """Intervals that are not covered, with something covered after them."""
    if not covered:
        return 0
    return sum(i not in covered and i + 1 in covered for i in range(max(covered)))


def allowed(covered, size, skip, window):
    first = next((i for i in range(size) if i not in covered), size)
    return holes(covered) <= skip and all(i - first <= window for i in covered)


def translations(decoder, sentence, weights, skip=99, window=99):
    """(cost, words, blocks) of every translation: blocks are (begin, end, number)."""
    size, order, made = len(sentence), decoder.lm.order, []
    numbers = decoder.source.numbers(sentence)
    names = decoder.target.strings()

    def options(begin, end):
        blocks = decoder.table.blocks(numbers[begin : end + 1].tolist())
        found = [(tuple(names[i] for i in b.target), b.scores, b.orientations, 0) for b in blocks]
        if not found and begin == end:
            found = [((sentence[begin],), (0.0,) * 4, (0.0,) * 6, 1)]
        return found

    def extend(covered, last, after, state, words, features, blocks):
        if len(covered) == size:
            logprob, _ = decoder.lm.step(state, "</s>")
            turn = 0 if last[1] + 1 == size else 2
            total = list(features)
            total[BORDER] += logprob
            if blocks:
                total[AFTER + turn] += after[turn]
            cost = -sum(w * f for w, f in zip(weights, total, strict=True))
            made.append((cost, words, blocks, total))
            return
        for begin in range(size):
            for end in range(begin, size):
                if any(i in covered for i in range(begin, end + 1)):
                    break
                now = covered | set(range(begin, end + 1))
                if not allowed(now, size, skip, window):
                    continue
                turn = orientation(last, begin, end)
                for target, scores, turns, copied in options(begin, end):
                    total = list(features)
                    for k, value in enumerate((*scores, len(target), 1, copied)):
                        total[k] += value
                    total[DISTANCE] -= abs(begin - last[1] - 1)
                    total[BEFORE + turn] += turns[turn]
                    if blocks:
                        total[AFTER + turn] += after[turn]
                    inner = state
                    for i, word in enumerate(target):
                        logprob, inner = decoder.lm.step(inner, word if not copied else "<unk>")
                        total[BORDER if i < order - 1 else INSIDE] += logprob
                    extend(now, (begin, end), turns[3:], inner, words + target, total,
                           (*blocks, (begin, end)))  # fmt: skip

    extend(frozenset(), (-1, -1), (0.0,) * 3, decoder.lm.start, (), [0.0] * RAW, ())
    return sorted(made, key=lambda one: one[0])


def best_by_words(found):
    """The cost of the cheapest translation of each sequence of words."""
    best = {}
    for cost, words, *_ in found:
        best[words] = min(cost, best.get(words, math.inf))
    return best


def block_alignments(source_size, target_size, blocks):
    """Every sequence of blocks that covers all words of a pair, each once, in target order."""

    def extend(place, covered, so_far):
        if place == target_size:
            if len(covered) == source_size:
                yield so_far
            return
        for s, e, t, u in blocks:
            own = set(range(s, e + 1))
            if t == place and not own & covered:
                yield from extend(u + 1, covered | own, (*so_far, (s, e, t, u)))

    yield from extend(0, frozenset(), ())
