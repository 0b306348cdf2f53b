"""Verbs over text."""
