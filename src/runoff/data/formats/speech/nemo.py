"""Beams of NeMo (`preds_out_width8_alpha1.0_beta0.0.tsv`): `text TAB score`, line after line.

Nothing separates the lists: each has as many lines as the beam is wide. The name of the file says
it, as NeMo writes it, or `--map n=8` does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from runoff.data.files import FilePath, read_text_lines
from runoff.data.formats.any_keys.mapping import Map
from runoff.data.formats.common import read_number
from runoff.data.nbest import Candidate, NBest
from runoff.errors import FormatError

WIDTH = re.compile(r"width([0-9]{1,6})")


def read(path: FilePath, map: Map | None = None) -> Iterator[NBest]:
    """The lists of a file of beams, one by one, numbered from 0."""
    n = (map or Map()).n or _width(path)
    candidates, numbers = list[Candidate](), count()
    for line, text in read_text_lines(path):
        output, tab, score = text.rpartition("\t")
        if not tab:
            raise FormatError("expected `text TAB score`", path=path, line=line)
        if n is None:
            raise FormatError(
                "the lines are `text TAB score`, and nothing says which are one list",
                path=path,
                line=line,
                hint="say how wide the beam was: --map n=8",
            )
        candidates.append(Candidate(output, read_number(score, path, line, "score")))
        if len(candidates) == n:
            yield NBest(next(numbers), None, candidates)
            candidates = []
    if candidates:
        problem = f"the last list has {len(candidates)} lines, not {n}"
        raise FormatError(problem, path=path, hint="--map n=N says how wide the beam was")


def _width(path: FilePath) -> int | None:
    match = WIDTH.search(Path(path).name)
    return int(match[1]) or None if match else None
