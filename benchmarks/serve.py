"""Load on a server over loopback: requests per second, latency, memory, hostile clients.

    python benchmarks/serve.py [--requests 10000]

Starts `runoff serve` with the English parser and lists of its own, and sends bounded numbers of
requests from a few threads; it ends by itself and talks to no other address than 127.0.0.1. The
machine is shared: compare rows of one run only.
"""

import argparse
import http.client
import json
import os
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from measuring import machine, memory, table

RESULTS = Path(__file__).parent / "results" / "serve.md"
TURNS = 4
WORDS = "the clerk counted the votes in the old hall with a lamp before the rain began".split()
SHORT = {"text": " ".join(WORDS[:8]) + "."}
MALFORMED = [b"{", b"\xff\xfe", b"[]", b'{"text": 1}', b'{"text": "a", "n": -1}', b'{"x": {}}',
             b"[" * 5000, b'{"text": "' + b"a" * 100_000 + b'"}', b"", b"null"]  # fmt: skip


class Server:
    """`runoff serve` in a process of its own."""

    def __init__(self, *arguments):
        command = [sys.executable, "-m", "runoff.cli", "serve", *arguments, "--port", "0"]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        self.port = int(re.search(r":(\d+)/", self.process.stderr.readline())[1])

    def memory(self):
        """Megabytes that it holds."""
        return memory("VmRSS", f"/proc/{self.process.pid}/status")

    def stop(self):
        """Interrupt it, and wait for its end."""
        self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=60)

    def client(self):
        """A connection to it."""
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)


def ask(client, path, body):
    """Status of an answer, and the milliseconds it took."""
    body = body if isinstance(body, bytes) else json.dumps(body).encode()
    start = time.perf_counter()
    try:
        client.request("POST", path, body, {"Content-Type": "application/json"})
        answer = client.getresponse()
        answer.read()
        status = answer.status
    except (http.client.HTTPException, OSError):
        client.close()
        status = 0
    return status, 1000 * (time.perf_counter() - start)


def load(server, path, bodies, clients):
    """Send all bodies from some clients: statuses and times of the answers, and the wall time."""
    found, lock = [], threading.Lock()
    waiting = iter(bodies)

    def work():
        client = server.client()
        while True:
            with lock:
                body = next(waiting, None)
            if body is None:
                client.close()
                return
            answer = ask(client, path, body)
            with lock:
                found.append(answer)

    start = time.perf_counter()
    threads = [threading.Thread(target=work) for _ in range(clients)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    return found, time.perf_counter() - start


def row(name, server, found, wall):
    times = sorted(ms for _, ms in found)
    counts = {s: sum(status == s for status, _ in found) for s in sorted({s for s, _ in found})}
    return [
        name, len(found), f"{len(found) / wall:.0f}", f"{statistics.median(times):.1f}",
        f"{times[int(0.95 * (len(times) - 1))]:.1f}", f"{server.memory():.0f}",
        ", ".join(f"{status}: {n}" for status, n in counts.items()),
    ]  # fmt: skip


def beside_a_long_one(server, n):
    """Short requests alone, and beside a client with long ones: 1,000 words tagged, 80 parsed.

    A core may be busy anyway on a machine that others use: so also beside another process that
    computes as much as the long requests do. All take turns, since what else the machine does
    changes from second to second.
    """
    sent, few = [], n // TURNS
    ways = {
        "short sentences, one client": lambda: load(server, "/parse", [SHORT] * few, 1),
        "the same beside a process that computes": lambda: beside_a_process(server, few),
        "the same beside a client with long ones": lambda: beside_once(server, few, sent),
    }
    found, walls = {name: [] for name in ways}, dict.fromkeys(ways, 0.0)
    for _ in range(TURNS):
        for name, way in ways.items():
            answers, wall = way()
            found[name] += answers
            walls[name] += wall
    rows = [row(name, server, found[name], walls[name]) for name in ways]
    rows.append(row("the long ones: 1,000 words tagged, 80 parsed", server, sent, walls[name]))
    medians = [statistics.median(ms for _, ms in one) for one in found.values()]
    return rows, [medians[2] / one for one in medians[:2]]


def beside_a_process(server, n):
    """Short requests beside a process that does nothing but compute."""
    process = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    found = load(server, "/parse", [SHORT] * n, 1)
    process.kill()
    process.wait()
    return found


def beside_once(server, n, sent):
    """Short requests beside a client with long ones, whose answers are added to `sent`."""
    stop = threading.Event()

    def long():
        client = server.client()
        while not stop.is_set():
            sent.append(ask(client, "/tag", {"sentences": [WORDS * 62 + WORDS[:8]]}))
            sent.append(ask(client, "/parse", {"sentences": [(WORDS * 5)[:80]]}))

    thread = threading.Thread(target=long)
    thread.start()
    found = load(server, "/parse", [SHORT] * n, 1)
    stop.set()
    thread.join()
    return found


def stopped(n):
    """Requests that are stopped after a second, and short ones beside them."""
    server = Server("english", "--seconds", "1")
    load(server, "/parse", [SHORT] * 20, 1)
    slow = {"sentences": [[f"{word}{i}" for i in range(25) for word in WORDS[:12]]] * 20, "n": 50}
    late = []
    work = threading.Thread(target=lambda: late.append(load(server, "/parse", [slow] * 12, 1)))
    work.start()
    beside, wall = [], time.perf_counter()
    while work.is_alive():
        beside += load(server, "/parse", [SHORT], 1)[0]
    wall = time.perf_counter() - wall
    rows = [
        row("20 sentences of 300 words, stopped after 1 s", server, *late[0]),
        row("short sentences beside them", server, beside, wall),
        row("short sentences after them, one client", server,
            *load(server, "/parse", [SHORT] * n, 1)),
    ]  # fmt: skip
    server.stop()
    return rows


def slow_clients(server, n):
    """Short requests while many clients have sent half a request and say nothing more."""
    slow = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(100)]
    for one in slow:
        one.sendall(b"POST /parse HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n")
    found, wall = load(server, "/parse", [SHORT] * n, 1)
    for one in slow:
        one.close()
    return row("short sentences beside 100 silent clients", server, found, wall)


def lists_of_parses(folder, lists):
    """A file of lists of 50 parses, a few of them again and again."""
    text = "\n".join(" ".join(WORDS[i:] + WORDS[:i]) + "." for i in range(len(WORDS)))
    file = folder / "parses.jsonl"
    command = [sys.executable, "-m", "runoff.cli", "parse", "--json", "--n", "50", "-o", str(file)]
    subprocess.run(command, input=text.encode(), check=True)
    lines = [json.loads(line) for line in file.read_bytes().splitlines()]
    many = folder / "many.jsonl"
    with many.open("w") as stream:
        for number in range(lists):
            stream.write(json.dumps({**lines[number % len(lines)], "id": f"s{number}"}) + "\n")
    return many


def first_list(folder, lists):
    """Milliseconds until the server has sent the first rows and a list of 50 parses."""
    server = Server("english", str(lists_of_parses(folder, lists)))
    client = server.client()
    ready = time.perf_counter()
    while ask(client, "/page/call/list", {"number": 0})[0] != 200:
        time.sleep(0.01)
    first = time.perf_counter() - ready
    times = [ask(client, "/page/call/list", {"number": i % 16})[1] for i in range(20)]
    client.request("POST", "/page/call/rows", b"{}", {"Content-Type": "application/json"})
    answer = client.getresponse().read()
    result = [first * 1000, statistics.median(times), len(answer), server.memory()]
    server.stop()
    return result


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--lists", type=int, default=10_000)
    options = parser.parse_args()
    server = Server("english", "--most-words", "1000")
    n = options.requests
    rows = [row("warm-up", server, *load(server, "/parse", [SHORT] * 20, 2))]
    tag, wall = load(server, "/tag", [SHORT] * n, 4)
    rows.append(row("tag a short sentence, 4 clients", server, tag, wall))
    broken = [MALFORMED[i % len(MALFORMED)] for i in range(n)]
    rows.append(row("malformed bodies, 4 clients", server, *load(server, "/parse", broken, 4)))
    few = max(20, n // 100)
    rows.append(row("parse a short sentence, 4 clients", server,
                    *load(server, "/parse", [SHORT] * few, 4)))  # fmt: skip
    burst = [SHORT] * (2 * few)
    rows.append(row("the same, 64 clients", server, *load(server, "/parse", burst, 64)))
    beside, ratios = beside_a_long_one(server, few)
    rows += [*beside, slow_clients(server, few)]
    server.stop()
    rows += stopped(few)
    with tempfile.TemporaryDirectory() as folder:
        first, paint, size, used = first_list(Path(folder), options.lists)
    busy = " ".join(f"{one:.1f}" for one in os.getloadavg())
    RESULTS.write_text("\n".join([
        "# A server under load", "",
        f"`python benchmarks/serve.py --requests {n} --lists {options.lists}`: {machine()}. "
        f"One process, two threads, loopback, on a machine that others use too, at the end with a "
        f"load of {busy}. Memory is what "
        "the server holds after the row's requests.", "",
        *table(["what", "requests", "per second", "median ms", "95% ms", "MB", "statuses"], rows),
        "",
        f"Beside a client with long sentences, short ones took {ratios[0]:.2f} times the time "
        f"that they take alone, and {ratios[1]:.2f} times that beside another process that "
        "computes (medians).", "",
        f"A file of {options.lists:,} lists of 50 parses: the first list is there {first:.0f} ms "
        f"after the server listens; a list takes {paint:.0f} ms; the first rows are {size:,} "
        f"bytes; the server holds {used:.0f} MB then.", "",
    ]))  # fmt: skip
    print(RESULTS.read_text())


if __name__ == "__main__":
    main()
