import gzip
import math

import pytest

from runoff.errors import FormatError
from runoff.ngrams.arpa import LONGEST_LINE, is_arpa, read_arpa, write_arpa
from runoff.ngrams.estimate import estimate

GOOD = """A model of ours.
\\data\\
ngram 1=4
ngram 2=2

\\1-grams:
-1\t<unk>
-99\t<s>\t-0.25
-0.5 </s>
-0.75\tvote\t-0.125

\\2-grams:
-0.25\t<s> vote
-0.125\tvote </s>

\\end\\
"""


@pytest.fixture
def file(tmp_path):
    def write(text):
        (tmp_path / "a.arpa").write_text(text)
        return tmp_path / "a.arpa"

    return write


def test_a_file_is_read(file):
    model = read_arpa(file(GOOD))
    log10 = model.word_scores(["vote", "new"]) / math.log(10)
    assert log10.tolist() == pytest.approx([-0.25, -0.125 - 1, -0.5], abs=1e-6)
    assert is_arpa(file(GOOD))
    assert not is_arpa(file("We voted.\n"))
    assert not is_arpa("no such file")


def test_a_model_is_written_and_read_back(tmp_path):
    model = estimate([["a", "vote"], ["a", "count"]], order=3).model
    write_arpa(model, tmp_path / "a.arpa.gz")
    assert gzip.decompress((tmp_path / "a.arpa.gz").read_bytes()).startswith(b"\\data\\\nngram 1=6")
    again = read_arpa(tmp_path / "a.arpa.gz")
    assert again.vocabulary.strings() == model.vocabulary.strings()
    assert again.score(["a", "count"]) == model.score(["a", "count"])


def test_an_unknown_word_may_be_missing(file):
    model = read_arpa(file(GOOD.replace("1=4", "1=3").replace("-1\t<unk>\n", "")))
    assert model.score(["new"]) / math.log(10) == pytest.approx(-0.25 - 100 - 0.5)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("-0.75\tvote", "nan\tvote", "a.arpa:10: not a weight: 'nan'"),
        ("-0.75\tvote", "inf\tvote", "a.arpa:10: not a weight: 'inf'"),
        ("-0.75\tvote", "0.75\tvote", "a.arpa:10: a log-probability is at most 0, not 0.75"),
        ("-0.75\tvote", "-0.75\tvote vote", "a.arpa:10: expected a probability, a word and"),
        ("-0.25\t<s> vote", "-0.25\t<s> boat", "a.arpa:13: the word 'boat' is not among"),
        ("-0.25\t<s> vote", "-0.25", "a.arpa:13: expected a probability, 2 words and"),
        ("ngram 2=2", "ngram 3=2", "a.arpa:4: expected the number of 2-grams"),
        ("ngram 2=2", "ngram 2=3", r"a.arpa:16: 3 2-grams were announced, found 2"),
        ("ngram 2=2", "ngram 2=1", "a.arpa:14: there are more 2-grams than the 1 announced"),
        ("\\2-grams:", "\\3-grams:", r"a.arpa:12: expected \\2-grams:"),
        ("ngram 2=2\n", "", r"a.arpa:11: expected \\end\\"),
        ("\n\\end\\", "", r"a.arpa:15: the file ends before \\end\\"),
        ("\\data\\", "", r"a.arpa:16: the file ends before \\end\\"),
        ("<s>\t-0.25", "<S>", "a.arpa: there is no 1-gram <s>"),
        ("-0.75\tvote", "-0.75\t</s>", "a.arpa:13: the word 'vote' is not among"),
        ("vote </s>", "<s> vote", "a.arpa: a 2-gram is there twice"),
        ("-0.25\t<s> vote", "x" * (LONGEST_LINE + 1), "a.arpa:13: a line of more than"),
    ],
)
def test_a_broken_file_is_rejected_with_its_line(file, old, new, problem):
    with pytest.raises(FormatError, match=problem):
        read_arpa(file(GOOD.replace(old, new, 1)))


def test_zeros_without_end_are_rejected(tmp_path):
    with gzip.open(tmp_path / "zeros.gz", "wb") as stream:
        stream.write(bytes(10 * LONGEST_LINE))
    with pytest.raises(FormatError, match=r"zeros.gz:1: a line of more than 1,048,576 bytes"):
        read_arpa(tmp_path / "zeros.gz")


def test_seven_orders_are_too_many(file):
    orders = "".join(f"ngram {n}=1\n" for n in range(2, 8))
    with pytest.raises(FormatError, match="at most 6 words, not 7"):
        read_arpa(file(GOOD.replace("ngram 2=2\n", orders)))
