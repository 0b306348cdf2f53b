"""Shards of a command's output: their names, the marks of those that are done, and gathering.

A shard is a file `part-00017-of-01000.jsonl`, which appears whole or not at all, and beside it a
mark `part-00017-of-01000.done`, which says what made it. Shards laid end to end are what the
command gives without shards.
"""
