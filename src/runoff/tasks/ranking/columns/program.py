"""A program of the user that answers one line of JSON with another, and a memory of its answers."""

from __future__ import annotations

import hashlib
import shlex
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Self

import msgspec

from runoff.data.files import FilePath
from runoff.data.nbest import Candidate, NBest
from runoff.engine.child import Child, ChildError
from runoff.errors import FormatError, RunoffError, UsageError

SECONDS = 60.0
"""How long a program may take for one answer."""


class Program:
    r"""A program that is given a line of JSON, and answers with a number or `{"score": number}`.

    A program that ends or hangs is started once more, and asked again.

    Examples
    --------
    >>> with Program("sed -u s/.*/-1.5/") as program:
    ...     program.number(b'{"output": "a vote"}', "at 'a vote'")
    -1.5
    """

    def __init__(self, command: str, seconds: float = SECONDS) -> None:
        try:
            self._command = shlex.split(command)
        except ValueError as error:
            raise UsageError(f"the command {command!r} cannot be read: {error}") from None
        if not self._command or shutil.which(self._command[0]) is None:
            raise UsageError(f"there is no program {command.split(' ')[0]!r}")
        self._seconds = seconds
        self._child: Child | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the program."""
        if self._child is not None:
            self._child.close()
            self._child = None

    def number(self, question: bytes, place: str) -> float:
        """The answer to a line of JSON; `place` says in errors what was asked about."""
        for again in (True, False):
            self._child = self._child or Child(self._command)
            try:
                answer = self._child.ask(question + b"\n", b"\n", self._seconds)
                return _number(answer, place)
            except ChildError as error:
                self._child = None
                if not again:
                    raise RunoffError(f"the scorer {error.problem}, twice, {place}") from None
        raise AssertionError("the second failure is an error")


def _number(answer: bytes, place: str) -> float:
    try:
        value = msgspec.json.decode(answer)
        return float(
            msgspec.convert(value.get("score") if isinstance(value, dict) else value, float)
        )
    except (msgspec.DecodeError, msgspec.ValidationError):
        text = answer.decode("utf-8", "replace").strip()
        raise FormatError(
            f"the scorer answered {text[:60]!r}, which is no number, {place}",
            hint='it must answer every line with one line: a number, or {"score": number}',
        ) from None


class Answers:
    """What a program has answered so far, kept in a file, so that nothing is asked twice.

    Parameters
    ----------
    path : the file; None keeps answers while the process runs.
    """

    def __init__(self, path: FilePath | None = None) -> None:
        self._path = None if path is None else Path(path)
        self._known: dict[str, float] = {}
        if self._path is not None and self._path.is_file():
            for line in self._path.read_bytes().splitlines():
                try:
                    self._known.update(msgspec.json.decode(line, type=dict[str, float]))
                except msgspec.MsgspecError:  # the last line of a process that was killed
                    continue

    @classmethod
    def of(cls, command: str, folder: FilePath | None) -> Answers:
        """The answers of a command, in a file of its own below a folder."""
        if folder is None:
            return cls()
        name = hashlib.blake2b(command.encode("utf-8", "surrogatepass"), digest_size=16)
        return cls(Path(folder) / "answers" / f"{name.hexdigest()}.jsonl")

    def get(self, question: bytes) -> float | None:
        """The answer to a question, if it was asked before."""
        return self._known.get(_key(question))

    def add(self, question: bytes, answer: float) -> None:
        """Remember an answer."""
        key = _key(question)
        self._known[key] = answer
        if self._path is not None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("ab") as stream:
                stream.write(msgspec.json.encode({key: answer}) + b"\n")


def _key(question: bytes) -> str:
    return hashlib.blake2b(question, digest_size=16).hexdigest()


def scored_by(
    lists: Iterable[NBest], program: Program, name: str, answers: Answers | None = None
) -> Iterator[NBest]:
    """The lists with what a program says of each candidate as a feature of a name, as a stream.

    It is given `{"id": …, "input": …, "output": …, "logprob": …, "features": …}`, never gold.
    """
    known = answers or Answers()
    for number, nbest in enumerate(lists, start=1):
        made = []
        for candidate in nbest.candidates:
            question = _question(nbest, candidate)
            answer = known.get(question)
            if answer is None:
                place = f"at {str(candidate.output)[:60]!r} in {nbest.name(number)}"
                answer = program.number(question, place)
                known.add(question, answer)
            features = {**(candidate.features or {}), name: answer}
            made.append(msgspec.structs.replace(candidate, features=features))
        yield msgspec.structs.replace(nbest, candidates=made)


def _question(nbest: NBest, candidate: Candidate) -> bytes:
    asked: dict[str, Any] = {
        "id": nbest.id,
        "input": nbest.input,
        "output": candidate.output,
        "logprob": candidate.logprob,
        "features": candidate.features or {},
    }
    return msgspec.json.encode(asked, enc_hook=str)
