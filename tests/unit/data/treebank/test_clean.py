import gzip
from itertools import zip_longest

import pytest

from runoff.data.tree import Tree
from runoff.data.treebank.clean import (
    WSJ_PARTS,
    clean_tree,
    read_treebank,
    read_wsj,
    without_mixed_labels,
)
from runoff.errors import FormatError, UsageError


def cleaned(text, **options):
    tree = clean_tree(Tree.parse(text), **options)
    assert tree is None or tree == Tree.parse(str(tree))
    return None if tree is None else str(tree)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("( (S (NP-SBJ=2 (PRP we)) (VP-1 (VBD won))))", "(TOP (S (NP (PRP we)) (VP (VBD won))))"),
        ("(S1 (NP (PRP$ our) (NN vote)))", "(TOP (NP (PRP$ our) (NN vote)))"),
        ("(ROOT (NP (NN vote)))", "(TOP (NP (NN vote)))"),
        ("(S (NP (NN vote)))", "(TOP (S (NP (NN vote))))"),
        ("(NN vote)", "(TOP (NN vote))"),
        ("(TOP vote)", "(TOP vote)"),
        ("( (S (A a)) (S (B b)))", "(TOP (S (A a)) (S (B b)))"),
        ("( (S (NP (NP (-NONE- *T*)) (PP (-NONE- *))) (VP (VB go))))", "(TOP (S (VP (VB go))))"),
        ("( (S (CODE (SYM p.) (CD 4)) (NN a)))", "(TOP (S (NN a)))"),
        ("( (S ( (NN a)) (NN b)))", "(TOP (S (NN a) (NN b)))"),
        ("( (NP (DT a) (NN b c)))", "(TOP (NP (DT a) (NN b) (NN c)))"),
        ("( (NP (NN a) b (NN c)))", "(TOP (NP (NN a) b (NN c)))"),
        ("( (PRN (-LRB- -LRB-) (-LSB- [)))", "(TOP (PRN (-LRB- -LRB-) (-LSB- [)))"),
        ("( (S (: --) (HYPH -) (-- -) (= =)))", "(TOP (S (: --) (HYPH -) (-- -) (= =)))"),
        ("( (NP (NP (NN a))))", "(TOP (NP (NP (NN a))))"),
    ],
)
def test_clean_trees(text, expected):
    assert cleaned(text) == expected
    assert cleaned(expected) == expected


@pytest.mark.parametrize("text", ["()", "( (CODE (SYM x)))", "(S (NP (-NONE- *)))", "(S (X))"])
def test_nothing_is_left(text):
    assert cleaned(text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(NP (NP (NP-SBJ (NN a) (NN b))))", "(TOP (NP (NN a) (NN b)))"),
        ("(NP (NP (NN a)) (NP (NN b)))", "(TOP (NP (NP (NN a)) (NP (NN b))))"),
        ("(NP (NP (NN a)) (PP (-NONE- *)))", "(TOP (NP (NN a)))"),
        ("(NP (NP (NN a)) b)", "(TOP (NP (NP (NN a)) b))"),
        ("(NP (VP (NP (NN a))))", "(TOP (NP (VP (NP (NN a)))))"),
    ],
)
def test_phrases_in_a_phrase_of_the_same_label(text, expected):
    assert cleaned(text, same_unaries=False) == expected


def test_deep_trees():
    deep = Tree.parse("(NP " * 50_000 + "(NN a)" + ")" * 50_000)
    assert cleaned(str(deep), same_unaries=False) == "(TOP (NP (NN a)))"
    assert clean_tree(deep).words == ("a",)


@pytest.fixture
def wsj(tmp_path):
    for section in (*range(2, 25), 0):
        folder = tmp_path / "combined" / "WSJ" / f"{section:02}"
        folder.mkdir(parents=True)
        for number in (2, 1):
            name = f"wsj_{section:02}{number:02}.mrg"
            (folder / name).write_text(f"\n( (NP-TTL (CD {section}-{number})) )\n( (CODE x))\n")
    (tmp_path / "combined" / "readme.txt").write_text("not a tree")
    return tmp_path


def words(trees):
    return [tree.words[0] for tree in trees]


def test_sections_of_the_wall_street_journal(wsj, monkeypatch):
    assert words(read_wsj(wsj, "00")) == ["0-1", "0-2"]
    assert words(read_wsj(wsj / "combined" / "WSJ", "23")) == ["23-1", "23-2"]
    training = words(read_wsj(wsj, "train"))
    assert training == [f"{section}-{n}" for section in range(2, 22) for n in (1, 2)]
    for name in ("train-36000", "train-rest"):
        part = WSJ_PARTS[name]
        start, stop = (place and place // 1000 for place in part[1:])
        monkeypatch.setitem(WSJ_PARTS, name, part._replace(start=start, stop=stop))
    assert words(read_wsj(wsj, "train-36000")) == training[:36]
    assert words(read_wsj(wsj, "train-rest")) == training[36:]


def test_a_journal_that_is_not_whole(wsj):
    with pytest.raises(UsageError, match="unknown part 'tran'"):
        read_wsj(wsj, "tran")
    for file in (wsj / "combined" / "WSJ" / "23").iterdir():
        (file.with_name(file.name + ".gz")).write_bytes(gzip.compress(file.read_bytes()))
    with pytest.raises(FormatError, match=r"wsj_2301.mrg.gz: occurs twice; the other file is"):
        list(read_wsj(wsj, "23"))
    with pytest.raises(FormatError, match="no files such as wsj_0001.mrg in this folder"):
        list(read_wsj(wsj / "combined" / "WSJ" / "23", "00"))
    with pytest.raises(FormatError, match="no such folder"):
        list(read_wsj(wsj / "none", "00"))


def test_files_and_folders(tmp_path):
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "two.mrg").write_text("( (NN two))\n( (-NONE- *))")
    (tmp_path / "a.MRG.gz").write_bytes(gzip.compress(b"( (NN one))"))
    (tmp_path / "c.txt").write_text("(NN three)")
    assert words(read_treebank(tmp_path)) == ["one", "two"]
    assert words(read_treebank([tmp_path / "c.txt", str(tmp_path / "b")])) == ["three", "two"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(FormatError, match="empty: no .mrg files in this folder"):
        list(read_treebank(tmp_path / "empty"))
    with pytest.raises(FormatError, match="no such file"):
        list(read_treebank(tmp_path / "nothing.mrg"))


@pytest.mark.parametrize("name", ["craft/train", "craft/dev", "masc/train"])
def test_cleaning_a_real_treebank_gives_its_clean_file(data, name):
    """All trees but one of masc, where a trace without `-NONE-` stands right under NP-SBJ."""
    with gzip.open(data / f"{name}.clean.mrg.gz", "rt", encoding="utf-8") as file:
        expected = file.read().splitlines()
    got = map(str, read_treebank(data / f"{name}.orig.mrg.gz"))
    wrong = [(g, w) for g, w in zip_longest(got, expected) if g != w]
    assert all(
        w is not None and g == w.replace("(NP-SBJ *PRO*-1)", "(NP *PRO*-1)") for g, w in wrong
    )
    assert len(wrong) == (name == "masc/train")


def test_labels_stand_on_words_or_on_constituents():
    """The rarer use is a slip; of uses that are as frequent, that on words."""
    texts = [
        "(TOP (NP (NN vote)))",
        "(TOP (NP vote))",
        "(TOP (NN (NN vote)))",
        "(TOP (NP (NN vote) (PRP it)))",
    ]
    trees = [Tree.parse(text) for text in texts]
    assert without_mixed_labels(trees) == [trees[0], trees[3]]
    assert without_mixed_labels(trees[:2]) == trees[:1]
    assert without_mixed_labels([]) == []
