"""What is always true of trees, their brackets and their drawings."""

import copy
import pickle
import xml.etree.ElementTree as ElementTree
from itertools import pairwise

from helpers.strategies.trees import plain_trees, scraps, trees
from hypothesis import given, settings
from hypothesis import strategies as st
from twins.brackets import TwinError, scan

from runoff import _native
from runoff.data.tree import Tree, parse_trees
from runoff.data.treebank.draw import draw_rich, draw_text
from runoff.data.treebank.svg import draw_svg


def always(*examples):
    """`given` without a clock: a busy machine is no failure."""
    return lambda test: settings(deadline=None)(given(*examples)(test))


def native(pieces):
    """The scanner's trees, or its complaint."""
    scanner, columns = _native.BracketScanner(), []
    try:
        for piece in pieces:
            columns.extend(scanner.feed(piece))
        scanner.finish()
    except ValueError as error:
        return str(error), scanner.line
    return columns


def twin(text):
    try:
        return scan(text)
    except TwinError as error:
        return error.message, error.line


def cut(text, places):
    bounds = [0, *sorted(place % (len(text) + 1) for place in places), len(text)]
    return [text[start:end] for start, end in pairwise(bounds)]


cuts = st.lists(st.integers(0, 1 << 16), max_size=8)


@always(trees())
def test_a_tree_reads_as_it_is_written(tree):
    again = Tree.parse(str(tree))
    assert again == tree
    assert hash(again) == hash(tree)
    assert str(again) == str(tree)
    assert eval(repr(tree), {"Tree": Tree}) == tree


@always(trees())
def test_a_tree_is_its_label_and_children(tree):
    for node in tree.nodes():
        assert Tree(node.label, node.children) == node
        assert node.flat() == Tree.parse(str(node)).flat()


@always(trees())
def test_copies_are_equal(tree):
    for node in tree.nodes():
        assert pickle.loads(pickle.dumps(node)) == node
        assert copy.deepcopy(node) == node


@always(trees(), trees())
def test_trees_are_equal_if_they_are_written_alike(one, other):
    assert (one == other) == (str(one) == str(other))


@always(trees())
def test_spans_lie_within_spans(tree):
    for node in tree.nodes():
        start, end = node.span
        assert node.words == tree.words[start:end]
        spans = [child.span for child in node.children if isinstance(child, Tree)]
        assert all(start <= span.start <= span.end <= end for span in spans)
        assert all(left.end <= right.start for left, right in pairwise(spans))


@always(trees())
def test_nltk_and_back(tree):
    assert Tree.from_nltk(tree.to_nltk()) == tree


@always(st.lists(trees(6), max_size=4), st.sampled_from(["", " ", "\n", "\r\n", "\n# (note\n"]))
def test_trees_in_a_row(several, between):
    assert parse_trees(between.join(map(str, several))) == several


@always(st.lists(trees(8), max_size=3), cuts)
def test_pieces_make_no_difference(several, places):
    text = "\n".join(map(str, several)).encode()
    assert native(cut(text, places)) == native([text]) == [tuple(tree.flat()) for tree in several]


@always(st.lists(trees(8), max_size=3))
def test_native_equals_twin_on_trees(several):
    text = "\n".join(map(str, several)).encode()
    assert native([text]) == twin(text)


@always(scraps, cuts)
def test_native_equals_twin_on_anything(text, places):
    assert native([text]) == native(cut(text, places)) == twin(text)


@always(trees(8), scraps, st.integers(0, 1 << 16))
def test_native_equals_twin_on_damaged_trees(tree, scrap, place):
    text = str(tree).encode()
    place %= len(text) + 1
    text = text[:place] + scrap + text[place:]
    assert native([text]) == twin(text)


def grid(drawing):
    """The cells of a drawing: two for a Chinese character, with the character in both."""
    wide = "投票选"
    rows = [[c for c in line for _ in range(2 if c in wide else 1)] for line in drawing.split("\n")]
    width = max(map(len, rows))
    return [[*row, *" " * (width - len(row))] for row in rows]


@always(plain_trees())
def test_lines_join_what_they_touch(tree):
    rows = grid(draw_text(tree, 10_000))
    for above, row, below in zip(rows, rows[1:], rows[2:], strict=False):
        for column, mark in enumerate(row):
            if mark in "│┌┐┬┼":
                assert below[column] not in " ─"
            if mark in "│┴┼":
                assert above[column] not in " ─"


@always(plain_trees())
def test_the_bottom_line_is_the_sentence(tree):
    if tree.words:
        assert draw_text(tree, 10_000).split("\n")[-1].split() == list(tree.words)


@always(plain_trees(), st.integers(1, 60))
def test_top_down_only_if_it_fits(tree, width):
    narrow, widest = draw_text(tree, width), max(map(len, grid(draw_text(tree, width))))
    across = draw_text(tree, 0)
    assert widest <= width or narrow == across
    assert not any(line != line.rstrip() for line in narrow.split("\n"))


@always(trees(), st.integers(0, 60))
def test_colours_change_no_letter(tree, width):
    assert draw_rich(tree, width).plain == draw_text(tree, width)


@always(trees())
def test_svg_is_xml_with_every_label_and_word(tree):
    root = ElementTree.fromstring(draw_svg(tree))
    texts = root.findall(".//{http://www.w3.org/2000/svg}text")
    assert len(texts) == len(tree.words) + sum(1 for _ in tree.nodes())
    assert all(text.text for text in texts)
