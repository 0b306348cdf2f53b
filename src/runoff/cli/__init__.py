"""The command line: one module per verb, each thin; the work is done in `tasks/`."""

from __future__ import annotations


def main() -> None:
    """Run the command line and leave with its exit status (see `runoff.cli.guard`)."""
    from runoff.cli.app import app

    app(prog_name="runoff")
