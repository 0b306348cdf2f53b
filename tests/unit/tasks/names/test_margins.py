"""How many candidates are kept by the margin of the first two."""

import msgspec
import pytest
from helpers.made.chinese import sentences

import runoff as ro
from runoff.data.nbest import Candidate, NBest
from runoff.errors import ModelError
from runoff.store.file import load, save
from runoff.tasks.names.margins import LARGEST, Margins, margin
from runoff.tasks.names.train import Plan
from runoff.tasks.names.train import train as train_names

TAGGINGS = (["O"], ["B"], ["B-X"])


def made(difference, best):
    """A list of three with that margin, whose candidate `best` is right."""
    scores = (-1.0, -1.0 - difference, -90.0)
    return NBest(None, ["a"], list(map(Candidate, TAGGINGS, scores)), TAGGINGS[best])


def test_a_range_of_margins_keeps_as_many_as_hold_the_best():
    lists = [made(i / 4, 2 if i < 3 else 1 if i < 10 else 0) for i in range(20)]
    margins = Margins.of(lists)
    assert margins.bounds == tuple(i / 4 for i in range(1, 19, 2))
    assert margins.sizes == (3, 3, 2, 2, 2, 2, 1, 1, 1, 1)
    assert [len(margins.cut(one)) for one in lists[:4]] == [3, 3, 3, 2]
    assert len(margins.cut(made(99.0, 0))) == 1


def test_the_margin_of_a_candidate_that_is_alone():
    assert margin([Candidate(["O"], -3.0)]) == LARGEST
    assert Margins.of([made(1.0, 0)]).sizes == (1, 1)


def test_margins_that_do_not_fit_are_refused():
    for bounds, sizes in (((1.0,), (3,)), ((2.0, 1.0), (3, 2, 1)), ((), (0,))):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({"bounds": bounds, "sizes": sizes}, Margins)


def test_lists_of_training_and_of_the_model_are_cut_alike(tmp_path):
    plan = Plan(tagger="hmm", units="characters", folds=2, n=8, by_margin=True)
    model = train_names(sentences(), sentences(), plan=plan, work=tmp_path)
    (file,) = tmp_path.glob("train-cut-lists-*")
    (whole,) = tmp_path.glob("train-lists-*")
    pairs = zip(ro.read_nbest(whole), ro.read_nbest(file), strict=True)
    assert all(model.margins.cut(one) == kept for one, kept in pairs)
    model.save(tmp_path / "m.runoff")
    again = ro.load(tmp_path / "m.runoff")
    assert again.margins == model.margins
    found = list(again.lists(sentences(), None))
    assert found == list(model.lists(sentences(), None))
    again.ranker = again.margins = None
    for full, kept in zip(again.lists(sentences(), 8), found, strict=True):
        assert len(kept) == model.margins.size(full.candidates)
    kind, header, arrays = load(tmp_path / "m.runoff")
    header["margins"]["sizes"] = [1]
    save(tmp_path / "m.runoff", kind, header, arrays)
    with pytest.raises(ModelError):
        ro.load(tmp_path / "m.runoff")
