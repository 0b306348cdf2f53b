"""Ranking problems: the frontier between words and numbers."""
