"""Verbs over n-best lists."""
