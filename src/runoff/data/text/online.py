"""Patterns of what people write online: addresses, handles, hashtags, smileys and emoji.

All are for `re.VERBOSE`. Each looks at a bounded number of characters, or takes what it looks at.
"""

from __future__ import annotations

import re

# A character of a word: anything but spaces, controls, punctuation and symbols. What scripts put
# above and below letters is part of the word, so a list of what is not is the shorter one.
_NOT_WORD = (
    r"\s\x00-\x2f\x3a-\x40\x5b-\x5e\x60\x7b-\xa9\xab-\xb1\xb4\xb6-\xb8\xbb-\xbf\xd7\xf7"
    r"\u037e\u0387\u055a-\u055f\u0589\u05be\u05c0\u05c3\u060c\u061b\u061f\u066a-\u066d\u06d4\u0964"
    r"\u0965\u2000-\u200b\u200e-\u206f\u20a0-\u20cf\u2122\u2190-\u2bff\u3000-\u303f\u30fb"
    r"\ufe30-\ufe6f\ufeff\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\U0001f000-\U0001faff"
)
WORD = f"[^{_NOT_WORD}]"
"""A character of a word, as a pattern."""
_IN_URL = r"[^\s<>\"“”()\[\]{}|]"
_DOMAINS = (
    "com|org|net|edu|gov|info|int|io|ai|dev|app|me|tv|ly|gl|gg|be|co|uk|us|ca|de|fr|eu|jp|cn|au|in"
    "|ru|nl|ch|it|es|se"
)

ADDRESS = rf"""(?:
    (?: (?:https?|ftp)://{_IN_URL} | www\.(?={WORD}) | (?:doi:)?10\.\d{{4,9}}/{_IN_URL}
      | (?<![\w.@-]) (?:[A-Za-z0-9-]{{1,64}}\.){{1,4}} (?:{_DOMAINS})/{_IN_URL} )
    {_IN_URL}* (?<![.,;:!?'’])
  | (?=[^\s@]{{1,64}}@) (?:{WORD}|[.+-]){{1,64}} @ {WORD}{{1,64}} (?:[.-]{WORD}{{1,64}}){{1,8}} )"""
"""Addresses of the web, of articles, of mail."""

HANDLE = r"(?<![\w.@]) @[A-Za-z_]\w{1,63} (?![\w@])"
"""A name such as `@anna`."""

HASHTAG = r"(?<![\w\#&/]) \#(?![A-Z]{1,4}\d)[^\W\d_]\w{1,99} (?![-–]\d)"
"""A topic such as `#vote`, but no number (`#1`) and nothing from a catalogue (`#AB12`)."""

SMILEY = r"""(?<!\S) (?:
    >?[:;=]['’]?[-^o]?(?:[()\[\]|]{1,9}|[DPpO/\\*](?!\w)) | [(\[][-^]?[:;=]
  | <3 (?=\s*(?:\Z|[^\s\d]))
      (?!\s+(?:%|[kcmnµμ]?[mgLls]|x|h|min|mM|days?|hours?|weeks?|months?|years?)(?!\w)) | </3
  | \^_{0,3}\^ | -_{1,3}- | >_{1,3}< | [oO][_.][oO] | T_T | \\o/ | ¯\\_\(ツ\)_/¯ | [xX]D )
  (?=[\s.,!?…]|\Z)"""
"""Faces such as `:-)`, `;)`, `<3` and `^_^`, with whitespace before them."""

_SIGN = (
    r"[\u203c\u2049\u2139\u2194-\u21aa\u231a-\u23ff\u25aa-\u25fe\u2600-\u27bf\u2934\u2935\u2b05-\u2b55"
    r"\u3030\u303d\u3297\u3299\U0001f000-\U0001f1e5\U0001f200-\U0001faff]"
)
_STYLE = r"[\ufe0e\ufe0f\U0001f3fb-\U0001f3ff]"
EMOJI = (
    r"(?: [\U0001f1e6-\U0001f1ff]{2} | [0-9\#*]\ufe0f?\u20e3"
    rf" | {_SIGN}{_STYLE}*+ (?:\u200d{_SIGN}{_STYLE}*+)*+ )"
)
"""A picture: with its colour, of several that are joined, or a flag."""

_SYMBOLS = (
    r"\u2000-\u25ff\u2600-\u2638\u263b-\u2664\u2666-\u26a0\u2701-\u2704\u2706-\u2709\u270e-\u2727"
    r"\u2729-\u274b\u2756\u2761-\u27bf\u2900-\u2bff\u3000-\u33ff"
)
"""Signs that articles have too: no pictures, unless a variation selector says so."""

_KINDS = {
    "address": re.compile(ADDRESS, re.VERBOSE),
    "handle": re.compile(HANDLE, re.VERBOSE),
    "hashtag": re.compile(HASHTAG, re.VERBOSE),
    "face": re.compile(rf"(?![{_SYMBOLS}]\Z) (?: {SMILEY} | {EMOJI} )", re.VERBOSE),
    "stress": re.compile(r"[!?]{2,}+"),
}


def kind_of(word: str) -> str | None:
    """What a token is of the things that people write online; None for others.

    Examples
    --------
    >>> [kind_of(word) for word in ("@anna", "#vote", "t.co/x", ":-)", "!!!", "vote")]
    ['handle', 'hashtag', 'address', 'face', 'stress', None]
    """
    if word.isalpha() and word not in ("xD", "XD"):
        return None
    return next((kind for kind, one in _KINDS.items() if one.fullmatch(word)), None)
