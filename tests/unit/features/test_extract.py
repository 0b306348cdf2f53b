import math

import pytest
from twins.problem import decoded

from runoff.data.nbest import Candidate, NBest
from runoff.errors import RunoffError, UsageError
from runoff.features.extract import find_extractors, whole_document, whole_list
from runoff.features.text import text
from runoff.problem.build.build import build_problem
from runoff.problem.extractor import Extractor, extract, extract_all

LIST = NBest(
    "u1", "x y", [Candidate("x z", -1.0, quality=0.5), Candidate("y", -2.0)], gold="secret"
)


def test_names_count_and_mappings_add():
    def names(input, candidate):
        return ["a", "a", "b"]

    def numbers(input, candidate):
        return {"a": 0.5, "c": -1}

    found = extract(LIST, [Extractor("names", names), Extractor("numbers", numbers)])
    assert found == [{"a": 2.5, "b": 1.0, "c": -1.0}] * 2


def test_extractors_never_see_gold_or_quality():
    @whole_list
    def spy(nbest):
        assert nbest.gold is None
        assert all(c.quality is None and c.score is None for c in nbest.candidates)
        return [[] for _ in nbest.candidates]

    assert extract(LIST, find_extractors([spy])) == [{}, {}]


@pytest.mark.parametrize(
    ("result", "message"),
    [
        ({"a": math.nan}, "failed on list 'u1', candidate 0: feature 'a' is nan"),
        ({"a": "many"}, "candidate 0: TypeError: must be real number, not str"),
        ("text", "TypeError: an extractor must return names or a mapping, not a string"),
    ],
)
def test_wrong_results_are_errors_that_name_the_place(result, message):
    with pytest.raises(RunoffError, match=message):
        extract(LIST, [Extractor("mine", lambda input, candidate: result)])


def test_an_exception_keeps_its_message():
    def broken(input, candidate):
        raise KeyError("colour")

    with pytest.raises(
        RunoffError, match="'broken' failed on list 7, candidate 0: KeyError: 'colour'"
    ):
        extract(NBest(candidates=[Candidate("a")]), [Extractor("broken", broken)], number=7)


def test_a_whole_list_extractor_gives_one_result_each():
    short = whole_list(lambda nbest: [{}])
    with pytest.raises(RunoffError, match="1 results for 2 candidates"):
        extract(LIST, find_extractors([short]))


def of_document(name, *outputs):
    extra = {} if name is None else {"document": name}
    return NBest(None, None, [Candidate(output) for output in outputs], "secret", extra=extra)


DOCUMENTS = [
    of_document("a", "x", "y"),
    of_document("a", "x"),
    of_document("b", "x"),
    of_document(None, "x"),
    of_document(None, "x"),
]


@whole_document
def elsewhere(lists):
    assert all(nbest.gold is None for nbest in lists)
    first = [nbest.candidates[0].output for nbest in lists]
    return [[{"first": first.count(c.output)} for c in nbest.candidates] for nbest in lists]


def test_a_document_extractor_sees_all_lists_of_a_document():
    found = list(extract_all(DOCUMENTS, [*find_extractors([elsewhere]), Extractor("one", one)]))
    counts = [[features["first"] for features in row] for row in found]
    assert counts == [[2, 0], [2], [1], [1], [1]]
    assert all(features["one"] == 1 for row in found for features in row)
    assert extract(DOCUMENTS[0], find_extractors([elsewhere])) == [{"first": 1}, {"first": 0}]


def one(input, candidate):
    return ["one"]


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda lists: [[{}, {}]], "failed on list 4: 1 results for the 2 lists of the document"),
        (lambda lists: [[{}], [{}]], "failed on list 4: 1 results for 2 candidates"),
        (lambda lists: [[{}, {}], [{}, {}]], "failed on list 5: 2 results for 1 candidates"),
        (lambda lists: [[{}, "text"], [{}]], "failed on list 4, candidate 1: TypeError"),
        (lambda lists: 1 / 0, "failed on list 4: ZeroDivisionError"),
    ],
)
def test_wrong_results_for_documents_name_the_list(function, message):
    with pytest.raises(RunoffError, match=message):
        list(extract_all(DOCUMENTS[:2], [Extractor("mine", function, documents=True)], 4))


def test_own_functions_are_found_by_module_and_name():
    (found,) = find_extractors(["math:sqrt"])
    assert found == Extractor("math:sqrt", math.sqrt)
    with pytest.raises(
        UsageError, match="unknown feature set 'texts'; choose from: changes, chunk-tree, given"
    ):
        find_extractors(["texts"])
    with pytest.raises(UsageError, match="cannot import the extractor 'nowhere:f'"):
        find_extractors(["nowhere:f"])
    with pytest.raises(UsageError, match="'math:pi' is not a function"):
        find_extractors(["math:pi"])


def test_text_features_worked_by_hand():
    first, second = text(NBest("u", "a b", [Candidate("a c", -4.0), Candidate("a b b", -3.0)]))
    assert first == {
        "number of words": 2,
        "number of characters": 3,
        "words per word of input": 1.0,
        "share of words in the input": 0.5,
        "share of the input covered": 0.5,
        "word: c": 1,
        "agreement of words": 0.5,  # a is in the other candidate, c is not
        "bigram: a c": 1,
        "bigram: c </s>": 1,
        "agreement of bigrams": pytest.approx(1 / 3),  # <s> a
        "base rank": 1,  # not the first: a feature of the value 0 is the same as none
        "logprob per word": pytest.approx(-4 / 3),
    }
    assert second["word: b"] == 2
    assert second["share of words in the input"] == 1.0
    assert "base rank" not in second
    assert second["first in base order"] == 1.0
    assert "word: a" not in second  # both have it once


def test_text_features_of_odd_outputs():
    outputs = [None, "", ["B-NP", "O"], 7, "选举"]
    found = text(NBest(candidates=[Candidate(output, features={}) for output in outputs]))
    assert [own.get("number of words", 0) for own in found] == [0, 0, 2, 0, 2]


def test_a_list_may_name_its_own_features_as_ours():
    """Where two sets agree on a name they add, though one of them is native."""
    own = [Candidate("a vote", features={"word: a": 2, "speed": 0.5}), Candidate("vote")]
    problem, space = build_problem(
        [NBest(candidates=own)], find_extractors(["given", "text"]), min_lists=1
    )
    first, _ = decoded(problem, space)
    assert (first["word: a"], first["speed"], first["bigram: a vote"]) == (3.0, 0.5, 1.0)


def test_an_infinite_log_probability_is_an_error_of_its_candidate():
    broken = NBest("u7", None, [Candidate("a", -1.0), Candidate("b", -math.inf)])
    message = "'text' failed on list 'u7', candidate 1: feature 'logprob per word' is -inf"
    with pytest.raises(RunoffError, match=message):
        build_problem([broken], find_extractors(["text"]))
