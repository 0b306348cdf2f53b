"""The parser of a translator by trees: any model of Runoff that gives trees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from runoff.data.files import FilePath, read_text_lines, write_pieces
from runoff.data.flat_tree import escape_brackets
from runoff.data.text.tokens import tokenize
from runoff.data.tree import Tree, read_trees
from runoff.engine import ALONE, Engine
from runoff.errors import FormatError, ModelError
from runoff.models import SHIPPED, model_file
from runoff.pipeline.work_folder import WorkFolder, files_key, hash_of
from runoff.proposers.translation.trees.source import Parse, binarised, lacks_words
from runoff.store.arrays import prefixed
from runoff.store.file import Arrays
from runoff.tasks import TASKS

NOTHING = Parse("(TOP)")
"""The parse of no words."""

Parses = list[Parse]


@dataclass(frozen=True)
class SourceParser:
    """A parser by the name of its file, or itself.

    Parameters
    ----------
    name : of a model of the package, or its file.
    model : the parser, if it came with a translator.
    binarise : whether trees become binary ones.
    """

    name: str
    model: Any = None
    binarise: bool = False

    @cached_property
    def parser(self) -> Any:
        """The model."""
        if self.model is not None:
            return self.model
        return TASKS["parsing"].model_class.load(model_file(self.name))

    def words(self, line: str) -> list[str]:
        """The words of a line, cut as in the treebank that the parser learned from."""
        return [token.text for token in tokenize(line, hyphens=self.parser.hyphens)]

    def parses(
        self, sentences: Sequence[Sequence[str]], k: int = 1, engine: Engine = ALONE
    ) -> Iterator[Parses]:
        """The k best parses of every sentence; of no words, one without nodes."""
        for nbest in self.parser.lists(sentences, k, engine=engine):
            found = [Parse(str(one.output), one.logprob or 0.0) for one in nbest.candidates]
            yield found or [NOTHING]

    def taken(self, parses: Parses) -> Parses:
        """Parses as rules are learned from them, and applied to them."""
        if not self.binarise:
            return parses
        return [one._replace(tree=binarised(one.tree)) for one in parses]

    def stored(self) -> tuple[str | dict[str, Any], Arrays]:
        """The name of a model of the package, or header and arrays of another."""
        if self.name in SHIPPED:
            return self.name, {}
        header, arrays = self.parser.stored()
        return header, prefixed("parser.", arrays)

    @classmethod
    def restored(cls, header: object, arrays: Arrays, *, binarise: bool) -> SourceParser:
        """The parser of a translator's file."""
        if isinstance(header, str) and header in SHIPPED:
            return cls(header, binarise=binarise)
        if not isinstance(header, dict):
            raise ModelError("the header is broken: it has no parser")
        return cls("parser", TASKS["parsing"].model_class.restored(header, arrays), binarise)


SENTENCES_PER_STEP = 4096
"""Sentences whose parses are one step of a training."""


def parses_of(
    lines: Sequence[str],
    parser: SourceParser,
    *,
    raw: bool,
    longest: int,
    k: int = 1,
    work: WorkFolder,
    engine: Engine = ALONE,
) -> tuple[list[Parses], str]:
    """The k best parses of lines, kept in steps that texts with equal lines share; and their key.

    A line with more than `longest` words has the parse of an empty one.
    """
    how = files_key([model_file(parser.name)]), raw, longest, k
    found: list[Parses] = []
    keys: list[str] = []
    for first in range(0, len(lines), SENTENCES_PER_STEP):
        part = lines[first : first + SENTENCES_PER_STEP]
        made = work.step("parses", ".txt.gz", hash_of(part), how)
        keys.append(made.key)
        if not made.done:
            words = [parser.words(line) if raw else line.split() for line in part]
            words = [own if len(own) <= longest else [] for own in words]
            parses = engine.counted("parses", parser.parses(words, k, engine), len(words), 256)
            write_pieces(map(_encoded, parses), made.path)
        found += map(parser.taken, _decoded(made.path))
    return found, hash_of([*keys, repr(parser.binarise)])


def _encoded(parses: Parses) -> bytes:
    """Log-probability and tree of each parse, one per line, and an empty line."""
    lines = "".join(f"{one.logprob!r}\t{one.tree}\n" for one in parses)
    return f"{lines}\n".encode("utf-8", "surrogatepass")


def _decoded(path: FilePath) -> Iterator[Parses]:
    own: Parses = []
    for number, line in read_text_lines(path):
        logprob, tab, tree = line.partition("\t")
        if tab:
            own.append(Parse(tree, float(logprob)))
        elif line:
            raise FormatError("is not a log-probability and a tree", path=path, line=number)
        else:
            yield own
            own = []


def read_sources(path: FilePath) -> Iterator[Tree]:
    """The trees of a file, one per sentence, each label with words below it."""
    for number, tree in enumerate(read_trees(path), 1):
        if lacks_words(str(tree)):
            raise FormatError(f"tree {number:,} has a label without words", path=path)
        yield tree


def read_parses(path: FilePath, texts: Sequence[str], parser: SourceParser) -> list[Parses]:
    """The parses of a file of trees, one for each of some texts; an error if they do not match."""
    parses = [[Parse(str(tree))] for tree in read_sources(path)]
    _check_parses(path, parses, texts)
    return list(map(parser.taken, parses))


def _check_parses(path: FilePath, parses: Sequence[Parses], texts: Sequence[str]) -> None:
    """Raise an error unless parses are those of texts: the same characters in the same order."""
    if len(parses) != len(texts):
        raise FormatError(f"has {len(parses):,} trees for {len(texts):,} lines of text", path=path)
    for number, ((parse, *_), text) in enumerate(zip(parses, texts, strict=True), 1):
        words = "".join(Tree.parse(parse.tree).words)
        if _letters(words) != _letters(text):
            raise FormatError(
                f"the tree does not match line {number:,} of its text: {words[:60]!r} is not "
                f"{text[:60]!r}",
                path=path,
                line=number,
            )


def _letters(text: str) -> str:
    """The characters of a text that tokenisation keeps: no spaces, no quotes."""
    kept = (c for c in text if c not in "\"'`“”‘’«»" and not c.isspace())
    return escape_brackets("".join(kept)).lower()
