"""Steps between the lists of a tagger and their rankers: margins, and what the stages see.

Training is honest throughout. The features of a training sentence come from statistics, and the
winners of its neighbours from rankers, that have not seen its document's fold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice, pairwise

import msgspec
import numpy as np

from runoff.data.files import open_output, read_whole
from runoff.data.formats import read_nbest, write_nbest
from runoff.data.nbest import NBest
from runoff.data.sentence import Sentence
from runoff.engine import Engine
from runoff.features.names.statistics import NameStatistics
from runoff.fitting.run import Run
from runoff.learners import make_ranker
from runoff.pipeline.folds import document_folds
from runoff.pipeline.plan import RankerPlan
from runoff.pipeline.work_folder import StepResult, WorkFolder
from runoff.tasks.names.earlier import scores_of
from runoff.tasks.names.elsewhere import Looking, next_stage
from runoff.tasks.names.margins import LARGEST, Margins
from runoff.tasks.names.model import NamesModel
from runoff.tasks.names.stages import Scores, Stage, margin_of, with_inside
from runoff.tasks.ranking.reranker import Reranker
from runoff.tasks.tagging.steps import METRIC, Prepared

MARGINS_REVISION = 1
STAGES_REVISION = 2
CLUSTERS_REVISION = 2
"""Raise them when margins, or what stages see, are found in another way."""


@dataclass(frozen=True)
class ListSteps:
    """Makes lists from lists, as steps of a training."""

    work: WorkFolder
    engine: Engine
    plan: RankerPlan

    def cut_by_margin(self, prepared: Prepared) -> Prepared:
        """The lists with as many candidates as their margins ask for."""
        if prepared.train is None:
            return prepared
        made = self.work.step("margins", ".json.gz", prepared.train.key, MARGINS_REVISION)
        if not made.done:
            self.engine.tell("margins")
            found = Margins.of(read_nbest(prepared.train.path))
            with open_output(made.path) as stream:
                stream.write(msgspec.json.encode(found))
        cut = partial(map, read_margins(made).cut)
        train = self._lists("train-cut", prepared.train, cut, made.key)
        dev = prepared.dev and self._lists("dev-cut", prepared.dev, cut, made.key)
        return prepared._replace(train=train, dev=dev, margins=made)

    def with_inside(self, prepared: Prepared, number: int, stage: Stage) -> Prepared:
        """The lists with what sentences alone show; statistics of a fold come from the others."""
        if prepared.train is None or not stage.inside:
            return prepared
        sentences, folds = prepared.corpus.sentences, self.folds(prepared)

        def train(lists: Iterable[NBest]) -> Iterator[NBest]:
            given = iter(lists)
            for inside in folds:
                others = sentences[: inside.start] + sentences[inside.stop :]
                statistics = statistics_of(others, stage.inside)
                for _ in inside:
                    yield with_inside(next(given), statistics, stage.inside)

        def dev(lists: Iterable[NBest]) -> Iterator[NBest]:
            statistics = statistics_of(sentences, stage.inside)
            return (with_inside(nbest, statistics, stage.inside) for nbest in lists)

        key = (prepared.corpus.key, folds, stage, STAGES_REVISION)
        made = self._lists(f"train-inside-{number}", prepared.train, train, *key)
        judges = prepared.dev and self._lists(f"dev-inside-{number}", prepared.dev, dev, *key)
        return prepared._replace(train=made, dev=judges)

    def train_scores(self, prepared: Prepared, number: int) -> StepResult:
        """The scores of a stage on training lists, each by a ranker that has not seen its fold."""
        train, dev = prepared.train, prepared.dev
        assert train is not None
        folds = self.folds(prepared)
        how = (self.plan.extractors, self.plan.learner, sorted(self.plan.ranker_options.items()))
        cut_offs = sorted(self.plan.cut_offs.items())
        key = (train.key, dev and dev.key, folds, how, cut_offs, self.plan.seed, STAGES_REVISION)
        made = self.work.step(f"scores-{number}", ".json.gz", *key)
        if not made.done:
            found = self._cross_fitted(train, dev, folds)
            with open_output(made.path) as stream:
                stream.write(msgspec.json.encode(found))
        return made

    def _cross_fitted(
        self, train: StepResult, dev: StepResult | None, folds: list[range]
    ) -> list[list[float]]:
        """The scores of every list, by rankers fitted to the lists of the other folds."""
        files = train.path, dev and dev.path
        how = {"engine": self.engine, "cache": self.work.folder}
        problem, judges = self.plan.problems(*files, METRIC, **how)
        scores = np.zeros(problem.n_candidates)
        for inside in self.engine.counted("rankers of folds", folds, len(folds), every=1):
            own = (problem.owners >= inside.start) & (problem.owners < inside.stop)
            ranker = make_ranker(self.plan.learner, self.plan.ranker_options, seed=self.plan.seed)
            ranker.fit(problem.keep(~own), judges, run=Run.on(self.engine))
            scores[own] = ranker.scores(problem.keep(own))
        return [scores[a:b].tolist() for a, b in pairwise(problem.list_offsets.tolist())]

    def with_elsewhere(
        self, prepared: Prepared, number: int, stage: Stage, ranker: Reranker, looking: Looking
    ) -> Prepared:
        """The lists with the places of the stage before, and what its winners elsewhere say.

        Parameters
        ----------
        number : of the stage, from 1 for the second one.
        ranker : of the stage before; it has not seen development sentences.
        """
        train, dev = prepared.train, prepared.dev
        assert train is not None
        scores = self.train_scores(prepared, number - 1)

        values = ranker.ranker.takes_values

        def changed(pairs: list[tuple[NBest, Scores]]) -> Iterator[NBest]:
            return next_stage(partial(iter, pairs), number, stage, looking, values=values)

        def on_train(lists: Iterable[NBest]) -> Iterator[NBest]:
            pairs = zip(lists, read_scores(scores), strict=True)
            for inside in self.folds(prepared):  # others' rankers have seen this one's gold
                yield from changed(list(islice(pairs, len(inside))))

        def on_dev(lists: Iterable[NBest]) -> Iterator[NBest]:
            given = list(lists)
            return changed(list(zip(given, scores_of(ranker, given), strict=True)))

        clustered = CLUSTERS_REVISION if "clusters" in stage.elsewhere else 0
        key = (scores.key, stage, looking.cluster_below, looking.cuts, STAGES_REVISION, clustered)
        made = self._lists(f"train-stage-{number}", train, on_train, *key)
        judges = dev and self._lists(f"dev-stage-{number}", dev, on_dev, *key)
        return prepared._replace(train=made, dev=judges)

    def cut_of(self, scores: StepResult, sure: float) -> float:
        """The margin above which a stage is sure, for a share of the sentences with a choice."""
        margins = [margin_of(own) for own in read_scores(scores) if len(own) > 1]
        if not sure or not margins:
            return LARGEST
        return float(np.quantile(margins, 1 - sure, method="lower"))

    def staged(self, name: str, lists: StepResult, model: NamesModel) -> StepResult:
        """The lists of the tagger as the last ranker of a model sees them."""
        if model.margins is None and model.statistics is None:
            return lists
        key = (repr(self.plan), MARGINS_REVISION, STAGES_REVISION, CLUSTERS_REVISION)
        return self._lists(f"{name}-staged", lists, model.staged, *key)

    def folds(self, prepared: Prepared) -> list[range]:
        """The training sentences of each fold."""
        documents = [sentence.document for sentence in prepared.corpus.sentences]
        return document_folds(documents, self.plan.folds)

    def _lists(
        self,
        name: str,
        lists: StepResult,
        change: Callable[[Iterable[NBest]], Iterable[NBest]],
        *key: object,
    ) -> StepResult:
        """The lists of a file, changed, as a file."""
        made = self.work.step(f"{name}-lists", ".jsonl.gz", lists.key, *key)
        if not made.done:
            shown = self.engine.counted(f"{name} lists", change(read_nbest(lists.path)), None)
            write_nbest(shown, made.path)
        return made


def statistics_of(sentences: Iterable[Sentence], sources: Iterable[str]) -> NameStatistics:
    """The statistics of sentences with gold."""
    return NameStatistics.of(((one.words, one.labels) for one in sentences), tuple(sources))


def read_margins(made: StepResult) -> Margins:
    """The margins that a step has found."""
    return msgspec.json.decode(read_whole(made.path), type=Margins)


def read_scores(made: StepResult) -> list[Scores]:
    """The scores that a step has found."""
    return [*msgspec.json.decode(read_whole(made.path), type=list[list[float]])]
