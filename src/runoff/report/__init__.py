"""Curves, figures and plots of experiments."""
