"""How well sentences are parsed: the base parser, the reranker and the oracle, by lengths."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runoff.data.files import FilePath
from runoff.data.nbest import NBest
from runoff.data.sentence import Sentence
from runoff.data.tree import Tree
from runoff.data.treebank.clean import read_treebank
from runoff.metrics.base import Floats, Integers
from runoff.metrics.brackets import RULES, Gold, Labels
from runoff.metrics.measure import measure
from runoff.metrics.oracle import one_best, oracle
from runoff.metrics.parseval import Parseval
from runoff.metrics.significance import randomisation
from runoff.pipeline.folds import with_gold
from runoff.report.tables import Cell, Table
from runoff.tasks.parsing.evaluate import length_class
from runoff.tasks.ranking.rerank import rerank
from runoff.tasks.ranking.reranker import Reranker

LENGTHS = ("<=40", "<=100", ">5", "all")
FIGURES = ("LR", "LP", "F1", "exact", "CB", "0CB", "2CB", "tags", "sentences")


def report(
    lists: Iterable[NBest], ranker: Reranker | None, parts: Sequence[str] = ()
) -> dict[str, Any]:
    """Figures of lists with gold: of base, reranked and oracle, by lengths of sentences.

    With a ranker there are also, over all sentences, the share of the base's errors that it mends,
    in per cent, and the significance of that by approximate randomisation.

    Parameters
    ----------
    parts : the name of the part that each list belongs to; with several, each has its figures.
    """
    metric, lengths = Parseval(), list[int]()
    picked = lists if ranker is None else rerank(ranker, lists)
    measured = measure(_watched(picked, metric, lengths), metric)
    rows = {"base": one_best(measured), "oracle": oracle(measured)}
    if ranker is not None:
        rows = {"base": rows["base"], "reranked": measured.offsets[:-1], "oracle": rows["oracle"]}
    found: dict[str, Any] = {
        "metric": metric.signature(),
        "figures": {
            name: _figures(metric, measured.statistics[chosen], _classes(np.array(lengths)))
            for name, chosen in rows.items()
        },
    }
    if len(set(parts)) > 1:
        of = np.array(parts)
        inside = {part: of == part for part in dict.fromkeys(parts)}
        found["parts"] = {
            name: _figures(metric, measured.statistics[chosen], inside)
            for name, chosen in rows.items()
        }
    if ranker is not None:
        found |= _gain(metric, *(measured.statistics[rows[name]] for name in ("base", "reranked")))
    return found


def gold_lists(model: Any, files: Sequence[FilePath], n: int) -> Iterator[NBest]:
    """What a model makes of the sentences of a treebank, with its trees as gold."""
    trees = list(read_treebank(files))
    return with_gold(model.lists((Sentence(tree.words) for tree in trees), n), map(str, trees))


def first_choices(lists: Iterable[NBest], ranker: Reranker | None) -> Floats:
    """Statistics of what is chosen from each list with gold, a row per list."""
    metric = Parseval()
    measured = measure(lists if ranker is None else rerank(ranker, lists), metric)
    chosen = one_best(measured) if ranker is None else measured.offsets[:-1]
    return measured.statistics[chosen]


def label_counts(lists: Iterable[NBest]) -> dict[str, list[int]]:
    """Brackets of first choices by label: those that match, gold's and the parser's."""
    sums: dict[str, list[int]] = {}
    labels = Labels(RULES["collins"])
    for nbest in lists:
        gold = Gold(Tree.parse(str(nbest.gold)).flat(), labels)
        found = gold.by_label(Tree.parse(nbest.candidates[0].output).flat())
        for label, counts in found.items():
            before = sums.get(label, [0, 0, 0])
            sums[label] = [a + b for a, b in zip(before, counts, strict=True)]
    return sums


def _watched(lists: Iterable[NBest], metric: Parseval, lengths: list[int]) -> Iterator[NBest]:
    for nbest in lists:
        lengths.append(metric.length(nbest.gold))
        yield nbest


def _classes(lengths: Integers) -> dict[str, NDArray[np.bool_]]:
    """Which sentences are in each class of lengths."""
    classes = {name: length_class(name) for name in LENGTHS}
    return {
        name: np.array([one.scores(length) for length in lengths.tolist()], dtype=bool)
        for name, one in classes.items()
    }


def _figures(
    metric: Parseval, rows: Floats, groups: Mapping[str, NDArray[np.bool_]]
) -> dict[str, dict[str, float]]:
    """The figures of each group of sentences; a row of statistics is of a sentence."""
    table = {}
    for name, inside in groups.items():
        figures = metric.figures(rows[inside].sum(axis=0))
        table[name] = {figure: float(figures[figure]) for figure in FIGURES}
        table[name]["sentences"] = int(figures["sentences"])
    return table


def _gain(metric: Parseval, base: Floats, reranked: Floats) -> dict[str, float]:
    before, after = (float(metric.figures(rows.sum(axis=0))["F1"]) for rows in (base, reranked))
    return {
        "error reduction": 100 * (after - before) / max(100 - before, 1e-9),
        "p": float(randomisation(base, reranked, metric, seed=0).p_value),
    }


def summary(header: Mapping[str, Any]) -> list[Table]:
    """How well development trees are parsed, by lengths of sentences."""
    dev = header.get("dev")
    if dev is None:
        return []
    accuracy = header["tagger"]["dev"]["accuracy"]
    gains: list[dict[str, Cell]] = [{"what": "tagging accuracy", "value": f"{100 * accuracy:.2f}%"}]
    if "p" in dev:
        reduction = f"{dev['error reduction']:.2f}%"
        gains.append({"what": "relative error reduction by the ranker", "value": reduction})
        gains.append({"what": "significance", "value": f"p = {dev['p']:.4f}"})
    figures = dev["figures"]
    rows: list[dict[str, Cell]] = [
        {"words": length, "": name, **figures[name][length]}
        for length in LENGTHS
        for name in figures
    ]
    title = f"development trees ({dev['metric']})"
    tables = [Table("", gains), Table(title, rows, dict.fromkeys(FIGURES, 2))]
    if "parts" in dev:
        by_part: list[dict[str, Cell]] = [
            {"part": part, "": name, **figures[part]}
            for part in next(iter(dev["parts"].values()))
            for name, figures in dev["parts"].items()
        ]
        tables.append(Table("parts of the development trees", by_part, dict.fromkeys(FIGURES, 2)))
    return [*tables, *classifier_tables(header.get("parser record") or {})]


def classifier_tables(record: Mapping[str, Any]) -> list[Table]:
    """The classifiers of labels of a parser by classification, and how searches with them go."""
    if not record:
        return []
    path = record["path"]
    best = max(path, key=lambda row: row.get("dev quality", row["active"]))
    facts: list[dict[str, Cell]] = [{"what": "lambda", "value": f"{best['lambda']:.3g}"}]
    for name, value in record["searches"].items():
        shown = f"{value:,.0f}" if name.startswith("inferences") else f"{value:.1f}%"
        facts.append({"what": name, "value": shown})
    names = ("label", "trees", "leaves", "active")
    labels: list[dict[str, Cell]] = [
        {name: one[name] for name in names} for one in record["labels"]
    ]
    conjunctions: list[dict[str, Cell]] = [
        {"label": one["label"], "value": value, "conjunction": text}
        for one in record["labels"]
        for text, value in one["best"]
    ]
    return [
        Table("the classifiers of labels", facts),
        Table("decision trees, their leaves, and leaves that have a value", labels),
        Table("conjunctions of the largest values", conjunctions, {"value": 3}),
    ]
