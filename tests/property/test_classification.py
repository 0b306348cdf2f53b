"""Native states, atoms and search of parsing by classification equal their slow twins."""

import random
from functools import cache

import numpy as np
import pytest
from twins import classification as twin

from runoff import _native
from runoff.data.tree import Tree
from runoff.proposers.parsing.inference_atoms import GROUPS, AtomNames, group_rows
from runoff.proposers.parsing.items import ItemNames

STRATEGIES = ("r2l", "l2r", "bottom-up")
TAGS = ("DT", "NN", "VB", "CC", "ODD")
PHRASES = ("NP", "VP", "S")
MAX_CHILDREN = 5
LEAF = 0


def drawn_tree(rng, words):
    """A tree without two nodes of the same words and label."""

    def chain(children, labels):
        rng.shuffle(labels)
        for label in labels[: rng.choice([0, 1, 1, 2])]:
            children = [Tree(label, children)]
        return children

    def phrase(size):
        if size == 1:
            leaf = Tree(rng.choice(TAGS), [rng.choice("abcDE")])
            return chain([leaf], list(PHRASES))[0]
        parts, left = [], size
        while left:
            taken = rng.randint(1, left if parts else left - 1)
            parts.append(phrase(taken))
            left -= taken
        first, *others = rng.sample(PHRASES, len(PHRASES))
        return chain([Tree(first, parts)], others)[0]

    return Tree("TOP", [phrase(words)])


@cache
def treebank(seed=0, trees=12, words=9):
    rng = random.Random(seed)
    return [drawn_tree(rng, rng.randint(1, words)) for _ in range(trees)]


def native_states(names, trees, strategy, seed=0, max_children=MAX_CHILDREN):
    chosen = np.arange(len(trees), dtype=np.int64)
    number = STRATEGIES.index(strategy)
    columns = names.encode(trees)
    return _native.TrainingStates(names.native, number, max_children, *columns, chosen, seed)


def spans_of(native, names, state):
    frontier, last = native.frontier(state)
    return [(names.labels[label], start, end) for start, end, label in frontier], last


def candidate_of(pointer):
    return pointer >> 32, (pointer >> 8) & 0xFFFFFF, pointer & 0xFF


@pytest.mark.parametrize("strategy", ["r2l", "l2r"])
def test_a_tree_is_built_in_exactly_one_order(strategy):
    for seed in range(20):
        for tree in treebank(seed, trees=3, words=6):
            assert len(list(twin.orders(tree, strategy))) == 1


def states_of(tree, strategy, native, names, number):
    """The states of the native path, followed by the twin; which is one of the tree's."""
    tags = [node.label for node in tree.preterminals()]
    state = twin.start(tree.words, tags, strategy)
    while not twin.is_complete(state):
        spans, last = spans_of(native, names, number)
        assert spans == [(item.label, item.start, item.end) for item in state.frontier]
        assert last == state.last
        yield number, state
        steps = [twin.after(state, *step) for step in twin.gold_inferences(state, tree)]
        if strategy == "bottom-up":
            number += 1
            if number < len(native):
                following = spans_of(native, names, number)[0]
            steps = [
                one
                for one in steps
                if twin.is_complete(one)
                or following == [(item.label, item.start, item.end) for item in one.frontier]
            ]
            state = steps[0]
        else:
            key = {"r2l": lambda one: -one.frontier[one.last].start,
                   "l2r": lambda one: one.frontier[one.last].end}[strategy]  # fmt: skip
            state = min(steps, key=key)
            number += 1


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("max_children", [2, 5])
def test_examples_are_all_inferences_of_correct_states(strategy, max_children):
    trees = treebank()
    names = ItemNames.of(trees)
    native = native_states(names, trees, strategy, max_children=max_children)
    found = {}
    for label in names.phrases:
        for pointer, y, bias in zip(*native.examples(names.labels.index(label)), strict=True):
            found[(*candidate_of(int(pointer)), label)] = (int(y), float(bias))
    expected, number, spans = {}, 0, 0
    for tree in trees:
        for state_number, state in states_of(tree, strategy, native, names, number):
            spans += len(list(twin.candidates(state, strategy, max_children)))
            inferences = set(twin.inferences(state, strategy, max_children, names.phrases))
            gold = set(twin.gold_inferences(state, tree)) & inferences
            if strategy != "bottom-up":
                key = (lambda g: -g[0]) if strategy == "r2l" else (lambda g: g[0] + g[1])
                every = sorted(twin.gold_inferences(state, tree), key=key)
                gold &= {every[0]}
            for one in inferences:
                others = len(gold) if one in gold else len(inferences) - len(gold)
                expected[(state_number, *one)] = (1 if one in gold else -1, 0.5 / others)
            number = state_number + 1
    assert found.keys() == expected.keys()
    for key, (y, bias) in expected.items():
        assert found[key][0] == y
        assert found[key][1] == pytest.approx(bias, rel=1e-6)
    assert native.inferences == len(expected)
    assert native.candidates == spans
    assert native.positives == sum(y > 0 for y, _ in expected.values())


def test_a_bottom_up_path_is_random_but_seeded():
    trees = treebank()
    names = ItemNames.of(trees)
    paths = [
        [spans_of(made, names, n) for n in range(len(made))]
        for made in (native_states(names, trees, "bottom-up", seed) for seed in (1, 1, 2))
    ]
    assert paths[0] == paths[1] != paths[2]


def test_a_state_is_worth_one_half_of_each_kind():
    trees = treebank()
    names = ItemNames.of(trees)
    for strategy in STRATEGIES:
        native = native_states(names, trees, strategy, max_children=64)
        sums = np.zeros((len(native), 2))
        for label in names.phrases:
            pointers, y, bias = native.examples(names.labels.index(label))
            np.add.at(sums, ((pointers >> 32).astype(int), (y > 0).astype(int)), bias)
        assert np.allclose(sums[:, 1], 0.5)
        assert np.all(np.isclose(sums[:, 0], 0.5) | (sums[:, 0] == 0))


@pytest.mark.parametrize("kind", GROUPS)
def test_atoms_equal_the_twins(kind):
    trees = treebank()
    names, groups = ItemNames.of(trees), GROUPS[kind]
    native = native_states(names, trees, "r2l")
    space = _native.InferenceAtoms(names.native, group_rows(groups))
    texts = AtomNames(groups, names.values)
    assert len(space) == len(texts)
    known = set(names.words), set(names.labels)
    states, number = {}, 0
    for tree in trees:
        for state_number, state in states_of(tree, "r2l", native, names, number):
            states[state_number], number = state, state_number + 1
    rng = random.Random(1)
    for label in ("NP", "VP"):
        source = _native.CandidateAtoms(native, space, names.labels.index(label))
        pointers = native.examples(names.labels.index(label))[0][::17].copy()
        offsets, atoms = source.extract(pointers)
        for row, pointer in enumerate(pointers.tolist()):
            own = atoms[offsets[row] : offsets[row + 1]].tolist()
            assert own == sorted(set(own))
            state, first, size = candidate_of(pointer)
            expected = twin.atoms(groups, known, states[state], first, size, label)
            assert {texts[atom] for atom in own} == expected
            for atom in [*rng.sample(own, 5), *(rng.randrange(len(space)) for _ in range(20))]:
                assert source.test(pointer, atom) == (atom in own)


def test_atoms_are_counted_by_group():
    trees = treebank()[:4]
    names, groups = ItemNames.of(trees), GROUPS["kitchen-sink"]
    native = native_states(names, trees, "r2l")
    space = _native.InferenceAtoms(names.native, group_rows(groups))
    seen = set()
    for label in names.phrases:
        number = names.labels.index(label)
        pointers = native.examples(number)[0]
        seen.update(_native.CandidateAtoms(native, space, number).extract(pointers)[1].tolist())
    stride = sum(map(len, names.values))
    expected = [0] * (len(groups) + 1)
    for atom in seen:
        expected[min(atom // stride, len(groups))] += 1
    assert native.seen_atoms(space) == expected


def test_names_of_atoms_differ():
    for groups in GROUPS.values():
        assert len(set(map(str, groups))) == len(groups)


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
        self.texts = AtomNames(self.groups, self.names.values)
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
