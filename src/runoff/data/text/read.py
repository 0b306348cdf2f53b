"""What taggers read: sentences with tags to learn from, and sentences of words to tag."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

import msgspec

from runoff.data.files import FilePath, read_text_lines
from runoff.data.tagged import TaggedSentence, read_tagged
from runoff.data.text.sentences import read_sentences
from runoff.data.text.tokens import tokenize
from runoff.data.tree import Tree, read_trees
from runoff.errors import FormatError

TREE_FILES = (".mrg", ".tree", ".trees", ".ptb", ".penn")
"""How names of treebank files end, `.gz` or not; other files have columns."""

EMPTY_ELEMENT = "-NONE-"

_BLANKS = re.compile("[ \t]+")


def read_tagged_sentences(path: FilePath, column: int | None = None) -> Iterator[TaggedSentence]:
    """Sentences with tags: from columns, or from the trees of a treebank.

    Parameters
    ----------
    column : where a column file has the tags, from 1; the last one if it is not given.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("votes.mrg").write_text("(S (NP (DT the) (NN vote)) (VP (-NONE- *)))")
    >>> [sentence.tags for sentence in read_tagged_sentences("votes.mrg")]
    [('DT', 'NN')]
    """
    if str(path).removesuffix(".gz").endswith(TREE_FILES):
        yield from (tags_of(tree) for tree in read_trees(path))
        return
    for sentence in read_tagged(path):
        if not 2 <= (column or 2) <= len(sentence.columns):
            wanted = "a word and a tag a line" if column is None else f"the tags in column {column}"
            problem = f"expected {wanted}, found {len(sentence.columns)} columns"
            hint = f"treebank files are known by their names: {', '.join(TREE_FILES)}"
            raise FormatError(problem, path=path, hint=hint)
        tags = sentence.tags if column is None else sentence.columns[column - 1]
        yield msgspec.structs.replace(sentence, columns=(sentence.words, tags), names=())


def tags_of(tree: Tree) -> TaggedSentence:
    """The words of a tree and the tags above them, without empty elements."""
    leaves = [leaf for leaf in tree.preterminals() if leaf.label != EMPTY_ELEMENT]
    return TaggedSentence(
        (tuple(leaf.words[0] for leaf in leaves), tuple(leaf.label for leaf in leaves))
    )


def sentence_words(sentence: str, *, hyphens: bool = False) -> list[str]:
    """The tokens of a sentence of plain text; see `runoff.data.text.tokens.tokenize`."""
    return [token.text for token in tokenize(sentence, hyphens=hyphens)]


def read_raw_words(path: FilePath, *, hyphens: bool = False) -> Iterator[Sequence[str]]:
    """The sentences of plain text, tokenised."""
    return (sentence_words(sentence.text, hyphens=hyphens) for sentence in read_sentences(path))


def read_lines_of_words(path: FilePath) -> Iterator[Sequence[str]]:
    """Tokenised text: a sentence a line, blanks between words; an empty line is an empty one."""
    for _, line in read_text_lines(path):
        yield tuple(word for word in _BLANKS.split(line) if word)


def read_columns_of_words(path: FilePath) -> Iterator[Sequence[str]]:
    """The first column of a column file."""
    return (sentence.words for sentence in read_tagged(path))


READERS: dict[str, Callable[[FilePath], Iterator[Sequence[str]]]] = {
    "raw": read_raw_words,
    "tokenized": read_lines_of_words,
    "columns": read_columns_of_words,
}
"""How text becomes sentences of words."""
