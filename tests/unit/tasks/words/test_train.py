"""Word models: what they predict, and that they are read and written."""

import numpy as np
import pytest
from helpers.made.text import TEXT

from runoff.engine import Engine
from runoff.errors import FormatError, ModelError, UsageError
from runoff.store.file import load, save
from runoff.tasks.load import load as load_any
from runoff.tasks.words import train as training
from runoff.tasks.words.ask import ask_all, ask_blanks, ask_next
from runoff.tasks.words.model import Asked, WordModel
from runoff.tasks.words.train import Plan
from runoff.tasks.words.train import train as train_words


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("words")
    (folder / "text").write_text(TEXT * 3)
    (folder / "dev").write_text(TEXT)
    return folder


@pytest.fixture(scope="module")
def model(files):
    return train_words([files / "text"], files / "dev", plan=Plan(left=3, right=3))


def test_what_was_read_is_predicted(model):
    assert model.predict_each(TEXT.split()) == TEXT.split()
    assert model.training["dev"]["accuracy"] == 1.0
    assert model.training["words"] == len(TEXT.split()) * 3


def test_a_small_model_knows_only_the_words_of_its_nodes(files, tmp_path):
    plan = Plan(left=2, right=2, min_count=4)
    small = train_words(files / "text", plan=plan)
    whole = train_words(files / "text", plan=Plan(left=2, right=2))
    assert len(small.tree) < len(whole.tree)
    assert small.vocabulary[0] == ""
    assert set(small.vocabulary) < set(whole.vocabulary)
    assert small.training["vocabulary"] == len(set(small.vocabulary)) - 1
    in_shards = train_words(files / "text", plan=plan, work=tmp_path / "work")
    small.save(tmp_path / "a")
    in_shards.save(tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    words = "the list is longer ___ the old one".split()
    for found in (small, whole):
        assert found.predict(words, 1)[0].candidates[0].output == "than"


def test_lists_have_probabilities_and_gold(model):
    words = "the list is longer ___ the old one".split()
    (blank,) = model.predict(words, 3)
    assert list(model.pipe([" ".join(words), "no gap"])) == [model.predict(words), []]
    assert blank.candidates[0].output == "than"
    assert blank.gold is None
    assert blank.input == "the list is longer ___ the old one"
    logprobs = [candidate.logprob for candidate in blank.candidates]
    assert logprobs == sorted(logprobs, reverse=True)
    assert sum(np.exp(logprobs)) <= 1 + 1e-9
    every = list(model.lists([Asked(words, range(len(words)))], 1, engine=2))
    assert [nbest.gold for nbest in every] == [*words[:4], None, *words[5:]]


def test_a_saved_model_is_the_same(model, tmp_path):
    model.save(tmp_path / "a")
    again = load_any(tmp_path / "a")
    assert isinstance(again, WordModel)
    again.save(tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    words = TEXT.split()
    assert again.predict_each(words) == model.predict_each(words)
    assert again.discount == model.discount


def test_broken_files_are_refused(model, tmp_path):
    model.save(tmp_path / "m")
    kind, header, arrays = load(tmp_path / "m")
    wrong = header | {"parameters": header["parameters"] | {"left": 2}}
    save(tmp_path / "b", kind, wrong, arrays)
    with pytest.raises(ModelError, match="as many words"):
        WordModel.load(tmp_path / "b")
    save(tmp_path / "b", kind, header, {k: v for k, v in arrays.items() if k != "words"})
    with pytest.raises(ModelError, match="'words' is missing"):
        WordModel.load(tmp_path / "b")
    save(tmp_path / "b", kind, {}, arrays)
    with pytest.raises(ModelError, match="header is broken"):
        WordModel.load(tmp_path / "b")


def test_what_may_be_asked(model, tmp_path):
    (tmp_path / "t").write_text("more ____ two\nfirst __ then\n")
    words = "more ___ two first ___ then".split()
    assert list(ask_blanks(tmp_path / "t")) == [Asked(words, [1, 4])]
    lines = list(ask_next(tmp_path / "t"))
    assert [asked.places for asked in lines] == [[3], [3]]
    assert next(ask_all(tmp_path / "t", tokenized=True)).places == range(6)
    lists = list(model.lists(lines, 2))
    assert [nbest.id for nbest in lists] == [1, 2]
    (tmp_path / "none").write_text("no gap")
    with pytest.raises(FormatError, match="no blank"):
        next(ask_blanks(tmp_path / "none"))


def test_texts_do_not_run_into_each_other(tmp_path):
    (tmp_path / "a").write_text("one two")
    (tmp_path / "b").write_text("three four")
    model = train_words([tmp_path / "a", tmp_path / "b"], plan=Plan(left=1, right=0))
    assert model.predict_each(["three"]) == model.predict_each(["one"])  # both are first of a text
    assert model.predict_each("one two".split())[1] == "two"


def test_nothing_to_learn_from_is_an_error(tmp_path):
    (tmp_path / "empty").write_text("\n")
    (tmp_path / "t").write_text("a b")
    with pytest.raises(FormatError, match="no words to learn"):
        train_words([tmp_path / "empty"])
    with pytest.raises(FormatError, match="no words to choose"):
        train_words([tmp_path / "t"], tmp_path / "empty")
    with pytest.raises(UsageError, match="window"):
        Plan(left=0, right=0)


def test_shards_give_the_same_bytes_on_any_number_of_processes(files, model, tmp_path, monkeypatch):
    monkeypatch.setattr(training, "EXAMPLES", 40)
    model.save(tmp_path / "whole")
    for jobs in (1, 2):
        work = tmp_path / f"work{jobs}"
        sides = Plan(left=3, right=3)
        train_words([files / "text"], files / "dev", work=work, engine=jobs, plan=sides).save(
            tmp_path / "sharded"
        )
        assert (tmp_path / "sharded").read_bytes() == (tmp_path / "whole").read_bytes()
        assert len(list(work.glob("shard-*"))) > 3


def test_what_was_done_before_an_interrupt_is_not_done_again(files, tmp_path, monkeypatch):
    monkeypatch.setattr(training, "EXAMPLES", 40)
    options = {"plan": Plan(left=2, right=2), "work": tmp_path / "work"}

    def impatient(step):
        if step.stage == "shards" and step.done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_words([files / "text"], engine=Engine(progress=impatient), **options)
    kept = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "work").iterdir()}
    assert sum(name.startswith("shard-") for name in kept) == 2
    train_words([files / "text"], **options).save(tmp_path / "resumed")
    for name, made in kept.items():
        assert (tmp_path / "work" / name).stat().st_mtime_ns == made
    train_words([files / "text"], plan=Plan(left=2, right=2)).save(tmp_path / "whole")
    assert (tmp_path / "resumed").read_bytes() == (tmp_path / "whole").read_bytes()


def test_another_text_is_another_step(files, tmp_path):
    (tmp_path / "a").write_text("one two three")
    train_words([tmp_path / "a"], plan=Plan(left=1, right=1), work=tmp_path / "work")
    (tmp_path / "a").write_text("four five six")
    model = train_words([tmp_path / "a"], plan=Plan(left=1, right=1), work=tmp_path / "work")
    assert model.predict_each(["four", "five", "six"]) == ["four", "five", "six"]
