"""Classes of part-of-speech tags: what tags have in common, such as all that nouns have.

Turian and Melamed (2006) ask of a head which class its tag is of. Their list is lost; this one is
ours. A tag that is in no class here, such as one of another tag set, has none.
"""

from __future__ import annotations

TAG_CLASSES = {
    "common noun": "NN NNS",
    "proper noun": "NNP NNPS",
    "pronoun": "PRP WP EX",
    "possessive": "PRP$ WP$ POS",
    "finite verb": "VBD VBP VBZ MD",
    "other verb": "VB VBG VBN",
    "adjective": "JJ JJR JJS",
    "adverb": "RB RBR RBS WRB",
    "determiner": "DT PDT WDT",
    "preposition": "IN TO RP",
    "conjunction": "CC",
    "number": "CD LS $ #",
    "comma": ",",
    "colon": ": HYPH NFP",
    "full stop": ".",
    "quotation mark": "`` ''",
    "bracket": "-LRB- -RRB-",
    "other": "AFX FW SYM UH ADD GW XX",
}
"""The classes, and the tags of each."""

CLASS_OF = {tag: name for name, tags in TAG_CLASSES.items() for tag in tags.split()}
"""The class of each tag that has one."""
