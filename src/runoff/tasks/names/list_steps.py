"""Steps between the lists of a tagger and their rankers: margins, and what the stages see.

Training is honest throughout. The features of a training sentence come from statistics, and the
winners of its neighbours from rankers, that have not seen its document's fold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

import msgspec

from runoff.data.files import open_output
from runoff.data.formats import read_nbest, write_nbest
from runoff.data.nbest import NBest
from runoff.data.sentence import Sentence
from runoff.engine import Engine
from runoff.features.names.structure import NameStatistics
from runoff.pipeline.folds import document_folds
from runoff.pipeline.plan import RankerPlan
from runoff.pipeline.work_folder import StepResult, WorkFolder
from runoff.tasks.names.margins import Margins
from runoff.tasks.names.model import NamesModel
from runoff.tasks.names.stages import second_stage, with_structure
from runoff.tasks.ranking.reranker import Reranker
from runoff.tasks.tagging.steps import METRIC, Prepared

MARGINS_REVISION = 1
STAGES_REVISION = 1
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
        made = self.work.step("margins", ".json", prepared.train.key, MARGINS_REVISION)
        if not made.done:
            self.engine.tell("margins")
            found = Margins.of(read_nbest(prepared.train.path))
            with open_output(made.path) as stream:
                stream.write(msgspec.json.encode(found))
        cut = partial(map, read_margins(made).cut)
        train = self._lists("train-cut", prepared.train, cut, made.key)
        dev = prepared.dev and self._lists("dev-cut", prepared.dev, cut, made.key)
        return prepared._replace(train=train, dev=dev, margins=made)

    def with_structure(self, prepared: Prepared) -> Prepared:
        """The lists with the structure of names; statistics of a fold come from the others."""
        if prepared.train is None:
            return prepared
        sentences, folds = prepared.corpus.sentences, self._folds(prepared)

        def train(lists: Iterable[NBest]) -> Iterator[NBest]:
            given = iter(lists)
            for inside in folds:
                others = sentences[: inside.start] + sentences[inside.stop :]
                statistics = statistics_of(others)
                for _ in inside:
                    yield with_structure(next(given), statistics)

        def dev(lists: Iterable[NBest]) -> Iterator[NBest]:
            statistics = statistics_of(sentences)
            return (with_structure(nbest, statistics) for nbest in lists)

        key = (prepared.corpus.key, folds, STAGES_REVISION)
        made = self._lists("train-structure", prepared.train, train, *key)
        judges = prepared.dev and self._lists("dev-structure", prepared.dev, dev, *key)
        return prepared._replace(train=made, dev=judges)

    def train_evidence(self, prepared: Prepared, lists: StepResult) -> StepResult:
        """The training lists with the evidence of coreference.

        The winners of a fold are picked by a ranker that was fitted to the other folds.
        """
        folds = self._folds(prepared)

        def train(given: Iterable[NBest]) -> Iterator[NBest]:
            for inside in folds:
                ranker = self._fitted(nbest for i, nbest in _numbered(lists) if i not in inside)
                yield from second_stage((n for i, n in _numbered(lists) if i in inside), ranker)

        how = (self.plan.extractors, self.plan.learner, sorted(self.plan.ranker_options.items()))
        key = (folds, how, self.plan.seed, STAGES_REVISION)
        return self._lists("train-coreference", lists, train, *key)

    def dev_evidence(self, lists: StepResult, ranker: Reranker, train: StepResult) -> StepResult:
        """The development lists with the evidence of coreference."""
        stage = partial(second_stage, first=ranker)
        return self._lists("dev-coreference", lists, stage, train.key)

    def staged(self, name: str, lists: StepResult, model: NamesModel) -> StepResult:
        """The lists of the tagger as the last ranker of a model sees them."""
        if model.margins is None and model.statistics is None:
            return lists

        def change(given: Iterable[NBest]) -> Iterable[NBest]:
            return model.last_stage(map(model.first_stage, given))

        key = (repr(self.plan), MARGINS_REVISION, STAGES_REVISION)
        return self._lists(f"{name}-staged", lists, change, *key)

    def _fitted(self, lists: Iterable[NBest]) -> Reranker:
        return self.plan.fit(lists, None, METRIC, engine=self.engine)

    def _folds(self, prepared: Prepared) -> list[range]:
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


def statistics_of(sentences: Iterable[Sentence]) -> NameStatistics:
    """The statistics of sentences with gold."""
    return NameStatistics.of((sentence.words, sentence.labels) for sentence in sentences)


def read_margins(made: StepResult) -> Margins:
    """The margins that a step has found."""
    return msgspec.json.decode(made.path.read_bytes(), type=Margins)


def _numbered(lists: StepResult) -> Iterator[tuple[int, NBest]]:
    return enumerate(read_nbest(lists.path))
