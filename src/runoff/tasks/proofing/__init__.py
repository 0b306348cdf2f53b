"""Proof reading: words that were probably confused with others."""
