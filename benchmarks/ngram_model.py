"""Our n-gram models beside KenLM: the same n-grams, estimation, queries.

    python benchmarks/ngram_model.py --lmplz PROGRAM [--data DIR] [--order 5]

`lmplz` and, beside it, `build_binary` are built from the source of KenLM, as `language_model.py`
says; `pip install kenlm` asks its models. DIR (RUNOFF_DATA, or ../shared/data) has `multi30k` and
`brown_text`. Both programs get the same lines of tokens, each in a process of its own; CPU seconds
and peak memory are those of the process, reading and writing included. lmplz is given 200 MB for
sorting. Ours writes its model and, in a second run, an ARPA file as well.

Queries are the log-probabilities of the training text on one thread, each by the call that its
Python interface has for it: KenLM is given line after line, ours all lines at once, whose split is
timed too. KenLM has two forms: hash tables, the faster one, which it makes of an ARPA file, and a
trie, which like our sorted arrays is smaller. Sizes are those of files: of `build_binary`'s and of
ours.
"""

import argparse
import gzip
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import kenlm
import numpy as np
from measuring import machine, seconds, table

from runoff.ngrams.arpa import read_arpa
from runoff.recipes.corpora import data_folder
from runoff.tasks.lm.model import LanguageModel

RESULTS = Path(__file__).parent / "results" / "ngram_model.md"
TEXTS = {
    "multi30k, English": "multi30k/train.lc.norm.tok.en.gz",
    "multi30k, German": "multi30k/train.lc.norm.tok.de.gz",
    "Brown": "brown_text/brown.tok.txt.gz",
}


MEASURED = """
import os, resource, subprocess, sys
status = subprocess.run(sys.argv[1:], stderr=subprocess.DEVNULL).returncode
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, file=sys.stderr)
sys.exit(status)
"""  # in a small process: the memory of a child begins with that of its parent


def run(command, given=os.devnull, made=os.devnull):
    """CPU seconds and peak megabytes of a command."""
    measured = [sys.executable, "-c", MEASURED, *map(str, command)]
    with Path(given).open("rb") as stdin, Path(made).open("wb") as stdout:
        done = subprocess.run(
            measured, stdin=stdin, stdout=stdout, stderr=subprocess.PIPE, check=True
        )
    return [float(figure) for figure in done.stderr.split()]


def differences(ours, theirs):
    """The largest differences of probabilities and of backoffs; the n-grams must be the same."""
    names, there = ours.vocabulary.strings(), theirs.vocabulary.numbered
    renumbered = np.array([there[name] for name in names])
    largest = [0.0, 0.0]
    pairs = zip(ours.grams(), theirs.grams(), ours.orders, theirs.orders, strict=True)
    for grams, others, own, other in pairs:
        moved = renumbered[grams]
        order, place = np.lexsort(moved.T), np.lexsort(others.T)
        if not np.array_equal(moved[order], others[place]):
            raise SystemExit("the n-grams differ")
        for i, name in enumerate(("probabilities", "backoffs")):
            one, two = getattr(own, name), getattr(other, name)
            if len(one):
                largest[i] = max(largest[i], float(np.abs(one[order] - two[place]).max()))
    return largest


def queries(model, judges, lines):
    """Words per second of KenLM's forms, of ours with the split of lines, and of ours alone."""
    total = sum(len(line.split()) + 1 for line in lines)
    rates, gap = [], 0
    ours, whole = best(lambda: model.ngrams.scores([line.split() for line in lines]).sum())
    for judge in judges:
        theirs, spent = best(lambda own=judge: sum(own.score(line) for line in lines))
        rates.append(total / spent)
        gap = max(gap, abs(ours / np.log(10) - theirs) / total)
    numbers = model.ngrams.vocabulary.numbers([word for line in lines for word in line.split()])
    offsets = np.cumsum([0, *(len(line.split()) for line in lines)])
    scores = np.empty(total, np.float32)
    _, native = best(lambda: model.ngrams.native.score_sentences(numbers, offsets, scores))
    return [*rates, total / whole, total / native], gap


def best(work):
    """What work returns, and the CPU seconds of the fastest of three times."""
    results = [seconds(work) for _ in range(3)]
    return min(results, key=lambda one: one[1])


def measure(name, text, lmplz, order, folder):
    """The rows of both tables for a text."""
    arpa, own, model_file = folder / "lmplz.arpa", folder / "own.arpa", folder / "model"
    lines = text.read_text().splitlines()
    train = [sys.executable, "-m", "runoff.cli", "train", "lm", text, "--tokenized"]
    train += ["--order", order, "-o", model_file]
    theirs = run([lmplz, "-o", order, "-S", "200M", "-T", folder], text, arpa)
    ours, with_arpa = run(train), run([*train, "--arpa", own])
    model = LanguageModel.load(model_file)
    probability, backoff = differences(model.ngrams, read_arpa(arpa))
    forms = {form: folder / f"kenlm.{form}" for form in ("probing", "trie")}
    for form, file in forms.items():
        run([Path(lmplz).with_name("build_binary"), form, arpa, file])
    rates, gap = queries(model, [kenlm.Model(str(file)) for file in forms.values()], lines)
    sizes = [file.stat().st_size / 1e6 for file in (*forms.values(), model_file)]
    size = sum(len(one.probabilities) for one in model.ngrams.orders)
    estimation = [name, f"{sum(len(line.split()) for line in lines):,}", f"{size:,}"]
    estimation += [f"{probability:.0e}", f"{backoff:.0e}"]
    estimation += [f"{theirs[0]:.1f}", f"{ours[0]:.1f}", f"{with_arpa[0]:.1f}"]
    estimation += [f"{theirs[0] / ours[0]:.2f}", f"{theirs[1]:.0f}", f"{ours[1]:.0f}"]
    asked = [name, *(f"{rate / 1e6:.2f}" for rate in rates)]
    asked += [f"{rates[2] / rate:.2f}" for rate in rates[:2]]
    asked += [*(f"{size:.0f}" for size in sizes), f"{gap:.0e}"]
    return estimation, asked


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--lmplz", required=True)
    parser.add_argument("--data", type=Path, default=None)
    parser.add_argument("--order", type=int, default=5)
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder) / "text"
        for name, file in TEXTS.items():
            packed = (options.data or data_folder()) / file
            given = gzip.decompress(packed.read_bytes()).decode().splitlines()
            text.write_text(
                "".join(f"{' '.join(line.split())}\n" for line in given if line.split())
            )
            rows.append(measure(name, text, options.lmplz, options.order, Path(folder)))
            print(*rows[-1], sep="\n")
    head = ["text", "words", "n-grams", "largest difference of probabilities", "of backoffs"]
    head += ["lmplz, s", "ours, s", "ours with ARPA, s", "lmplz / ours", "lmplz, MB", "ours, MB"]
    queried = ["text", "KenLM, hash tables", "KenLM, trie", "ours", "ours, words as numbers"]
    queried += ["ours / hash tables", "ours / trie", "hash tables, MB", "trie, MB", "ours, MB"]
    queried += ["difference per word"]
    RESULTS.write_text(
        f"# N-gram models beside KenLM\n\n`python benchmarks/ngram_model.py`: {machine()}. "
        f"{options.order}-grams; CPU seconds, peak memory of the process; differences of log10.\n"
        "\n## Estimation\n\n"
        + "\n".join(table(head, [one for one, _ in rows]))
        + "\n\n## Queries, million words per CPU second, one thread\n\n"
        + "\n".join(table(queried, [other for _, other in rows]))
        + "\n"
    )


if __name__ == "__main__":
    main()
