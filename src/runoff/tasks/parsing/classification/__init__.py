"""Figures of parsers by classification and of how their classifiers are trained."""
