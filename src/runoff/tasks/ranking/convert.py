"""Converting n-best lists between formats, and giving them references and inputs."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import msgspec

from runoff.data.duplicates import cut, merged
from runoff.data.files import FilePath, open_input, read_text_lines
from runoff.data.formats import format_of, losses, write_nbest
from runoff.data.inputs import keeping_inputs
from runoff.data.lists import NBestFiles
from runoff.data.nbest import NBest
from runoff.errors import FormatError


def convert(
    source: FilePath | NBestFiles,
    target: FilePath,
    *,
    source_format: str | None = None,
    target_format: str | None = None,
    gold: FilePath | None = None,
    input: FilePath | None = None,
    merge: str | None = None,
    n: int | None = None,
    on_loss: Callable[[dict[str, int]], None] | None = None,
) -> None:
    """Write the lists of one file to another, in another format.

    Parameters
    ----------
    gold, input : text files whose lines become the references and inputs, see `attach`.
    merge, n : make lists smaller, see `runoff.data.duplicates`.
    on_loss : told first what the new format cannot hold: the part, and how many lists have it.
    """
    target_format = target_format or format_of(target)
    files = source if isinstance(source, NBestFiles) else NBestFiles(source, source_format)
    with keeping_inputs(target), _readable_twice(files) as read:

        def lists() -> Iterator[NBest]:
            whole = attach(read, gold=gold, input=input)
            distinct = whole if merge is None else merged(whole, merge)
            return distinct if n is None else cut(distinct, n)

        lost = losses(lists(), target_format)
        if lost and on_loss is not None:
            on_loss(lost)
        write_nbest(lists(), target, target_format)


def attach(
    lists: Iterable[NBest], *, gold: FilePath | None = None, input: FilePath | None = None
) -> Iterator[NBest]:
    """The lists with references and inputs from text files, one a line.

    A list whose id is a whole number gets the line of that number, from 0, as Moses counts; any
    other list gets the line at its own place.
    """
    columns = {
        name: (path, [text for _, text in read_text_lines(path)])
        for name, path in (("gold", gold), ("input", input))
        if path is not None
    }
    for place, nbest in enumerate(lists):
        number = nbest.id if isinstance(nbest.id, int) else place
        parts = {}
        for name, (path, lines) in columns.items():
            if not 0 <= number < len(lines):
                lacks = f"has no line for list {number}: its lines are 0 to {len(lines) - 1}"
                raise FormatError(lacks if lines else "is empty", path=path)
            parts[name] = lines[number]
        yield msgspec.structs.replace(nbest, **parts)


@contextlib.contextmanager
def _readable_twice(files: NBestFiles) -> Iterator[NBestFiles]:
    """The files themselves, or with a copy of stdin, which can be read only once."""
    if not any(str(path) == "-" for path in files.paths):
        yield files
        return
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "stdin"
        with open_input("-") as stream, copy.open("wb") as target:
            shutil.copyfileobj(stream, target)
        paths = [copy if str(path) == "-" else path for path in files.paths]
        yield NBestFiles(paths, files.format, files.map)
