"""The default learner: what is best on held-out lists."""
