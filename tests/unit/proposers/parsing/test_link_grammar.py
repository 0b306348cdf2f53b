"""Link Grammar: what its program prints is read, whatever it is; the program may die or hang."""

import shutil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.data.links import links_of
from runoff.errors import FormatError, MissingExtraError, UsageError
from runoff.proposers.parsing.link_grammar import PROGRAM, LinkGrammar, _candidates
from runoff.proposers.parsing.linkages import Linkage, lay_over, read_linkages

PRINTED = """Found 2 linkages (2 had no P.P. violations)
\tLinkage 1, cost vector = (UNUSED=0 DIS=-0.45 LEN=9)
[(LEFT-WALL)(the)(dogs.n)(')(()(big.a)())(bowl[?].n)
(fell.v-d)(.)(RIGHT-WALL)]
[[0 9 0 (Xp)][0 2 -990908752 (Wd)][1 2 0 (Dmc)][2 8 1 (Ss*s)]
[9 10 0 (RW)]]
[0]

\tLinkage 2, cost vector = (UNUSED=8 DIS= 3.16 LEN=23)
[(LEFT-WALL)([the])(dogs.n)([']) ([(])]
[]
[0]

echo set to 0
"""


def test_linkages_are_read():
    first, second = read_linkages(PRINTED.replace(") (", ")("))
    assert first.words == ("the", "dogs.n", "'", "(", "big.a", ")", "bowl[?].n", "fell.v-d", ".")
    assert first.links == ((0, 2, "Wd"), (0, 9, "Xp"), (1, 2, "Dmc"), (2, 8, "Ss*s"))
    assert first[2:] == (0, -0.45, 9)
    assert second == Linkage(("[the]", "dogs.n", "[']", "[(]"), (), 8, 3.16, 23)


def test_words_without_walls_are_numbered_alike():
    text = "cost vector = (UNUSED=0 DIS= 0.00 LEN=1)\n[(we)(won.v)]\n[[0 1 0 (Sp)]]\n"
    assert next(read_linkages(text)).links == ((1, 2, "Sp"),)


@pytest.mark.parametrize("end", ["", "[(LEFT-WALL)(we)", "[(LEFT-WALL)(we)]\n[[0 2 0 (Wd)]]\n"])
def test_broken_linkages_are_refused(end):
    with pytest.raises(FormatError, match="a linkage"):
        list(read_linkages("cost vector = (UNUSED=0 DIS= 0.00 LEN=1)\n" + end))


def cut(text, places):
    """A text without what is between pairs of places."""
    for start, end in places:
        text = text[:start] + text[end:]
    return text


broken = st.lists(st.tuples(st.integers(0, 400), st.integers(0, 400)), max_size=4).map(
    lambda places: cut(PRINTED * 2, places)
)
scraps = st.sampled_from(
    [PRINTED[:120], PRINTED[120:260], "[(", ")]", "\n[[", "0 (", "é", "İ", "DIS= 1.2.3", "9" * 5000]
)


@given(st.lists(broken | scraps | st.text(max_size=9), max_size=6), st.integers(0, 4))
def test_nonsense_gives_candidates_or_says_why_there_are_none(pieces, words):
    found = _candidates("".join(pieces), ["the", "dogs", "'", "İ", "("][:words], None)
    assert len(found.candidates) + found.not_laid <= found.printed
    assert found.printed or found.problem
    for candidate in found.candidates:
        links_of(candidate.output, words)


@pytest.mark.parametrize("costs", ["DIS= 1.2.3 LEN=1", "DIS=. LEN=1", f"DIS=1 LEN={'9' * 5000}"])
def test_costs_that_are_no_numbers_are_no_linkage(costs):
    text = f"cost vector = (UNUSED=0 {costs})\n[(LEFT-WALL)(we)(won.v)]\n[[1 2 0 (Sp)]]\n"
    found = _candidates(text, ["we", "won"], None)
    assert found == ([], 0, 0, "link-parser printed no linkage")


@pytest.mark.parametrize(
    ("marked", "words", "links"),
    [
        (("the", "vote.n"), ["The", "vote"], ((1, 2, "D"),)),
        (("U.S.[!]", "vote.n"), ["U.S.", "vote"], ((1, 2, "D"),)),
        (("$", "5"), ["$5"], ()),  # both are one of our words
        (("didn't.v-d", "[win]"), ["did", "n't", "win"], ((1, 3, "D"),)),
        (("vote[~].n", "x"), ["veto", "x"], None),
        (("a", "b"), ["a", "b", "c"], None),
        (("5.n", "b"), ["5.n", "b"], ((1, 2, "D"),)),
        (("[", "]"), ["[", "]"], ((1, 2, "D"),)),
        (("İ", "İ.n"), ["İ", "İ"], ((1, 2, "D"),)),  # two letters in lower case
    ],
)
def test_links_are_laid_over_words(marked, words, links):
    assert lay_over(Linkage(marked, ((1, 2, "D"),), 0, 0.0, 1), words) == links


def program(folder, text):
    """A program that takes the place of link-parser."""
    path = folder / "link-parser"
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)
    return str(path)


def test_a_program_that_dies_is_started_again(tmp_path):
    counted = tmp_path / "starts"
    text = f"echo x >> {counted}\nread line\nexit 3\n"
    with LinkGrammar(program=program(tmp_path, text)) as grammar:
        for _ in range(2):
            assert grammar.propose(["We", "won"]) == ([], 0, 0, "link-parser ended by itself")
    assert counted.read_text() == "x\nx\n"


def test_a_program_that_hangs_is_stopped(tmp_path):
    with LinkGrammar(program=program(tmp_path, "exec sleep 1000\n"), seconds=0) as grammar:
        found = grammar.propose(["We", "won"])
        assert found.problem == "link-parser took too long and was stopped"
        assert grammar._child is None


LINKED = """cost vector = (UNUSED=0 DIS= 0.00 LEN=1)
[(LEFT-WALL)(we)(won.v)]
[[1 2 0 (Sp)]]
[0]"""


@pytest.mark.parametrize(
    ("end", "problem"),
    [
        ("exec sleep 1000", "link-parser took too long and was stopped"),
        ("kill -9 $$", "link-parser ended by itself"),
        (
            "printf 'cost vector = (UNUSED=0 DIS= 1.0 LEN=1)\\n[(LEF'; kill -9 $$",
            "link-parser ended",
        ),
    ],
)
def test_what_was_printed_before_the_program_was_killed_is_kept(tmp_path, end, problem):
    fake = program(tmp_path, f"cat <<'END'\n{LINKED}\nEND\n{end}\n")
    with LinkGrammar(program=fake, seconds=1) as grammar:
        found = grammar.propose(["We", "won"])
    assert [one.output for one in found.candidates] == [[[1, 2, "Sp"]]]
    assert found.problem.startswith(problem)


def test_a_program_that_does_not_read_is_stopped(tmp_path):
    with LinkGrammar(program=program(tmp_path, "exec sleep 1000\n"), seconds=0) as grammar:
        found = grammar.propose(["word" * 1000] * 200)  # more than a pipe holds
    assert found.problem == "link-parser took too long and was stopped"


def test_a_program_that_prints_nonsense_is_reported(tmp_path):
    nonsense = "echo 'cost vector = (UNUSED=0 DIS= 1 LEN=2) \\377 [('"
    text = f"{nonsense}\nread a\nread b\necho 'echo set to 0'\ncat\n"
    with LinkGrammar(program=program(tmp_path, text)) as grammar:
        assert "did not print to its end" in grammar.propose(["We", "won"]).problem


def test_a_missing_program_is_named():
    with pytest.raises(MissingExtraError, match="needs the program 'no-such-parser'") as error:
        LinkGrammar(program="no-such-parser").propose(["We", "won"])
    assert "link-grammar" in error.value.hint


def test_an_empty_word_is_refused():
    with pytest.raises(UsageError, match="a word of the sentence is empty"):
        LinkGrammar().propose(["We", " "])


@pytest.mark.skipif(shutil.which(PROGRAM) is None, reason="link-parser is not installed")
def test_the_real_program_answers_and_runs_no_commands():
    with LinkGrammar() as grammar:
        won = grammar.propose(["We", "won", "."])
        assert won.candidates[0].output == [[0, 1, "Wd"], [0, 2, "WV"], [0, 3, "Xp"], [1, 2, "Sp"]]
        logprobs = [one.logprob for one in won.candidates]
        assert logprobs == sorted(logprobs, reverse=True)
        asked = grammar.propose(["!file", "/etc/passwd"])
        assert (asked.problem, asked.not_laid) == (None, 0)
        assert grammar.propose(["%", "votes"]).printed > 0


@pytest.mark.skipif(shutil.which(PROGRAM) is None, reason="link-parser is not installed")
def test_the_real_program_ends_with_a_sentence_of_200_words():
    words = "the dog saw the cat and the old vote of a man near".split() * 16
    assert len(words) > 200
    with LinkGrammar(seconds=1) as grammar:
        found = grammar.propose(words)
        assert found.candidates or found.problem
        assert grammar.propose(["We", "won", "."]).candidates
