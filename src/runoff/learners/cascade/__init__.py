"""Rankers in stages."""
