"""`--shard I/N` of every verb that maps: which files it reads, and where its output goes."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from runoff.cli.help import Command
from runoff.data.shards.parts import Cut, FilePart
from runoff.errors import UsageError

OPTION = "--shard"


class Sharding(NamedTuple):
    """How the work of a verb is cut.

    Parameters
    ----------
    files : the parameter that has the files; the others that are no files come before them.
    ending : of the names of its files, by what is asked.
    numbered : whether lists are numbered from the first one that is read.
    cut : where a file may be cut, by its name and what is asked.
    folders : how names of files end that are read where a folder is named.
    alone : options that need all of the input, or write somewhere else.
    """

    files: str
    ending: Callable[[Mapping[str, Any]], str]
    numbered: bool
    cut: Callable[[str, Mapping[str, Any]], Cut]
    folders: tuple[str, ...] = ()
    alone: tuple[str, ...] = ()


def _text(name: str, given: Mapping[str, Any]) -> Cut:
    if given.get("documents") or (given.get("tagged") and not given.get("inline")):
        return "files"  # documents are named by their lines; there is one sentence or word a line
    return "lines" if given.get("tokenized") or given.get("lines") else "paragraphs"


def _lists(name: str, given: Mapping[str, Any]) -> Cut:
    from runoff.data.formats import found_format

    named = given.get("format") or given.get("from_format")
    return "lines" if (named or found_format(name)) == "jsonl" else "files"


def _lines(name: str, given: Mapping[str, Any]) -> Cut:
    return "lines"


def _paragraphs(name: str, given: Mapping[str, Any]) -> Cut:
    return "paragraphs"


def _predicted(name: str, given: Mapping[str, Any]) -> Cut:
    return "lines" if given.get("next") else "files"  # else words of other lines are context


def _ending(other: str) -> Callable[[Mapping[str, Any]], str]:
    return lambda given: ".jsonl" if given.get("json") else other


def _of_lists(given: Mapping[str, Any]) -> str:
    target = given.get("to_format") or ("best" if given.get("best") else "jsonl")
    if target not in JOINED:
        raise UsageError(
            f"--shard writes {' or '.join(JOINED)}, whose files can be laid end to end, not "
            f"{target}",
            hint="`runoff convert` writes what `runoff gather` has put together",
        )
    return JOINED[target]


JOINED = {"jsonl": ".jsonl", "best": ".txt"}
"""Formats of lists whose files can be laid end to end, and how names of these end."""

TEXTS = (".txt", ".text", ".md", ".txt.gz", ".text.gz", ".md.gz")
"""How names of texts end, which are read where a folder is named."""

SHARDED = {
    "parse": Sharding("arguments", _ending(".mrg"), True, _text, TEXTS),
    "tag": Sharding("arguments", _ending(".tsv"), True, _text, TEXTS),
    "chunk": Sharding("arguments", _ending(".tsv"), True, _text, TEXTS),
    "names": Sharding("arguments", _ending(".tsv"), True, _text, TEXTS),
    "translate": Sharding("files", _ending(".txt"), True, _lines, alone=("draw", "svg", "given")),
    "predict": Sharding("arguments", _ending(".txt"), True, _predicted),
    "rerank": Sharding("lists", _of_lists, False, _lists, alone=("audit", "reasons")),
    "score": Sharding("lists", _of_lists, False, _lists),
    "convert": Sharding("source", _of_lists, False, _lists, alone=("gold", "input")),
    "chunking": Sharding("files", lambda given: ".jsonl", True, _paragraphs),
    "linkages": Sharding("files", lambda given: ".jsonl", True, _text, alone=("draw",)),
}
"""The verbs whose output for an input does not depend on other inputs."""


class ShardedCommand(Command):
    """A command of a function with the option of `with_shard`."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command on its shard of the files, unless that is done."""
        shard, ctx.params["shard"] = ctx.params.get("shard"), None
        if shard is None:
            return super().invoke(ctx)
        how = SHARDED[ctx.info_name]
        for one in self.params:
            if one.name in how.alone and ctx.params[one.name]:
                raise UsageError(f"{one.opts[0]} cannot be combined with --shard")
        with sharded(shard, how, ctx.params) as is_needed:
            return super().invoke(ctx) if is_needed else None


Option = Annotated[
    str | None,
    typer.Option(
        OPTION,
        metavar="I/N",
        help="Work on the I-th of N parts of the files, and write it to the folder `-o DIR` as "
        "e.g. `part-00017-of-01000.jsonl`; `runoff gather DIR` puts the parts together.",
    ),
]


def with_shard(command: Callable[..., None]) -> Callable[..., None]:
    """The function of a command with an option more, which `ShardedCommand` takes out again."""
    signature = inspect.signature(command, eval_str=True)
    added = inspect.Parameter(
        "shard", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Option
    )

    def run(*, shard: None = None, **given: Any) -> None:
        command(**given)

    run.__doc__ = command.__doc__
    parameters = [*signature.parameters.values(), added]
    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return run


@contextmanager
def sharded(text: str, how: Sharding, given: dict[str, Any]) -> Iterator[bool]:
    """Within it, parameters name a shard's input and output; gives whether there is work to do."""
    from runoff.cli.show import note
    from runoff.data.files import open_output
    from runoff.data.shards.parts import shard_of
    from runoff.data.shards.shard import Shard

    shard = Shard.parse(text, given["output"], how.ending(given))
    others, files = _split(how, given)
    if not files or "-" in files:
        raise UsageError("--shard needs files, which stdin is not")
    paths = [path for name in files for path in _matching(name, how.folders)]
    inputs = [(path, Path(path).stat().st_size) for path in paths]
    command = command_words()
    if shard.is_done(command, inputs):
        note(f"{shard.path} is done already")
        yield False
        return
    shard.path.parent.mkdir(parents=True, exist_ok=True)
    shard.mark_path.unlink(missing_ok=True)
    named = [(path, how.cut(path, given)) for path in paths]
    parts = shard_of(named, shard.number, shard.shards)
    whole = [part.path if part.cut == "files" else part for part in parts]
    given |= {how.files: [*others, *whole], "output": str(shard.path)}
    if parts:
        yield True
    else:
        with open_output(shard.path):
            yield False
    times = os.times()
    seconds = times.user + times.system + times.children_user + times.children_system
    numbered = how.numbered and shard.path.name.partition(".")[2].startswith("jsonl")
    placed = parts if numbered and how.folders else []
    shard.finish(
        command, inputs, numbered=numbered, characters=_characters(placed), seconds=seconds
    )


def _characters(parts: Iterable[FilePart]) -> dict[str, int]:
    """How many characters the parts have, by their files."""
    from runoff.data.text.sentences import read_decoded

    return {part.path: sum(map(len, read_decoded(part))) for part in parts if part.cut != "files"}


def _split(how: Sharding, given: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """The model that may come first among arguments, and the files."""
    values = list(given[how.files] or [])
    if how.files != "arguments":
        return [], values
    from runoff.models import named_model

    model, files = named_model(values)
    return [] if model is None else [str(model)], files


def _matching(name: str, folders: tuple[str, ...]) -> Sequence[str]:
    """The files of a pattern or a folder, sorted, or the one of a name."""
    from runoff.data.files import expanded, files_of

    found = [str(path) for path in (files_of([name], folders) if folders else expanded(name))]
    if not Path(found[0]).exists():
        raise UsageError(f"{name}: no such file")
    return found


_GIVEN: list[str] = []


def remember(words: Sequence[str]) -> None:
    """Note what the command line was, for marks of shards."""
    _GIVEN[:] = words


def command_words() -> list[str]:
    """The words of the command line without the shard."""
    words, kept = iter(_GIVEN or sys.argv[1:]), []
    for word in words:
        if word == OPTION:
            next(words, None)
        elif not word.startswith(f"{OPTION}="):
            kept.append(word)
    return kept
