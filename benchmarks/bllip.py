"""Equal trees, equal sentences: our parser beside BLLIP's first stage (Charniak's parser).

    python benchmarks/bllip.py BLLIP [--data DIR] [--work DIR] [--jobs N] [--only NAME]...

BLLIP is the folder of its sources (https://github.com/BLLIP/bllip-parser), with `first-stage/TRAIN`
and `first-stage/PARSE` built: `make CXXFLAGS="-O3 -std=gnu++98 -w" parseIt` and, in TRAIN, `all`.
DIR (RUNOFF_DATA, or ../shared/data) has `craft`, `masc`, `mctb`, `gum_trees` and `wsj_sample`.

All trees are in Penn's notation (`--penn`), for both: of 5,000 of CRAFT, three of four documents of
MASC, 850 of each domain of MCTB and GUM's training trees, every tenth tunes BLLIP's smoothing and
makes our choices, and both learn from the others. They parse every seventh development tree of
CRAFT, the other documents of MASC, the other 150 of each domain, and every second development tree
of GUM, whose trees no hand corrected: these figures are agreement with another parser. Of
`wsj_sample`, both learn from four of five parts, cut by documents, and parse every second tree of
the fifth.

BLLIP gets what its own scripts give it: brackets escaped (-LSB-), and tags that its list of terms
lacks added to it. Our rankers learn from five folds, taggers have the prior that the recipe
`english` chose, and no other text is read. Parsing runs on one thread, in a process of its own;
seconds are CPU time with loading, memory is the peak. Differences have 95% intervals by paired
bootstrap over sentences. Sentences of more than 100 words are left out. What `--work` has is not
done again; `--only` names experiments, general or wsj-0 to wsj-4, to run by themselves.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from itertools import accumulate, pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from measuring import child, cpu_seconds, machine, memory, table

from runoff.cli.show import training_engine
from runoff.data.tree import Tree, write_trees
from runoff.data.treebank.clean import read_treebank, without_mixed_labels
from runoff.data.treebank.notation import penn_tree
from runoff.metrics.parseval import Parseval
from runoff.metrics.significance import paired_bootstrap
from runoff.recipes.corpora import data_folder
from runoff.tasks.load import load
from runoff.tasks.parsing.train import Plan, train

RESULTS = Path(__file__).parent / "results" / "bllip.md"
LONGEST = 100
CRAFT, HELD_OUT, FOLDS = 5_000, 150, 5
DOMAINS = ("dialogue", "law", "literature")
TAGGER = {"prior": (0.5,)}
SILVER = "gum (agreement)"
NOUNS = frozenset(["HYPH"])
ESCAPES = {"[": "-LSB-", "]": "-RSB-", "{": "-LCB-", "}": "-RCB-"}
"""What else BLLIP has no brackets for; round ones are escaped in the trees already."""


class Experiment(NamedTuple):
    """Trees to learn from, to choose by, and to parse, by name."""

    name: str
    train: list[Tree]
    dev: list[Tree]
    tests: dict[str, list[Tree]]


class Parsed(NamedTuple):
    """Trees of a test set, the CPU seconds that they took, and the peak of memory in MB."""

    trees: list[Tree]
    seconds: float
    peak: float


def penn(file):
    """The trees of a file in Penn's notation."""
    noted = map(penn_tree, read_treebank(file))
    return [tree for tree in noted if tree is not None]


def documents(folder):
    """The trees of each document of a folder."""
    trees = list(read_treebank(folder / "train.clean.mrg.gz"))
    rows = [line.split("\t") for line in (folder / "train.docs.tsv").read_text().splitlines()]
    sizes = [int(row[2]) for row in rows if row[-1].isdigit()]
    cuts = [0, *accumulate(sizes)]
    assert cuts[-1] == len(trees), "documents and trees do not fit together"
    found = [trees[a:b] for a, b in pairwise(cuts)]
    return [[noted for tree in one if (noted := penn_tree(tree)) is not None] for one in found]


def experiments(data):
    """General English, then the folds of newspapers."""
    craft = penn(data / "craft/train.clean.mrg.gz")
    craft = craft[:: len(craft) // CRAFT][:CRAFT]
    masc = documents(data / "masc")
    mctb = {one: penn(data / f"mctb/{one}.clean.mrg.gz") for one in DOMAINS}
    learned = craft + penn(data / "gum_trees/train.clean.mrg.gz")
    learned += [tree for i, one in enumerate(masc) if i % 4 != 1 for tree in one]
    learned += [tree for one in mctb.values() for tree in one[:-HELD_OUT]]
    yield split(
        "general",
        learned,
        {
            "craft": penn(data / "craft/dev.clean.mrg.gz")[::7],
            "masc": [tree for one in masc[1::4] for tree in one],
            **{name: one[-HELD_OUT:] for name, one in mctb.items()},
            SILVER: penn(data / "gum_trees/dev.clean.mrg.gz")[::2],
        },
    )
    news = documents(data / "wsj_sample")
    for fold in range(FOLDS):
        learned = [tree for i, one in enumerate(news) if i % FOLDS != fold for tree in one]
        inside = [tree for one in news[fold::FOLDS] for tree in one]
        yield split(f"wsj-{fold}", learned, {"wsj": inside[::2]})


def split(name, learned, tests):
    """An experiment: every tenth tree is for choices."""
    learned = without_mixed_labels([one for one in learned if len(one.words) <= LONGEST])
    short = {name: [one for one in own if len(one.words) <= LONGEST] for name, own in tests.items()}
    rest = [tree for number, tree in enumerate(learned) if number % 10]
    return Experiment(name, rest, learned[::10], short)


def escaped_word(word):
    """The word with its brackets as BLLIP reads them, wherever they stand in it."""
    return "".join(ESCAPES.get(one, one) for one in word)


def escaped(tree):
    """The line of a tree as BLLIP reads it."""
    return "(S1" + str(_words_mapped(tree, ESCAPES))[len("(TOP") :]


def _words_mapped(tree, names):
    flat = tree.flat()
    marks = [
        (end == node + 1, label)
        for node, (label, end) in enumerate(zip(flat.labels, flat.ends, strict=True))
    ]
    labels = tuple(names.get(label, label) if word else label for word, label in marks)
    words = tuple(escaped_word(word) for word in flat.words)
    return Tree._view(flat._replace(labels=labels, words=words))


def train_bllip(source, one, work):
    """BLLIP's model folder, trained by its own script."""
    made = work / f"{one.name}-bllip"
    if (made / "done").is_file():
        return made
    shutil.rmtree(made, ignore_errors=True)
    shutil.copytree(source / "first-stage/DATA/EN", made)
    add_terms(made / "terms.txt", one.train + one.dev)
    files = [work / f"{one.name}-{part}.s1" for part in ("train", "tune")]
    for file, trees in zip(files, (one.train, one.dev), strict=True):
        file.write_text("".join(f"{escaped(tree)}\n" for tree in trees))
    script = source / "first-stage/TRAIN/trainParser"
    command = [script, "-parser", made, *files]
    subprocess.run(command, cwd=work, check=True, capture_output=True)
    (made / "done").touch()
    return made


def add_terms(path, trees):
    """Add the labels of trees to BLLIP's list, before the part of words or phrases ends."""
    lines = path.read_text().splitlines()
    known = {line.split()[0] for line in lines}
    words, phrases = dict.fromkeys(""), dict.fromkeys("")
    for tree in trees:
        flat = _words_mapped(tree, ESCAPES).flat()
        for node, (label, end) in enumerate(zip(flat.labels, flat.ends, strict=True)):
            (words if end == node + 1 else phrases)[label] = None
    kinds = {"-LSB-": 7, "-RSB-": 8, "-LCB-": 7, "-RCB-": 8} | dict.fromkeys(NOUNS, 1)
    stop = next(i for i, line in enumerate(lines) if line.startswith("STOP"))
    new = [f"{word}\t{kinds.get(word, 2)}" for word in words if word not in known]
    last = next(i for i, line in enumerate(lines) if line.startswith("-NONE-"))
    top = [f"{one}\t0" for one in phrases if one not in known and one != "TOP"]
    path.write_text("\n".join([*lines[:stop], *new, *lines[stop:last], *top, *lines[last:]]) + "\n")


def run_bllip(source, model, trees, work):
    """The trees that BLLIP gives sentences; where it gives none, a flat one."""
    lines = (" ".join(escaped_word(word) for word in tree.words) for tree in trees)
    text = work / "text"
    text.write_text("".join(f"<s> {line} </s>\n" for line in lines))
    parser, usage = source / "first-stage/PARSE/parseIt", work / "usage"
    command = ["/usr/bin/time", "-f", "%U %S %M", "-o", usage]
    done = subprocess.run(
        [*command, parser, "-K", "-l400", f"{model}/", text],
        capture_output=True, text=True, check=True, encoding="utf-8",
    )  # fmt: skip
    user, system, peak = map(float, usage.read_text().split()[-3:])
    found = iter([line for line in done.stdout.splitlines() if line.startswith("(S1")])
    made, one = [], next(found, None)
    for tree in trees:
        parse = one and Tree.parse("(TOP" + one[len("(S1") :])
        if parse and list(parse.words) == [escaped_word(word) for word in tree.words]:
            made.append(Tree._view(parse.flat()._replace(words=tree.words)))
            one = next(found, None)
        else:
            made.append(Tree.parse("(TOP" + "".join(f" (XX {word})" for word in tree.words) + ")"))
    if one is not None:
        raise RuntimeError(f"a parse of BLLIP is of none of the sentences: {one[:200]}")
    return Parsed(made, user + system, peak / 1024)


def train_ours(one, options):
    """The file of our model."""
    made = options.work / f"{one.name}.runoff"
    if not made.is_file():
        with training_engine(str(options.jobs)) as engine:
            work = options.work / f"{one.name}.work"
            model = train(
                one.train,
                one.dev,
                plan=Plan(folds=FOLDS, tagger_options=TAGGER),
                work=work,
                engine=engine,
            )
        model.save(made)
    return made


def run_ours(model, trees, work, *, base):
    """The trees that our parser gives sentences, in a process of its own."""
    write_trees(trees, work / "gold.mrg")
    task = {"model": str(model), "gold": str(work / "gold.mrg"), "base": base}
    done = child(__file__, task)
    return Parsed([Tree.parse(one) for one in done["trees"]], done["cpu"], done["peak"])


def parse(task):
    """Parse the sentences of a file of trees, and say what it took."""
    model = load(task["model"])
    model = model.base() if task["base"] else model
    found = [str(model.parse(list(tree.words))) for tree in read_treebank(task["gold"])]
    return {"trees": found, "cpu": cpu_seconds(), "peak": memory("VmHWM")}


def main():
    if sys.argv[1:] == ["--child"]:
        print(json.dumps(parse(json.load(sys.stdin))))
        return
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("bllip", type=Path, help="folder of BLLIP, built")
    parser.add_argument("--data", type=Path, default=None)
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "bllip")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", action="append", metavar="NAME", help="general, wsj-0, ...")
    options = parser.parse_args()
    options.bllip, options.work = options.bllip.resolve(), options.work.resolve()
    options.work.mkdir(parents=True, exist_ok=True)
    sums = {}
    for one in experiments(options.data or data_folder()):
        seen = options.work / f"{one.name}.json"
        if not seen.is_file() and one.name in (options.only or [one.name]):
            seen.write_text(json.dumps(measured(one, options)))
        if seen.is_file():
            add(sums, json.loads(seen.read_text()))
            write(sums)


SYSTEMS = ("BLLIP", "base", "reranked")


def measured(one, options):
    """What each system makes of the tests of an experiment: statistics, seconds, memory."""
    peer, ours = train_bllip(options.bllip, one, options.work), train_ours(one, options)
    made = {}
    for name, trees in one.tests.items():
        found = {
            "BLLIP": run_bllip(options.bllip, peer, trees, options.work),
            "base": run_ours(ours, trees, options.work, base=True),
            "reranked": run_ours(ours, trees, options.work, base=False),
        }
        made[name] = {}
        for system, parsed in found.items():
            pairs = zip(parsed.trees, trees, strict=True)
            rows = [Parseval().statistics([str(tree)], str(gold))[0] for tree, gold in pairs]
            made[name][system] = [np.array(rows).tolist(), parsed.seconds, parsed.peak]
        shown = {system: f"{f1(own[0]):.2f}" for system, own in made[name].items()}
        print(one.name, name, shown, flush=True)
    return made


def add(sums, made):
    """Add the rows and seconds of an experiment to those of the sets that it shares with others."""
    for name, systems in made.items():
        for system, (rows, spent, peak) in systems.items():
            have = sums.setdefault(name, {}).setdefault(system, [[], 0.0, 0.0])
            sums[name][system] = [have[0] + rows, have[1] + spent, max(have[2], peak)]


def f1(rows):
    return float(Parseval().figures(np.sum(rows, axis=0))["F1"])


def write(sums):
    """The page so far."""
    head = ["sentences of", "number", *(f"{system} F1" for system in SYSTEMS)]
    head += ["base - BLLIP", "reranked - BLLIP", *(f"{system} a CPU s" for system in SYSTEMS)]
    head += [f"{system} MB" for system in SYSTEMS]
    body = []
    for name, have in sums.items():
        peer, size = np.array(have["BLLIP"][0]), len(have["BLLIP"][0])
        row = [name, size, *(f"{f1(have[system][0]):.2f}" for system in SYSTEMS)]
        for system in SYSTEMS[1:]:
            found = paired_bootstrap(peer, np.array(have[system][0]), Parseval())
            low, high = found.intervals[2]
            row.append(f"{found.difference:+.2f} ({low:+.2f} to {high:+.2f})")
        row += [f"{size / have[system][1]:.1f}" for system in SYSTEMS]
        body.append(row + [f"{have[system][2]:.0f}" for system in SYSTEMS])
    gains = [
        f1(have["reranked"][0]) - f1(have["BLLIP"][0]) for n, have in sums.items() if n != SILVER
    ]
    RESULTS.write_text(
        f"# Beside BLLIP's first stage, equal trees\n\n`python benchmarks/bllip.py`: {machine()}. "
        "What each learned from, see the script. Mean of reranked - BLLIP over the sets made by "
        f"hand: {np.mean(gains):+.2f}.\n\n" + "\n".join(table(head, body)) + "\n"
    )


if __name__ == "__main__":
    main()
