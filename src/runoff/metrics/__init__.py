"""Metrics: what gives a candidate its quality, and a ranking its figures."""
