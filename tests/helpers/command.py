"""The command `runoff` in a process of its own."""

import subprocess
import sys

COMMAND = [sys.executable, "-m", "runoff.cli"]


def runoff(*arguments, stdin=None, status=0, **options):
    """Run `runoff`; the exit status is checked, and nothing may end in a traceback."""
    given = stdin.encode() if isinstance(stdin, str) else stdin
    result = subprocess.run(
        [*COMMAND, *map(str, arguments)], input=given, capture_output=True, check=False, **options
    )
    errors = result.stderr.decode()
    assert "Traceback" not in errors
    assert result.returncode == status, errors
    return result.stdout.decode(), errors
