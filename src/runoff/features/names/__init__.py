"""Features of the names of a tagging: what they are like inside, and what other sentences say.

Each is defined for one name, and summed over the names of a candidate (Ji, Rudin & Grishman 2006,
section 4.1). Nothing here is a list of names: all is counted in annotated text.
"""
