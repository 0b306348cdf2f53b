"""The parsers: odd sentences, tags that are given, long sentences, broken models, misuse."""

import copy
import sys

import numpy as np
import pytest
from helpers.made.sentences import TREES

from runoff import _native
from runoff.data.formats import jsonl
from runoff.data.nbest import NBest
from runoff.data.sentence import Sentence
from runoff.data.tree import Tree, parse_trees
from runoff.errors import ModelError, UsageError
from runoff.proposers.parsing.head_parser import CollinsParser, PcfgParser, Treebank
from runoff.proposers.parsing.headed_trees import mark_base_nps
from runoff.store.file import load, save

PARSERS = [PcfgParser, CollinsParser]


@pytest.fixture(scope="module", params=PARSERS, ids=lambda make: make.__name__)
def parser(request):
    return request.param(min_count=1).fit(TREES)


def test_trees_that_were_learned_are_found(parser):
    for tree in TREES:
        assert parser.propose(tree.words, 1)[0].output == str(tree)


def test_log_probabilities_are_those_of_the_trees(parser):
    alphabet = parser._alphabet
    given = [tuple(tag.label for tag in tree.preterminals()) for tree in TREES]
    inputs = [Sentence(tree.words, tags) for tree, tags in zip(TREES, given, strict=True)]
    best = [candidates[0] for candidates in parser.propose_all(inputs, 1)]
    trees = [mark_base_nps(Tree.parse(one.output)) for one in best]
    expected = parser._model.log_probabilities(len(alphabet.words), *alphabet.encode(trees))
    assert [one.logprob for one in best] == pytest.approx(expected.tolist(), abs=1e-4)


def test_no_words(parser):
    (only,) = parser.propose([], 5)
    assert (only.output, only.logprob, only.extra) == ("(TOP (FRAG))", 0.0, {"flat": True})
    assert parser.propose([], 1, []) == [only]
    assert parser.propose_all([], 3) == []


def test_a_sentence_without_a_parse_gets_a_flat_tree_that_says_so(parser):
    (only,) = parser.propose(["slowly", "slowly"], 5)
    assert only.output == "(TOP (FRAG (NN slowly) (NN slowly)))"
    assert only.extra == {"flat": True}
    (only,) = parser.propose(["b", "c"], 5, [[("RB", 0.9), ("NN", 0.1)], [("RB", 1.0)]])
    assert only.output == "(TOP (FRAG (RB b) (RB c)))"


def test_lists_with_flat_trees_can_be_written(parser):
    nbest = NBest("one", None, parser.propose(["slowly", "slowly"], 5))
    assert b"flat" in b"".join(jsonl.encode([nbest]))


def test_unknown_words_are_parsed_by_how_they_look(parser):
    best = parser.propose("The committees close the academies .".split(), 1)[0]
    assert not best.extra
    assert Tree.parse(best.output).words == tuple("The committees close the academies .".split())


def test_one_word():
    trees = parse_trees("(NN vote) (TOP (NP (NN vote) (NN council)))")
    for make in PARSERS:
        found = make(min_count=1).fit(trees).propose(["council"], 5)
        assert {one.output for one in found} == {"(TOP (NN council))", "(TOP (NP (NN council)))"}


def test_given_tags_are_kept(parser):
    words = "they close the close vote .".split()
    tags = "PRP VBP DT JJ NN .".split()
    for candidate in parser.propose(words, 10, [[(tag, 1.0)] for tag in tags]):
        found = [tag.label for tag in Tree.parse(candidate.output).preterminals()]
        assert found == tags


def test_choices_of_unknown_tags_are_left_to_the_parser(parser):
    words = TREES[0].words
    own = parser.propose(words, 3)
    assert parser.propose(words, 3, [[("XYZ", 1.0)]] * len(words)) == own
    assert parser.propose(words, 3, [[]] * len(words)) == own
    assert parser.propose(words, 3, [[("NN", 0.0)]] * len(words)) == own


def test_choices_may_be_tiny_or_twice(parser):
    words, tags = TREES[0].words, [tag.label for tag in TREES[0].preterminals()]
    once = parser.propose(words, 3, [[(tag, 1.0)] for tag in tags])
    assert parser.propose(words, 3, [[(tag, 1e-300)] for tag in tags]) == once
    assert parser.propose(words, 3, [[(tag, 0.5), (tag, 0.5)] for tag in tags]) == once


@pytest.mark.parametrize("probability", [-0.1, 1.5, np.nan, np.inf])
def test_probabilities_of_tags_are_checked(parser, probability):
    with pytest.raises(UsageError, match="between 0 and 1"):
        parser.propose(["vote"], 1, [[("NN", probability)]])


def test_choices_must_fit_the_words(parser):
    with pytest.raises(UsageError, match="2 words, but choices of tags for 1"):
        parser.propose(["the", "vote"], 1, [[("NN", 1.0)]])
    with pytest.raises(UsageError):
        parser.propose(["slowly"] * 2, 1, [[("N N", 1.0)]] * 2)


@pytest.mark.parametrize("words", [[""], ["a b"], ["\n"], "text", ["the", "a\tb"]])
def test_words_that_no_tree_can_have_are_refused(parser, words):
    with pytest.raises(UsageError):
        parser.propose(words, 1)


def test_brackets_and_control_characters_stay_words(parser):
    words = ["(", "they", ")", "\x00", "\x1b[1m", "-RRB-", "a(b", "vote", "."]
    for candidate in parser.propose(words, 3):
        assert Tree.parse(candidate.output).words == (*words[:5], ")", *words[6:])


@pytest.mark.parametrize("size", [201, 300, 1000])
def test_long_sentences_are_parsed_in_pieces(parser, size):
    trees = parse_trees("(S (NN vote) (, ,) (NN council)) (S (NN vote) (S (NN vote)) (, ,))")
    words = ("vote council council , " * size).split()[:size]
    found = type(parser)(min_count=1).fit(trees).propose(words, 3)
    assert len({one.output for one in found}) == len(found) == 3
    logprobs = [one.logprob for one in found]
    assert logprobs == sorted(logprobs, reverse=True)
    assert all(Tree.parse(one.output).words == tuple(words) for one in found)
    assert found[0].extra["pieces"] == len(Tree.parse(found[0].output).children[0].children)


def test_pieces_end_after_punctuation():
    parser = PcfgParser(min_count=1, max_words=7).fit(TREES)
    words = "they vote . the vote was close .".split()
    tags = [[("PRP", 1.0)]] + [[]] * 7
    best = parser.propose(words, 1, tags)[0]
    assert best.extra == {"pieces": 2}
    assert best.output == (
        "(TOP (FRAG (S (NP (PRP they)) (VP (VBP vote)) (. .))"
        " (S (NP (DT the) (NN vote)) (VP (VBD was) (ADJP (JJ close))) (. .))))"
    )


def test_pieces_that_are_flat_say_so():
    parser = PcfgParser(min_count=1, max_words=1).fit(TREES)
    best = parser.propose("slowly , slowly".split(), 2)[0]
    assert best.extra == {"pieces": 3, "flat": True}
    assert Tree.parse(best.output).words == ("slowly", ",", "slowly")


def test_a_tag_that_only_the_fold_has_can_be_left_out(parser):
    """Jackknifing leaves folds without the rare tags of the others."""
    treebank = Treebank.of([*TREES, Tree.parse("(TOP (S (UH oh)))")], 1)
    some = type(parser)(min_count=1).fit_some(treebank, np.arange(len(TREES), dtype=np.int64))
    assert some.propose(TREES[0].words, 1)[0].output == str(TREES[0])
    assert some.propose(["they"], 1, [[("UH", 0.9), ("PRP", 0.1)]])
    assert some.propose(["they"], 1, [[("UH", 0.9)]])
    other = type(parser)(min_count=1).restore(some.arrays())
    assert other.propose(TREES[0].words, 3) == some.propose(TREES[0].words, 3)


@pytest.mark.parametrize(
    "text",
    [
        "(TOP (S (TOP (NN a)) (NN b)))",
        "(S (NPB (NN a)) (VB b))",
        "(TOP (NN (NN a) (NN b)))",
        "(TOP)",
    ],
)
def test_trees_that_cannot_be_learned_from_are_refused(text):
    with pytest.raises(UsageError):
        PcfgParser().fit([Tree.parse(text)])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(S (NN a) (NN b))", "(TOP (S (NN a) (NN b)))"),
        ("( (S (NN a) (NN b)))", "(TOP (S (NN a) (NN b)))"),
        ("(ROOT (S (NN a) (NN b)))", "(TOP (S (NN a) (NN b)))"),
        ("(TOP (NN a) (NN b))", "(TOP (FRAG (NN a) (NN b)))"),
    ],
)
def test_trees_get_one_top(text, expected):
    parser = PcfgParser(min_count=1).fit([Tree.parse(text)])
    assert parser.propose(["a", "b"], 1)[0].output == expected


def test_a_deep_tree_can_be_learned_from(parser):
    deep = 5000
    text = "(TOP " + "(S (NN a) " * deep + "(VP (VB b))" + ")" * (deep + 1)
    fitted = type(parser)(min_count=1).fit([Tree.parse(text)])
    (candidate,) = fitted.propose("a a b".split(), 1)
    assert candidate.output.startswith("(TOP (S (NN a) (S (NN a) ")
    assert not candidate.extra


@pytest.mark.parametrize(
    "options",
    [
        {"beam": 0.0},
        {"beam": 1.0},
        {"beam": 1e-60},
        {"beam": np.nan},
        {"fine_beam": 2.0},
        {"max_words": 0},
        {"max_words": 10**6},
    ],
)
def test_options_are_checked(options):
    with pytest.raises(UsageError):
        PcfgParser(**options).fit(TREES)


def test_narrow_beams_are_widened(parser):
    narrow = type(parser)(min_count=1, beam=0.9, fine_beam=0.9).fit(TREES)
    for tree in TREES:
        best = narrow.propose(tree.words, 2)[0]
        assert not best.extra
        assert Tree.parse(best.output).words == tree.words


@pytest.mark.parametrize("edges", [1, 100, 1000, 10_000])
def test_any_budget_gives_an_answer_that_threads_do_not_change(parser, edges):
    """What is built of an ambiguous sentence fits, or is given up for a flat tree."""
    trees = parse_trees(
        "(S (S (NN a)) (S (S (NN b)) (S (NN c)))) (S (S (S (NN c)) (S (NN b))) (NN a))"
    )
    small = type(parser)(min_count=1).fit(trees)
    plenty = small.propose(["a", "b", "c"] * 5, 5)
    labels = list(small._alphabet.labels)
    small._parser = _native.HeadParser(small._model, labels, small.beam, small.fine_beam, edges)
    sentences = [(["a", "b", "c"] * 9)[:size] for size in range(1, 28)] * 2
    found = small.propose_all(sentences, 5)
    assert found == small.propose_all(sentences, 5, threads=3)
    for words, candidates in zip(sentences, found, strict=True):
        assert all(Tree.parse(one.output).words == tuple(words) for one in candidates)
    flat = [bool(candidates[0].extra) for candidates in found]
    assert all(flat) if edges == 1 else not all(flat)
    assert not plenty[0].extra


def test_a_sentence_whose_chart_is_too_large_is_parsed_in_pieces(parser):
    class Smaller:
        longest = 7

        def parse(self, *columns):
            return parser._parser.parse(*columns)

    smaller = copy.copy(parser)
    smaller._parser = Smaller()
    words = "they vote . the vote was close .".split()
    assert smaller.propose(words, 1)[0].extra == {"pieces": 2}
    assert not parser.propose(words[:3], 1)[0].extra


def test_a_model_file_proposes_the_same(parser, tmp_path):
    path = tmp_path / "parser.safetensors"
    save(path, "parser", {}, parser.arrays())
    other = type(parser)(min_count=1).restore(load(path, "parser").arrays)
    assert other.propose(TREES[2].words, 5) == parser.propose(TREES[2].words, 5)


def changed(parser, name, change):
    arrays = parser.arrays()
    array = arrays[name].copy()
    return {**arrays, name: change(array)}


def put(place, value):
    def change(array):
        array[place] = value
        return array

    return change


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("head_keys", lambda a: np.ones_like(a)),  # no free slot: searches would not end
        ("head_keys", lambda a: a[:-1]),
        ("head_keys", lambda a: a[:0]),
        ("head_values", lambda a: a[: len(a) // 2]),
        ("head_values", put(0, 0x3F81)),  # above 1
        ("head_values", put(0, 0x7FC0)),  # no number
        ("head_values", put(0, 0x8001)),  # below 0
        ("seen_heads", put(1, 10_000)),
        ("seen_heads", put(0, -1)),
        ("seen_heads", put(0, 0)),  # a tag as a parent
        ("seen_heads", lambda a: np.concatenate([a, a[-2:]])),
        ("seen_heads", lambda a: a[:-1]),
        ("seen_modifiers", put(0, 2)),
        ("seen_modifiers", put(3, 10_000)),
        ("seen_frames", put(3, 1 << 10)),
        ("seen_frames", put(3, -1)),
        ("seen_above", put(1, 0)),
        ("seen_above", put(2, 0)),
        ("seen_above", put(2, -5)),
        ("seen_tags", put(0, 10_000)),
        ("seen_tags", put(1, -1)),
        ("seen_tags", lambda a: a[:0]),
    ],
)
def test_hostile_models_are_refused(parser, name, change):
    with pytest.raises(ModelError):
        type(parser)().restore(changed(parser, name, change))


def test_models_with_tables_of_another_layout_say_so(parser):
    arrays = parser.arrays()
    older = {name: array for name, array in arrays.items() if name != "layout"}
    for other in (older, {**arrays, "layout": arrays["layout"] + 1}):
        with pytest.raises(ModelError, match="not laid out as this version") as raised:
            type(parser)().restore(other)
        assert "train it again" in raised.value.hint


def test_a_parser_is_not_restored_from_a_smaller_model():
    arrays = PcfgParser(min_count=1).fit(TREES).arrays()
    with pytest.raises(ModelError, match="lexical_head_keys"):
        CollinsParser().restore(arrays)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        *((f"{table}_values", np.zeros_like) for table in ("head", "label", "word")),
        *((f"{table}_values", lambda a: np.full_like(a, 1)) for table in ("head", "label", "word")),
        *((f"{table}_values", lambda a: np.full_like(a, 0x3F80)) for table in ("head", "label")),
        *((f"{table}_keys", np.zeros_like) for table in ("head", "label", "word")),
        ("seen_heads", lambda a: a[:0]),
        ("seen_modifiers", lambda a: a[:0]),
        ("seen_frames", lambda a: a[:0]),
        ("seen_above", lambda a: a[:0]),
        ("seen_above", put(2, 2**31 - 1)),
        ("seen_tags", put(1, 2**31 - 1)),
        ("seen_tags", lambda a: a[:2]),
    ],
)
def test_strange_models_still_answer(parser, name, change):
    """Probabilities of 0, of almost 0 and of 1; nothing seen; one thing seen very often."""
    strange = type(parser)(min_count=1).restore(changed(parser, name, change))
    for tree in TREES:
        candidates = strange.propose(tree.words, 3)
        assert candidates
        assert all(Tree.parse(one.output).words == tree.words for one in candidates)
        assert all(np.isfinite(one.logprob) for one in candidates)


def test_misuse_of_native_training_is_refused():
    treebank = Treebank.of(TREES, 1)
    meaning, trees, words = treebank.alphabet.meaning, treebank.trees, len(treebank.alphabet.words)
    chosen = np.arange(3, dtype=np.int64)

    def train(meaning=meaning, trees=trees, words=words, chosen=chosen):
        labels = _native.HeadLabels(*meaning)
        columns = _native.HeadedTrees(labels, words, *trees)
        return _native.train_head_model(labels, columns, chosen, True, 1)

    train()
    broken = {
        "labels": [{"tags": 0}, {"tags": 10_000}, {"top": -1}, {"np": 0}, {"base_np": 10_000}],
        "columns": ["ends", "heads", "words", "labels", "offsets"],
    }
    for change in broken["labels"]:
        with pytest.raises(ValueError):
            train(meaning._replace(**change))
    with pytest.raises(ValueError):
        train(meaning._replace(complements=meaning.complements[:-1]))
    with pytest.raises(ValueError):
        train(meaning._replace(complements=np.full_like(meaning.complements, 5)))
    with pytest.raises(ValueError):
        train(meaning._replace(is_verb=meaning.is_verb[:-1]))
    for name in broken["columns"]:
        column = getattr(trees, name)
        for value in (column[:-1], column[:0], np.full_like(column, 10**6), -column - 1):
            with pytest.raises(ValueError):
                train(trees=trees._replace(**{name: value}))
    with pytest.raises(ValueError):
        train(words=1)
    for value in ([-1], [len(TREES)], []):
        with pytest.raises(ValueError):
            train(chosen=np.array(value, dtype=np.int64))


def test_misuse_of_native_parsing_is_refused(parser):
    def parse(
        words=(("a", "b"),),
        offsets=(0, 2),
        ids=(0, 1),
        choices=(0, 1, 2),
        tags=(0, 1),
        p=(1.0, 0.5),
    ):
        return parser._parser.parse(
            [list(row) for row in words],
            np.array(offsets, dtype=np.int64),
            np.array(ids, dtype=np.int32),
            2,
            np.array(choices, dtype=np.int64),
            np.array(tags, dtype=np.int32),
            np.array(p, dtype=np.float64),
            1e-3,
            1,
            1,
        )

    parse()
    for broken in (
        {"words": [["a"]]},
        {"words": []},
        {"words": [["a"] * 5000], "offsets": [0, 5000], "ids": [0] * 5000, "choices": [0] * 5001},
        {"offsets": [0, 3]},
        {"offsets": []},
        {"ids": [0, 2]},
        {"ids": [0, -1]},
        {"choices": [0, 2]},
        {"choices": [0, 2, 1]},
        {"tags": [0, 1000]},
        {"tags": [0, -1]},
        {"tags": [1, 1], "choices": [0, 2, 2]},
        {"p": [1.0]},
        {"p": [1.0, 0.0]},
        {"p": [1.0, np.nan]},
        {"p": [1.0, 1e9]},
    ):
        with pytest.raises(ValueError):
            parse(**{"tags": [0, 1], **broken})


def test_names_must_fit_the_model(parser):
    with pytest.raises(ValueError, match="name"):
        _native.HeadParser(parser._model, ["S"], 1e-3, 1e-3)


def test_the_model_is_held_once_and_as_long_as_it_is_needed(parser):
    model = type(parser)(min_count=1).fit(TREES)._model
    before = sys.getrefcount(model)
    labels = list(parser._alphabet.labels)
    native = _native.HeadParser(model, labels, parser.beam, parser.fine_beam)
    assert sys.getrefcount(model) == before + 1
    parser = copy.copy(parser)
    parser._parser = native
    del model
    assert parser.propose(TREES[0].words, 1)[0].output == str(TREES[0])
