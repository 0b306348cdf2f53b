"""Boosting: feature selection that minimises ExpLoss or LogLoss (Collins & Koo 2005).

The log-probability gets its weight first, solved exactly; the paper found this step crucial. Then
every round changes the weight of the one feature that lowers the loss most. Only the features that
meet it in some pair have to be looked at again (Figure 4), so that 100,000 rounds cost some dozens
of passes over the data.
"""

from __future__ import annotations

import math
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.errors import UsageError, check_at_least
from runoff.fitting.record import FOR_PLOTS
from runoff.fitting.run import ALONE, Run
from runoff.learners.base import LinearRanker, check_present_or_absent, native_limits
from runoff.learners.boosting.dev_curve import DevCurve, dev_curves
from runoff.learners.boosting.history import Rounds
from runoff.learners.boosting.logprob_weight import exp_loss_weight, log_loss_weight
from runoff.problem.problem import Floats, RankingProblem

ROUNDS_PER_SLICE = 4096
UPDATES_PER_SLICE = 1 << 25
"""Rounds are done in slices of a fraction of a second; progress and checkpoints lie between."""


@dataclass(kw_only=True)
class Boosting(LinearRanker, ABC):
    """What boosting on ExpLoss and on LogLoss share.

    Parameters
    ----------
    rounds : how many to do. With development lists, the number that does best on them is kept, the
        lowest of equals.
    smoothing : epsilon of equation 17, a share of the loss that is added to both sides before a
        weight is set, against overtraining. Development lists choose among several.
    """

    rounds: int = 10_000
    smoothing: tuple[float, ...] = (0.0025,)

    name: ClassVar[str]
    loss: ClassVar[str]
    takes_values: ClassVar[bool] = False

    rounds_: dict[float, Rounds] = field(init=False, repr=False, compare=False)

    def check(self, *, with_dev: bool = True) -> None:
        """Raise an error for options that make no sense."""
        check_at_least(1, rounds=self.rounds)
        if not self.smoothing or not all(0 < epsilon < math.inf for epsilon in self.smoothing):
            given = ",".join(f"{epsilon:g}" for epsilon in self.smoothing)
            raise UsageError(f"smoothing must be positive, e.g. 0.001,0.0025; not {given!r}")
        if len(set(self.smoothing)) > 1 and not with_dev:
            raise UsageError(
                "several values of smoothing are compared on development lists",
                hint="give --dev, or one value",
            )

    def fit(
        self, problem: RankingProblem, dev: RankingProblem | None = None, *, run: Run = ALONE
    ) -> Self:
        """Learn from lists with qualities; memory is 6 bytes per feature that differs in a pair."""
        self.check(with_dev=dev is not None)
        for lists in (problem, dev):
            if lists is not None:
                check_present_or_absent(self.name, lists)
        with native_limits():
            index = _native.PairIndex(
                problem.native, problem.known_qualities(), problem.best(), problem.let_go
            )
        self.logprob_weight_, exponents = self._start(problem, index)
        problem.let_go()
        index.invert()
        curve_of = None if dev is None else dev_curves(dev, self.logprob_weight_)

        @native_limits()
        def begin(smoothing: float) -> _Trainer:
            curve = None if curve_of is None else curve_of()
            booster = _native.Booster(index, self.loss, exponents, smoothing)
            return _Trainer(booster, curve, self.rounds)

        self.rounds_ = _Grid(self.name, self.smoothing, begin, run).train()
        self._choose(problem.n_features, index.entries, dev is not None)
        return self

    @abstractmethod
    def _start(self, problem: RankingProblem, index: _native.PairIndex) -> tuple[float, Floats]:
        """a0, and log S - M of every pair."""

    def _choose(self, n_features: int, entries: int, with_dev: bool) -> None:
        """Take the weights of the best smoothing and round; write the record."""
        best = {s: rounds.best() if with_dev else rounds.done for s, rounds in self.rounds_.items()}
        chosen = max(best, key=lambda s: self.rounds_[s].quality(best[s]) if with_dev else 0.0)
        self.weights_ = self.rounds_[chosen].weights(best[chosen], n_features)
        self.record_ = {"curve": []}
        for smoothing, rounds in self.rounds_.items():
            self.record_["curve"] += rounds.curve(smoothing, entries, with_dev)
        if with_dev:
            self.record_["smoothing"] = [
                {"smoothing": s, "best round": float(n), **self.rounds_[s].compared(n)}
                for s, n in best.items()
            ]
            self.record_[FOR_PLOTS] = [
                {"smoothing": s, **row} for s in best for row in self.rounds_[s].drawn()
            ]
        self.record_["savings"] = self.rounds_[chosen].savings(entries)


@dataclass(kw_only=True)
class ExpLoss(Boosting):
    """Boosting on the sum over pairs of S exp(-M) (Collins & Koo 2005, Figure 4).

    Parameters
    ----------
    weighted : S is how much worse the candidate is than the best one; otherwise all are 1
        (Table 3).
    """

    weighted: bool = True

    name: ClassVar[str] = "exp-loss"
    loss: ClassVar[str] = "exp"

    def _start(self, problem: RankingProblem, index: _native.PairIndex) -> tuple[float, Floats]:
        gaps, log_s = np.zeros(index.pairs), np.zeros(index.pairs)
        index.differences(problem.logprobs, gaps)
        if self.weighted:
            index.differences(problem.known_qualities(), log_s)
            np.log(log_s, out=log_s)
        a0 = exp_loss_weight(gaps, log_s)
        gaps *= -a0
        gaps += log_s
        return a0, gaps


@dataclass(kw_only=True)
class LogLoss(Boosting):
    """Boosting on the sum over lists of log(1 + sum of exp(-M)) (Collins & Koo 2005, appendix B).

    A round is guaranteed to lower the loss by the gain it was chosen for.
    """

    name: ClassVar[str] = "log-loss"
    loss: ClassVar[str] = "log"

    def _start(self, problem: RankingProblem, index: _native.PairIndex) -> tuple[float, Floats]:
        gaps, starts = np.zeros(index.pairs), np.zeros(index.groups, dtype=np.int64)
        index.differences(problem.logprobs, gaps)
        index.starts(starts)
        a0 = log_loss_weight(gaps, starts)
        return a0, -a0 * gaps


class _Trainer:
    """Does rounds in slices."""

    def __init__(self, booster: _native.Booster, curve: DevCurve | None, planned: int) -> None:
        self.booster, self.curve = booster, curve
        self.rounds = Rounds.planned(planned, 0.0 if curve is None else curve.quality)
        self.planned = planned

    def resume(self, kept: dict[str, NDArray[Any]]) -> None:
        features, deltas = np.array(kept["features"]), np.array(kept["deltas"])
        self.booster.replay(features, deltas, float(kept["scale"][0]))
        if self.curve is not None:
            self.curve.native.replay(features, deltas)
        self.rounds.take(kept)

    def do_some(self) -> bool:
        """Do some rounds; False if there are no more to do."""
        rounds, now = self.rounds, slice(self.rounds.done, self.rounds.done + ROUNDS_PER_SLICE)
        size = len(rounds.features[now])
        totals = np.zeros(0) if self.curve is None else self.curve.room(size)
        done = self.booster.run(
            None if self.curve is None else self.curve.native,
            rounds.features[now],
            rounds.deltas[now],
            rounds.updates[now],
            rounds.losses[now],
            totals,
            UPDATES_PER_SLICE,
        )
        if self.curve is not None:
            rounds.qualities[now][:done] = self.curve.qualities(totals, done)
        rounds.done += done
        return done > 0

    def state(self) -> Callable[[], dict[str, NDArray[Any]]]:
        """What to resume from; later rounds do not change it."""
        done, scale = self.rounds.done, np.array([self.booster.scale])
        return lambda: {**self.rounds.columns(0, done), "scale": scale}


class _Grid:
    """Trains with each smoothing, several at a time; the pair index is shared."""

    def __init__(
        self,
        name: str,
        smoothings: tuple[float, ...],
        begin: Callable[[float], _Trainer],
        run: Run,
    ) -> None:
        self.name, self.begin, self.run = name, begin, run
        self.smoothings = list(dict.fromkeys(smoothings))
        self.kept = run.saved()
        self.states: dict[str, Callable[[], dict[str, NDArray[Any]]]] = {}
        self.lock, self.stop = threading.Lock(), threading.Event()

    def train(self) -> dict[float, Rounds]:
        """The rounds of each smoothing."""
        if self.run.threads == 1 or len(self.smoothings) == 1:
            return {smoothing: self._train(smoothing) for smoothing in self.smoothings}
        with ThreadPoolExecutor(self.run.threads) as threads:
            try:
                return dict(
                    zip(self.smoothings, threads.map(self._train, self.smoothings), strict=True)
                )
            except BaseException:  # an interrupt, too: the others stop after their slice
                self.stop.set()
                raise

    def _train(self, smoothing: float) -> Rounds:
        trainer = self.begin(smoothing)
        prefix = f"{smoothing!r} "
        kept = {k.removeprefix(prefix): v for k, v in self.kept.items() if k.startswith(prefix)}
        if kept:
            trainer.resume(kept)
        began, before = time.monotonic(), trainer.rounds.done
        while not self.stop.is_set() and trainer.do_some():
            speed = (trainer.rounds.done - before) / max(1e-9, time.monotonic() - began)
            self._after_slice(smoothing, prefix, trainer, speed)
        with self.lock:
            self.states[prefix] = trainer.state()
        return trainer.rounds

    def _after_slice(self, smoothing: float, prefix: str, trainer: _Trainer, speed: float) -> None:
        rounds = trainer.rounds
        figures = {"loss": float(rounds.losses[rounds.done - 1]), "rounds/s": speed}
        if trainer.curve is not None:
            figures["dev quality"] = rounds.quality(rounds.done)
        stage = f"{self.name}, smoothing {smoothing:g}"
        with self.lock:
            self.states[prefix] = trainer.state()
            states = dict(self.states)
            self.run.keep(
                lambda: {p + name: a for p, state in states.items() for name, a in state().items()}
            )
            self.run.report(stage, rounds.done, trainer.planned, **figures)
