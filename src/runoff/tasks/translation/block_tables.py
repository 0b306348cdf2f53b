"""Section 4 of Tillmann (2006): links, bijections, and block alignments of a text."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from runoff.data.bitext import SentencePair
from runoff.engine import Engine
from runoff.proposers.translation.alignment import aligned
from runoff.proposers.translation.block_alignment import (
    BlockAlignment,
    aligned_pairs,
    is_bijection,
)
from runoff.proposers.translation.blocks import admissible_blocks
from runoff.report.tables import Cell, Table
from runoff.tasks.translation.wording import Wording

if TYPE_CHECKING:
    from runoff.tasks.translation.experiment import Plan

LENGTHS = (5, 10, 15, 20, 30, 1000)
"""Target lengths of the rows, each with all above the one before."""


def block_tables(
    name: str, texts: Sequence[tuple[str, str]], plan: Plan, engine: Engine
) -> list[Table]:
    """Coverage of the intersection, bijections, and block alignments by length."""
    wording = Wording(plan.tokenized, plan.cased)
    pairs = [SentencePair(wording.words(one), wording.words(other)) for one, other in texts]
    pairs = [pair for pair in pairs if pair.source and pair.target]
    links = aligned(pairs, plan.aligner, "intersection", engine=engine)
    words = [sum(len(pair[side]) for pair in pairs) for side in (0, 1)]
    linked = sum(map(len, links))
    bijections = sum(
        is_bijection(len(pair.source), len(pair.target), own)
        for pair, own in zip(pairs, links, strict=True)
    )
    shares: list[dict[str, Cell]] = [
        {"what": "sentence pairs", "value": float(len(pairs))},
        {
            "what": "source words with a link of the intersection, %",
            "value": 100 * linked / words[0],
        },
        {
            "what": "target words with a link of the intersection, %",
            "value": 100 * linked / words[1],
        },
        {
            "what": "pairs whose intersection is a bijection, %",
            "value": 100 * bijections / len(pairs),
        },
    ]
    tables = [Table(f"{name}: intersection of both directions", shares, {"value": 2})]
    return [*tables, _by_length(name, pairs[: plan.block_pairs], links, plan.longest_block)]


def _by_length(
    name: str, pairs: Sequence[SentencePair], links: Sequence[list[tuple[int, int]]], longest: int
) -> Table:
    found: list[list[tuple[BlockAlignment | None, float, float]]] = [[] for _ in LENGTHS]
    aligning = aligned_pairs(pairs, links[: len(pairs)], longest)
    begin = time.process_time()
    for pair, own in zip(pairs, links, strict=False):
        one = next(aligning)
        seconds = time.process_time() - begin
        blocks = admissible_blocks(len(pair.source), len(pair.target), own, longest)
        intervals = {(block.target.start, block.target.stop) for block in blocks}
        group = next(k for k, most in enumerate(LENGTHS) if len(pair.target) <= most)
        found[group].append((one, seconds, len(blocks) / max(len(intervals), 1)))
        begin = time.process_time()
    rows: list[dict[str, Cell]] = []
    for most, some in zip(LENGTHS, found, strict=True):
        if some:
            made = [one for one, _, _ in some if one is not None]
            rows.append(
                {
                    "target words, at most": most,
                    "pairs": len(some),
                    "links per target interval": sum(per for _, _, per in some) / len(some),
                    "aligned, %": 100 * len(made) / len(some),
                    "by Table 3, %": 100 * sum(one.by_table_3 for one in made) / len(some),
                    "blocks per pair": sum(len(one.blocks) for one in made) / max(len(made), 1),
                    "ms per pair": 1000 * sum(seconds for _, seconds, _ in some[1:]) / len(some),
                }
            )
    decimals = {
        "links per target interval": 2, "aligned, %": 1, "by Table 3, %": 1, "blocks per pair": 2,
        "ms per pair": 2,
    }  # fmt: skip
    return Table(f"{name}: block alignments", rows, decimals)
