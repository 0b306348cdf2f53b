"""The native parsers equal their twin, which writes down every derivation there is."""

import numpy as np
import pytest
from helpers.strategies.treebanks import WORDS, small_treebanks, treebanks
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from twins.head_model import Estimates, Grammar, TooManyError, headed, shown

from runoff.data.tree import Tree, parse_trees
from runoff.proposers.parsing.head_parser import CollinsParser, PcfgParser, Treebank
from runoff.proposers.parsing.headed_trees import mark_base_nps

PARSERS = pytest.mark.parametrize("make", [PcfgParser, CollinsParser])
OWN_TAG_RATIO = 1e-3
MOST_DERIVATIONS = 1500
ROUNDING = 2**-9  # of each decision: tables hold floats of which the lower half is cut
FLOATS = 1e-4  # of a tree, where the twin cuts its numbers as well


def derivation(tree):
    return headed(mark_base_nps(tree))


def native_logprobs(parser, treebank):
    return parser._model.log_probabilities(len(treebank.alphabet.words), *treebank.trees).tolist()


@st.composite
def split_treebanks(draw):
    """Trees, and the places of those to learn from."""
    trees = draw(treebanks())
    chosen = draw(st.sets(st.integers(0, len(trees) - 1), min_size=1).map(sorted))
    return trees, chosen


@PARSERS
@given(split_treebanks())
@settings(max_examples=60)
def test_trees_have_the_probabilities_of_their_decisions(make, split):
    """Also trees that were not learned from, whose contexts and futures are new."""
    trees, chosen = split
    treebank = Treebank.of(trees, 1)
    parser = make().fit_some(treebank, np.array(chosen, dtype=np.int64))
    found = native_logprobs(parser, treebank)
    learned = [derivation(trees[n]) for n in chosen]
    exact, held = Estimates(learned, exact=True), Estimates(learned, exact=False)
    for tree, logprob in zip(trees, found, strict=True):
        expected, count = exact.logprob(derivation(tree), make.lexicalised)
        # each decision is a product of at most seven numbers of a table
        assert logprob == pytest.approx(expected, abs=7 * count * ROUNDING)
        expected, _ = held.logprob(derivation(tree), make.lexicalised)
        assert logprob == pytest.approx(expected, abs=FLOATS)


@PARSERS
@given(treebanks())
@settings(max_examples=20)
def test_learning_from_some_is_learning_from_those(make, trees):
    """Where the others, here the same once more, bring no other label or word."""
    treebank = Treebank.of([*trees, *trees], 1)
    some = make(min_count=1).fit_some(treebank, np.arange(len(trees), dtype=np.int64))
    assert_same_arrays(some.arrays(), make(min_count=1).fit(trees).arrays())


def assert_same_arrays(one, other):
    assert {k: (v.dtype, v.tobytes()) for k, v in one.items()} == {
        k: (v.dtype, v.tobytes()) for k, v in other.items()
    }


def own_tags(estimates, shares, word):
    """The tags that the parser thinks of, the likeliest first."""
    likely = {tag: estimates.probability("word", [(tag,)], word) * shares[tag] for tag in shares}
    best = max(likely.values())
    kept = [tag for tag in sorted(likely) if likely[tag] >= OWN_TAG_RATIO * best]
    return sorted(kept, key=lambda tag: -likely[tag])


@st.composite
def problems(draw):
    """A treebank, a sentence, and for its words tags that are given, or none."""
    trees = draw(small_treebanks())
    own = st.sampled_from([tree.words[:5] for tree in trees]).map(list)
    words = draw(st.lists(st.sampled_from([*WORDS, "zyx"]), min_size=1, max_size=4) | own)
    known = sorted({tag.label for tree in trees for tag in tree.preterminals()})
    row = st.lists(st.sampled_from(known), min_size=1, max_size=2, unique=True)
    choices = draw(st.none() | st.lists(row, min_size=len(words), max_size=len(words)))
    return trees, words, choices


def all_trees(make, trees, words, choices):
    """Every tree of a sentence with the log-probability of its best derivation."""
    learned = [derivation(tree) for tree in trees]
    estimates = Estimates(learned, exact=False)
    if choices is None:
        tags = [tag.label for tree in trees for tag in tree.preterminals()]
        shares = {tag: tags.count(tag) / len(tags) for tag in set(tags)}
        choices = [own_tags(estimates, shares, word) for word in words]
    likeliest = [row[0] for row in choices]
    try:
        every = Grammar(learned).derivations(words, choices, make.lexicalised, MOST_DERIVATIONS)
    except TooManyError:
        assume(False)
    found = {}
    for one in every:
        logprob, _ = estimates.logprob(one, make.lexicalised, likeliest)
        tree = str(shown(one))
        found[tree] = max(found.get(tree, -np.inf), logprob)
    return found


@PARSERS
@given(problems(), st.sampled_from([1, 2, 5, 10_000]))
@settings(max_examples=80)
def test_the_n_best_are_the_n_best_of_all(make, problem, n):
    check_n_best(make, *problem, n)


CHOSEN = {
    "other heads": ["(NP (NNS a) (CC and) (NNS b)) (NP (NNS b) (NNS a))", "a b and a"],
    "base noun phrases": ["(NP (NP (NN a)) (PP (IN of) (NP (NN b))))", "a of b of a"],
    "unary chains": ["(S (NP (NN a))) (NP (S (VP (VB b)))) (VP (S (NN b)))", "a"],
    "four complements": ["(VP (VB give) (NP (NN a)) (NP (NN b)) (NP (NN c)) (NP (NN d)))", ""],
    "a frame never seen": ["(VP (VB give) (NP (NN a))) (S (VP (VB b)) (NN b))", "give a b"],
    "a verb between": [
        "(S (NP (NN a)) (VP (VB b) (NP (NN c)))) (VP (VP (VB b)) (NP (NN c)))",
        "a b c b",
    ],
    "a tag alone": ["(NN a) (S (NN a) (NN b))", "a"],
    "nothing": ["(S (NN a) (NN b))", "a"],
}


@PARSERS
@pytest.mark.parametrize("own", [False, True])
@pytest.mark.parametrize("name", CHOSEN)
def test_the_n_best_of_chosen_sentences(make, name, own):
    bank, words = CHOSEN[name]
    trees = [Tree("TOP", [tree]) for tree in parse_trees(bank)]
    words = words.split() or list(trees[0].words)
    tags = {tag.words[0]: tag.label for tree in trees for tag in tree.preterminals()}
    check_n_best(make, trees, words, None if own else [[tags[word]] for word in words], 100)


def check_n_best(make, trees, words, choices, n):
    """The proposals are the best of all trees, with their log-probabilities, best first."""
    expected = all_trees(make, trees, words, choices)
    parser = make(min_count=1, beam=1e-30, fine_beam=1e-30).fit(trees)
    given_ = choices and [[(tag, 1 / len(row)) for tag in row] for row in choices]
    found = parser.propose(words, n, given_)
    if not expected:
        assert [candidate.extra for candidate in found] == [{"flat": True}]
        return
    logprobs = [candidate.logprob for candidate in found]
    best = sorted(expected.values(), reverse=True)[:n]
    assert logprobs == pytest.approx(best, abs=FLOATS)
    assert logprobs == sorted(logprobs, reverse=True)
    assert logprobs == pytest.approx([expected[c.output] for c in found], abs=FLOATS)
    assert len({candidate.output for candidate in found}) == len(found)


@PARSERS
@given(problems())
@settings(max_examples=40)
def test_a_proposal_is_never_less_likely_than_its_tree(make, problem):
    """Its best derivation may have other heads than those of the rules, but no worse ones."""
    trees, words, _ = problem
    tags = sorted({tag.label for tree in trees for tag in tree.preterminals()})
    parser = make(min_count=1, beam=1e-30, fine_beam=1e-30).fit(trees)
    for candidate in parser.propose(words, 20, [[(tags[0], 1.0)]] * len(words)):
        if not candidate.extra:
            logprob = logprob_of(parser, candidate.output)
            assert candidate.logprob >= logprob - FLOATS


def logprob_of(parser, brackets):
    alphabet = parser._alphabet
    columns = alphabet.encode([mark_base_nps(Tree.parse(brackets))])
    return parser._model.log_probabilities(len(alphabet.words), *columns).item()


@PARSERS
@given(treebanks(), st.integers(1, 8))
@settings(max_examples=40)
def test_proposals_are_trees_over_the_words_on_any_threads(make, trees, n):
    parser = make(min_count=1).fit(trees)
    sentences = [tree.words for tree in trees] + [trees[0].words * 2]
    found = parser.propose_all(sentences * 9, n, threads=1)
    assert found == parser.propose_all(sentences * 9, n, threads=2)
    assert found == [parser.propose(sentence, n) for sentence in sentences] * 9
    for words, candidates in zip(sentences, found, strict=False):
        assert 1 <= len(candidates) <= n
        read = [Tree.parse(candidate.output) for candidate in candidates]
        assert len(set(read)) == len(read)
        assert all(tree.words == words and tree.label == "TOP" for tree in read)
        logprobs = [candidate.logprob for candidate in candidates]
        assert logprobs == sorted(logprobs, reverse=True)


@PARSERS
@given(trees=treebanks())
@settings(max_examples=20)
def test_what_was_saved_proposes_the_same(make, trees):
    parser = make(min_count=1).fit(trees)
    assert_same_arrays(parser.arrays(), make(min_count=1).fit(trees).arrays())
    other = make(min_count=1).restore(parser.arrays())
    assert_same_arrays(parser.arrays(), other.arrays())
    for tree in trees:
        assert other.propose(tree.words, 5) == parser.propose(tree.words, 5)


TABLES = {
    "head": "head",
    "label": "label",
    "word": "word",
    "head2": "lexical_head",
    "frame2": "frame",
    "label2": "lexical_label",
    "tag2": "tag",
    "word2": "lexical_word",
}


@given(treebanks())
@settings(max_examples=30)
def test_tables_hold_what_was_seen_and_little_else(trees):
    """An entry for every context that is not rare and for every future in it; a fifth is free."""
    estimates = Estimates([derivation(tree) for tree in trees], exact=True)
    arrays = CollinsParser(min_count=1).fit(trees).arrays()
    entries = dict.fromkeys(TABLES, 0)
    for (name, level, _), futures in estimates.seen.items():
        if not estimates.is_rare(name, level, futures):
            entries[name] += 1 + len(futures)
    for name, table in TABLES.items():
        keys = arrays[f"{table}_keys"]
        assert np.count_nonzero(keys) == entries[name]
        assert len(keys) == entries[name] + entries[name] // 4 + 1
