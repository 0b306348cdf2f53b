"""IGTree: decision trees over windows of words."""
