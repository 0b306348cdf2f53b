"""What came of reranking: orders measured, gains on development lists, single decisions."""
