"""Runs recipes in full and writes the tables they print to results/, with commit and machine.

python benchmarks/recipes.py collins-koo-2005 kudo-2005-craft --work DIR
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path

from measuring import machine, table

from runoff.cli.show import cells
from runoff.recipes.recipe import shipped_recipes

RESULTS = Path(__file__).parent / "results" / "recipes"


def run(name, work, jobs):
    """What a recipe prints, as JSON, and what it took, as a sentence."""
    resumed = " after steps that the work folder had" if list(Path(work).glob("*")) else ""
    command = [sys.executable, "-m", "runoff.cli", "reproduce", name, "--json"]
    start = time.monotonic()
    done = subprocess.run(
        [*command, "--work", work, "--jobs", jobs], stdout=subprocess.PIPE, check=True
    )
    minutes = (time.monotonic() - start) / 60
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024**2
    took = f"{minutes:.1f} minutes of wall time{resumed}, at most {memory:.1f} GB in a process."
    return json.loads(done.stdout), took


def page(name, printed, took, jobs):
    """The tables as Markdown."""
    lines = [f"# {name}", "", f"`runoff reproduce {name} --jobs {jobs}`; {machine()}."]
    lines += [took, ""]
    for one in printed["tables"]:
        if one["rows"]:
            columns = zip(*(row.values() for row in one["rows"]), strict=True)
            shown = zip(*map(cells, columns), strict=True)
            rows = [[cell.replace("|", "\\|") for cell in row] for row in shown]
            lines += [f"## {one['title']}", "", *table(list(one["rows"][0]), rows), ""]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="+", choices=list(shipped_recipes()), metavar="NAME")
    parser.add_argument("--work", default="reproduce.work", help="folder that recipes share")
    parser.add_argument("--jobs", default="2")
    options = parser.parse_args()
    RESULTS.mkdir(exist_ok=True)
    for name in options.names:
        seen = run(name, options.work, options.jobs)
        (RESULTS / f"{name}.md").write_text(page(name, *seen, options.jobs), encoding="utf-8")
        print(RESULTS / f"{name}.md")


if __name__ == "__main__":
    main()
