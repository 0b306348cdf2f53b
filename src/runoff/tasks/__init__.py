"""Recipes which join the rooms: what the verbs of the command line do."""
