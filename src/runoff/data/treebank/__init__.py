"""Treebanks: cleaning, heads, drawing."""
