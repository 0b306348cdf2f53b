"""A program that answers one question after another, and is watched while it does."""

from __future__ import annotations

import os
import selectors
import subprocess
import time
from collections.abc import Mapping, Sequence


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

    def ask(self, text: bytes, until: bytes, seconds: float) -> bytes:
        """What the program prints after it was given a text, up to a mark; else it is ended.

        Raises
        ------
        ChildError : it ended by itself, or took too long.
        """
        try:
            assert self._process.stdin is not None
            self._process.stdin.write(text)
            self._process.stdin.flush()
            return self._answer(until, time.monotonic() + seconds)
        except OSError:
            self.close()
            raise ChildError("ended by itself") from None
        except ChildError:
            self.close()
            raise

    def _answer(self, until: bytes, end: float) -> bytes:
        assert self._process.stdout is not None
        found = b""
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            while until not in found[-len(until) - (1 << 16) :]:
                if not selector.select(max(0.0, end - time.monotonic())):
                    raise ChildError("took too long and was stopped", found)
                piece = os.read(self._process.stdout.fileno(), 1 << 16)
                if not piece:
                    raise ChildError("ended by itself", found)
                found += piece
        return found

    def close(self) -> None:
        """End the program."""
        self._process.kill()
        self._process.communicate()
