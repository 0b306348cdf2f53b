"""`--shard I/N` of every verb that maps: which files it reads, and where its output goes."""

from __future__ import annotations

import glob
import inspect
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from runoff.cli.help import Command
from runoff.data.shards.parts import Cut
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
    """

    files: str
    ending: Callable[[Mapping[str, Any]], str]
    numbered: bool
    cut: Callable[[str, Mapping[str, Any]], Cut]


def _text(name: str, given: Mapping[str, Any]) -> Cut:
    if given.get("tagged") and not given.get("inline"):
        return "files"  # one sentence per line, or one word
    return "lines" if given.get("tokenized") else "paragraphs"


def _lists(name: str, given: Mapping[str, Any]) -> Cut:
    from runoff.data.formats import found_format

    return "lines" if (given.get("format") or found_format(name)) == "jsonl" else "files"


def _ending(other: str) -> Callable[[Mapping[str, Any]], str]:
    return lambda given: ".jsonl" if given.get("json") else other


def _of_lists(given: Mapping[str, Any]) -> str:
    from runoff.data.formats import FORMATS

    name = given.get("to_format")
    return (
        ".txt" if given.get("best") else FORMATS[name].suffixes[0] if name in FORMATS else ".jsonl"
    )


def _line(name: str, given: Mapping[str, Any]) -> Cut:
    return "lines"


SHARDED = {
    "parse": Sharding("arguments", _ending(".mrg"), True, _text),
    "tag": Sharding("arguments", _ending(".tsv"), True, _text),
    "chunk": Sharding("files", _ending(".tsv"), True, _text),
    "names": Sharding("files", _ending(".tsv"), True, _text),
    "translate": Sharding("files", _ending(".txt"), True, _line),
    "rerank": Sharding("lists", _of_lists, False, _lists),
    "score": Sharding("lists", _of_lists, False, _lists),
}
"""The verbs whose output for an input does not depend on other inputs."""


class ShardedCommand(Command):
    """A command of a function with the option of `with_shard`."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command on its shard of the files, unless that is done."""
        shard, ctx.params["shard"] = ctx.params.get("shard"), None
        if shard is None:
            return super().invoke(ctx)
        with sharded(shard, SHARDED[ctx.info_name], ctx.params) as is_needed:
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
    paths = [path for name in files for path in _matching(name)]
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
    given |= {how.files: [*others, *parts], "output": str(shard.path)}
    if parts:
        yield True
    else:
        with open_output(shard.path):
            yield False
    times = os.times()
    seconds = times.user + times.system + times.children_user + times.children_system
    numbered = how.numbered and shard.path.name.partition(".")[2].startswith("jsonl")
    shard.finish(command, inputs, numbered=numbered, seconds=seconds)


def _split(how: Sharding, given: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """The model that may come first among arguments, and the files."""
    values = list(given[how.files] or [])
    if how.files != "arguments":
        return [], values
    from runoff.models import model_and_files

    model, files = model_and_files(values)
    return [str(model)], files


def _matching(name: str) -> Sequence[str]:
    """The files of a pattern, sorted, or the one of a name."""
    if Path(name).exists():
        return [name]
    found = sorted(glob.glob(name, recursive=True))  # noqa: PTH207
    if not found:
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
