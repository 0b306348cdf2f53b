"""Reranking candidates that are read piece by piece, most of them not to the end."""
