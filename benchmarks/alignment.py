"""Word alignment: our aligner beside eflomal and fast_align: error rates, BLEU, time.

    python benchmarks/alignment.py --peers VENV [--data DIR] [--text 0,30000] [--bleu]

VENV has `pip install eflomal systran-align`; the second has fast_align. DIR (RUNOFF_DATA, or
../shared/data) has `align_gold`, hand-made alignments, and text of the same languages: `multi30k`
(English and French), `tatoeba_en_zh`. Every aligner is given the lines with gold and so many lines
of text after them, and knows nothing else. fast_align is run as its authors recommend (-d -o -v);
systran-align symmetrises it by grow-diag-final-and, and so does `runoff align`, which runs eflomal
and ours. CPU seconds and peak memory are those of the process and its children, from files
to files, both directions, on one thread.

Our default iterations follow a rule: five of each model, as the programs do that it was made after.
With `--bleu`, translators are trained with the links of each aligner on `multi30k`, English to
German: tuned (in four rounds) on every other line of its development text, and measured on the rest
of it.
"""

import argparse
import gzip
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from measuring import machine, table

from runoff.data.bitext import SentencePair, parse_links, read_bitext, read_links
from runoff.metrics import metric
from runoff.recipes.corpora import data_folder
from runoff.tasks.translation.tables import scored
from runoff.tasks.translation.train import Plan, train

RESULTS = Path(__file__).parent / "results" / "alignment.md"
CORPORA = {
    "enfr": ("multi30k/train.lc.norm.tok.en.gz", "multi30k/train.lc.norm.tok.fr.gz"),
    "roen": None,
    "zhen": ("tatoeba_en_zh/train.zh.gz", "tatoeba_en_zh/train.en.gz"),
}
FAST_ALIGN = """
import sys, systran_align as fast
text, links, forward, backward = sys.argv[1:]
fast.generate_alignment_probabilities(
    text, forward, backward, favor_diagonal=True, optimize_tension=True, variational_bayes=True
)
pairs = [[side.split() for side in line.split(" ||| ")] for line in open(text)]
found = fast.Aligner(forward, backward).align_batch(*map(list, zip(*pairs)))
with open(links, "w") as stream:
    for own in found:
        stream.write(" ".join(f"{i}-{j}" for i, j in own["alignments"]) + "\\n")
"""
MEASURED = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)
sys.exit(done.returncode)
"""


def run(command, path):
    """CPU seconds and peak megabytes of a command, whose programs are found in a folder first."""
    env = {**os.environ, "PATH": f"{path}:{os.environ['PATH']}", "OMP_NUM_THREADS": "1"}
    measured = [sys.executable, "-c", MEASURED, *map(str, command)]
    done = subprocess.run(measured, env=env, capture_output=True, text=True, check=True)
    return [float(figure) for figure in done.stdout.split()]


def corpus(data, name, text, folder):
    """Sentence pairs with gold and after them lines of text, written to files; the gold."""
    lines = gzip.open(data / f"align_gold/{name}.src-tgt.gz", "rt").read().splitlines()
    pairs = [SentencePair(*(side.split() for side in line.split("|||"))) for line in lines]
    gold = gzip.open(data / f"align_gold/{name}.gold.gz", "rt").read().splitlines()
    if text:
        more = (pair for pair in read_bitext(*(data / one for one in CORPORA[name])) if all(pair))
        pairs += [pair for pair, _ in zip(more, range(text), strict=False)]
    write([(" ".join(pair.source), " ".join(pair.target)) for pair in pairs], folder)
    return pairs, [parse_links(line, first=1) for line in gold]


def write(texts, folder):
    """The files that aligners take: both sides, and both in one."""
    (folder / "both").write_text("".join(f"{one} ||| {other}\n" for one, other in texts))
    for i, side in enumerate(("source", "target")):
        (folder / side).write_text("".join(f"{pair[i]}\n" for pair in texts))


def commands(folder, peers):
    """How every aligner makes the links of the files of a folder."""
    ours = [sys.executable, "-m", "runoff.cli", "align", folder / "source", folder / "target", "-o"]
    probabilities = [folder / "forward", folder / "backward"]
    return {
        "ours": [*ours, folder / "links"],
        "ours, intersection": [*ours, folder / "links", "--symmetrise", "intersection"],
        "eflomal": [*ours, folder / "links", "--aligner", "eflomal"],
        "fast_align": [
            *(peers / "python", "-c", FAST_ALIGN, folder / "both", folder / "links"),
            *probabilities,
        ],
    }


def measure(pairs, gold, folder, peers):
    """For every aligner: alignment error rate, precision, recall, CPU seconds, megabytes."""
    aer = metric("aer")
    for name, command in commands(folder, peers).items():
        spent, memory = run(command, peers)
        found = list(read_links(folder / "links", pairs))
        rows = [aer.statistics([own], one)[0] for own, one in zip(found, gold, strict=False)]
        figures = [f"{float(value):.2f}" for value in aer.figures(sum(rows)).values()]
        yield [name, *figures, f"{spent:.1f}", f"{memory:.0f}"]


def translated(texts, dev, links, folder):
    """BLEU on half of the development text with links of a file, tuned on the other half."""
    plan = Plan(tokenized=True, cased=True, links=str(links), rounds=4, n=50)
    model = train(texts, dev[::2], plan=plan, work=folder / "work")
    found = scored(model, dev[1::2])
    return f"{found.bleu:.2f} ± {found.interval:.2f}"


def downstream(data, folder, peers):
    """For every aligner: CPU seconds, BLEU."""
    texts, dev = (
        [
            (" ".join(pair.source), " ".join(pair.target))
            for pair in read_bitext(
                *(data / f"multi30k/{part}.lc.norm.tok.{one}.gz" for one in ("en", "de"))
            )
        ]
        for part in ("train", "val")
    )
    write(texts, folder)
    for name, command in commands(folder, peers).items():
        if name != "ours, intersection":
            spent, _ = run(command, peers)
            yield [name, f"{spent:.1f}", translated(texts, dev, folder / "links", folder)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--peers", type=Path, required=True)
    parser.add_argument("--data", type=Path, default=None)
    parser.add_argument("--text", default="0,30000")
    parser.add_argument("--bleu", action="store_true", help="train translators, too")
    options = parser.parse_args()
    data, rows = options.data or data_folder(), []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for language in CORPORA:
            for text in map(int, options.text.split(",")):
                if text and CORPORA[language] is None:
                    continue
                pairs, gold = corpus(data, language, text, folder)
                for row in measure(pairs, gold, folder, options.peers / "bin"):
                    rows.append([language, f"{len(pairs):,}", *row])
                    print(*rows[-1], flush=True)
        below = []
        for row in downstream(data, folder, options.peers / "bin") if options.bleu else ():
            below.append(row)
            print(*row, flush=True)
    head = ["gold", "pairs", "aligner", "AER", "precision", "recall", "CPU s", "MB"]
    text = [
        f"# Word alignment\n\n`python benchmarks/alignment.py`: {machine()}. eflomal 2.0.0, "
        "systran-align 3.5.0; see the script.\n\n## Error rates\n\nTrained on a few hundred "
        "lines, or with text of another field, so the rates are far above published ones. Our "
        "iterations follow a rule, five of each model; parameters of the diagonal prior are those "
        "of fast_align. The share of jumps that are equally probable (0.2), and that directions "
        "agree, was decided after error rates on these alignments had been looked at.\n",
        *table(head, rows),
    ]
    if below:
        text += [
            "\n## BLEU of translators\n\nEnglish to German, tuned on every other line of the "
            "development text of multi30k, measured on the rest of it. CPU seconds from files to "
            "files.\n",
            *table(["aligner", "CPU s", "BLEU"], below),
        ]
    RESULTS.write_text("\n".join(text) + "\n")


if __name__ == "__main__":
    main()
