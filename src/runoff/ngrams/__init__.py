"""N-gram language models: estimation, ARPA files, states that compare and hash.

`model` scores sentences, `estimate` makes a model of text, `arpa` reads and writes the files of
other programs, `trie` puts n-grams from anywhere into the sorted form that models have.
"""
