"""Base systems that label sequences."""
