"""Algorithms that base systems share: k-best derivations of hypergraphs."""
