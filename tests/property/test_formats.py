"""What is always true of the formats: lists come back, and bytes parse or give a FormatError."""

import contextlib
import re
from pathlib import Path

import pytest
from helpers.strategies.lists import LISTS
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from runoff.data.formats import READ, WRITTEN, losses, read_nbest, write_nbest
from runoff.data.sentence import Document, Sentence
from runoff.data.tagged import read_documents, read_tagged, write_tagged
from runoff.data.text.read import read_tokenized, read_with_tags
from runoff.errors import FormatError

CALM = settings(deadline=None, suppress_health_check=list(HealthCheck))  # a busy machine is no bug


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("formats")


def test_every_format_has_a_strategy():
    assert LISTS.keys() == WRITTEN.keys() & READ.keys()


@pytest.mark.parametrize("format", LISTS)
@settings(CALM, max_examples=50)
@given(data=st.data(), zipped=st.booleans())
def test_lists_come_back(folder, format, data, zipped):
    lists = data.draw(LISTS[format])
    path = folder / f"lists.{format}{'.gz' * zipped}"
    write_nbest(lists, path, format)
    assert list(read_nbest(path, format)) == lists


@pytest.mark.parametrize("format", LISTS)
@settings(CALM, max_examples=20)
@given(data=st.data())
def test_what_comes_back_has_no_losses(format, data):
    assert losses(data.draw(LISTS[format]), format) == {}


@settings(CALM, max_examples=30)
@given(data=st.data())
def test_losses_are_what_a_format_drops(data):
    lists = data.draw(LISTS["jsonl"])
    lost = losses(lists, "tsv")
    assert lost.get("gold", 0) == sum(nbest.gold is not None for nbest in lists)
    assert lost.get("score", 0) == sum(
        any(c.score is not None for c in nbest.candidates) for nbest in lists
    )
    assert not lost.keys() & {"output", "logprob"}


PIECES = [
    b"{", b"}", b"[", b"]", b'"candidates":', b'"output":', b'"features":', b'"utts":', b'"hyp_1":',
    b":", b",", b'"', b"\\ud800", b"NaN", b"1e999", b"null", b" ||| ", b"0", b"-1.5", b"LM=", b"=",
    b"\t", b" ", b"\n", b"\r", b"#", b"# 0 0.5\n", b"qid:", b"1:2", b"(S", b")", b"2 x\n", b"_",
    b"-DOCSTART-", b"\xff", b"\x00", b"\xef\xbb\xbf", b"\x1f\x8b", b"# feature 1 x\n",
    b'"choices":', b'"text":', b'"logprobs":', b'"alternatives":', b'"segments":', b'"chosen":',
    b'"ys_log_probs":', b'"rejected":', b'"prompt":', b'"completions":', b"id,text\n", b"H-0\t-1\t",
    b"S-0\t", b"P-0\t", b"a\t-1\n", b"PAR1",
]  # fmt: skip
soup = st.lists(st.sampled_from(PIECES) | st.binary(max_size=3), max_size=30).map(b"".join)


@pytest.mark.parametrize("format", [*READ, None])
@settings(CALM, max_examples=100)
@given(data=soup | st.binary(max_size=100))
@example(data=b"[" * 100_000)
@example(data=b'{"candidates":[{"output":' + b"9" * 5000 + b"}]}")
@example(data=b"9" * 5000 + b" ||| a ||| ||| 1")
@example(data=b"1 " + b"x\n1\n" + b"(S " * 100_000)
def test_any_bytes_parse_or_give_a_format_error(folder, format, data):
    path = folder / "soup"
    path.write_bytes(data)
    with contextlib.suppress(FormatError):
        assert all(nbest.candidates for nbest in read_nbest(path, format))


@pytest.mark.parametrize("format", LISTS)
@settings(CALM, max_examples=50)
@given(data=st.data(), piece=soup)
def test_a_damaged_file_parses_or_gives_a_format_error(folder, format, data, piece):
    path = folder / "damaged"
    write_nbest(data.draw(LISTS[format]), path, format)
    sound = path.read_bytes()
    start = data.draw(st.integers(0, len(sound)))
    end = data.draw(st.integers(start, min(len(sound), start + 20)))
    path.write_bytes(sound[:start] + piece + sound[end:])
    with contextlib.suppress(FormatError):
        lists = list(read_nbest(path, format))
        write_nbest(lists, folder / "again.jsonl")
        assert list(read_nbest(folder / "again.jsonl")) == lists


@settings(CALM)
@given(data=soup)
def test_any_bytes_are_tagged_sentences_or_a_format_error(folder, data):
    path = folder / "tagged"
    path.write_bytes(data)
    with contextlib.suppress(FormatError):
        assert all(len(s) > 0 for s in read_tagged(path))


fields = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zs"]), min_size=1, max_size=4)


def documents_of(width):
    """Documents with different ids, of sentences with so many columns, as a file may have them."""

    def document(id, note, rows):
        columns = [tuple(zip(*sentence, strict=True)) for sentence in rows]
        own = (Sentence(one[0], *_tags_and_gold(one), document=id) for one in columns)
        return Document(id, tuple(own), note)

    rows = st.lists(st.tuples(*[fields] * width), min_size=1, max_size=4)
    sentences = st.lists(rows, min_size=1, max_size=3)
    one = st.builds(document, fields, st.just("") | fields, sentences)
    return st.lists(one, max_size=3, unique_by=lambda document: document.id)


def _tags_and_gold(columns):
    return (columns[1] if len(columns) > 2 else None, columns[-1] if len(columns) > 1 else None)


@settings(CALM, max_examples=50)
@given(data=st.data(), width=st.integers(1, 3))
def test_documents_come_back(folder, data, width):
    ours = data.draw(documents_of(width))
    path = Path(folder, "tagged.tsv")
    write_tagged(ours, path)
    assert list(read_documents(path)) == ours
    sentences = [sentence for document in ours for sentence in document]
    assert list(read_tagged(path)) == sentences
    write_tagged(sentences, path)
    assert list(read_tagged(path)) == sentences


inside = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"]), min_size=1)


@settings(CALM, max_examples=50)
@given(
    rows=st.lists(st.lists(st.tuples(inside, inside), min_size=1, max_size=4), max_size=4),
    mark=st.sampled_from("_/"),
)
def test_words_with_tags_come_back(folder, rows, mark):
    rows = [[(word.replace("_", "-"), re.sub("[_/]", "-", tag)) for word, tag in r] for r in rows]
    path = Path(folder, "tagged.txt")
    lines = (" ".join(mark.join(pair) for pair in row) + "\n" for row in rows)
    path.write_bytes("\n".join(lines).encode())
    found = [sentence.pairs for sentence in read_with_tags(path)]
    assert found[::2] == rows
    assert not any(found[1::2])  # the empty lines between


@settings(CALM, max_examples=50)
@given(rows=st.lists(st.lists(inside, max_size=4), max_size=4))
def test_tokenised_lines_come_back(folder, rows):
    path = Path(folder, "tokens.txt")
    path.write_bytes("".join(" ".join(row) + "\n" for row in rows).encode())
    assert [list(sentence.words) for sentence in read_tokenized(path)] == rows
