"""Clusters of words from files of plain text, as a step of training."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from runoff.data.files import FilePath
from runoff.data.text.read import read_texts
from runoff.engine import Engine
from runoff.fitting.run import Run, resumable
from runoff.learners.clusters import WordClusters, learn_clusters
from runoff.pipeline.work_folder import StepResult, WorkFolder, files_key
from runoff.store.file import checking, load, save

KIND = "clusters"

REVISION = 1
"""Raise it when other clusters are learned than before."""


def text_clusters(
    files: Sequence[FilePath], *, hyphens: bool, work: WorkFolder, engine: Engine
) -> StepResult:
    """The clusters of the words of files.

    Parameters
    ----------
    files, hyphens : see `runoff.data.text.read.read_texts`.
    """
    names = [Path(file).name for file in files]
    made = work.step("clusters", ".runoff", files_key(files), names, hyphens, REVISION)
    if not made.done:
        with resumable(Run(progress=engine.progress), made.checkpoint, made.key) as kept:
            clusters = learn_clusters(_sentences(files, hyphens), run=kept)
        about = {
            "text": names,
            "tokens": clusters.tokens,
            "words": len(clusters.paths),
            "classes": len(clusters.clusters),
        }
        save(made.path, KIND, about, clusters.arrays())
    return made


def load_clusters(made: StepResult) -> tuple[WordClusters, dict[str, Any]]:
    """The clusters of a step, and what they were learned from."""
    _, header, arrays = load(made.path, kind=KIND)
    with checking(made.path):
        return WordClusters.from_arrays(arrays), header


def _sentences(files: Sequence[FilePath], hyphens: bool) -> Iterator[tuple[str, ...]]:
    for file in files:
        yield from (sentence.words for sentence in read_texts(file, hyphens=hyphens))
