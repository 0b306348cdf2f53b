"""Base systems that parse."""
