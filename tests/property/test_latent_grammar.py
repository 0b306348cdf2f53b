"""The native grammars with substates against their twin, and what learning must keep."""

import numpy as np
import pytest
from helpers.strategies.treebanks import small_treebanks, treebanks
from hypothesis import given, settings
from hypothesis import strategies as st
from twins.latent_grammar import Grammar, binary

from runoff.data.nbest import Candidate, NBest
from runoff.errors import ModelError, UsageError
from runoff.proposers.parsing.headed_trees import Alphabet, mark_base_nps
from runoff.proposers.parsing.latent_grammars import OPINION, LatentGrammars

MOST_ASSIGNMENTS = 4096


def fitted(trees, **parameters):
    alphabet = Alphabet.of(map(mark_base_nps, trees), 1)
    return LatentGrammars(**{"grammars": 1, "cycles": 1, "iterations": 3} | parameters).fit(
        trees, alphabet
    )


def log_probabilities(grammars, trees):
    found = grammars.log_probabilities([(tree.words, [str(tree)]) for tree in trees])
    return [float(row[0]) for row in found]


@given(small_treebanks(), small_treebanks())
@settings(max_examples=25)
def test_trees_have_the_probability_of_all_their_assignments(trees, others):
    """Also trees that were not learned from, with labels that are not known."""
    grammars = fitted(trees)
    twin = Grammar(*grammars._grammars[0].arrays())
    labels = list(grammars._alphabet.labels)
    for tree in [*trees, *others]:
        made = binary(tree, labels, grammars._alphabet.word)
        if twin.assignments(made) > MOST_ASSIGNMENTS:
            continue
        expected = twin.log_probability(made)
        # probabilities are floats
        assert log_probabilities(grammars, [tree]) == [pytest.approx(expected, rel=1e-5, abs=1e-6)]


@given(treebanks(), st.integers(0, 2))
@settings(max_examples=15)
def test_the_rules_of_a_substate_add_up_to_one(trees, cycles):
    for grammar in fitted(trees, cycles=cycles)._grammars:
        twin = Grammar(*grammar.arrays())
        sums = {}
        for (parent, _, _), entries in twin.rules.items():
            for (state, _, _), probability in entries.items():
                sums[parent, state] = sums.get((parent, state), 0.0) + probability
        # codes round to 2^(1/4096), and entries of very few trees are dropped
        assert all(total == pytest.approx(1, abs=0.03) for total in sums.values())


@given(treebanks())
@settings(max_examples=15)
def test_without_splits_a_rule_has_its_relative_frequency(trees):
    grammars = fitted(trees, cycles=0)
    labels = list(grammars._alphabet.labels)
    counts, parents = {}, {}
    for tree in trees:
        for name, expansion in rules(binary(tree, labels, grammars._alphabet.word)):
            counts[name, expansion] = counts.get((name, expansion), 0) + 1
            parents[name] = parents.get(name, 0) + 1
    found = Grammar(*grammars._grammars[0].arrays()).rules
    for (parent, left, right), entries in found.items():
        expected = counts[parent, (left, right)] / parents[parent]
        assert entries == {(0, 0, 0): pytest.approx(expected, rel=1e-3)}
    assert len(found) == len(counts)


def rules(node):
    symbol, *children = node
    if not isinstance(children[0], tuple):
        yield symbol, (-1, children[0])
        return
    yield symbol, (children[0][0], children[1][0] if len(children) > 1 else -1)
    for child in children:
        yield from rules(child)


@given(treebanks(), st.integers(2, 4))
@settings(max_examples=10)
def test_threads_and_files_change_nothing(trees, threads):
    alphabet = Alphabet.of(map(mark_base_nps, trees), 1)
    one = LatentGrammars(grammars=2, cycles=2, iterations=3).fit(trees, alphabet)
    other = LatentGrammars(grammars=2, cycles=2, iterations=3).fit(trees, alphabet, threads=threads)
    again = LatentGrammars(grammars=2).restore(one.arrays())
    for name, array in one.arrays().items():
        np.testing.assert_array_equal(array, other.arrays()[name])
        np.testing.assert_array_equal(array, again.arrays()[name])
    assert log_probabilities(one, trees) == log_probabilities(again, trees)


def test_em_finds_what_nobody_annotated(two_kinds):
    """Subjects are pronouns and objects are nouns; without substates, any NP may be either."""
    trees, right, wrong = two_kinds
    plain, split = (fitted(trees, cycles=cycles, iterations=30) for cycles in (0, 2))
    same, (good, bad) = (log_probabilities(one, [right, wrong]) for one in (plain, split))
    assert same[0] == pytest.approx(same[1], abs=1e-3)
    assert good - bad > 1


@pytest.fixture
def two_kinds():
    from runoff.data.tree import Tree

    def sentence(verb, one, other):
        return Tree.parse(f"(TOP (S (NP {one}) (VP (V {verb}) (NP {other}))))")

    subjects = ["(A we)", "(A they)", "(A she)"]
    objects = ["(B votes)", "(B lists)", "(B trees)"]
    trees = [sentence(v, s, o) for v in ("count", "like") for s in subjects for o in objects] * 3
    # a noun before the verb and a pronoun behind it: the same rules in other places
    return trees, sentence("count", "(A we)", "(B votes)"), sentence("count", "(B votes)", "(A we)")


@pytest.mark.parametrize(
    ("parameters", "message"),
    [({"grammars": 0}, "at least one"), ({"seed": -1}, "seed"), ({"cycles": 8}, "cycles")],
)
def test_parameters_that_make_no_sense_are_refused(two_kinds, parameters, message):
    with pytest.raises(UsageError, match=message):
        fitted(two_kinds[0], **parameters)


def test_opinions_are_features_of_candidates(two_kinds):
    trees, right, wrong = two_kinds
    grammars = fitted(trees, cycles=2, iterations=30, joint=False)
    swapped = str(wrong).replace("votes", "WE").replace("we", "votes").replace("WE", "we")
    told = [Candidate(one, -1.0, features={"own": 2.0}) for one in (swapped, str(right))]
    nothing = NBest(2, [], [Candidate("(TOP)", 0.0)])
    judged, same = grammars.judged([NBest(1, list(right.words), told), nothing], 2)
    assert same == nothing
    assert [one.features["own"] for one in judged.candidates] == [2.0, 2.0]
    assert judged.candidates[1].features[OPINION] == 0.0
    assert judged.candidates[0].features[OPINION] < -1


def test_of_long_lists_the_likeliest_trees_stay(two_kinds):
    """Without a joint order they keep that of the list, the parser's favourite among them."""
    trees, right, _ = two_kinds
    grammars = fitted(trees, joint=False)
    wrong = str(right).replace("NP", "XX")
    texts = [wrong, str(right), wrong, str(right), wrong]
    told = [Candidate(one, float(-place)) for place, one in enumerate(texts)]
    opinions = grammars.log_probabilities([(right.words, texts)])[0]
    assert opinions[1] > opinions[0] + 4
    for keep, kept in ((1, [0]), (2, [0, 1]), (3, [0, 1, 3]), (4, [0, 1, 2, 3]), (9, range(5))):
        (judged,) = grammars.judged([NBest(1, list(right.words), told)], keep)
        assert [-one.logprob for one in judged.candidates] == list(kept)


def test_trees_come_in_the_order_of_the_product(two_kinds):
    trees, right, wrong = two_kinds
    grammars = fitted(trees, cycles=2, iterations=30)
    texts, own = [str(wrong), str(right), str(wrong)], [-1.0, -1.5, -40.0]
    opinions = grammars.log_probabilities([(right.words, texts)])[0].tolist()
    both = [(a + b) / 2 for a, b in zip(own, opinions, strict=True)]
    assert both[1] > both[0] > both[2]
    told = [Candidate(text, score) for text, score in zip(texts, own, strict=True)]
    for keep in (1, 2, 9):
        (judged,) = grammars.judged([NBest(1, list(right.words), told)], keep)
        assert [one.output for one in judged.candidates] == [texts[i] for i in (1, 0, 2)][:keep]
        assert [one.logprob for one in judged.candidates] == [both[i] for i in (1, 0, 2)][:keep]
        assert judged.candidates[0].features == {OPINION: 0.0}


@pytest.mark.parametrize(
    ("name", "broken"),
    [
        ("0.rules", lambda a: a[:-1]),
        ("0.rules", lambda a: np.full_like(a, 127)),
        ("0.sizes", lambda a: a[:-1]),
        ("0.places", lambda a: np.full_like(a, 100)),
        ("0.substates", lambda a: a * 0),
        ("0.substates", lambda a: a[:-1]),
        ("0.probabilities", lambda a: a[:-1]),
        ("0.probabilities", lambda a: a.astype(np.float64)),
        ("1.rules", lambda a: a[:0]),
        ("alphabet_sizes", lambda a: a + 1),
    ],
)
def test_broken_arrays_are_refused(two_kinds, name, broken):
    arrays = fitted(two_kinds[0], grammars=2, cycles=2).arrays()
    arrays[name] = broken(arrays[name])
    with pytest.raises(ModelError):
        LatentGrammars(grammars=2).restore(arrays)
