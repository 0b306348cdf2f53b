"""Models of English by genre: F1, tags, speed, memory; and what each treebank adds.

    python benchmarks/english.py NAME=MODEL [NAME=MODEL]... [--data DIR] [--sources] [--jobs N]

Sentences are those of the recipe `english` that no training tree comes from, by file, and every
fourth of `wsj_sample`, which no model may learn from. Gold trees and those of every model are put
into Penn's notation (`--penn`). New words are those that CRAFT and MASC, the training trees of the
default model before GUM and MCTB were added, do not have. Each model parses each file on one
thread, in a process of its own; seconds are CPU time without loading. Models before 2026-11-20
learned from what is held out of `masc`.

`--sources` trains base parsers as the recipe does, without clusters of words, grammars and ranker:
on all treebanks, on all with the weight 1, and without each of them.
"""

import argparse
import json
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from measuring import child, machine, memory, table

from runoff.cli.show import training_engine
from runoff.data.text.read import tagged_words
from runoff.data.tree import read_trees, write_trees
from runoff.data.treebank.clean import read_treebank
from runoff.data.treebank.notation import penn_tree
from runoff.metrics.parseval import Parseval
from runoff.pipeline.work_folder import WorkFolder
from runoff.recipes.corpora import data_folder
from runoff.tasks.load import load
from runoff.tasks.parsing.corpus import part_name
from runoff.tasks.parsing.steps import Training
from runoff.tasks.reproduce import experiment

RESULTS = Path(__file__).parent / "results" / "english.md"
NEWS, EVERY = "wsj_sample/train.clean.mrg.gz", 4
OLD = ("craft/train.clean.mrg.gz", "masc/train.clean.mrg.gz")
CRAFT = "craft"
TAGGER = {"prior": (0.5,)}


def penn(trees):
    """The trees in Penn's notation, those of which something is left."""
    return [noted for tree in trees if (noted := penn_tree(tree)) is not None]


def test_sets(data):
    """The sentences of each genre."""
    recipe = experiment("english").recipe.data
    found = recipe.examples_by_file("dev", data, read_treebank)
    found[NEWS] = list(read_treebank(data / NEWS))[::EVERY]
    return {part_name(name).partition("/train")[0]: penn(trees) for name, trees in found.items()}


def measure(task):
    """What a model makes of a file of gold trees."""
    model, gold = load(task["model"]), list(read_trees(task["gold"]))
    model = model.base() if task["base"] else model
    start = time.process_time()
    found = [model.parse(list(tree.words)) for tree in gold]
    cpu = time.process_time() - start
    sums, right, new, new_right, words = 0, 0, 0, 0, 0
    known = set(task["known"])
    for tree, one in zip(found, gold, strict=True):
        noted = penn_tree(tree) or tree
        sums = sums + Parseval().statistics([str(noted)], str(one))[0]
        pairs = zip(tagged_words(noted).labels, tagged_words(one).labels, one.words, strict=True)
        for ours, theirs, word in pairs:
            words, right = words + 1, right + (ours == theirs)
            new, new_right = (
                new + (word not in known),
                new_right + (ours == theirs and word not in known),
            )
    figures = Parseval().figures(sums)
    return {
        "F1": float(figures["F1"]),
        "tags": 100 * right / words,
        "new": 100 * new / words,
        "new tags": 100 * new_right / max(new, 1),
        "speed": len(gold) / cpu,
        "MB": memory("VmHWM"),
    }


def by_genre(models, sets, known, work):
    """A row for each genre and model."""
    head = ["genre", "sentences", "model", "base F1", "reranked F1", "tags", "new words"]
    head += ["tags of new words", "base, sentences a CPU s", "reranked", "MB"]
    rows, means = [], {name: [] for name in models}
    for genre, trees in sets.items():
        write_trees(trees, work / "gold.mrg")
        for name, path in models.items():
            task = {"model": str(path), "gold": str(work / "gold.mrg"), "known": known}
            base, picked = (child(__file__, {**task, "base": one}) for one in (True, False))
            means[name].append((base["F1"], picked["F1"]))
            row = [genre, len(trees), name]
            row += [f"{base['F1']:.2f}", f"{picked['F1']:.2f}", f"{picked['tags']:.2f}"]
            row += [f"{picked['new']:.1f}%", f"{picked['new tags']:.2f}"]
            rows.append(
                [*row, f"{base['speed']:.1f}", f"{picked['speed']:.1f}", f"{picked['MB']:.0f}"]
            )
            print(*rows[-1], flush=True)
    for name, found in means.items():
        base, picked = (sum(column) / len(found) for column in zip(*found, strict=True))
        rows.append(["mean", "", name, f"{base:.2f}", f"{picked:.2f}", *[""] * 6])
    return table(head, rows)


def by_source(data, sets, work, jobs):
    """A row for each choice of treebanks: F1 of the base parser by genre."""
    made = experiment("english")
    plan = replace(made.plans["main"], rerank=False, text=(), tagger_options=TAGGER)
    whole = made.recipe.data.examples_by_file("train", data, read_treebank)
    parts = {part_name(name): trees for name, trees in whole.items()}
    plans = {"all": (plan, parts), "all, weight 1": (replace(plan, weights={}), parts)}
    for source in ("craft", "masc", "gum_trees", "mctb"):
        rest = {name: trees for name, trees in parts.items() if not name.startswith(source)}
        weights = {name: weight for name, weight in plan.weights.items() if name in rest}
        plans[f"without {source}"] = (replace(plan, weights=weights), rest)
    dev = {CRAFT: sets["craft/dev"][:100]}
    rows = []
    for name, (own, trees) in plans.items():
        with training_engine(str(jobs)) as engine:
            model = Training(WorkFolder(work / "sources"), own, engine).run(trees, dev).model
        model.save(work / "source.runoff")
        row = [name, sum(map(len, trees.values()))]
        for gold in sets.values():
            write_trees(gold, work / "gold.mrg")
            task = {"model": str(work / "source.runoff"), "gold": str(work / "gold.mrg")}
            row.append(f"{child(__file__, {**task, 'base': True, 'known': []})['F1']:.2f}")
        rows.append([*row, f"{sum(map(float, row[2:])) / len(sets):.2f}"])
        print(*rows[-1], flush=True)
    return table(["treebanks", "trees", *sets, "mean"], rows)


def main():
    if sys.argv[1:] == ["--child"]:
        print(json.dumps(measure(json.load(sys.stdin))))
        return
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("models", nargs="+", metavar="NAME=MODEL")
    parser.add_argument("--data", type=Path, default=None)
    parser.add_argument("--sources", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    data = options.data or data_folder()
    sets = test_sets(data)
    known = sorted(
        {word for name in OLD for tree in read_treebank(data / name) for word in tree.words}
    )
    models = dict(one.split("=", 1) for one in options.models)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        lines = [
            "# Models of English by genre",
            f"\n`python benchmarks/english.py`: {machine()}.\n",
        ]
        lines += by_genre(models, sets, known, work)
        if options.sources:
            lines += ["\n## F1 of the base parser alone, by treebanks\n"]
            lines += by_source(data, sets, work, options.jobs)
    RESULTS.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
