"""Fits that are broken off somewhere, as by a kill, and go on from their checkpoint."""

import contextlib

from hypothesis import strategies as st

from runoff.fitting.run import Checkpoint, Run
from runoff.problem.space import FeatureSpace
from runoff.tasks.ranking.reranker import Reranker


class BrokenOff(Exception):
    """Stands for a process that is killed."""


def whole_and_resumed(make, problem, data, path):
    """The ranker of a fit without interruption, and of one that was broken off at some step."""
    steps = []
    whole = make().fit(problem, problem, run=Run(progress=steps.append))
    left = data.draw(st.integers(0, len(steps)))

    def break_off(step):
        nonlocal left
        left -= 1
        if left < 0:
            raise BrokenOff

    kept = Checkpoint(path, "this fit", seconds=0.0)
    with contextlib.suppress(BrokenOff):
        make().fit(problem, problem, run=Run(progress=break_off, checkpoint=kept))
    again = Run(checkpoint=Checkpoint(path, "this fit"))
    return whole, make().fit(problem, problem, run=again)


def file_bytes(ranker, n_features, path):
    """The bytes of the model file of a ranker: header, record and arrays."""
    space = FeatureSpace([f"feature {number:03}" for number in range(n_features)])
    Reranker(ranker, space, [], {"logprobs": True}).save(path)
    return path.read_bytes()
