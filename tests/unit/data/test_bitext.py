import pytest

from runoff.data.bitext import SentencePair, parse_links, read_bitext, read_links, write_links
from runoff.data.limits import Limit
from runoff.errors import FormatError, TooLongError


@pytest.fixture
def files(tmp_path):
    def write(source, target):
        (tmp_path / "en").write_text(source)
        (tmp_path / "de").write_text(target)
        return tmp_path / "en", tmp_path / "de"

    return write


def test_pairs_are_read(files):
    found = list(read_bitext(*files("a | vote\n\nyes\n", "eine Stimme\nleer\n\n")))
    assert found == [(["a", "|", "vote"], ["eine", "Stimme"]), ([], ["leer"]), (["yes"], [])]


def test_uneven_files_are_rejected(files):
    with pytest.raises(FormatError, match=r"en: ends after 1 lines, but .*de goes on"):
        list(read_bitext(*files("a\n", "b\nc\n")))
    with pytest.raises(FormatError, match=r"de: ends after 0 lines"):
        list(read_bitext(*files("a\n", "")))


def test_long_sentences_are_errors_or_skipped(files):
    given = files("a\na b c\n", "x\ny\n")
    with pytest.raises(TooLongError, match="en:2: a sentence of more than 2 words"):
        list(read_bitext(*given, limit=Limit(2)))
    said = []
    assert list(read_bitext(*given, limit=Limit(2, said.append)))[1] == ([], [])
    assert len(said) == 1


PAIRS = [SentencePair(["a", "b"], ["x"]), SentencePair([], ["y"])]


def test_links_are_written_and_read(tmp_path):
    write_links([[(1, 0), (0, 0)], []], tmp_path / "links")
    assert (tmp_path / "links").read_text() == "0-0 1-0\n\n"
    assert [sorted(own.sure) for own in read_links(tmp_path / "links", PAIRS)] == [
        [(0, 0), (1, 0)],
        [],
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("0-0\n0-0\n", "links:2: the link 0-0 lies outside sentences of 0 and 1 words"),
        ("2-0\n\n", "links:1: the link 2-0 lies outside sentences of 2 and 1 words"),
        ("0-0\n", "links: ends after 1 lines, but there are more sentences"),
        ("0-0\n\n\n", "links:3: there are only 2 sentences"),
        ("0:0\n\n", "links:1: not a link: '0:0'"),
        ("0-99999999999\n\n", "links:1: not a link"),
    ],
)
def test_broken_links_are_rejected_with_their_line(tmp_path, text, problem):
    (tmp_path / "links").write_text(text)
    with pytest.raises(FormatError, match=problem):
        list(read_links(tmp_path / "links", PAIRS))


def test_sure_and_possible_links():
    found = parse_links("1-1 2p1 2?3", first=1)
    assert found.sure == {(0, 0)}
    assert found.possible == {(0, 0), (1, 0), (1, 2)}
    with pytest.raises(FormatError, match="words are counted from 1: '0-1'"):
        parse_links("0-1", first=1)
