"""The best of candidates that are read piece by piece, most of them not to the end.

`search` is the algorithm, `sequences` are candidates for it, `error_model` tells how much scores
still move, by `observations`; `smoothing` and `quantiles` are how that is estimated.
"""
