"""Many shards of made-up lists, killed at random moments and started again, and gathered.

    python benchmarks/shards.py [--lists 20000] [--shards 1000] [--kills 300] [--seed 1]

A queue gives out the shards of `runoff rerank` in random order, two at a time. Each is a process of
its own, forked from one that has imported Runoff, so that a thousand do not spend their time on
imports. So many times the shard that has just been started is killed (SIGKILL) at a random moment
and goes back to the queue. In the end `gather` must give the bytes of one command without shards.
Peak memory is that of `gather` and of `rerank -j 2`, each in a process of its own, on all lists and
on a tenth of them.
"""

import argparse
import hashlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from measuring import cpu_seconds, machine, table

import runoff as ro
from runoff.cli import main as runoff
from runoff.data.shards.gather import gather

RESULTS = Path(__file__).parent / "results" / "shards.md"
AT_ONCE = 2
PEAK = """
import sys
from measuring import memory
from runoff.cli import main
try:
    main()
except SystemExit as end:
    if end.code:
        raise
print(round(memory("VmHWM")), file=sys.stderr)
"""


def made_lists(number, seed):
    """Lists of five texts, in which a word that is wrong comes before the right one."""
    dice = random.Random(seed)
    words = "the vote was held again in a town of many halls and few chairs".split()
    for n in range(number):
        gold = [dice.choice(words) for _ in range(8)]
        texts = [[*gold[:k], "hurled", *gold[k + 1 :]] for k in range(4)]
        lines = [" ".join(text) for text in (*texts[:2], gold, *texts[2:])]
        candidates = [ro.Candidate(text, -1.0 - k) for k, text in enumerate(lines)]
        yield ro.NBest(f"s{n}", None, candidates, gold=" ".join(gold))


def started(arguments):
    """The process of a command, forked from this one."""
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        sys.argv = ["runoff", *map(str, arguments)]
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        runoff()
    except SystemExit as end:
        status = end.code or 0
    finally:
        os._exit(status)


def run_all(command, shards, kills, dice):
    """Run every shard, some of which are killed; how many were, and how often a mark was there."""
    waiting = list(range(1, shards + 1))
    dice.shuffle(waiting)
    running, killed, took = {}, 0, 0.2
    while waiting or running:
        while waiting and len(running) < AT_ONCE:
            shard = waiting.pop()
            pid = started([*command, "--shard", f"{shard}/{shards}"])
            running[pid] = shard, time.monotonic()
            if killed < kills and dice.random() < 0.5:
                time.sleep(dice.random() * took)
                os.kill(pid, signal.SIGKILL)
        pid, status = os.wait()
        shard, began = running.pop(pid)
        if status == 0:
            took = 0.9 * took + 0.1 * (time.monotonic() - began)
            continue
        assert os.WIFSIGNALED(status), f"shard {shard} failed"
        killed += 1
        waiting.insert(dice.randrange(len(waiting) + 1), shard)
    return killed


def peak(*arguments):
    """Megabytes that a command takes at most."""
    done = subprocess.run(
        [sys.executable, "-c", PEAK, *map(str, arguments)],
        cwd=Path(__file__).parent,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=True,
    )
    return int(done.stderr.split()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lists", type=int, default=20_000)
    parser.add_argument("--shards", type=int, default=1000)
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        model, lists, tenth = (folder / n for n in ("m.runoff", "lists.jsonl", "tenth.jsonl"))
        ro.fit(list(made_lists(200, given.seed + 1)), metric="wer").save(model)
        ro.write_nbest(made_lists(given.lists, given.seed), lists)
        ro.write_nbest(made_lists(given.lists // 10, given.seed), tenth)
        parts = folder / "parts"
        began, cpu = time.monotonic(), cpu_seconds()
        killed = run_all(
            ["rerank", model, lists, "-o", parts], given.shards, given.kills,
            random.Random(given.seed),
        )  # fmt: skip
        wall, cpu = time.monotonic() - began, cpu_seconds() - cpu
        found = gather(parts)
        left = [one for one in parts.iterdir() if not one.name.startswith("part-")]
        rows = [
            ["rerank -j 2, a tenth", peak("rerank", model, tenth, "-o", folder / "t", "-j", "2")],
            ["rerank -j 2", peak("rerank", model, lists, "-o", folder / "whole", "-j", "2")],
            ["gather", peak("gather", parts, "-o", folder / "gathered")],
        ]
        few = folder / "few"
        run_all(["rerank", model, tenth, "-o", few], 10, 0, random.Random(0))
        rows.insert(2, ["gather, 10 shards of a tenth", peak("gather", few, "-o", folder / "f")])
        digests = [
            hashlib.sha256((folder / one).read_bytes()).hexdigest() for one in ("whole", "gathered")
        ]
        same = "the same bytes" if digests[0] == digests[1] else "OTHER BYTES"
        text = [
            f"# {__doc__.splitlines()[0]}",
            "",
            f"{machine()}; {given.lists:,} lists of five, {given.shards:,} shards, seed "
            f"{given.seed}.",
            "",
            f"{killed} shards were killed; missing in the end: {found.missing or 'none'}; files "
            f"that killed shards have left: {len(left)}; gathered: {same} as without shards "
            f"({digests[1][:16]}). CPU {cpu:.0f} s, wall {wall:.0f} s.",
            "",
            *table(["peak memory of", "MB"], rows),
            "",
        ]
    print("\n".join(text))
    RESULTS.write_text("\n".join(text))


if __name__ == "__main__":
    main()
