"""Runoff."""
