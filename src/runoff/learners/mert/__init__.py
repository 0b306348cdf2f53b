"""Minimum error rate training."""
