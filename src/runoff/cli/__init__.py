"""The command line: one module per verb, each thin; the work is done in `tasks/`."""

from __future__ import annotations

import signal
import sys
from types import FrameType

LATER = 0.02
"""Seconds after which an interrupt is tried again that came while a module was being read."""


def main() -> None:
    """Run the command line and exit with its status (see `runoff.cli.exit_status`)."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not under nohup
        signal.signal(signal.SIGINT, _interrupt)
        signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        from runoff.cli.app import app

        app(prog_name="runoff")
    except KeyboardInterrupt:  # verbs are guarded; this is before they are
        print("error: interrupted", file=sys.stderr)
        sys.exit(130)
    finally:
        # Python now ends worker processes; an interrupt would leave it waiting for them for ever.
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Raise `KeyboardInterrupt`, but not while a module is being read.

    There Python may lose it in a callback, or report it as an error of the module.
    """
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            signal.setitimer(signal.ITIMER_REAL, LATER)
            return
        frame = frame.f_back
    raise KeyboardInterrupt
