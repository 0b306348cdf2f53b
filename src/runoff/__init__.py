"""Runoff picks the best of a list, and says why.

    import runoff as ro

    reranker = ro.fit("train.jsonl", dev="dev.jsonl", metric="wer")
    reranker.save("speech.runoff")
    for nbest in ro.rerank(reranker, ro.read_nbest("test.jsonl")):
        print(nbest.candidates[0].output)

Names are imported when they are first used, so that `import runoff` stays quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from runoff import search as search
    from runoff.data.formats import read_nbest as read_nbest
    from runoff.data.formats import write_nbest as write_nbest
    from runoff.data.frames import to_frame as to_frame
    from runoff.data.lists import from_frame as from_frame
    from runoff.data.nbest import Candidate as Candidate
    from runoff.data.nbest import NBest as NBest
    from runoff.data.tree import Tree as Tree
    from runoff.data.tree import read_trees as read_trees
    from runoff.errors import RunoffError as RunoffError
    from runoff.features.extract import extractor as extractor
    from runoff.learners.kernels import kernel as kernels
    from runoff.metrics import metric as metric
    from runoff.tasks.load import load as load
    from runoff.tasks.load import train as train
    from runoff.tasks.ranking.evaluate import evaluate as evaluate
    from runoff.tasks.ranking.fit import fit as fit
    from runoff.tasks.ranking.flip import flip as flip
    from runoff.tasks.ranking.rerank import rerank as rerank
    from runoff.tasks.ranking.reranker import Reranker as Reranker
    from runoff.tasks.ranking.why import why as why

_PLACES = {
    "Candidate": "runoff.data.nbest",
    "NBest": "runoff.data.nbest",
    "Reranker": "runoff.tasks.ranking.reranker",
    "RunoffError": "runoff.errors",
    "Tree": "runoff.data.tree",
    "evaluate": "runoff.tasks.ranking.evaluate",
    "extractor": "runoff.features.extract",
    "fit": "runoff.tasks.ranking.fit",
    "flip": "runoff.tasks.ranking.flip",
    "from_frame": "runoff.data.lists",
    "load": "runoff.tasks.load",
    "metric": "runoff.metrics",
    "read_nbest": "runoff.data.formats",
    "read_trees": "runoff.data.tree",
    "rerank": "runoff.tasks.ranking.rerank",
    "to_frame": "runoff.data.frames",
    "train": "runoff.tasks.load",
    "why": "runoff.tasks.ranking.why",
    "write_nbest": "runoff.data.formats",
}

_MODULES = {"kernels": "runoff.learners.kernels.kernel", "search": "runoff.search"}

__all__ = [*_PLACES, "kernels", "search"]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(_MODULES[name])
    if name not in _PLACES:
        raise AttributeError(f"module 'runoff' has no attribute {name!r}")
    value = getattr(import_module(_PLACES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
