"""What the names of features mean: one sentence for each template, for people who read *why*."""

from __future__ import annotations

import re
from collections.abc import Iterable

COLLINS_KOO = {
    "rule": "A constituent with exactly these children.",
    "bigram": "Two neighbours on one side of the head of a constituent, from the head outwards.",
    "grandparent-rule": "A constituent with exactly these children, under the label given first.",
    "grandparent-bigram": "Two neighbours beside a head, under the label given first.",
    "lexical-bigram": "Two neighbours beside a head, with their head words.",
    "two-level-rule": "A constituent with these children, inside another with those children.",
    "two-level-bigram": "Two neighbours beside a head, inside a constituent with these children.",
    "trigram": "Three children in a row; the head is marked with an exclamation mark.",
    "head-modifier": "A head and what modifies it, and whether the two are neighbours (adj=1).",
    "PP": "A prepositional phrase: what it is attached to, its preposition and its noun.",
    "distance": "The number of words between the heads of two phrases that belong together.",
}
"""Collins & Koo (2005)."""

RICH = {
    "length": "The number of words in a constituent with this label.",
    "to-end": "The number of words between a constituent and the end of the sentence.",
    "heavy": "The length of a constituent, and how far from the end of the sentence it is.",
    "neighbours": "The tags just before and just after a constituent.",
    "neighbours-length": "The length of a constituent, and the tags just before and after it.",
    "neighbour-words": "The words just before and just after a constituent.",
    "edge-tags": "The tags at the edges of a constituent, and those just outside.",
    "edge-words": "The first and the last word of a constituent.",
    "left-edge": "The first word of a constituent, and the word before it.",
    "right-edge": "The last word of a constituent, and the word after it.",
    "up": "A constituent and the labels above it.",
    "head-kinds": "The tags of the grammatical head and of the content head of a constituent.",
    "head-kind-words": "The grammatical head of a constituent, and the tag of its content head.",
    "rule-tag": "A constituent with these children, and the tag of its head.",
    "rule-word": "A constituent with these children, and its head word.",
    "rule-content-tag": "A constituent with these children, and the tag of its content head.",
    "rule-content-word": "A constituent with these children, and its content head.",
    "children": "Neighbouring children of a constituent; the head is marked.",
    "children-above": "Neighbouring children of a constituent, and the label above it.",
    "children-tags": "Neighbouring children of a constituent, with the tags of their heads.",
    "trigram-above": "Three children in a row, and the label above their constituent.",
    "word": "A word with its tag and the labels above it.",
    "tags": "A tag with its neighbours.",
    "projection": "The constituents that have this word as their head.",
    "projection-tag": "The constituents that have a word with this tag as their head.",
    "attached": "What a word's largest constituent is attached to.",
    "head-tree": "The rules of all constituents with the same head.",
    "head-tree-word": "The rules of all constituents that have this head word.",
    "between": "The path through the tree between two neighbouring words.",
    "between-words": "The path through the tree between these two neighbouring words.",
    "parallel": "How similar in structure two coordinated phrases are.",
    "parallel-length": "How similar in length two coordinated phrases are.",
    "parallel-labels": "The labels of two coordinated phrases.",
    "right-branch": "The number of constituents on the right edge of the tree, and off it.",
    "top-word": "The label below the root, which tells a heading from a clause, and a word.",
    "top-words": "The label below the root, and two neighbouring words.",
    **{
        f"{kind}-{end}": f"A {name} and a word that modifies it: their {what}."
        for kind, name in (("head", "head"), ("content", "content head"))
        for end, what in (
            ("tags", "tags"),
            ("tag-word", "tag and word"),
            ("word-tag", "word and tag"),
            ("words", "words"),
            ("tags-labels", "tags and labels"),
            ("words-labels", "words and labels"),
            ("tags-three", "tags, and the tag that governs them"),
            ("word-tag-word", "words, and the tag between them"),
            ("words-three", "words, and the word that governs them"),
        )
    },
}
"""In the spirit of Charniak & Johnson (2005)."""

TEXT = {
    "word": "How often the word occurs in the candidate.",
    "bigram": "How often these two words follow each other; <s> and </s> are the ends.",
    "number of words": "The length of the candidate in words.",
    "number of characters": "The length of the candidate in characters.",
    "agreement of words": "The share of the other candidates that have the same words.",
    "agreement of bigrams": "The share of the other candidates that have the same pairs of words.",
    "words per word of input": "The length of the candidate compared with that of the input.",
    "share of words in the input": "The share of the candidate's words that the input has.",
    "share of the input covered": "The share of the input's words that the candidate has.",
    "base rank": "The rank that the base system gave the candidate.",
    "first in base order": "Whether the candidate is the base system's first choice.",
    "logprob per word": "The base system's log-probability, divided by the length.",
}

PHRASES = {
    "types": "Phrases of these types, in a row.",
    "type": "A phrase of this type.",
    "length": "The number of words of a phrase.",
    "words": "A phrase with exactly these words.",
    "tags": "A phrase with exactly these parts of speech.",
    "first": "The first word of a phrase.",
    "last": "The last word of a phrase.",
    "first and last": "The first word of a phrase, and its last part of speech.",
    "closed": "Phrases in a row, with their words where they are conjunctions, prepositions etc.",
    "last words": "Two phrases in a row, and their last words.",
    "last tags": "Three phrases in a row, and their last parts of speech.",
    "before": "A phrase and the word before it.",
    "behind": "A phrase and the word after it.",
    "around": "A phrase and what is on both sides of it.",
    "next two": "A phrase and the two after it.",
}

TEMPLATES: dict[str, dict[str, str]] = {
    "text": TEXT,
    "phrases": PHRASES,
    "parse": COLLINS_KOO,
    "parse-small": COLLINS_KOO,
    "parse-rich": {**COLLINS_KOO, **RICH},
}
"""Sentences by feature set and template."""

ALWAYS = {"log-probability": "What the base system said of the candidate."}


def template_of(name: str) -> str:
    """The template of a feature: what is before the colon, or the name without its threshold.

    Examples
    --------
    >>> template_of("rule: NP -> DT NN"), template_of("base rank"), template_of("lm<=-2.5")
    ('rule', 'base rank', 'lm')
    """
    return re.sub(r"[<>]=-?[\d.e+-]+$", "", name.partition(": ")[0])


def sentences_for(names: Iterable[str], sets: Iterable[str]) -> dict[str, str]:
    """What the templates of these features mean, for a ranker with these feature sets.

    Examples
    --------
    >>> sentences_for(["bigram: to vote", "lm"], ["given", "text"])
    {'bigram': 'How often these two words follow each other; <s> and </s> are the ends.'}
    """
    known = dict(ALWAYS)
    for one in sets:
        known |= TEMPLATES.get(one, {})
    found = sorted({template_of(name) for name in names})
    return {template: known[template] for template in found if template in known}
