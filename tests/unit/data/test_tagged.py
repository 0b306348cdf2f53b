"""Column files: tagged sentences with documents, and candidates in columns or CRF++ blocks."""

import math

import pytest

from runoff.data.formats import read_nbest, write_nbest
from runoff.data.nbest import Candidate, NBest
from runoff.data.sentence import Document, Sentence
from runoff.data.tagged import read_documents, read_tagged, write_tagged
from runoff.errors import FormatError

PLAIN = "#\tO\tO\tB\na b\tB\tI\tB\n\nx\t_\tO\n\n"
CRF = (
    "# 0 0.5\n# # O O\nunit NN I I\n\n# 1 0.25\n# # O B\nunit NN I I\n\n\n"
    "# 0 1\n-DOCSTART- -X- O O\n\n"
)


def file_of(text, tmp_path, name="a.conll"):
    path = tmp_path / name
    path.write_text(text)
    return path


def test_plain_columns_are_candidates(tmp_path):
    assert list(read_nbest(file_of(PLAIN, tmp_path))) == [
        NBest(None, ["#", "a b"], [Candidate(["O", "I"]), Candidate(["B", "B"])], ["O", "B"]),
        NBest(None, ["x"], [Candidate(["O"])]),
    ]


def test_plain_columns_are_written_back(tmp_path):
    copy = tmp_path / "b.conll"
    write_nbest(read_nbest(file_of(PLAIN, tmp_path)), copy)
    assert copy.read_text() == PLAIN


def test_crf_blocks_are_candidates(tmp_path):
    first, second = read_nbest(file_of(CRF, tmp_path))
    assert (first.input, first.gold) == (["#", "unit"], ["O", "I"])
    assert first.extra == {"columns": [["#", "NN"]]}
    assert first.candidates == [
        Candidate(["O", "I"], math.log(0.5)),
        Candidate(["B", "I"], math.log(0.25)),
    ]
    assert second.input == ["-DOCSTART-"]


WRONG = [
    ("a\tO\n", "1: expected a word, its gold tag and the tags of at least one candidate"),
    ("a\tO\tO\nb\tO\n", "2: expected 3 columns, found 2"),
    ("a\t\tO\n", "1: an empty column"),
    ("# 0 0.5\na O O\n\n# 2 0.1\na O O\n", "4: expected candidate 1 of the sentence, found 2"),
    (
        "# 0 0.5\na O O\n\nb O O\n",
        "4: expected `# rank probability` and then the words of the sentence",
    ),
    ("# 0 0.5\n", "1: expected `# rank probability` and then the words of the sentence"),
    ("# 0 0.0\na O O\n", "1: a probability must be positive, not 0"),
    (
        "# 0 0.5\na O O\n\n# 1 0.5\nb O O\n",
        "5: the candidate has other words or columns than the sentence's first one",
    ),
]


@pytest.mark.parametrize(("text", "problem"), WRONG)
def test_wrong_candidates_say_what_and_where(text, problem, tmp_path):
    path = file_of(text, tmp_path)
    with pytest.raises(FormatError) as caught:
        list(read_nbest(path))
    assert caught.value.message == f"{path}:{problem}"


@pytest.mark.parametrize(
    "nbest",
    [
        NBest(None, "a b", [Candidate(["O", "O"])]),
        NBest(None, ["a"], [Candidate(["O", "O"])]),
        NBest(None, ["a"], [Candidate(["O"])], ["O", "O"]),
        NBest(None, ["a"], [Candidate([""])]),
        NBest(None, ["a\tb"], [Candidate(["O"])]),
        NBest(None, [], [Candidate([])]),
    ],
)
def test_what_columns_cannot_hold_is_not_written(nbest, tmp_path):
    with pytest.raises(FormatError, match="list 1"):
        write_nbest([nbest], tmp_path / "a.conll")
    assert list(tmp_path.iterdir()) == []


TAGGED = (
    "no\tDT\n\n-DOCSTART-\td1\tnews\n\n#\t#\nvote\tNN\n\t\nso\tRB\n\n"
    "-DOCSTART-\td2\nyes\tUH\n-DOCSTART- -X-\na b\n"
)


def test_tagged_sentences_know_their_document(tmp_path):
    sentences = list(read_tagged(file_of(TAGGED, tmp_path)))
    assert [(s.words, s.gold, s.document) for s in sentences] == [
        (("no",), ("DT",), None),
        (("#", "vote"), ("#", "NN"), "d1"),
        (("so",), ("RB",), "d1"),
        (("yes",), ("UH",), "d2"),
        (("a",), ("b",), "3"),
    ]


def test_documents_are_groups_of_sentences(tmp_path):
    documents = list(read_documents(file_of(TAGGED, tmp_path)))
    assert [(d.id, d.note, len(d)) for d in documents] == [
        (None, "", 1),
        ("d1", "news", 2),
        ("d2", "", 1),
        ("3", "", 1),
    ]
    assert [s for d in documents for s in d] == list(read_tagged(file_of(TAGGED, tmp_path)))


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("a", Sentence(("a",))),
        ("a X", Sentence(("a",), gold=("X",))),
        ("a X Y", Sentence(("a",), ("X",), ("Y",))),
        ("a X Y Z", Sentence(("a",), ("X",), ("Z",))),
    ],
)
def test_columns_are_words_tags_and_gold(line, sentence, tmp_path):
    assert list(read_tagged(file_of(line, tmp_path))) == [sentence]


def test_tags_without_gold_would_be_read_as_gold(tmp_path):
    with pytest.raises(FormatError, match="parts of speech only where it has gold"):
        write_tagged([Sentence(("a",), ("X",))], tmp_path / "a.tsv")


def test_notes_of_documents_are_written(tmp_path):
    document = Document("d1", (Sentence(("a",), gold=("X",), document="d1"),), "news")
    write_tagged([document], tmp_path / "a.tsv")
    assert list(read_documents(tmp_path / "a.tsv")) == [document]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a\tb\n\nc\td\ne\n", "4: expected 2 columns, found 1"),
        ("a\tb\n\nc\td\te\n", "3: expected 2 columns, found 3"),
        ("a\t\n", "1: an empty column"),
    ],
)
def test_uneven_columns_name_the_line(text, problem, tmp_path):
    path = file_of(text, tmp_path)
    with pytest.raises(FormatError) as caught:
        list(read_tagged(path))
    assert str(caught.value) == f"{path}:{problem}"


def test_a_word_that_begins_like_a_byte_order_mark_comes_back(tmp_path):
    sentence = Sentence(("\ufeffa",), gold=("B",))
    write_tagged([sentence], tmp_path / "a.tsv")
    assert list(read_tagged(tmp_path / "a.tsv")) == [sentence]
    nbest = NBest(None, ["\ufeff"], [Candidate(["B"])])
    write_nbest([nbest], tmp_path / "a.conll")
    assert list(read_nbest(tmp_path / "a.conll")) == [nbest]


@pytest.mark.parametrize("word", ["", "\t", "a\nb", "-DOCSTART-", "-DOCSTART- x", "a b", "\ud800"])
def test_words_that_would_not_come_back_are_not_written(word, tmp_path):
    with pytest.raises(FormatError, match="a column file cannot hold"):
        write_tagged([Sentence((word,))], tmp_path / "a.tsv")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("file", "sentences", "tokens"),
    [("train.tsv.gz", 8936, 211_727), ("test.tsv.gz", 2012, 47_377)],
)
def test_the_chunking_corpus_has_its_official_size(data, file, sentences, tokens):
    read = list(read_tagged(data / "conll2000" / file))
    assert len(read) == sentences
    assert sum(len(sentence.words) for sentence in read) == tokens


def test_a_sentence_of_more_than_a_million_lines_is_a_broken_file(tmp_path):
    path = tmp_path / "votes.tsv"
    path.write_bytes(b"a\tO\n\n" + b"b\tO\n" * ((1 << 20) + 1))
    with pytest.raises(FormatError, match="votes.tsv:3: a sentence of more than 1,048,576 words"):
        list(read_tagged(path))
