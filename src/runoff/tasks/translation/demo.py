"""The demonstration: a translator of two hundred captions, which we made up."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from runoff.data.demo.captions import captions
from runoff.data.files import FilePath, write_pieces
from runoff.metrics.bleu import bleu, word_statistics
from runoff.tasks.translation.model import TranslationModel
from runoff.tasks.translation.train import Plan, train
from runoff.tasks.translation.why import TranslationReasons, explained

TRAINED, TUNED = 180, 20
"""Captions that are learned from, and that weights are tuned on; the others are translated."""


class Demo(NamedTuple):
    """The result of the demonstration."""

    model: TranslationModel
    bleu: float
    translated: list[tuple[str, str, str]]
    reasons: TranslationReasons


def write_demo_captions(folder: FilePath) -> None:
    """Write the captions to a folder: train, dev and test, English and German."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    pairs = captions()
    parts = {
        "train": pairs[:TRAINED],
        "dev": pairs[TRAINED : TRAINED + TUNED],
        "test": pairs[TRAINED + TUNED :],
    }
    for name, own in parts.items():
        for side, language in enumerate(("en", "de")):
            lines = (f"{pair[side]}\n".encode() for pair in own)
            write_pieces(lines, Path(folder) / f"{name}.{language}")


def demo() -> Demo:
    """Train on most captions, translate the others, and explain one translation."""
    pairs = captions()
    dev, test = pairs[TRAINED : TRAINED + TUNED], pairs[TRAINED + TUNED :]
    model = train(pairs[:TRAINED], dev, plan=Plan(order=3, rounds=3))
    found = list(model.pipe(english for english, _ in test))
    rows = [
        word_statistics([model.wording.words(one)], [model.wording.words(german)])
        for one, (_, german) in zip(found, test, strict=True)
    ]
    score = float(bleu(sum(row[0] for row in rows), effective_order=False))
    (reasons,) = explained(model, [test[0][0]])
    assert isinstance(reasons, TranslationReasons)
    translated = [(*pair, one) for pair, one in zip(test, found, strict=True)]
    return Demo(model, score, translated, reasons)
