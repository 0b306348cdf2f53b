"""Trees: brackets in and out, views, limits, NLTK."""

import gzip
import pickle

import nltk
import pytest

from runoff.data.flat_tree import Flat, Span
from runoff.data.tree import Tree, parse_trees, read_trees, write_trees
from runoff.errors import FormatError

VOTE = "(S (NP (DT the) (NNS votes)) (VP (VBD came) (PRT in)) (. .))"


@pytest.fixture
def tree():
    return Tree.parse(VOTE)


def written(path, data):
    path.write_bytes(data)
    return path


# Reading


def test_columns():
    assert Tree.parse("(NP (DT the) late (NN vote))").flat() == Flat(
        labels=("NP", "DT", "NN"),
        ends=(3, 2, 3),
        starts=(0, 0, 2),
        stops=(3, 1, 3),
        words=("the", "late", "vote"),
    )


@pytest.mark.parametrize(
    "text",
    [
        "(S (NP (DT the)\n       (NNS votes))\n   (VP (VBD came) (PRT in))\n   (. .))",
        VOTE.replace(" ", "\r\n"),
        VOTE.replace(" ", "\t"),
        VOTE.replace(" ", " \v\f "),
        VOTE.replace("(", "( ").replace(")", " )"),
        VOTE.replace(" (", "("),
        f"# header (\n%)\n  ; note\n*\n{VOTE}  # end (",
        f"\ufeff{VOTE}\n",
    ],
)
def test_layout_makes_no_difference(tree, text):
    assert Tree.parse(text) == tree


def test_outer_bracket_without_label(tree):
    outer = Tree.parse(f"( {VOTE} )")
    assert (outer.label, outer.children) == ("", (tree,))
    assert str(outer) == f"( {VOTE})"


def test_several_trees_on_a_line():
    assert [str(t) for t in parse_trees("(A a)(B b) (C c)")] == ["(A a)", "(B b)", "(C c)"]
    assert parse_trees(" \n") == []


def test_empty_nodes():
    empty = Tree.parse("(NP (X) () (NN vote))")
    assert [child.children for child in empty.children] == [(), (), ("vote",)]
    assert [child.span for child in empty.children] == [(0, 0), (0, 0), (0, 1)]
    assert str(empty) == "(NP (X) () (NN vote))"


def test_comment_signs_inside_a_tree_are_words():
    assert Tree.parse("(X # % ; *)").words == ("#", "%", ";", "*")


def test_round_brackets_are_escaped_in_words_only():
    tree = Tree.parse("(-LRB- -LRB-x-RRB-)")
    assert (tree.label, tree.words, str(tree)) == ("-LRB-", ("(x)",), "(-LRB- -LRB-x-RRB-)")


@pytest.mark.parametrize("word", ["-LRB-", "-RRB-", "-RRB(", ")LRB-", "(-RRB-", "-LRB-RRB-", "RB"])
def test_odd_bracket_words_read_as_written(word):
    assert Tree.parse(str(Tree("X", [word]))) == Tree("X", [word])


def test_escaped_and_plain_brackets_are_one_word():
    assert Tree("X", ["-LRB-"]) == Tree("X", ["("]) == Tree.parse("(X -LRB-)")


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("(S a)\n(S\n (A a)))\n", 3, "closing bracket without an opening one"),
        ("(S a)\r\n\r\n)", 3, "closing bracket without an opening one"),
        ("# one\n(S a)\n\n(S (A a)\n\n\n", 4, "the tree that starts here leaves 1 bracket open"),
        ("(S (A (B", 1, "the tree that starts here leaves 3 brackets open"),
        ("(S a)\n stray (S b)", 2, "text outside of brackets"),
        ("(S a)\n(S\n\ud800)", 3, "bytes that are not UTF-8"),
    ],
)
def test_errors_name_the_line(text, line, problem):
    with pytest.raises(FormatError) as caught:
        parse_trees(text)
    assert (caught.value.line, caught.value.problem) == (line, problem)


@pytest.mark.parametrize(("text", "found"), [("", 0), ("(A a) (B b)", 2)])
def test_parse_wants_one_tree(text, found):
    with pytest.raises(FormatError, match=f"expected one tree, found {found}"):
        Tree.parse(text)


# Files


@pytest.mark.parametrize("name", ["votes.mrg", "votes.mrg.gz"])
def test_write_and_read(tmp_path, tree, name):
    several = [tree, Tree("NN", ["票"]), Tree("-LRB-", ["("])]
    write_trees(several, tmp_path / name)
    assert list(read_trees(tmp_path / name)) == several
    data = (tmp_path / name).read_bytes()
    text = gzip.decompress(data) if name.endswith("gz") else data
    assert text.decode() == f"{VOTE}\n(NN 票)\n(-LRB- -LRB-)\n"


def test_byte_order_mark_and_windows_lines(tmp_path, tree):
    path = written(tmp_path / "votes.mrg", f"\ufeff{VOTE}\r\n\r\n{VOTE}\r\n".encode())
    assert list(read_trees(path)) == [tree, tree]


def test_trees_across_chunks(tmp_path, tree):
    path = written(tmp_path / "votes.mrg", f"{VOTE}\n".encode() * 9_000 + b"(S")  # over 500 KB
    reader = read_trees(path)
    assert all(next(reader) == tree for _ in range(9_000))
    with pytest.raises(FormatError) as caught:
        next(reader)
    assert caught.value.line == 9_001


def test_not_utf8(tmp_path):
    path = written(tmp_path / "latin.mrg", b"(S a)\n(NN caf\xe9)\n")
    with pytest.raises(FormatError) as caught:
        list(read_trees(path))
    assert str(caught.value) == f"{path}:2: bytes that are not UTF-8"


def test_truncated_gzip(tmp_path):
    whole = gzip.compress(b"".join(b"(X %d)\n" % number for number in range(1000)))
    path = written(tmp_path / "cut.mrg.gz", whole[: len(whole) // 2])
    with pytest.raises(FormatError) as caught:
        list(read_trees(path))
    assert str(caught.value) == f"{path}: the gzip stream ends too early; the file is truncated"


def test_missing_file(tmp_path):
    with pytest.raises(FormatError, match="no such file"):
        list(read_trees(tmp_path / "none.mrg"))


def test_craft_is_written_as_it_was_read(data):
    path = data / "craft" / "train.clean.mrg.gz"
    lines = [f"{tree}\n" for tree in read_trees(path)]
    assert len(lines) == 18_000
    assert "".join(lines).encode() == gzip.decompress(path.read_bytes())


# The tree itself


def test_parts(tree):
    phrase = tree.children[1]
    assert (tree.label, phrase.label, phrase.span) == ("S", "VP", Span(2, 4))
    assert (phrase.words, phrase.is_preterminal) == (("came", "in"), False)
    assert [node.label for node in phrase.nodes()] == ["VP", "VBD", "PRT"]
    assert [str(tag) for tag in tree.preterminals()][-2:] == ["(PRT in)", "(. .)"]


def test_children_are_trees_and_words_in_order():
    tree = Tree("NP", ["the", Tree("JJ", ["late"]), Tree("X"), "vote", "count"])
    assert tree.children == ("the", Tree("JJ", ["late"]), Tree("X"), "vote", "count")
    assert str(tree) == "(NP the (JJ late) (X) vote count)"


def test_a_preterminal_has_one_word_and_nothing_else():
    trees = parse_trees("(NN a) (NN a b) (NP (NN a)) (X) (NP (X) a)")
    assert [tree.is_preterminal for tree in trees] == [True, False, False, False, False]


def test_views_of_subtrees_equal_trees_of_their_own(tree):
    view, own = tree.children[1], Tree.parse("(VP (VBD came) (PRT in))")
    assert view == own
    assert hash(view) == hash(own)
    assert view.flat() == own.flat()
    assert len({view, own, tree}) == 2
    assert view != tree.children[0]


@pytest.mark.parametrize("other", ["(X (A a) b)", "(X a (A b))", "(X (A a b))", "(X (B a) (A b))"])
def test_unequal(other):
    assert Tree.parse("(X (A a) (A b))") != Tree.parse(other)


def test_a_tree_is_not_its_text(tree):
    assert tree != VOTE
    assert tree != tree.flat()


def test_repr_reads_back(tree):
    assert eval(repr(tree)) == tree


@pytest.mark.parametrize("name", ["label", "words", "span", "children", "colour"])
def test_immutable(tree, name):
    with pytest.raises(AttributeError):
        setattr(tree, name, "x")
    assert str(tree) == VOTE


def test_a_pickled_view_leaves_the_rest_behind(tree):
    copied = pickle.loads(pickle.dumps(tree.children[0]))
    assert copied == tree.children[0]
    assert b"came" not in pickle.dumps(tree.children[0])


@pytest.mark.parametrize(
    ("label", "children", "error", "problem"),
    [
        ("N P", [], ValueError, "whitespace or a bracket in the label 'N P'"),
        ("NP(", [], ValueError, "whitespace or a bracket in the label"),
        ("NN", ["a\tb"], ValueError, "whitespace or a bracket in the word"),
        ("NN", [""], ValueError, "a word cannot be empty"),
        ("", ["vote"], ValueError, "a node without a label cannot begin with a word"),
        ("NN", ["\ud800"], ValueError, "cannot be written as UTF-8"),
        (None, [], TypeError, "a label is text, not NoneType"),
        ("NN", [7], TypeError, "a word is text, not int"),
        ("NN", "vote", TypeError, "not the text 'vote'"),
    ],
)
def test_constructor_refuses(label, children, error, problem):
    with pytest.raises(error, match=problem.replace("(", r"\(")):
        Tree(label, children)


# Deep and wide

SIZE = 100_000


@pytest.mark.parametrize(
    "text",
    [
        "(X " * (SIZE - 1) + "(X y" + ")" * SIZE,
        "(S " + " ".join(["(NN vote)"] * SIZE) + ")",
        "(S " + " ".join(["vote"] * SIZE) + ")",
    ],
    ids=["deep", "wide", "words"],
)
def test_size_has_no_limit(text):
    tree, again = Tree.parse(text), Tree.parse(text)
    assert str(tree) == text
    assert tree == again
    assert hash(tree) == hash(again)
    assert pickle.loads(pickle.dumps(tree)) == tree
    assert len(tree.children) == (1 if text.startswith("(X") else SIZE)
    assert Tree(tree.label, tree.children) == tree
    assert sum(1 for _ in tree.nodes()) == text.count("(")


# NLTK


def test_to_nltk_and_back(tree):
    other = tree.to_nltk()
    assert other == nltk.Tree.fromstring(VOTE)
    assert Tree.from_nltk(other) == tree
    assert tree.children[1].to_nltk() == nltk.Tree.fromstring("(VP (VBD came) (PRT in))")


def test_nltk_keeps_penn_brackets():
    text = "(NP (-LRB- -LRB-) (NN vote) (-RRB- -RRB-))"
    other = nltk.Tree.fromstring(text)
    assert Tree.from_nltk(other) == Tree.parse(text)
    assert Tree.parse(text).to_nltk() == other


def test_nltk_5000_deep():
    tree = Tree.parse("(X (A a) " * 5000 + "y" + ")" * 5000)
    node, depth = tree.to_nltk(), 1
    while not isinstance(node[-1], str):
        node, depth = node[-1], depth + 1
    assert depth == 5000
    assert Tree.from_nltk(tree.to_nltk()) == tree


@pytest.mark.parametrize("leaf", [("vote", "NN"), None, 7])
def test_nltk_leaves_are_text(leaf):
    with pytest.raises(TypeError, match=f"a word is text, not {type(leaf).__name__}"):
        Tree.from_nltk(nltk.Tree("NP", [leaf]))


def test_from_nltk_wants_a_tree():
    with pytest.raises(TypeError, match=r"expected an nltk\.Tree, not str"):
        Tree.from_nltk("(NN vote)")


def test_children_are_reached_by_their_places():
    tree = Tree.parse("(S (NP (DT the) (NN vote)) (VP (VBD was)))")
    assert len(tree) == 2
    assert [child.label for child in tree] == ["NP", "VP"]
    assert tree[0].label == "NP"
    assert tree[0, 1].words == ("vote",)
    assert tree[0, 1, 0] == "vote"
    assert [child.label for child in tree[::-1]] == ["VP", "NP"]
    assert tree[()] == tree
    assert tree.leaves() == ["the", "vote", "was"]
    assert [node.label for node in tree.find("NN", "VP")] == ["NN", "VP"]
    assert Tree("X")
    with pytest.raises(IndexError, match="below the word"):
        _ = tree[0, 1, 0, 0]


def test_trees_know_their_places():
    tree = Tree.parse("(S (NP (DT the) (NN vote)) (VP (VBD was)))").placed([5, 9, 14])
    assert tree.offsets == (5, 17)
    assert tree[0].offsets == (5, 13)
    assert [node.offsets for node in tree.nodes()][-1] == (14, 17)
    again = pickle.loads(pickle.dumps(tree[1]))
    assert (again, again.offsets) == (tree[1], (14, 17))
    assert tree[1].placed(None).offsets is None
    with pytest.raises(ValueError, match="2 places for 3 words"):
        tree.placed([1, 2])
