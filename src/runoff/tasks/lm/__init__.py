"""N-gram language models of plain text."""
