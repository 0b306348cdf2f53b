"""Tree kernels: evaluations per second, one graph against one by one, and how learning grows.

    python benchmarks/kernels.py LISTS [--trees 10000] [--lists 1125,2250,4500,9000,18000]

LISTS is a file of n-best lists whose outputs are trees, with gold, such as those that `runoff train
parsing --work` leaves. The rivals are written plainly, one in Python and two in C++ that this
script builds (`kernels_one_by_one.cpp`): a double loop over all pairs of nodes, and one over pairs
with the same production. Times are CPU seconds of one thread on a shared machine: compare rows of
one run only. The results must be equal.
"""

import argparse
import ctypes
import random
import subprocess
import tempfile
from itertools import islice
from pathlib import Path

import numpy as np
from measuring import machine, memory, seconds, table

import runoff as ro
from runoff.data.formats import read_nbest
from runoff.features.extract import find_extractors
from runoff.learners.kernels.kernel import Kernel
from runoff.learners.kernels.tree_kernel import TreeKernel
from runoff.metrics import metric as find_metric
from runoff.problem.build.build import build_problem

HERE = Path(__file__).parent
RESULTS = HERE / "results" / "kernels.md"
LAM = 0.5
GROWTH = (
    *("lists", "candidates", "mistakes", "nodes", "fit, s", "ms a list", "its memory, MB"),
    *("averaged, ms a list", "voted, ms a list"),
)
ASKED = 200  # lists that what was learned is asked about


class Node(ctypes.Structure):
    """As the rivals in C++ have it."""

    _fields_ = [(name, ctypes.c_uint32) for name in ("production", "first", "count")]


class Rival(ctypes.Structure):
    """A tree, as the rivals in C++ have it."""

    _fields_ = [
        ("nodes", ctypes.POINTER(Node)),
        ("children", ctypes.POINTER(ctypes.c_uint32)),
        ("order", ctypes.POINTER(ctypes.c_uint32)),
        ("size", ctypes.c_uint32),
        ("inner", ctypes.c_uint32),
    ]


def nested(tree):
    """A tree as its label and its children; a word has none."""
    return (tree, []) if isinstance(tree, str) else (tree.label, [*map(nested, tree.children)])


def nodes_of(tree):
    """All nodes, the root first."""
    yield tree
    for child in tree[1]:
        yield from nodes_of(child)


def production(node):
    return (node[0], *((label, not below) for label, below in node[1]))


def plain(a, b):
    """The kernel as one would write it in Python: both loops, C remembered."""
    known = {}

    def c(x, y):
        if not x[1] or production(x) != production(y):
            return 0.0
        if (id(x), id(y)) not in known:
            value = LAM
            for one, other in zip(x[1], y[1], strict=True):
                value *= 1.0 + c(one, other)
            known[id(x), id(y)] = value
        return known[id(x), id(y)]

    return sum(c(x, y) for x in a for y in b)


def packed(texts, productions):
    """Trees as the rivals in C++ take them, and what keeps their memory."""
    trees, kept = (Rival * len(texts))(), []
    for place, text in enumerate(texts):
        found = list(nodes_of(nested(ro.Tree.parse(text))))
        numbers = {id(node): number for number, node in enumerate(found)}
        rows, children = (Node * len(found))(), []
        for number, node in enumerate(found):
            own = productions.setdefault(production(node), len(productions) + 1) if node[1] else 0
            rows[number] = Node(own, len(children), len(node[1]))
            children += [numbers[id(child)] for child in node[1]]
        inner = [number for number in range(len(found)) if rows[number].production]
        inner.sort(key=lambda number: rows[number].production)
        arrays = [(ctypes.c_uint32 * max(1, len(one)))(*one) for one in (children, inner)]
        trees[place] = Rival(rows, *arrays, len(found), len(inner))
        kept.append((rows, arrays, found))
    return trees, kept


def rival_library():
    """The rivals in C++, built with the same optimisation as Runoff."""
    folder = tempfile.mkdtemp()
    command = ["c++", "-std=c++20", "-O3", "-shared", "-fPIC", "-o", f"{folder}/rivals.so"]
    subprocess.run([*command, HERE / "kernels_one_by_one.cpp"], check=True)
    library = ctypes.CDLL(f"{folder}/rivals.so")
    size, number = ctypes.c_size_t, ctypes.c_double
    pointer = ctypes.POINTER(Rival)
    library.matrix.argtypes = [pointer, size, pointer, size, number, ctypes.c_int]
    library.matrix.argtypes += [ctypes.POINTER(number)]
    library.matrix.restype = None
    return library


def one_by_one(library, rows, columns, is_plain):
    out = np.empty((len(rows), len(columns)))
    pointer = out.ctypes.data_as(ctypes.POINTER(ctypes.c_double))
    library.matrix(rows, len(rows), columns, len(columns), LAM, is_plain, pointer)
    return out


def kernels_per_second(library, texts):
    """Rows of a table: kernels of all pairs of some trees."""
    trees, kept = packed(texts, {})
    few = [found for _, _, found in kept[:12]]
    python, spent = seconds(lambda: [[plain(a, b) for b in few] for a in few])
    rows = [["plain Python", len(few) ** 2 / spent]]
    for name, is_plain in (("native double loop", 1), ("native, equal productions", 0)):
        found, spent = seconds(
            lambda is_plain=is_plain: one_by_one(library, trees, trees, is_plain)
        )
        rows.append([name, len(texts) ** 2 / spent])
    ours, spent = seconds(lambda: ro.kernels.trees(texts, lam=LAM))
    rows.append(["`ro.kernels.trees`, reading included", len(texts) ** 2 / spent])
    np.testing.assert_allclose(ours, found, rtol=1e-9)
    np.testing.assert_allclose(np.array(python), found[: len(few), : len(few)], rtol=1e-9)
    return [[name, f"{rate:,.0f}", f"{rate / rows[0][1]:,.0f}"] for name, rate in rows]


def graph_against_one_by_one(library, lists, n_trees, n_lists):
    """Rows of a table: scores of lists under a sum of so many trees, every other one taken away."""
    questions, others = lists[:n_lists], lists[n_lists:]
    pairs = [(nbest.candidates[0].output, nbest.candidates[-1].output) for nbest in others]
    texts = [text for pair in pairs for text in pair][:n_trees]
    asked = [c.output for nbest in questions for c in nbest.candidates]
    productions = {}
    support, _kept = packed(texts, productions)
    rows, _kept_too = packed(asked, productions)
    signs = np.where(np.arange(len(texts)) % 2 == 0, 1.0, -1.0)
    slow, slow_seconds = seconds(lambda: one_by_one(library, rows, support, 0) @ signs)
    extractors, kernel = find_extractors(["tree"]), Kernel("tree", LAM)
    both = [ro.NBest(0, None, [ro.Candidate(text, 0.0) for text in texts]), *questions]
    problem, space = build_problem(both, extractors, min_lists=1)
    trees, n = problem.known_trees(), len(texts)
    better, worse = (np.arange(first, n, 2, dtype=np.uint32) for first in (0, 1))
    model, making = seconds(lambda: kernel.model(trees, len(space), better, worse, np.ones(n // 2)))
    mine = trees.take(np.arange(n, trees.n_trees))
    offsets = problem.list_offsets[1:] - n
    given = kernel.lists(offsets, mine, len(space), np.zeros(mine.n_trees))
    fast = np.empty(mine.n_trees)
    _, fast_seconds = seconds(lambda: model.scores(given, fast))
    np.testing.assert_allclose(fast, slow, rtol=1e-9, atol=1e-9 * np.abs(slow).max())
    per_list = 1000 / n_lists
    return [
        ["one by one, equal productions", f"{slow_seconds * per_list:,.1f}", "1"],
        [
            f"one graph ({model.nodes:,} nodes, made in {making:.1f} s)",
            f"{fast_seconds * per_list:,.2f}",
            f"{slow_seconds / fast_seconds:,.0f}",
        ],
    ]


def fresh_peak():
    """Megabytes in use; the peak that `memory` tells begins anew from here."""
    ctypes.CDLL(None).malloc_trim(0)
    Path("/proc/self/clear_refs").write_text("5")
    return memory("VmRSS")


def growth(file, sizes):
    """Rows of a table: learning from the first lists, as one perceptron."""
    problem, _ = build_problem(
        islice(read_nbest(file), max(sizes)),
        find_extractors(["tree"]),
        metric=find_metric("parseval"),
        min_lists=1,
    )
    asked = problem.keep(problem.owners < ASKED)
    rows = []
    for size in sizes:
        part = problem.keep(problem.owners < size)
        before = fresh_peak()
        ranker = TreeKernel(chunks=1, lam=LAM)
        _, spent = seconds(lambda ranker=ranker, part=part: ranker.fit(part))
        peak = memory("VmHWM") - before
        own = []
        for ranker.form in ("averaged", "voted"):
            ranker.restore(ranker.arrays(), problem.n_features)  # another form, another graph
            ranker.scores(asked.keep(asked.owners < 1))  # which is made by the first list
            _, scoring = seconds(lambda ranker=ranker: ranker.scores(asked))
            own.append(f"{1000 * scoring / ASKED:.2f}")
        figures = ranker.record_["epochs"][-1]
        counts = (size, part.n_candidates, figures["wrong"], figures["subtrees"])
        times = (f"{spent:.2f}", f"{1000 * spent / size:.2f}")
        rows.append([*(f"{count:,.0f}" for count in counts), *times, f"{peak:,.0f}", *own])
    return rows


def main():
    """Measure, print and write the tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--trees", type=int, default=10_000)
    parser.add_argument("--asked", type=int, default=10, help="lists that are scored one by one")
    parser.add_argument("--lists", default="1125,2250,4500,9000,18000")
    arguments = parser.parse_args()
    sizes = [int(size) for size in arguments.lists.split(",")]
    wanted = arguments.trees // 2 + arguments.asked
    lists = list(islice((one for one in read_nbest(arguments.file) if len(one) > 1), wanted))
    random.Random(0).shuffle(lists)  # articles begin with short lines
    library = rival_library()
    lines = [
        "# Tree kernels",
        "",
        f"`python benchmarks/kernels.py LISTS --trees {arguments.trees}`: {machine()}. What is "
        "compared is said in `kernels.py`.",
        "",
        "## Kernels of all pairs of 150 trees",
        "",
        *table(
            ("", "a second", "times plain Python"),
            kernels_per_second(library, [one.candidates[0].output for one in lists[:150]]),
        ),
        "",
        f"## Scoring a list under a sum of {arguments.trees:,} trees",
        "",
        *table(
            ("", "ms a list", "times faster"),
            graph_against_one_by_one(library, lists, arguments.trees, arguments.asked),
        ),
        "",
        "## Learning, one pass of one perceptron, and use",
        "",
        *table(
            GROWTH,
            growth(arguments.file, sizes),
        ),
    ]
    print(*lines, sep="\n")
    RESULTS.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
