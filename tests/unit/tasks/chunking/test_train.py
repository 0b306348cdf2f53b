from dataclasses import replace

import pytest
from helpers.made.chunks import CHUNKED, far_apart
from helpers.made.chunks import sentence as made

from runoff.data.formats import read_nbest
from runoff.data.schemes import convert
from runoff.data.sentence import Sentence
from runoff.engine import ALONE, Engine
from runoff.errors import FormatError, ModelError, NotFittedError, UsageError
from runoff.pipeline.work_folder import WorkFolder
from runoff.proposers.sequence.crf import Crf
from runoff.store.file import load as load_file
from runoff.store.file import save
from runoff.tasks.chunking.model import ChunkingModel
from runoff.tasks.chunking.train import Plan, Training
from runoff.tasks.chunking.train import train as train_chunking
from runoff.tasks.inspect import inspect_model
from runoff.tasks.load import load

PLAN = Plan(folds=3, n=5, prior=(10.0,))


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    folder = tmp_path_factory.mktemp("chunking")
    return train_chunking(CHUNKED, CHUNKED, work=folder / "work", plan=PLAN), folder


def test_what_was_seen_is_chunked_as_it_was(trained):
    model, _ = trained
    alone = ChunkingModel(model.tagger, model.crf, None, {})
    for sentence in CHUNKED:
        (nbest,) = alone.lists([sentence])
        assert nbest.candidates[0].output == list(sentence.gold)
    assert model.training["dev"]["types"]["SBAR"]["gold"] == 1
    assert model.training["folds"] == 3


@pytest.mark.parametrize(
    ("learner", "features"), [("maxent", "phrases"), ("subtree-boost", "chunk-tree")]
)
def test_a_ranker_sees_what_a_crf_does_not(learner, features, tmp_path):
    plan = replace(PLAN, learner=learner, options={"rounds": 20} if "boost" in learner else {})
    model = train_chunking(far_apart(30), far_apart(20, seed=1), work=tmp_path, plan=plan)
    assert [one.name for one in model.ranker.extractors] == [features]
    dev = model.training["dev"]
    assert dev["figures"]["reranked"]["F1"] == dev["figures"]["oracle"]["F1"] == 100
    assert dev["figures"]["base"]["F1"] < 95
    assert dev["base types"]["SBAR"]["f1"] < 95 < dev["types"]["SBAR"]["f1"]
    assert dev["p"] < 0.05


def test_subtrees_are_printed_and_give_reasons(tmp_path):
    plan = replace(PLAN, learner="subtree-boost", options={"rounds": 20})
    model = train_chunking(far_apart(30), work=tmp_path / "work", plan=plan)
    assert model.ranker.ranker.frequency == 5
    model.save(tmp_path / "model")
    (first, *_) = inspect_model(tmp_path / "model", having="VP").weights
    assert first[0] == "(PP(NP(VP)))"
    assert first[1] < 0
    asked = next(s for s in far_apart(9, seed=2) if "B-SBAR" in s.gold)
    (nbest,) = load(tmp_path / "model").lists([asked], None)
    assert nbest.candidates[0].output == list(asked.gold)
    assert first[0] in {term.feature for term in model.why(nbest).terms}


def test_words_alone_are_tagged_first(trained):
    model, _ = trained
    (nbest,) = model.lists([["They", "voted", "on", "Monday", "."]])
    assert [word for word, _ in nbest.input] == ["They", "voted", "on", "Monday", "."]
    first = model.chunk(CHUNKED[0]).chunks[0]
    assert (first.type, first.words) == ("NP", ("They",))
    text = "They voted. The council closed."
    one, two = model.chunk(text)
    assert len(two) == 2
    assert [text[c.place.start : c.place.end] for c in two] == ["The council", "closed"]
    assert str(two) == "[NP The council] [VP closed] ."
    assert list(model.pipe([text, "", "They closed."])) == [
        [one, two],
        model.chunk(""),
        model.chunk("They closed."),
    ]
    assert model.chunk("") == []


def test_candidates_are_distinct_and_in_iob2(trained):
    model, _ = trained
    for nbest in model.lists(CHUNKED, 50):
        outputs = [c.output for c in nbest.candidates]
        assert len({tuple(output) for output in outputs}) == len(outputs) > 1
        assert all(convert(output, "iob2") == output for output in outputs)
        assert sorted(c.rank for c in nbest.candidates) == list(range(len(nbest)))


def test_an_empty_sentence_has_an_empty_tagging(trained):
    model, _ = trained
    (nbest,) = model.lists([[]])
    assert [c.output for c in nbest.candidates] == [[]]
    assert list(model.chunk([])) == []


def test_jobs_change_nothing(trained):
    model, _ = trained
    sentences = CHUNKED * 30
    assert list(model.lists(sentences, 3)) == list(model.lists(sentences, 3, engine=3))


def test_steps_are_not_done_twice_and_give_the_same_bytes(trained, tmp_path):
    model, folder = trained
    times = {file: file.stat().st_mtime_ns for file in (folder / "work").glob("*.runoff")}
    again = train_chunking(CHUNKED, CHUNKED, work=folder / "work", plan=PLAN)
    assert times == {file: file.stat().st_mtime_ns for file in (folder / "work").glob("*.runoff")}
    afresh = train_chunking(CHUNKED, CHUNKED, work=tmp_path / "work", plan=PLAN, engine=2)
    for number, one in enumerate((model, again, afresh)):
        one.save(tmp_path / str(number))
    assert len({(tmp_path / str(n)).read_bytes() for n in range(3)}) == 1


def test_what_was_saved_is_loaded(trained, tmp_path):
    model, _ = trained
    model.save(tmp_path / "model")
    other = load(tmp_path / "model")
    assert isinstance(other, ChunkingModel)
    assert other.training == model.training
    sentences = CHUNKED
    assert list(other.lists(sentences, None)) == list(model.lists(sentences, None))
    seen = inspect_model(tmp_path / "model", top=3)
    assert set(seen.parts) == {"tagger", "crf", "ranker"}
    assert seen.weights[0][0] == "log-probability"


@pytest.mark.parametrize("words", ["run-off/NN/I-NP", "run/NN/I-NP -/HYPH/I-NP off/NN/I-NP"])
def test_plain_text_is_cut_at_hyphens_as_the_training_sentences_are(words, tmp_path):
    chunked = [*CHUNKED, made(f"The/DT/B-NP {words} was/VBD/B-VP close/JJ/B-ADJP ././O")]
    plan = replace(PLAN, rerank=False)
    model = train_chunking(chunked, work=tmp_path / "work", plan=plan)
    model.save(tmp_path / "model")
    for one in (model, load(tmp_path / "model")):
        (found,) = one.chunk("The run-off was close.")
        assert found.sentence.words == chunked[-1].words


def test_models_that_know_nothing_of_hyphens_cut_there(tmp_path):
    chunked = [*CHUNKED, made("Run-offs/NNS/B-NP closed/VBD/B-VP ././O")]
    train_chunking(chunked, work=tmp_path, plan=replace(PLAN, rerank=False)).save(tmp_path / "new")
    _, header, arrays = load_file(tmp_path / "new")
    assert header.pop("hyphens") is True
    save(tmp_path / "old", ChunkingModel.kind, header, arrays)
    (found,) = load(tmp_path / "old").chunk("Run-offs closed.")
    assert found.sentence.words == ("Run", "-", "offs", "closed", ".")


def test_broken_headers_are_refused(trained, tmp_path):
    model, _ = trained
    model.save(tmp_path / "model")
    _, header, arrays = load_file(tmp_path / "model")
    broken = {"n": 0, "hyphens": "no", "crf": {"parameters": {"order": 3}}}
    for key, value in (*broken.items(), ("hyphens", None), ("crf", None)):
        save(tmp_path / "broken", ChunkingModel.kind, {**header, key: value}, arrays)
        with pytest.raises(ModelError, match="broken"):
            ChunkingModel.load(tmp_path / "broken")
    other = {**header["crf"]["parameters"], "order": 2}
    save(tmp_path / "broken", ChunkingModel.kind, {**header, "crf": {"parameters": other}}, arrays)
    with pytest.raises(ModelError):
        ChunkingModel.load(tmp_path / "broken")


def test_lists_of_a_fold_come_from_a_crf_that_has_not_seen_it(tmp_path):
    training = Training(WorkFolder(tmp_path), PLAN, ALONE)
    training.run(CHUNKED, None)
    (lists,) = tmp_path.glob("train-lists-*")
    found = list(read_nbest(lists))
    assert [nbest.id for nbest in found] == list(range(1, len(CHUNKED) + 1))
    assert [nbest.gold for nbest in found] == [list(sentence.gold) for sentence in CHUNKED]
    outside = [Sentence(s.words, s.tags, tuple(convert(s.gold, "iobes"))) for s in CHUNKED[2:]]
    crf = Crf(**PLAN.crf).fit(outside)
    model = ChunkingModel(None, crf, None, {})
    for nbest, sentence in zip(found[:2], CHUNKED[:2], strict=True):
        (other,) = model.lists([sentence], PLAN.n)
        assert nbest.candidates == other.candidates


TEXT = "They voted on Friday. We voted on Monday. The board closed. The council closed. " * 3


def test_clusters_come_from_text_and_go_into_the_model(tmp_path):
    (tmp_path / "news.txt").write_text(TEXT)
    work, steps = tmp_path / "work", []
    plan = replace(PLAN, text=(str(tmp_path / "news.txt"),))
    model = train_chunking(CHUNKED, work=work, plan=plan, engine=Engine(progress=steps.append))
    assert "classes of words" in {step.stage for step in steps}
    about = model.training["clusters"]
    assert about == {"text": ["news.txt"], "tokens": 54, "words": 11, "classes": 11}
    model.save(tmp_path / "model")
    other = load(tmp_path / "model")
    assert other.crf.model.clusters == model.crf.model.clusters
    assert other.training == model.training
    assert other.chunk("The board voted.") == model.chunk("The board voted.")
    (step,) = work.glob("clusters-*.runoff")
    made = step.stat().st_mtime_ns
    again = train_chunking(CHUNKED, work=work, plan=replace(plan, folds=2), engine=2)
    assert step.stat().st_mtime_ns == made
    assert again.crf.model.clusters == model.crf.model.clusters


def test_text_changes_what_depends_on_it_and_nothing_else(tmp_path):
    path = tmp_path / "news.txt"
    plan = replace(PLAN, rerank=False, text=(str(path),))
    for text, times in ((TEXT, 1), (TEXT, 1), (TEXT + TEXT, 2)):
        path.write_text(text)
        train_chunking(CHUNKED, work=tmp_path / "work", plan=plan)
        for step in ("base", "tagger"):  # the tagger looks at clusters, too
            assert len(list((tmp_path / "work").glob(f"{step}-*.runoff"))) == times


def test_it_learns_from_words_alone_and_without_a_ranker(tmp_path):
    bare = [Sentence(s.words, gold=tuple(convert(s.gold, "ioe2"))) for s in CHUNKED]
    plan = Plan(rerank=False, scheme="iob2", prior=(10.0,), order=2)
    model = train_chunking(bare, work=tmp_path, plan=plan)
    assert model.tagger is None
    (nbest,) = model.lists([CHUNKED[0].words])
    assert nbest.candidates[0].output == list(CHUNKED[0].gold)
    assert nbest.input == list(CHUNKED[0].words)
    assert "dev" not in model.training
    with pytest.raises(NotFittedError, match="no ranker"):
        model.why(nbest)


def test_reasons_are_given(trained):
    model, _ = trained
    (nbest,) = model.lists([CHUNKED[3]], None)
    reasons = model.why(nbest)
    assert reasons.winner.output == nbest.candidates[0].output
    assert model.why(next(iter(model.lists([[]])))) is None


@pytest.mark.parametrize(
    "options",
    [
        {"scheme": "ioe1"},
        {"n": 1},
        {"seed": -1},
        {"features": ("phrase",)},
        {"learner": "maxnet"},
        {"options": {"prior": "-1"}},
        {"order": 3},
        {"prior": (0.0,)},
        {"tagger_options": {"beam": 0}},
        {"text": ("-",)},
    ],
)
def test_plans_that_make_no_sense_are_refused(options):
    with pytest.raises(UsageError):
        Plan(**options)


def test_what_cannot_be_learned_from_is_refused(tmp_path):
    odd = Sentence(("a", "b"), ("X", "Y"), ("B-NP", "NP"))
    for train, problem in (
        ([], "no sentences"),
        ([Sentence(("a",))], "chunk tag"),
        ([odd] * 5, "unknown tag 'NP'"),
    ):
        with pytest.raises(FormatError, match=problem):
            train_chunking(train, work=tmp_path, plan=Plan(folds=2))
    with pytest.raises(UsageError, match="folds must lie between 2 and the 1 sentences"):
        train_chunking(CHUNKED[:1], work=tmp_path)
    with pytest.raises(UsageError):
        list(ChunkingModel(None, Crf(), None, {}).lists([["a"]], 0))
