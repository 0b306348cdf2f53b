"""Trees with the tags that a tagger gives their words, for parsers that learn from these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from runoff.data.sentence import Sentence
from runoff.data.text.read import tagged_words
from runoff.data.tree import Tree, read_trees, write_trees
from runoff.engine import ALONE
from runoff.pipeline.work_folder import StepResult
from runoff.tasks.tagging.model import TaggingModel
from runoff.tasks.tagging.train import tagger_step


def retagged(trees: Sequence[Tree], tagger: TaggingModel) -> list[Tree]:
    """The trees with the tags that a tagger gives their words."""
    tags = iter(tagger.tagger.tag_all([Sentence(tree.words) for tree in trees]))
    made = []
    for tree in trees:
        flat, own = tree.flat(), iter(next(tags))
        pairs = enumerate(zip(flat.labels, flat.ends, strict=True))
        labels = [next(own) if end == node + 1 else label for node, (label, end) in pairs]
        made.append(Tree._view(flat._replace(labels=tuple(labels))))
    return made


class RetagJob(NamedTuple):
    """A job that gives the trees of a fold the tags of a tagger that has not seen them.

    Parameters
    ----------
    trees : file of all training trees.
    inside : which are in the fold.
    tagger : of the other folds, trained where it is missing, with `options`.
    made : the file to write.
    """

    trees: Path
    inside: range
    tagger: StepResult
    options: Mapping[str, Any]
    made: StepResult


def retag_fold(job: RetagJob) -> None:
    """Write the trees of a fold."""
    trees = list(read_trees(job.trees))
    outside = (tagged_words(tree) for n, tree in enumerate(trees) if n not in job.inside)
    tagger = tagger_step(job.tagger, outside, None, job.options, ALONE)
    write_trees(retagged([trees[n] for n in job.inside], tagger), job.made.path)
