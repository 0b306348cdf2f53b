"""Functions that the workers of engines import: for `tests/contract/test_engines.py`."""

import os
import signal
import time
from pathlib import Path

from runoff.errors import FormatError


class OwnError(Exception):
    """An error that cannot be made again from its arguments."""

    def __init__(self, one, other):
        super().__init__(f"{one} and {other}")


def double(n):
    return 2 * n


def fail(n):
    if n == 3:
        raise FormatError("broken", path="a.jsonl", line=n, key="logprob", hint="mend it")
    return n


def fail_in_an_own_way(n):
    raise OwnError(n, n + 1)


def killed_once(folder, n):
    """The item, but whoever is first at work on the seventh is killed."""
    mark = Path(folder, "killed")
    if n == 7 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return n


def poisoned(lists):
    """The ids of lists; one of them kills whoever looks at it."""
    for nbest in lists:
        if nbest.id == "s17":
            os.kill(os.getpid(), signal.SIGKILL)
    return [nbest.id for nbest in lists]


def pid_and_model(model, n):
    """Who is at work, and which object it has for a model."""
    time.sleep(0.05)
    return os.getpid(), id(model.model), model.model.training


def words(input, candidate):
    """The words of a candidate as features."""
    return candidate.output.split()
