"""Builds the two wheels and checks them: one for Python 3.11, and one for 3.12 and all later ones.

    pip install build abi3audit auditwheel
    python packaging/wheels.py --python python3.11 --python python3.12 --try python3.13 [--out dist]

Each wheel is built by the interpreter given for it, looked into by abi3audit and auditwheel, and
installed in fresh environments of the interpreters named that it is for, where it parses a
sentence.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
SENTENCE = "The runoff picks the winner from a short list of candidates."


def run(*command, **settings):
    print("$", *command, flush=True)
    return subprocess.run([str(one) for one in command], check=True, text=True, **settings)


def version_of(python):
    """Major and minor version of an interpreter."""
    code = "import sys; print(*sys.version_info[:2])"
    found = run(python, "-c", code, capture_output=True).stdout
    return tuple(map(int, found.split()))


def build(python, out):
    """The wheel that an interpreter builds."""
    before = set(out.glob("*.whl"))
    with tempfile.TemporaryDirectory() as folder:
        run(python, "-m", "venv", folder)
        pip = Path(folder, "bin", "pip")
        run(pip, "wheel", "-q", "--no-deps", "--wheel-dir", out, ROOT)
    return next(iter(set(out.glob("*.whl")) - before))


def check(wheel):
    """Look into a wheel: what it needs of the system, and whether it keeps to the stable ABI."""
    run(sys.executable, "-m", "auditwheel", "show", wheel)
    if "-abi3-" in wheel.name:
        run(sys.executable, "-m", "abi3audit", "--strict", "--report", wheel)


def installs(wheel, python):
    """Install a wheel in a fresh environment, and parse a sentence there."""
    with tempfile.TemporaryDirectory() as folder:
        run(python, "-m", "venv", folder)
        run(Path(folder, "bin", "pip"), "install", "-q", wheel)
        parse = [Path(folder, "bin", "runoff"), "parse"]
        tree = run(*parse, input=SENTENCE, capture_output=True, cwd=folder).stdout
        if not tree.startswith("(TOP (S (NP"):
            sys.exit(f"{python}: not a tree: {tree!r}")
        print(tree, end="")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", action="append", required=True, help="builds a wheel")
    parser.add_argument("--try", action="append", default=[], dest="tried", help="only installs")
    parser.add_argument("--out", type=Path, default=ROOT / "dist")
    given = parser.parse_args()
    given.out.mkdir(exist_ok=True)
    made = {version_of(python): build(python, given.out) for python in given.python}
    for wheel in made.values():
        check(wheel)
    for python in [*given.python, *given.tried]:
        version = version_of(python)
        installs(made.get(version) or made[max(v for v in made if v <= version)], python)


if __name__ == "__main__":
    main()
