"""Tagged sentences as trees, which the tagging kernel compares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runoff.data.flat_tree import escape_brackets
from runoff.data.nbest import Candidate
from runoff.data.text.words import squeezed
from runoff.features.tagged_input import tags_of, words_and_tags
from runoff.features.trees import tree_maker

ROOT = "TAGS"


@tree_maker(lexical=False)
def tagging(input: Any, candidate: Candidate) -> str:
    """The candidate's tags with the words of the input and their shapes, as a tree."""
    words, _ = words_and_tags(input)
    return tagging_tree(words, tags_of(candidate.output, len(words)))


def tagging_tree(words: Sequence[str], tags: Sequence[str]) -> str:
    """A tagging in brackets: below the root each tag, and below it the word and its shape.

    Examples
    --------
    >>> tagging_tree(["Runoff", "won"], ["B", "O"])
    '(TAGS (B Runoff shape=Xx) (O won shape=x))'
    """
    pairs = zip(words, tags, strict=True)
    leaves = (f"({_atom(tag)} {_atom(word)} shape={_atom(shape(word))})" for word, tag in pairs)
    return f"({ROOT} {' '.join(leaves)})"


def shape(word: str) -> str:
    """Kinds of characters, each run of a kind once: the word features of sim2 in the paper.

    References
    ----------
    Collins and Duffy (2002), section 5.

    Examples
    --------
    >>> [shape(word) for word in ("McDonald", "IBM", "3.5", "e-mail")]
    ['XxXx', 'X', '0.0', 'x-x']
    """
    return squeezed(map(_kind, word))


def _kind(character: str) -> str:
    if character.isdigit():
        return "0"
    if character.isupper():
        return "X"
    return "x" if character.isalpha() else character


def _atom(text: str) -> str:
    """Text without what would be read as brackets or blanks; no text is empty."""
    return escape_brackets("_".join(text.split()) or "_")
