"""Perceptrons."""
