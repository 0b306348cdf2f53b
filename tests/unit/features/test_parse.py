"""Features of parse trees: odd trees, errors, fingerprints, and joining other feature sets."""

import numpy as np
import pytest

import runoff as ro
from runoff import _native
from runoff.data.nbest import Candidate, NBest
from runoff.data.tree import Tree
from runoff.errors import RunoffError, UsageError
from runoff.features.extract import find_extractors
from runoff.features.parse import parse, parse_rich
from runoff.problem.batch_features import encode_mappings, fingerprints
from runoff.problem.build.build import build_problem
from runoff.problem.build.passes import CountingPass
from runoff.problem.extractor import extract
from runoff.problem.space import FeatureSpace

GOOD = "(TOP (S (NP (NN a)) (VP (VBD b))))"
FLAT = "(TOP (S (NN a) (VBD b)))"


def of(extractor, text):
    return extractor(NBest(candidates=[Candidate(text)]))[0]


@pytest.mark.parametrize("text", ["()", "(TOP)", "(TOP (S (NP)))", "(TOP (-NONE- *))"])
def test_a_tree_without_words_has_no_features(text):
    assert of(parse, text) == of(parse_rich, text) == {}


def test_one_word():
    assert of(parse, "(NN vote)").keys() == {"rule: TOP -> NN", "trigram: TOP STOP NN! STOP"}
    assert "rule: TOP -> WORD" in of(parse, "(TOP vote)")
    assert of(parse_rich, "(NN vote)")["word: vote NN TOP"] == 1


def test_very_deep_trees():
    deep = "(S " * 10_000 + "(NN a)" + ")" * 10_000
    right = "(S (NN a) " * 10_000 + "(NN b)" + ")" * 10_000
    left = "(S " * 10_000 + "(NN b)" + " (NN a))" * 10_000
    assert of(parse_rich, deep)["length: S 1"] == 10_000
    assert of(parse_rich, right)["right-branch: on"] == 10_001
    assert of(parse_rich, left)["length: S 2"] == 1


def test_very_wide_trees_and_long_sentences():
    wide = "(S" + " (NP (NN a) (NN b))" * 5_000 + ")"
    features = of(parse_rich, wide)
    assert features["rule-tag: NN NP -> NN NN"] == 5_000
    assert not any(name.startswith("two-level-rule: S") for name in features)
    long = "(S (NP (PRP we)) (VP (VBD saw)" + " (PP (IN in) (NP (NN x)))" * 1_000 + "))"
    assert of(parse_rich, long)["head-words: R saw in"] == 1_000


def test_odd_labels_and_words_give_names_that_read_back():
    for text in ["(é (票 x))", "(S (-> ->) (| |) (a/b a/b) (X! x!))", "(S ( (NN a)) (= =) (- -))"]:
        names = list(of(parse_rich, text))
        keys, _ = fingerprints(names)
        assert len(set(keys.tolist())) == len(names)
        space = FeatureSpace(sorted(names))
        (extractor,) = find_extractors(["parse-rich"])
        encoded = extractor.encode([NBest(candidates=[Candidate(text), Candidate(GOOD)])], (1,))
        assert {space.names[n] for n in space.find(encoded.keys) if n >= 0} == set(names)


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("a vote", "text outside of brackets"),
        ("", "expected one tree, found 0"),
        ("(A b) (C d)", "expected one tree, found 2"),
        ("(S (NN a)", "leaves 1 bracket open"),
        ("(S (NN \ud800))", "not UTF-8"),
        (None, "expected one tree, found 0"),
        (["a"], "expected one tree, found 0"),
    ],
)
def test_what_is_not_a_tree_is_named(output, message):
    lists = [
        NBest("s1", None, [Candidate(GOOD, -1.0)]),
        NBest(None, None, [Candidate(GOOD, -1.0), Candidate(output, -2.0)]),
    ]
    extractors = find_extractors(["parse"])
    expected = f"'parse' failed on list 2, candidate 1: .*not a bracketed tree .*{message}"
    with pytest.raises(RunoffError, match=expected):
        build_problem(lists, extractors)
    with pytest.raises(RunoffError, match=expected):
        extract(lists[1], extractors, number=2)


def test_trees_may_be_trees():
    assert of(parse, Tree.parse(GOOD)) == of(parse, GOOD)


def test_other_feature_sets_beside_them():
    candidates = [
        Candidate(GOOD, -1.0, features={"lm": 0.5}),
        Candidate(FLAT, -2.0, features={"lm": 1.5, "x": 1}),
    ]
    lists = [NBest("s", None, candidates)]
    names = ["given", "parse", "text"]
    problem, space = build_problem(lists, find_extractors(names))
    (expected,) = [extract(lists[0], find_extractors(names))]
    rows = zip(problem.feature_offsets, problem.feature_offsets[1:], strict=False)
    for own, other, (start, end) in zip(expected, expected[::-1], rows, strict=True):
        telling = {n: v for n, v in own.items() if v and v != other.get(n)}
        kept = problem.feature_ids[start:end].tolist()
        values = problem.feature_values[start:end].tolist()
        assert {space.names[n]: v for n, v in zip(kept, values, strict=True)} == telling


def test_two_sets_with_the_same_features_are_refused():
    lists = [NBest("s", None, [Candidate(GOOD, -1.0)])]
    with pytest.raises(UsageError, match="two feature sets have the feature 'rule: TOP -> S'"):
        build_problem(lists, find_extractors(["given", "parse", "parse-rich"]))


def test_two_names_with_one_key_are_noticed():
    table = _native.FingerprintTable()
    keys = np.array([5, 7], dtype=np.uint64)
    checks = np.array([1, 2], dtype=np.uint32)
    assert table.add(keys, checks).tolist() == table.add(keys, checks).tolist() == [0, 1]
    assert table.find(np.array([7, 6], dtype=np.uint64)).tolist() == [1, -1]
    encoded = encode_mappings([[{"a": 1.0}]], ())
    provisional = CountingPass(1, 1)
    provisional.number(encoded)
    with pytest.raises(RunoffError, match="two features have the same fingerprint"):
        provisional.number(encoded._replace(checks=encoded.checks + np.uint32(1)))


def test_a_fingerprint_is_that_of_the_tokens_in_order():
    names = ["a b", "b a", "a  b", "ab", "a b ", " a b", "", " ", "a", "é b"]
    keys, checks = fingerprints(names)
    assert len(set(keys.tolist())) == len(set(checks.tolist())) == len(names)


def test_a_model_reranks_and_explains(tmp_path):
    lists = [
        NBest(n, None, [Candidate(FLAT, -1.0), Candidate(GOOD, -1.5)], gold=GOOD) for n in range(6)
    ]
    for name in ("parse", "parse-rich"):
        fitted = ro.fit(lists, metric="parseval", features=name, min_lists=5)
        fitted.save(tmp_path / "m.runoff")
        again = ro.load(tmp_path / "m.runoff")
        assert again.rerank(lists)[0].candidates[0].output == GOOD
        terms = ro.why(again, lists[0]).terms
        assert any(term.feature.startswith(("rule:", "bigram:", "trigram:")) for term in terms)


def test_jobs_do_not_matter():
    lists = [
        NBest(n, None, [Candidate(FLAT, -1.0), Candidate(GOOD, -1.5)], gold=GOOD) for n in range(70)
    ]
    one, two = (
        ro.fit(lists, metric="parseval", features="parse-rich", engine=jobs) for jobs in (1, 2)
    )
    assert one.space.names == two.space.names
    assert one.training == two.training
