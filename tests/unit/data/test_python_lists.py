"""What Python people have is taken as lists: dicts, tuples, texts, frames, generators."""

from pathlib import Path

import pytest

import runoff as ro
from runoff.data.frames import frame_columns
from runoff.data.lists import as_files, open_lists
from runoff.errors import FormatError, UsageError

TEXTS = [ro.Candidate("ice cream"), ro.Candidate("I scream")]
PAIRS = [ro.Candidate("ice cream", -1.0), ro.Candidate("I scream", -2.0)]
FORMS = {
    "texts": (["ice cream", "I scream"], [ro.NBest(candidates=TEXTS)]),
    "pairs": ([("ice cream", -1.0), ("I scream", -2)], [ro.NBest(candidates=PAIRS)]),
    "candidates": (PAIRS, [ro.NBest(candidates=PAIRS)]),
    "several": ([["ice cream", "I scream"]] * 2, [ro.NBest(candidates=TEXTS)] * 2),
    "tuples": (
        (("ice cream", "I scream"), PAIRS),
        [ro.NBest(candidates=TEXTS), ro.NBest(candidates=PAIRS)],
    ),
    "generator": (
        ((text, -1.0 - n) for n, text in enumerate(["ice cream", "I scream"])),
        [ro.NBest(candidates=PAIRS)],
    ),
    "one": (ro.NBest("a", None, TEXTS), [ro.NBest("a", None, TEXTS)]),
    "dict": (
        {"prompt": "x", "completions": ["ice cream", "I scream"]},
        [ro.NBest(None, "x", TEXTS)],
    ),
    "dicts": (
        [{"utt": "a", "hyp": "ice cream", "logprob": -1}, {"utt": "a", "hyp": "I scream",
         "logprob": -2.0}], [ro.NBest("a", None, PAIRS)],
    ),
    "dicts as candidates": (
        [[{"text": "ice cream", "logprob": -1}, ("I scream", -2.0)]],
        [ro.NBest(candidates=PAIRS)],
    ),
    "nothing": ([], []),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_taken(form):
    given, expected = FORMS[form]
    assert list(open_lists(given)) == expected


@pytest.mark.parametrize("wrong", [42, [42], [["a", 42]], [{"a": 1}, 5], [b"x"]])
def test_what_is_no_list_is_an_error_of_ours(wrong):
    with pytest.raises((UsageError, FormatError)):
        list(open_lists(wrong))


def test_paths_are_files_and_texts_are_not(tmp_path):
    for name in ("a.tsv", "b.tsv"):
        (tmp_path / name).write_text("-1\tyes\n")
    assert len(list(open_lists([tmp_path / "a.tsv", tmp_path / "b.tsv"]))) == 2
    assert len(list(as_files(str(tmp_path / "*.tsv")))) == 2
    assert next(open_lists(["a.tsv"])).candidates[0].output == "a.tsv"


def columns():
    return {
        "utt": ["a", "a", "b"],
        "hyp": ["ice cream", "I scream", "yes"],
        "logprob": [-1.0, -2.0, -0.5],
        "lm": [1.5, None, 2.5],
    }


EXPECTED = [
    ro.NBest("a", None, [ro.Candidate("ice cream", -1.0, features={"lm": 1.5}), PAIRS[1]]),
    ro.NBest("b", None, [ro.Candidate("yes", -0.5, features={"lm": 2.5})]),
]


@pytest.mark.parametrize(
    ("library", "maker"), [("pyarrow", "table"), ("pandas", "DataFrame"), ("polars", "DataFrame")]
)
def test_frames_of_every_library_are_lists(library, maker):
    module = pytest.importorskip(library)
    frame = getattr(module, maker)(columns())
    assert ro.from_frame(frame) == list(open_lists(frame)) == EXPECTED
    renamed = getattr(module, maker)({{"hyp": "said"}.get(k, k): v for k, v in columns().items()})
    assert ro.from_frame(renamed, "output=said") == EXPECTED


def test_anything_that_speaks_arrow_is_a_frame():
    pyarrow = pytest.importorskip("pyarrow")

    class Stream:
        def __arrow_c_stream__(self, requested_schema=None):
            return pyarrow.table(columns()).__arrow_c_stream__(requested_schema)

    assert frame_columns(Stream()) == columns()
    assert ro.from_frame(Stream()) == EXPECTED
    with pytest.raises(UsageError, match="expected a data frame of pandas, polars or pyarrow"):
        ro.from_frame([1, 2])


@pytest.mark.parametrize("library", ["arrow", "pandas", "polars"])
def test_lists_become_a_frame_and_come_back(library):
    pytest.importorskip({"arrow": "pyarrow"}.get(library, library))
    frame = ro.to_frame(EXPECTED, library)
    assert ro.from_frame(frame) == EXPECTED
    with pytest.raises(UsageError, match="unknown library 'excel'"):
        ro.to_frame(EXPECTED, "excel")


LISTS = [{"id": i, "candidates": ["ice cream", "I scream"], "gold": "I scream"} for i in range(4)]


def test_the_verbs_take_dictionaries_and_a_service_one_list():
    reranker = ro.fit(LISTS, metric="wer")
    assert reranker.best(["ice cream", "I scream"]) == "I scream"
    given = [{"text": "ice cream"}, {"text": "I scream"}]
    assert reranker.best(given) is given[1]
    reranked = list(ro.rerank(reranker, (dict(one) for one in LISTS)))
    assert [one.candidates[0].output for one in reranked] == ["I scream"] * 4
    both = ro.evaluate(reranked, ["wer", "cer"])
    assert both["wer"].figures["picked"] == ro.evaluate(reranked, "wer").figures["picked"]
    assert "wer|unit:word" in str(both)
    assert "cer|unit:character" in both._repr_html_()


def test_reasons_print_as_a_table_that_adds_up():
    reranker = ro.fit(LISTS, metric="wer")
    reasons = ro.why(reranker, LISTS, id=2)
    assert str(reasons) == str(ro.why(reranker, LISTS[1]))
    first, second, _, head, *rows = str(reasons).split("\n")
    assert (first, second) == ("winner  I scream", "rival   ice cream  (rank 1)")
    assert head.split() == ["feature", "winner", "rival", "weight", "contribution"]
    terms = [float(row.split()[-1]) for row in rows]
    assert sum(terms[:-1]) == pytest.approx(terms[-1], abs=0.2)  # figures are rounded
    with pytest.raises(UsageError, match="several lists to explain"):
        ro.why(reranker, LISTS)


def test_what_things_are_is_said_in_a_line():
    reranker = ro.fit(LISTS, metric="wer")
    assert repr(reranker).startswith("Reranker(auto, ")
    assert repr(reranker).endswith("fitted to 4 lists for wer|unit:word)")
    html = ro.NBest("<a>", None, [ro.Candidate("<b>", -1.0)])._repr_html_()
    assert "&lt;a&gt;" in html
    assert "<td>&lt;b&gt;</td><td>-1.0</td>" in html


def test_a_file_name_may_be_a_path(tmp_path):
    path = Path(tmp_path, "a.jsonl")
    ro.write_nbest([ro.NBest("a", None, TEXTS)], path)
    assert len(list(open_lists(path))) == 1


def test_a_broken_candidate_among_dictionaries_is_named_by_its_place():
    with pytest.raises(FormatError, match=r"candidates\[1\]\.logprob.*expected a number"):
        list(open_lists([[{"output": "a"}, {"output": "b", "logprob": "high"}]]))
