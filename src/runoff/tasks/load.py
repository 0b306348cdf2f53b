"""Loading a model file, whatever kind of model it holds."""

from __future__ import annotations

from typing import Any

from runoff.data.files import FilePath
from runoff.errors import ModelError
from runoff.features.extract import AnyExtractors
from runoff.models import model_file
from runoff.store.file import load as load_file
from runoff.tasks.chunking.model import KIND as CHUNKER
from runoff.tasks.chunking.model import ChunkingModel
from runoff.tasks.names.model import KIND as NAMES
from runoff.tasks.names.model import NamesModel
from runoff.tasks.parsing.model import KIND as PARSER
from runoff.tasks.parsing.model import ParsingModel
from runoff.tasks.proofing.model import KIND as CONFUSABLES
from runoff.tasks.proofing.model import ConfusablesModel
from runoff.tasks.ranking.reranker import KIND as RERANKER
from runoff.tasks.ranking.reranker import Reranker
from runoff.tasks.tagging.model import KIND as TAGGER
from runoff.tasks.tagging.model import TaggingModel
from runoff.tasks.words.model import KIND as WORDS
from runoff.tasks.words.model import WordModel


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
