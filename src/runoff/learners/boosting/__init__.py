"""Boosting over features and over subtrees."""
