"""What word models read: text with blanks, text to go on from, text to go through word by word."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from runoff.data.files import MAX_LINE, FilePath, read_text_lines
from runoff.data.limits import Over, reject
from runoff.data.sentence import Sentence
from runoff.data.text.words import read_word_chunks, words_of
from runoff.errors import FormatError
from runoff.tasks.words.model import BLANK, Asked, blanks_of


def ask_blanks(path: FilePath, *, tokenized: bool = False, over: Over = reject) -> Iterator[Asked]:
    """The blanks of a text: two or more underscores.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("gap.txt").write_text("We ____ them.")
    >>> next(ask_blanks("gap.txt"))
    Asked(words=['We', '___', 'them', '.'], places=[1])
    """
    asked = blanks_of(Sentence(tuple(_read_words(path, tokenized, over))))
    if not asked.places:
        raise FormatError(
            f"there is no blank ({BLANK}) in the text",
            path=path,
            hint="--next asks for the word after each line, --all for every word",
        )
    yield asked


def ask_next(path: FilePath, *, tokenized: bool = False, over: Over = reject) -> Iterator[Asked]:
    """The word that follows each line."""
    for _, line in read_text_lines(path, MAX_LINE, over):
        words = line.split() if tokenized else words_of(line)
        yield Asked([*words, BLANK], [len(words)])


def ask_all(path: FilePath, *, tokenized: bool = False, over: Over = reject) -> Iterator[Asked]:
    """Every word of a text."""
    words = _read_words(path, tokenized, over)
    yield Asked(words, range(len(words)))


ASKING: dict[str, Callable[..., Iterator[Asked]]] = {
    "blanks": ask_blanks,
    "next": ask_next,
    "all": ask_all,
}
"""What may be asked of a text."""


def _read_words(path: FilePath, tokenized: bool, over: Over) -> list[str]:
    chunks = read_word_chunks(path, tokenized=tokenized, over=over)
    return [word for chunk in chunks for word in chunk]
