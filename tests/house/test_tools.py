"""Formatters, linters, types, the native stub, and the C++ tests under the sanitizers."""

import ast
import importlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CPP = sorted(str(path) for path in (ROOT / "cpp").rglob("*.?pp"))

if not (ROOT / "CMakeLists.txt").is_file():
    pytest.skip("the source tree is not here", allow_module_level=True)


def run(*command):
    result = subprocess.run(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert result.returncode == 0, result.stdout[-10_000:]
    return result.stdout


def tool(name):
    path = shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)
    if path is None:
        pytest.skip(f"{name} is not installed; pip install 'runoff[test]'")
    return path


@pytest.mark.parametrize("path", sorted((ROOT / "benchmarks").glob("*.py")), ids=lambda p: p.name)
def test_benchmarks_import_names_that_exist(path):
    """They are run too seldom to notice a name that has changed."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module.partition(".")[0] == "runoff":
            module = importlib.import_module(node.module)
            for alias in node.names:
                found = hasattr(module, alias.name)
                assert found or importlib.import_module(f"{node.module}.{alias.name}")


def test_ruff_check():
    run(tool("ruff"), "check", "--no-cache", ".")


def test_ruff_format():
    run(tool("ruff"), "format", "--no-cache", "--check", ".")


def test_mypy(tmp_path):
    run(tool("mypy"), "--cache-dir", str(tmp_path))


def test_clang_format():
    assert CPP
    run(tool("clang-format"), "--dry-run", "-Werror", *CPP)


def test_the_committed_stub_is_the_generated_one(tmp_path):
    pytest.importorskip("nanobind", reason="nanobind makes the stub")
    stub = tmp_path / "_native.pyi"
    run(sys.executable, "-m", "nanobind.stubgen", "-m", "runoff._native", "-o", str(stub))
    assert stub.read_text() == (ROOT / "src/runoff/_native.pyi").read_text()


@pytest.mark.parametrize("sanitize", ["OFF", "ON"])
def test_cpp_tests(tmp_path, sanitize):
    cmake = tool("cmake")
    run(cmake, "-S", str(ROOT), "-B", str(tmp_path), f"-DRUNOFF_SANITIZE={sanitize}")
    run(cmake, "--build", str(tmp_path), "-j2")
    printed = run(tool("ctest"), "--test-dir", str(tmp_path), "--output-on-failure")
    assert re.search(r"100% tests passed(, 0 tests failed)? out of [1-9]", printed)


def test_the_readme_and_ci_run_the_same_tests():
    """CI runs the README's own command, so the two cannot drift apart."""
    readme = (ROOT / "README.md").read_text()
    command = re.search(r"^(python3 -m venv \S+ && .*pytest.*)$", readme, re.MULTILINE)
    assert command
    assert "README.md" in (ROOT / ".ci" / "run").read_text()


def test_versions_agree():
    import tomllib
    from importlib.metadata import version

    import runoff

    stated = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert stated == runoff.__version__ == version("runoff")
