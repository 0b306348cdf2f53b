"""Boosted regression trees with LambdaRank's weights."""
