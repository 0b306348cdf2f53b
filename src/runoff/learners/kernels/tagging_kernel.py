"""The learner `tagging-kernel`: Collins & Duffy 2002, section 5."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from runoff.learners.kernels.kernel import Kernel, tagging_kind
from runoff.learners.kernels.ranker import KernelRanker


@dataclass(kw_only=True)
class TaggingKernel(KernelRanker):
    """Learns from all fragments of tagged sentences.

    A fragment is a run of tags, each alone or with its word or the shape of its word; see
    `runoff.kernels.tagging`.

    Parameters
    ----------
    shapes : whether words of the same shape share fragments, the last refinement of section 5;
        `no` gives the plain kernel, in which only words do.

    Examples
    --------
    >>> import runoff as ro
    >>> heard = [ro.Candidate(["O", "O"], -0.1), ro.Candidate(["B", "O"], -0.2)]
    >>> lists = [ro.NBest(i, ["Ann", "won"], heard, gold=["B", "O"]) for i in range(3)]
    >>> model = ro.fit(lists, learner="tagging-kernel", features="tagging", metric="exact")
    >>> model.rerank(lists)[0].candidates[0].output
    ['B', 'O']
    """

    shapes: bool = True

    name: ClassVar[str] = "tagging-kernel"
    kind: ClassVar[str] = "tagging"

    @property
    def kernel(self) -> Kernel:
        """The kernel with its parameters, which may not know shapes."""
        return super().kernel._replace(kind=tagging_kind(shapes=self.shapes))
