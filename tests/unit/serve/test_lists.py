"""Lists of files: rows, filters, documents, errors."""

import pytest
from helpers.command import runoff

import runoff as ro
from runoff.data.formats import write_nbest
from runoff.errors import FormatError
from runoff.features.extract import whole_document
from runoff.serve.lists import ListFiles, Query, select
from runoff.serve.models import Models
from runoff.tasks.ranking.overview import Row


def rows(*given):
    return [
        Row(i, f"u{i}", "text", 2, before, margin, sure, 0.0, gain, 1.0)
        for i, (before, margin, sure, gain) in enumerate(given)
    ]


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        (Query(), [0, 1, 2]),
        (Query("changed"), [0, 2]),
        (Query("mended"), [0]),
        (Query("harmed"), [2]),
        (Query("unsure"), [2]),
        (Query(sort="margin"), [2, 0, 1]),
        (Query(sort="gain"), [2, 1, 0]),
        (Query(sort="confidence"), [2, 0, 1]),
        (Query(find="U1"), [1]),
        (Query(without=frozenset([0, 1])), [2]),
    ],
)
def test_rows_are_selected(query, numbers):
    found = rows((1, 2.0, 0.8, 1.0), (0, 3.0, 0.9, 0.0), (2, 0.5, 0.4, -1.0))
    assert [row.number for row in select(found, query)] == numbers


def test_without_confidences_the_smallest_margins_are_unsure():
    found = rows(*((0, float(margin), None, 0.0) for margin in range(1, 11)))
    assert [row.margin for row in select(found, Query("unsure"))] == [1.0, 2.0]


@whole_document
def elsewhere(lists):
    first = [nbest.candidates[0].output for nbest in lists]
    return [[{"seen": first.count(c.output)} for c in nbest.candidates] for nbest in lists]


def test_lists_of_a_document_are_shown_as_they_were_ranked_together(tmp_path):
    pairs = [("a", "b"), ("a", "c"), ("d", "a")]
    lists = [
        ro.NBest(f"{document}{i}", None, [ro.Candidate(x, -1.0) for x in pair], gold="a",
                 extra={"document": document})
        for document in ("one", "two") for i, pair in enumerate(pairs)
    ]  # fmt: skip
    write_nbest(lists, tmp_path / "lists.jsonl")
    ranker = ro.fit(lists, metric="exact", features=[elsewhere], min_lists=1)
    files = ListFiles(
        [str(tmp_path / "lists.jsonl")], Models({"reranker": ranker}, {"reranker": "m"})
    )
    while not files.shown()["done"]:
        pass
    ranked = ranker.rerank(lists)
    for number, nbest in enumerate(ranked):
        shown = [one.score for one in files.view(number).candidates]
        assert shown == [c.score for c in nbest.candidates]


def test_a_file_that_is_not_there_is_an_error_at_once(tmp_path):
    with pytest.raises(FormatError, match="no such file"):
        ListFiles([str(tmp_path / "nothing.jsonl")], Models())
    _, errors = runoff("serve", tmp_path / "nothing.jsonl", "--port", "0", status=2)
    assert "nothing.jsonl" in errors


def test_a_broken_line_is_said_on_the_page(tmp_path):
    path = tmp_path / "broken.jsonl"
    path.write_text('{"candidates": [{"output": "a"}]}\n{"candidates": []}\n')
    files = ListFiles([str(path)], Models())
    while not files.shown()["done"]:
        pass
    page = files.page(Query(), 0, 10)
    assert "broken.jsonl:2" in page.error
