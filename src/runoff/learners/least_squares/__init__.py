"""Regularised least squares on the qualities of candidates."""
