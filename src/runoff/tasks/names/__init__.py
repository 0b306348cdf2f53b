"""Finding names in sentences."""
