"""Boosted decision trees over yes/no atoms (Turian & Melamed 2006)."""

from runoff.learners.decision_trees.boosted_trees import BoostedTrees

__all__ = ["BoostedTrees"]
