"""Maximum entropy over lists."""
