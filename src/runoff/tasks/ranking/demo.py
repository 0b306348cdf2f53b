"""The demonstration: fit a ranker to lists that the package carries, and try it on others."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path
from typing import NamedTuple

from runoff.data.files import FilePath
from runoff.data.formats import read_nbest, write_nbest
from runoff.data.nbest import NBest
from runoff.tasks.ranking.evaluate import Evaluation, evaluate
from runoff.tasks.ranking.fit import fit
from runoff.tasks.ranking.reranker import Reranker
from runoff.tasks.ranking.why import Reasons, why


class Demo(NamedTuple):
    """The result of the demonstration."""

    reranker: Reranker
    ranked: list[NBest]
    evaluation: Evaluation
    example: NBest
    reasons: Reasons


def demo_lists(name: str) -> list[NBest]:
    """The lists `train` or `test` that come with Runoff, made up by its authors.

    Examples
    --------
    >>> len(demo_lists("train")), len(demo_lists("test"))
    (220, 80)
    """
    with as_file(files("runoff.data.demo") / f"{name}.jsonl") as path:
        return list(read_nbest(path))


def write_demo_lists(folder: FilePath) -> None:
    """Write `train.jsonl`, `dev.jsonl` and `test.jsonl` to a folder, which is made if need be."""
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    train = demo_lists("train")
    for name, lists in ("train", train[:180]), ("dev", train[180:]), ("test", demo_lists("test")):
        write_nbest(lists, target / f"{name}.jsonl")


def demo() -> Demo:
    """Fit, rerank, evaluate, and explain the largest gain."""
    reranker = fit(demo_lists("train"), metric="wer")
    ranked = reranker.rerank(demo_lists("test"))
    example = max(
        (nbest for nbest in ranked if nbest.candidates[0].output == nbest.gold), key=_moved
    )
    return Demo(reranker, ranked, evaluate(ranked, "wer"), example, why(reranker, example))


def _moved(nbest: NBest) -> int:
    return nbest.candidates[0].rank or 0
