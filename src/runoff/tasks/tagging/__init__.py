"""Tagging words with parts of speech, and what every tagging task shares."""
