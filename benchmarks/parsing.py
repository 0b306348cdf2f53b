"""The parser on craft: accuracy by lengths, each learner, speed, time against length, memory.

    python benchmarks/parsing.py [--data DIR] [--work DIR] [--jobs N] [--learner NAME]...

Models learn from craft's `train` and are measured on its `dev`, which also makes their choices; no
test split is read (`runoff reproduce` does that). Steps of training are kept in the work folder, so
a second run only measures.

- Accuracy is that of raw words: the tagger and the parsers choose the tags. All sentences are
  scored, punctuation being what the gold tags say. *RER* is the share of the base's errors in F1
  that are gone, p by approximate randomisation.
- The reference is BLLIP's first stage, trained on the same trees and measured elsewhere on the
  first 1,000 development trees of at most 100 words; its oracle is of 50 trees, for the first 300.
- Speed is sentences per CPU second on one thread, from words to trees.
- Memory is the largest resident set of `runoff parse` on all of dev, one thread.
"""

import argparse
import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from runoff.data.treebank import read_treebank
from runoff.learners import LEARNERS
from runoff.tasks.parse_folds import with_gold
from runoff.tasks.parse_report import LENGTHS, report
from runoff.tasks.train_parsing import Plan, train_parsing

RESULTS = Path(__file__).parent / "results" / "parsing.md"
FIGURES = ("LR", "LP", "F1", "exact", "CB", "tags")
REFERENCE = {"first 1,000": (80.45, 83.15, 25.4, 96.74), "oracle of the first 300": (79.57, 90.58)}
BINS = ((1, 10), (11, 20), (21, 30), (31, 40), (41, 60), (61, 100), (101, 200))
LONGEST = 200
RICH = ("log-loss", "exp-loss", "maxent")
"""Learners that are tried with the richer features, too."""
OPTIONS = {
    "maxent": {"prior": "0.1,0.3,1"},
    "maxent-rank": {"prior": "0.1,0.3,1"},
    "svm-rank": {"cost": "0.0001,0.001,0.01"},
}


def first(trees, number, most=100):
    """The first trees of at most so many words."""
    return [tree for tree in trees if len(tree.words) <= most][:number]


def systems(learners):
    """Names and plans of what is measured, base parsers first."""
    yield "PCFG", Plan(parser="pcfg", rerank=False)
    yield "Collins", Plan(rerank=False)
    for features in ("parse", "parse-rich"):
        for learner in learners:
            if features == "parse" or learner in RICH:
                options = OPTIONS.get(learner, {})
                plan = Plan(features=(features,), learner=learner, options=options)
                yield f"{learner}, {features}", plan


def lists_of(model, trees, jobs):
    """The model's n-best lists with gold, in the base parser's order."""
    lists = model.lists((tree.words for tree in trees), model.n, jobs=jobs)
    return list(with_gold(lists, trees))


def rows(name, found, which):
    figures = found["figures"][which]
    gain = [f"{found['error reduction']:.1f}", f"{found['p']:.4f}"] if "p" in found else ["", ""]
    for length in LENGTHS:
        numbers = [f"{figures[length][figure]:.2f}" for figure in FIGURES]
        yield [name, length, *numbers, *(gain if length == "all" else ["", ""])]


def accuracy(trained, lists):
    """Rows for every system, and the oracle of the Collins lists."""
    for name, model in trained.items():
        of = lists["PCFG" if name == "PCFG" else "Collins"]
        found = report(of, model.ranker)
        yield from rows(name, found, "reranked" if model.ranker else "base")
    yield from rows("oracle", report(lists["Collins"], None), "oracle")


def beside_reference(trained, lists, trees):
    """The lines that the reference was measured on."""
    chosen = {id(tree) for tree in first(trees, 1000)}
    places = [place for place, tree in enumerate(trees) if id(tree) in chosen]
    yield ["BLLIP, first stage", *map(str, REFERENCE["first 1,000"])]
    for name, model in trained.items():
        of = lists["PCFG" if name == "PCFG" else "Collins"]
        found = report([of[place] for place in places], model.ranker)
        figures = found["figures"]["reranked" if model.ranker else "base"]
        numbers = [figures["all"]["F1"], figures["<=40"]["F1"]]
        numbers += [figures["all"]["exact"], figures["all"]["tags"]]
        yield [name, *(f"{number:.2f}" for number in numbers)]


def oracles(lists):
    figures = report(lists["Collins"][:300], None)["figures"]
    ours = [figures[which]["all"]["F1"] for which in ("base", "oracle")]
    yield ["BLLIP, first stage", *map(str, REFERENCE["oracle of the first 300"])]
    yield ["Collins", *(f"{number:.2f}" for number in ours)]


def cpu_seconds(model, sentences, n):
    start = time.process_time()
    for _ in model.lists(sentences, n):
        pass
    return time.process_time() - start


def of_length(trees, low, high):
    """Sentences of these lengths, 200 at most."""
    return [tree.words for tree in trees if low <= len(tree.words) <= high][:200]


def joined(trees, length, number=20):
    """Sentences of exactly this length, made of neighbouring ones."""
    words = [word for tree in trees for word in tree.words]
    return [words[i * length : (i + 1) * length] for i in range(number)]


def speed(kinds, trees):
    """Milliseconds a sentence by lengths, and sentences a second over all."""
    groups = {f"{low} to {high}": of_length(trees, low, high) for low, high in BINS}
    groups[f"{LONGEST}, joined"] = joined(trees, LONGEST)
    for name, (model, n) in kinds.items():
        model.parse(trees[0].words)
        times = {key: cpu_seconds(model, group, n) for key, group in groups.items() if group}
        all_of_it = cpu_seconds(model, [tree.words for tree in trees], n)
        milliseconds = [f"{1000 * times[key] / len(groups[key]):.1f}" for key in times]
        yield [name, f"{len(trees) / all_of_it:.1f}", *milliseconds]


def peak_megabytes(path, sentences):
    """The largest resident set of `runoff parse` on these sentences, one thread."""
    with tempfile.TemporaryFile("w+") as text:
        text.writelines(" ".join(words) + "\n" for words in sentences)
        text.seek(0)
        command = [sys.executable, "-m", "runoff.cli", "parse", str(path), "--tokenized"]
        process = subprocess.Popen(command, stdin=text, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{' '.join(command)} failed")
    return f"{usage.ru_maxrss / 1024:.0f}"


def memory(models, trees):
    """Megabytes: of the file, and of parsing development trees and long sentences."""
    for name, model in models.items():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model.runoff"
            model.save(path)
            groups = ([tree.words for tree in trees], joined(trees, LONGEST))
            peaks = [peak_megabytes(path, group) for group in groups]
            yield [name, f"{path.stat().st_size / 1e6:.1f}", *peaks]


def table(title, head, body):
    """A table of text, which is printed as well."""
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(row) + " |" for row in body]
    text = "\n".join([f"## {title}\n", *lines]) + "\n"
    print(text, flush=True)
    return text


def tables(trained, trees, jobs):
    lists = {name: lists_of(trained[name], trees, jobs) for name in ("PCFG", "Collins")}
    head = ("system", "words", *FIGURES, "RER", "p")
    yield table("Accuracy on the development trees", head, accuracy(trained, lists))
    head = ("system", "F1", "F1, <=40 words", "exact", "tags")
    title = "The first 1,000 development trees of at most 100 words"
    yield table(title, head, beside_reference(trained, lists, trees))
    head = ("system", "F1 of the favourite", "F1 of the oracle")
    yield table("50-best lists of the first 300 of them", head, oracles(lists))
    reranking = {name: model for name, model in trained.items() if model.ranker}
    best = max(reranking, key=lambda name: reranking[name].training["dev"]["error reduction"])
    kinds = {
        "PCFG, 1-best": (trained["PCFG"], 1),
        "Collins, 1-best": (trained["Collins"], 1),
        "Collins, 50-best": (trained["Collins"], 50),
        f"{best}: 50-best, reranked": (trained[best], 1),
    }
    head = ["system", "sentences/CPU s", *(f"{low} to {high}" for low, high in BINS)]
    title = "Speed: all development sentences, and milliseconds for one of so many words"
    yield table(title, [*head, f"{LONGEST}, joined"], speed(kinds, trees))
    head = ("system", "file, MB", "peak MB, development", f"peak MB, {LONGEST} words")
    yield table("Memory", head, memory({name: trained[name] for name in ("Collins", best)}, trees))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    data = os.environ.get("RUNOFF_DATA", Path(__file__).parents[2] / "shared" / "data")
    parser.add_argument("--data", type=Path, default=Path(data))
    parser.add_argument("--work", type=Path, default=Path("/tmp/runoff-bench/parsing"))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--learner", action="append", choices=LEARNERS)
    options = parser.parse_args()
    files = [options.data / "craft" / f"{name}.clean.mrg.gz" for name in ("train", "dev")]
    learners = options.learner or [name for name in LEARNERS if name != "base"]
    trained = {
        name: train_parsing(*files, work=options.work, plan=plan, jobs=options.jobs)
        for name, plan in systems(learners)
    }
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False
    ).stdout.strip()
    head = (
        f"# Parsing\n\n`python {' '.join(sys.argv)}`: commit {commit}, {platform.machine()}, "
        f"{os.cpu_count()} shared cores, Python {platform.python_version()}. What the columns mean "
        "is in `parsing.py`.\n"
    )
    text = "\n".join([head, *tables(trained, list(read_treebank(files[1])), options.jobs)])
    RESULTS.write_text(text)


if __name__ == "__main__":
    main()
