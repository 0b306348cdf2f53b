"""A generator's million lists through `fit`: features counted on disk, or in memory.

    python benchmarks/out_of_core.py [--lists 1000000] [--compare 100000] [--at-once 1048576]

Lists are made up one by one: three candidates, each with a few features, most of which occur once.
`maxent` learns from them, features in at least two lists, ten iterations. A run of features goes to
disk after --at-once of them (`runoff.problem.build.runs`, where 16,777,216 are), or never. Each row
is a process of its own; peak memory is VmHWM. Models of one number of lists must have one hash.
"""

import argparse
import hashlib
import json
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from measuring import child, cpu_seconds, machine, memory, table

import runoff as ro
from runoff.learners.maxent import loss
from runoff.problem.build import runs

RESULTS = Path(__file__).parent / "results" / "out_of_core.md"
IN_MEMORY = 1 << 40
AT_A_TIME = 10_000


def made_lists(number):
    """Lists whose best candidate has more of the words that are numbered low."""
    dice = np.random.default_rng(7)
    for first in range(0, number, AT_A_TIME):
        words = np.floor(np.exp(dice.random((AT_A_TIME, 3, 4)) * 17.0)).astype(int).tolist()
        for n, candidates in enumerate(words[: number - first], first):
            best = min(range(3), key=lambda place: sum(candidates[place]))
            made = [
                ro.Candidate(
                    None, -float(place), quality=float(place == best),
                    features={f"word {w}": 1.0 for w in own},
                )
                for place, own in enumerate(candidates)
            ]  # fmt: skip
            yield ro.NBest(n, None, made)


def work(task):
    """Fit once, in this process, and print what it took."""
    runs.FEATURES_AT_ONCE = task["at_once"]
    counted = []
    merge = runs.frequent
    runs.frequent = lambda own, least: counted.extend(own) or merge(own, least)
    began, before = time.monotonic(), cpu_seconds()
    model = ro.fit(
        made_lists(task["lists"]), learner="maxent", features="given", metric="quality",
        min_lists=2, options={"iterations": 10},
    )  # fmt: skip
    cpu, wall = cpu_seconds() - before, time.monotonic() - began
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "model")
        model.save(file)
        digest = hashlib.sha256(file.read_bytes()).hexdigest()[:16]
    blocks = -(-task["lists"] // loss.BLOCK)
    found = {"runs": len(counted) or "-", "blocks": blocks, "weights": model.n_weights()}
    found |= {"cpu": round(cpu), "wall": round(wall), "peak": round(memory("VmHWM"))}
    print(json.dumps(found | {"model": digest}))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lists", type=int, default=1_000_000)
    parser.add_argument("--compare", type=int, default=100_000)
    parser.add_argument("--at-once", type=int, default=1 << 20)
    given = parser.parse_args()
    tasks = [
        (given.compare, IN_MEMORY),
        (given.compare, given.at_once // 8),
        (given.lists, given.at_once),
    ]
    rows = []
    for lists, at_once in tasks:
        found = child(__file__, {"lists": lists, "at_once": at_once})
        rows.append([f"{lists:,}", "-" if at_once == IN_MEMORY else f"{at_once:,}"])
        rows[-1] += found.values()
        print(*rows[-1], flush=True)
        head = ["lists", "at once", "runs", "blocks", "weights", "CPU s", "wall s", "peak MB"]
        text = [f"# {__doc__.splitlines()[0]}", "", machine(), ""]
        RESULTS.write_text("\n".join([*text, *table([*head, "model"], rows), ""]))


if __name__ == "__main__":
    if sys.argv[1:] == ["--child"]:
        work(json.loads(sys.stdin.read()))
    else:
        main()
