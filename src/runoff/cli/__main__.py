"""`python -m runoff.cli` is the command `runoff`."""

from runoff.cli import main

main()
