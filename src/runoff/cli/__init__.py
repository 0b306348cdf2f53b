"""The command line: one module per verb, each thin; the work is done in `tasks/`."""

from __future__ import annotations

import io
import os
import signal
import sys
from types import FrameType

LATER = 0.02
"""Seconds after which an interrupt is tried again that came where it could not be answered."""

GUARD = os.path.join(os.path.dirname(__file__), "exit_status.py")  # noqa: PTH118, PTH120
"""The module that answers interrupts; see `runoff.cli.exit_status.status_of`."""


def main() -> None:
    """Run the command line and exit with its status (see `runoff.cli.exit_status`)."""
    _open_streams()
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not under nohup
        signal.signal(signal.SIGINT, _interrupt)
        signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        from runoff.cli.app import app

        app(prog_name="runoff")
    finally:
        # Python now ends worker processes; an interrupt would leave it waiting for them for ever.
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _open_streams() -> None:
    """Open the standard streams that the shell has closed, so that using one is a plain error.

    What is read cannot be written and the other way round. Letters that the terminal does not have
    are written with a backslash.
    """
    ways = {"stdin": ("r", os.O_WRONLY), "stdout": ("w", os.O_RDONLY), "stderr": ("w", os.O_RDWR)}
    for name, (mode, flags) in ways.items():
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, flags), mode))
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Raise `KeyboardInterrupt` inside a command, where it is answered; elsewhere try again soon.

    While a module is being read Python may lose it in a callback, or report it as an error of the
    module.
    """
    answered = False
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            answered = False
            break
        frame = frame.f_back
        answered = answered or (frame is not None and frame.f_code.co_filename == GUARD)
    if answered:
        raise KeyboardInterrupt
    signal.setitimer(signal.ITIMER_REAL, LATER)
