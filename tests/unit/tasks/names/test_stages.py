"""Stages: what other sentences say of a name, and that training never sees what it should not."""

import json
from dataclasses import replace
from unittest.mock import patch

import pytest
from helpers.command import runoff
from helpers.made.chinese import sentences

import runoff as ro
from runoff.data.flat_tree import Span
from runoff.data.nbest import Candidate, NBest
from runoff.data.schemes import Chunk
from runoff.data.sentence import Sentence
from runoff.engine import Engine
from runoff.errors import UsageError
from runoff.features.names.coreference import Evidence
from runoff.features.names.structure import NameStatistics
from runoff.pipeline.work_folder import WorkFolder
from runoff.tasks.names.list_steps import ListSteps
from runoff.tasks.names.stages import second_stage, with_coreference
from runoff.tasks.names.train import Plan, Training
from runoff.tasks.names.train import train as train_names

PLAN = Plan(
    tagger="hmm",
    units="characters",
    folds=2,
    n=6,
    learner="maxent",
    stages=("structure", "coreference"),
)


def words(text):
    return list(text)


def test_evidence_comes_from_other_sentences_alone():
    texts = [words("李明说"), words("李明来"), words("李明厂大")]
    found = [[Chunk("PER", Span(0, 2))], [Chunk("PER", Span(0, 2))], [Chunk("ORG", Span(0, 3))]]
    evidence = Evidence(texts, found)
    assert evidence.features(0, texts[0], found[0][0]) == [
        "PER same 1",
        "PER other type 0",
        "PER part of 0",
        "PER has part 0",
        "PER untagged 1",
    ]
    assert evidence.features(2, texts[2], found[2][0])[0] == "ORG same 0"
    assert evidence.features(2, texts[2], Chunk("PER", Span(0, 2)))[0] == "PER same 2"
    assert evidence.features(0, texts[0], Chunk("ORG", Span(0, 2)))[:3] == [
        "ORG same 0",
        "ORG other type 1",
        "ORG part of 1",
    ]
    assert list(evidence.occurrences(2, texts[2])) == [(0, 2, "PER")]
    alone = Evidence(texts[:1], found[:1])
    assert list(alone.occurrences(0, texts[0])) == []
    assert alone.features(0, texts[0], found[0][0])[0] == "PER same 0"


def test_the_winner_of_a_sentence_is_no_evidence_for_itself():
    """Whatever wins in a sentence, its own candidates have the same features."""
    tags = (["B-PER", "I-PER", "O"], ["O", "O", "O"])
    made = [NBest(i, words("李明说"), [Candidate(one, -1.0) for one in tags]) for i in range(2)]
    first, second = (with_coreference(made, [winner, tags[0]])[0] for winner in tags)
    assert first == second
    assert first.candidates[0].features["document PER same 1"] == 1


def test_statistics_are_kept_in_the_file_of_the_model(tmp_path):
    given = [(one.words, one.labels) for one in sentences()]
    made = NameStatistics.of(given)
    _, arrays = made.stored()
    assert NameStatistics.restored({}, arrays) == made


def test_features_of_training_names_come_from_statistics_of_other_folds(tmp_path):
    """The only 赵云 of the corpus: had its own fold been counted, it would not be new."""
    own = Sentence(("赵云", "来到", "天津"), gold=("B-PER", "O", "B-LOC"), document="d9")
    train_names([*sentences(), own], plan=PLAN, work=tmp_path)
    (file,) = tmp_path.glob("train-structure-lists-*")
    *_, last = ro.read_nbest(file)
    assert last.input[:2] == ["赵", "云"]
    seen = {name for one in last.candidates for name in one.features if " whole " in name}
    tagged = [one for one in last.candidates if one.output[:2] == ["B-PER", "I-PER"]]
    assert tagged
    assert all("PER whole new" in one.features for one in tagged)
    assert any(name.startswith("LOC whole") and "new" not in name for name in seen)


def test_winners_of_training_come_from_rankers_that_have_not_seen_the_document(tmp_path):
    fitted = []
    real = ListSteps._fitted

    def watched(self, lists):
        given = list(lists)
        ranker = real(self, given)
        fitted.append((ranker, {nbest.document for nbest in given}))
        return ranker

    asked = []

    def stage(lists, first):
        given = list(lists)
        asked.append((first, {nbest.document for nbest in given}))
        return second_stage(given, first)

    place = "runoff.tasks.names.list_steps"
    with patch.object(ListSteps, "_fitted", watched), patch(f"{place}.second_stage", stage):
        train_names(sentences(), plan=PLAN, work=tmp_path)
    assert len(asked) == len(fitted) == PLAN.folds
    for (ranker, seen), (used, documents) in zip(fitted, asked, strict=True):
        assert ranker is used
        assert not seen & documents
    assert set.union(*(documents for _, documents in asked)) == {"d0", "d1", "d2"}


def test_a_model_of_two_stages_is_kept_and_sees_whole_documents(tmp_path):
    model = train_names(sentences(), sentences(), plan=PLAN, work=tmp_path / "work")
    assert set(model.training["dev"]["figures"]) == {"base", "reranked", "oracle"}
    model.save(tmp_path / "m.runoff")
    again = ro.load(tmp_path / "m.runoff")
    many = sentences() * 50  # more than a chunk
    found = list(again.lists(many, None))
    assert found == list(model.lists(many, None, engine=2))
    features = found[0].candidates[0].features
    assert any(name.startswith("document ") for name in features)
    nbest, reasons = next(iter(again.explained(many, None)))
    assert nbest == found[0]
    assert reasons is not None
    same = train_names(sentences(), sentences(), plan=PLAN, work=tmp_path / "work")
    same.save(tmp_path / "n.runoff")
    assert (tmp_path / "n.runoff").read_bytes() == (tmp_path / "m.runoff").read_bytes()


def test_what_makes_no_sense_is_refused():
    with pytest.raises(UsageError, match="stages must be structure or structure,coreference"):
        Plan(stages=("coreference",), learner="maxent")
    with pytest.raises(UsageError, match="stages give features"):
        Plan(stages=("structure",))


def test_an_experiment_gives_its_test_lists_what_the_stages_see(tmp_path):
    training = Training(WorkFolder(tmp_path), replace(PLAN, by_margin=True), Engine())
    trained = training.run(sentences(), None)
    made = training.lists("test", trained, sentences()[:2])
    model = trained.model
    found = list(ro.read_nbest(made.path))
    assert [len(one) for one in found] == [len(one) for one in model.lists(sentences()[:2], None)]
    picked = [one.candidates[0].output for one in model.coreference.rerank(found)]
    assert picked == [one.candidates[0].output for one in model.lists(sentences()[:2])]


def test_a_text_is_a_document_and_so_is_a_file(tmp_path):
    model = train_names(sentences(), plan=PLAN)
    model.save(tmp_path / "m.runoff")
    texts = ["李红来到天津。天津很大。", "我们住在上海。"]
    asked = [
        Sentence(tuple(text), document=str(number))
        for number, both in enumerate(("李红来到天津。 天津很大。", "我们住在上海。"))
        for text in both.split()
    ]
    expected = [tuple(nbest.candidates[0].output) for nbest in model.lists(asked)]
    found = list(model.documents(texts))
    assert [one.tags for own in found for one in own] == expected
    assert found[0][1].chunks[0].place == (7, 9)
    for number, text in enumerate(texts):
        (tmp_path / f"{number}.txt").write_text(text)
    files = [tmp_path / "0.txt", tmp_path / "1.txt"]
    out, _ = runoff("names", tmp_path / "m.runoff", *files, "--json")
    lists = [json.loads(line) for line in out.splitlines()]
    assert [tuple(one["candidates"][0]["output"]) for one in lists] == expected
    assert [one["document"] for one in lists] == [str(files[0])] * 2 + [str(files[1])]
