"""The contents of a translator, and how well it was tuned."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import exp
from typing import Any

from runoff.data.bitext import read_line_pairs
from runoff.data.files import FilePath
from runoff.data.nbest import NBest
from runoff.errors import UsageError
from runoff.pipeline.folds import with_gold
from runoff.proposers.translation.blocks import SCORES
from runoff.proposers.translation.trees.source import label_symbol
from runoff.report.tables import Cell, Table
from runoff.store.file import Arrays
from runoff.tasks.translation.model import TranslationModel
from runoff.tasks.translation.trees.model import TreeTranslationModel


def gold_lists(model: Any, files: Sequence[FilePath], n: int) -> Iterator[NBest]:
    """What a model makes of the lines of a source file, with those of a target file as gold."""
    if len(files) != 2:
        raise UsageError("parallel text is two files, source and target")
    pairs = list(read_line_pairs(*files))
    return with_gold(model.lists((one for one, _ in pairs), n), (other for _, other in pairs))


def summary(header: Mapping[str, Any]) -> list[Table]:
    """The sizes of its parts, and the rounds of tuning."""
    sizes: list[dict[str, Cell]] = [
        {"what": str(key), "number": int(value)} for key, value in header["text"].items()
    ]
    tables = [Table("text", sizes)]
    if "tuning" in header:
        rows: list[dict[str, Cell]] = [
            {
                "round": int(row["round"]),
                "BLEU": float(row["BLEU"]),
                "candidates": int(row["candidates"]),
                "taken": str(row["taken"]),
            }
            for row in header["tuning"]
        ]
        tables.append(Table("tuning", rows, {"BLEU": 2}))
    return tables


def weights(header: dict[str, Any], arrays: Arrays) -> list[tuple[str, float]]:
    """The features by name, with their weights."""
    model = TranslationModel.restored(header, arrays)
    return list(zip(model.feature_set.names, model.weights.tolist(), strict=True))


def _rules_about(model: TreeTranslationModel, word: str, top: int) -> list[Table]:
    """The rules with a word of either side, or a label, that were seen most often."""
    decoder = model.decoder
    known = decoder.symbols.numbered
    symbol = known.get(label_symbol(word), known.get(word if model.wording.cased else word.lower()))
    numbers = decoder.table.having(symbol, decoder.target.numbered.get(word))[:top]
    rules = [decoder.table.rule(one, decoder.symbols, decoder.target) for one in numbers]
    rows: list[dict[str, Cell]] = [
        {
            "rule": f"{one.tree_text} -> {one.target_text}",
            "seen": one.count,
            "probability": one.prob,
        }
        for one in rules
    ]
    return [Table(f"rules with {word}", rows, {"probability": 5})] if rows else []


def about(word: str | None, header: dict[str, Any], arrays: Arrays, top: int) -> list[Table]:
    """The blocks of a source word, or rules with a word or label, that were seen most often."""
    if word is None:
        return []
    model = TranslationModel.restored(header, arrays)
    if isinstance(model, TreeTranslationModel):
        return _rules_about(model, word, top)
    number = model.decoder.source.numbered.get(word if model.wording.cased else word.lower())
    if number is None:
        return []
    rows: list[dict[str, Cell]] = [
        {
            "block": " ".join(map(model.decoder.target.__getitem__, block.target)),
            "seen": block.seen,
            **{name: exp(score) for name, score in zip(SCORES, block.scores, strict=True)},
        }
        for block in model.decoder.table.blocks([number])[:top]
    ]
    return [Table(f"blocks of {word}", rows, dict.fromkeys(SCORES, 4))] if rows else []
