import json
import subprocess
import sys

import pytest

from runoff.data.tree import Tree, write_trees
from runoff.errors import FormatError, UsageError
from runoff.metrics.parseval import Parseval
from runoff.tasks.parsing.evaluate import LENGTHS, evaluate_trees

SHORT = Tree.parse("(TOP (S (NP (PRP we)) (VP (VBD voted) (NP (NN today)))))")
FLAT = Tree.parse("(TOP (S (NP (PRP we)) (VP (VBD voted) (NN today))))")


def long_tree(words, label="NP"):
    return Tree("TOP", [Tree(label, [Tree("NN", [f"w{n}"]) for n in range(words)])])


GOLD = [SHORT, long_tree(5), long_tree(6), long_tree(40), long_tree(41), long_tree(101)]
PARSES = [FLAT, long_tree(5), long_tree(6, "VP"), long_tree(40), long_tree(41, "VP"), *GOLD[-1:]]


def test_figures_of_each_class_are_those_of_its_metric():
    result = evaluate_trees(PARSES, GOLD)
    assert list(result.figures) == list(LENGTHS)
    sizes = [result.figures[name]["sentences"] for name in LENGTHS]
    assert sizes == [6, 4, 5, 4]
    limits = [{}, {"max_length": 40}, {"max_length": 100}, {"min_length": 6}]
    for name, limit in zip(LENGTHS, limits, strict=True):
        metric = Parseval(**limit)
        rows = [metric.statistics([p], g)[0] for p, g in zip(PARSES, GOLD, strict=True)]
        expected = {figure: float(v) for figure, v in metric.figures(sum(rows)).items()}
        assert result.figures[name] == expected
    assert result.trees == 6
    assert result.signature == "parseval|prm:collins|trees:6|v:0.1.0"


def test_other_classes():
    figures = evaluate_trees(PARSES, GOLD, "parseval-plain", lengths=[">5,<=40", "<=3"]).figures
    assert {name: row["sentences"] for name, row in figures.items()} == {">5,<=40": 2, "<=3": 1}
    for wrong in ("", "40", "<=", ">5<=40", "<=40,>5", "some"):
        with pytest.raises(UsageError, match="not a class of lengths"):
            evaluate_trees(PARSES, GOLD, lengths=[wrong])
    with pytest.raises(UsageError, match="unknown metric of trees 'wer'"):
        evaluate_trees(PARSES, GOLD, "wer")


def test_files_that_do_not_fit(tmp_path):
    parsed, gold = tmp_path / "parsed.mrg", tmp_path / "gold.mrg"
    write_trees(PARSES, parsed)
    write_trees(GOLD[:4], gold)
    with pytest.raises(FormatError, match=r"gold.mrg: only 4 gold trees; the other file has more"):
        evaluate_trees(parsed, gold)
    with pytest.raises(FormatError, match=r"gold.mrg: only 4 parses; the other file has more"):
        evaluate_trees(gold, parsed)
    write_trees([SHORT, SHORT], parsed)
    with pytest.raises(FormatError, match=r"parsed.mrg: tree 2: has 3 words, gold has 5"):
        evaluate_trees(parsed, gold)


def runoff(*arguments):
    command = [sys.executable, "-m", "runoff.cli", "evaluate", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_on_the_command_line(tmp_path):
    parsed, gold = tmp_path / "parsed.mrg", tmp_path / "gold.mrg"
    write_trees(PARSES, parsed)
    write_trees(GOLD, gold)
    done = runoff(parsed, "--gold", gold, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["figures"] == evaluate_trees(PARSES, GOLD).figures
    done = runoff(parsed, "--gold", gold, "--metric", "parseval-plain")
    assert "parseval|prm:plain|trees:6" in done.stdout
    assert "│ <=100 │" in done.stdout
    done = runoff(parsed, "--gold", gold, "--against", parsed)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--against compares n-best lists" in done.stderr


def test_no_trees_have_no_figures(tmp_path):
    none = tmp_path / "none.mrg"
    none.write_text("\n")
    with pytest.raises(FormatError, match="none.mrg: there are no trees to evaluate"):
        evaluate_trees(none, none)
    with pytest.raises(FormatError, match="there are no trees to evaluate"):
        evaluate_trees([], [])
