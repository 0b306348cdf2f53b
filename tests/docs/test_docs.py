"""What the documentation says is true: its code runs, its examples run, its pages build."""

from __future__ import annotations

import doctest
import importlib
import inspect
import os
import pkgutil
import re
import subprocess
import sys
from functools import cached_property
from pathlib import Path
from types import FunctionType

import pytest
import typer
from helpers.doc_pages import blocks, run_page

import runoff
from runoff.cli.app import app
from runoff.cli.help import is_option
from runoff.features.extract import EXTRACTORS
from runoff.learners import LEARNERS
from runoff.pipeline.options import help_text

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs" / "guide").glob("*.md"))]
ROOMS = tuple(
    "data metrics features search learners proposers store engine tasks recipes errors".split()
)
MODULES = [
    module.name
    for module in pkgutil.walk_packages(runoff.__path__, "runoff.")
    if module.name not in ("runoff._native", "runoff.cli.__main__")
]


@pytest.fixture(autouse=True)
def _clean_house(tmp_path, monkeypatch):
    """A folder of its own; extractors and modules that a page makes go away with it."""
    monkeypatch.chdir(tmp_path)
    known, loaded = dict(EXTRACTORS), set(sys.modules)
    yield
    EXTRACTORS.clear()
    EXTRACTORS.update(known)
    for name in set(sys.modules) - loaded:
        if (getattr(sys.modules[name], "__file__", None) or "").startswith(str(tmp_path)):
            del sys.modules[name]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_code_of_a_page_runs(page, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    assert run_page(page, tmp_path) > 0


def test_files_that_pages_name_exist():
    named = [
        (page.name, name)
        for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
        for name in re.findall(r"`((?:src|cpp|tests|benchmarks|docs)/[\w./*-]+)`", page.read_text())
    ]
    assert len(named) > 50
    assert [(page, name) for page, name in named if not [*ROOT.glob(name.rstrip("/"))]] == []


def page_of(tmp_path, text):
    page = tmp_path / "page.md"
    page.write_text(text)
    return run_page(page, tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        "```python\nprint(1)\n```\n\n```text\n2\n```\n",
        "```python\nraise AssertionError\n```\n",
        "```console\n$ echo one\ntwo\n```\n",
        "```console\n$ echo one two\none ... three\n```\n",
        "```console\n$ false\n```\n",
        "```console\n$ false | cat\n```\n",
        "```bash\nfalse\ntrue\n```\n",
        "```bash\ntrue\n",
        "<!-- not run: -->\n```bash\nfalse\n```\n",
        "<!-- not run: because -->\nWords.\n```bash\nfalse\n```\n",
    ],
)
def test_a_wrong_page_fails(tmp_path, text):
    with pytest.raises(AssertionError):
        page_of(tmp_path, text)


def test_a_right_page_passes(tmp_path):
    count = page_of(
        tmp_path,
        '```python title="mine.py"\nx = 3\n```\n'
        '```python\nfrom pathlib import Path\n\ntext = Path("mine.py").read_text()\n```\n'
        "```python\nprint(text)\nprint(2)\n```\n\n```text\nx...3\n\n2\n```\n"
        "```console\n$ echo one\none\n$ echo two three\ntwo ...\n$ echo four\n```\n"
        "<!-- not run: it fails -->\n```bash\nfalse\n```\n"
        "```text\nonly shown\n```\n",
    )
    assert count == 5


def test_what_is_not_run_is_only_the_installation():
    skipped = [b.text for page in PAGES for b in blocks(page.read_text()) if b.skipped]
    assert skipped
    allowed = ("python3 -m venv .venv && ", "$ echo ")  # the latter needs Link Grammar
    assert all(text.startswith(allowed) for text in skipped)


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_between_files_lead_somewhere(name):
    text = (ROOT / name).read_text()
    for target in re.findall(r"\]\(([^)#]+)", text):
        assert target.startswith("https://") or (ROOT / target).exists(), target


@pytest.mark.parametrize("name", MODULES)
def test_doctests(name):
    tests = doctest.DocTestFinder().find(importlib.import_module(name))
    runner, report = doctest.DocTestRunner(verbose=False), []
    for test in tests:
        runner.run(test, out=report.append)
    assert not runner.summarize(verbose=False).failed, "".join(report)


def test_there_are_many_doctests():
    found = doctest.DocTestFinder()
    counts = [len(t.examples) for n in MODULES for t in found.find(importlib.import_module(n))]
    assert sum(counts) > 100


def public_things():
    """Every public function, class and method of the rooms, with its full name."""
    for name in MODULES:
        if name.split(".")[1] not in ROOMS:
            continue
        module = importlib.import_module(name)
        yield name, module
        for own, value in vars(module).items():
            if own.startswith("_") or getattr(value, "__module__", None) != name:
                continue
            if inspect.isclass(value) or inspect.isfunction(value):
                yield f"{name}.{own}", value
            if inspect.isclass(value):
                yield from (
                    (f"{name}.{own}.{key}", member)
                    for key, member in vars(value).items()
                    if not key.startswith("_")
                    and isinstance(
                        member,
                        FunctionType | classmethod | staticmethod | property | cached_property,
                    )
                )


def test_every_public_thing_has_a_docstring():
    things = dict(public_things())
    assert {
        "runoff.tasks.ranking.fit.fit",
        "runoff.data.tree.Tree.words",
        "runoff.store.file",
    } <= set(things)
    assert [name for name, thing in things.items() if not (thing.__doc__ or "").strip()] == []


@pytest.mark.parametrize("name", runoff.__all__)
def test_every_name_at_the_door_has_an_example(name):
    text = inspect.getdoc(getattr(runoff, name)) or ""
    assert re.search(r"^Examples\n--------\n>>> ", text, re.MULTILINE)


@pytest.mark.parametrize("name", runoff.__all__)
def test_every_name_at_the_door_is_in_the_reference(name):
    pages = "".join(page.read_text() for page in (ROOT / "docs" / "reference").glob("*.md"))
    assert re.search(rf"^::: runoff\.{name}$", pages, re.MULTILINE)


def test_the_reference_is_the_one_made_from_the_code():
    command = [sys.executable, str(ROOT / "docs" / "make_reference.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr


def commands(command, *path):
    """Every command of the app, groups included, with its name."""
    yield " ".join(path), command
    for name in getattr(command, "commands", ()) and command.list_commands(None):
        yield from commands(command.get_command(None, name), *path, name)


def test_help_texts_are_sentences():
    for name, command in commands(typer.main.get_command(app), "runoff"):
        assert re.match("[A-Z]", command.help), name
        for text in [command.help, *(one.help for one in command.params)]:
            assert help_text(text).strip().endswith("."), (name, text)
        for one in command.params:
            assert re.match("[A-Z]", one.help), (name, one.name)
            assert not is_option(one) or one.is_flag or one.metavar, (name, one.name)


def test_every_option_of_a_learner_has_a_meaning():
    text = (ROOT / "docs" / "reference" / "learners.md").read_text()
    assert all(re.search(rf"^### {name}$", text, re.MULTILINE) for name in LEARNERS)
    assert "|  |" not in re.sub(r"\|  \|$", "", text, flags=re.MULTILINE)


def test_mkdocs_build(tmp_path):
    pytest.importorskip("mkdocs", reason="mkdocs is not installed; pip install 'runoff[docs]'")
    command = ("-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site"))
    done = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:]
    assert "picks the best" in (tmp_path / "site" / "index.html").read_text().lower()
