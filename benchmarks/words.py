"""Word prediction: the tree of TiMBL, its cost beside TiMBL's, and how it grows with the text.

    python benchmarks/words.py [--data DIR] [--part timbl|scale]... [--lmplz PROGRAM]

Corpora lie in DIR (RUNOFF_DATA, or ../shared/data): `reuters21578`, `brown_text`, `alice`, `books`.

- `timbl`: Debian's TiMBL (`apt-get install timbl`), `-a IGTREE -w ig -F Columns`, on the windows of
  the first million tokens of Reuters-21578, a document a text; both then predict every token of the
  last 400 documents, of Alice and of Brown. TiMBL reads files of windows, since that is what it
  reads; Runoff reads the tokens. Training is CPU seconds and peak memory of a process from text to
  model file, Python's start included; TiMBL keeps its tree in memory. Predictions are by CPU time
  too: of TiMBL from a file of windows to a file, ours from words to words in Python. Nodes are
  counted without the root, as TiMBL does.
- `scale`: trees of the first n million tokens of the books, tested on their last 100,000 tokens
  (which no tree has seen), on Alice and Brown; what the paper has beside it was trained and tested
  on Reuters RCV1. With `--lmplz` a 5-gram KenLM of the same text fills the same gaps: it chooses
  among the 1,000 commonest words and the 25 that the list of the largest tree has, on every so
  many words of each text.
"""

import argparse
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
from language_model import fill_gap, language_model
from measuring import child, cpu_seconds, machine, memory, seconds, table

from runoff.data.numbering import OUTSIDE, Numbering
from runoff.data.text.words import read_numbers, words_of
from runoff.recipes.corpora import data_folder
from runoff.store.strings import StringTable
from runoff.tasks.words.model import Asked, WordModel
from runoff.tasks.words.train import Plan, grow_words, train

RESULTS = Path(__file__).parent / "results"
SIZE = 1_000_000
LEFT = RIGHT = 7
SIZES = (10_000, 100_000, 1_000_000, 10_000_000, None)
HELD_OUT = 100_000
TEXTS = ("books", "Alice", "Brown")
GAPS = 3_000  # of a text, that KenLM fills
COMMON, LISTED = 1_000, 25  # words that it chooses from
LINE = 5_000  # words that it reads as a line


def reuters(folder):
    """Tokens of the documents."""
    with gzip.open(folder / "reuters21578/reuters21578-bodies.tsv.gz", "rt") as lines:
        return [words_of(line.rstrip("\n").split("\t", 2)[2]) for line in lines]


def first_tokens(documents, size):
    """Documents up to a number of tokens; the last one is cut."""
    kept = []
    for document in documents:
        kept.append(document[:size])
        size -= len(kept[-1])
        if not size:
            break
    return kept


def other_texts(folder):
    """Alice and Brown, tokenised by others, each as one text."""
    files = {"Alice": "alice/carroll-alice.tok.txt.gz", "Brown": "brown_text/brown.tok.txt.gz"}
    return {name: [gzip.open(folder / file, "rt").read().split()] for name, file in files.items()}


def write_windows(path, texts):
    """The windows as TiMBL reads them: features and class in columns."""
    with path.open("w") as stream:
        for text in texts:
            padded = ["_" * 3] * LEFT + text + ["_" * 3] * RIGHT
            for i, word in enumerate(text, LEFT):
                row = [*padded[i - LEFT : i], *padded[i + 1 : i + 1 + RIGHT], word]
                stream.write(" ".join(row) + "\n")


class TimblRun(NamedTuple):
    """What a run of TiMBL took: CPU seconds of both phases, and peak memory before it tested."""

    nodes: int
    training: float
    testing: float
    peak: float


def run_timbl(folder):
    """Trains TiMBL and lets it predict, in one process that is watched."""
    command = ["timbl", "-a", "IGTREE", "-w", "ig", "-F", "Columns"]
    log = folder / "timbl.log"
    trained = peak = 0.0
    with log.open("w") as stream:
        process = subprocess.Popen(
            [*command, "-f", "train", "-t", "test", "-o", "out"],
            cwd=folder,
            stdout=stream,
            stderr=stream,
        )
        own = Path(f"/proc/{process.pid}")
        while "Starting to test" not in log.read_text():
            fields = (own / "stat").read_text().rpartition(")")[2].split()
            trained = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
            peak = memory("VmHWM", own / "status") or peak
            time.sleep(0.05)
        _, process.returncode, usage = os.wait4(process.pid, 0)
    nodes = int(re.search(r"InstanceBase = (\d+) Nodes", log.read_text())[1])
    return TimblRun(nodes, trained, usage.ru_utime + usage.ru_stime - trained, peak)


def train_child(task):
    """Trains a model in a process of its own."""
    model = train(task["files"], plan=Plan(tokenized=True, top=task["top"]))
    model.save(task["model"])
    size = Path(task["model"]).stat().st_size
    return {"nodes": len(model.tree) - 1, "cpu": cpu_seconds(), "peak": memory("VmHWM"),
            "bytes": size}  # fmt: skip


def compare_with_timbl(data, _):
    documents = reuters(data)
    tests = {"Reuters, last 400": documents[-400:], **other_texts(data)}
    train = first_tokens(documents[:-400], SIZE)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = []
        for number, text in enumerate(train):  # a file a text
            files.append(str(folder / f"text{number}"))
            Path(files[-1]).write_text(" ".join(text))
        write_windows(folder / "train", train)
        write_windows(folder / "test", [text for texts in tests.values() for text in texts])
        ours = child(__file__, {"files": files, "model": str(folder / "model"), "top": 1})
        theirs = run_timbl(folder)
        with (folder / "out").open() as lines:
            guesses = iter([line.split()[-1] for line in lines])
        model = WordModel.load(folder / "model")
        rows, tokens, testing = [], 0, 0.0
        for name, texts in tests.items():
            gold = [word for text in texts for word in text]
            found, spent = predictions(model, texts)
            other = [next(guesses) for _ in gold]
            tokens, testing = tokens + len(gold), testing + spent
            rows.append([name, f"{len(gold):,}", share(other, gold), share(found, gold),
                         sum(a != b for a, b in zip(found, other, strict=True))])  # fmt: skip
    pairs = {
        "training, CPU s": (theirs.training, ours["cpu"]),
        "peak memory, MB": (theirs.peak, ours["peak"]),
    }
    cost = [[what, f"{a:.1f}", f"{b:.2f}", f"{a / b:.1f}"] for what, (a, b) in pairs.items()]
    speeds = tokens / theirs.testing, tokens / testing
    cost.append(
        ["predictions/CPU s", *(f"{x:,.0f}" for x in speeds), f"{speeds[1] / speeds[0]:.0f}"]
    )
    lines = [
        "# IGTree beside TiMBL",
        f"\n`python benchmarks/words.py --part timbl`: {SIZE:,} windows of Reuters-21578, 7 words "
        f"on either side; {machine()}. What is measured, and how, stands in `words.py`.\n",
        *table(["", "TiMBL 6.5", "Runoff", "ratio"],
               [["nodes", f"{theirs.nodes:,}", f"{ours['nodes']:,}", ""], *cost]),
        "",
        *table(["text", "tokens", "TiMBL %", "Runoff %", "predictions that differ"], rows),
    ]  # fmt: skip
    (RESULTS / "words-timbl.md").write_text("\n".join(lines) + "\n")


def predictions(model, texts):
    """What the model predicts for every token, and CPU seconds from words to words."""
    found, spent = seconds(lambda: [model.predict_each(text) for text in texts])
    return [word for text in found for word in text], spent


def share(found, gold):
    return f"{100 * np.mean([a == b for a, b in zip(found, gold, strict=True)]):.2f}"


def book_files(data):
    return sorted((data / "books").glob("books-*.txt.gz"))


def scale_child(task):
    """One tree of the books: what it costs, and how well it predicts."""
    data = Path(task["data"])
    folder = task["folder"]
    vocabulary = StringTable(*(np.load(f"{folder}/{name}.npy") for name in ("text", "ends")))
    numbers = np.load(f"{task['folder']}/numbers.npy", mmap_mode="r")
    train, test = numbers[:-HELD_OUT], numbers[-HELD_OUT:]
    train, test = np.array(train[: task["size"]]), np.array(test)
    start = cpu_seconds()
    model = grow_words([train], vocabulary, Plan(left=LEFT, right=RIGHT))
    growing_time = cpu_seconds() - start
    peak = memory("VmHWM")
    model.save(task["model"])
    del model  # or giving back its memory would be timed
    start = time.perf_counter()
    model = WordModel.load(task["model"])
    opening = time.perf_counter() - start
    texts = {"books": [vocabulary[number] for number in test.tolist()]}
    texts |= {name: text for name, (text,) in other_texts(data).items()}
    result = {
        "windows": len(train),
        "nodes": len(model.tree) - 1,
        "growing": growing_time,
        "peak": peak,
        "bytes": Path(task["model"]).stat().st_size,
        "opening": opening,
    }
    for name, words in texts.items():
        windows, gold = model.windows(words), vocabulary.numbers(words)
        found, spent = seconds(lambda w=windows: model.tree.predict(w))
        found, spent = seconds(lambda w=windows: model.tree.predict(w))  # the file is in memory now
        offsets, classes, _ = model.tree.n_best(windows, 1)
        result[name] = float((found == gold).mean())
        result[f"{name} lists"] = float((classes[offsets[:-1]] == gold).mean())
        result[f"{name} speed"] = len(words) / spent
    if task["lmplz"]:
        result["gaps"] = compare_with_kenlm(task["lmplz"], model, train, texts)
    return result


def compare_with_kenlm(program, model, train, texts):
    """How many gaps the tree, its lists and KenLM fill, of the same ones, for each text."""
    names = np.array(model.vocabulary.strings(), dtype=object)
    lm = language_model(
        program, (" ".join(names[train[i : i + LINE]]) for i in range(0, len(train), LINE))
    )
    counts = np.bincount(train, minlength=len(names))
    common = names[np.argsort(-counts)[:COMMON]].tolist()
    found = {}
    for name, words in texts.items():
        places = range(0, len(words), max(len(words) // GAPS, 1))
        guesses = model.predict_each(words)
        right = {"gaps": len(places), "tree": 0, "lists": 0, "KenLM": 0, "there": 0}
        for place, nbest in zip(places, model.lists([Asked(words, places)], LISTED), strict=True):
            listed = [candidate.output for candidate in nbest.candidates]
            choices = list(dict.fromkeys([*listed, *common]))
            right["tree"] += guesses[place] == words[place]
            right["lists"] += listed[0] == words[place]
            right["KenLM"] += choices[fill_gap(lm, words, place, choices)] == words[place]
            right["there"] += words[place] in choices
        found[name] = right
    return found


def measure_scale(data, lmplz):
    rows, costs = [], []
    folder = tempfile.TemporaryDirectory(dir=os.environ.get("RUNOFF_BENCH"))
    growing = Numbering([OUTSIDE])
    texts, reading = seconds(lambda: [read_numbers(file, growing) for file in book_files(data)])
    np.save(f"{folder.name}/numbers.npy", np.concatenate(texts))
    words = StringTable.of(growing).dense()
    np.save(f"{folder.name}/text.npy", words.text)
    np.save(f"{folder.name}/ends.npy", words.ends)
    del texts
    for size in SIZES:
        task = {"data": str(data), "size": size, "folder": folder.name}
        task["lmplz"] = None if size else lmplz
        found = child(__file__, {**task, "model": f"{folder.name}/model"})
        if "error" in found:
            raise SystemExit(found["error"])
        shares = [f"{100 * found[key]:.2f}" for name in TEXTS
                  for key in (name, f"{name} lists")]  # fmt: skip
        windows = found["windows"]
        rows.append([f"{windows:,}", f"{found['nodes']:,}", f"{found['nodes'] / windows:.2f}",
                     *shares])  # fmt: skip
        costs.append(
            [
                f"{windows:,}",
                f"{found['growing']:.1f}",
                f"{found['peak']:,.0f}",
                f"{found['bytes'] / 1e6:,.0f}",
                f"{1000 * found['opening']:.0f}",
                f"{found['books speed']:,.0f}",
            ]
        )
        print(rows[-1], costs[-1], flush=True)
    shares = [f"{name} {kind}%" for name in TEXTS for kind in ("", "lists ")]
    head = ["windows", "nodes", "per window", *shares]
    folder.cleanup()
    lines = [
        "# Word prediction by size of the text",
        f"\n`python benchmarks/words.py --part scale`: public-domain books, 7 words on either "
        f"side, 5 words a node; {machine()}. `lists` is the first word of n-best lists, which "
        "blend the nodes of a path. The paper, on newswire: 0.77, 0.65 and 0.53 nodes a window at "
        "10,000, 1 million and 30 million; 42.2% of newswire, 12.6% of Alice and 15.8% of Brown; "
        "about a hundred predictions a second. Cutting all text into words took "
        f"{reading:.0f} CPU s.\n",
        *table(head, rows),
        "",
        *table(
            ["windows", "growing, CPU s", "peak MB", "file MB",
             "opening ms", "predictions/CPU s"],
            costs,
        ),
        *gap_lines(found.get("gaps", {})),
    ]  # fmt: skip
    (RESULTS / "words-scale.md").write_text("\n".join(lines) + "\n")


def gap_lines(gaps):
    """How many gaps KenLM fills, as a table."""
    if not gaps:
        return []
    kinds = ("tree", "lists", "KenLM", "there")
    rows = [
        [name, f"{one['gaps']:,}", *(f"{100 * one[kind] / one['gaps']:.2f}" for kind in kinds)]
        for name, one in gaps.items()
    ]
    head = ["text", "gaps", "tree %", "lists %", "KenLM %", "words that KenLM could choose %"]
    return ["\n## The same gaps, filled by a 5-gram KenLM of the same text\n", *table(head, rows)]


PARTS = {"timbl": compare_with_timbl, "scale": measure_scale}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--part", action="append", choices=PARTS)
    parser.add_argument("--lmplz", help="program of KenLM")
    parser.add_argument("--child", action="store_true")
    options = parser.parse_args()
    if options.child:
        task = json.load(sys.stdin)
        print(json.dumps((train_child if "files" in task else scale_child)(task)))
        return
    data = data_folder(options.data, project=Path(__file__).parents[1])
    for part in options.part or PARTS:
        PARTS[part](data, options.lmplz)


if __name__ == "__main__":
    main()
