"""Finding chunks, the flat phrases of sentences."""
