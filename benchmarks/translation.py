"""Our searches beside those of Moses, with the same blocks, language model and weights.

    python benchmarks/translation.py [--moses PROGRAM] [--data DIR] [--work DIR] [--sentences 300]

PROGRAM is `moses`, built from https://github.com/moses-smt/mosesdecoder. DIR (RUNOFF_DATA, or
../shared/data) has `multi30k`. A translator from English to German is trained as the recipe
`translation-multi30k` does; its blocks, as far as the text needs them, its language model, which
KenLM reads as hash tables, and its weights are written as Moses has them. The text is the first
lines of the development text, on which weights were tuned; so BLEU is high, but fair to both.

Both are programs that translate the text on one thread: CPU seconds are those of all lines without
those of the first line alone, which start and load; memory is that of all lines. Models differ in
two things: Moses does not ask how the last block is left, and has a limit of distortion (6) where
ours has a window (6) and at most three holes.
"""

import argparse
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
from measuring import machine, table

from runoff.data.bitext import read_line_pairs
from runoff.metrics.bleu import Bleu
from runoff.metrics.significance import paired_bootstrap
from runoff.ngrams.arpa import write_arpa
from runoff.recipes.corpora import data_folder
from runoff.tasks.translation.train import Plan, train

RESULTS = Path(__file__).parent / "results" / "translation.md"
HISTOGRAMS = (5, 10, 20, 50, 100, 200)
POPS = (20, 50, 100, 200, 500)
STACKS = (10, 20, 50, 100, 200)
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


def write_moses(model, sentences, folder):
    """The files that Moses takes: table of blocks, orientations, language model, configuration."""
    decoder = model.decoder
    names = decoder.source.strings(), decoder.target.strings()
    blocks = decoder.table.filtered([decoder.source.numbers(words) for words in sentences])
    bounds = zip(blocks.source_starts, blocks.source_starts[1:], strict=False)
    with (folder / "table").open("w") as pairs, (folder / "orientations").open("w") as turns:
        for phrase, (begin, end) in enumerate(bounds):
            source = " ".join(names[0][i] for i in blocks.sources[begin:end])
            for number in range(*blocks.first_blocks[phrase : phrase + 2].tolist()):
                own = blocks[number]
                target = " ".join(names[1][i] for i in own.target)
                pairs.write(f"{source} ||| {target} ||| {_shown(own.scores)} ||| 0-0 ||| 1 1 1\n")
                turns.write(f"{source} ||| {target} ||| {_shown(own.orientations)}\n")
    write_arpa(decoder.lm, folder / "arpa")
    weights = model.weights.tolist()
    (folder / "moses.ini").write_text(f"""[input-factors]
0
[mapping]
0 T 0
[distortion-limit]
{model.search.window}
[feature]
UnknownWordPenalty
WordPenalty
PhrasePenalty
PhraseDictionaryMemory name=T0 num-features=4 path={folder}/table input-factor=0 output-factor=0 \
table-limit={model.search.limit}
LexicalReordering name=L0 num-features=6 type=wbe-msd-bidirectional-fe-allff input-factor=0 \
output-factor=0 path={folder}/orientations
Distortion
KENLM name=LM0 factor=0 path={folder}/arpa order={decoder.lm.order}
[weight]
UnknownWordPenalty0= 1
T0= {_shown(weights[:4], np.asarray)}
LM0= {weights[4]:.8g}
WordPenalty0= {-weights[5]:.8g}
PhrasePenalty0= {weights[6]:.8g}
Distortion0= {weights[7]:.8g}
L0= {_shown(weights[8:], np.asarray)}
""")


def _shown(values, how=np.exp):
    return " ".join(f"{value:.8g}" for value in how(values))


def commands(model, moses, folder):
    """Every search: whose, its name, how many states it keeps, its command."""
    for beam in ("multi-beam", "single-beam"):
        for most in HISTOGRAMS:
            file = folder / f"{beam}-{most}"
            replace(model, search=replace(model.search, beam=beam, histogram=most)).save(file)
            yield "ours", beam, most, [sys.executable, "-m", "runoff.cli", "translate", file]
    if moses is not None:
        base = [moses, "-f", folder / "moses.ini", "-threads", "1"]
        for most in POPS:
            how = ["-search-algorithm", "1", "-cube-pruning-pop-limit", most, "-s", most]
            yield "Moses", "cube pruning", most, [*base, *how]
        for most in STACKS:
            yield "Moses", "stacks", most, [*base, "-search-algorithm", "0", "-s", most]


def bleu_of(said, text, metric):
    """BLEU of what a program printed, and half its interval."""
    rows = np.array(
        [
            metric.statistics([own.strip()], target)[0]
            for own, (_, target) in zip(said.splitlines(), text, strict=True)
        ]
    )
    low, high = paired_bootstrap(rows, rows, metric, samples=1000).intervals[0]
    return float(metric.figures(rows.sum(axis=0))["BLEU"]), (high - low) / 2


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--moses", type=Path, default=None)
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
        if options.moses is not None:
            write_moses(model, [source.split() for source, _ in text], folder)
        for who, search, most, command in commands(model, options.moses, folder):
            _, load, _ = run(command, lines[0])
            said, spent, memory = run(command, "".join(lines))
            bleu, half = bleu_of(said, text, metric)
            rate = (len(text) - 1) / max(spent - load, 1e-3)
            row = [who, search, most, f"{bleu:.2f}", f"{half:.2f}", f"{rate:.1f}", f"{memory:.0f}"]
            rows.append(row)
            print(*row, flush=True)
    head = ["program", "search", "states at most", "BLEU", "+-", "sentences per CPU s", "MB"]
    RESULTS.write_text(
        f"# Searches for translations\n\n`python benchmarks/translation.py`: {machine()}. English "
        f"to German, {len(text)} sentences of the development text of multi30k, one thread, the "
        "same blocks, language model and weights; see the script.\n\n"
        + "\n".join(table(head, rows))
        + "\n"
    )


if __name__ == "__main__":
    main()
