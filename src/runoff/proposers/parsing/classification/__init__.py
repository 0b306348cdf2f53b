"""Parsing by classification: Turian & Melamed 2006."""
