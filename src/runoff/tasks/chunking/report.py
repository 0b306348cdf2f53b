"""How well chunks are found."""

from runoff.tasks.tagging.chunk_figures import report, summary

__all__ = ["report", "summary"]
