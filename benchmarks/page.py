"""How soon the page shows a list, in a real browser, with a file of 10,000 lists behind it.

    python benchmarks/page.py [--lists 10000]

Needs Debian's chromium and `pip install playwright`. The English parser makes lists of 50 parses;
the server has read all of them, or is still reading, before the browser opens. Times are those of
the browser's own clock, from a click or key to the frame after the one that has the drawing. The
machine is shared: compare rows of one run only.
"""

import argparse
import json
import os
import shutil
import statistics
import tempfile
from pathlib import Path

from measuring import machine, table
from playwright.sync_api import sync_playwright
from serve import Server, ask, lists_of_parses

RESULTS = Path(__file__).parent / "results" / "page.md"
AGAIN = 20

SHOWN = """(change) => new Promise((resolve) => {
  const before = document.getElementById("candidates-title").textContent;
  const drawn = () => document.getElementById("candidates-title").textContent !== before
    && document.querySelector(".waterfall .total") && document.querySelector(".drawing svg");
  const start = performance.now();
  const look = () => {
    if (!drawn()) return;
    watch.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
  };
  const watch = new MutationObserver(look);
  watch.observe(document.body, { subtree: true, childList: true, characterData: true });
  if (change.key) dispatchEvent(new KeyboardEvent("keydown", { key: change.key }));
  else document.querySelectorAll(".row")[change.row].click();
})"""

OPENED = """() => ({
  paint: performance.getEntriesByName("first-contentful-paint")[0].startTime,
  bytes: performance.getEntriesByType("resource").reduce((sum, one) => sum + one.transferSize, 0),
  heap: performance.memory.usedJSHeapSize,
  rows: document.querySelectorAll(".row").length,
})"""


def wait_until_read(server):
    """Ask until the server has read all lists."""
    client = server.client()
    headers = {"Content-Type": "application/json"}
    while True:
        client.request("POST", "/page/call/rows", b'{"count": 1}', headers)
        if json.loads(client.getresponse().read())["done"]:
            return


def opened(browser, server):
    """A page that shows the first list, and what the browser says of it."""
    page = browser.new_page(viewport={"width": 1400, "height": 900})
    page.set_default_timeout(120_000)
    page.goto(f"http://127.0.0.1:{server.port}/#list=0")
    page.wait_for_selector(".drawing svg")
    page.wait_for_timeout(1000)
    return page, page.evaluate(OPENED)


def processes(number):
    """A process and all that it has started, by number."""
    found = [number]
    for children in Path(f"/proc/{number}/task").glob("*/children"):
        for child in children.read_text().split():
            found += processes(int(child))
    return found


def processor_time(numbers):
    """CPU milliseconds of all threads of processes."""
    tasks = (one for number in numbers for one in Path(f"/proc/{number}/task").glob("*/schedstat"))
    return sum(int(one.read_text().split()[0]) for one in tasks) / 1e6


def is_browser(number):
    return b"chromium" in Path(f"/proc/{number}/cmdline").read_bytes()


def times(page, changes, watched):
    """Milliseconds of each change, and CPU milliseconds of the watched processes meanwhile."""
    found = []
    for change in changes:
        before = [processor_time(one) for one in watched]
        wall = page.evaluate(SHOWN, change)
        after = [processor_time(one) for one in watched]
        found.append([wall, *(b - a for a, b in zip(before, after, strict=True))])
        page.wait_for_timeout(600)
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lists", type=int, default=10_000)
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as started:
        path = shutil.which("chromium")
        browser = started.chromium.launch(executable_path=path, args=["--no-sandbox"])
        file = lists_of_parses(Path(folder), options.lists)
        server = Server("english", str(file))
        ask(server.client(), "/page/call/list", {"number": 0})
        for name in ("while the file is read", "when it has been read"):
            page, about = opened(browser, server)
            for what, changes in (
                ("click on a list", [{"row": 2 + 3 * i} for i in range(AGAIN)]),
                ("key j: the next list", [{"key": "j"}] * AGAIN),
            ):
                own = [one for one in processes(os.getpid()) if is_browser(one)]
                found = times(page, changes, [[server.process.pid], own])
                medians = [statistics.median(column) for column in zip(*found, strict=True)]
                rows.append([f"{what}, {name}", len(found), *(f"{one:.0f}" for one in medians)])
            page.close()
            if name.startswith("while"):
                wait_until_read(server)
        server.stop()
        browser.close()
    load = " ".join(f"{one:.1f}" for one in os.getloadavg())
    RESULTS.write_text("\n".join([
        "# How soon the page shows a list", "",
        f"`python benchmarks/page.py --lists {options.lists}`: {machine()}, load {load}. A file of "
        f"{options.lists:,} lists of 50 parses, the English parser's ranker, chromium without a "
        "window. Medians of milliseconds from a click or key until the candidates, the drawings of "
        "winner and rival and the reasons are on the screen, and of the CPU milliseconds that the "
        "server and all processes of the browser took meanwhile: on a machine that does nothing "
        "else, the first column is at most the sum of the others.", "",
        *table(["what", "times", "ms", "CPU ms of the server", "CPU ms of the browser"], rows), "",
        f"Opening the page: the first paint is {about['paint']:.0f} ms after the request; the "
        f"browser has taken {about['bytes']:,} bytes for page, rows and first list, shows "
        f"{about['rows']} rows of {options.lists:,}, and its heap has "
        f"{about['heap'] / 1e6:.1f} MB.", "",
    ]))  # fmt: skip
    print(RESULTS.read_text())


if __name__ == "__main__":
    main()
