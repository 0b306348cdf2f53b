"""The parser as a component of spaCy: `nlp.add_pipe("runoff")`.

It needs spaCy (`pip install 'runoff[spacy]'`). Spans get the attributes that benepar gives them,
under the same names: `parse_string`, `labels`, `constituents`, `parent` and `children`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from runoff.data.sentence import Sentence
from runoff.data.text.sentences import split_sentences
from runoff.data.tree import Tree
from runoff.data.treebank.clean import TOPS
from runoff.errors import UsageError, import_extra
from runoff.models import DEFAULTS
from runoff.tasks.load import load
from runoff.tasks.parsing.model import ParsingModel

_language = import_extra("spacy.language", "spacy").Language
_tokens = import_extra("spacy.tokens", "spacy")

NAME = "runoff"
"""Of the component, and of what it leaves in `Doc.user_data`."""


class Component:
    """Parses the sentences of documents; spaCy's tokens are the words.

    Parameters
    ----------
    model : a model of `runoff train parsing`.
    tags : also set `Token.tag_`, where a document has none.
    """

    def __init__(self, model: ParsingModel, *, tags: bool) -> None:
        self.model, self.tags = model, tags

    def __call__(self, doc: Any) -> Any:
        """The document with the trees of its sentences."""
        if not doc.has_annotation("SENT_START"):
            _split(doc)
        tags = self.tags and not doc.has_annotation("TAG")
        spans = [_without_space(span) for span in doc.sents]
        words = [[_word(token.text) for token in span if not token.is_space] for span in spans]
        lists = self.model.lists([Sentence(tuple(one)) for one in words])
        trees: list[list[Any]] = []  # as it can be saved
        for span, nbest in zip(spans, lists, strict=True):
            tree = Tree.parse(nbest.candidates[0].output)
            if tree.words:
                trees.append([span.start, span.end, str(tree)])
                if tags:
                    leaves = tree.preterminals()
                    for token in (one for one in span if not one.is_space):
                        token.tag_ = next(leaves).label
        doc.user_data[NAME] = trees
        return doc


@_language.factory(NAME, default_config={"model": DEFAULTS["parse"], "tags": False})  # type: ignore[untyped-decorator]
def make(nlp: Any, name: str, model: str, tags: bool) -> Component:
    """The component; `model` is a file, or the name of a model that comes with Runoff."""
    found = load(model)
    if not isinstance(found, ParsingModel):
        raise UsageError(f"{model}: is a {found.kind!r} model, but a parser is needed")
    return Component(found, tags=tags)


def constituents(span: Any) -> Iterator[Any]:
    """The spans of the constituents of a span, larger ones first; chains of one span come once."""
    tree, places = _tree_of(span)
    seen = set()
    for node in tree.nodes():
        start, end = node.span
        if (start, end) not in seen:
            seen.add((start, end))
            yield span.doc[places[start] : places[end - 1] + 1]


def parse_string(span: Any) -> str:
    """The tree of a span in brackets, such as `(NP (DT the) (NN vote))`."""
    return str(_tree_of(span)[0])


def labels(span: Any) -> tuple[str, ...]:
    """The labels of the phrases over exactly this span, from the top; none for a single word."""
    tree, _ = _tree_of(span)
    same = (node for node in tree.nodes() if node.span == tree.span and not node.is_preterminal)
    return tuple(node.label for node in same)


def children(span: Any) -> Iterator[Any]:
    """The spans of the children of a constituent."""
    tree, places = _tree_of(span)
    while len(tree) == 1 and isinstance(tree[0], Tree):
        tree = tree[0]
    for child in tree:
        if isinstance(child, Tree):
            start, end = child.span
            yield span.doc[places[start] : places[end - 1] + 1]


def parent(span: Any) -> Any:
    """The smallest constituent that is larger than this one; None for a sentence."""
    (first, last), _ = _sentence_of(_without_space(span))
    whole = span.doc[first:last]
    larger = [
        one
        for one in constituents(whole)
        if one.start <= span.start and span.end <= one.end and len(one) > len(span)
    ]
    return min(larger, key=len, default=None)


for _name, _getter in (
    ("parse_string", parse_string),
    ("labels", labels),
    ("constituents", constituents),
    ("children", children),
    ("parent", parent),
):
    if not _tokens.Span.has_extension(_name):  # benepar may be there too
        _tokens.Span.set_extension(_name, getter=_getter)


def _sentence_of(span: Any) -> tuple[tuple[int, int], Tree]:
    """The place of the sentence that holds a span, and its tree."""
    trees = span.doc.user_data.get(NAME)
    if trees is None:
        raise UsageError("the document has no trees", hint='nlp.add_pipe("runoff")')
    for start, end, text in trees:
        if start <= span.start and span.end <= end:
            return (start, end), Tree.parse(text)
    raise UsageError(f"no sentence holds the span {span.text[:60]!r}")


def _tree_of(span: Any) -> tuple[Tree, list[int]]:
    """The constituent of a span, and the token of each word of its sentence."""
    span = _without_space(span)
    (start, end), tree = _sentence_of(span)
    places = [token.i for token in span.doc[start:end] if not token.is_space]
    asked = [n for n, place in enumerate(places) if span.start <= place < span.end]
    if len(tree) == 1 and tree.label in TOPS and isinstance(tree[0], Tree):
        tree = tree[0]
    for node in tree.nodes():
        if asked and node.span == (asked[0], asked[-1] + 1):
            return node, places
    raise UsageError(f"{span.text[:60]!r} is not a constituent")


def _split(doc: Any) -> None:
    """Let sentences begin where the text says; for pipelines that have nothing to say of it."""
    starts = [piece.start for piece in split_sentences(doc.text)]
    first = {next((token.i for token in doc if token.idx >= start), None) for start in starts}
    for token in doc:
        token.is_sent_start = token.i in first or token.i == 0


def _without_space(span: Any) -> Any:
    """The span without tokens of whitespace around it."""
    start, end = span.start, span.end
    while start < end and span.doc[start].is_space:
        start += 1
    while start < end and span.doc[end - 1].is_space:
        end -= 1
    return span.doc[start:end]


def _word(text: str) -> str:
    """A token as a tree can hold it."""
    return "".join("�" if c.isspace() else c for c in text)
