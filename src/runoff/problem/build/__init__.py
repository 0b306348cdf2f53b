"""Building ranking problems: extraction, the choice of features, and their encoding."""
