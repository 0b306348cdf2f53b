"""The search of parsing by classification finds the best of all parses that there are."""

import random

import numpy as np
import pytest
from helpers.made.classification import STRATEGIES, drawn_tree, treebank
from twins import classification as twin

from runoff import _native
from runoff.proposers.parsing.classification.atoms import GROUPS, AtomNames, group_rows
from runoff.proposers.parsing.classification.items import ItemNames

PHRASES = ("NP", "VP", "S")
MAX_CHILDREN = 5
LEAF = 0


def drawn_ensemble(rng, pool, trees=4):
    """Columns of random trees: offsets, atoms, yes, values."""
    offsets, atoms, yes, values = [0], [], [], []

    def grow(root, depth):
        at = len(atoms)
        atoms.append(LEAF)
        yes.append(0)
        values.append(0.0)
        if depth == 0:
            values[at] = rng.gauss(0, 1.5)
            return
        atoms[at] = rng.choice(pool)
        grow(root, rng.randrange(depth))
        yes[at] = len(atoms) - root
        grow(root, rng.randrange(depth))

    for _ in range(trees):
        grow(len(atoms), 3)
        offsets.append(len(atoms))
    types = (np.int64, np.uint32, np.uint32, np.float64)
    columns = (offsets, atoms, yes, values)
    return tuple(np.array(one, dtype=kind) for one, kind in zip(columns, types, strict=True))


def score_by(columns, texts, present):
    offsets, atoms, yes, values = columns
    total = 0.0
    for root in offsets[:-1].tolist():
        at = root
        while yes[at]:
            at = root + int(yes[at]) if texts[int(atoms[at])] in present else at + 1
        total += float(values[at])
    return total


class Setting:
    """Random classifiers for a few labels, natively and as a function for the twin."""

    def __init__(self, seed, kind, strategy, phrases=("NP", "VP"), max_children=MAX_CHILDREN):
        rng = random.Random(seed)
        trees = [drawn_tree(rng, 4) for _ in range(3)]
        some = ItemNames.of(trees)
        self.names = ItemNames(some.tags, sorted({"TOP", *phrases}), some.words)
        self.strategy, self.groups, self.max_children = strategy, GROUPS[kind], max_children
        self.texts = AtomNames(self.groups, self.names.values[:-1])
        self.atoms = _native.InferenceAtoms(self.names.native, group_rows(self.groups))
        common = [n for n in range(len(self.texts)) if "word" not in self.texts[n]]
        pool = rng.sample(common, 60) + [rng.randrange(len(self.texts)) for _ in range(20)]
        self.ensembles = [drawn_ensemble(rng, pool) for _ in self.names.phrases]
        self.parser = _native.ClassificationParser(
            self.atoms, self.ensembles, STRATEGIES.index(strategy), max_children
        )
        self.known = {}

    def score(self, state, first, size, label):
        key = (state.frontier, first, size, label)
        if key not in self.known:
            known = set(self.names.words), set(self.names.labels)
            present = twin.atoms(self.groups, known, state, first, size, label)
            columns = self.ensembles[self.names.phrases.index(label)]
            self.known[key] = score_by(columns, self.texts, present)
        return self.known[key]

    def columns(self, words, tags):
        return (
            np.array([0, len(words)], dtype=np.int64),
            np.array([self.names.word(word) for word in words], dtype=np.uint32),
            np.array([self.names.tag(tag) for tag in tags], dtype=np.uint16),
        )

    def parse(self, words, tags, n, explore=10**9):
        found = self.parser.parse(*self.columns(words, tags), n, explore)
        ((parses, explored, greedy),) = found
        made = []
        proven = all(parse[1] for parse in parses)
        for cost, _, forced, items in parses:
            assert not forced
            spans = tuple((self.names.labels[label], start, end) for label, start, end, *_ in items)
            assert sum(own for *_, own in items) == pytest.approx(cost, rel=1e-5)
            made.append((cost, spans))
        return made, explored, proven, greedy

    def all_parses(self, words, tags):
        known = [tag if tag in self.names.tags else "unknown" for tag in tags]
        state = twin.start(words, known, self.strategy)
        phrases = self.names.phrases
        return twin.all_parses(state, self.strategy, self.max_children, phrases, self.score)


SENTENCES = [("a", ("NN",)), ("ab", ("DT", "NN")), ("zEb", ("DT", "??", "VB"))]


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("kind", GROUPS)
@pytest.mark.parametrize("seed", range(3))
def test_search_finds_the_best_of_all_parses_in_order(strategy, kind, seed):
    for words, tags in SENTENCES:
        phrases = ("NP", "VP") if len(words) < 3 else ("NP",)
        setting = Setting(seed, kind, strategy, phrases)
        expected = setting.all_parses(words, tags)
        costs = sorted(expected.values())
        for n in (1, 4, len(costs) + 3):
            found, _, proven, _ = setting.parse(words, tags, n)
            assert proven
            assert [cost for cost, _ in found] == pytest.approx(costs[:n])
            assert len({tree for _, tree in found}) == len(found)
            for cost, tree in found:
                assert expected[tree] == pytest.approx(cost)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_longer_sentences_with_two_children_at_most(strategy):
    setting = Setting(5, "base", strategy, ("NP",), max_children=2)
    words, tags = "abcD", ("DT", "NN", "VB", "NN")
    expected = setting.all_parses(words, tags)
    found, _, proven, _ = setting.parse(words, tags, 10)
    assert proven
    assert [cost for cost, _ in found] == pytest.approx(sorted(expected.values())[:10])
    assert all(expected[tree] == pytest.approx(cost) for cost, tree in found)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_search_that_is_cut_short_says_so_and_has_trees(strategy):
    setting = Setting(7, "base", strategy, PHRASES)
    words, tags = "abcDEabc", ("DT", "NN", "VB", "NN", "CC", "NN", "VB", "DT")
    (first,), explored, proven, greedy = setting.parse(words, tags, 1, explore=1)
    assert not proven
    assert greedy
    found, more, *_ = setting.parse(words, tags, 1, explore=explored + 5000)
    assert more > explored
    assert found[0][0] <= first[0]


def test_a_long_sentence_comes_to_an_end_though_classifiers_love_unary_items():
    names = ItemNames(["NN"], ["NP", "S", "TOP", "VP"], ["a"])
    leaf = (
        np.array([0, 1], dtype=np.int64),
        np.array([LEAF], dtype=np.uint32),
        np.array([0], dtype=np.uint32),
    )
    one = np.array([1.0])
    head = (
        np.array([0, 3], dtype=np.int64),
        np.array([7, LEAF, LEAF], dtype=np.uint32),
        np.array([2, 0, 0], dtype=np.uint32),
        np.array([0.0, -9.0, -9.0]),
    )
    atoms = _native.InferenceAtoms(names.native, group_rows(GROUPS["base"]))
    ensembles = [(*leaf, one), (*leaf, one), head, (*leaf, one)]
    parser = _native.ClassificationParser(atoms, ensembles, 0, 5)
    words = np.zeros(200, dtype=np.uint32), np.zeros(200, dtype=np.uint16)
    offsets = np.array([0, 200], dtype=np.int64)
    ((parses, *_),) = parser.parse(offsets, *words, 1, 1000)
    assert (parses[0][3][0][1], parses[0][3][0][2]) == (0, 200)


def test_leaves_explain_what_each_inference_scores():
    setting = Setting(3, "kitchen-sink", "bottom-up")
    words, tags = "abD", ("DT", "NN", "VB")
    _, indices, numbers = setting.columns(words, tags)
    ((parses, *_),) = setting.parser.parse(*setting.columns(words, tags), 1, 1000)
    items = sorted(parses[0][3], key=lambda item: item[3])
    leaves = setting.parser.explain(indices, numbers, [item[:3] for item in items])
    for (label, *_, cost), nodes in zip(items, leaves, strict=True):
        values = setting.ensembles[label - len(setting.names.tags)][3]
        assert twin.cost(sum(values[node] for node in nodes)) == pytest.approx(cost, rel=1e-5)


def test_sentences_are_parsed_alike_on_any_threads():
    setting = Setting(4, "base", "r2l")
    offsets = np.array([0, 3, 7, 8], dtype=np.int64)
    words, tags = np.zeros(8, dtype=np.uint32), np.zeros(8, dtype=np.uint16)
    one, three = (setting.parser.parse(offsets, words, tags, 3, 2000, n) for n in (1, 3))
    assert one == three


def test_what_is_no_sentence_or_tree_is_refused():
    setting = Setting(0, "base", "r2l")
    words, tags = np.zeros(2, dtype=np.uint32), np.zeros(2, dtype=np.uint16)
    for offsets in ([0, 1], [0, 0, 2], [1, 2]):
        with pytest.raises(ValueError, match="sentences"):
            setting.parser.parse(np.array(offsets, dtype=np.int64), words, tags, 1, 10)
    trees = treebank()
    names = ItemNames.of(trees)
    columns = names.encode(trees)
    chosen = np.arange(3, dtype=np.int64)
    for n, column in enumerate(columns):
        broken = list(columns)
        broken[n] = column[:-1].copy()
        with pytest.raises(ValueError, match="trees"):
            _native.TrainingStates(names.native, 0, 5, *broken, chosen, 0)
        broken[n] = column + 1
        with pytest.raises(ValueError, match="trees"):
            _native.TrainingStates(names.native, 0, 5, *broken, chosen, 0)
