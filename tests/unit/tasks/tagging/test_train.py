"""Training a tagger, its file, its report."""

import json

import numpy as np
import pytest
from helpers.made.sentences import SENTENCES, TAGGED, tagged

from runoff.data.tagged import write_tagged
from runoff.data.text.read import read_tagged_sentences, read_tokenized
from runoff.errors import FormatError, ModelError, UsageError
from runoff.store.file import load, save
from runoff.tasks.inspect import inspect_model
from runoff.tasks.tagging.model import TaggingModel
from runoff.tasks.tagging.report import report
from runoff.tasks.tagging.train import Plan, train, train_tagger

OPTIONS = {"prior": (10.0,), "min_count": 1}


@pytest.fixture(scope="module")
def model():
    return train_tagger(TAGGED, TAGGED, options=OPTIONS)


@pytest.fixture(scope="module")
def path(model, tmp_path_factory):
    path = tmp_path_factory.mktemp("tagging") / "m.tagger"
    model.save(path)
    return path


def test_a_model_comes_back_from_its_file(model, path):
    other = TaggingModel.load(path)
    assert other.tagger == model.tagger
    assert json.dumps(other.training) == json.dumps(model.training)
    assert list(other.lists(SENTENCES, 3)) == list(model.lists(SENTENCES, 3, engine=2))
    again = path.with_name("again")
    other.save(again)
    assert again.read_bytes() == path.read_bytes()


def test_threads_and_checkpoints_do_not_change_the_bytes(path, tmp_path):
    kept, other = tmp_path / "checkpoint", tmp_path / "other"
    train_tagger(TAGGED, TAGGED, options=OPTIONS, engine=2, checkpoint=kept).save(other)
    assert other.read_bytes() == path.read_bytes()
    assert not kept.exists()


def test_clusters_of_a_text_go_into_the_model(tmp_path):
    """Words that occur alike in the text are tagged alike, those never tagged among them."""
    (tmp_path / "news.txt").write_text("They vote. They poll. We vote. We poll. " * 9)
    plan = Plan(prior=(10.0,), min_count=1, text=[str(tmp_path / "news.txt")])
    made = train([tagged("they/PRP vote/VB ./."), tagged("we/PRP vote/VB ./.")], plan=plan)
    assert made.training["clusters"]["text"] == ["news.txt"]
    made.save(tmp_path / "m")
    assert TaggingModel.load(tmp_path / "m").tag(["We", "poll", "."]).tags == ("PRP", "VB", ".")
    with pytest.raises(UsageError, match="cannot come from stdin"):
        Plan(text=["-"])


def test_lists_stream(model):
    def endless():
        while True:
            yield SENTENCES[0]

    lists = model.lists(endless())
    assert [next(lists).id for _ in range(100)][-1] == 100


def test_the_report_tells_known_from_unknown():
    gold = [tagged("the/DT vote/NN ./."), tagged("they/PRP vote/VBP ./.")]
    found = [["DT", "NN", "."], ["PRP", "NN", "NN"]]
    seen = report(found, gold, {"the", "vote", "they"}.__contains__)
    assert (seen.words, seen.unknown_words) == (6, 2)
    assert (seen.accuracy, seen.known, seen.unknown) == (4 / 6, 3 / 4, 1 / 2)
    assert seen.sentences == 0.5
    assert seen.confusions == [(".", "NN", 1), ("VBP", "NN", 1)]
    assert report([], [], bool).accuracy is None


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("parameters", {}),
        ("parameters", None),
        ("parameters", {"beam": 0}),
        ("parameters", {"beam": "many"}),
        ("record", 3),
    ],
)
def test_a_broken_header_is_refused(path, tmp_path, key, value):
    _, header, arrays = load(path)
    if isinstance(value, dict) and value:
        value = {**header[key], **value}
    save(tmp_path / "broken", "tagger", {**header, key: value}, arrays)
    with pytest.raises(ModelError, match="broken"):
        TaggingModel.load(tmp_path / "broken")


def test_broken_arrays_and_other_kinds_are_refused(path, tmp_path):
    _, header, arrays = load(path)
    save(tmp_path / "broken", "tagger", header, {**arrays, "weights": np.zeros(3, np.uint8)})
    with pytest.raises(ModelError, match="broken: the array 'weights' must hold"):
        TaggingModel.load(tmp_path / "broken")
    save(tmp_path / "other", "reranker", header, arrays)
    with pytest.raises(ModelError, match="reranker"):
        TaggingModel.load(tmp_path / "other")
    (tmp_path / "text").write_text("no model")
    with pytest.raises(ModelError):
        TaggingModel.load(tmp_path / "text")


def test_nothing_to_learn_from_and_unknown_options_are_refused():
    with pytest.raises(FormatError, match="no sentences"):
        train_tagger([])
    with pytest.raises(FormatError, match="no sentences"):
        train_tagger(TAGGED, [])
    with pytest.raises(UsageError, match="unknown option of the tagger 'colour'"):
        train_tagger(TAGGED, options={"colour": "red"})


def test_columns_and_trees_are_read(tmp_path):
    columns = tmp_path / "votes.tsv"
    write_tagged(TAGGED, columns)
    assert [(s.words, s.gold) for s in read_tagged_sentences(columns)] == [
        (s.words, s.gold) for s in TAGGED
    ]
    columns.write_text("vote\tNOUN\tNN\n\n")
    assert [s.gold for s in read_tagged_sentences(columns)] == [("NN",)]
    assert [s.gold for s in read_tagged_sentences(columns, 2)] == [("NOUN",)]
    with pytest.raises(FormatError, match="tags in column 4, found 3"):
        list(read_tagged_sentences(columns, 4))
    columns.write_text("vote\n")
    with pytest.raises(FormatError, match="a word and a tag"):
        list(read_tagged_sentences(columns))
    trees = tmp_path / "votes.mrg"
    trees.write_text("( (S (NP-SBJ (-NONE- *)) (VP (VB vote) (-LRB- -LRB-))))\n(X (-NONE- *))")
    assert [(s.words, s.gold) for s in read_tagged_sentences(trees)] == [
        (("vote", "("), ("VB", "-LRB-")),
        ((), ()),
    ]


def test_lines_are_split_at_blanks_alone(tmp_path):
    path = tmp_path / "text"
    path.write_bytes("  they\tvote  \r\n\n\u00a0 a\x0bb\x1c\n".encode())
    assert [s.words for s in read_tokenized(path)] == [
        ("they", "vote"),
        (),
        ("\u00a0", "a\x0bb\x1c"),
    ]


def test_inspecting_names_the_largest_weights(path):
    seen = inspect_model(path, top=5)
    assert seen.kind == "tagger"
    assert len(seen.weights) == 5
    sizes = [abs(weight) for _, weight in seen.weights]
    assert sizes == sorted(sizes, reverse=True)
    assert all("=" in name and ": " in name for name, _ in seen.weights)
