"""Columns of candidates: features for other learners, and scores of programs."""
