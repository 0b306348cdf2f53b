"""Experiments with linkages: the search of Ginter, Mylläri & Salakoski (2006)."""
