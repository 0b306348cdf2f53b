"""Parsing CRAFT: how good every learner's choice is, beside a Charniak parser, and how fast.

    python benchmarks/parsing.py --work DIR [--only accuracy|reference|speed]
    python benchmarks/parsing.py --work DIR --features parse-rich --grammars 2 --learner maxent \
        --name parsing-rich

All that is trained is kept in DIR, as `runoff train parsing --work DIR` keeps it, and is taken from
there if it is there. Trees are those of `craft/*.clean.mrg.gz` (RUNOFF_DATA, or ../shared/data).
Development trees choose priors, smoothing and rounds, so figures on them flatter the learners;
`--test` gives accuracy on the test trees instead, and is for once. Each part writes its figures to
`results/NAME.json`, from which `results/NAME.md` is made; `--trees N` tries everything on the
first N training trees and a quarter of that of the others, and writes to DIR.

- Accuracy: the two base parsers, every linear learner on the same lists of the Collins parser, and
  the oracle of the lists. Learners have the options that `runoff train parsing` gives them. Each
  fit is a process of its own on one thread, and begins with features that were extracted before;
  extracting them is measured by itself.
- Reference: words without tags go in, and gold's tags decide what is punctuation. The figures of
  the Charniak parser (BLLIP's first stage, trained on the same 18,000 trees) were measured
  elsewhere: its CPU seconds may be of another machine.
- Speed: CPU seconds on one thread, in a process that has only the model. Sentences of the sample
  are given all at once, those by length one at a time. Sentences of 200 words are neighbours
  joined. Memory is the peak of a process that loads the model and parses.
"""

import argparse
import json
import shutil
import sys
import time
from dataclasses import asdict, replace
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from measuring import child, machine, memory, seconds, table

from runoff.cli.show import training_engine
from runoff.data.formats import read_nbest
from runoff.data.text.read import tagged_words
from runoff.data.treebank.clean import read_treebank
from runoff.features.parse import REVISION as FEATURES_REVISION
from runoff.learners import LEARNERS, make_ranker
from runoff.pipeline.work_folder import StepResult, WorkFolder
from runoff.recipes.corpora import data_folder
from runoff.tasks.parsing.folds import with_gold
from runoff.tasks.parsing.model import ParsingModel
from runoff.tasks.parsing.plan import Plan
from runoff.tasks.parsing.report import report
from runoff.tasks.parsing.steps import Base, Training
from runoff.tasks.ranking.reranker import Reranker
from runoff.tasks.tagging.report import report as tag_report

RESULTS = Path(__file__).parent / "results"
PARTS = ("accuracy", "reference", "speed")
LENGTHS = ("<=40", "<=100", ">5")
FIGURES = ("LR", "LP", "F1", "exact", "CB", "sentences")
RANKERS = {name: make_ranker(name) for name in LEARNERS if name != "base"}
LINEAR = [n for n, one in RANKERS.items() if hasattr(one, "weights") and not one.takes_trees]
CHARNIAK = ["Charniak parser", 80.45, 83.15, 25.4, 96.74, 3.6, 79.57, 90.58]
REFERENCE_TREES, ORACLE_TREES, LONGEST = 1000, 300, 100
BUCKETS = [(low, low + 9) for low in range(1, 100, 10)] + [(101, 10**9)]
PER_BUCKET = 20
LONG_WORDS, LONG_SENTENCES = 200, 5


class Made(NamedTuple):
    """What the parts share: the steps of training, and what they gave for the Collins parser."""

    training: Training
    base: Base
    train: StepResult
    dev: StepResult


def prepare(parser, trees, options, **plan):
    """The steps of a base parser before its ranker."""
    with training_engine(str(options.jobs)) as engine:
        made = Training(WorkFolder(options.work), Plan(parser=parser, **plan), engine)
        _, _, base, train, dev = made.prepare({"train": trees["train"]}, {"dev": trees["dev"]})
        return Made(made, base, train, dev)


def make_plan(learner, options):
    return Plan(features=tuple(options.features), learner=learner, grammars=options.grammars)


def ranker(learner, made, options):
    """A ranker as a step, and what its fit took; or None, and why.

    The learner `base` learns nothing: its fit extracts the features that all others begin with.
    """
    if learner != "base":
        product, took = ranker("base", made, options)
        if product is None:
            return None, took
    plan, lists = make_plan(learner, options), (made.train.key, made.dev.key, FEATURES_REVISION)
    work = made.training.work
    cache = work.step("measured-features", "", *lists, plan.extractors).path
    given = sorted(plan.ranker_options.items())
    product = work.step("measured-ranker", ".runoff", *lists, plan, given)
    took = product.path.with_suffix(".json")
    if not (product.done and took.is_file()):
        if learner == "base":
            shutil.rmtree(cache, ignore_errors=True)
        files = {"train": made.train.path, "dev": made.dev.path, "cache": cache}
        task = {name: str(path) for name, path in (files | {"out": product.path}).items()}
        result = child(__file__, {"do": "fit_ranker", "plan": asdict(plan), **task}, options.limit)
        if "error" in result:
            return None, result
        took.write_text(json.dumps(result))
    return product, json.loads(took.read_text())


def fit_ranker(plan, train, dev, cache, out):
    """Fit a ranker as training does; what it took."""
    wall = time.perf_counter()
    reranker, cpu = seconds(lambda: Plan(**plan).fit(train, dev, "parseval", cache=cache))
    wall, peak = time.perf_counter() - wall, memory("VmHWM")
    reranker.save(out)
    used, seen = len(reranker.ranker.features_used()), reranker.training["features seen"]
    return {"cpu": cpu, "wall": wall, "peak": peak, "features": used, "features seen": seen}


def accuracy(trees, made, options):
    """Tagging, and PARSEVAL of bases, learners and oracle."""
    scored = "test" if options.test else "dev"
    bases = {"PCFG base": prepare("pcfg", trees, options, rerank=False), "Collins base": made}
    given = {scored: trees[scored]}
    lists = {name: one.training.lists(scored, one.base, given).path for name, one in bases.items()}
    pcfg, collins = (report(read_nbest(path), None) for path in lists.values())
    systems = {
        "PCFG base": {"figures": pcfg["figures"]["base"]},
        "Collins base": {"figures": collins["figures"]["base"]},
    }
    _, extracting = ranker("base", made, options)
    for learner in options.learner or LINEAR:
        product, took = ranker(learner, made, options)
        systems[learner] = {"took": took}
        if product is not None:
            found = report(read_nbest(lists["Collins base"]), Reranker.load(product.path))
            systems[learner]["figures"] = found["figures"]["reranked"]
            systems[learner] |= {key: found[key] for key in ("error reduction", "p")}
        print(learner, json.dumps(systems[learner]), file=sys.stderr, flush=True)
    systems["oracle"] = {"figures": collins["figures"]["oracle"]}
    return {
        "trees": {part: len(own) for part, own in trees.items()},
        "scored": scored,
        "metric": collins["metric"],
        "tagging": tagging(made.training.model(made.base), trees["train"], trees[scored]),
        "features": list(make_plan(options.best, options).extractors),
        "extracting": extracting,
        "systems": systems,
    }


def tagging(model, train, scored):
    """Accuracy of the tagger alone: of all words, and of known and unknown ones."""
    known = {word for tree in train for word in tree.words}.__contains__
    sentences = [tagged_words(tree) for tree in scored]
    found = model.tagger.tagger.tag_all(sentences)
    seen = tag_report(found, sentences, known)
    return {"all": seen.accuracy, "known": seen.known, "unknown": seen.unknown}


def show_accuracy(found):
    trees, tags = found["trees"], found["tagging"]
    shares = {name: "-" if one is None else f"{100 * one:.2f}%" for name, one in tags.items()}
    yield (
        f"{trees['train']:,} training trees, {trees[found['scored']]:,} {found['scored']} trees; "
        f"`{found['metric']}`; features {', '.join(found['features'])}. "
        f"Tagging accuracy {shares['all']} (known words {shares['known']}, unknown "
        f"{shares['unknown']}).\n"
    )
    systems = found["systems"]
    scored = {name: one["figures"] for name, one in systems.items() if "figures" in one}
    for words in LENGTHS:
        head = [f"{words} words", *FIGURES]
        rows = [[name, *cells(one[words], FIGURES)] for name, one in scored.items()]
        yield from (*table(head, rows), "")
    head = ["all words", "tags", "F1", "error reduction %", "p"]
    head += ["features", "fit CPU s", "wall s", "peak MB"]
    yield from table(head, [summary(name, one) for name, one in systems.items()])
    took = found["extracting"]
    if "error" in took:
        yield f"\nNo features: {took['error']}"
    else:
        yield (
            f"\nExtracting {took['features seen']:,} features took {took['cpu']:.1f} CPU s, "
            f"{took['wall']:.1f} s, peak {took['peak']:.0f} MB; fits are without it."
        )


def cells(figures, names):
    """Figures as text: counts whole, all else with two digits."""
    return [f"{figures[name]:.2f}".removesuffix(".00" * (name == "sentences")) for name in names]


def summary(name, one):
    """The row of a system over all sentences: gain, and what the fit took."""
    took = one.get("took", {})
    if "error" in took:
        return [name, f"no fit: {took['error']}", *[""] * 7]
    row = [name, *cells(one["figures"]["all"], ("tags", "F1"))]
    row += [f"{one['error reduction']:.2f}", f"{one['p']:.4f}"] if "p" in one else ["", ""]
    if not took:
        return [*row, *[""] * 4]
    costs = (f"{took['cpu']:.1f}", f"{took['wall']:.1f}", f"{took['peak']:.0f}")
    return [*row, f"{took['features']:,}", *costs]


def reference(trees, made, options):
    """Figures of the first development trees, which a Charniak parser has parsed as well."""
    gold = [tree for tree in trees["dev"] if len(tree.words) <= LONGEST][:REFERENCE_TREES]
    words = [tree.words for tree in gold]
    model = made.training.model(made.base)
    plain = replace(model, grammars=None)  # whose opinion is for the ranker
    best, one = seconds(lambda: list(with_gold(plain.lists(words), gold)))
    model.ranker = best_ranker(made, options)
    lists, many = seconds(lambda: list(with_gold(model.lists(words, None), gold)))
    first = report(lists[:ORACLE_TREES], None)["figures"]
    systems = {
        "Collins base": (report(best, None)["figures"]["base"], one),
        options.best: (report(lists, model.ranker)["figures"]["reranked"], many),
    }
    return {
        "sentences": len(gold),
        "features": list(make_plan(options.best, options).extractors),
        "systems": {
            name: {"figures": figures, "speed": len(gold) / cpu}
            for name, (figures, cpu) in systems.items()
        },
        "first": {name: first[name]["all"] for name in ("base", "oracle")},
    }


def best_ranker(made, options):
    """The ranker that reference and speed are about."""
    product, took = ranker(options.best, made, options)
    if product is None:
        sys.exit(f"{options.best}: {took['error']}")
    return Reranker.load(product.path)


def show_reference(found):
    head = ["parser", "F1", "F1 <=40", "complete match", "tags", "sentences/CPU s"]
    head += [f"first {ORACLE_TREES}: F1", "oracle"]
    rows = [CHARNIAK]
    for name, one in found["systems"].items():
        every = one["figures"]["all"]
        figures = (every["F1"], one["figures"]["<=40"]["F1"], every["exact"], every["tags"])
        rows.append([name, *(f"{figure:.2f}" for figure in figures), f"{one['speed']:.1f}", "", ""])
    rows[1][-2:] = [f"{found['first'][name]['F1']:.2f}" for name in ("base", "oracle")]
    yield (
        f"The first {found['sentences']:,} development trees of at most {LONGEST} words; features "
        f"{', '.join(found['features'])}.\n"
    )
    yield from table(head, rows)


def speed(trees, made, options):
    """Speed, time by length, memory and loading of the model with its ranker."""
    plan, steps = make_plan(options.best, options), made.training
    key = (made.base.model.key, made.train.key, plan)
    product = steps.work.step("measured-parser", ".runoff", *key)
    replace(steps.model(made.base), ranker=best_ranker(made, options)).save(product.path)
    sentences = [list(tree.words) for tree in trees["dev"]]
    sample = sentences[:: options.every][: options.sample]
    task = {"model": str(product.path), "sentences": sample}
    inside = [[s for s in sentences if low <= len(s) <= high] for low, high in BUCKETS]
    by_length = [own[:: -(-len(own) // PER_BUCKET) or 1] for own in inside]
    stream = list(chain.from_iterable(sentences))[: LONG_WORDS * LONG_SENTENCES]
    long = [stream[at : at + LONG_WORDS] for at in range(0, len(stream), LONG_WORDS)]
    return {
        "learner": options.best,
        "features": list(make_plan(options.best, options).extractors),
        "sample": len(sample),
        "model MB": product.path.stat().st_size / 2**20,
        "speed": child(__file__, {"do": "measure_speed", **task, "by_length": by_length}),
        "memory": {
            name: child(__file__, {"do": "measure_memory", **task, "sentences": given})
            for name, given in (("nothing", []), ("sample", sample), ("long", long))
        },
    }


def measure_speed(model, sentences, by_length):
    """CPU seconds: to load, of the first sentence, of the sample, of each sentence by length."""
    loaded, loading = seconds(lambda: ParsingModel.load(model))
    plain = replace(loaded, ranker=None, grammars=None)  # whose opinion is for the ranker
    _, first = seconds(lambda: list(loaded.lists(sentences[:1])))
    ways = {
        "1-best": lambda given: list(plain.lists(given)),
        f"{loaded.n}-best": lambda given: list(plain.lists(given, None)),
        "reranked": lambda given: list(loaded.lists(given)),
    }
    return {
        "loading": loading,
        "first": first,
        "sample": {name: seconds(lambda way=way: way(sentences))[1] for name, way in ways.items()},
        "by length": {
            name: [[seconds(lambda w=way, s=s: w([s]))[1] for s in own] for own in by_length]
            for name, way in ways.items()
        },
    }


def measure_memory(model, sentences):
    """Peak megabytes of this process once it has parsed and reranked the sentences."""
    for _ in ParsingModel.load(model).lists(sentences):
        pass
    return {"peak": memory("VmHWM")}


def show_speed(found):
    times = found["speed"]
    if "error" in times:
        yield f"No figures: {times['error']}"
        return
    ways = list(times["sample"])
    yield (
        f"Reranked by {found['learner']}, features {', '.join(found['features'])}; a model of "
        f"{found['model MB']:.1f} MB, loaded in {times['loading']:.2f} CPU s; the first sentence "
        f"then takes {times['first']:.2f} CPU s. The sample has {found['sample']:,} sentences.\n"
    )
    rates = [f"{found['sample'] / times['sample'][way]:.1f}" for way in ways]
    yield from table(["sample", *ways], [["sentences/CPU s", *rates]])
    rows = []
    for place, (low, high) in enumerate(BUCKETS):
        own = [times["by length"][way][place] for way in ways]
        means = [f"{1000 * sum(one) / len(one):.1f}" if one else "" for one in own]
        rows.append([f"{low}-{high}" if high < 10**9 else f">{low - 1}", len(own[0]), *means])
    yield ""
    yield from table(["words", "sentences", *(f"{way}, CPU ms" for way in ways)], rows)
    named = {"nothing": "model loaded", "sample": "sample", "long": f"{LONG_WORDS}-word sentences"}
    peaks = [
        [named[name], f"{one['peak']:.0f}" if "peak" in one else one["error"]]
        for name, one in found["memory"].items()
    ]
    yield ""
    yield from table(["parsing", "peak MB"], peaks)


def show(results):
    """The page of all parts that were measured."""
    yield "# Parsing CRAFT\n"
    yield "What is measured, and how, stands in `parsing.py`."
    for part in PARTS:
        if part in results:
            found = results[part]
            yield f"\n## {part.capitalize()}\n\n`{found['command']}`: {found['where']}.\n"
            yield from globals()[f"show_{part}"](found)


def read_trees_of(options):
    """The trees of each split, as many as are asked for."""
    folder = data_folder(options.data, project=Path(__file__).parents[1]) / "craft"
    trees = {}
    for part in ("train", "dev", *["test"] * options.test):
        limit = options.trees and (options.trees if part == "train" else options.trees // 4)
        trees[part] = list(read_treebank(folder / f"{part}.clean.mrg.gz"))[:limit]
    return trees


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--work", type=Path, help="folder of what is trained")
    parser.add_argument("--only", choices=PARTS)
    parser.add_argument("--test", action="store_true", help="accuracy on test trees; for once")
    parser.add_argument("--features", action="append", help="sets of features; parse")
    parser.add_argument("--grammars", type=int, default=0, help="as of runoff train parsing")
    parser.add_argument("--learner", action="append", choices=LINEAR, help="for accuracy; all")
    parser.add_argument("--best", default="maxent", choices=LINEAR, help="for the other parts")
    parser.add_argument("--every", type=int, default=10, help="the sample is every 10th sentence")
    parser.add_argument("--sample", type=int, help="sentences of the sample at most")
    parser.add_argument("--limit", type=float, default=7200, help="wall seconds a fit")
    parser.add_argument("--jobs", type=int, default=1, help="for training and lists, not measured")
    parser.add_argument("--trees", type=int, help="try it on so many training trees")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--out", type=Path, help="folder for the results")
    parser.add_argument("--name", default="parsing", help="of the results")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        task = json.load(sys.stdin)
        print(json.dumps(globals()[task.pop("do")](**task)))
        return
    if options.work is None or (options.test and options.only not in (None, "accuracy")):
        parser.error("name a folder with --work; --test is for accuracy")
    options.features = options.features or ["parse"]
    parts = [options.only] if options.only else ["accuracy"] if options.test else PARTS
    trees = read_trees_of(options)
    made = prepare("collins", trees, options, grammars=options.grammars)
    out = options.out or (options.work if options.trees else RESULTS)
    file = out / f"{options.name}{'-test' if options.test else ''}.json"
    results = json.loads(file.read_text()) if file.is_file() else {}
    for part in parts:
        found = globals()[part](trees, made, options)
        given = " ".join(["python benchmarks/parsing.py", *sys.argv[1:]])
        command = given.replace(str(options.work), "DIR")  # which is nobody else's folder
        results[part] = {"command": command, "where": machine(), **found}
        file.write_text(json.dumps(results, indent=1) + "\n")
        text = "\n".join(show(results)) + "\n"
        file.with_suffix(".md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
