"""One text parsed by every engine: the bytes, CPU time, and what a killed worker costs.

    python benchmarks/engines.py TEXT [--sentences 2000] [--kill] [--rerank LISTS MODEL]

TEXT has one tokenised sentence per line. Dask and Ray are started on this machine with two workers
each; `dask-unprofiled` is Dask without the profiler of its workers. CPU seconds are those of the
command and of every process of the cluster while it runs, its own housekeeping included, which
*idle* is: CPU seconds per second in which nobody has work for the cluster. *ratio* is CPU seconds
over those of one process alone. Compare rows of one run only.
"""

import argparse
import hashlib
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path

from measuring import machine, table

RESULTS = Path(__file__).parent / "results" / "engines.md"
TICK = os.sysconf("SC_CLK_TCK")


def stat(pid):
    """The parent of a process, and the CPU seconds that it and its ended children took."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0, 0.0
    return int(fields[1]), sum(map(int, fields[11:15])) / TICK


def family(roots):
    """The processes below some, themselves included, and their CPU seconds."""
    found = {int(one.name): stat(one.name) for one in Path("/proc").iterdir() if one.name.isdigit()}
    below = set(roots)
    while more := {pid for pid, (parent, _) in found.items() if parent in below} - below:
        below |= more
    return {pid: found[pid][1] for pid in below if pid in found}


@contextmanager
def dask(folder):
    """A scheduler and two workers; gives the engine's name and their processes."""
    file = Path(folder, "scheduler.json")
    with ExitStack() as stack:
        started = []
        for program in (
            ["scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"],
            ["worker", "--nworkers", "2", "--nthreads", "1", "--no-dashboard"],
        ):
            command = [sys.executable, "-m", "dask", *program, "--scheduler-file", str(file)]
            log = stack.enter_context(Path(folder, f"{program[0]}.log").open("wb"))
            started.append(subprocess.Popen(command, stdout=log, stderr=log, cwd=folder))
            stack.callback(started[-1].wait)
            stack.callback(started[-1].terminate)
            while not file.exists():
                time.sleep(0.1)
        while Path(folder, "scheduler.log").read_text().count("Register worker") < 2:
            time.sleep(0.1)
        address = next(part for part in file.read_text().split('"') if part.startswith("tcp://"))
        yield address.replace("tcp", "dask"), [one.pid for one in started]


@contextmanager
def dask_unprofiled(folder):
    """The same without the profiler."""
    name = "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED"
    os.environ[name] = "False"
    try:
        with dask(folder) as started:
            yield started
    finally:
        del os.environ[name]


@contextmanager
def ray(folder):
    """A cluster of this machine with two processors, which a process of its own holds."""
    code = (
        "import ray, sys; ray.init('local', num_cpus=2, include_dashboard=False, "
        "log_to_driver=False, object_store_memory=200 << 20); "
        "print(ray.get_runtime_context().gcs_address, flush=True); sys.stdin.read()"
    )
    with Path(folder, "ray.log").open("wb") as log:
        # a new Ray asks for a token, which a command that is given an address does not look for
        own = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
        os.environ |= own
        holder = subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env={**os.environ, "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0"},
        )
        os.environ["RAY_ADDRESS"] = holder.stdout.readline().strip()
        try:
            yield "ray:auto", [holder.pid]
        finally:
            for name in ("RAY_ADDRESS", *own):
                del os.environ[name]
            holder.stdin.close()
            holder.wait()


@contextmanager
def processes(folder):
    """Two processes of the command itself."""
    yield "processes:2", []


@contextmanager
def alone(folder):
    """One process."""
    yield "1", []


ENGINES = {
    "alone": alone,
    "processes": processes,
    "dask": dask,
    "dask-unprofiled": dask_unprofiled,
    "ray": ray,
}
IDLE = 20.0
"""Seconds for which a cluster is watched that has no work."""


def idle(roots):
    """CPU seconds per second that a cluster takes for itself."""
    before, began = sum(family(roots).values()), time.monotonic()
    time.sleep(IDLE if roots else 0.0)
    took = sum(family(roots).values()) - before
    return round(took / (time.monotonic() - began), 3) if roots else ""


def busiest(roots, command):
    """The worker that has had the most CPU: what a kill hurts most."""
    cpu = family([*roots, command])
    cpu.pop(command)
    for pid in roots:
        cpu.pop(pid, None)
    names = {pid: Path(f"/proc/{pid}/cmdline").read_bytes() for pid in cpu if stat(pid)[0]}
    workers = {
        pid: cpu[pid]
        for pid, name in names.items()
        if any(mark in name for mark in (b"loky", b"spawn_main", b"ray::answer"))
    }
    return max(workers, key=workers.get)


def measured(arguments, engine, roots, kill_after=None):
    """Hash of what a command writes, CPU and wall seconds; a worker may be killed meanwhile."""
    before, began = sum(family(roots).values()), time.monotonic()
    started = subprocess.Popen(
        [sys.executable, "-m", "runoff", *arguments, "-j", engine],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    killed = []

    def kill():
        killed.append(busiest(roots, started.pid))
        os.kill(killed[0], signal.SIGKILL)

    if kill_after is not None:
        threading.Timer(kill_after, kill).start()
    digest = hashlib.sha256(started.stdout.read()).hexdigest()
    _, status, usage = os.wait4(started.pid, 0)
    if status:
        sys.exit(f"runoff {' '.join(arguments)} failed with {engine}")
    wall = time.monotonic() - began
    cpu = usage.ru_utime + usage.ru_stime + sum(family(roots).values()) - before
    return digest, cpu, wall, bool(killed)


def rows_of(name, folder, jobs, kill):
    """The rows of an engine: verb, engine, killed or not, hash, CPU and wall seconds, idle."""
    with ENGINES[name](folder) as (engine, roots):
        own = idle(roots)
        for verb, arguments in jobs.items():
            found = measured(arguments, engine, roots)
            yield [verb, name, "", *found[:3], own]
            if kill and name not in ("alone", "dask-unprofiled"):
                again = measured(arguments, engine, roots, 0.4 * found[2])
                yield [verb, name, "yes" if again[3] else "no", *again[:3], own]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("text", type=Path)
    parser.add_argument("--sentences", type=int, default=2000)
    parser.add_argument("--engines", default=",".join(ENGINES))
    parser.add_argument("--kill", action="store_true", help="kill a worker in a second run of each")
    parser.add_argument("--rerank", nargs=2, metavar=("LISTS", "MODEL"))
    given = parser.parse_args()
    rows, alone_took = [], {}
    with tempfile.TemporaryDirectory() as folder:
        part = Path(folder, "text.txt")
        part.write_text("".join(given.text.open().readlines()[: given.sentences]))
        jobs = {"parse": ["parse", "english", str(part), "--tokenized"]}
        if given.rerank:
            lists, model = given.rerank
            jobs["rerank"] = ["rerank", model, lists]
        for name in given.engines.split(","):
            own = Path(folder, name)
            own.mkdir()
            for verb, engine, killed, digest, cpu, wall, rest in rows_of(
                name, own, jobs, given.kill
            ):
                first = alone_took.setdefault(verb, cpu)
                figures = [f"{cpu:.1f}", f"{cpu / first:.2f}", f"{wall:.0f}", rest]
                rows.append([verb, engine, killed, digest[:16], *figures])
                print(*rows[-1], flush=True)
    head = ["verb", "engine", "a worker killed", "sha256", "CPU s", "ratio", "wall s", "idle"]
    text = [f"# {__doc__.splitlines()[0]}", "", machine(), "", *table(head, rows), ""]
    RESULTS.write_text("\n".join(text))


if __name__ == "__main__":
    main()
