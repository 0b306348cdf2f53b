"""Small n-best lists of our own writing, for `runoff demo`, the tutorial and tests."""
