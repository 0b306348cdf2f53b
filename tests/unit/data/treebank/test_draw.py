"""Drawings of trees, for the terminal and as SVG."""

import io
import xml.etree.ElementTree as ElementTree

import pytest
from rich.console import Console
from rich.panel import Panel

from runoff.data.tree import Tree
from runoff.data.treebank.draw import MAX_LEVELS, draw_rich, draw_text
from runoff.data.treebank.svg import COLOURS, draw_svg

SVG = "{http://www.w3.org/2000/svg}"
VOTE = Tree.parse("(S (NP (DT the) (NNS votes)) (VP (VBD came) (PRT in)) (. .))")


def drawing(text):
    return "\n".join(line.rstrip() for line in text.strip("\n").split("\n"))


def test_top_down():
    expected = """
             S
    ┌────────┴──┬──────┐
   NP          VP      │
 ┌──┴──┐      ┌─┴──┐   │
DT    NNS    VBD  PRT  .
 │     │      │    │   │
the  votes  came  in   ."""
    assert draw_text(VOTE, 30) == drawing(expected)


def test_a_narrower_gap_before_another_layout():
    width = max(map(len, draw_text(VOTE, 30).split("\n")))
    narrow = draw_text(VOTE, width - 1)
    assert narrow.split("\n")[-1].split() == list(VOTE.words)
    assert "├── " not in narrow


def test_indented():
    expected = """
S
├── NP
│   ├── DT the
│   └── NNS votes
├── VP
│   ├── VBD came
│   └── PRT in
└── . ."""
    assert draw_text(VOTE, 12) == drawing(expected)
    assert draw_text(VOTE, 0) == drawing(expected)


ODD = Tree.parse("( (NP-SBJ (X) late (NX (NX (NN vote)))))")


def test_empty_nodes_words_in_phrases_and_unary_chains():
    expected = """
     ·
     │
  NP-SBJ
┌────┼─────┐
X    │    NX
     │     │
     │    NX
     │     │
     │    NN
     │     │
   late  vote"""
    assert draw_text(ODD, 80) == drawing(expected)


def test_the_same_indented():
    expected = """
·
└── NP-SBJ
    ├── X
    ├── late
    └── NX
        └── NX
            └── NN vote"""
    assert draw_text(ODD, 0) == drawing(expected)


def test_a_label_wider_than_what_it_covers():
    expected = """
       A
    ┌──┴──┐
NP-SBJ-1  │
    │     │
   PRP    B
    │     │
    I     b"""
    assert draw_text(Tree.parse("(A (NP-SBJ-1 (PRP I)) (B b))"), 80) == drawing(expected)


def test_chinese_takes_two_columns():
    expected = """
    NP
  ┌──┴──┐
 NN    NN
  │     │
选举  投票"""
    assert draw_text(Tree.parse("(NP (NN 选举) (NN 投票))"), 10) == drawing(expected)
    assert draw_text(Tree.parse("(NP (NN 选举) (NN 投票))"), 8).startswith("NP\n├── NN 选举")


def test_full_width_letters_take_two_columns():
    wide = draw_text(Tree.parse("(NP (NN ＡＢ) (NN x))"), 80)
    assert wide.replace("ＡＢ", "abcd") == draw_text(Tree.parse("(NP (NN abcd) (NN x))"), 80)


def test_a_parent_stands_right_above_a_child_near_its_middle():
    drawn = draw_text(Tree.parse("(S (A a) (B bbbb) (C c))"), 80).split("\n")
    assert drawn[:2] == ["     S", "┌────┼───┐"]


def test_combining_marks_take_none():
    accents = draw_text(Tree.parse("(NP (FW cafe\u0301s) (NN a))"), 80)
    plain = draw_text(Tree.parse("(NP (FW cafes) (NN a))"), 80)
    assert accents.replace("\u0301", "") == plain


def test_no_character_moves_the_cursor():
    tree = Tree("NN", ["\x1b[31m", "a\x85b", "\u2028", "\x00"])
    for width in (0, 80):
        text = draw_text(tree, width)
        assert all(c.isprintable() or c == "\n" for c in text)
        assert "\ufffd[31m" in text


@pytest.mark.parametrize(("text", "expected"), [("()", "·"), ("(X)", "X"), ("(X y)", "X\n│\ny")])
def test_smallest_trees(text, expected):
    assert draw_text(Tree.parse(text), 80) == expected


def test_width_is_the_terminals(monkeypatch):
    monkeypatch.setenv("COLUMNS", "12")
    assert draw_text(VOTE) == VOTE.draw() == draw_text(VOTE, 12)
    monkeypatch.setenv("COLUMNS", "30")
    assert draw_text(VOTE) == draw_text(VOTE, 30)


def test_a_subtree_is_drawn_by_itself():
    assert draw_text(VOTE.children[0], 80) == draw_text(Tree.parse("(NP (DT the) (NNS votes))"), 80)


DEEP = Tree.parse("(X (A a) " * 5000 + "y" + ")" * 5000)


def test_deep_trees_end_in_brackets():
    for width in (100, 10**9):
        lines = draw_text(DEEP, width).split("\n")
        assert len(lines) == 2 * MAX_LEVELS + 1
        bottom = next(line for line in lines if "(" in line)
        rest = "(X (A a) " * (5000 - MAX_LEVELS) + "y" + ")" * (5000 - MAX_LEVELS)
        assert bottom == "    " * (MAX_LEVELS - 1) + "└── " + rest


def test_wide_trees():
    wide = Tree("S", [Tree("N", ["w"])] * 5000)
    assert draw_text(wide, 100) == "S\n" + "├── N w\n" * 4999 + "└── N w"
    assert draw_text(wide, 10**9).split("\n")[-1] == "  ".join(["w"] * 5000)


# Colour


def printed(renderable, **options):
    console = Console(file=io.StringIO(), **options)
    console.print(renderable)
    return console.file.getvalue()


def test_colours_on_terminals_only():
    coloured = printed(VOTE, width=80, force_terminal=True, color_system="standard", no_color=False)
    assert "\x1b[36mNP\x1b[0m" in coloured
    assert "\x1b[32mNNS\x1b[0m" in coloured
    assert "\x1b[1mvotes\x1b[0m" in coloured
    assert "\x1b" not in printed(VOTE, width=80, force_terminal=False)


def test_printed_as_wide_as_there_is_room():
    for width in (80, 18):
        lines = [line.rstrip() for line in printed(VOTE, width=width).rstrip("\n").split("\n")]
        assert "\n".join(lines) == draw_text(VOTE, width)
    inside = [line[2:-2].rstrip() for line in printed(Panel(VOTE), width=30).split("\n")[1:-2]]
    assert "\n".join(inside) == draw_text(VOTE, 26)


def test_markup_is_text():
    assert "[bold]x[/]" in printed(Tree("NN", ["[bold]x[/]"]), width=80)


def test_styles_cover_words_and_not_spaces():
    drawn = draw_rich(VOTE, 80)
    assert all(drawn.plain[span.start : span.end].strip() for span in drawn.spans)
    bold = [drawn.plain[s.start : s.end] for s in drawn.spans if s.style == "bold"]
    assert bold == list(VOTE.words)


# SVG


def test_svg_says_what_it_shows():
    root = ElementTree.fromstring(VOTE.svg())
    assert root.find(f"{SVG}title").text == "the votes came in ."
    assert root.find(f"{SVG}desc").text == str(VOTE)
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert texts == ["S", "NP", "VP", "DT", "NNS", "VBD", "PRT", ".", *VOTE.words]
    assert VOTE._repr_html_() == VOTE.svg() == draw_svg(VOTE)


def test_svg_escapes():
    root = ElementTree.fromstring(
        draw_svg(Tree("A&B", ['<script>"x"</script>', "a\x00b", "\ufffe"]))
    )
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert texts == ["A&B", '<script>"x"</script>', "a\ufffdb", "\ufffd"]


def places(tree):
    root = ElementTree.fromstring(draw_svg(tree))
    return root, [(int(t.get("x")), int(t.get("y")), t.text) for t in root.iter(f"{SVG}text")]


def test_svg_words_stand_on_one_line_in_order():
    _, marks = places(VOTE)
    words, tags = marks[-5:], marks[-10:-5]
    assert len({y for _, y, _ in words}) == len({y for _, y, _ in tags}) == 1
    assert [x for x, _, _ in words] == sorted({x for x, _, _ in words})
    assert [x for x, _, _ in words] == [x for x, _, _ in tags]
    assert words[0][1] > tags[0][1] > marks[0][1]


@pytest.mark.parametrize("tree", [VOTE, ODD, DEEP, Tree("S", ["w"] * 5000), Tree("")])
def test_svg_view_box_holds_everything(tree):
    root, marks = places(tree)
    left, top, width, height = map(int, root.get("viewBox").split())
    assert (left, top) == (0, 0)
    assert all(0 < x < width and 0 < y < height for x, y, _ in marks)
    assert len(marks) == len(tree.words) + sum(1 for _ in tree.nodes())


def luminance(colour):
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("kind", ["label", "tag", "word"])
@pytest.mark.parametrize(("background", "least"), [("#ffffff", 4.5), ("#1e1e1e", 3.5)])
def test_svg_colours_can_be_read_on_light_and_dark(kind, background, least):
    """Contrast by WCAG 2: 4.5 for text, 3 for large text."""
    pair = luminance(COLOURS[kind]), luminance(background)
    assert (max(pair) + 0.05) / (min(pair) + 0.05) >= least
