"""How well chunks are found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runoff.data.files import FilePath
from runoff.data.nbest import NBest
from runoff.data.treebank.chunks import read_chunked
from runoff.tasks.chunking.model import ChunkingModel
from runoff.tasks.tagging import steps
from runoff.tasks.tagging.chunk_figures import summary

__all__ = ["gold_lists", "summary"]


def gold_lists(model: ChunkingModel, files: Sequence[FilePath], n: int) -> Iterator[NBest]:
    """What a model makes of sentences with gold chunks, in columns or as trees."""
    return steps.gold_lists(model, files, n, read_chunked)
