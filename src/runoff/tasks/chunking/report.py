"""How well chunks are found."""

from runoff.tasks.tagging.chunk_figures import summary

__all__ = ["summary"]
