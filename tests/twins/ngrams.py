"""N-gram models as dictionaries from tuples of words: counted and smoothed by the definitions."""

import math
from collections import Counter, defaultdict

FALLBACK = (0.5, 1.0, 1.5)


def counts_of(sentences, order):
    """For every n the counts of n-grams: of occurrences, and of preceding words in lower orders."""
    raw = {n: Counter() for n in range(1, order + 1)}
    for sentence in sentences:
        words = ("<s>", *sentence, "</s>")
        for n in raw:
            raw[n].update(words[i : i + n] for i in range(len(words) - n + 1))
    del raw[1][("<s>",)]
    adjusted = {order: raw[order]}
    for n in range(1, order):
        before = defaultdict(set)
        for gram in raw[n + 1]:
            before[gram[1:]].add(gram[0])
        adjusted[n] = Counter({g: raw[n][g] if g[0] == "<s>" else len(before[g]) for g in raw[n]})
    return adjusted


def discounts_of(counts):
    """Chen & Goodman (1998), equation 26; None if the counts of counts give no discounts."""
    t = Counter(counts.values())
    if not all(t[k] for k in (1, 2, 3, 4)):
        return None
    y = t[1] / (t[1] + 2 * t[2])
    found = [k - (k + 1) * y * t[k + 1] / t[k] for k in (1, 2, 3)]
    return found if all(0 < d <= k for k, d in enumerate(found, 1)) else None


def estimate(sentences, order):
    """Probabilities by n-gram and backoffs by context."""
    counts = counts_of(sentences, order)
    vocabulary = {"<unk>"} | {word for (word,) in counts[1]}
    p, backoffs = {("<s>",): 1.0}, {}
    lower = {(): 1 / len(vocabulary)}
    for n in range(1, order + 1):
        discounts = discounts_of(counts[n]) or FALLBACK
        totals, lost = Counter(), Counter()
        for gram, count in counts[n].items():
            totals[gram[:-1]] += count
            lost[gram[:-1]] += discounts[min(count, 3) - 1]
        grams = [(word,) for word in vocabulary] if n == 1 else counts[n]
        for gram in grams:
            count, context = counts[n][gram], gram[:-1]
            own = count - discounts[min(count, 3) - 1] if count else 0
            below = lower[()] if n == 1 else p[gram[1:]]
            p[gram] = own / totals[context] + lost[context] / totals[context] * below
        if n > 1:
            backoffs |= {c: lost[c] / totals[c] for c in totals}
    return p, backoffs


def probability(p, backoffs, context, word):
    """The probability of a word after others, by backing off."""
    word = word if (word,) in p else "<unk>"
    if (*context, word) in p:
        return p[(*context, word)]
    return backoffs.get(context, 1.0) * probability(p, backoffs, context[1:], word)


def log_scores(p, backoffs, order, words):
    """The log-probability of every word of a sentence, and of its end."""
    known = [word if (word,) in p else "<unk>" for word in ("<s>", *words, "</s>")]
    return [
        math.log(probability(p, backoffs, tuple(known[max(0, i - order + 1) : i]), known[i]))
        for i in range(1, len(known))
    ]
