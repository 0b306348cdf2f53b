"""What fairseq's `generate` prints: a line for each source, target and hypothesis.

    S-0	das ist ein Haus
    T-0	this is a house
    H-0	-0.31	this is a house
    D-0	-0.31	this is a house
    P-0	-0.2 -0.4 -0.3 -0.3 -0.1

`H` has the score, which is the log-probability, and the text, written as `T`, the reference, is.
`D`, the detokenised text, is kept as `extra["detokenised"]`, and `P` as `extra["token_logprobs"]`.
Other lines, of the log, are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from runoff.data.files import FilePath, read_text_lines
from runoff.data.formats.common import read_id, read_number
from runoff.data.nbest import Candidate, NBest
from runoff.errors import FormatError

LINE = re.compile(r"([STHDP])-([0-9]{1,18})\t(.*)", re.DOTALL)


def looks_like(lines: list[str]) -> bool:
    """Whether some line is that of a hypothesis or of a source."""
    return any((match := LINE.fullmatch(line)) and match[1] in "SH" for line in lines)


def read(path: FilePath) -> Iterator[NBest]:
    """The lists of a log of fairseq, one by one."""
    name, parts, candidates = "", dict[str, str](), list[Candidate]()
    for number, line in read_text_lines(path):
        match = LINE.fullmatch(line)
        if match is None:
            continue
        kind, sentence, text = match.groups()
        if sentence != name:
            yield from _list(name, parts, candidates, path, number)
            name, parts, candidates = sentence, {}, []
        if kind in "ST":
            parts[kind] = text
        elif kind == "H":
            score, _, output = text.partition("\t")
            candidates.append(Candidate(output, read_number(score, path, number, "score")))
        elif not candidates:
            raise FormatError(f"{kind}-{sentence} before H-{sentence}", path=path, line=number)
        elif kind == "D":
            candidates[-1].extra["detokenised"] = text.partition("\t")[2]
        else:
            values = [read_number(one, path, number, "P") for one in text.split()]
            candidates[-1].extra["token_logprobs"] = values
    yield from _list(name, parts, candidates, path, None)


def _list(
    name: str, parts: dict[str, str], candidates: list[Candidate], path: object, line: int | None
) -> Iterator[NBest]:
    if not name:
        return
    if not candidates:
        raise FormatError(f"sentence {name} has no hypothesis, H-{name}", path=path, line=line)
    yield NBest(read_id(name), parts.get("S"), candidates, parts.get("T"))
