"""Both decoders equal trying everything; blocks are those of the definition."""

import numpy as np
import pytest
from helpers.made.translation import SOURCE, random_decoder, random_weights
from hypothesis import given, settings
from hypothesis import strategies as st
from twins.translation import (
    best_by_words,
    block_alignments,
    consistent_blocks,
    translations,
)

from runoff.data.numbering import Numbering
from runoff.proposers.translation.alignment import Side
from runoff.proposers.translation.block_alignment import align_blocks
from runoff.proposers.translation.blocks import admissible_blocks, extract
from runoff.proposers.translation.decoder import Search
from runoff.proposers.translation.features import RAW

LINKS = st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=8)
BEAMS = pytest.mark.parametrize("beam", ["multi-beam", "single-beam"])


@given(links=LINKS, longest=st.integers(1, 5))
@settings(max_examples=100)
def test_blocks_are_consistent(links, longest):
    found = admissible_blocks(5, 5, links, longest)
    ends = [(b.source[0], b.source[-1], b.target[0], b.target[-1]) for b in found]
    assert len(set(ends)) == len(ends)
    assert set(ends) == consistent_blocks(5, 5, links, longest)


def test_of_eight_clumpings_of_a_bijection_of_four_words_five_are_admissible():
    """As in Figure 4 of Tillmann (2006), with links of our own: the middle words cross."""
    blocks = {
        (b.target[0], b.target[-1])
        for b in admissible_blocks(4, 4, [(0, 0), (1, 2), (2, 1), (3, 3)])
    }
    clumpings = [
        [(a, b - 1) for a, b in zip([0, *cuts], [*cuts, 4], strict=True)]
        for cuts in ([], [1], [2], [3], [1, 2], [1, 3], [2, 3], [1, 2, 3])
    ]
    assert sum(all(one in blocks for one in own) for own in clumpings) == 5


@given(seed=st.integers(0, 10**6), links=st.lists(LINKS, min_size=1, max_size=4))
@settings(max_examples=30)
def test_extraction_counts_the_blocks_of_every_sentence(seed, links):
    random = np.random.default_rng(seed)
    sides = [[[f"w{i}" for i in random.integers(0, 3, size=5)] for _ in links] for _ in range(2)]
    table = extract(*map(Side.of, sides), [sorted(own) for own in links], 3)
    counted = {}
    for own, source, target in zip(links, *sides, strict=True):
        for s, e, t, u in consistent_blocks(5, 5, own, 3):
            key = tuple(source[s : e + 1]), tuple(target[t : u + 1])
            counted[key] = counted.get(key, 0) + 1
    names = [_names(side) for side in sides]
    found = {}
    for p, (a, b) in enumerate(zip(table.source_starts, table.source_starts[1:], strict=False)):
        source = tuple(names[0][i] for i in table.sources[a:b])
        for block in range(*table.first_blocks[p : p + 2].tolist()):
            found[source, tuple(names[1][i] for i in table[block].target)] = table[block].seen
    assert found == counted
    totals = {}
    for (source, _), block in zip(found, map(table.__getitem__, range(len(table))), strict=True):
        totals[source] = totals.get(source, 0) + np.exp(block.scores[0])
        assert np.exp(block.orientations[:3]).sum() == pytest.approx(1)
    assert all(total <= 1 + 1e-6 for total in totals.values())


def _names(sentences):
    numbering = Numbering([""])
    for words in sentences:
        numbering.numbers(words)
    return list(numbering)


@BEAMS
@given(
    seed=st.integers(0, 10**6),
    sentence=st.lists(st.sampled_from([*SOURCE, "unknown"]), min_size=1, max_size=4),
    completion=st.booleans(),
    order=st.integers(1, 4),
    limits=st.sampled_from([(40, 40), (1, 40), (40, 2), (1, 1), (0, 6)]),
)
@settings(max_examples=60, deadline=None)
def test_without_pruning_a_search_finds_the_best(beam, seed, sentence, completion, order, limits):
    decoder, weights = random_decoder(seed, order=order), random_weights(seed)
    skip, window = limits
    search = Search.exact(beam=beam, completion=completion, skip=skip, window=window)
    expected = translations(decoder, sentence, weights, skip, window)
    (found,) = decoder.translate([sentence], weights, search)
    (best,) = found.derivations
    assert best.cost == pytest.approx(expected[0][0], abs=1e-4)
    assert -best.features @ weights == pytest.approx(best.cost, abs=1e-4)
    same = [one for one in expected if one[1] == tuple(best.words)]
    steps = tuple((one.source.start, one.source.stop - 1) for one in best.steps)
    assert any(one[2] == steps and one[0] == pytest.approx(best.cost, abs=1e-4) for one in same)


@BEAMS
@given(
    seed=st.integers(0, 10**6),
    sentence=st.lists(st.sampled_from(SOURCE), min_size=1, max_size=3),
)
@settings(max_examples=40, deadline=None)
def test_n_best_lists_are_all_translations_sorted(beam, seed, sentence):
    decoder, weights = random_decoder(seed), random_weights(seed)
    expected = translations(decoder, sentence, weights)
    search = Search.exact(beam=beam)
    (every,) = decoder.translate([sentence], weights, search, n=1000, distinct=False)
    costs = [one.cost for one in every.derivations]
    assert costs == pytest.approx([one[0] for one in expected[:1000]], abs=1e-4)
    best = best_by_words(expected)
    (distinct,) = decoder.translate([sentence], weights, search, n=1000)
    found = {tuple(one.words): one.cost for one in distinct.derivations}
    assert len(found) == len(distinct.derivations)
    assert found == pytest.approx(best, abs=1e-4)


@given(seed=st.integers(0, 10**6), sentence=st.lists(st.sampled_from(SOURCE), max_size=4))
@settings(max_examples=30, deadline=None)
def test_a_given_target_is_reached_by_its_cheapest_blocks(seed, sentence):
    decoder, weights = random_decoder(seed), random_weights(seed)
    expected = [one for one in translations(decoder, sentence, weights) if one[3][6] == 0]
    best = best_by_words(expected)
    goals = sorted(best)[:5]
    for goal in goals:
        (found,) = decoder.translate([sentence], weights, Search.exact(), targets=[list(goal)])
        assert tuple(found.derivations[0].words) == goal
        assert found.derivations[0].cost == pytest.approx(best[goal], abs=1e-4)
    if sentence:
        (none,) = decoder.translate([sentence], weights, targets=[["u"] * 40])
        assert none.derivations == []


def test_pruned_searches_always_translate_and_count_their_work():
    for seed in range(20):
        decoder, weights = random_decoder(seed), random_weights(seed)
        for beam in ("multi-beam", "single-beam"):
            for how in ({"histogram": 1}, {"coverage": 0.0, "cardinality": 0.0}, {"budget": 0.0}):
                search = Search(beam=beam, **how)
                (found,) = decoder.translate([["a", "b", "c", "d", "e", "zz"] * 3], weights, search)
                assert sorted(i for one in found.derivations[0].steps for i in one.source) == [
                    *range(18)
                ]
                assert found.edges >= found.states > 0
                assert found.derivations[0].features.shape == (RAW,)


@given(
    seed=st.integers(0, 10**6),
    sentence=st.lists(st.sampled_from([*SOURCE, "unknown"]), min_size=1, max_size=8),
    threshold=st.floats(0, 3),
    completion=st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_a_coverage_threshold_among_complete_states_prunes_both_searches_alike(
    seed, sentence, threshold, completion
):
    decoder, weights = random_decoder(seed), random_weights(seed)
    found = [
        decoder.translate(
            [sentence],
            weights,
            Search.exact(beam=beam, coverage=threshold, completion=completion, compare_open=False),
        )[0]
        for beam in ("multi-beam", "single-beam")
    ]
    assert found[0].derivations[0].words == found[1].derivations[0].words
    assert found[0].derivations[0].cost == pytest.approx(found[1].derivations[0].cost)
    assert (found[0].states, found[0].edges) == (found[1].states, found[1].edges)


@given(
    links=st.one_of(
        st.permutations(range(5)).map(lambda p: [*zip(range(5), p, strict=True)]),
        LINKS.map(sorted),
    ),
    seed=st.integers(0, 1000),
    longest=st.integers(2, 5),
)
@settings(max_examples=80, deadline=None)
def test_block_alignments_equal_enumeration(links, seed, longest):
    draw = np.random.default_rng(seed).random((5, 5, 5, 5))
    found = align_blocks(
        5, 5, links, lambda b: draw[b.source[0], b.source[-1], b.target[0], b.target[-1]], longest
    )
    blocks = consistent_blocks(5, 5, links, longest)
    costs = [sum(draw[one] for one in own) for own in block_alignments(5, 5, blocks)]
    if not costs:
        assert found is None
        return
    assert found.cost == pytest.approx(min(costs))
    assert sorted(i for b in found.blocks for i in b.source) == [*range(5)]
    assert [j for b in found.blocks for j in b.target] == [*range(5)]
    assert found.by_table_3 == (
        len({i for i, _ in links}) == len({j for _, j in links}) == len(links) == 5
    )
