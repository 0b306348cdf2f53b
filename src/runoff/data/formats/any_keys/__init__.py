"""Lists in JSON or tables under keys of anybody's choice: which key is which part of a list."""
