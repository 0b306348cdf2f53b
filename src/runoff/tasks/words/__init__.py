"""Predicting words from their neighbours."""
