"""Parsing sentences into trees."""
