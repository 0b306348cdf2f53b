"""Runs the code blocks of a Markdown page, from top to bottom, in one folder.

- A `python` block is executed; all of a page share their names. A `text` block right behind one
  is what it prints.
- In a `console` block, lines that begin with `$ ` are run by bash; what stands below a command is
  what it prints. A `bash` block is run as it stands.
- A block with a `title="name"` is written to the file of that name.
- `...` in expected output stands for any text.
- `<!-- not run: why -->` above a block leaves it alone. Blocks in other languages are only shown.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

FENCE = re.compile(r"```(\w*) *(.*)")
NOT_RUN = re.compile(r"<!-- not run: \S.* -->")
TITLE = re.compile(r'title="([^"]+)"')
COLOURS = ("FORCE_COLOR", "CLICOLOR_FORCE", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "COLUMNS")


class Block(NamedTuple):
    """A fenced block: where it begins, and what stands behind and above it."""

    line: int
    language: str
    title: str | None
    text: str
    skipped: bool
    follows: bool  # nothing but blank lines between it and the block before it


def blocks(page: str) -> Iterator[Block]:
    """The fenced blocks of a page, in order."""
    lines = iter(enumerate(page.splitlines(), start=1))
    before, follows = "", False
    for number, line in lines:
        fence = FENCE.fullmatch(line)
        if fence is None:
            before = line if line.strip() else before
            follows = follows and not line.strip()
            continue
        body = []
        for _, inner in lines:
            if inner == "```":
                break
            body.append(inner)
        else:
            raise AssertionError(f"line {number}: the block does not end")
        title = TITLE.search(fence[2])
        text = "".join(f"{inner}\n" for inner in body)
        skipped = NOT_RUN.fullmatch(before.strip()) is not None
        yield Block(number, fence[1], title and title[1], text, skipped, follows)
        before, follows = "", True


def run_page(path: Path, folder: Path) -> int:
    """Run a page in a folder, which is the current one; returns how many blocks were run."""
    names: dict[str, object] = {"__name__": "__page__"}
    printed: str | None = None
    count = 0
    for block in blocks(path.read_text()):
        place = f"{path.name}:{block.line}"
        printed_before, printed = printed, None
        if block.skipped:
            continue
        if block.title is not None:
            (folder / block.title).write_text(block.text)
        elif block.language == "python":
            printed = run_python(block.text, names, place)
        elif block.language == "text" and block.follows and printed_before is not None:
            compare(block.text, printed_before, place)
        elif block.language == "bash":
            run_shell(block.text, folder, place)
        elif block.language == "console":
            for command, expected in commands(block.text):
                found = run_shell(command, folder, f"{place}: {command}")
                if expected:
                    compare(expected, found, f"{place}: {command}")
        else:
            continue
        count += 1
    return count


def run_python(text: str, names: dict[str, object], place: str) -> str:
    """What the code prints."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(text, place, "exec"), names)
    return output.getvalue()


def commands(text: str) -> Iterator[tuple[str, str]]:
    """The commands of a console block, each with the output below it."""
    command, output = "", ""
    for line in text.splitlines():
        if line.startswith("$ "):
            if command:
                yield command, output
            command, output = line[2:], ""
        else:
            assert command, f"output before the first command: {line}"
            output += f"{line}\n"
    if command:
        yield command, output


def run_shell(script: str, folder: Path, place: str) -> str:
    """What a script prints, errors included; it must succeed."""
    environment = {key: value for key, value in os.environ.items() if key not in COLOURS}
    environment["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment["TERM"] = "dumb"
    done = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", script],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{place}: exit status {done.returncode}\n{done.stdout}"
    return done.stdout


def compare(expected: str, found: str, place: str) -> None:
    """Fail unless the output is the expected one; spaces at the end of lines do not matter."""
    expected, found = (
        "\n".join(line.rstrip() for line in text.strip("\n").splitlines())
        for text in (expected, found)
    )
    pattern = ".*".join(map(re.escape, expected.split("...")))
    if re.fullmatch(pattern, found, re.DOTALL) is None:
        raise AssertionError(f"{place}: expected\n{expected}\n\nfound\n{found}")
