"""Rules are those of the definition; searches by trees equal trying everything."""

from itertools import pairwise

import numpy as np
import pytest
from helpers.made.trees_to_strings import learned, pattern_of, random_decoder, random_pair
from hypothesis import given, settings
from hypothesis import strategies as st
from twins.tree_translation import Node, all_rules, best_of_each, derivations, lm_score

from runoff import _native
from runoff.data.numbering import Numbering
from runoff.data.tree import Tree
from runoff.data.treebank.rules import Rule
from runoff.proposers.translation.features import RAW
from runoff.proposers.translation.trees.decoder import TreeSearch
from runoff.proposers.translation.trees.rules import SCORES, rules_of
from runoff.proposers.translation.trees.source import (
    Parse,
    binarised,
    new_symbols,
    source_trees,
)

SEEDS = st.integers(0, 10**6)
LM = 7


def nodes_of(tree):
    names = Numbering([""])
    found = source_trees([tree], new_symbols(names), cased=False)
    return Node([list(names)[i] for i in found.symbols], found.depths.tolist()), found


@given(seed=SEEDS, compose=st.integers(1, 5))
@settings(max_examples=80)
def test_rules_are_those_of_the_definition(seed, compose):
    tree, target, links = random_pair(np.random.default_rng(seed))
    twin, found = nodes_of(tree)
    columns = np.array(links, np.uint32).reshape(-1, 2)
    made = _native.placed_rules(
        found.symbols, found.depths, len(target), *map(np.ascontiguousarray, columns.T), compose,
        10**6, False,
    )  # fmt: skip
    given_rules = [
        (root, tuple(variables), tuple(("x", t - 2**31) if t >= 2**31 else t for t in tokens))
        for root, _, variables, tokens in made
    ]
    assert len(set(given_rules)) == len(given_rules)
    assert set(given_rules) == all_rules(twin, len(target), links, compose)


@given(seed=SEEDS, compose=st.integers(1, 4))
@settings(max_examples=25, deadline=None)
def test_every_pair_is_derived_by_its_own_rules(seed, compose):
    decoder, pairs = random_decoder(seed, compose=compose)
    weights = np.zeros(RAW)
    for tree, target, links in pairs:
        if links:
            (found,) = decoder.translate(
                [[Parse(tree)]], weights, TreeSearch(search="direct"), n=10**4
            )
            assert target in [one.words for one in found.derivations]


@given(seed=SEEDS)
@settings(max_examples=20, deadline=None)
def test_rules_of_a_label_are_probabilities_and_are_read_as_they_are_written(seed):
    decoder, _ = random_decoder(seed, pairs=6)
    totals = {}
    for rule in rules_of(decoder.table, decoder.symbols, decoder.target):
        totals[rule.root] = totals.get(rule.root, 0) + rule.prob
        again = Rule.parse(str(rule))
        assert again.nodes == rule.nodes
        assert again.target == rule.target
        assert str(again) == str(rule)
    assert all(total == pytest.approx(1, abs=1e-5) for total in totals.values())


@given(seed=SEEDS, threads=st.integers(2, 4))
@settings(max_examples=10, deadline=None)
def test_extraction_does_not_depend_on_threads(seed, threads):
    random = np.random.default_rng(seed)
    pairs = [random_pair(random) for _ in range(200)]
    one, other = (learned(pairs, threads=n)[2].table.arrays() for n in (1, threads))
    assert all((one[name] == other[name]).all() for name in one)


@given(seed=SEEDS)
@settings(max_examples=15, deadline=None)
def test_rules_that_are_added_as_text_are_those_that_were_extracted(seed):
    random = np.random.default_rng(seed)
    pairs = [random_pair(random) for _ in range(3)]
    symbols, words, found = learned(pairs)
    texts = [str(one) for one in rules_of(found.table, symbols, words)]
    nothing = [(tree, target, []) for tree, target, _ in pairs]
    symbols, words, again = learned(nothing, added=[Rule.parse(text) for text in texts])
    assert sorted(str(one) for one in rules_of(again.table, symbols, words)) == sorted(texts)


def unbinarised(tree):
    """A tree without the nodes whose label is marked."""
    children = []
    for child in tree.children:
        own = [child] if isinstance(child, str) else [unbinarised(child)]
        marked = not isinstance(child, str) and child.label.endswith("~")
        children += own[0].children if marked else own
    return Tree(tree.label, children)


@given(seed=SEEDS, parts=st.integers(1, 5))
def test_binary_trees_have_the_same_nodes_and_more(seed, parts):
    random = np.random.default_rng(seed)
    tree = Tree.parse(f"(S {' '.join(random_pair(random)[0] for _ in range(parts))})")
    made = Tree.parse(binarised(str(tree)))
    assert str(unbinarised(made)) == str(tree)
    below = [made]
    while below:
        node = below.pop()
        inner = [child for child in node.children if not isinstance(child, str)]
        assert len(inner) <= 2 or len(inner) < len(node.children)
        below += inner


def weigh(decoder, words, steps, weights):
    """The score of a derivation by its features."""
    total = np.zeros(RAW)
    table = decoder.table
    for _, number, variables in steps:
        total[5] += 1
        if number >= 0:
            total[[0, 1, 2, 3, 8]] += table.scores[number][list(range(len(SCORES)))]
            tokens = [t - 2**31 for t in table.target(number) if t >= 2**31]
            total[11] += len(tokens)
            total[12] += any(b < a for a, b in pairwise(tokens))
            total[13] += not tokens
        else:
            total[6] += variables > 0
    total[4] = len(words)
    total[LM] = lm_score(decoder.lm, words)
    return total


def everything(decoder, tree, weights):
    """(score without the language model, score, words) of every derivation."""
    rules = [
        (pattern_of(rule), [("x", t) if isinstance(t, int) else t for t in rule.target])
        for rule in rules_of(decoder.table, decoder.symbols, decoder.target)
    ]
    twin, found = nodes_of(tree)
    made = []
    for steps, words in derivations(twin, rules, found.words[0]):
        counted = [
            (node, number, sum(bool(twin.children[c]) for c in twin.children[node]))
            for node, number in steps
        ]
        total = weigh(decoder, words, counted, weights)
        total[6] += sum(
            not twin.children[c] for node, number in steps if number < 0
            for c in twin.children[node]
        )  # fmt: skip
        score = float(total @ weights)
        made.append((score - weights[LM] * total[LM], score, words))
    return made


def random_weights(seed):
    return np.random.default_rng(seed).uniform(-0.3, 0.5, size=RAW).round(2) * (
        np.arange(RAW) != 10
    )


TREES = st.integers(0, 2)


@given(seed=SEEDS, which=TREES, order=st.integers(1, 4))
@settings(max_examples=25, deadline=None)
def test_searches_equal_trying_everything(seed, which, order):
    decoder, _ = random_decoder(seed, order=order)
    tree, _, _ = random_pair(np.random.default_rng(seed + which))
    weights = random_weights(seed)
    expected = everything(decoder, tree, weights)
    plain = best_of_each((score, words) for score, _, words in expected)
    whole = best_of_each((score, words) for _, score, words in expected)
    direct, cube, rescored = (
        decoder.translate([[Parse(tree)]], weights, search, n=10**4)[0].derivations
        for search in (
            TreeSearch(search="direct"),
            TreeSearch.exact(),
            TreeSearch(search="rescore", k=10**4),
        )
    )
    for found, best in ((direct, plain), (cube, whole), (rescored, whole)):
        scores = {tuple(one.words): -one.cost for one in found}
        assert len(scores) == len(found)
        assert scores == pytest.approx(best, abs=1e-4)
        costs = [one.cost for one in found]
        assert costs == sorted(costs)
    (every,) = decoder.translate([[Parse(tree)]], weights, TreeSearch(search="direct"), n=10**5,
                                 distinct=False)  # fmt: skip
    assert [-one.cost for one in every.derivations] == pytest.approx(
        sorted((score for score, _, _ in expected), reverse=True), abs=1e-4
    )
    for one in cube:
        assert one.features @ weights == pytest.approx(-one.cost, abs=1e-4)
    lists = decoder.lists([[Parse(tree)]], weights, TreeSearch.exact(), n=10**4)
    assert lists.features @ weights == pytest.approx([-one.cost for one in cube], abs=1e-4)


@given(seed=SEEDS, pops=st.integers(1, 20), n=st.integers(1, 5))
@settings(max_examples=20, deadline=None)
def test_pruned_searches_always_translate(seed, pops, n):
    decoder, _ = random_decoder(seed)
    tree, _, _ = random_pair(np.random.default_rng(seed + 1))
    weights = random_weights(seed)
    (found,) = decoder.translate([[Parse(tree)]], weights, TreeSearch(pops=pops), n=n)
    best = max(score for _, score, _ in everything(decoder, tree, weights))
    assert 1 <= len(found.derivations) <= n
    assert -found.derivations[0].cost <= best + 1e-4
    for one in found.derivations:
        assert one.features @ weights == pytest.approx(-one.cost, abs=1e-4)
        root = one.steps[0]
        assert root.target == range(len(one.words))


@given(seed=SEEDS, n=st.integers(1, 5))
@settings(max_examples=20, deadline=None)
def test_a_search_whose_time_is_up_is_greedy(seed, n):
    decoder, _ = random_decoder(seed)
    tree, _, _ = random_pair(np.random.default_rng(seed + 1))
    weights = random_weights(seed)

    def found(size=n, **how):
        (made,) = decoder.translate([[Parse(tree)]], weights, TreeSearch(**how), n=size)
        return [(one.words, one.cost) for one in made.derivations]

    assert found(budget=0.0) == found(1, pops=1)
    assert found(budget=1e5) == found()
    late = decoder.translate(
        [[Parse(tree)]], weights, TreeSearch(search="rescore", budget=0.0), n=n
    )[0].derivations
    best = decoder.translate([[Parse(tree)]], weights, TreeSearch(search="direct"))[0].derivations
    assert [one.words for one in late] == [best[0].words]
