"""Model files: one safetensors file with a readable header; loading one runs no code."""
