"""Rules that rewrite trees as strings, as text: what a translator by trees learns, and people mend.

`VP(VBD(was) VP(x1:VBN PP(IN(by) x2:NP))) -> 被 x2 x1 ||| count=17 prob=3.2e-4`: a source tree of
any depth whose leaves are words or variables with a label, and a target string in which every
variable of the tree comes once (Huang, Knight & Joshi 2006, definition 1). Round brackets in words
are `-LRB-` and `-RRB-`; a word that looks like a variable, or begins with a backslash, has a
backslash before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from runoff.data.files import FilePath, read_text_lines, write_pieces
from runoff.data.flat_tree import escape_brackets, unescape_brackets
from runoff.errors import FormatError

LARGEST_RULE = 1 << 16
"""Characters of the longest line with a rule."""

MOST_VARIABLES = 63

_TOKEN = re.compile(r"\s*([()]|[^\s()]+)")
_LEAF = re.compile(r"x([0-9]{1,4}):(\S+)")
_VARIABLE = re.compile(r"x([0-9]{1,4})")
_SPECIAL = re.compile(r"\\|x[0-9]+(:|$)|->$|\|\|\|$")


class RuleNode(NamedTuple):
    """A node of the source tree of a rule: a label, a word, or a variable with a label.

    Parameters
    ----------
    text : the label or word.
    depth : 0 in the root.
    variable : number of the variable from the left, from 0; -1 for other labels, -2 for words.
    """

    text: str
    depth: int
    variable: int = -1

    @property
    def is_word(self) -> bool:
        """Whether this is a word of the source."""
        return self.variable == -2


@dataclass(frozen=True)
class Rule:
    """A rule from a tree to a string.

    Parameters
    ----------
    nodes : of the source tree in preorder, variables numbered from the left.
    target : words, and numbers of variables.
    count : how often it was seen.
    prob : its share among the rules with the same root label, if that is known.

    Examples
    --------
    >>> rule = Rule.parse("VP(VBD(was) VP(x2:VBN PP(IN(by) x1:NP))) -> 被 x1 x2 ||| count=17")
    >>> print(rule)
    VP(VBD(was) VP(x1:VBN PP(IN(by) x2:NP))) -> 被 x2 x1 ||| count=17
    >>> rule.rank, rule.height, rule.root
    (2, 4, 'VP')
    """

    nodes: tuple[RuleNode, ...]
    target: tuple[str | int, ...]
    count: int = 1
    prob: float | None = None

    @property
    def root(self) -> str:
        """The label of the root."""
        return self.nodes[0].text

    @property
    def rank(self) -> int:
        """How many variables there are."""
        return sum(node.variable >= 0 for node in self.nodes)

    @property
    def height(self) -> int:
        """How many levels of labels the tree has, variables among them."""
        return 1 + max(node.depth for node in self.nodes if not node.is_word)

    @property
    def tree_text(self) -> str:
        """The source tree."""
        parts: list[str] = []
        last = -1
        for node in self.nodes:
            if last >= 0:
                parts.append("(" if node.depth > last else ")" * (last - node.depth) + " ")
            parts.append(_node_text(node))
            last = node.depth
        return "".join(parts) + ")" * last

    @property
    def target_text(self) -> str:
        """The target string."""
        return " ".join(
            f"x{one + 1}" if isinstance(one, int) else _escaped(one) for one in self.target
        )

    def __str__(self) -> str:
        fields = f"count={self.count}" + ("" if self.prob is None else f" prob={self.prob:.4g}")
        return f"{self.tree_text} -> {self.target_text}".rstrip() + f" ||| {fields}"

    @classmethod
    def parse(cls, text: str) -> Rule:
        """The rule of a line."""
        body, _, fields = text.partition(" ||| ")
        tree, arrow, target = (body + " ").partition(" -> ")
        if not arrow:
            raise FormatError("a rule is `tree -> target`, but there is no ` -> `")
        nodes, numbers = _nodes(tree)
        words = tuple(_target_token(one, numbers) for one in target.split())
        _check_variables(nodes, words)
        count, prob = _fields(fields)
        return cls(tuple(nodes), words, count, prob)


def _node_text(node: RuleNode) -> str:
    if node.is_word:
        return _escaped(escape_brackets(node.text))
    return node.text if node.variable < 0 else f"x{node.variable + 1}:{node.text}"


def _escaped(word: str) -> str:
    return f"\\{word}" if _SPECIAL.match(word) else word


def _nodes(text: str) -> tuple[list[RuleNode], dict[int, int]]:
    """The nodes of a source tree, and the numbers that its variables get."""
    tokens = _TOKEN.findall(text)
    nodes: list[RuleNode] = []
    numbers: dict[int, int] = {}
    depth = 0
    for place, token in enumerate(tokens):
        opens = tokens[place + 1 : place + 2] == ["("]
        if nodes and depth == 0 and place > 1:
            raise FormatError("a rule has one tree, but there is more before ` -> `")
        if token == ")":
            depth -= 1
            if tokens[place - 1] == "(":
                raise FormatError("a label of a rule has nothing below it")
            continue
        if token == "(":
            if place == 0 or tokens[place - 1] in "()":
                raise FormatError("a bracket of a rule has no label before it")
            depth += 1
            continue
        variable = _LEAF.fullmatch(token)
        if opens:
            nodes.append(RuleNode(token, depth))
        elif variable is not None:
            given = int(variable[1])
            if given in numbers:
                raise FormatError(f"the variable x{given} comes twice in the tree")
            numbers[given] = len(numbers)
            nodes.append(RuleNode(variable[2], depth, numbers[given]))
        else:
            nodes.append(RuleNode(unescape_brackets(token.removeprefix("\\")), depth, -2))
        if depth == 0 and not opens:
            raise FormatError("the tree of a rule has a label on top, as in NP(NN(vote))")
    if depth or not nodes:
        raise FormatError("brackets of the tree do not match" if nodes else "a rule has no tree")
    return nodes, numbers


def _target_token(token: str, numbers: dict[int, int]) -> str | int:
    variable = _VARIABLE.fullmatch(token)
    if variable is None:
        return token.removeprefix("\\")
    if int(variable[1]) not in numbers:
        raise FormatError(f"the variable {token} of the target is not in the tree")
    return numbers[int(variable[1])]


def _check_variables(nodes: list[RuleNode], target: tuple[str | int, ...]) -> None:
    used = [one for one in target if isinstance(one, int)]
    rank = sum(node.variable >= 0 for node in nodes)
    twice = next((one for one in used if used.count(one) > 1), None)
    if twice is not None:
        raise FormatError(f"variable {twice + 1} of the tree comes twice in the target")
    missing = next((one for one in range(rank) if one not in used), None)
    if missing is not None:
        raise FormatError(f"variable {missing + 1} of the tree is missing in the target")
    if rank > MOST_VARIABLES:
        raise FormatError(f"a rule has at most {MOST_VARIABLES} variables, not {rank}")


def _fields(text: str) -> tuple[int, float | None]:
    """The count and the probability of a rule."""
    count, prob = 1, None
    for part in text.split():
        name, _, value = part.partition("=")
        try:
            if name == "count" and 0 < int(value) < 1 << 31:
                count = int(value)
            elif name == "prob" and 0 < float(value) <= 1:
                prob = float(value)
            else:
                raise ValueError
        except ValueError:
            raise FormatError(
                f"{part!r} is not count=N or prob=P, the numbers after `|||` of a rule"
            ) from None
    return count, prob


def read_rules(path: FilePath) -> Iterator[Rule]:
    """The rules of a file, one per line; empty lines and lines that start with `#` are skipped.

    Raises
    ------
    FormatError : what is no rule, with file and line.

    Examples
    --------
    >>> write_rules([Rule.parse("NN(vote) -> 选票")], "votes.rules")
    >>> [str(rule) for rule in read_rules("votes.rules")]
    ['NN(vote) -> 选票 ||| count=1']
    """
    for number, line in read_text_lines(path, LARGEST_RULE):
        if line.strip() and not line.startswith("#"):
            try:
                yield Rule.parse(line)
            except FormatError as error:
                raise FormatError(error.problem, path=path, line=number) from None


def write_rules(rules: Iterable[Rule], path: FilePath) -> None:
    """Write rules to a file, one per line."""
    write_pieces((f"{rule}\n".encode("utf-8", "surrogatepass") for rule in rules), path)
