"""Loading and training models of every task."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

from runoff.data.files import FilePath
from runoff.data.inputs import keeping_inputs
from runoff.engine import ALONE, AnyEngine
from runoff.errors import ModelError, UsageError, unknown_choice
from runoff.features.extract import AnyExtractors
from runoff.models import model_file
from runoff.pipeline.options import plan_from
from runoff.store.file import load as load_file
from runoff.tasks import TASKS, task_of
from runoff.tasks.ranking.reranker import KIND as RERANKER
from runoff.tasks.ranking.reranker import Reranker
from runoff.tasks.tagging.model import TaggingModel

if TYPE_CHECKING:
    from runoff.tasks.chunking.model import ChunkingModel
    from runoff.tasks.parsing.model import ParsingModel
    from runoff.tasks.proofing.model import ConfusablesModel
    from runoff.tasks.words.model import WordModel

Model = TypeVar("Model")


@overload
def load(path: Literal["english"], *, map: bool = True) -> ParsingModel: ...
@overload
def load(path: Literal["english-chunks"], *, map: bool = True) -> ChunkingModel: ...
@overload
def load(path: Literal["english-words"], *, map: bool = True) -> WordModel: ...
@overload
def load(path: Literal["confusables"], *, map: bool = True) -> ConfusablesModel: ...
@overload
def load(
    path: FilePath, kind: type[Model], *, features: AnyExtractors = (), map: bool = True
) -> Model: ...
@overload
def load(path: FilePath, *, features: AnyExtractors = (), map: bool = True) -> Any: ...


def load(
    path: FilePath,
    kind: type[Any] | None = None,
    *,
    features: AnyExtractors = (),
    map: bool = True,
) -> Any:
    """The model of a file: a `Reranker`, or the model of one of `runoff.tasks.TASKS`.

    Loading one never runs code.

    Parameters
    ----------
    path : the file, or the name of a model that comes with Runoff.
    kind : the class that the model must be of, such as `ro.Reranker`; type checkers then know it.
    features : extractors of your own that a reranker names and that may be imported.
    map : whether the file is memory-mapped, so that of a large model only what is used is read. A
        mapped file may be replaced or deleted while the model is in use, but the system ends a
        process whose mapped file is written to in place and becomes shorter. False reads all of
        the file now.

    Examples
    --------
    >>> import runoff as ro
    >>> lists = [ro.NBest(1, None, [ro.Candidate("a", -1.0), ro.Candidate("b", -2.0)], gold="b")]
    >>> ro.fit(lists, metric="exact", min_lists=1).save("letters.runoff")
    >>> ro.load("letters.runoff").rerank(lists)[0].candidates[0].output
    'b'
    """
    path = model_file(path)
    found = _loaded(path, features, map)
    if kind is not None and not isinstance(found, kind):
        problem = f"is of the class {type(found).__name__}; {kind.__name__} is needed"
        raise ModelError(problem, path=path)
    return found


def _loaded(path: FilePath, features: AnyExtractors, map: bool) -> Any:
    kind = load_file(path).kind
    if kind == RERANKER:
        return Reranker.load(path, features, map=map)
    task = task_of(kind)
    if task is None:
        raise ModelError(f"is a {kind!r} file, not a model that can be used", path=path)
    return task.model_class.load(path, map=map)


def load_ranker(path: FilePath, features: AnyExtractors = ()) -> Reranker:
    """The ranker of a file, or that of a model that has one, such as a parser."""
    model = load(path, features=features)
    found = ranker_of(model)
    if found is None:
        raise UsageError(f"{path}: this model has no ranker")
    return found


def ranker_of(model: Any) -> Reranker | None:
    """The ranker that a model is, or the one that decides in it; None if it has none."""
    found = model if isinstance(model, Reranker) else getattr(model, "last_ranker", None)
    return found if isinstance(found, Reranker) else None


def load_tagger(path: FilePath) -> TaggingModel:
    """The tagger of a file, or that of a parser."""
    if load_file(path).kind == TASKS["parsing"].kind:
        tagger: TaggingModel = load(path).tagger
        return tagger
    return TaggingModel.load(path)


@keeping_inputs()
def train(
    task: str,
    train: Any,
    dev: Any = None,
    *,
    work: FilePath | None = None,
    engine: AnyEngine = ALONE,
    **options: Any,
) -> Any:
    """A model of a task, trained on annotated examples.

    Parameters
    ----------
    task : one of `runoff.tasks.TASKS`, e.g. `parsing`.
    train, dev : files, or examples; `dev` makes choices and tells how well the model does.
    work : folder in which the results of the steps are kept, so that training that was killed
        resumes from there.
    engine : what trains: a number of workers, or an `Engine`; the result does not depend on it.
    options : of the task's plan; `runoff train TASK --show` prints them.

    Examples
    --------
    >>> import runoff as ro
    >>> from pathlib import Path
    >>> _ = Path("rhyme.txt").write_text("row row row your boat gently down the stream " * 2)
    >>> model = ro.train("words", "rhyme.txt", left=1, right=0)
    >>> model.predict("row your ___")[0].candidates[0].output
    'boat'
    """
    if task not in TASKS:
        raise unknown_choice("task", task, TASKS)
    module = TASKS[task].module("train")
    plan = plan_from(module.Plan, options)
    return module.train(train, dev, plan=plan, work=work, engine=engine)
