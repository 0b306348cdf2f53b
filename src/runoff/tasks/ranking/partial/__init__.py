"""Reranking candidates that are read piece by piece, most of them not to the end."""

PREFIX = "partial."
"""What the names of its arrays in a reranker's model file begin with."""
