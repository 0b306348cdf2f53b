"""Base systems: they propose the candidates that a ranker chooses from."""
