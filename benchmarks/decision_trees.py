"""Growing boosted decision trees: samples, held atoms, threads, several trees a sample, the twin.

    python benchmarks/decision_trees.py [--trees N] [--atoms base] [--label NP] [--to 10]

The examples are the candidates of one label on the paths of CRAFT's training trees of at most 15
words, right to left (RUNOFF_DATA, or ../shared/data). Every way goes down the same path of lambda,
each as a process of its own, one after the other, on one thread unless it says otherwise. Making
the examples is not in the times; those of steps are CPU seconds of all threads. Ways whose trees
are the same bytes have the same hash.

The twin is `tests/twins/decision_trees.py`, on 400 examples with 30 atoms.
"""

import argparse
import hashlib
import json
import os
import sys
import time
from pathlib import Path

import numpy as np
from measuring import child, machine, memory, table

from runoff import _native
from runoff.data.treebank.clean import read_treebank
from runoff.learners.decision_trees.ensemble import Ensemble
from runoff.tasks.parsing.classification.training import STEPS, examples_of

RESULTS = Path(__file__).parent / "results"
HOME = Path(__file__).parent.parent
LONGEST, DECAY, TWIN_TREES = 15, 0.9, 20
EVERY, GIGABYTE = 10**9, 10**9

WAYS = {
    "a sample for each tree, atoms extracted (the paper's)": {},
    "the same, two threads": {"threads": 2},
    "the same, atoms of all examples held": {"cache": GIGABYTE},
    "the same, held, two threads": {"cache": GIGABYTE, "threads": 2},
    "ten trees a sample, atoms extracted": {"per_sample": 10},
    "ten trees a sample, held": {"per_sample": 10, "cache": GIGABYTE},
    "no samples, held": {"sample": EVERY},
    "any gain splits (the rule as printed), held, to a tenth of the way": {
        "cache": GIGABYTE,
        "split_gain": 0.0,
        "share": 0.1,
    },
}


def trees_of(part, number):
    folder = Path(os.environ.get("RUNOFF_DATA", HOME / "../shared/data"))
    found = (t for t in read_treebank(folder / f"craft/{part}.clean.mrg.gz"))
    return [tree for tree in found if len(tree.words) <= LONGEST][:number]


def work(task):
    """Follow the path once and print what it took."""
    examples = examples_of(trees_of("train", task["trees"]), task["label"], task["atoms"])
    options = task["options"]
    booster = _native.TreeBooster(
        *examples[:4],
        np.zeros(0),
        examples.n_atoms,
        options.get("sample", task["sample"]),
        0,
        options.get("split_gain", task["split_gain"]),
        options.get("per_sample", 1),
        options.get("cache", 0),
    )
    threads = options.get("threads", 1)
    before, cpu, wall = memory("VmHWM"), time.process_time(), time.perf_counter()
    first = lam = booster.first_lambda(threads)
    last = task["to"]
    if "share" in options:  # in equal steps of the logarithm
        last = first * (task["to"] / first) ** options["share"]
    while lam * DECAY >= last:
        lam *= DECAY
        while booster.grow(lam, threads):
            pass
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    ensemble = Ensemble(*booster.trees(), examples.n_atoms)
    digest = hashlib.sha256(b"".join(a.tobytes() for a in booster.trees())).hexdigest()[:6]
    print(
        json.dumps(
            {
                "examples": len(examples.y),
                "n_atoms": examples.n_atoms,
                "first": first,
                "cpu": cpu,
                "wall": wall,
                "steps": booster.seconds,
                "trees": ensemble.n_trees,
                "leaves": ensemble.n_leaves,
                "active": ensemble.n_active,
                "loss": booster.loss,
                "digest": digest,
                "memory": memory("VmHWM") - before,
            }
        )
    )


def against_twin():
    """Seconds of the native learner and of its twin for the same trees."""
    sys.path.insert(0, str(HOME / "tests"))
    from twins.decision_trees import Twin, leaves

    random = np.random.default_rng(0)
    n, n_atoms = 400, 30
    table_ = random.random((n, n_atoms)) < 0.2
    rows = [np.flatnonzero(row).tolist() for row in table_]
    y = np.where(table_[:, 0] ^ (random.random(n) < 0.2), 1, -1).astype(np.int8)
    offsets = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    source = _native.SparseRows(offsets, np.concatenate(rows).astype(np.uint32), n_atoms)
    bias = np.ones(n, dtype=np.float32)
    pointers = np.arange(n, dtype=np.uint64)
    booster = _native.TreeBooster(source, pointers, y, bias, np.zeros(0), n_atoms, n, 0)
    lambdas, lam = [], 0.8 * booster.first_lambda(1)
    start = time.process_time()
    while len(lambdas) < TWIN_TREES:
        if booster.grow(lam, 1):
            lambdas.append(lam)
        else:
            lam *= 0.8
    native, start = time.process_time() - start, time.process_time()
    twin = Twin(rows, y.tolist(), bias.tolist(), n_atoms)
    for lam in lambdas:
        for members, value in leaves(twin.grow(lam)):
            for i in members:
                twin.h[i] += value
    return native, time.process_time() - start


def page(task, found):
    first = next(iter(found.values()))
    native, slow = against_twin()
    lines = ["# Growing decision trees", ""]
    lines.append(
        f"`python benchmarks/decision_trees.py {' '.join(sys.argv[1:])}`: {task['label']} of "
        f"CRAFT up to {LONGEST} words, {first['examples']:,} examples, {task['atoms']} atoms "
        f"({first['n_atoms']:,}), lambda from {first['first']:,.0f} to {task['to']}, samples of "
        f"{task['sample']:,}, split_gain {task['split_gain']}; {machine()}. What the columns mean "
        "is in `decision_trees.py`."
    )
    head = ["way", "CPU s", "times the first", "wall s", *STEPS]
    head += ["trees", "leaves", "active", "loss", "bytes", "increase MB"]
    rows = []
    for way, x in found.items():
        if "error" in x:
            rows.append([way, x["error"], *[""] * (len(head) - 2)])
            continue
        row = [way, f"{x['cpu']:.1f}", f"{x['cpu'] / first['cpu']:.2f}", f"{x['wall']:.1f}"]
        row += [f"{one:.1f}" for one in x["steps"]]
        row += [x["trees"], f"{x['leaves']:,}", x["active"], f"{x['loss']:.1f}", x["digest"]]
        rows.append([*row, f"{x['memory']:.0f}"])
    lines += ["", *table(head, rows), ""]
    lines.append(
        f"The Python twin takes {slow:.2f} s for {TWIN_TREES} trees on 400 examples with 30 atoms, "
        f"native code {native * 1000:.1f} ms: {slow / max(native, 1e-6):,.0f} times as long."
    )
    return "\n".join(lines) + "\n"


def main():
    if sys.argv[1:] == ["--child"]:
        work(json.load(sys.stdin))
        return
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trees", type=int, help="training trees; all of them, if not given")
    parser.add_argument("--atoms", default="base", choices=["base", "kitchen-sink"])
    parser.add_argument("--label", default="NP")
    parser.add_argument("--sample", type=int, default=100_000)
    parser.add_argument("--split-gain", type=float, default=0.05)
    parser.add_argument("--to", type=float, default=10.0, help="the last lambda")
    task = vars(parser.parse_args())
    found = {}
    for way, options in WAYS.items():
        found[way] = child(__file__, {**task, "options": options})
        print(way, json.dumps(found[way]), file=sys.stderr, flush=True)
    (RESULTS / "decision_trees.md").write_text(page(task, found))


if __name__ == "__main__":
    main()
