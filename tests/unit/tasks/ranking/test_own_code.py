"""Learners, metrics, features and formats of the user's, and what a fit says while it works."""

import logging
import sys
from importlib.metadata import EntryPoint

import pytest
from helpers.command import runoff

import runoff as ro
from runoff import user_code
from runoff.engine import Step, told
from runoff.errors import ModelError, UsageError

LISTS = [
    ro.NBest(i, None, [ro.Candidate("ice cream", -1.0), ro.Candidate("I scream", -1.5)], "I scream")
    for i in range(4)
]
OWN = """
from dataclasses import dataclass

from runoff.learners.perceptron.averaged import Perceptron


@dataclass
class Eager(Perceptron):
    epochs: int = 2


def exactly(**parameters):
    from runoff.metrics import metric

    return metric("exact")


def capital(input, candidate):
    return ["capital"] if candidate.output[:1].isupper() else []
"""


@pytest.fixture
def own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "owncode.py").write_text(OWN)
    yield
    sys.modules.pop("owncode", None)


def test_a_class_of_ones_own_learns_and_is_loaded_only_when_trusted(own):
    reranker = ro.fit(LISTS, metric="wer", learner="owncode:Eager", options={"epochs": "3"})
    assert reranker.ranker.epochs == 3
    reranker.save("m.runoff")
    with pytest.raises(ModelError, match="'owncode:Eager', which a model file may not import"):
        ro.load("m.runoff")
    loaded = ro.load("m.runoff", features=["owncode:Eager"])
    assert loaded.best([("ice cream", -1.0), ("I scream", -1.5)])[0] == "I scream"
    with pytest.raises(UsageError, match="is not a dataclass"):
        ro.fit(LISTS, metric="wer", learner="owncode:capital")


def test_names_of_installed_packages_are_known(own, monkeypatch):
    offered = {
        "learners": EntryPoint("eager", "owncode:Eager", "runoff.learners"),
        "metrics": EntryPoint("exactly", "owncode:exactly", "runoff.metrics"),
        "features": EntryPoint("capital", "owncode:capital", "runoff.features"),
        "formats": EntryPoint("dash", "runoff.data.formats:FORMATS", "runoff.formats"),
    }
    user_code.plugins.cache_clear()
    monkeypatch.setattr(user_code, "entry_points", lambda group: [offered[group.split(".")[1]]])
    try:
        how = {"learner": "eager", "metric": "exactly", "features": ["capital"]}
        ro.fit(LISTS, **how).save("m.runoff")
        loaded = ro.load("m.runoff")
        assert loaded.extractors[0].name == "capital"
        assert loaded.best([("ice cream", -1.0), ("I scream", -1.5)])[0] == "I scream"
        with pytest.raises(UsageError, match="choose from: .*dash"):
            list(ro.read_nbest("a", "dasch"))
    finally:
        user_code.plugins.cache_clear()


def test_a_fit_tells_the_log_and_stderr(capsys, caplog):
    with caplog.at_level(logging.INFO, logger="runoff"):
        ro.fit(LISTS, metric="wer", learner="perceptron")
    assert any("perceptron: 10 of 10" in line for line in caplog.messages)
    assert capsys.readouterr().err == ""
    ro.fit(LISTS, metric="wer", learner="perceptron", progress=True)
    assert "perceptron: 10 of 10" in capsys.readouterr().err


def test_only_stages_that_take_long_are_told_of_where_that_is_asked(monkeypatch):
    now, said = [0.0], []
    monkeypatch.setattr(told.time, "monotonic", lambda: now[0])
    teller = told.Told(said.append, least=5.0)
    for stage, seconds in (("quick", 1.0), ("long", 6.0), ("longer", 40.0)):
        for done in (1, 2):
            teller(Step(stage, done, None, {}))
            now[0] += seconds / 2
    teller.end()
    assert said == ["long: 2", "longer: 2"]


def test_the_log_gets_a_line_per_stage(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ro.write_nbest(LISTS, "a.jsonl")
    how = ("--metric", "wer", "--learner", "perceptron", "--no-cache", "--log", "log.txt")
    assert runoff("fit", "a.jsonl", "-o", "m", *how)[1] == ""
    assert " INFO perceptron: 10 of 10, epoch 10, wrong 0\n" in (tmp_path / "log.txt").read_text()
