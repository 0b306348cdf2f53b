"""What is always true of metrics, schemes, oracles and edit distances."""

from __future__ import annotations

import random
from unittest.mock import patch

import numpy as np
from helpers.strategies.texts import (
    KINDS,
    noisy_sentence,
    noisy_tags,
    perturbed,
    random_sentence,
    random_tags,
    random_tree,
    random_words,
)
from hypothesis import example, given, settings
from hypothesis import strategies as st
from twins.edits import count_edits as twin_edits

from runoff.data.flat_tree import Span
from runoff.data.nbest import Candidate, NBest
from runoff.data.schemes import SCHEMES, Chunk, convert, decode, encode, violation
from runoff.metrics import metric
from runoff.metrics.measure import Measured
from runoff.metrics.oracle import oracle, random_totals, worst
from runoff.metrics.parseval import Parseval
from runoff.strings import edits
from runoff.strings.edits import count_edits, edit_counts

seeds = st.integers(0, 2**32).map(random.Random)


@st.composite
def chunkings(draw, touching=True):
    """Chunks of a sentence, and its length."""
    chunks, place = [], 0
    for kind, gap, size in draw(
        st.lists(
            st.tuples(st.sampled_from(KINDS), st.integers(0, 2), st.integers(1, 4)), max_size=8
        )
    ):
        start = place + gap + (not touching and bool(chunks))
        chunks.append(Chunk(kind, Span(start, start + size)))
        place = start + size
    return chunks, place + draw(st.integers(0, 2))


@st.composite
def measured_lists(draw):
    """Lists with few distinct qualities, so that ties abound."""
    sizes = draw(st.lists(st.integers(0, 6), min_size=1, max_size=6))
    count = sum(sizes)
    numbers = st.lists(st.integers(-2, 2), min_size=count, max_size=count)
    qualities = np.array(draw(numbers), dtype=float)
    statistics = np.stack([qualities, np.ones(count)], axis=-1)
    offsets = np.cumsum([0, *sizes])
    ranks = [draw(st.permutations(range(size))) for size in np.diff(offsets)]
    flat = np.array([rank for own in ranks for rank in own], dtype=np.int64)
    return Measured(offsets, statistics, qualities, flat)


@given(chunkings(), st.sampled_from(sorted(set(SCHEMES) - {"io"})))
def test_chunks_survive_a_scheme(case, scheme):
    chunks, length = case
    tags = encode(chunks, length, scheme)
    assert decode(tags) == chunks
    assert violation(tags, scheme) is None


@given(chunkings(touching=False))
def test_chunks_that_do_not_touch_survive_io(case):
    chunks, length = case
    assert decode(encode(chunks, length, "io")) == chunks


@given(seeds, st.sampled_from(sorted(SCHEMES)), st.sampled_from(sorted(set(SCHEMES) - {"io"})))
def test_any_tagging_can_be_converted_and_is_valid_then(rng, scheme, other):
    tags = random_tags(rng, rng.randint(0, 12), "BIESO")
    there = convert(tags, scheme)
    assert violation(there, scheme) is None
    assert convert(convert(there, other), scheme) == there
    place = violation(tags, scheme)
    assert (place is None) == (tags == there)
    assert place is None or tags[:place] == there[:place]


@given(seeds)
def test_parseval_swaps_precision_and_recall(rng):
    words = random_words(rng, rng.randint(1, 15))
    one, two = random_tree(rng, words), random_tree(rng, words)
    measure = Parseval()
    there = measure.figures(measure.statistics([two], one)[0])
    back = measure.figures(measure.statistics([one], two)[0])
    assert there["F1"] == back["F1"]
    assert (there["LP"], there["LR"]) == (back["LR"], back["LP"])
    assert measure.quality(measure.statistics([one], one)) >= measure.quality(
        measure.statistics([two], one)
    )


def plain_parseval(gold, output):
    """Matched and crossing brackets in the slow and obvious way."""
    deleted = {",", ":", "``", "''", ".", "TOP"}

    def brackets(tree):
        kept = [p.span.start for p in tree.preterminals() if p.label not in deleted]
        for node in tree.nodes():
            places = [kept.index(w) for w in range(*node.span) if w in kept]
            label = node.label.split("-")[0].split("=")[0]
            if not node.is_preterminal and places and label not in deleted:
                yield "ADVP" if label == "PRT" else label, places[0], places[-1] + 1

    wanted, left = list(brackets(gold)), list(brackets(gold))
    found, matched = list(brackets(output)), 0
    for bracket in found:
        if bracket in left:
            left.remove(bracket)
            matched += 1
    crossing = sum(any(s < a < e < b or a < s < b < e for _, s, e in wanted) for _, a, b in found)
    return [matched, len(wanted), len(found), crossing]


@given(seeds)
def test_parseval_equals_the_obvious_way(rng):
    words = random_words(rng, rng.randint(2, 15))
    gold = random_tree(rng, words)
    output = random_tree(rng, words) if rng.random() < 0.5 else perturbed(rng, gold, 4)
    row = Parseval().statistics([output], gold)[0]
    if row[9]:
        assert row[[0, 1, 2, 4]].tolist() == plain_parseval(gold, output)


def conlleval_counts(gold, output):
    """Chunks correct, in gold and in output, found in one pass as conlleval finds them."""
    correct = wanted = found = 0
    right_so_far = False
    last = [("O", ""), ("O", "")]
    for tags in [*zip(gold, output, strict=True), ("O", "O")]:
        here = [(tag.partition("-")[0], tag.partition("-")[2]) for tag in tags]
        ends = [ends_chunk(a, b) for a, b in zip(last, here, strict=True)]
        starts = [starts_chunk(a, b) for a, b in zip(last, here, strict=True)]
        if right_so_far and ends == [True, True]:
            correct += 1
        if any(ends) or here[0][1] != here[1][1]:
            right_so_far = False
        if all(starts) and here[0][1] == here[1][1]:
            right_so_far = True
        wanted, found = wanted + starts[0], found + starts[1]
        last = here
    return [correct, wanted, found]


def ends_chunk(last, here):
    (a, kind), (b, next_kind) = last, here
    return a != "O" and (a in "ES" or b in "BSO" or kind != next_kind)


def starts_chunk(last, here):
    (a, kind), (b, next_kind) = last, here
    return b != "O" and (b in "BS" or a in "ESO" or kind != next_kind)


@given(seeds, st.sampled_from(["BIO", "IEO", "BIESO"]))
def test_chunks_are_counted_as_conlleval_counts_them(rng, prefixes):
    gold = random_tags(rng, rng.randint(0, 15), prefixes)
    output = noisy_tags(rng, gold, prefixes)
    row = metric("chunk-f1").statistics([output], gold)[0]
    assert row[:3].tolist() == conlleval_counts(gold, output)


def plain_distance(output, gold):
    """The whole table, row by row."""
    row = list(range(len(gold) + 1))
    for i, a in enumerate(output, 1):
        diagonal, row[0] = row[0], i
        for j, b in enumerate(gold, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (a != b))
    return row[-1]


@settings(max_examples=300)
@given(st.text("abc", max_size=90), st.text("abc", max_size=90))
def test_edits_equal_the_plain_table(output, gold):
    substitutions, deletions, insertions = count_edits(output, gold)
    assert substitutions + deletions + insertions == plain_distance(output, gold)
    assert insertions - deletions == len(output) - len(gold)
    assert min(substitutions, deletions, insertions) >= 0
    assert substitutions + deletions <= len(gold)


@given(
    st.lists(st.text("abcd", max_size=140), max_size=4),
    st.text("abc", max_size=140),
    st.integers(1, 9),
)
@example(["ab" * 64, "b" * 65 + "a", "", "a" * 64], "ba" * 64, 3)
def test_edits_equal_the_twin_whatever_the_size_of_blocks(outputs, gold, size):
    expected = [list(twin_edits(output, gold)) for output in outputs]
    assert edit_counts(outputs, gold).tolist() == expected
    with patch.object(edits, "BLOCK", size):
        assert edit_counts(outputs, gold).tolist() == expected


@given(seeds)
def test_statistics_of_a_corpus_are_the_sum_of_its_parts(rng):
    golds = [random_sentence(rng, rng.randint(1, 8)) for _ in range(5)]
    outputs = [noisy_sentence(rng, gold) for gold in golds]
    measure = metric("wer")
    rows = [measure.statistics([o], g)[0] for o, g in zip(outputs, golds, strict=True)]
    errors = sum(plain_distance(o, g) for o, g in zip(outputs, golds, strict=True))
    words = sum(map(len, golds))
    assert np.isclose(measure.figures(np.sum(rows, axis=0))["WER"], 100 * errors / words)


@given(measured_lists(), st.integers(1, 7))
def test_oracle_and_worst_of_the_first_n_by_hand(measured, n):
    for choose, best in ((oracle, max), (worst, min)):
        chosen = choose(measured, n)
        expected = []
        for start, end in zip(measured.offsets, measured.offsets[1:], strict=False):
            order = sorted(range(start, end), key=lambda i: measured.base_ranks[i])[:n]
            if order:  # max and min keep the first of equals
                expected.append(best(order, key=lambda i: measured.qualities[i]))
        assert chosen.tolist() == expected


@given(measured_lists())
def test_oracle_grows_and_worst_shrinks_with_n(measured):
    best = [measured.qualities[oracle(measured, n)] for n in range(1, 8)]
    least = [measured.qualities[worst(measured, n)] for n in range(1, 8)]
    assert np.all(np.diff(best, axis=0) >= 0)
    assert np.all(np.diff(least, axis=0) <= 0)
    assert np.array_equal(best[0], least[0])  # both are the 1-best
    for n in range(1, 8):
        mean = random_totals(measured, n)[0]
        assert least[n - 1].sum() - 1e-9 <= mean <= best[n - 1].sum() + 1e-9


@given(st.lists(st.tuples(st.sampled_from([-1.0, -2.0]), st.integers(0, 9)), max_size=6))
def test_base_order_goes_by_logprob_then_rank_then_place(numbers):
    nbest = NBest(None, None, [Candidate("x", logprob, rank=rank) for logprob, rank in numbers])
    order = nbest.base_order()
    keys = [(-numbers[i][0], numbers[i][1], i) for i in order]
    assert keys == sorted(keys)
    assert [order[rank] for rank in nbest.base_ranks()] == list(range(len(numbers)))
