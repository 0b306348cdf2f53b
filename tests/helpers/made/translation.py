"""Tiny translators: random tables of blocks, and parallel text of ours."""

import numpy as np

from runoff.ngrams.estimate import estimate
from runoff.proposers.translation.blocks import BlockTable
from runoff.proposers.translation.decoder import Decoder
from runoff.store.strings import StringTable

SOURCE, TARGET = "a b c d e".split(), "u v w x y z".split()


def table_of(blocks):
    """The table of blocks: source numbers, target numbers, scores, orientations."""
    by_source = {}
    for source, target, scores, turns in blocks:
        by_source.setdefault(tuple(source), {})[tuple(target)] = scores, turns
    sources = sorted(by_source)
    rows = [(t, *by_source[s][t]) for s in sources for t in sorted(by_source[s])]
    starts = lambda sizes: np.cumsum([0, *sizes]).astype(np.uint32)  # noqa: E731
    flat = lambda parts: np.array([w for part in parts for w in part], np.uint32)  # noqa: E731
    return BlockTable(
        flat(sources),
        starts(map(len, sources)),
        starts(len(by_source[s]) for s in sources),
        flat(row[0] for row in rows),
        starts(len(row[0]) for row in rows),
        np.array([row[1] for row in rows], np.float32).reshape(-1, 4),
        np.array([row[2] for row in rows], np.float32).reshape(-1, 6),
        np.ones(len(rows), np.uint32),
    )


def random_decoder(seed, *, blocks=9, order=3):
    """A decoder of random blocks, and a language model of random text."""
    random = np.random.default_rng(seed)
    words = lambda n, size: random.integers(1, n + 1, size=size).tolist()  # noqa: E731
    made = []
    for _ in range(blocks):
        source = words(len(SOURCE), random.integers(1, 4))
        target = words(len(TARGET), random.integers(1, 5))
        scores = (-random.exponential(size=4)).round(2).tolist()
        turns = np.log(random.dirichlet(np.ones(3), size=2)).round(2).reshape(-1).tolist()
        made.append((source, target, scores, turns))
    text = [[TARGET[i - 1] for i in words(len(TARGET), 6)] for _ in range(12)]
    return Decoder(
        StringTable.of(["", *SOURCE]),
        StringTable.of(["", *TARGET]),
        table_of(made),
        estimate(text, order).model,
    )


def random_weights(seed):
    return np.random.default_rng(seed).uniform(0.05, 0.5, size=16).round(2)
