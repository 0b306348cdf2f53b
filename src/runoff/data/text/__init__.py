"""Raw text to sentences and tokens."""
