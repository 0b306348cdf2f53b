"""Our two searches by the number of states they keep, with the same model.

    python benchmarks/translation.py [--data DIR] [--work DIR] [--sentences 300]

DIR (RUNOFF_DATA, or ../shared/data) has `multi30k`. A translator from English to German is trained
as the recipe `translation-multi30k` does. The text is the first lines of the development text, on
which weights were tuned; so BLEU is high.

The program translates the text on one thread: CPU seconds are those of all lines without those of
the first line alone, which start and load; memory is that of all lines.
"""

import argparse
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from measuring import machine, table

from runoff.data.bitext import read_line_pairs
from runoff.metrics.bleu import Bleu
from runoff.recipes.corpora import data_folder
from runoff.tasks.translation.train import Plan, train

RESULTS = Path(__file__).parent / "results" / "translation.md"
HISTOGRAMS = (5, 10, 20, 50, 100, 200)
MEASURED = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], stderr=subprocess.DEVNULL)
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, file=sys.stderr)
sys.exit(done.returncode)
"""


def run(command, text):
    """What a command prints for a text, its CPU seconds and peak megabytes."""
    measured = [sys.executable, "-c", MEASURED, *map(str, command)]
    done = subprocess.run(measured, input=text, capture_output=True, text=True, check=True)
    return done.stdout, *(float(figure) for figure in done.stderr.split()[-2:])


def commands(model, folder):
    """Every search: its name, how many states it keeps, its command."""
    for beam in ("multi-beam", "single-beam"):
        for most in HISTOGRAMS:
            file = folder / f"{beam}-{most}"
            replace(model, search=replace(model.search, beam=beam, histogram=most)).save(file)
            yield beam, most, [sys.executable, "-m", "runoff.cli", "translate", file]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, default=None)
    parser.add_argument("--work", default=None)
    parser.add_argument("--sentences", type=int, default=300)
    options = parser.parse_args()
    data = (options.data or data_folder()) / "multi30k"
    texts, dev = (
        list(read_line_pairs(*(data / f"{part}.lc.norm.tok.{one}.gz" for one in ("en", "de"))))
        for part in ("train", "val")
    )
    model = train(texts, dev, plan=Plan(tokenized=True, cased=True, rounds=6), work=options.work)
    text = dev[: options.sentences]
    lines = [f"{source}\n" for source, _ in text]
    metric, rows = Bleu(tokenize="none"), []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for search, most, command in commands(model, folder):
            _, load, _ = run(command, lines[0])
            said, spent, memory = run(command, "".join(lines))
            found = [
                metric.statistics([own.strip()], target)[0]
                for own, (_, target) in zip(said.splitlines(), text, strict=True)
            ]
            bleu = float(metric.figures(sum(found))["BLEU"])
            rate = (len(text) - 1) / max(spent - load, 1e-3)
            rows.append([search, most, f"{bleu:.2f}", f"{rate:.1f}", f"{memory:.0f}"])
            print(*rows[-1], flush=True)
    head = ["search", "states at most", "BLEU", "sentences per CPU s", "MB"]
    RESULTS.write_text(
        f"# Searches for translations\n\n`python benchmarks/translation.py`: {machine()}. English "
        f"to German, {len(text)} sentences of the development text of multi30k, one thread, the "
        "same blocks, language model and weights; see the script.\n\n"
        + "\n".join(table(head, rows))
        + "\n"
    )


if __name__ == "__main__":
    main()
