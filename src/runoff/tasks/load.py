"""Loading a model file, whatever kind of model it holds."""

from __future__ import annotations

from typing import Any

from runoff.data.files import FilePath
from runoff.errors import ModelError
from runoff.features.extract import AnyExtractors
from runoff.store import load as load_file
from runoff.tasks.chunking import KIND as CHUNKER
from runoff.tasks.chunking import ChunkingModel
from runoff.tasks.confusables import KIND as CONFUSABLES
from runoff.tasks.confusables import ConfusablesModel
from runoff.tasks.names import KIND as NAMES
from runoff.tasks.names import NamesModel
from runoff.tasks.parsing import KIND as PARSER
from runoff.tasks.parsing import ParsingModel
from runoff.tasks.reranker import KIND as RERANKER
from runoff.tasks.reranker import Reranker
from runoff.tasks.shipped import model_file
from runoff.tasks.tagging import KIND as TAGGER
from runoff.tasks.tagging import TaggingModel
from runoff.tasks.words import KIND as WORDS
from runoff.tasks.words import WordModel


def load(path: FilePath, *, features: AnyExtractors = ()) -> Any:
    """The model of a file: a `Reranker`, `ParsingModel`, `ChunkingModel`, `NamesModel`,
    `TaggingModel`, `WordModel` or `ConfusablesModel`.

    Loading one never runs code.

    Parameters
    ----------
    path : the file, or the name of a model that comes with Runoff.
    features : extractors of your own that a reranker names and that may be imported.

    Examples
    --------
    >>> import runoff as ro
    >>> lists = [ro.NBest(1, None, [ro.Candidate("a", -1.0), ro.Candidate("b", -2.0)], gold="b")]
    >>> ro.fit(lists, metric="exact", min_lists=1).save("letters.runoff")
    >>> ro.load("letters.runoff").rerank(lists)[0].candidates[0].output
    'b'
    """
    path = model_file(path)
    kind = load_file(path).kind
    if kind == RERANKER:
        return Reranker.load(path, features)
    if kind == PARSER:
        return ParsingModel.load(path)
    if kind == CHUNKER:
        return ChunkingModel.load(path)
    if kind == NAMES:
        return NamesModel.load(path)
    if kind == TAGGER:
        return TaggingModel.load(path)
    if kind == WORDS:
        return WordModel.load(path)
    if kind == CONFUSABLES:
        return ConfusablesModel.load(path)
    raise ModelError(f"holds a {kind!r}, which is no model that can be used", path=path)


def load_tagger(path: FilePath) -> TaggingModel:
    """The tagger of a file, or that of a parser."""
    if load_file(path).kind == PARSER:
        return ParsingModel.load(path).tagger
    return TaggingModel.load(path)
