"""Experiments that can be repeated: what they need, how they go, and what the paper found."""
