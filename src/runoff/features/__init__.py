"""Features: candidate -> named sparse numbers; the feature space; ranking problems as arrays."""
