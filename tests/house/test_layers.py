"""The rules of the house: rooms, imports, and what loading a file may do."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "runoff"
ROOMS = (
    "errors user_code data strings store models engine metrics ngrams problem features fitting "
    "search learners sklearn proposers report tasks.ranking pipeline recipes tasks.tagging tasks "
    "spacy serve cli"
).split()
"""The rooms, each importing only from those before it; `tasks.ranking` is what every task uses."""

SHARED = {"ranking", "tagging"}
"""Tasks that other tasks may import."""


def room_of(module):
    """The room of a module: the longest name of a room that it begins with."""
    parts = module.split(".")[1:]
    return next((r for n in (2, 1) if (r := ".".join(parts[:n])) in ROOMS), None)


def module_of(path):
    return ".".join(("runoff", *path.relative_to(SOURCE).with_suffix("").parts))


def imports(path):
    """Modules of ours that a file imports, at any depth of the file."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            if node.module == "runoff":
                yield from (f"runoff.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


FILES = [p for p in sorted(SOURCE.rglob("*.py")) if room_of(module_of(p)) is not None]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_room_imports_only_from_rooms_above_it(path):
    own = ROOMS.index(room_of(module_of(path)))
    for module in imports(path):
        room = room_of(module) if module.startswith("runoff.") else None
        if room is not None:
            assert ROOMS.index(room) <= own, f"{path.name} imports {module}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_task_imports_no_other_task(path):
    _, room, *task = module_of(path).split(".")
    if room != "tasks" or len(task) < 2:
        return
    for module in imports(path):
        if module.startswith("runoff.tasks."):
            assert module.split(".")[2] in {task[0], *SHARED}, f"{path.name} imports {module}"


@pytest.mark.parametrize("path", sorted((SOURCE / "problem").glob("*.py")), ids=lambda p: p.name)
def test_a_problem_is_built_of_parts_that_do_not_know_its_building(path):
    assert not [module for module in imports(path) if module.startswith("runoff.problem.build")]


def test_every_file_is_in_a_room():
    outside = {p.name for p in SOURCE.rglob("*.py")} - {path.name for path in FILES}
    assert outside == set()
    alone = {path.stem for path in SOURCE.glob("*.py")} - set(ROOMS)
    assert alone == {"__init__", "__main__"}
    assert {room_of(module_of(path)) for path in FILES} == set(ROOMS)


@pytest.mark.parametrize("folder", sorted(p for p in SOURCE.rglob("*") if p.is_dir()), ids=str)
def test_no_folder_is_a_heap(folder):
    assert len(list(folder.glob("*.py"))) <= 20


def modules_after(code):
    command = [sys.executable, "-c", f"{code}; import sys; print(*sys.modules)"]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())


def test_importing_runoff_imports_nothing_heavy():
    loaded = modules_after("import runoff")
    heavy = {"numpy", "msgspec", "rich", "typer", "joblib", "safetensors", "sacrebleu", "nltk"}
    assert not heavy & loaded


def test_reading_lists_does_not_import_what_only_extras_need():
    loaded = modules_after("import runoff; runoff.fit, runoff.evaluate, runoff.Tree")
    assert not {"sacrebleu", "nltk", "scipy", "sklearn", "spacy", "matplotlib"} & loaded


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("*.py")), ids=lambda p: p.name)
def test_nothing_runs_what_a_file_says(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.name for alias in node.names] + [getattr(node, "module", None)]
            assert not {"pickle", "marshal", "shelve", "dill"} & set(names)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in {"eval", "exec", "__import__"}
        if isinstance(node, ast.keyword):
            assert node.arg not in {"shell", "allow_pickle"}


def test_public_names_are_about_a_dozen():
    import runoff

    assert len(runoff.__all__) <= 21
    for name in runoff.__all__:
        assert getattr(runoff, name).__doc__
    assert set(runoff.__all__) <= set(dir(runoff))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = runoff.nothing
