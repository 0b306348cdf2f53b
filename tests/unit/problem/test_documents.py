"""Documents stay together on their way from lists to features, whatever their size."""

import pytest

import runoff as ro
from runoff.data.nbest import Candidate, NBest
from runoff.data.sentence import Sentence
from runoff.engine import Engine, chunked
from runoff.features.extract import find_extractors, whole_document
from runoff.problem.build.build import LISTS_PER_CHUNK, build_problem
from runoff.problem.extractor import kept_together
from runoff.proposers.sequence.maxent_tagger import MaxentTagger
from runoff.tasks.names.model import NamesModel
from runoff.tasks.tagging.model import TaggingModel

SIZES = {"a": 1, "b": 2 * LISTS_PER_CHUNK + 1, "c": 3, None: LISTS_PER_CHUNK}
LISTS = [
    NBest(f"{name}{number}", None, [Candidate("x", -1.0), Candidate("y", -2.0)], "y",
          extra={} if name is None else {"document": name})
    for name, size in SIZES.items()
    for number in range(size)
]  # fmt: skip


@whole_document
def size(lists):
    return [[{"size": len(lists)}, {}] for _ in lists]


@pytest.mark.parametrize("jobs", [1, 2])
def test_no_document_is_cut(jobs):
    problem, space = build_problem(LISTS, find_extractors([size]), engine=Engine.of(jobs))
    assert space.names == ["size"]
    sizes = [SIZES[nbest.document] if nbest.document else 1 for nbest in LISTS]
    assert problem.feature_values.tolist() == sizes


def test_lists_without_documents_are_cut_as_ever():
    batches = list(chunked(LISTS, LISTS_PER_CHUNK, kept_together(find_extractors([size]))))
    assert [nbest for batch in batches for nbest in batch] == LISTS
    assert [len(batch) for batch in batches] == [2 * LISTS_PER_CHUNK + 2, LISTS_PER_CHUNK, 3]
    assert kept_together(find_extractors(["text"])) is None


def test_a_reranker_sees_whole_documents():
    reranker = ro.fit(LISTS, features=[size], metric="exact", min_lists=1)
    whole = reranker.rerank(LISTS)
    assert list(ro.rerank(reranker, LISTS)) == whole
    assert list(ro.rerank(reranker, LISTS, engine=2)) == whole


def test_a_model_passes_documents_on():
    seen = [Sentence((w, "won"), gold=(t, "O")) for w, t in (("Ann", "B"), ("We", "O"))]
    tagger = TaggingModel(MaxentTagger(min_count=1).fit(seen), {})
    model = NamesModel(tagger, None, {}, n=2)
    asked = [
        Sentence(("Ann" if number % 3 else "We", "won"), document=name)
        for name, size in SIZES.items()
        for number in range(size)
    ]
    lists = list(model.lists(asked, None))
    assert [nbest.document for nbest in lists] == [sentence.document for sentence in asked]
    assert [nbest.document for nbest in tagger.lists(asked)] == [one.document for one in asked]
    golds = [["O", "O"] if number % 2 else ["B", "O"] for number in range(len(lists))]
    pairs = zip(lists, golds, strict=True)
    gold = [ro.NBest(n.id, n.input, n.candidates, g, extra=n.extra) for n, g in pairs]
    model.ranker = ro.fit(gold, features=[size], metric="chunk-f1", min_lists=1)
    assert [n.candidates for n in model.lists(asked, None)] == [
        n.candidates for n in model.ranker.rerank(lists)
    ]
