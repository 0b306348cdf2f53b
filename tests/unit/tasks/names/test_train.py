"""Names: training with and without types, the steps that are kept, and the model file."""

from dataclasses import replace

import pytest

import runoff as ro
from runoff.data.sentence import Sentence
from runoff.errors import FormatError, ModelError, UsageError
from runoff.store.file import load, save
from runoff.tasks.chunking.model import ChunkingModel
from runoff.tasks.names.model import NamesModel
from runoff.tasks.names.train import Plan
from runoff.tasks.names.train import train as train_names

NAMES = ["Ann Lee", "Bob", "Eve", "Kim Ray", "Zoe"]


def sentences():
    """Names behind the first word, in the scheme of `iobes`."""
    found = []
    for first in ("Then", "Now"):
        for name in NAMES:
            for verb in ("won", "lost"):
                words = name.split()
                tags = ["S-PER"] if len(words) == 1 else ["B-PER", "E-PER"]
                found.append(Sentence((first, *words, verb), gold=("O", *tags, "O")))
    return found


def trained(work, **plan):
    return train_names(sentences(), sentences(), work=work, plan=Plan(folds=2, **plan))


def test_boundaries_have_no_types(tmp_path):
    model = trained(tmp_path, boundaries=True)
    (nbest,) = model.lists([["Now", "Ann", "Lee", "won"]], 5)
    assert nbest.candidates[0].output == ["O", "B", "I", "O"]
    assert len({tuple(c.output) for c in nbest.candidates}) == len(nbest.candidates) == 5
    assert model.training["boundaries"] is True
    assert model.training["dev"]["figures"]["reranked"]["F1"] == 100
    assert model.ranker.ranker.name == "tagging-kernel"


def test_types_are_found_too_and_the_file_gives_the_same_model(tmp_path):
    model = trained(tmp_path / "work")
    assert [name.type for name in model.names(["Now", "Bob", "won"])] == ["PER"]
    model.save(tmp_path / "m.runoff")
    again = ro.load(tmp_path / "m.runoff")
    assert isinstance(again, NamesModel)
    words = [["Then", "Zoe", "lost"]]
    assert list(again.lists(words, 3)) == list(model.lists(words, 3))
    same = trained(tmp_path / "work")  # from the steps that were kept
    same.save(tmp_path / "n.runoff")
    assert (tmp_path / "n.runoff").read_bytes() == (tmp_path / "m.runoff").read_bytes()
    with pytest.raises(ModelError):
        ChunkingModel.load(tmp_path / "m.runoff")


def test_types_get_other_names_or_none():
    made = [
        Sentence(("On", "Monday", "Ann", "won"), gold=("O", "U-DATE", "U-per-son", "O")),
        Sentence(("Bob", "Lee", "lost"), gold=("B-per-son", "L-per-son", "O")),
    ]
    plan = Plan(tagger="hmm", rerank=False, types=("per-son=PER", "DATE="))
    model = train_names(made * 4, plan=plan)
    assert set(model.base_tags()) == {"O", "B-PER", "I-PER"}
    assert str(model.names(["On", "Monday", "Ann", "won"])) == "On Monday [PER Ann] won"
    with pytest.raises(UsageError, match="is written OLD=NEW, e.g. person=PER; not person"):
        Plan(types=("person",))


def test_lists_of_a_fold_come_from_a_tagger_that_has_not_seen_it(tmp_path):
    plan = Plan(folds=2, n=5)
    train_names(sentences(), work=tmp_path, plan=plan)
    (file,) = tmp_path.glob("train-lists-*")
    lists = list(ro.read_nbest(file))
    assert [nbest.id for nbest in lists] == list(range(1, len(sentences()) + 1))
    half = len(lists) // 2
    for inside, outside in ((slice(half), slice(half, None)), (slice(half, None), slice(half))):
        known = train_names(sentences()[outside], work=tmp_path, plan=replace(plan, rerank=False))
        words = [nbest.input for nbest in lists[inside]]
        found = [nbest.candidates for nbest in known.lists(words, 5)]
        assert [nbest.candidates for nbest in lists[inside]] == found


def test_plain_text_is_cut_at_hyphens_as_the_training_sentences_are(tmp_path):
    for name, tags in (("Ann-Lee", ["B-PER"]), ("Ann - Lee", ["B-PER", "I-PER", "I-PER"])):
        own = Sentence(("Then", *name.split(), "won"), gold=("O", *tags, "O"))
        model = train_names([*sentences(), own], work=tmp_path, plan=Plan(rerank=False))
        model.save(tmp_path / "m.runoff")
        for one in (model, ro.load(tmp_path / "m.runoff")):
            (found,) = one.names("Then Ann-Lee won")
            assert found.sentence.words == own.words
    _, header, arrays = load(tmp_path / "m.runoff")
    save(tmp_path / "m.runoff", NamesModel.kind, {**header, "hyphens": "no"}, arrays)
    with pytest.raises(ModelError, match="hyphens"):
        NamesModel.load(tmp_path / "m.runoff")


def test_without_a_ranker_the_tagger_decides(tmp_path):
    model = trained(tmp_path, rerank=False)
    assert model.ranker is None
    assert not list(tmp_path.glob("train-lists-*"))


def test_errors(tmp_path):
    with pytest.raises(UsageError, match="chooses among 2 candidates or more"):
        Plan(n=1)
    with pytest.raises(UsageError, match="folds must lie between 2 and the 20 sentences"):
        train_names(sentences(), work=tmp_path, plan=Plan(folds=21))
    with pytest.raises(FormatError, match="there are no sentences"):
        train_names([], work=tmp_path)
    with pytest.raises(FormatError, match="its name tag last"):
        train_names([Sentence(("a",))] * 9, work=tmp_path)


def test_means_are_the_default_and_votes_are_asked_for():
    assert Plan().ranker_options == {"form": "averaged"}
    assert Plan(options={"form": "voted"}).ranker_options == {"form": "voted"}
    assert Plan(learner="perceptron", features=("phrases",)).ranker_options == {}
