"""The command line: one module per verb, each thin; the work is done in `tasks/`."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line and leave with its exit status (see `runoff.cli.guard`)."""
    try:
        from runoff.cli.app import app
    except KeyboardInterrupt:  # verbs are guarded; this is while modules are still being read
        print("error: interrupted", file=sys.stderr)
        sys.exit(130)
    app(prog_name="runoff")
