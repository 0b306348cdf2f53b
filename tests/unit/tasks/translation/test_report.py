"""What `runoff inspect` says of a translator."""

import pytest

import runoff as ro
from runoff.errors import ModelError
from runoff.store.file import load, save
from runoff.tasks.inspect import inspect_model

PAIRS = [("a vote", "eine Stimme"), ("a list", "eine Liste"), ("the vote", "die Stimme")]


@pytest.fixture
def path(tmp_path):
    ro.train("translation", PAIRS, order=2).save(tmp_path / "m")
    return tmp_path / "m"


def test_weights_and_the_blocks_of_a_word(path):
    found = inspect_model(path, having="Vote")
    (blocks,) = [one for one in found.tables if one.title == "blocks of Vote"]
    assert blocks.rows[0]["block"] == "stimme"
    assert blocks.rows[0]["seen"] == 2
    assert 0 < blocks.rows[0]["block given source"] <= 1
    weights = dict(inspect_model(path).weights)
    assert weights["language model"] == pytest.approx(0.15)
    assert len(weights) == 14


def test_a_word_without_blocks_has_no_table(path):
    assert len(inspect_model(path, having="zeppelin").tables) == len(inspect_model(path).tables)


def test_a_header_without_features_is_one_sentence(path, tmp_path):
    kind, header, arrays = load(path)
    save(tmp_path / "broken", kind, {**header, "features": 3}, arrays)
    with pytest.raises(ModelError):
        inspect_model(tmp_path / "broken")
