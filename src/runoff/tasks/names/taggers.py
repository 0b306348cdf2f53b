"""The base systems that propose names: what they are called, trained by and kept as."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from runoff.data.sentence import Sentence
from runoff.engine import ALONE, Engine
from runoff.errors import ModelError
from runoff.fitting.parameters import with_options
from runoff.fitting.priors import chosen_prior
from runoff.fitting.run import Run, resumable
from runoff.pipeline.work_folder import StepResult
from runoff.proposers.sequence.crf import Crf
from runoff.proposers.sequence.hmm import HmmTagger
from runoff.store.file import Arrays
from runoff.tasks.tagging.model import TaggingModel
from runoff.tasks.tagging.train import make_tagger, train_tagger

TAGGERS: dict[str, Mapping[str, Any]] = {
    "maxent": {"prior": (1.0,), "min_count": 2, "beam": 20},
    "crf": {"prior": (1.0,)},
    "hmm": {},
}
"""The taggers, and what each is given by default; the beam is that of Collins (2002)."""

_KINDS: dict[str, type[Crf | HmmTagger]] = {"crf": Crf, "hmm": HmmTagger}


@dataclass
class NameTagger:
    """A CRF or an HMM that proposes names, with what is known about its training.

    Parameters
    ----------
    name : of the tagger in `TAGGERS`.
    """

    name: str
    tagger: Crf | HmmTagger
    training: dict[str, Any]

    def stored(self) -> tuple[dict[str, Any], Arrays]:
        """Header and arrays, for a model file."""
        header, arrays = self.tagger.stored()
        return {"name": self.name, **self.training, **header}, arrays


AnyTagger: TypeAlias = TaggingModel | NameTagger
"""A base system of names with what is known about its training."""


def restored_tagger(header: dict[str, Any], arrays: Arrays) -> AnyTagger:
    """The tagger of a header and arrays, which are checked."""
    name = header.get("name", "maxent")
    if name == "maxent":
        return TaggingModel.restored(header, arrays)
    if name not in _KINDS:
        raise ModelError(f"the tagger is called {name!r}, which is none of {', '.join(TAGGERS)}")
    training = {k: v for k, v in header.items() if k not in ("name", "parameters", "record")}
    return NameTagger(name, _KINDS[name].restored(header, arrays), training)


def tags_of(tagger: AnyTagger) -> Iterable[str]:
    """The tags that a tagger may give."""
    proposer = tagger.tagger
    if isinstance(proposer, Crf):
        return proposer.model.chain.labels
    return (
        proposer.model.tags if isinstance(proposer, HmmTagger) else proposer.model.dictionary.tags
    )


def check_options(name: str, options: Mapping[str, Any]) -> None:
    """Raise an error for options of a tagger that make no sense."""
    if name == "maxent":
        make_tagger(options)
    else:
        with_options(_KINDS[name], options, f"the tagger {name!r}").check()


def fit_tagger(
    name: str,
    train: Sequence[Sentence],
    dev: Sequence[Sentence] | None,
    options: Mapping[str, Any],
    made: StepResult,
    engine: Engine = ALONE,
) -> AnyTagger:
    """A tagger trained on sentences; the checkpoint of the step keeps the state of its training."""
    if name == "maxent":
        return train_tagger(train, dev, options=options, checkpoint=made.checkpoint, engine=engine)
    tagger = with_options(_KINDS[name], options, f"the tagger {name!r}")
    with resumable(Run.on(engine), made.checkpoint, repr((tagger, made.key))) as kept:
        tagger.fit(train, dev, run=kept)
    return NameTagger(name, tagger, {})


def fold_options(tagger: AnyTagger, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of taggers of folds: the prior is the one that was found for all sentences."""
    if isinstance(tagger, TaggingModel):
        return {**options, "prior": (tagger.training["prior"],)}
    if isinstance(tagger.tagger, Crf):
        return {**options, "prior": (chosen_prior(tagger.tagger.prior, tagger.tagger.record_),)}
    return dict(options)
