"""Reproducible experiments: their data, their plans, and the paper's figures."""
