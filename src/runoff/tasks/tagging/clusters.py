"""Clusters of words from files of plain text, as a step of training."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from runoff.data.files import FilePath
from runoff.data.text.read import read_texts
from runoff.data.text.tokens import keep_hyphens
from runoff.engine import Engine
from runoff.errors import UsageError
from runoff.fitting.run import Run, resumable
from runoff.learners.clusters import WordClusters, learn_clusters
from runoff.pipeline.work_folder import StepResult, WorkFolder, files_key
from runoff.store.file import checking, load, save

KIND = "clusters"

REVISION = 1
"""Raise it when other clusters are learned than before."""


def check_text(files: Sequence[FilePath]) -> None:
    """Refuse standard input as text for clusters."""
    if "-" in files:
        raise UsageError("text for clusters is read twice, so it cannot come from stdin")


def text_clusters(
    files: Sequence[FilePath],
    sentences: Iterable[Sequence[str]],
    *,
    work: WorkFolder,
    engine: Engine,
) -> StepResult | None:
    """The clusters of the words of files; None without files.

    Parameters
    ----------
    sentences : words of training sentences; the text is cut into words as they are.
    """
    if not files:
        return None
    names, hyphens = [Path(file).name for file in files], keep_hyphens(sentences)
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
