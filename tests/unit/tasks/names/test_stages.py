"""Stages: what other sentences say of a name, and that training never sees what it should not."""

import json
from contextlib import ExitStack
from dataclasses import replace
from itertools import count
from unittest.mock import patch

import numpy as np
import pytest
from helpers.command import runoff
from helpers.made.chinese import sentences
from msgspec.structs import replace as replaced

import runoff as ro
from runoff.data.flat_tree import Span
from runoff.data.nbest import Candidate, NBest
from runoff.data.schemes import Chunk, encode
from runoff.data.sentence import Sentence
from runoff.engine import Engine
from runoff.errors import UsageError
from runoff.features.names.coreference import Evidence, Sighting
from runoff.features.names.statistics import NameStatistics
from runoff.learners import make_ranker
from runoff.pipeline.work_folder import WorkFolder
from runoff.problem.problem import RankingProblem
from runoff.tasks.names.elsewhere import Looking, next_stage, with_elsewhere
from runoff.tasks.names.stages import Stage, parse_stages
from runoff.tasks.names.train import Plan, Training
from runoff.tasks.names.train import train as train_names

PLAN = Plan(
    tagger="hmm",
    units="characters",
    folds=2,
    n=6,
    learner="maxent",
    stages="structure,coreference",
)


def tagged(text, *names):
    """A sentence of characters, as others see it, with names as type, start and end."""
    chunks = [Chunk(kind, Span(start, end)) for kind, start, end in names]
    return Sighting.of(list(text), encode(chunks, len(text)))


def test_evidence_comes_from_other_sentences_alone():
    made = [tagged("李明说", ("PER", 0, 2)), tagged("李明来", ("PER", 0, 2))]
    made.append(tagged("李明厂大", ("ORG", 0, 3)))
    evidence = Evidence([[one] for one in made])
    assert evidence.counts(0, "李明", "PER") == [
        "PER same 1",
        "PER other type 0",
        "PER part of 0",
        "PER has part 0",
        "PER untagged 1",
    ]
    assert evidence.counts(2, "李明厂", "ORG")[0] == "ORG same 0"
    assert evidence.counts(2, "李明", "PER")[0] == "PER same 2"
    assert evidence.counts(0, "李明", "ORG")[:3] == [
        "ORG same 0",
        "ORG other type 1",
        "ORG part of 1",
    ]
    assert list(evidence.occurrences(2, "李明厂大")) == [(0, 2, "PER")]
    assert [one.text for one, _ in evidence.mentions(0, "李明")] == ["李明来", "李明厂大"]
    alone = Evidence([made[:1]])
    assert list(alone.occurrences(0, "李明说")) == []
    assert alone.counts(0, "李明", "PER")[0] == "PER same 0"


def test_evidence_of_a_cluster_comes_from_other_documents_as_shares():
    first = [tagged("李明说", ("PER", 0, 2)), tagged("李明也说", ("ORG", 0, 2))]
    second = [tagged("李明来", ("PER", 0, 2)), tagged("李明厂大", ("ORG", 0, 3))]
    evidence = Evidence([first, second, [tagged("李明")]])
    assert evidence.shares(0, "李明", "PER") == [
        "PER a name -1",  # 1 of 3
        "PER same 2",  # 1 of 1
        "PER part of -2",  # 0 of 1
    ]
    assert evidence.shares(1, "李明", "PER")[1:] == ["PER same 0", "PER part of new"]
    assert [one.text for one, _ in evidence.mentions(0, "李明")] == ["李明来", "李明厂大"]


TAGS = (["B-PER", "I-PER", "O"], ["O", "O", "O"])


def scored(*scores, documents="ddd"):
    """Sentences of documents, each with two candidates, and their scores."""
    made = [Candidate(one, -1.0) for one in TAGS]
    return [
        (NBest(i, list("李明说"), made, extra={"document": documents[i]}), own)
        for i, own in enumerate(scores)
    ]


LOOKING = Looking(stages="structure,coreference", cluster_below=9.0, cuts=(1000.0,))


@pytest.mark.parametrize(
    ("source", "seen"), [("coreference", "document PER same 1"), ("clusters", "cluster PER same 2")]
)
def test_the_winner_of_a_sentence_is_no_evidence_for_itself(source, seen):
    """Whatever wins in a sentence, its own candidates have the same evidence."""
    stage, documents = Stage((), (source,)), "dd" if source == "coreference" else "de"

    def first_of(scores, telling=False):
        pairs = scored(scores, [1.0, 0.0], documents=documents)
        return next(with_elsewhere(lambda: pairs, stage, 1000.0, 9.0, telling=telling))[0]

    first, second = first_of([1.0, 0.0]), first_of([0.0, 1.0])
    assert first == second
    assert first.candidates[0].features[seen] == 1
    assert "elsewhere" not in first.extra
    (mention,) = first_of([1.0, 0.0], telling=True).extra["elsewhere"]["李明"]
    assert (mention["type"], mention["document"]) == ("PER", documents[1])
    assert mention["sentence"] == (2 if source == "coreference" else 1)


def test_where_the_stage_before_is_sure_nothing_is_looked_for():
    pairs = scored([9.0, 0.0], [1.0, 0.0])
    looking = replaced(LOOKING, cuts=(5.0,))
    stage = parse_stages(LOOKING.stages)[1]
    sure, unsure = next_stage(lambda: pairs, 1, stage, looking, values=True)
    assert not any("PER same" in name for name in sure.candidates[0].features)
    assert sure.candidates[1].features == {
        **{f"stage 1 in first {limit}": 1.0 for limit in (2, 4, 8, 16)},
        "stage 1 score": -9.0,
    }
    assert unsure.candidates[0].features["document PER same 1"] == 1
    without = next(next_stage(lambda: pairs, 1, stage, looking, values=False))
    assert "stage 1 score" not in without.candidates[1].features


def test_statistics_are_kept_in_the_file_of_the_model(tmp_path):
    given = [(one.words, one.labels) for one in sentences()]
    made = NameStatistics.of(given)
    _, arrays = made.stored()
    assert NameStatistics.restored({}, arrays) == made


def test_features_of_training_names_come_from_statistics_of_other_folds(tmp_path):
    """The only 赵云 of the corpus: had its own fold been counted, it would not be new."""
    own = Sentence(("赵云", "来到", "天津"), gold=("B-PER", "O", "B-LOC"), document="d9")
    train_names([*sentences(), own], plan=PLAN, work=tmp_path)
    (file,) = tmp_path.glob("train-inside-0-lists-*")
    *_, last = ro.read_nbest(file)
    assert last.input[:2] == ["赵", "云"]
    seen = {name for one in last.candidates for name in one.features if " whole " in name}
    people = [one for one in last.candidates if one.output[:2] == ["B-PER", "I-PER"]]
    assert people
    assert all("PER whole new" in one.features for one in people)
    assert any(name.startswith("LOC whole") and "new" not in name for name in seen)


class Watched:
    """A ranker that notes the lists that it learns from, and those that it is asked about."""

    def __init__(self, ranker, noted):
        self.ranker, self.noted = ranker, noted

    def fit(self, problem, dev, run):
        self.seen = np.flatnonzero(np.diff(problem.list_offsets))
        self.ranker.fit(problem, dev, run=run)

    def scores(self, problem):
        self.noted.append((self.seen, np.flatnonzero(np.diff(problem.list_offsets))))
        return self.ranker.scores(problem)


@pytest.mark.parametrize("leak", [False, True])
def test_winners_of_training_come_from_rankers_that_have_not_seen_the_document(tmp_path, leak):
    """Every sentence is judged once, by a ranker of other documents; a planted leak is found."""
    noted = []

    def watched(*args, **options):
        return Watched(make_ranker(*args, **options), noted)

    keep = RankingProblem.keep
    made = sentences()
    with patch("runoff.tasks.names.list_steps.make_ranker", watched), ExitStack() as planted:
        if leak:
            calls = count()  # every other one is for lists to learn from

            def leaky(self, mask):
                return self if next(calls) % 2 == 0 else keep(self, mask)

            planted.enter_context(patch.object(RankingProblem, "keep", leaky))
        train_names(made, plan=PLAN, work=tmp_path)
    documents = [one.document for one in made]
    overlap = [
        {documents[i] for i in seen} & {documents[i] for i in asked} for seen, asked in noted
    ]
    assert any(overlap) == leak
    judged = np.sort(np.concatenate([asked for _, asked in noted]))
    assert judged.tolist() == list(range(len(made)))


def test_clusters_of_training_lie_within_a_fold(tmp_path):
    """What another fold's ranker picked is no evidence: it has seen this fold's gold."""
    seen = []

    def watched(lists, *args, **options):
        seen.append({nbest.document for nbest, _ in lists()})
        return next_stage(lists, *args, **options)

    with patch("runoff.tasks.names.list_steps.next_stage", watched):
        train_names(sentences(), plan=replace(PLAN, stages="structure,clusters"), work=tmp_path)
    assert seen == [{"d0", "d1"}, {"d2"}] or seen == [{"d0"}, {"d1", "d2"}]


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
    assert nbest.candidates == found[0].candidates
    (mention,) = nbest.extra["elsewhere"]["天津"]
    assert (mention["document"], mention["sentence"]) == ("d0", 2)
    assert "天津: LOC 天津 in sentence 2 of d0: 李红来到天津。" in reasons.note
    same = train_names(sentences(), sentences(), plan=PLAN, work=tmp_path / "work")
    same.save(tmp_path / "n.runoff")
    assert (tmp_path / "n.runoff").read_bytes() == (tmp_path / "m.runoff").read_bytes()


def test_options_of_the_last_stage_are_those_of_its_ranker_alone(tmp_path):
    plan = replace(
        PLAN, learner="p-norm-push", options={"p": 4.0, "rounds": 5}, last_options={"p": 16.0}
    )
    model = train_names(sentences(), sentences(), plan=plan, work=tmp_path)
    assert [one.ranker.p for one in (*model.earlier.rankers, model.ranker)] == [4.0, 16.0]
    assert model.ranker.ranker.rounds == 5


def test_what_makes_no_sense_is_refused():
    for stages, said in (
        ("coreference", "looks at the winners of an earlier stage"),
        ("structure,structure", "named twice"),
        ("structure,gossip", "unknown source of features 'gossip'"),
        ("structure,clusters,events", "clusters must be looked at in the last stage"),
    ):
        with pytest.raises(UsageError, match=said):
            Plan(stages=stages, learner="maxent")
    with pytest.raises(UsageError, match="stages give features"):
        Plan(stages="structure")


def test_an_experiment_gives_its_test_lists_what_the_stages_see(tmp_path):
    training = Training(WorkFolder(tmp_path), replace(PLAN, by_margin=True), Engine())
    trained = training.run(sentences(), None)
    made = training.lists("test", trained, sentences()[:2])
    model = trained.model
    found = list(ro.read_nbest(made.path))
    assert [len(one) for one in found] == [len(one) for one in model.lists(sentences()[:2], None)]
    picked = [one.candidates[0].output for one in model.ranker.rerank(found)]
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
