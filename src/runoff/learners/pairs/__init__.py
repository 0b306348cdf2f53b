"""Learners from pairs of candidates."""
