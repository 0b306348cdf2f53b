"""Exit statuses: what goes wrong becomes one sentence on stderr and a number.

0 is success; 1 a data or run error, or what `check` or `proof` found; 2 wrong usage or input that
cannot be read; 130 an interrupt.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

import typer
from rich.console import Console
from rich.text import Text

from runoff.errors import FormatError, RunoffError, UsageError

Arguments = ParamSpec("Arguments")


def guarded(command: Callable[Arguments, None]) -> Callable[Arguments, None]:
    """The command, with its errors turned into exit statuses; bugs keep their traceback."""

    @wraps(command)
    def run(*args: Arguments.args, **kwargs: Arguments.kwargs) -> None:
        try:
            command(*args, **kwargs)
            sys.stdout.flush()
        except (FormatError, UsageError) as error:
            raise _exit(str(error), 2) from None
        except RunoffError as error:
            raise _exit(str(error), 1) from None
        except KeyboardInterrupt as interrupt:
            raise _exit(str(interrupt) or "interrupted", 130) from None
        except BrokenPipeError:  # the reader of our output has gone; nothing more to say
            _silence_stdout()
            raise typer.Exit(1) from None
        except OSError as error:
            _silence_stdout()
            place = f"{error.filename}: " if error.filename else ""
            raise _exit(place + (error.strerror or str(error)).lower(), 1) from None
        except MemoryError:
            raise _exit("out of memory", 1) from None

    return run


def _exit(message: str, status: int) -> typer.Exit:
    console = Console(stderr=True, soft_wrap=True, highlight=False)
    console.print(Text.assemble(("error: ", "bold red"), message))
    return typer.Exit(status)


def _silence_stdout() -> None:
    """What is still buffered cannot be written; without this, Python complains at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
