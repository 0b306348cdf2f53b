"""Killing: whatever the moment of a `kill -9`, the same command ends with the same bytes.

`fit` with several learners, `train` of every task and `reproduce` are started with two jobs,
killed at random moments and started again until they end. Then the model must have the bytes of an
undisturbed run, the folders its files and no others, and no process of the killed ones may live.
Not run by pytest.

    python tests/fuzz/kills.py --kills 100 --seed 1
    python tests/fuzz/kills.py --kills 10 --only parsing

States of learners are kept after every step instead of every half minute, so that a killed run has
one to resume from.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from helpers.made.lists import attachments
from helpers.made.models import tagging_lists
from helpers.made.recipe import write_recipe
from helpers.made.tasks import MADE

import runoff as ro
from runoff.tasks.ranking.demo import demo_lists

RUN = """
import functools
from runoff.fitting import run
from runoff.fitting.run import Checkpoint
run.Checkpoint = functools.partial(Checkpoint, seconds=0.0)
from runoff.cli import main
main()
"""
MARK = "RUNOFF_KILLS"
"""The variable by which processes of a run are known."""

FITS = {
    "exp-loss": "--bins 4 --thresholds 1,2 -O rounds=50000 -O smoothing=0.001,0.002",
    "perceptron": "-O epochs=60",
    "voted-perceptron": "-O epochs=30",
    "maxent": "-O prior=1,10",
    "maxent-rank": "-O prior=1,10",
    "svm-rank": "-O subsets=3",
    "p-norm-push": "-O rounds=300",
    "cascade": "",
    "subtree-boost": "--features tree -O frequency=1 -O rounds=3000 -O size=4",
    "tree-kernel": "--features tree -O epochs=20",
    "tagging-kernel": "--features tagging -O epochs=20",
}
TRAININGS = {
    "tagging": "--prior 1,10 --min-count 1",
    "chunking": "--prior 1,10 --folds 3 --n 5 --tagger-option min_count=1",
    "names": "--folds 3 --n 5 --tagger-option min_count=1",
    "parsing": "--folds 3 --n 8 --grammars 1 --proposed 20 --features parse -O prior=1"
    " --tagger-option min_count=1 --parser-option min_count=1",
    "words": "--left 2 --right 2",
    "proofing": "--false-alarms 0.2",
}


class Command(NamedTuple):
    """A command, its last arguments `-o` and the model; all its files are below the folder."""

    name: str
    arguments: list[str]


def commands(data: Path) -> list[Command]:
    """All commands, and the data they learn from."""
    made = [Command(name, _fit(name, data)) for name in FITS]
    for name, options in TRAININGS.items():
        folder = data / name
        folder.mkdir()
        train, dev = MADE[name].write(folder)
        given = ["train", name, str(train), *([] if dev is None else ["--dev", str(dev)])]
        if name == "proofing":
            (folder / "sets.txt").write_text("than then\nthere their\n")
            given += ["--sets", str(folder / "sets.txt")]
        made.append(Command(name, [*given, *options.split()]))
    recipe = write_recipe(data)
    made.append(Command("reproduce", ["reproduce", str(recipe), "--data", str(data)]))
    return made


def _fit(learner: str, data: Path) -> list[str]:
    options = FITS[learner].split()
    lists, metric = demo_lists("train")[:150], "wer"
    if learner == "tagging-kernel":
        lists, metric = tagging_lists() * 20, "chunk-f1"
    elif "tree" in options:
        lists, metric = attachments(200), "parseval"
    file = data / f"{learner}.jsonl"
    ro.write_nbest(lists, file)
    dev = data / f"{learner}-dev.jsonl"
    ro.write_nbest(lists[:40], dev)
    return ["fit", str(file), "--dev", str(dev), "--metric", metric, "--learner", learner, *options]


class Place:
    """A folder in which a command is run, killed, and run again."""

    def __init__(self, command: Command, folder: Path) -> None:
        self.command, self.folder = command, folder
        self.mark = f"{os.getpid()}-{folder.name}"
        self.kills, self.seconds = 0, 0.0
        for name in ("tmp", "out"):
            (folder / name).mkdir(parents=True)

    def start(self) -> subprocess.Popen[bytes]:
        """Start the command."""
        environment = {
            **os.environ,
            MARK: self.mark,
            "TMPDIR": str(self.folder / "tmp"),
            "RUNOFF_CACHE": str(self.folder / "cache"),
        }
        given = [*self.command.arguments, "-j", "2", "-o", str(self.folder / "out" / "model")]
        if self.command.name == "reproduce":
            given += ["--work", str(self.folder / "work")]
        return subprocess.Popen(
            [sys.executable, "-c", RUN, *given],
            cwd=self.folder,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=(self.folder / "tmp" / "stderr").open("wb"),
        )

    def finish(self) -> str | None:
        """Run the command to its end; what went wrong."""
        if self.start().wait() != 0:
            return (self.folder / "tmp" / "stderr").read_text(errors="replace")[-1000:]
        return None

    def files(self) -> set[str]:
        """The files of the folder."""
        found = (path for path in self.folder.rglob("*") if path.is_file())
        return {str(path.relative_to(self.folder)) for path in found}

    def model(self) -> bytes:
        """The bytes of the model."""
        return (self.folder / "out" / "model").read_bytes()

    def alive(self) -> list[int]:
        """The processes of this command, and of its workers, that still live."""
        found = []
        for entry in Path("/proc").iterdir():
            try:
                marked = entry.name.isdigit() and self.mark in (entry / "environ").read_text()
            except (OSError, UnicodeDecodeError):
                continue
            if marked:
                found.append(int(entry.name))
        return found


def killed_often(command: Command, folder: Path, seconds: float, chance: random.Random) -> Place:
    """The place of a command after a few kills at random moments of the seconds that it takes."""
    place = Place(command, folder)
    place.seconds = seconds
    for _ in range(chance.randint(1, 4)):
        process, began = place.start(), time.monotonic()
        try:
            process.wait(chance.uniform(0.2, max(0.3, seconds)))
            place.seconds = time.monotonic() - began  # it was faster
            break
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            place.kills += 1
    return place


def compared(place: Place, sound: Place) -> list[str]:
    """What is wrong with a place after its last run."""
    deadline = time.monotonic() + 10
    while place.alive() and time.monotonic() < deadline:
        time.sleep(0.1)
    wrong = [f"process {pid} lives" for pid in place.alive()]
    if place.model() != sound.model():
        wrong.append("the model has other bytes")
    wrong += [f"left behind: {file}" for file in sorted(place.files() - sound.files())]
    wrong += [f"missing: {file}" for file in sorted(sound.files() - place.files())]
    return wrong


def main() -> None:
    """Run the commands, kill them, compare, print a summary."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", action="append", metavar="COMMAND")
    options = parser.parse_args()
    chance, root = random.Random(options.seed), Path(tempfile.mkdtemp(prefix="runoff-kills-"))
    (root / "data").mkdir()
    wanted = [one for one in commands(root / "data") if one.name in (options.only or [one.name])]
    sound, seconds = {}, {}
    for command in wanted:
        began = time.monotonic()
        sound[command.name] = Place(command, root / f"{command.name}-sound")
        failed = sound[command.name].finish()
        if failed is not None:
            sys.exit(f"{command.name}: {failed}")
        seconds[command.name] = time.monotonic() - began
    kills: Counter[str] = Counter()
    wrong: list[str] = []
    turn = 0
    while kills.total() < options.kills:
        command = wanted[turn % len(wanted)]
        folder = root / f"{command.name}-{turn}"
        place = killed_often(command, folder, seconds[command.name], chance)
        failed = place.finish()
        found = compared(place, sound[command.name]) if failed is None else [failed]
        kills[command.name] += place.kills
        seconds[command.name] = min(seconds[command.name], place.seconds)
        turn += 1
        for one in found:
            wrong.append(f"{command.name}, turn {turn}, {place.kills} kills: {one}")
            print(wrong[-1], flush=True)
        if not found:
            shutil.rmtree(folder)
    print(f"{kills.total()} kills in {turn} runs that were started again until they ended:")
    print(", ".join(f"{name} {number}" for name, number in kills.items()))
    print(f"{len(wrong)} findings" + (f"; see {root}" if wrong else ""))
    if not wrong:
        shutil.rmtree(root)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
