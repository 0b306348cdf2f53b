"""The models of chunks and words that are part of the package, and what verbs say without one."""

import json

import pytest
from helpers.command import runoff

import runoff as ro
from runoff.models import DEFAULTS, SHIPPED, named_model
from runoff.store.file import load

TEXT = "The old council has counted the votes of the town."


@pytest.mark.parametrize("name", ["english-chunks", "english-words"])
def test_the_file_is_small_and_says_whose_data_it_is_made_of(name):
    assert SHIPPED[name].stat().st_size < 5_000_000
    training = load(SHIPPED[name]).header
    assert "public-domain books" in training["attribution"].lower()
    assert ("CRAFT Corpus" in training["attribution"]) == (name == "english-chunks")


def test_every_default_is_shipped():
    assert set(DEFAULTS.values()) == set(SHIPPED)
    assert all(file.exists() for file in SHIPPED.values())


def test_chunks_of_a_text_need_no_model(tmp_path):
    (tmp_path / "news.txt").write_text(TEXT)
    out, errors = runoff("chunk", "--inline", tmp_path / "news.txt")
    assert out == ("[NP The old council] [VP has counted] [NP the votes] [PP of] [NP the town] .\n")
    assert errors == ""
    assert runoff("chunk", "--inline", "english-chunks", stdin=TEXT)[0] == out
    columns, _ = runoff("chunk", stdin=TEXT)
    assert columns.splitlines()[0] == "The\tDT\tB-NP"


def test_blanks_of_a_text_need_no_model(tmp_path):
    (tmp_path / "gap.txt").write_text("He went out of the ___ and closed the door.")
    out, errors = runoff("predict", tmp_path / "gap.txt", "--json")
    assert errors == ""
    words = [one["output"] for one in json.loads(out)["candidates"]]
    assert len(words) == 5
    assert "house" in words
    assert runoff("predict", "english-words", tmp_path / "gap.txt", "--json")[0] == out


def test_the_next_word_needs_a_model_of_its_own():
    _, errors = runoff("predict", "--next", stdin="we have more", status=2)
    assert "--next needs a model that looks at no words to the right" in errors


def test_shards_of_a_text_need_no_model(tmp_path):
    (tmp_path / "news.txt").write_text(TEXT)
    for verb in ("chunk", "predict"):
        options = ["--all"] if verb == "predict" else []
        runoff(verb, tmp_path / "news.txt", *options, "--shard", "1/1", "-o", tmp_path / verb)
        assert "council" in "".join(
            file.read_text() for file in (tmp_path / verb).glob("part-*.t*") if file.is_file()
        )


def test_names_say_how_to_train_a_model(tmp_path):
    (tmp_path / "news.txt").write_text(TEXT)
    for given in ({"stdin": TEXT}, {"stdin": ""}):
        _, errors = runoff("names", **given, status=2)
        assert "runoff train names train.tsv -o names.runoff" in errors
    _, errors = runoff("names", tmp_path / "news.txt", status=2)
    assert errors.startswith("error: no model of names comes with Runoff: train one")


def test_a_model_that_is_named_comes_first(tmp_path):
    text = tmp_path / "text.txt"
    text.write_text("We vote.")
    assert named_model([str(text)]) == (None, [str(text)])
    assert named_model([]) == (None, [])
    assert named_model(["english-chunks", "a"]) == (SHIPPED["english-chunks"], ["a"])
    assert named_model(["nosuch.runoff", "a"]) == ("nosuch.runoff", ["a"])


def test_models_are_loaded_by_their_names():
    (sentence,) = ro.load("english-chunks").chunk(TEXT)
    assert str(sentence).startswith("[NP The old council] [VP has counted]")
    (blank,) = ro.load("english-words").predict("out of the ___ and")
    assert len(blank.candidates) == 5
