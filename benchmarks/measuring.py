"""What the benchmarks share: time and memory of a process, children, tables, where it was run."""

import json
import os
import platform
import resource
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from runoff.problem.file import load_problem

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def memory(key, status="/proc/self/status"):
    """Megabytes of this process, or of another, by a key of its status.

    VmHWM, the peak, unlike ru_maxrss, knows nothing of the parent.
    """
    for line in Path(status).read_text().splitlines():
        if line.startswith(key):
            return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def cpu_seconds():
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def seconds(work):
    """What work returns, and its CPU seconds."""
    start = time.process_time()
    result = work()
    return result, time.process_time() - start


def child(script, task, limit=None):
    """What a script prints as JSON that is run with `--child` in a process of its own.

    The task goes in by stdin. Where the process fails, a dictionary with a sentence as `error`.
    """
    try:
        done = subprocess.run(
            [sys.executable, script, "--child"],
            input=json.dumps(task),
            env={**os.environ, **ONE_THREAD},
            capture_output=True,
            text=True,
            timeout=limit,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return {"error": f"stopped after {limit:.0f} s"}
    if done.returncode < 0:
        return {"error": f"killed by signal {-done.returncode}"}
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line and not line.startswith("Hint:")]
        return {"error": said[-1] if said else f"exit {done.returncode}"}
    return json.loads(done.stdout.splitlines()[-1])


def problem_in_memory(file):
    """The problem with its arrays in memory, not in the file."""
    problem, _ = load_problem(file)
    names = ("list_offsets", "feature_offsets", "feature_ids", "logprobs", "qualities")
    problem = replace(problem, **{name: np.array(getattr(problem, name)) for name in names})
    _ = problem.native
    return problem


def table(head, rows):
    """The lines of a table in Markdown."""
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return [*lines, *("| " + " | ".join(map(str, row)) + " |" for row in rows)]


def commit():
    """The commit that is checked out, with `-dirty` where files but results were changed since."""
    here = Path(__file__).parent
    name = ["git", "rev-parse", "--short", "HEAD"]
    done = subprocess.run(name, cwd=here, capture_output=True, text=True, check=False)
    changed = ["git", "diff", "--quiet", "HEAD", "--", ":/", ":(exclude,top)benchmarks/results"]
    dirty = subprocess.run(changed, cwd=here, capture_output=True, check=False).returncode
    return done.stdout.strip() + "-dirty" * (dirty == 1)


def machine():
    """Commit, processor and Python, for the line under a title."""
    return (
        f"commit {commit()}, {platform.machine()}, {os.cpu_count()} shared cores, "
        f"Python {platform.python_version()}"
    )
