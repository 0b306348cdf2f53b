"""Tags for what people write online, which few treebanks have: by the kind of the token."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from runoff.data.nbest import Candidate
from runoff.data.text.online import kind_of
from runoff.proposers.base import Choices

ONLINE_TAGS = {
    "address": ("URL", "ADD"),
    "handle": ("USR", "NNP"),
    "hashtag": ("HT", "NN"),
    "face": ("NFP", "UH"),
    "stress": (".",),
}
"""The tags of each kind; a token gets the first that the tagger knows. They are those of treebanks
of tweets and of the English Web Treebank, and then those of older ones. A tagger that knows neither
of those for addresses has seen some, and decides."""


def online_tag(word: str, known: Collection[str]) -> str | None:
    """The tag of a token that people write online; None for words, and if no tag is known.

    Examples
    --------
    >>> online_tag(":-)", {"UH", "NN"}), online_tag("vote", {"NN"})
    ('UH', None)
    """
    kind = kind_of(word)
    return next((tag for tag in ONLINE_TAGS[kind] if tag in known), None) if kind else None


def with_online_tags(
    words: Sequence[str], candidates: list[Candidate], known: Collection[str]
) -> list[Candidate]:
    """Taggings in which such tokens have their tags; of those that become the same, the first."""
    fixed = {place: tag for place, word in enumerate(words) if (tag := online_tag(word, known))}
    if not fixed:
        return candidates
    made: dict[tuple[str, ...], Candidate] = {}
    for one in candidates:
        tags = [fixed.get(place, tag) for place, tag in enumerate(one.output)]
        made.setdefault(tuple(tags), Candidate(tags, one.logprob))
    return list(made.values())


def with_online_choices(words: Sequence[str], choices: Choices, known: Collection[str]) -> Choices:
    """The tags that words may have, such tokens none but theirs."""
    tags = [online_tag(word, known) for word in words]
    return [row if tag is None else [(tag, 1.0)] for tag, row in zip(tags, choices, strict=True)]
