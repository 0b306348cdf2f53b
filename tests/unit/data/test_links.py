"""Links and dependencies: what is read, what is refused, how it is drawn."""

import pytest

from runoff.data.link_drawing import draw_links
from runoff.data.links import Linked, links_of, read_dependencies
from runoff.errors import FormatError, UsageError

TABLE = """# newdoc id = d1
1\tWe\twe\tPRON\tPRP\t_\t2\tnsubj\t_\t_
2\twon\twin\tVERB\tVBD\t_\t0\troot\t_\t_
2.1\tempty\t_\t_\t_\t_\t_\t_\t_\t_

1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\t_
1\tDo\tdo\tAUX\tVB\t_\t0\troot\t_\t_
2\tn't\tnot\tPART\tRB\t_\t1\tneg\t_\t_
"""


def test_dependencies_become_links(tmp_path):
    file = tmp_path / "a.conllu"
    file.write_text(TABLE)
    first, second = read_dependencies(file)
    assert first == Linked(("We", "won"), [(0, 2, "root"), (1, 2, "nsubj")], "d1")
    assert second == Linked(("Do", "n't"), [(0, 1, "root"), (1, 2, "neg")], "d1")


@pytest.mark.parametrize(
    ("old", "new", "match"),
    [
        ("\t2\tnsubj", "\t7\tnsubj", "2: '7' is no word of the sentence"),
        ("\t2\tnsubj", "\tx\tnsubj", "2: 'x' is no word"),
        ("\t2\tnsubj", "\t1\tnsubj", "2: a word is its own head"),
        ("2\twon", "3\twon", "3: expected ten columns"),
    ],
)
def test_broken_dependencies_are_refused(tmp_path, old, new, match):
    file = tmp_path / "a.conllu"
    file.write_text(TABLE.replace(old, new, 1))
    with pytest.raises(FormatError, match=match):
        list(read_dependencies(file))


@pytest.mark.parametrize("value", ["ab", [[1, 2]], [[2, 1, "S"]], [[-1, 1, "S"]], [[0, 1, 2]], 7])
def test_what_is_no_links_is_refused(value):
    with pytest.raises(UsageError, match="expected links such as"):
        links_of(value)


def test_a_link_beyond_the_last_word_is_refused():
    with pytest.raises(UsageError, match="goes to word 3, but the sentence has 2"):
        links_of([[1, 3, "S"]], 2)


def test_crossing_links_and_wide_letters_are_drawn():
    drawn = draw_links(["选", "b", "c", "d"], [(1, 3, "A"), (2, 4, "B")])
    assert drawn == ["    ┌─B─┐", "  ┌─A─┐ │", " 选 b c d"]
    assert draw_links(["a"], []) == [" a"]
