"""Training of kernel perceptrons: in slices, from a state that can be kept and resumed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.data.numbering import offsets_of
from runoff.fitting.record import record_columns, record_rows
from runoff.learners.kernels.kernel import Kernel
from runoff.learners.kernels.mistakes import Support
from runoff.problem.problem import Integers, RankingProblem
from runoff.store.file import Arrays

SECONDS_PER_SLICE = 0.5
"""Lists are learned from in slices; progress and checkpoints lie between them."""

CHUNKS, LISTS_FOR_CHUNKS = 6, 6_000
"""The default number of perceptrons, and the number of lists from which it applies; below, one."""


class KernelTraining:
    """Several kernel perceptrons, each with a part of the lists, trained list after list.

    Its state is what was picked by mistake at every step, -1 for none, and how many steps each
    perceptron has done.

    Parameters
    ----------
    lists : of the problem, as native code takes them.
    beta, epochs, chunks, seed : see `runoff.learners.kernels.ranker.KernelRanker`.
    """

    def __init__(
        self,
        kernel: Kernel,
        problem: RankingProblem,
        lists: _native.TreeLists,
        *,
        beta: float,
        epochs: int,
        chunks: int,
        seed: int,
        threads: int,
    ) -> None:
        self.problem, self.threads, self.epochs = problem, threads, epochs
        self.best = problem.best()
        order = problem.canonical_order()
        filled = order[np.diff(problem.list_offsets)[order] > 0]
        chunks = chunks or (CHUNKS if len(filled) >= LISTS_FOR_CHUNKS else 1)
        parts = np.array_split(filled, min(chunks, max(1, len(filled))))
        self.sizes = np.array([len(part) for part in parts])
        self.order = np.concatenate([self._passes(part, seed) for part in parts])
        self.starts = offsets_of(self.sizes * self.epochs)
        self.picks = np.full(len(self.order), -1, dtype=np.int64)
        self.done = np.zeros(len(parts), dtype=np.int64)
        self.native = _native.KernelPerceptrons(
            lists,
            problem.known_qualities(),
            self.best,
            kernel.kind,
            kernel.lam,
            beta,
            self.order,
            self.starts,
        )

    def _passes(self, part: Integers, seed: int) -> Integers:
        """The lists that one perceptron visits, all passes one after the other."""
        shuffle, passes = np.empty(len(part), dtype=np.int64), []
        for number in range(self.epochs):
            _native.shuffled((seed << 20) + number, shuffle)
            passes.append(part[shuffle])
        return np.concatenate(passes)

    @property
    def steps(self) -> int:
        """The number of steps in all passes together."""
        return len(self.order)

    def epoch(self, number: int) -> Iterator[int]:
        """Go to the end of a pass, in slices; yields the steps done after each."""
        limits = self.sizes * number
        while (self.done < limits).any():
            slices = (SECONDS_PER_SLICE, self.threads)
            self.native.run(limits, self.done, self.picks, *slices)
            yield int(self.done.sum())

    def figures(self, number: int) -> dict[str, float]:
        """The figures of a pass for the training record."""
        wrong = sum(
            (self.picks[start : start + size * number][size * (number - 1) :] >= 0).sum()
            for start, size in zip(self.starts[:-1], self.sizes, strict=True)
        )
        return {"epoch": float(number), "wrong": float(wrong), "subtrees": float(self.native.nodes)}

    def state(self, record: list[dict[str, float]]) -> Callable[[], dict[str, NDArray[Any]]]:
        """What to resume from; later steps do not change it."""
        done, picks = self.done.copy(), self.picks
        return lambda: {"done": done, "picks": picks.copy()} | record_columns(record)

    def resume(self, kept: Arrays) -> list[dict[str, float]]:
        """Go to the state of an earlier run, if there is one; the record of its passes."""
        if kept:
            self.done[:], self.picks[:] = kept["done"], kept["picks"]
            self.native.replay(self.done, self.picks)
        return record_rows(kept)

    def support(self, number: int) -> Support:
        """The updates of the first passes."""
        mistakes = []
        for start, size in zip(self.starts[:-1], self.sizes * number, strict=True):
            picks = self.picks[start : start + size]
            steps = np.flatnonzero(picks >= 0)
            lists = self.order[start + steps]
            firsts = self.problem.list_offsets[lists]
            survivals = np.diff(np.concatenate([[0], steps, [size]])).astype(np.float64)
            mistakes.append((firsts + self.best[lists], firsts + picks[steps], survivals))
        return Support.of_mistakes(self.problem, mistakes)
