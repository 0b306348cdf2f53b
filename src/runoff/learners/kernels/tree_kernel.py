"""The learner `tree-kernel`: Collins & Duffy 2002, section 3."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from runoff.learners.kernels.ranker import KernelRanker


@dataclass(kw_only=True)
class TreeKernel(KernelRanker):
    """Learns from all fragments of trees.

    A fragment is a part of a tree, of one production or more, that has a node's children all or
    not at all; see `runoff.kernels.tree`.

    Examples
    --------
    >>> import runoff as ro
    >>> heard = [ro.Candidate("(S (NP (VP a b)))", -0.9), ro.Candidate("(S (NP a) (VP b))", -1.0)]
    >>> lists = [ro.NBest(i, None, heard, gold="(S (NP a) (VP b))") for i in range(3)]
    >>> model = ro.fit(lists, learner="tree-kernel", features="tree", metric="exact")
    >>> model.rerank(lists)[0].candidates[0].output, len(model.ranker.support().better)
    ('(S (NP a) (VP b))', 1)
    """

    name: ClassVar[str] = "tree-kernel"
    kind: ClassVar[str] = "tree"
