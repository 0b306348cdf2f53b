"""Training a name tagger with its reranker, from annotated sentences to a model, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import runoff
from runoff.data.files import FilePath
from runoff.data.schemes import OUTSIDE
from runoff.data.tagged import TaggedSentence
from runoff.fitting.run import Progress
from runoff.pipeline.plan import RankerPlan
from runoff.pipeline.work_folder import Product, Work
from runoff.tasks.names.model import NamesModel
from runoff.tasks.tagging.model import TaggingModel, fingerprint, make_tagger
from runoff.tasks.tagging.steps import Sentences, TaggingSteps, in_scheme, not_empty

REVISION = 1
"""Raise it when taggers learn or find something else than before."""

TAGGER_OPTIONS = {"prior": (1.0,), "min_count": 2, "beam": 20}
"""What taggers are given by default; the beam is the paper's."""

OPTIONS: dict[str, dict[str, Any]] = {"tagging-kernel": {"form": "averaged"}}
"""What learners are given by default: where the paper has votes, means found more names."""


@dataclass(frozen=True, kw_only=True)
class Plan(RankerPlan):
    """How a name tagger is trained.

    Parameters
    ----------
    boundaries : find where names begin and end, and not of what type they are, as in the paper.
    rerank : whether a ranker picks among the taggings of the tagger.
    n : taggings of a list, at most.
    folds : into which the sentences are cut; each is tagged by a tagger learned from the others.
    features, learner, options, min_lists, thresholds, bins, seed : of the ranker, see `runoff.fit`.
    tagger_options : of the tagger.
    attribution : whose data it is; goes into the header.

    References
    ----------
    Collins and Duffy (2002), section 6.2.
    """

    boundaries: bool = False
    n: int = 20
    folds: int = 5
    features: Sequence[str] = ("tagging",)
    learner: str = "tagging-kernel"
    min_lists: int = 1

    def __post_init__(self) -> None:
        """Refuse what makes no sense now, not after hours."""
        make_tagger(self.tagger)
        self.check_ranker("taggings")

    @property
    def defaults(self) -> Mapping[str, Any]:
        """Options of the learner that are not given."""
        return OPTIONS.get(self.learner, {})

    @property
    def tagger(self) -> dict[str, Any]:
        """Options of the tagger, with defaults."""
        return {**TAGGER_OPTIONS, **self.tagger_options}


def train_names(
    train: Iterable[TaggedSentence],
    dev: Iterable[TaggedSentence] | None = None,
    *,
    work: FilePath,
    plan: Plan | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
) -> NamesModel:
    """A name tagger trained on sentences; `dev` makes choices and tells how well it does.

    Parameters
    ----------
    train, dev : sentences with words first and name tags last, in any scheme.
    work : folder in which the results of the steps are kept: training that was killed goes on from
        there, and after a change only what depends on it is done again.
    jobs : processes and threads, 0 for one per core; the result does not depend on it.
    """
    training = Training(Work(work), plan or Plan(), jobs, progress)
    return training.run(list(train), None if dev is None else list(dev))


@dataclass(frozen=True)
class Training(TaggingSteps[Plan, NamesModel]):
    """The steps; see `train_names`."""

    def prepared(self, sentences: Iterable[TaggedSentence]) -> Sentences:
        """Words with name tags in IOB2, without types where only boundaries are asked for."""
        return [self._words_and_names(one) for one in not_empty(sentences, "and its name tag last")]

    def _words_and_names(self, sentence: TaggedSentence) -> TaggedSentence:
        tags = in_scheme(sentence, "iob2")
        if self.plan.boundaries:
            tags = tuple(tag if tag == OUTSIDE else tag[0] for tag in tags)
        return TaggedSentence((sentence.words, tags))

    def base(self, train: Sentences, dev: Sentences | None) -> Product:
        """The tagger of all training sentences."""
        return self._tagger("tagger", train, dev, self.plan.tagger)

    def model(self, base: Product) -> NamesModel:
        """The tagger, still without a ranker."""
        return NamesModel(TaggingModel.load(base.path), None, {}, self.plan.n)

    def fold(self, number: int, place: range, train: Sentences, model: NamesModel) -> Product:
        """Lists of a fold, by a tagger that has not seen it; its prior was found for all."""
        outside = train[: place.start] + train[place.stop :]
        options = {**self.plan.tagger, "prior": (model.tagger.training["prior"],)}
        tagger = self._tagger(f"fold-{number}-tagger", outside, None, options)
        return self.lists(f"fold-{number}", tagger, train[place.start : place.stop])

    def about(self, train: Sentences, dev: Sentences | None) -> dict[str, Any]:
        """What the header of a model says of its training."""
        return {
            "runoff": runoff.__version__,
            "boundaries": self.plan.boundaries,
            "sentences": len(train),
            "words": sum(map(len, train)),
            "data": fingerprint(train),
            **super().about(train, dev),
        }

    def _tagger(
        self, name: str, train: Sentences, dev: Sentences | None, options: dict[str, Any]
    ) -> Product:
        data = (fingerprint(train), None if dev is None else fingerprint(dev))
        return self.tagger_step(train, dev, *data, revision=REVISION, name=name, options=options)
