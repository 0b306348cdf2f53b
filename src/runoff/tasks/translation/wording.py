"""How texts become words, and words texts again: tokens, case, and spaces."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from runoff.data.characters import FULL_WIDTH, HAN
from runoff.data.text.tokens import tokenize

_HAN_RUN = re.compile(rf"[{HAN}]|[^{HAN}]+")
_JOINED = re.compile(rf"(?<=[{HAN}{FULL_WIDTH}]) +| +(?=[{HAN}{FULL_WIDTH}])")
_BEFORE = re.compile(r" +(?=(?:[,.;:!?%)\]}»”…]|n['’]t|['’](?:s|S|m|d|ll|re|ve))(?:\s|$))")
_AFTER = re.compile(r"(?<=[(\[{«„“]) +")
_QUOTED = re.compile(r'" +([^"]*?) +"')


@dataclass(frozen=True)
class Wording:
    """The words of texts, and the text of words.

    Parameters
    ----------
    tokenized : whether texts are split at whitespace, and words joined by spaces.
    cased : whether words keep their case; otherwise they are lower-cased, and the case of target
        words is put back as it was most frequent in training, or is that of the source where a word
        was copied.
    forms : words whose case is put back.
    capital : whether texts begin with a capital letter.

    Examples
    --------
    >>> wording = Wording(forms={"berlin": "Berlin"}, capital=True)
    >>> wording.words("Ein Mann, der rennt.")
    ['ein', 'mann', ',', 'der', 'rennt', '.']
    >>> wording.text(["das", "ist", "berlin", "."])
    'Das ist Berlin.'
    """

    tokenized: bool = False
    cased: bool = False
    forms: dict[str, str] = field(default_factory=dict)
    capital: bool = False

    def words(self, text: str) -> list[str]:
        """The words of a text, as a model has them."""
        return self.known(self.given(text))

    def known(self, words: Sequence[str]) -> list[str]:
        """Words as a model has them."""
        return [*words] if self.cased else [word.lower() for word in words]

    def given(self, text: str) -> list[str]:
        """The words of a text with their case."""
        if self.tokenized:
            return text.split()
        words = [token.text for token in tokenize(text, hyphens=True)]
        return [part for word in words for part in _HAN_RUN.findall(word)]

    def text(self, words: Sequence[str]) -> str:
        """The text of words."""
        if not self.cased:
            words = [self.forms.get(word, word) for word in words]
        if self.tokenized:
            return " ".join(words)
        text = _JOINED.sub("", " ".join(words))
        text = _AFTER.sub("", _BEFORE.sub("", _QUOTED.sub(r'"\1"', text)))
        return text[:1].upper() + text[1:] if self.capital else text

    @classmethod
    def of(cls, targets: Iterable[str], *, tokenized: bool, cased: bool) -> Wording:
        """The wording that target texts of a training have."""
        if cased:
            return cls(tokenized, cased)
        plain = cls(tokenized, True)
        inside: Counter[str] = Counter()
        capitals = texts = 0
        for target in targets:
            words = plain.words(target)
            inside.update(words[1:])
            if words and words[0][0].lower() != words[0][0].upper():
                texts += 1
                capitals += words[0][0].isupper()
        return cls(tokenized, cased, _frequent(inside), not tokenized and 2 * capitals > texts)

    @cached_property
    def pairs(self) -> list[str]:
        """The forms, each with a space before it, as a file has them."""
        return [f"{word} {form}" for word, form in sorted(self.forms.items())]


def _frequent(cased: Counter[str]) -> dict[str, str]:
    """The most frequent form of each word, where that is not the lower-case one."""
    best: dict[str, str] = {}
    for form in sorted(cased):
        word = form.lower()
        if word not in best or cased[form] > cased[best[word]]:
            best[word] = form
    return {word: form for word, form in best.items() if form != word}
