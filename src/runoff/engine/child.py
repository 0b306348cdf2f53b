"""A program that answers one question after another, and is watched while it does."""

from __future__ import annotations

import os
import selectors
import subprocess
import time
from collections.abc import Mapping, Sequence

PIECE = 1 << 16
"""Bytes that are read at once."""


class ChildError(Exception):
    """What became of a child process that did not answer; `so_far` is what it printed."""

    def __init__(self, problem: str, so_far: bytes = b"") -> None:
        super().__init__(problem)
        self.problem, self.so_far = problem, so_far


class Child:
    r"""A child process with pipes; it is killed when it does not answer in time.

    Examples
    --------
    >>> child = Child(["cat"])
    >>> child.ask(b"a vote\n", b"\n", 60)
    b'a vote\n'
    >>> child.close()
    """

    def __init__(self, command: Sequence[str], env: Mapping[str, str] | None = None) -> None:
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=None if env is None else {**os.environ, **env},
        )
        assert self._process.stdin is not None
        os.set_blocking(self._process.stdin.fileno(), False)  # it may never be read

    def ask(self, text: bytes, until: bytes, seconds: float) -> bytes:
        """What the program prints after it was given a text, up to a mark; else it is ended.

        Raises
        ------
        ChildError : it ended by itself, or took too long, for its answer or to read the text.
        """
        try:
            return self._exchange(text, until, time.monotonic() + seconds)
        except OSError:
            self.close()
            raise ChildError("ended by itself") from None
        except ChildError:
            self.close()
            raise

    def _exchange(self, text: bytes, until: bytes, end: float) -> bytes:
        asked, answers = self._process.stdin, self._process.stdout
        assert asked is not None
        assert answers is not None
        found = b""
        with selectors.DefaultSelector() as selector:
            selector.register(answers, selectors.EVENT_READ)
            selector.register(asked, selectors.EVENT_WRITE)
            while text or until not in found[-len(until) - PIECE :]:
                ready = [
                    key.fileobj for key, _ in selector.select(max(0.0, end - time.monotonic()))
                ]
                if not ready:
                    raise ChildError("took too long and was stopped", found)
                if asked in ready:
                    try:
                        text = text[os.write(asked.fileno(), text) :]
                    except BrokenPipeError:  # it reads no more; what it printed is still to be had
                        text = b""
                    if not text:
                        selector.unregister(asked)
                if answers in ready:
                    piece = os.read(answers.fileno(), PIECE)
                    if not piece:
                        raise ChildError("ended by itself", found)
                    found += piece
        return found

    def close(self) -> None:
        """End the program."""
        self._process.kill()
        self._process.communicate()
