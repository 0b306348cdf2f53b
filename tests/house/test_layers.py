"""The rules of the house: rooms, imports, and what loading a file may do."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "runoff"
ROOMS = (
    "errors own_code data store metrics features search learners proposers engine tasks recipes "
    "models serve cli"
).split()


def imports(path):
    """Modules of ours that a file imports, at any depth of the file."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            if node.module == "runoff":
                yield from (f"runoff.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


FILES = [p for p in sorted(SOURCE.rglob("*.py")) if p.parent != SOURCE or p.stem in ROOMS]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_room_imports_only_from_rooms_above_it(path):
    own = ROOMS.index(path.relative_to(SOURCE).parts[0].removesuffix(".py"))
    for module in imports(path):
        parts = module.split(".")
        if parts[0] == "runoff" and len(parts) > 1 and parts[1] in ROOMS:
            assert ROOMS.index(parts[1]) <= own, f"{path.name} imports {module}"


def test_every_file_is_in_a_room():
    found = {path.relative_to(SOURCE).parts[0].removesuffix(".py") for path in FILES}
    assert {"data", "store", "metrics", "features", "learners", "engine", "tasks", "cli"} <= found
    alone = {path.stem for path in SOURCE.glob("*.py")} - set(ROOMS)
    assert alone == {"__init__"}


def modules_after(code):
    command = [sys.executable, "-c", f"{code}; import sys; print(*sys.modules)"]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())


def test_importing_runoff_imports_nothing_heavy():
    loaded = modules_after("import runoff")
    heavy = {"numpy", "msgspec", "rich", "typer", "joblib", "safetensors", "sacrebleu", "nltk"}
    assert not heavy & loaded


def test_reading_lists_does_not_import_what_only_extras_need():
    loaded = modules_after("import runoff; runoff.fit, runoff.evaluate, runoff.Tree")
    assert not {"sacrebleu", "nltk", "scipy", "sklearn", "matplotlib"} & loaded


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

    assert len(runoff.__all__) <= 18
    for name in runoff.__all__:
        assert getattr(runoff, name).__doc__
    assert set(runoff.__all__) <= set(dir(runoff))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = runoff.nothing
