"""Experts for confusables, and the proof reader."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.made.text import SENTENCES, TEXT
from hypothesis import given
from hypothesis import strategies as st

from runoff.data.confusables import check_sets, forms_of, read_sets
from runoff.data.numbering import OUTSIDE, Numbering
from runoff.data.text.words import find_words
from runoff.errors import FormatError, ModelError, UsageError
from runoff.learners.igtree.tree import Windows
from runoff.store.file import load, save
from runoff.tasks.load import load as load_any
from runoff.tasks.proofing.context import REACH, WordShapes, context_features, context_table
from runoff.tasks.proofing.ignore import Ignored
from runoff.tasks.proofing.model import ConfusablesModel
from runoff.tasks.proofing.proof import fix_file, fixed, make_suspects, read_text
from runoff.tasks.proofing.thresholds import choose_thresholds, judge, margins
from runoff.tasks.proofing.train import (
    Plan,
    read_corpus,
    train,
)

SETS = [("than", "then"), ("their", "there")]
PLAN = Plan(false_alarms=0.2, sets=SETS, attribution="ours")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    file = tmp_path_factory.mktemp("confusables") / "text"
    file.write_text(TEXT * 8 + "".join(s[0].upper() + s[1:] + "\n" for s in SENTENCES))
    return read_corpus([file])


@pytest.fixture(scope="module")
def model(corpus):
    return train(corpus, plan=PLAN)


@given(st.lists(st.sampled_from(["a", "B", "bee", "10", "then", "x's", "."]), max_size=20))
def test_features_by_name_are_those_of_the_table(words):
    growing = Numbering([OUTSIDE])
    windows = Windows.of_text([growing.numbers(words)], REACH, REACH)
    shapes = WordShapes(growing)
    table = context_table(windows.cells, windows.places, shapes, min_count=1)
    names = table.names(np.arange(len(table.keys)), shapes)
    assert len(set(names)) == len(names)
    for place, row in enumerate(table.ids):
        own = row[row >= 0]
        assert (np.diff(own) > 0).all()
        assert sorted(names[i] for i in own) == sorted(context_features(words, place))


def test_rare_features_are_left_out():
    growing = Numbering([OUTSIDE])
    windows = Windows.of_text([growing.numbers("a x b a x c".split())], REACH, REACH)
    shapes = WordShapes(growing)
    places = windows.places[[1, 4]]
    table = context_table(windows.cells, places, shapes, min_count=2)
    names = table.names(np.arange(len(table.keys)), shapes)
    assert "w-1=a" in names
    assert "w+1=b" not in names


def test_thresholds_let_a_share_through():
    logs = np.log(np.array([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8], [0.3, 0.7], [0.1, 0.9]]))
    classes = np.array([0, 0, 0, 0, 1])
    assert margins(logs, classes)[2] == pytest.approx(np.log(4))
    first, second = choose_thresholds(logs, classes, 0.25)
    assert first == pytest.approx(np.log(0.7 / 0.3))  # one of four is above it
    assert second == pytest.approx(np.log(4))  # one occurrence cannot show a quarter
    seen = judge(logs, classes, (first, second))
    assert seen["false alarms"] == pytest.approx(1 / 5)
    assert seen["accuracy"] == pytest.approx(3 / 5)


def test_experts_learn_and_say_how_well(model):
    assert model.experts[0].words in (("than", "then"), ("then", "than"))
    for figures in model.training["dev"]:
        assert figures["accuracy"] > 0.9
        assert figures["false alarms"] <= 0.2
    assert model.training["attribution"] == "ours"


def test_mistakes_are_found_with_their_places(model):
    text = "It was fine.\nThe list is longer then the old one.\nTheir is a list on the wall .\n"
    first, second = model.proof(text)
    assert (first.line, first.column, first.word, first.suggestion) == (2, 20, "then", "than")
    assert (second.line, second.column, second.word, second.suggestion) == (3, 1, "Their", "There")
    assert 0.5 < first.confidence <= 1.0
    assert "longer then the old" in first.context
    assert "\n" not in first.context
    right = "longer than the old one.\nThere is a list"
    assert right in fixed(text, [first, second])
    assert model.proof(fixed(text, [first, second])) == []


def test_words_of_sets_have_lists(model):
    text = "The list is longer then the old one."
    (nbest,) = model.lists([text])
    assert [candidate.output for candidate in nbest.candidates] == ["than", "then"]
    assert (nbest.id, nbest.input, nbest.extra) == (1, text, {"word": "then"})
    assert sum(np.exp(candidate.logprob) for candidate in nbest.candidates) == pytest.approx(1)
    assert [one.id for one in model.lists([text, text], 1)] == [1, 2]


def test_many_texts_are_read_one_after_the_other(model):
    text = "The list is longer then the old one."
    assert list(model.pipe(["", text])) == [[], model.proof(text)]
    assert str(model.proof(text)[0]).startswith("1:20: then -> than (")


def test_right_text_is_left_alone(model):
    assert model.proof(TEXT) == []
    assert model.proof("") == []


@pytest.mark.parametrize("mention", ['"then"', "“then”", "*then*", "then/than", "than/then"])
def test_words_that_are_only_mentioned_are_left_alone(model, mention):
    assert model.proof(f"The list is longer {mention} the old one.") == []


def test_only_prose_is_read(model):
    wrong = "The list is longer then the old one."
    assert len(model.proof(f"x = 1  # {wrong}\n", "a.py")) == 1
    assert model.proof(f'x = "{wrong}"\n', "a.py") == []
    assert model.proof(f"```\n{wrong}\n```\n", "a.md") == []


def test_a_file_is_fixed(model, tmp_path):
    text = "The list’s longer\r\nthen the old one.\r\n"
    (tmp_path / "t").write_bytes(text.encode())
    suspects = model.proof(read_text(tmp_path / "t"))
    fix_file(tmp_path / "t", text, suspects)
    assert (tmp_path / "t").read_bytes() == text.replace("then", "than").encode()
    with pytest.raises(UsageError, match="stdin"):
        fix_file("-", text, suspects)


def test_a_fixed_file_keeps_its_byte_order_mark(model, tmp_path):
    (tmp_path / "t").write_bytes(b"\xef\xbb\xbfThe list is longer then the old one.")
    text = read_text(tmp_path / "t")
    fix_file(tmp_path / "t", text, model.proof(text))
    assert (tmp_path / "t").read_bytes() == b"\xef\xbb\xbfThe list is longer than the old one."


def test_the_word_is_found_again_in_its_context(model):
    text = "First we count, then\n we wait. The list is longer\n   then the old one."
    (one,) = model.proof(text)
    assert one.line == 3
    assert one.context.count("then") == 2
    assert one.context[one.offset :] == "then the old one."


def test_a_saved_model_is_the_same(model, corpus, tmp_path):
    model.save(tmp_path / "a")
    again = load_any(tmp_path / "a")
    assert isinstance(again, ConfusablesModel)
    again.save(tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    folder = tmp_path / "work"
    for _ in range(2):  # the second time nothing is learned
        kept = train(corpus, plan=PLAN, work=folder)
        kept.save(tmp_path / "c")
        assert (tmp_path / "c").read_bytes() == (tmp_path / "a").read_bytes()
        assert len(list(folder.iterdir())) == 2


def test_broken_files_are_refused(model, tmp_path):
    model.save(tmp_path / "m")
    kind, header, arrays = load(tmp_path / "m")
    wrong = header | {"experts": [dict(one, words=["a", "b", "c"]) for one in header["experts"]]}
    save(tmp_path / "b", kind, wrong, arrays)
    with pytest.raises(ModelError, match="'weights' must be uint16"):
        ConfusablesModel.load(tmp_path / "b")
    wrong = header | {"experts": [dict(one, thresholds=[1.0]) for one in header["experts"]]}
    save(tmp_path / "b", kind, wrong, arrays)
    with pytest.raises(ModelError, match="threshold"):
        ConfusablesModel.load(tmp_path / "b")
    save(tmp_path / "b", kind, header, {k: v for k, v in arrays.items() if k != "0.names"})
    with pytest.raises(ModelError, match="'names' is missing"):
        ConfusablesModel.load(tmp_path / "b")


def test_sets_are_checked(corpus, tmp_path):
    assert check_sets([["a", "b"]]) == [("a", "b")]
    with pytest.raises(UsageError, match="'a' comes twice"):
        check_sets([("a", "b"), ("A", "c")])
    with pytest.raises(UsageError, match="no sets"):
        check_sets([])
    (tmp_path / "sets").write_text("# ours\nthan, then\n\nalone\n")
    with pytest.raises(FormatError, match=":4: a set has two words"):
        read_sets(tmp_path / "sets")
    with pytest.raises(FormatError, match="often enough"):
        train(corpus, plan=replace(PLAN, sets=[("their", "they're")]))
    for wrong in ({"false_alarms": 0.0}, {"most": 0}, {"prior": -1.0}):
        with pytest.raises(UsageError):
            Plan(**wrong)
    assert forms_of("I") == ("I",)


def test_suspects_know_their_lines_and_columns():
    text = "\nA then\n\n  then, then\nthen"
    words = [word for word in find_words(text) if word.text == "then"]
    found = make_suspects(text, [(word, "than", 0.9) for word in words])
    assert [(one.line, one.column) for one in found] == [(2, 3), (4, 3), (4, 9), (5, 1)]


def test_the_lines_before_a_suspect_are_counted_once():
    looked = []

    class Text(str):
        def count(self, sought, start, end):
            looked.append(end - start)
            return super().count(sought, start, end)

    text = Text("then\n" * 1000)
    words = list(find_words(str(text)))
    assert [one.line for one in make_suspects(text, ((w, "than", 0.9) for w in words))][-1] == 1000
    assert sum(looked) < len(text)


def test_a_threshold_of_the_user(model):
    text = "The list is longer then the old one."
    (one,) = model.proof(text)
    assert model.proof(text, threshold=one.confidence - 1e-6) == [one]
    assert model.proof(text, threshold=min(one.confidence + 1e-6, 0.999999)) == []
    with pytest.raises(UsageError, match="threshold"):
        model.proof(text, threshold=1.0)


def test_ignored_words_and_places(model, tmp_path):
    line = "The list is longer then the old one."
    text = f"{line}\n{line} # runoff: ignore\n{line}\n"
    assert [one.line for one in model.proof(text)] == [1, 3]
    (tmp_path / "ignore").write_text("letter.txt:3  # meant\n")
    ignored = Ignored.read(tmp_path / "ignore")
    assert [one.line for one in model.proof(text, "old/letter.txt", ignore=ignored)] == [1]
    assert model.proof(text, ignore=Ignored(frozenset({"then"}))) == []
    (tmp_path / "ignore").write_text("two words\n")
    with pytest.raises(FormatError, match="ignore:1"):
        Ignored.read(tmp_path / "ignore")


def test_other_paragraphs_are_no_context(model):
    def judged(text):
        return [[c.logprob for c in nbest.candidates] for nbest in model.lists([text])]

    alone = judged("then the old one")
    assert judged("The list is longer\n \nthen the old one\n\non the wall .") == alone
    assert judged("The list is longer\nthen the old one") != alone
