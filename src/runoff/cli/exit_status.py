"""Exit statuses: what goes wrong becomes one sentence on stderr and a number.

0 is success; 1 a data or run error, or what `check` or `proof` found; 2 wrong usage or input that
cannot be read; 130 an interrupt. A reader of our output that has gone is no error.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import typer
from rich.text import Text

from runoff.cli.terminal import Terminal
from runoff.data.text.printable import printable
from runoff.errors import FormatError, RunoffError, UsageError

WrongUsage: type[Exception] = typer.BadParameter.__mro__[2]
"""What typer raises for arguments that it cannot read; its name is not public."""


def status_of(command: Callable[[], object]) -> int:
    """Run a command; its exit status. Errors are printed, bugs keep their traceback."""
    try:
        status = _exit_code(command)
        sys.stdout.flush()
    except WrongUsage as error:
        return _wrong_usage(error)
    except (FormatError, UsageError) as error:
        return _say(str(error), 2)
    except RunoffError as error:
        return _say(str(error), 1)
    except KeyboardInterrupt as interrupt:
        return _say(str(interrupt) or "interrupted", 130)
    except BrokenPipeError:  # the reader of our output has gone; nothing more to say
        _silence_stdout()
        return 0
    except OSError as error:
        _silence_stdout()
        place = f"{error.filename}: " if error.filename else ""
        return _say(place + (error.strerror or str(error)).lower(), 1)
    except MemoryError:
        return _say("out of memory", 1)
    return status


def _exit_code(command: Callable[[], object]) -> int:
    try:
        command()
    except typer.Exit as end:
        return end.exit_code
    return 0


def _wrong_usage(error: Any) -> int:
    """Print what typer found wrong, and where help is; it has printed help if nothing was given."""
    message, context = error.format_message(), getattr(error, "ctx", None)
    if message and context is not None:
        message += f"\n\n{context.get_usage()}\nHint: {context.command_path} --help says more"
    if message:
        _say(message, error.exit_code)
    return int(error.exit_code)


def _say(message: str, status: int) -> int:
    shown = Text.assemble(("error: ", "bold red"), printable(message))
    with suppress(OSError):  # a full or closed stderr changes nothing about the status
        Terminal(stderr=True, soft_wrap=True).print(shown)
    return status


def _silence_stdout() -> None:
    """What is still buffered cannot be written; without this, Python complains at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
