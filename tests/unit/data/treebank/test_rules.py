"""Rules from trees to strings as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.data.treebank.rules import Rule, RuleNode, read_rules, write_rules
from runoff.errors import FormatError

TEXT = st.text("ab()\\|->x1:被-LRB ".replace(" ", ""), min_size=1, max_size=6)
LABELS = st.text("SNPVX$.:,-", min_size=1, max_size=4)


@st.composite
def rules(draw):
    nodes, rank = [], 0

    def grow(depth):
        nonlocal rank
        for _ in range(draw(st.integers(1, 3))):
            kind = draw(st.integers(0, 2)) if depth < 4 else 1
            if kind == 0:
                nodes.append(RuleNode(draw(LABELS), depth, rank))
                rank += 1
            elif kind == 1:
                word = draw(TEXT).replace("-LRB-", "(").replace("-RRB-", ")")
                nodes.append(RuleNode(word, depth, -2))
            else:
                nodes.append(RuleNode(draw(LABELS), depth))
                grow(depth + 1)

    nodes.append(RuleNode(draw(LABELS), 0))
    grow(1)
    target = [*range(rank), *draw(st.lists(TEXT, max_size=3))]
    return Rule(tuple(nodes), tuple(draw(st.permutations(target))), draw(st.integers(1, 99)))


@given(rules())
def test_rules_are_read_as_they_are_written(rule):
    assert Rule.parse(str(rule)) == rule


def test_files_of_rules(tmp_path):
    path = tmp_path / "rules"
    path.write_text("# passives\n\nPP (IN(by) x1:NP) -> 被 x1 ||| count=3 prob=0.25\nDT(the) ->\n")
    one, other = read_rules(path)
    assert str(one) == "PP(IN(by) x1:NP) -> 被 x1 ||| count=3 prob=0.25"
    assert (other.target, other.rank, other.height, one.height) == ((), 0, 1, 2)
    write_rules([one, other], tmp_path / "again")
    assert list(read_rules(tmp_path / "again")) == [one, other]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("NP(x1:NN) x1", "there is no ` -> `"),
        ("NP(x1:NN) -> x2", "the variable x2 of the target is not in the tree"),
        ("NP(x1:NN x2:NN) -> x1", "variable 2 of the tree is missing in the target"),
        ("NP(x1:NN) -> x1 x1", "variable 1 of the tree comes twice in the target"),
        ("NP(x1:NN x1:NN) -> x1", "the variable x1 comes twice in the tree"),
        ("NP(x1:NN -> x1", "brackets of the tree do not match"),
        ("NP(x1:NN)) -> x1", "more before"),
        ("NP(x1:NN) VP(a) -> x1", "more before"),
        ("NP() -> a", "a label of a rule has nothing below it"),
        ("(a) -> a", "a bracket of a rule has no label before it"),
        ("a -> a", "a label on top"),
        (" -> a", "a rule has no tree"),
        ("NN(a) -> b ||| count=0", "'count=0' is not count=N"),
        ("NN(a) -> b ||| prob=2", "'prob=2' is not"),
        ("NN(a) -> b ||| weight=2", "'weight=2' is not"),
        (f"S({' '.join(f'x{i}:N' for i in range(1, 65))}) -> "
         + " ".join(f"x{i}" for i in range(1, 65)), "at most 63 variables"),
    ],
)  # fmt: skip
def test_what_is_no_rule_is_said_with_its_line(tmp_path, line, problem):
    path = tmp_path / "rules"
    path.write_text(f"NN(a) -> b\n{line}\n")
    with pytest.raises(FormatError) as error:
        list(read_rules(path))
    assert problem in str(error.value)
    assert str(error.value).startswith(f"{path}:2: ")
