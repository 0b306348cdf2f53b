"""Translation: word alignment of parallel text."""
