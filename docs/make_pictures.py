"""Draw the pictures of the guide: `python docs/make_pictures.py [FOLDER]`.

Needs Debian's chromium, and `pip install playwright pillow`. Models are trained from the
demonstrations; nothing is downloaded. Look at the pictures before you commit them.
"""

import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

import runoff as ro
from runoff.data.demo.captions import captions
from runoff.tasks.identity.clusterings import clusterings
from runoff.tasks.identity.demo import demo_records

PICTURES = Path(__file__).parent / "guide" / "pictures"
COLOURS = 64
WIDE, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 800}
TEXT = """The clerk counted the votes in the old hall with a lamp.
She saw the man with the glass before the rain began.
Voters who wrote to the council got an answer on Monday."""


def runoff(*arguments: object, **options: Any) -> None:
    """Run a command."""
    command = [sys.executable, "-m", "runoff.cli", *map(str, arguments)]
    subprocess.run(command, check=True, capture_output=True, **options)


@contextmanager
def serving(folder: Path, *arguments: object) -> Iterator[str]:
    """The address of a server that was started in a folder."""
    command = [sys.executable, "-m", "runoff.cli", "serve", *map(str, arguments), "--port", "0"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=folder)
    assert process.stderr is not None
    try:
        yield re.findall(r"http://\S+/", process.stderr.readline())[0]
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)


class Camera:
    """Opens pages and keeps pictures of them, with few colours, so that they stay small."""

    def __init__(self, browser: Browser, folder: Path) -> None:
        self.browser, self.folder = browser, folder

    @contextmanager
    def page(self, url: str, size: Any = WIDE, **options: Any) -> Iterator[Page]:
        """A page of an address."""
        context = self.browser.new_context(viewport=size, **options)
        page = context.new_page()
        page.goto(url)
        yield page
        context.close()

    def keep(self, page: Page, name: str, **options: Any) -> None:
        """A picture of a page."""
        path = self.folder / f"{name}.png"
        page.wait_for_timeout(500)
        page.screenshot(path=path, **options)
        picture = Image.open(path).convert("RGB")
        picture.quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
        print(path, f"{path.stat().st_size:,} bytes")


def speech(camera: Camera, folder: Path) -> None:
    """The page for lists of texts: light, labels, phone, print; and the report."""
    runoff("demo", "--write", folder)
    model, lists = folder / "speech.runoff", folder / "test.jsonl"
    runoff("fit", folder / "train.jsonl", "--dev", folder / "dev.jsonl", "--metric", "wer",
           "-o", model)  # fmt: skip
    with serving(folder, model.name, lists.name, "--metric", "wer") as url:
        with camera.page(f"{url}#list=3&rival=2", color_scheme="light") as page:
            page.wait_for_selector(".waterfall")
            camera.keep(page, "page-light")
            for key in ("Enter", "j", "Enter", "j", "=", "j"):
                page.keyboard.press(key)
                page.wait_for_timeout(400)
            page.locator(".labels").scroll_into_view_if_needed()
            camera.keep(page, "page-labels")
        with camera.page(f"{url}#list=3&rival=2", color_scheme="light") as page:
            page.wait_for_selector(".waterfall")
            page.emulate_media(media="print")
            page.set_viewport_size({"width": 720, "height": 1000})
            camera.keep(page, "page-print", full_page=True)
        phone = {"size": PHONE, "color_scheme": "light", "device_scale_factor": 1}
        with camera.page(f"{url}#list=3&rival=2&tab=why", **phone) as page:
            page.wait_for_selector(".waterfall")
            camera.keep(page, "page-phone")
    made = folder / "report.html"
    runoff("report", lists, "--model", model, "--metric", "wer", "-o", made)
    with camera.page(f"file://{made}", {"width": 1000, "height": 1400}) as page:
        camera.keep(page, "report")


def parses(camera: Camera, folder: Path) -> None:
    """The page for lists of trees, dark."""
    lists = folder / "parses.jsonl"
    runoff("parse", "--json", "--n", "20", "-o", lists, input=TEXT.encode())
    with serving(folder, "english", lists.name) as url:
        dark = {"color_scheme": "dark"}
        with camera.page(f"{url}#list=1", {"width": 1440, "height": 1100}, **dark) as page:
            page.wait_for_selector(".waterfall")
            camera.keep(page, "page-dark")


def translations(camera: Camera, folder: Path) -> None:
    """The page for a translator, with a sentence that was typed."""
    for side, language in enumerate(("en", "de")):
        text = "".join(f"{pair[side]}\n" for pair in captions()[:180])
        (folder / f"train.{language}").write_text(text)
    sides = [folder / "train.en", folder / "train.de"]
    ro.train("translation", sides, order=3).save(folder / "captions.runoff")
    with serving(folder, "captions.runoff") as url, camera.page(url) as page:
        page.get_by_label("Sentence").fill(captions()[185][0])
        page.keyboard.press("Enter")
        page.wait_for_selector("svg.blocks")
        camera.keep(page, "page-translation")


def clusters(camera: Camera, folder: Path) -> None:
    """The page for lists of clusterings."""
    records = demo_records()
    model = ro.train("identity", records)
    lists = folder / "clusterings.jsonl"
    ro.write_nbest(clusterings(model, records, 20, cluster="cluster"), lists)
    with (
        serving(folder, lists.name, "--metric", "pair-f1") as url,
        camera.page(f"{url}#list=0&rival=1") as page,
    ):
        page.wait_for_selector(".clusters")
        camera.keep(page, "page-clusters")


PARTS = {one.__name__: one for one in (speech, parses, translations, clusters)}


def main() -> None:
    """Draw those that are named, or all."""
    names = [one for one in sys.argv[1:] if one in PARTS] or PARTS
    target = next((Path(one) for one in sys.argv[1:] if one not in PARTS), PICTURES)
    target.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as started, tempfile.TemporaryDirectory() as folder:
        path = shutil.which("chromium")
        browser = started.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for name in names:
            PARTS[name](Camera(browser, target), Path(folder))
        browser.close()


if __name__ == "__main__":
    main()
