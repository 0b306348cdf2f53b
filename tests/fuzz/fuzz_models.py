"""Fuzzing models: a mutated model file works, or gives one sentence; and it is *used*.

A small model of every task and of every learner is trained, mutated (`tests/helpers/mutations.py`)
and put to use: applied, asked why, looked into, saved (`tests/helpers/made/models.py`). All else
than a result or one of Runoff's own errors is a finding: a traceback, a crash, more than
`--memory` megabytes or `--seconds` for one file. Not run by pytest, which has a few cases of each.

    python tests/fuzz/fuzz_models.py --minutes 60 --seed 1
    python tests/fuzz/fuzz_models.py --only parsing --case 1234 --seed 1

The second command runs one case in this process, to see its traceback. The mutated files of
findings stay in `--folder`. CONTRIBUTING says how to run it on a build with sanitizers.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import selectors
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from helpers.made.models import NAMES, make_model, use_model
from helpers.mutations import mutated

from runoff.errors import RunoffError


class Case(NamedTuple):
    """One mutated file; the same case gives the same file again."""

    name: str
    number: int
    seed: int

    def write(self, folder: Path) -> Path:
        """The mutated file of a sound model of this folder."""
        chance = random.Random(f"{self.seed} {self.number} {self.name}")
        path = folder / f"mutated-{os.getpid()}"
        path.write_bytes(mutated(folder / f"{self.name}.runoff", chance))
        return path


def outcome(case: Case, folder: Path) -> str:
    """`works`, `rejected`, or what went wrong and where."""
    path = case.write(folder)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            use_model(case.name, path)
    except RunoffError as error:
        lines = error.message.count("\n")
        return "rejected" if not lines else f"an error of {lines + 1} lines: {error.message!r}"
    except Exception as error:
        frames = [f for f in traceback.extract_tb(error.__traceback__) if "runoff/" in f.filename]
        where = f"{frames[-1].filename.rpartition('runoff/')[2]}:{frames[-1].lineno}"
        return f"{type(error).__name__} at {where}: {error}".replace("\n", " ")[:300]
    return "works"


def work(options: argparse.Namespace) -> None:
    """What a worker process does: round after round of cases; a line before and after each."""
    if "libasan" not in os.environ.get("LD_PRELOAD", ""):  # which takes terabytes of addresses
        resource.setrlimit(resource.RLIMIT_AS, (options.memory << 20, options.memory << 20))
    number = options.first
    while True:
        for name in options.names:
            print(f"begin\t{name}\t{number}", flush=True)
            found = outcome(Case(name, number, options.seed), options.folder)
            print(f"end\t{found}", flush=True)
        number += 1


class Findings:
    """What went wrong, each kind once, with the files that show it."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.seed = folder, seed
        self.counts: Counter[str] = Counter()
        self.wrong: dict[tuple[str, str], int] = {}

    def add(self, name: str, number: int, found: str) -> None:
        """Count an outcome; keep the file of a new finding."""
        self.counts[found if found in ("works", "rejected") else "findings"] += 1
        key = name, found.partition(": ")[0]
        if found in ("works", "rejected") or key in self.wrong:
            return
        self.wrong[key] = number
        path = Case(name, number, self.seed).write(self.folder)
        path.replace(self.folder / f"finding-{name}-{number}.runoff")
        print(f"{name}, case {number}: {found}", flush=True)


def watch(options: argparse.Namespace) -> Findings:
    """Run workers until time is over; one that dies or hangs is a finding, and another follows."""
    findings, first = Findings(options.folder, options.seed), options.first
    end = time.monotonic() + 60 * options.minutes
    while time.monotonic() < end:
        command = [sys.executable, __file__, "--worker", "--first", str(first), *sys.argv[1:]]
        command += ["--folder", str(options.folder)]
        errors = (options.folder / "stderr").open("wb")
        worker = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, bufsize=0)
        name, first, problem = _follow(worker, findings, end, options.seconds)
        worker.kill()
        worker.wait()
        if problem is not None:
            told = (options.folder / "stderr").read_text(errors="replace").strip()[-2000:]
            findings.add(name, first, problem.format(status=worker.returncode))
            print(told, flush=True)
        first += 1
    return findings


def _follow(
    worker: subprocess.Popen[bytes], findings: Findings, end: float, seconds: float
) -> tuple[str, int, str | None]:
    """Count what a worker says until it dies or hangs, or time is over; its last case, and why."""
    name, number = "start", 0
    waiting = selectors.DefaultSelector()
    waiting.register(worker.stdout, selectors.EVENT_READ)
    while time.monotonic() < end:
        if not waiting.select(seconds if name != "start" else 120):
            return name, number, f"took more than {seconds:g} seconds"
        line = worker.stdout.readline().decode(errors="replace").rstrip("\n")
        if not line:
            worker.wait()
            return name, number, "the process died with status {status}"
        what, _, rest = line.partition("\t")
        if what == "begin":
            name, number = rest.rpartition("\t")[0], int(rest.rpartition("\t")[2])
        else:
            findings.add(name, number, rest)
    return name, number, None


def main() -> None:
    """Make the models, run the cases, print a summary."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", action="append", choices=NAMES, dest="names", metavar="MODEL")
    parser.add_argument("--case", type=int, help="run this one here, to see its traceback")
    parser.add_argument("--memory", type=int, default=3000, metavar="MB")
    parser.add_argument("--seconds", type=float, default=20.0, help="allowed for one file")
    parser.add_argument("--folder", type=Path, help="where models and findings are written")
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.names = options.names or list(NAMES)
    if options.worker:
        work(options)
    options.folder = options.folder or Path(tempfile.mkdtemp(prefix="runoff-fuzz-"))
    options.folder.mkdir(parents=True, exist_ok=True)
    for name in options.names:
        make_model(name, options.folder)
    if options.case is not None:
        for name in options.names:
            use_model(name, Case(name, options.case, options.seed).write(options.folder))
        return
    found = watch(options)
    total = sum(found.counts.values())
    print(f"{total} mutated files of {len(options.names)} models in {options.minutes:g} minutes:")
    print(", ".join(f"{n} {what}" for what, n in sorted(found.counts.items())))
    print(f"{len(found.wrong)} kinds of findings; files in {options.folder}")
    sys.exit(1 if found.wrong else 0)


if __name__ == "__main__":
    main()
