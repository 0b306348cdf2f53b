"""N-best parses as the BLLIP (Charniak and Johnson) parser writes them.

    2 wsj_2300.1
    -29.6
    (S1 (S (NP (DT This)) (VP (VBZ works))))
    -31.2
    (S1 (FRAG (NP (DT This)) (NNS works)))

The first line of a block is the number of parses and the sentence's id, then come a line with
the log-probability and a line with the tree for every parse, then a blank line. After its
reranker the parser writes two numbers, `score logprob`; both are read. Trees stay text, but they
are checked to be trees. A sentence without parses is an error, as an empty list is everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from runoff.data.files import FilePath, read_text_lines
from runoff.data.formats.common import BLANKS, Numbered, numbered, read_id, read_number, shown
from runoff.data.nbest import Candidate, NBest
from runoff.data.tree import Tree
from runoff.errors import FormatError

Lines = Iterator[tuple[int, str]]

_HEAD = re.compile(r"([0-9]{1,9})[ \t]+(.+)")


def read(path: FilePath) -> Iterator[NBest]:
    """The lists of an n-best parse file, one by one."""
    lines = read_text_lines(path)
    for number, line in lines:
        if line.strip(BLANKS):
            count, name = _header(line, path, number)
            yield NBest(name, None, [_parse(lines, path, number, name) for _ in range(count)])


def _header(line: str, path: object, number: int) -> tuple[int, str | int]:
    match = _HEAD.fullmatch(line.strip(BLANKS))
    if match is None:
        problem = f"expected the number of parses and an id, found {shown(line)}"
        raise FormatError(problem, path=path, line=number)
    count, name = int(match[1]), match[2]
    if count == 0:
        raise FormatError(f"sentence {shown(name)} has no parses", path=path, line=number)
    return count, read_id(name)


def _parse(lines: Lines, path: object, header: int, name: str | int) -> Candidate:
    scores_at, scores = _next(lines, path, header, name)
    numbers = [read_number(text, path, scores_at, "logprob") for text in scores.split()]
    if not 1 <= len(numbers) <= 2:
        problem = f"expected a log-probability, found {shown(scores)}"
        raise FormatError(problem, path=path, line=scores_at)
    tree_at, tree = _next(lines, path, header, name)
    _check_tree(tree, path, tree_at)
    score = numbers[0] if len(numbers) == 2 else None
    return Candidate(tree, numbers[-1], score=score)


def _next(lines: Lines, path: object, header: int, name: str | int) -> tuple[int, str]:
    number, line = next(lines, (header, ""))
    line = line.strip(BLANKS)
    if not line:
        problem = f"sentence {shown(str(name))} has fewer parses than line {header} promises"
        raise FormatError(problem, path=path, line=number)
    return number, line


def _check_tree(tree: str, path: object, line: int) -> None:
    try:
        Tree.parse(tree)
    except FormatError as error:
        raise FormatError(error.problem, path=path, line=line) from None


def encode(lists: Iterable[NBest]) -> Iterator[bytes]:
    """The lists as blocks; a list without an id gets its index, from 0."""
    for item in numbered(lists):
        name = item.text(str(item.id), "an id")
        if name.strip(BLANKS) != name or not name:
            raise item.error("has an id that is empty or has spaces around it")
        yield f"{len(item.nbest)} {name}\n".encode()
        for candidate in item.nbest.candidates:
            yield _show(candidate, item).encode()
        yield b"\n"


def _show(candidate: Candidate, item: Numbered) -> str:
    tree = item.text(candidate.output, "an output").strip(BLANKS)
    try:
        Tree.parse(tree)
    except FormatError as error:
        raise item.error(f"has an output that is not a tree: {error.problem}") from None
    logprob = item.number(candidate.logprob, "logprob")
    if candidate.score is None:
        return f"{logprob}\n{tree}\n"
    return f"{item.number(candidate.score, 'score')} {logprob}\n{tree}\n"
