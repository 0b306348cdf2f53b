"""IGTree is that of TiMBL, `timbl -a IGTREE -w ig`, where that program is installed."""

import random
import re
import shutil
import subprocess

import pytest

from runoff.learners.igtree.tree import IGTree, Windows

# TiMBL 6.5 on the table of tests/unit/learners/test_igtree.py: 3 nodes, the root not counted
TABLE = "a b c X\na b d Y\na e c X\na b c Y\nb b c Z\nb b d Z\nc b d Y\n"
PREDICTED = "Y Y X Y Z Z Y".split()
NODES = 3


def numbered(rows):
    symbols = {}
    return [[symbols.setdefault(value, len(symbols) + 1) for value in row] for row in rows], symbols


def test_what_timbl_said():
    rows, symbols = numbered(line.split() for line in TABLE.splitlines())
    table, classes = [row[:-1] for row in rows], [row[-1] for row in rows]
    tree = IGTree().fit(Windows.of_table(table, classes))
    assert len(tree) - 1 == NODES
    wanted = [symbols[word] for word in PREDICTED]
    assert tree.predict(Windows.of_table(table)).tolist() == wanted


def timbl(folder, train, test):
    """Nodes and predictions of TiMBL."""
    for name, rows in (("train", train), ("test", test)):
        (folder / name).write_text("".join(" ".join(map(str, row)) + "\n" for row in rows))
    command = ["timbl", "-a", "IGTREE", "-w", "ig", "-f", "train", "-t", "test", "-o", "out"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    nodes = re.search(r"InstanceBase = (\d+) Nodes", done.stdout + done.stderr)[1]
    return int(nodes), [int(line.split()[-1]) for line in (folder / "out").open()]


@pytest.mark.skipif(shutil.which("timbl") is None, reason="timbl is not installed")
@pytest.mark.parametrize("seed", range(8))
def test_what_timbl_says(tmp_path, seed):
    choose = random.Random(seed)
    features, symbols = choose.randint(1, 6), choose.randint(2, 5)
    train = [[choose.randint(1, symbols) for _ in range(features + 1)] for _ in range(60)]
    test = [[choose.randint(1, symbols + 1) for _ in range(features + 1)] for _ in range(60)]
    tables = [[row[:-1] for row in rows] for rows in (train, test)]
    tree = IGTree().fit(Windows.of_table(tables[0], [row[-1] for row in train]))
    nodes, predicted = timbl(tmp_path, train, test)
    assert len(tree) - 1 == nodes
    assert tree.predict(Windows.of_table(tables[1])).tolist() == predicted
