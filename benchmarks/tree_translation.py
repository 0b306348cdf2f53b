"""Time of translation by trees against the size of the tree, and of extraction against the text.

    python benchmarks/tree_translation.py MODEL --trees FILE --target FILE [--data DIR]

MODEL is a translator by trees, of the recipe `huang-2006` or one of yours. Trees of all lengths are
those of GUM (DIR has `gum_trees`), two or three of them joined where there are too few. Rules are
extracted from parses and the lines of their translations, tokenised, with links of our aligner.
"""

import argparse
from pathlib import Path

import numpy as np
from measuring import machine, memory, seconds, table

import runoff as ro
from runoff.data.bitext import SentencePair
from runoff.data.files import read_text_lines
from runoff.data.numbering import Numbering
from runoff.data.tree import read_trees
from runoff.proposers.translation.alignment import Aligner, Side
from runoff.proposers.translation.trees.decoder import TreeSearch
from runoff.proposers.translation.trees.extraction import extract
from runoff.proposers.translation.trees.source import Parse, new_symbols, source_trees
from runoff.recipes.corpora import data_folder

RESULTS = Path(__file__).parent / "results" / "tree_translation.md"
LENGTHS = (5, 10, 20, 40, 80, 120, 200)
PER_LENGTH = 20
SEARCHES = {
    "direct": (TreeSearch(search="direct"), 1),
    "cube, 100 pops": (TreeSearch(), 1),
    "5,000 strings": (TreeSearch(search="direct"), 5000),
}


def trees_by_length(path):
    """For each length some trees of about as many words."""
    trees = [tree for tree in read_trees(path) if tree.words]
    trees += [f"(S {one} {other})" for one, other in zip(trees[::2], trees[1::2], strict=False)]
    trees += [
        f"(S {a} {b} {c})" for a, b, c in zip(trees[::3], trees[1::3], trees[2::3], strict=False)
    ]
    sized = [(len(tree.words), str(tree)) for tree in map(_tree, trees)]
    return {
        length: [text for words, text in sized if 0.9 * length <= words <= 1.1 * length][
            :PER_LENGTH
        ]
        for length in LENGTHS
    }


def _tree(given):
    return ro.Tree.parse(given) if isinstance(given, str) else given


def measured(model, texts):
    """Words, nodes, rules per node, and milliseconds a sentence by search."""
    parses = [[Parse(text)] for text in texts]
    decoder = model.decoder
    trees = decoder.trees(parses)
    nodes = len(trees.symbols) - sum(map(len, trees.words))
    row = [len(texts), sum(map(len, trees.words)) / len(texts), nodes / len(texts)]
    for name, (search, n) in SEARCHES.items():
        weights = model.feature_set.raw_weights(model.weights)
        some = parses if n == 1 else parses[:5]
        native = decoder.trees(some)
        made, time = seconds(lambda: decoder._native(native, weights, search, n, True, 1))  # noqa: B023
        if name == "direct":
            row.append(sum(edges for _, edges in made.effort) / nodes)
        row.append(1000 * time / len(some))
    return [round(one, 1) if isinstance(one, float) else one for one in row]


def extraction(trees, lines):
    """Pairs, seconds, pairs a second, rules and peak megabytes, for parts of a text."""
    rows = []
    for share in (8, 4, 2, 1):
        size = len(lines) // share
        symbols, words = Numbering([""]), Numbering([""])
        source = source_trees(trees[:size], new_symbols(symbols), cased=False)
        target = lines[:size]
        links = Aligner().align(list(map(SentencePair, source.words, target)))
        offsets = np.cumsum([0, *map(len, target)], dtype=np.int64)
        side = Side(np.concatenate([words.numbers(own) for own in target]), offsets, len(words))
        made, time = seconds(
            lambda: extract(source, side, links, numberings=(symbols, words))  # noqa: B023
        )
        rows.append([size, round(time, 2), round(size / time), len(made.table),
                     round(memory("VmHWM"))])  # fmt: skip
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("model")
    parser.add_argument("--trees", type=Path, required=True)
    parser.add_argument("--target", type=Path, required=True)
    parser.add_argument("--data", type=Path, default=None)
    options = parser.parse_args()
    model = ro.load(options.model)
    data = options.data or data_folder()
    trees = [str(tree) for tree in read_trees(options.trees)]
    extracted = extraction(trees, [line.split() for _, line in read_text_lines(options.target)])
    rows = [
        measured(model, texts)
        for texts in trees_by_length(data / "gum_trees" / "train.clean.mrg.gz").values()
        if texts
    ]
    words, direct = (np.array([row[k] for row in rows]) for k in (1, 4))
    slope = np.polyfit(np.log(words), np.log(direct), 1)[0]
    head = ["trees", "words", "labelled nodes", "rules per node", *(f"ms, {s}" for s in SEARCHES)]
    lines = [
        "# Translation by trees",
        "",
        f"{machine()}. A model of {len(model.decoder.table):,} rules. Milliseconds of CPU time "
        "for a tree, one thread.",
        "",
        *table(head, rows),
        "",
        f"Time of the direct model grows with the power {slope:.2f} of the number of words. "
        f"Peak memory {memory('VmHWM'):,.0f} MB.",
        "",
        "## Extraction",
        "",
        "Rules of up to four minimal rules, one thread, without parsing and links, which the "
        "memory includes.",
        "",
        *table(["pairs", "CPU s", "pairs a second", "rules", "peak MB"], extracted),
    ]
    RESULTS.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
