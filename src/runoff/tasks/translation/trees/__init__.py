"""Translators by trees: how they are trained, applied and explained."""
