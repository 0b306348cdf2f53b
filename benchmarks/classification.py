"""How fast parsers without a ranker parse CRAFT, and how much memory long sentences take.

    python benchmarks/classification.py MODEL... [--sentences 100]

Models are those of `runoff train parsing --no-rerank`, or `base-*.runoff` of a work folder. The
sentences are from all over the development trees (RUNOFF_DATA, or ../shared/data), of all
lengths; words go in without tags. A sentence of 200 words is some that are neighbours, joined.
Every model is measured twice, by turns, in processes of its own, on one thread; the better time
counts. Memory is the peak of a process that loads the model and parses.
"""

import argparse
import json
import os
import sys
from itertools import chain
from pathlib import Path

from measuring import child, machine, memory, seconds, table

from runoff.data.treebank.clean import read_treebank
from runoff.tasks.parsing.model import ParsingModel

HOME = Path(__file__).parent
RESULT = HOME / "results" / "classification.md"
WAYS = {
    "one tagging": {"taggings": 1},
    "taggings as in the model": {},
    "50 best": {"n": 50},
    "one tagging, 200 words": {"taggings": 1, "long": True},
    "200 words": {"long": True},
}
LONG = 200


def given(task):
    folder = Path(os.environ.get("RUNOFF_DATA", HOME / "../../shared/data"))
    trees = list(read_treebank(folder / "craft/dev.clean.mrg.gz"))
    if task.get("long"):
        return [list(chain.from_iterable(tree.words for tree in trees[:LONG]))[:LONG]]
    return [list(tree.words) for tree in trees[:: max(1, len(trees) // task["sentences"])]]


def work(task):
    """Parse, and print what it took."""
    model, sentences = ParsingModel.load(task["model"]), given(task)
    if "taggings" in task:
        if model.parser.name != "classification":
            sys.exit("no taggings")
        model.parser.search().taggings = task["taggings"]
    found, cpu = seconds(lambda: list(model.lists(sentences, task.get("n", 1))))
    unproven = sum("unproven" in one.candidates[0].extra for one in found)
    print(
        json.dumps(
            {
                "parser": model.parser.name,
                "sentences": len(found),
                "words": sum(map(len, sentences)),
                "cpu": cpu,
                "unproven": unproven,
                "peak": memory("VmHWM"),
            }
        )
    )


def rows(models, sentences):
    for way, options in WAYS.items():
        tasks = [{"model": model, "sentences": sentences, **options} for model in models]
        twice = [[child(__file__, task) for task in tasks] for _ in range(2)]
        for pair in zip(*twice, strict=True):
            if any("error" in one for one in pair):
                continue
            best = min(pair, key=lambda one: one["cpu"])
            per = f"{best['sentences'] / best['cpu']:.1f}", f"{best['words'] / best['cpu']:,.0f}"
            yield [way, best["parser"], *per, best["unproven"], f"{best['peak']:.0f}"]


def main():
    if sys.argv[1:] == ["--child"]:
        work(json.load(sys.stdin))
        return
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="+", metavar="MODEL")
    parser.add_argument("--sentences", type=int, default=100)
    options = parser.parse_args()
    head = ["what", "parser", "sentences/CPU s", "words/CPU s", "cut short", "peak MB"]
    lines = ["# Parsing by classification: speed", ""]
    lines.append(f"{machine()}. What is measured, and how, stands in `classification.py`.")
    lines += ["", *table(head, rows(options.models, options.sentences)), ""]
    RESULT.write_text("\n".join(lines), encoding="utf-8")
    print(RESULT)


if __name__ == "__main__":
    main()
