"""Names by an HMM or a CRF, over words or characters."""

import json

import pytest
from helpers.command import runoff
from helpers.made.chinese import sentences
from msgspec.structs import replace

import runoff as ro
from runoff.data.tagged import write_tagged
from runoff.errors import ModelError, UsageError
from runoff.store.file import load, save
from runoff.tasks.names.train import Plan
from runoff.tasks.names.train import train as train_names


@pytest.mark.parametrize("tagger", ["hmm", "crf", "maxent"])
def test_every_tagger_proposes_and_is_kept(tagger, tmp_path):
    plan = Plan(tagger=tagger, units="characters", folds=2, n=5)
    model = train_names(sentences(), sentences(), plan=plan, work=tmp_path / "work")
    model.save(tmp_path / "m.runoff")
    again = ro.load(tmp_path / "m.runoff")
    (found,) = again.names("李小明住在上海。")
    names = [(name.type, name.place) for name in found]
    assert names[-1] == ("LOC", (5, 7))
    assert tagger == "maxent" or names[:-1] == [("PER", (0, 3))]
    words = [["李", "小明", "来到", "天津"]]
    assert list(again.lists(words, 3)) == list(model.lists(words, 3))
    assert next(again.lists(words)).input == list("李小明来到天津")
    assert model.training["base"] == tagger


def test_gold_of_column_files_goes_along_with_characters(tmp_path):
    plan = Plan(tagger="hmm", units="characters", rerank=False)
    train_names(sentences(), plan=plan).save(tmp_path / "m.runoff")
    one = replace(sentences()[0], tags=("n", "n", "v", "p", "n", "w"))
    write_tagged([one], tmp_path / "one.tsv")
    out, _ = runoff("names", tmp_path / "m.runoff", tmp_path / "one.tsv", "--tagged", "--json")
    nbest = json.loads(out)
    assert nbest["gold"] == ["B-PER", "I-PER", "I-PER", "O", "O", "B-LOC", "I-LOC", "O"]
    assert nbest["document"] == "d0"


def test_folds_are_runs_of_whole_documents(tmp_path):
    plan = Plan(tagger="hmm", folds=2, n=5)
    made = sentences()
    train_names(made, plan=plan, work=tmp_path)
    (file,) = tmp_path.glob("train-lists-*")
    lists = list(ro.read_nbest(file))
    unseen = train_names(made[2:], plan=Plan(tagger="hmm", rerank=False))
    found = [nbest.candidates for nbest in unseen.lists(made[:2], 5)]
    assert [nbest.candidates for nbest in lists[:2]] == found


def test_what_makes_no_sense_is_refused(tmp_path):
    with pytest.raises(UsageError, match="unknown tagger 'hnm'"):
        Plan(tagger="hnm")
    with pytest.raises(UsageError, match="unknown unit"):
        Plan(units="syllables")
    with pytest.raises(UsageError, match="order must be at most"):
        Plan(tagger="hmm", tagger_options={"order": 9})
    train_names(sentences(), plan=Plan(tagger="hmm", rerank=False)).save(tmp_path / "m.runoff")
    kind, header, arrays = load(tmp_path / "m.runoff")
    header["tagger"]["name"] = "hnm"
    save(tmp_path / "m.runoff", kind, header, arrays)
    with pytest.raises(ModelError, match="called 'hnm'"):
        ro.load(tmp_path / "m.runoff")
