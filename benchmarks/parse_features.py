"""Features of parse trees: time a list, features a candidate, memory; against the Python twin.

    python benchmarks/parse_features.py [--lists 500] [--candidates 50] [--train 0]

Lists are made of CRAFT trees (RUNOFF_DATA, or ../shared/data). For each, eight changes are drawn
that parsers disagree about: a phrase attached elsewhere, a label changed, a phrase dissolved or
inserted, a tag changed; a candidate is the gold tree with some of them. Times are CPU milliseconds
of one process on a shared machine: compare rows of one run only. With --train N, N lists of the
training trees are built into a problem as `fit` does it, in a process of its own, for its time and
peak memory.
"""

import argparse
import random
import subprocess
import sys
from itertools import islice
from pathlib import Path

import numpy as np
from measuring import machine, memory, seconds, table

from runoff.data.nbest import Candidate, NBest
from runoff.data.tree import Tree, read_trees
from runoff.features.extract import EXTRACTORS, find_extractors
from runoff.problem.build.build import build_problem
from runoff.problem.space import FeatureSpace
from runoff.recipes.corpora import data_folder

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results" / "parse_features.md"
DATA = data_folder(project=ROOT)
SETS = ("parse", "parse-rich")
PHRASES = "NP VP PP S SBAR ADJP ADVP NML".split()
TAGS = {"NN": "JJ", "JJ": "NN", "VBN": "VBD", "VBD": "VBN", "IN": "RB", "NNS": "NN"}


class Node:
    """A tree that can be changed."""

    def __init__(self, label, children):
        self.label, self.children = label, children

    @classmethod
    def of(cls, tree):
        """The same tree as one that can be changed."""
        return cls(tree.label, [c if isinstance(c, str) else cls.of(c) for c in tree.children])

    def copy(self):
        """The same tree again."""
        if isinstance(self.children[0], str):
            return Node(self.label, self.children)
        return Node(self.label, [child.copy() for child in self.children])

    def __str__(self):
        if isinstance(self.children[0], str):
            return f"({self.label} {self.children[0].replace('(', '-LRB-').replace(')', '-RRB-')})"
        return f"({self.label} {' '.join(map(str, self.children))})"

    def phrases(self):
        """Every node that has phrases or tags below it, with its parent."""
        for child in self.children:
            if isinstance(child, Node) and isinstance(child.children[0], Node):
                yield self, child
                yield from child.phrases()


def change(root, rng):
    """Change the tree in one place, if it has one."""
    pairs = list(root.phrases())
    if not pairs:
        return
    parent, node = rng.choice(pairs)
    place = parent.children.index(node)
    kind = rng.choice(["attach", "attach", "label", "dissolve", "insert", "tag"])
    if kind == "attach" and place > 0 and isinstance(parent.children[place - 1].children[0], Node):
        parent.children[place - 1].children.append(parent.children.pop(place))
    elif kind == "attach" and node.children[-1:] and len(node.children) > 1:
        parent.children.insert(place + 1, node.children.pop())
    elif kind == "label":
        node.label = rng.choice(PHRASES)
    elif kind == "dissolve" and parent is not root:
        parent.children[place : place + 1] = node.children
    elif kind == "insert" and len(node.children) > 2:
        start = rng.randrange(len(node.children) - 1)
        node.children[start : start + 2] = [
            Node(rng.choice(PHRASES), node.children[start : start + 2])
        ]
    else:
        tag = rng.choice(node.children)
        tag.label = TAGS.get(tag.label, tag.label)


def make_lists(split, lists, candidates, seed=1):
    rng = random.Random(seed)
    for number, gold in enumerate(islice(read_trees(DATA / "craft" / split), lists)):
        original = Node.of(gold)
        found = {str(gold): -10.0 + rng.gauss(0, 2)}
        seeds = [rng.random() for _ in range(8)]
        for _ in range(4 * candidates):
            if len(found) == candidates:
                break
            node = original.copy()
            chosen = [seed for seed in seeds if rng.random() < 0.4]
            for seed in chosen:
                change(node, random.Random(seed))
            found.setdefault(str(node), -10.0 - 2 * len(chosen) + rng.gauss(0, 2))
        ranked = sorted(found, key=found.get, reverse=True)
        yield NBest(number, None, [Candidate(text, found[text]) for text in ranked], gold=str(gold))


def measure(name, lists):
    """Milliseconds a list of encoding, of use with a known space; features of a candidate."""
    (one,) = find_extractors([name])
    encoded, alone = seconds(lambda: [one.encode([nbest], (1,)) for nbest in lists])
    kept = np.mean([len(part.ids) / len(part.feature_counts) for part in encoded])
    full = np.mean([len(own) for nbest in lists[:20] for own in one.function(nbest)])
    (_, space), train = seconds(
        lambda: build_problem(lists, [one], min_lists=5, thresholds=(1, 2, 4))
    )
    space = FeatureSpace(space.names, thresholds=space.thresholds)
    build_problem(lists[:1], [one], space=space)  # makes its table
    _, use = seconds(lambda: [build_problem([nbest], [one], space=space) for nbest in lists])
    n = len(lists)
    return [f"{full:.0f}", f"{kept:.0f}", len(space)] + [
        f"{1000 * t / n:.2f}" for t in (alone, use, train)
    ]


def twin_times(lists):
    """Milliseconds a list of the Python twin."""
    sys.path.insert(0, str(ROOT / "tests"))
    from twins.parse_features import features

    result = {}
    for name in SETS:
        rich, outputs = name != "parse", [c.output for nbest in lists for c in nbest.candidates]
        _, total = seconds(lambda rich=rich, outputs=outputs: [features(o, rich) for o in outputs])
        result[name] = 1000 * total / len(lists)
    return result


def train_memory(name, lists, candidates):
    """Seconds and peak megabytes of building a training problem, in this process."""
    (one,) = find_extractors([name])
    stream = make_lists("train.clean.mrg.gz", lists, candidates)
    (problem, space), cpu = seconds(
        lambda: build_problem(stream, [one], min_lists=5, thresholds=(1, 2, 4))
    )
    figures = f"{cpu:.0f}", f"{memory('VmHWM'):.0f}"
    print(name, lists, len(space), len(problem.feature_ids), *figures)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lists", type=int, default=500)
    parser.add_argument("--candidates", type=int, default=50)
    parser.add_argument("--train", type=int, default=0)
    parser.add_argument("--only", choices=list(EXTRACTORS), help="used by itself")
    options = parser.parse_args()
    if options.only:
        train_memory(options.only, options.train, options.candidates)
        return
    lists = list(make_lists("dev.clean.mrg.gz", options.lists, options.candidates))
    words = np.mean([len(Tree.parse(nbest.gold).words) for nbest in lists])
    few = lists[:10]
    twins = twin_times(few)
    head = ["set", "features a candidate", "that tell", "in 5 lists", "ms extract", "ms use"]
    head += ["ms train", "ms twin", "twin / extract"]
    rows = []
    for name in SETS:
        row = measure(name, lists)
        native = float(measure(name, few)[3])
        rows.append([name, *row, f"{twins[name]:.0f}", f"{twins[name] / native:.0f}"])
    lines = [
        "# Features of parse trees",
        f"\n`python benchmarks/parse_features.py`: {len(lists)} lists of "
        f"{np.mean([len(x) for x in lists]):.0f} candidates, {words:.1f} words a sentence, "
        f"{machine()}, one core. *Extract* is the native part, *use* all that a reranker does "
        "before it scores, *train* both passes of building a problem. The twin and its ratio are "
        "those of the first ten lists.\n",
        *table(head, rows),
    ]
    if options.train:
        lines += [
            "",
            "Building a training problem, lists made on the way (CPU seconds of all):",
            "",
        ]
        lines += ["| set | lists | features | entries | CPU s | peak MB |", "|" + "---|" * 6]
        for name in SETS:
            command = [sys.executable, __file__, "--only", name, "--train", str(options.train)]
            out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            lines.append("| " + " | ".join(out.split()) + " |")
    RESULTS.write_text("\n".join(lines) + "\n")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
