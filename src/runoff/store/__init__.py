"""Model files: one safetensors file with a readable header; loading one runs no code.

`file` saves and loads. What comes out of a file is checked where it is taken: `arrays` takes
arrays and whole numbers that were packed, `strings` tables of strings. Each part of a model has the
pair `stored() -> (header, arrays)` and `restored(header, arrays)`.
"""
