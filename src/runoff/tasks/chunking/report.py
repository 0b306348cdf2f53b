"""How well chunks are found."""

from runoff.tasks.tagging.chunk_figures import summary
from runoff.tasks.tagging.steps import gold_lists

__all__ = ["gold_lists", "summary"]
