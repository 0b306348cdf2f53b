"""The prose of a file: all of plain text, Markdown without code, the comments of programs.

What is not prose becomes blanks, so that places stay what they were. A hole inside a sentence keeps
one mark, so that the words around it do not become neighbours; code between comments becomes a full
stop, and so does what stands between the cells of a table. Docstrings are comments, the examples in
them are not.
"""

from __future__ import annotations

import re
from pathlib import PurePath

HOLE = "\ufffc"
"""What stands for something that is not prose inside a sentence."""

MARKDOWN = (".md", ".markdown", ".mdown", ".qmd", ".rmd")
PYTHON = (".py", ".pyi")
HASH = (".sh", ".bash", ".rb", ".pl", ".r", ".toml", ".yaml", ".yml", ".mk", ".cmake")
SLASHES = (
    *(".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".java", ".js", ".jsx", ".ts", ".tsx"),
    *(".go", ".rs", ".cs", ".swift", ".kt", ".scala", ".php"),
)

TEXTS = (".txt", ".text", ".rst", *MARKDOWN, *PYTHON, *HASH, *SLASHES)
"""How names of files end that are read where a folder is named."""

# What is opened and never closed goes on to the end, as in Markdown and C: so no pattern looks for
# the same end again and again.
_FENCE = re.compile(
    r"^(?P<f>[ \t>]*(?:```+|~~~+))[^\n]*(?:\n(?:.*?\n)??[ \t>]*(?:```+|~~~+)[ \t]*$|.*\Z)"
    r"|\A---\n.*?\n---$",
    re.MULTILINE | re.DOTALL,
)
_INDENTED = re.compile(r"(?<=\n\n)(?:(?: {4}|\t)(?![ \t]*(?:[-*+]|\d+\.)\s)[^\n]*\n)+")
_INLINE = re.compile(
    r"(?P<ticks>`+)(?:(?!\n\s*\n).)+?(?P=ticks)|(?<=\])\([^()\s]*(?:\s+\"[^\"\n]*\")?\)"
    r"|<!--.*?(?:-->|\Z)|</?[a-zA-Z][^<>\n]*>|https?://[^\s)>\]]+|\$[^$\n]+\$",
    re.DOTALL,
)
_STRING = r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
_LONG_STRING = r"(?:\"\"\".*?\"\"\"|'''.*?''')"
_COMMENTS = {
    PYTHON: re.compile(
        rf"(?P<keep>^[ \t]*[rR]?{_LONG_STRING}|\#[^\n]*)|{_LONG_STRING}|{_STRING}",
        re.DOTALL | re.MULTILINE,
    ),
    HASH: re.compile(rf"(?P<keep>(?:(?<=\s)|^)\#[^\n]*)|{_STRING}", re.MULTILINE),
    SLASHES: re.compile(rf"(?P<keep>//[^\n]*|/\*.*?(?:\*/|\Z))|{_STRING}|`[^`]*`", re.DOTALL),
}
_MARKS = re.compile(r"^[ \t]*(?:#+!?|/\*+|\*+/?|//+!?)|^[ \t]*(?:>>>|\.\.\.) [^\n]*", re.MULTILINE)


def prose_of(text: str, name: str = "") -> str:
    r"""The text with blanks for what is not prose; the file's name says what it is.

    Examples
    --------
    >>> prose_of("See `then()` there.", "notes.md")
    'See ￼        there.'
    >>> prose_of("x = 1  # their", "code.py")
    '.        their'
    """
    suffix = PurePath(name).suffix.lower()
    if suffix in MARKDOWN:
        for pattern in (_FENCE, _INDENTED):
            text = pattern.sub(lambda found: _blanks(found[0]), text)
        return _INLINE.sub(lambda found: _hole(found[0]), text).replace("|", ".")
    for suffixes, pattern in _COMMENTS.items():
        if suffix in suffixes:
            return _comments(text, pattern)
    return text


def _comments(text: str, pattern: re.Pattern[str]) -> str:
    """The comments of a program, without the marks before them."""
    parts, end = [], 0
    for found in pattern.finditer(text):
        if found["keep"] is not None:
            comment = _MARKS.sub(lambda mark: _blanks(mark[0]), found[0])
            comment = _INLINE.sub(lambda code: _hole(code[0]), comment)
            parts += [_stop(text[end : found.start()]), comment]
            end = found.end()
    return "".join([*parts, _blanks(text[end:])])


def _stop(code: str) -> str:
    """Blanks with a full stop, so that what is said before code and behind it stays apart."""
    start = len(code) - len(code.lstrip())
    return _blanks(code[:start]) + _blanks(code[start:]).replace(" ", ".", 1)


def _blanks(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _hole(text: str) -> str:
    return HOLE + _blanks(text[1:])
