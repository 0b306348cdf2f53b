"""How soon the page shows a list, in a real browser, with a file of 10,000 lists behind it.

    python benchmarks/page.py [--lists 10000]

Needs Debian's chromium and `pip install playwright`. The English parser makes lists of 50 parses;
the many lists are those of the demonstration. Times are those of the browser's own clock, from a
click or key to the frame after the one that has the drawing. The machine is shared: compare rows
of one run only.
"""

import argparse
import json
import os
import shutil
import statistics
import tempfile
from pathlib import Path

from measuring import machine, table
from msgspec.structs import replace
from playwright.sync_api import sync_playwright
from serve import Server, lists_of_parses

import runoff as ro
from runoff.tasks.ranking.demo import demo_lists

RESULTS = Path(__file__).parent / "results" / "page.md"
AGAIN, PARSED = 20, 100

SHOWN = """async (change) => {
  const row = () => document.querySelectorAll(".row")[change.row];
  if (change.ahead) row().dispatchEvent(new MouseEvent("mouseenter"));
  await new Promise((resolve) => setTimeout(resolve, change.ahead ?? 0));
  return new Promise((resolve) => {
  const before = document.getElementById("candidates-title").textContent;
  const drawn = () => document.getElementById("candidates-title").textContent !== before
    && document.querySelector(".waterfall .total") && document.querySelector(".drawing");
  const start = performance.now();
  const look = () => {
    if (!drawn()) return;
    watch.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
  };
  const watch = new MutationObserver(look);
  watch.observe(document.body, { subtree: true, childList: true, characterData: true });
  if (change.key) dispatchEvent(new KeyboardEvent("keydown", { key: change.key }));
  else row().click();
})}"""

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
    page.wait_for_selector(".waterfall .total")
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


def texts(folder, lists):
    """A ranker of texts, and a file of many lists of them."""
    demo = demo_lists("test")
    ro.fit(demo_lists("train"), dev=demo[:40], metric="wer").save(folder / "speech.runoff")
    many = (replace(demo[i % len(demo)], id=f"u{i}") for i in range(lists))
    ro.write_nbest(many, folder / "texts.jsonl")
    return [folder / "speech.runoff", folder / "texts.jsonl", "--metric", "wer"]


def shown(browser, name, arguments):
    """Rows of a table for the lists of a server, and what the browser says of the page."""
    server = Server(*map(str, arguments))
    wait_until_read(server)
    page, about = opened(browser, server)
    rows = []
    for what, changes in (
        ("click on a list", [{"row": 2 + 3 * i} for i in range(AGAIN)]),
        (
            "the same, pointed at 200 ms before",
            [{"row": 3 + 3 * i, "ahead": 200} for i in range(AGAIN)],
        ),
        ("key j: the next list", [{"key": "j"}] * AGAIN),
    ):
        own = [one for one in processes(os.getpid()) if is_browser(one)]
        found = times(page, changes, [[server.process.pid], own])
        medians = [statistics.median(column) for column in zip(*found, strict=True)]
        rows.append([f"{what}, {name}", len(found), *(f"{one:.0f}" for one in medians)])
    page.close()
    about["server"] = server.memory()
    server.stop()
    return rows, about


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lists", type=int, default=10_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, sync_playwright() as started:
        folder, path = Path(name), shutil.which("chromium")
        browser = started.chromium.launch(executable_path=path, args=["--no-sandbox"])
        rows, _ = shown(browser, "50 parses", ["english", lists_of_parses(folder, PARSED)])
        more, about = shown(browser, "10 texts", texts(folder, options.lists))
        browser.close()
    load = " ".join(f"{one:.1f}" for one in os.getloadavg())
    RESULTS.write_text("\n".join([
        "# How soon the page shows a list", "",
        f"`python benchmarks/page.py --lists {options.lists}`: {machine()}, load {load}, chromium "
        "without a window. Medians of milliseconds from a click or key until the candidates, the "
        "drawings of winner and rival and the reasons are on the screen, and of the CPU "
        "milliseconds that the server and all processes of the browser took meanwhile. On a "
        "machine that does nothing else, the first column is about the sum of the others or less.",
        "",
        *table(["what", "times", "ms", "CPU ms of the server", "CPU ms of the browser"],
               rows + more), "",
        f"A file of {options.lists:,} lists of texts: the first paint is {about['paint']:.0f} ms "
        f"after the page is asked for; for page, rows and first list the browser has taken "
        f"{about['bytes']:,} bytes; it shows {about['rows']} rows, and its heap has "
        f"{about['heap'] / 1e6:.1f} MB. The server holds {about['server']:.0f} MB.", "",
    ]))  # fmt: skip
    print(RESULTS.read_text())


if __name__ == "__main__":
    main()
