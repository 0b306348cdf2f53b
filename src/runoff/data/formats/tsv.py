"""Plain lists: `score TAB text` lines, a blank line between lists.

    -4.2	I scream
    -5.0	ice cream

The score is the log-probability. Lists have no ids. The text may hold further TABs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from runoff.data.files import FilePath, read_text_lines
from runoff.data.formats.common import BLANKS, numbered, read_number
from runoff.data.nbest import Candidate, NBest
from runoff.errors import FormatError


def read(path: FilePath) -> Iterator[NBest]:
    """The lists of a file of scored lines, one by one."""
    candidates: list[Candidate] = []
    for number, line in read_text_lines(path):
        if line.strip(BLANKS):
            score, tab, text = line.partition("\t")
            if not tab:
                raise FormatError("expected `score TAB text`", path=path, line=number)
            candidates.append(Candidate(text, read_number(score, path, number, "score")))
        elif candidates:
            yield NBest(candidates=candidates)
            candidates = []
    if candidates:
        yield NBest(candidates=candidates)


def encode(lists: Iterable[NBest]) -> Iterator[bytes]:
    """The lists as lines."""
    for item in numbered(lists):
        for candidate in item.nbest.candidates:
            score = item.number(candidate.logprob, "logprob")
            yield f"{score}\t{item.text(candidate.output, 'an output')}\n".encode()
        yield b"\n"
