"""Column files with several tag sequences per sentence, a blank line after each block.

Two layouts are read; the first line tells them apart. *Plain*: word, gold tag (`_` everywhere
where there is none), then one column per candidate, the base system's favourite first:

    Tulsa	B-NP	B-NP	I-NP
    unit	I-NP	I-NP	I-NP

*CRF++* (`crf_test -n`): a block per candidate, headed by its rank and probability, whose columns
are those of the test file, the last of them gold, then the candidate's tag:

    # 0 0.478113
    Tulsa NNP B-NP B-NP

The input of a list is its words, an output a list of tags. Of CRF++ the probability becomes the
log-probability, and columns between word and gold `extra["columns"]`. Plain is written. `#` is an
ordinary word: only `# rank probability` heads a block, and only where the file begins with one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator

from runoff.data.files import FilePath, read_text_lines
from runoff.data.formats.common import BLANKS, Numbered, numbered, read_number
from runoff.data.limits import IN_CORPORA
from runoff.data.nbest import Candidate, NBest
from runoff.data.tagged import Block, group_lines, split_columns
from runoff.errors import FormatError

NO_GOLD = "_"
_HEAD = re.compile(r"# ([0-9]{1,9}) ([0-9.eE+-]+)")


def read(path: FilePath) -> Iterator[NBest]:
    """The lists of a column file, one by one."""
    group: list[tuple[float, Block]] = []
    crf: bool | None = None
    lines = read_text_lines(path)
    for block in group_lines(lines, longest=IN_CORPORA.words, documents=False):
        IN_CORPORA.exceeded(len(block), path=path, line=block[0][0])
        if crf is None:
            crf = _HEAD.fullmatch(block[0][1]) is not None
        if not crf:
            yield _plain(block, path)
            continue
        rank, logprob = _head(block, path)
        if rank == 0 and group:
            yield _crf_list(group, path)
            group = []
        if rank != len(group):
            problem = f"expected candidate {len(group)} of the sentence, found {rank}"
            raise FormatError(problem, path=path, line=block[0][0])
        group.append((logprob, block[1:]))
    if group:
        yield _crf_list(group, path)


def _plain(block: Block, path: object) -> NBest:
    columns = split_columns(block, path)
    if len(columns) < 3:
        problem = "expected a word, its gold tag and the tags of at least one candidate"
        raise FormatError(problem, path=path, line=block[0][0])
    words, gold, *tags = map(list, columns)
    no_gold = all(tag == NO_GOLD for tag in gold)
    return NBest(None, words, [Candidate(t) for t in tags], None if no_gold else gold)


def _head(block: Block, path: object) -> tuple[int, float]:
    """Rank and log-probability of a CRF++ block."""
    number, line = block[0]
    match = _HEAD.fullmatch(line)
    if match is None or len(block) == 1:
        problem = "expected `# rank probability` and then the words of the sentence"
        raise FormatError(problem, path=path, line=number)
    probability = read_number(match[2], path, number, "probability")
    if probability <= 0:
        raise FormatError(
            f"a probability must be positive, not {probability:g}", path=path, line=number
        )
    return int(match[1]), math.log(probability)


def _crf_list(group: list[tuple[float, Block]], path: object) -> NBest:
    first: list[tuple[str, ...]] = []
    candidates: list[Candidate] = []
    for logprob, block in group:
        columns = split_columns(block, path)
        if len(columns) < 2 or (first and columns[:-1] != first):
            problem = "the candidate has other words or columns than the sentence's first one"
            raise FormatError(problem, path=path, line=block[0][0])
        first = columns[:-1]
        candidates.append(Candidate(list(columns[-1]), logprob))
    words, *others = map(list, first)
    gold = others.pop() if others else None
    return NBest(None, words, candidates, gold, {"columns": others} if others else {})


def encode(lists: Iterable[NBest]) -> Iterator[bytes]:
    """The lists as plain blocks."""
    for item in numbered(lists):
        words = _tags(item.nbest.input, "an input", item)
        gold = item.nbest.gold
        columns = [words, [NO_GOLD] * len(words) if gold is None else _tags(gold, "gold", item)]
        columns += [_tags(c.output, "an output", item) for c in item.nbest.candidates]
        if not words or any(len(column) != len(words) for column in columns):
            raise item.error("must have words, and one tag per word")
        rows = ("\t".join(row) + "\n" for row in zip(*columns, strict=True))
        yield ("".join(rows) + "\n").encode()


def _tags(value: object, what: str, item: Numbered) -> list[str]:
    if not isinstance(value, list | tuple):
        raise item.error(f"has {what} that is not a list of words but {type(value).__name__}")
    fields = [item.text(field, what, "\t\r\n") for field in value]
    if not all(field.strip(BLANKS) for field in fields):
        raise item.error(f"has {what} with an empty word or tag")
    return fields
