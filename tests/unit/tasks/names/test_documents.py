"""Documents: related ones, very long ones, one per line; and input that is odd."""

import json
import logging

import pytest
from helpers.command import runoff
from helpers.made.chinese import sentences

import runoff as ro
from runoff.data.sentence import Sentence
from runoff.errors import UsageError
from runoff.tasks.inspect import inspect_model
from runoff.tasks.names import elsewhere
from runoff.tasks.names.train import Plan
from runoff.tasks.names.train import train as train_names

PLAN = Plan(
    tagger="hmm", units="characters", folds=2, n=6, learner="maxent",
    stages="structure+relations+events,coreference+clusters", cluster_below=99.0,
)  # fmt: skip


@pytest.fixture(scope="module")
def clustered(tmp_path_factory):
    path = tmp_path_factory.mktemp("clustered") / "m.runoff"
    train_names(sentences(), plan=PLAN).save(path)
    return path


def asked(*texts):
    return [Sentence(tuple(text), document=f"d{i}") for i, text in enumerate(texts)]


def evidence(model, given):
    """The features of the first sentence's candidates that come from its cluster."""
    first = next(model.lists(given, None))
    found = {name for one in first.candidates for name in one.features}
    return {name for name in found if name.startswith("cluster ")}


def test_other_documents_of_a_cluster_are_evidence(clustered):
    model = ro.load(clustered)
    alone, more = asked("李红来到天津。"), asked("李红来到天津。", "天津很大。")
    assert model.clusters(more) == [["d0", "d1"]]
    assert "cluster LOC same 2" in evidence(model, more) - evidence(model, alone)
    widened = model.widened([Sentence(tuple("天津很大。"), document="other")])
    assert evidence(widened, alone) == evidence(model, more)
    assert [one.id for one in widened.lists(alone)] == [1]  # related ones are not tagged
    assert list(model.lists(more, None)) == list(model.lists(more, None, engine=2))


def test_related_texts_and_documents_of_a_line_are_read(clustered, tmp_path):
    (tmp_path / "asked.txt").write_text("李红来到天津。天津很大。\n我们住在上海。\n")
    (tmp_path / "related.txt").write_text("上海也很大。\n")
    out, _ = runoff(
        "names", clustered, tmp_path / "asked.txt", "--documents", "--json", "--why",
        "--related", tmp_path / "related.txt",
    )  # fmt: skip
    lists = [json.loads(line) for line in out.splitlines()]
    assert [one["document"].rpartition(":")[2] for one in lists] == ["1", "1", "2"]
    (mention,) = lists[2]["elsewhere"]["上海"]
    assert mention["document"].endswith("related.txt:1")


def test_a_model_without_clusters_takes_no_related_texts():
    model = train_names(sentences(), plan=Plan(tagger="hmm", rerank=False))
    with pytest.raises(UsageError, match="finds no clusters"):
        model.widened([])


def test_a_very_long_document_is_taken_in_parts(clustered, monkeypatch, caplog):
    monkeypatch.setattr(elsewhere, "LONGEST", 2)
    model = ro.load(clustered)
    given = [Sentence(tuple("天津很大。"), document="d")] * 5
    with caplog.at_level(logging.WARNING):
        assert len(list(model.lists(given))) == 5
        assert model.clusters(given) == [["d", "d", "d"]]
    assert "the document d has more than 2 sentences" in caplog.text


@pytest.mark.parametrize(
    "text",
    ["", "。", "①🂡𠀀", "ＡＢＣ１９９８", "天津" * 5000],
    ids=["none", "mark", "new", "wide", "long"],
)
def test_odd_sentences_are_tagged(clustered, text):
    model = ro.load(clustered)
    (found,) = model.lists([Sentence(tuple(text), document="d")])
    assert len(found.candidates[0].output) == len(text)


def test_texts_without_sentences_are_documents_without_names(clustered):
    model = ro.load(clustered)
    assert next(model.documents(["", "天津很大。"])) == []


@pytest.mark.parametrize("kept", ["none", "LOC"])
def test_training_without_names_or_with_one_type(kept):
    made = [
        Sentence(
            one.words,
            gold=tuple(tag if tag.endswith(kept) else "O" for tag in one.gold),
            document=one.document,
        )
        for one in sentences()
    ]
    model = train_names(made, plan=PLAN)
    found = model.names("李红来到天津。")
    assert {name.type for one in found for name in one} <= {kept}


def test_words_given_to_a_model_of_characters_are_taken_apart(clustered):
    model = ro.load(clustered)
    words = model.names(["李红", "来到", "天津"])
    assert words.tags == model.names(list("李红来到天津")).tags


def test_a_model_shows_its_patterns_triggers_and_the_weights_of_its_stages(clustered):
    seen = inspect_model(clustered, top=3)
    stage, relations = seen.tables[-2:]
    assert (stage.title, relations.title) == ("largest weights of stage 1", "relations")
    assert len(stage.rows) == 3
    assert {row["feature"] for row in stage.rows}.isdisjoint({"stage 1 score"})
    assert relations.rows[0] == {
        "slot": "relation first", "pattern": "LOC 来到", "type": "PER", "seen": 2, "log-odds": 2,
    }  # fmt: skip
    (one,) = inspect_model(clustered, having="住在").tables[-1].rows[:1]
    assert one["pattern"] == "LOC 住在"
