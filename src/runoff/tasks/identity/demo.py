"""The demonstration: records of a small library, made up by us, some of them of one book."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path
from typing import NamedTuple

from runoff.data.files import FilePath, write_pieces
from runoff.data.records.records import Records, read_records
from runoff.tasks.identity.evaluate import scores
from runoff.tasks.identity.plan import Plan
from runoff.tasks.identity.resolution import Reasons, Resolution
from runoff.tasks.identity.train import train

NAME = "books.jsonl"
TRAINED = 10
"""Books whose records are learned from; those of the others are resolved."""


class Demo(NamedTuple):
    """The result of the demonstration."""

    resolution: Resolution
    scores: dict[str, float]
    reasons: Reasons


def demo_records() -> Records:
    """The records that come with Runoff.

    Examples
    --------
    >>> demo_records().fields
    ['title', 'author', 'year', 'publisher', 'cluster']
    """
    with as_file(files("runoff.data.demo") / NAME) as path:
        return read_records(str(path))


def write_demo_records(folder: FilePath) -> None:
    """Write `books.jsonl` to a folder, which is made if need be."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    write_pieces([(files("runoff.data.demo") / NAME).read_bytes()], Path(folder) / NAME)


def demo() -> Demo:
    """Train on some books, resolve the records of the others, and explain a merge."""
    records = demo_records()
    labels = records.column("cluster")
    known = set(sorted(set(labels))[:TRAINED])
    train_places = [i for i, one in enumerate(labels) if one in known]
    test_places = [i for i, one in enumerate(labels) if one not in known]
    model = train(records.take(train_places), plan=Plan(pair_prior=(1.0,), prior=(0.03,)))
    test = records.take(test_places)
    found = model.resolve(test)
    cluster = next(one for one in found if len(one) > 1)
    return Demo(found, scores(test.column("cluster"), found.labels), found.why(*cluster[:2]))
