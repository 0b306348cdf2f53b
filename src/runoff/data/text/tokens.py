"""Words of a sentence, cut as the newer Penn treebanks cut them; every one knows its place.

Hyphens and slashes are tokens of their own, except after prefixes (`anti-mouse`); contractions and
possessives come apart (`do n't`, `can not`, `mice 's`); brackets, quotes and signs stand alone.
Numbers, abbreviations, addresses of the web and of mail stay whole, and so do handles, hashtags,
smileys and emoji; see `runoff.data.text.online`. No character is lost, none is made up: the tokens
joined are the text without its whitespace.

Each pattern below takes all that it looks at, or gives up after a bounded number of characters. So
time is linear in the text, whatever it holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from runoff.data.text.online import ADDRESS, EMOJI, HANDLE, HASHTAG, SMILEY, WORD


class Piece(NamedTuple):
    """A sentence or a token, and where it starts in the text that it is part of."""

    text: str
    start: int

    @property
    def end(self) -> int:
        """The offset of its end: `text[start:end]` is the piece."""
        return self.start + len(self.text)


def tokenize(sentence: str | Piece, *, hyphens: bool = False) -> list[Piece]:
    """The tokens of a sentence.

    Places are those in the text that the sentence was taken from, if it is a piece of one.

    Parameters
    ----------
    hyphens : words with hyphens stay whole, as in older treebanks.

    Examples
    --------
    >>> [token.text for token in tokenize("C57BL/6J mice don't (cf. Fig. 1a).")]
    ['C57BL', '/', '6J', 'mice', 'do', "n't", '(', 'cf.', 'Fig.', '1a', ')', '.']
    >>> tokenize("wild-type")[2]
    Piece(text='type', start=5)
    >>> tokenize("wild-type", hyphens=True)
    [Piece(text='wild-type', start=0)]
    """
    text, start = sentence if isinstance(sentence, Piece) else (sentence, 0)
    tokens = [Piece(match[0], start + match.start()) for match in _TOKEN.finditer(text)]
    return _joined(tokens) if hyphens else tokens


def _joined(tokens: Sequence[Piece]) -> list[Piece]:
    """The tokens; a hyphen is one with the word that it follows, and with one that follows it."""
    words: list[list[Piece]] = []
    for token in tokens:
        if words and words[-1][-1].end == token.start and _belongs(token, words[-1]):
            words[-1].append(token)
        else:
            words.append([token])
    return [Piece("".join(part.text for part in parts), parts[0].start) for parts in words]


def _belongs(token: Piece, word: Sequence[Piece]) -> bool:
    """Whether a token is a hyphen after a word, or what comes after that."""
    last = word[-1].text
    if token.text == HYPHEN:
        return last[-1].isalnum() or (last[-1] == "." and len(last) > 1)
    return last == HYPHEN and len(word) > 1 and token.text[0].isalnum()


def keep_hyphens(sentences: Iterable[Iterable[str]]) -> bool:
    """Whether sentences have hyphens inside words more often than as tokens of their own.

    Examples
    --------
    >>> keep_hyphens([["a", "run-off"]]), keep_hyphens([["a", "run", "-", "off"]])
    (True, False)
    """
    inside = alone = 0
    for sentence in sentences:
        for word in sentence:
            alone += word == HYPHEN
            inside += HYPHEN in word[1:-1] and word.replace(HYPHEN, "").isalnum()
    return inside > alone


HYPHEN = "-"

PREFIXES = (
    "anti auto co counter cross de ex extra hetero hyper infra inter intra macro mal meta micro "
    "mid mini multi non over pan para peri post pre pro pseudo quasi re semi sub super supra "
    "ultra un"
).split()
"""What keeps its hyphen: as craft does, where it occurs there often enough to tell."""

ABBREVIATIONS = (
    "Mr Mrs Ms Mme Mlle Messrs Dr Drs Prof Gen Col Maj Capt Lt Sgt Rev Hon Gov Sen Rep Pres St "
    "Mt Jr Sr Inc Ltd Corp Co Bros Univ Dept Inst Assoc Natl Intl Fig Figs Eq Eqs Ref Refs refs "
    "Tab Vol Vols vol vols Nos nos Ch Sect Suppl Chr chr al etc vs cf approx ca resp viz Jan "
    "Feb Apr Aug Sept Sep Oct Nov Dec Calif Fla Conn Minn Mich Ariz Colo Wis Tenn Okla pp spp "
    "subsp str Ave Blvd ext Est Ph"
).split()
"""Written with a full stop, which is part of them wherever they stand."""

BEFORE_NUMBERS = "No no p v fig figs eq eqs ref cat Cat ch sec Sec min max art Art lot Lot".split()
"""Abbreviations only where a number follows."""

_L = r"[^\W\d_]"  # a letter
_Q = "['’]"
_W = WORD
_CLITIC = "(?:[sSmMdD]|ll|LL|re|RE|ve|VE)"
_LAST = r"[\"'”’)\]]{0,4}\s{0,2}\Z"  # what may follow the end of a sentence


def _any(words: list[str]) -> str:
    return "|".join(words)


_TOKEN = re.compile(
    rf"""
    # what most tokens are, tried first for speed
      (?i: can(?=not(?!{_W})) | (?:gon|wan)(?=na(?!{_W})) | got(?=ta(?!{_W}))
         | (?:gim|lem)(?=me(?!{_W})) )
    | [A-Za-z]++ (?=[\s,;)])
    | [,()\[\]%/–] | ;(?![-'^]?[()DPp]) | -(?!-|_) | \.(?=\s|\Z) | \d++(?=[\s;)\]])

    # addresses of the web, of articles, of mail; and what people write online
    | {ADDRESS} | {HANDLE} | {HASHTAG} | {SMILEY} | {EMOJI}

    # contractions and possessives
    | {_L}+? (?=[nN]{_Q}[tT](?!{_W}))
    | (?<={_L}) [nN]{_Q}[tT] (?!{_W})
    | (?<=[^\s(\[{{]) {_Q}{_CLITIC} (?!{_W})
    | (?<!{_W}) {_Q}(?: [tT](?=(?:is|was)(?!{_W})) | \d\d[sS]?(?!{_W}) )

    # abbreviations
    | Ph\.D\. | (?:{_any(ABBREVIATIONS)})\. (?!\.)
    | (?:{_any(BEFORE_NUMBERS)})\. (?=\s?\#?\d)
    | (?:{_L}\.){{2,16}} (?!{_W}|\.)
    | [A-Z]\. (?!{_W}|\.|{_LAST})
    | {_L}{{1,5}}\. (?=,|\s\d) | [a-z]\. (?=\s[a-z]) | (?<=\s[a-z]\.\s) [a-z]\. (?=\s)

    # numbers
    | (?<![\[,]) \d{{1,3}}(?:,\d{{3}})++ (?!\d) (?:\.\d++)? {_W}*+
    | \d{{1,2}}:[0-5]\d (?=\s?[ap]\.?m\b) | \d{{1,2}}:00 (?!{_W})
    | (?<!{_W}|-) \d{{3}}-\d{{4}} (?!{_W}|-) | 9/11 (?!{_W}|/)
    | (?<!{_W}) \.\d++ {_W}*+
    | (?:Ca|Mg|Zn|Mn|Fe|Cu)2\+ (?!/) | (?:Na|K|H|Li|NADP?)\+ (?!/[-+−–])

    # words, some with a hyphen
    | (?i: (?:\d{{1,9}}(?:\.\d{{1,9}})?|{_L}{{2,12}}) -fold | x-rays? | e-mail(?:s|ed|ing)?
         | e-commerce | uh-huh ) (?!{_W})
    | (?: (?i:{_any(PREFIXES)}) [-–] (?!and|or|to|hoc) (?={_W}) ){{0,3}}
      {_W}++ (?:(?<={_L}){_Q}(?!{_CLITIC}(?!{_W})){_L}++{_W}*+ | \.{_W}++)*+

    # signs
    | °[CF](?!{_W}) | `` | ''
    | \.{{2,}}+ | -{{2,}}+ | [!?]{{2,}}+ | \*{{2,}}+ | ={{2,}}+ | \+{{2,}}+
    | \S
    """,
    re.VERBOSE,
)
