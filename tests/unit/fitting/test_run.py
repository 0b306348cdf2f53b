"""Checkpoints: whole, in order, or not used."""

import numpy as np
import pytest
from helpers.damage import flipped

from runoff.fitting.run import Checkpoint


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "fit.checkpoint"
    kept = Checkpoint(path, "this fit", seconds=0.0)
    kept.offer(lambda: {"wrong": np.arange(3.0), "epoch": np.arange(2), "again": np.ones(1)})
    return path


def test_arrays_come_back_in_their_order(path, caplog):
    kept = Checkpoint(path, "this fit").load()
    assert list(kept) == ["wrong", "epoch", "again"]
    assert kept["wrong"].tolist() == [0.0, 1.0, 2.0]
    assert Checkpoint(path, "another fit").load() == {}
    assert Checkpoint(path.with_name("none"), "this fit").load() == {}
    assert not caplog.text


def test_a_damaged_file_is_not_used_and_that_is_said(path, caplog):
    sound = path.read_bytes()
    for data in [sound[:-1], sound[:100], b"", *(flipped(sound, at) for at in range(len(sound)))]:
        path.write_bytes(data)
        caplog.clear()
        assert Checkpoint(path, "this fit").load() == {}
        assert "is damaged, so the fit starts from the beginning" in caplog.text
