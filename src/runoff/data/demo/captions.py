"""Captions in English and German, made up by us: parallel text for a small translator."""

from __future__ import annotations

import random

PAIRS = 220
"""Pairs of captions that there are."""

_WHO = [
    ("a man", "ein Mann"),
    ("a young woman", "eine junge Frau"),
    ("a little girl", "ein kleines Mädchen"),
    ("an old man", "ein alter Mann"),
    ("a boy in a red shirt", "ein Junge in einem roten Hemd"),
    ("two children", "zwei Kinder"),
    ("three women", "drei Frauen"),
    ("a brown dog", "ein brauner Hund"),
    ("a group of people", "eine Gruppe von Menschen"),
    ("a woman with a green hat", "eine Frau mit einem grünen Hut"),
]
_PLURAL = {"two children", "three women"}
_DOES = [  # English singular, plural; German singular, plural
    ("sits", "sit", "sitzt", "sitzen"),
    ("waits", "wait", "wartet", "warten"),
    ("sleeps", "sleep", "schläft", "schlafen"),
    ("stands", "stand", "steht", "stehen"),
    ("plays", "play", "spielt", "spielen"),
    ("laughs", "laugh", "lacht", "lachen"),
]
_TAKES = [
    ("reads a book", "read a book", "liest ein Buch", "lesen ein Buch"),
    ("holds a ball", "hold a ball", "hält einen Ball", "halten einen Ball"),
    ("carries a bag", "carry a bag", "trägt eine Tasche", "tragen eine Tasche"),
    ("paints a wall", "paint a wall", "streicht eine Wand", "streichen eine Wand"),
    ("eats an apple", "eat an apple", "isst einen Apfel", "essen einen Apfel"),
]
_WHERE = [
    ("in the park", "im Park"),
    ("on a bench", "auf einer Bank"),
    ("in front of a house", "vor einem Haus"),
    ("at the beach", "am Strand"),
    ("near a tree", "in der Nähe eines Baumes"),
    ("on the street", "auf der Straße"),
    ("beside a blue car", "neben einem blauen Auto"),
    ("in a kitchen", "in einer Küche"),
]


def captions() -> list[tuple[str, str]]:
    """Pairs of captions, English and German, all different, always the same.

    Some begin with the place, so that the German verb comes before its subject.

    Examples
    --------
    >>> captions()[0]
    ('A group of people laughs in the park.', 'Eine Gruppe von Menschen lacht im Park.')
    >>> len(set(captions()))
    220
    """
    draw = random.Random(2006)
    found: dict[tuple[str, str], None] = {}
    while len(found) < PAIRS:
        found[_caption(draw)] = None
    return list(found)


def _caption(draw: random.Random) -> tuple[str, str]:
    who, wer = draw.choice(_WHO)
    does = draw.choice(_DOES if draw.random() < 0.6 else _TAKES)
    verb, tut = (does[1], does[3]) if who in _PLURAL else (does[0], does[2])
    where, wo = draw.choice(_WHERE)
    if draw.random() < 0.25:
        first, _, rest = tut.partition(" ")
        german = f"{wo} {first} {wer} {rest}".rstrip()
        return _sentence(f"{where}, {who} {verb}"), _sentence(german)
    return _sentence(f"{who} {verb} {where}"), _sentence(f"{wer} {tut} {wo}")


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."
