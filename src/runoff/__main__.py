"""`python -m runoff` is the command `runoff`."""

from runoff.cli import main

main()
