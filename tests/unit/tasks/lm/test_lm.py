import json

import pytest
from typer.testing import CliRunner

import runoff as ro
from runoff.cli.app import app
from runoff.data.nbest import Candidate, NBest
from runoff.errors import FormatError, ModelError, UsageError
from runoff.store import file as store
from runoff.tasks.lm.model import LanguageModel

TEXT = "we count the votes .\nwe count the ballots .\n\nthey count votes .\n"


@pytest.fixture
def text(tmp_path):
    (tmp_path / "text").write_text(TEXT)
    return tmp_path / "text"


@pytest.fixture
def model(text):
    return ro.train("lm", text, order=3, tokenized=True)


def test_candidates_get_a_column(model):
    lists = [
        NBest(1, None, [Candidate("we count votes .", -1.0, features={"length": 4.0})], "x"),
        NBest(2, None, [Candidate(["votes", "count"]), Candidate("")]),
    ]
    found = list(model.scored(lists, "news", engine=2))
    assert [one.gold for one in found] == ["x", None]
    first = found[0].candidates[0]
    assert first.features == {"length": 4.0, "news": model.score("we count votes .")}
    assert [c.features["news"] for c in found[1].candidates] == list(
        model.pipe(["votes count", ""])
    )


def test_an_output_that_is_no_text_is_rejected(model):
    with pytest.raises(FormatError, match="list 7: the output of candidate 1 is no text"):
        list(model.scored([NBest(7, None, [Candidate({"a": 1})])]))


def test_the_next_word(model):
    (nbest,) = model.lists(["we count"], 2)
    assert (nbest.input, nbest.candidates[0].output) == ("we count", "the")
    assert nbest.candidates[0].logprob > nbest.candidates[1].logprob
    (everything,) = model.lists(["we"], 1000)
    assert {"<unk>", "<s>"}.isdisjoint(c.output for c in everything.candidates)


def test_raw_text_is_read_as_it_was_in_training(tmp_path):
    (tmp_path / "raw").write_text("We don't vote. They do.")
    model = ro.train("lm", tmp_path / "raw", order=2)
    assert model.words("We don't.") == ["We", "do", "n't", "."]
    assert model.score("We don't.") == model.score(["We", "do", "n't", "."])


def test_special_words_in_a_text_are_rejected(tmp_path):
    (tmp_path / "text").write_text("a vote\na <s> b\n")
    with pytest.raises(FormatError, match="text:2: the text has the word <s>"):
        ro.train("lm", tmp_path / "text", tokenized=True)
    (tmp_path / "text").write_text("\n\n")
    with pytest.raises(FormatError, match="there are no sentences to learn from"):
        ro.train("lm", tmp_path / "text")


def test_an_arpa_file_is_a_model(text, tmp_path):
    model = ro.train("lm", text, order=3, tokenized=True, arpa=str(tmp_path / "a.arpa"))
    read = ro.train("lm", tmp_path / "a.arpa", text)
    assert read.score("they count") == model.score("they count")
    assert read.training["dev"]["unknown words"] == 0
    assert LanguageModel.read(tmp_path / "a.arpa").score("we") == model.score("we")
    with pytest.raises(UsageError, match="must be the only file"):
        ro.train("lm", [text, tmp_path / "a.arpa"])


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("1.children", lambda a: a[:-1]),
        ("1.children", lambda a: a + 1000),
        ("1.children", lambda a: a[::-1].copy()),
        ("2.words", lambda a: a[:-1]),
        ("2.words", lambda a: a + 1000),
        ("1.probabilities", lambda a: a * float("nan")),
        ("1.probabilities", lambda a: a[:2]),
        ("2.probabilities", lambda a: a * float("nan")),
        ("2.backoffs", lambda a: a + float("inf")),
        ("2.backoffs", lambda a: a[:0]),
    ],
)
def test_a_broken_file_is_rejected_on_the_way(model, tmp_path, name, change):
    model.save(tmp_path / "model")
    kind, header, arrays = store.load(tmp_path / "model")
    store.save(tmp_path / "broken", kind, header, {**arrays, name: change(arrays[name])})
    with pytest.raises(ModelError) as caught:
        broken = LanguageModel.load(tmp_path / "broken")
        broken.score("we count the votes , new")
        broken.write_arpa(tmp_path / "a.arpa")
    assert "\n" not in caught.value.message


def command(*arguments, status=0):
    """What a command prints, or the sentence of its error."""
    result = CliRunner().invoke(app, [str(one) for one in arguments])
    assert result.exit_code == status, result.output
    return result.stderr if status else result.stdout


def test_commands(text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lists.jsonl").write_text('{"candidates": [{"output": "we count"}]}\n')
    given = ["train", "lm", "text", "-o", "m", "--order", "2", "--tokenized", "--dev", "text"]
    assert "perplexity" in command(*given, "--arpa", "m.arpa")
    assert "n-grams" in command("inspect", "m")
    found = [
        json.loads(command("score", "--lm", lm, "lists.jsonl", *more))
        for lm, more in (("m", []), ("m.arpa", ["--name", "lm", "--no-map"]))
    ]
    assert found[0] == found[1]
    assert found[0]["candidates"][0]["features"]["lm"] < 0
    assert "conll cannot hold features" in command(
        *("score", "--lm", "m", "lists.jsonl", "--to", "conll"), status=2
    )
    assert "not a model file" in command(*("score", "--lm", "text", "lists.jsonl"), status=2)
    assert "--lm" in command("score", "lists.jsonl", status=2)
    assert "would be read and overwritten" in command(*given, "--arpa", "text", status=2)
