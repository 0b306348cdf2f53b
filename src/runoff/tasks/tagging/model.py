"""Tagging: a tagger learned from annotated sentences, kept in a file, and put to work."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Annotated, Any

import msgspec

import runoff
from runoff.data.files import FilePath
from runoff.data.nbest import NBest
from runoff.data.tagged import TaggedSentence
from runoff.engine.processes import cores
from runoff.errors import FormatError, UsageError
from runoff.fitting.run import Progress, Run, resumable
from runoff.learners.base import Record
from runoff.proposers.sequence.maxent_tagger import MaxentTagger
from runoff.store.file import Arrays, checking, load, save
from runoff.tasks.tagging.report import report

KIND = "tagger"

PRIORS = (0.5, 1.0, 2.0)
"""What development sentences choose from."""

SENTENCES_PER_CHUNK = 64


@dataclass
class TaggingModel:
    """A tagger with what is known about its training.

    Parameters
    ----------
    training : on what it was trained and how well it did; becomes the header of its file.
    """

    tagger: MaxentTagger
    training: dict[str, Any]

    def save(self, path: FilePath) -> None:
        """Write the model file."""
        save(path, KIND, *self.stored())

    def stored(self) -> tuple[dict[str, Any], Arrays]:
        """Header and arrays, for a model file."""
        parameters = {k: v for k, v in asdict(self.tagger).items() if not k.endswith("_")}
        header = {"parameters": parameters, **self.training, "record": self.tagger.record_}
        return header, self.tagger.arrays()

    @classmethod
    def load(cls, path: FilePath) -> TaggingModel:
        """Read a model file; nothing in it is run."""
        _, header, arrays = load(path, kind=KIND)
        with checking(path):
            return cls.restored(header, arrays)

    @classmethod
    def restored(cls, header: dict[str, Any], arrays: Arrays) -> TaggingModel:
        """The model of a header and arrays, which are checked."""
        checked = msgspec.convert(header, _Header)
        tagger = MaxentTagger(**msgspec.structs.asdict(checked.parameters)).restore(arrays)
        tagger.record_ = checked.record
        training = {k: v for k, v in header.items() if k not in ("parameters", "record")}
        return cls(tagger, training)

    def lists(
        self, sentences: Iterable[Sequence[str]], n: int = 1, *, jobs: int = 1
    ) -> Iterator[NBest]:
        """The n best tags of every sentence, as n-best lists, as a stream."""
        threads, stream, number = cores(jobs), iter(sentences), 0
        while chunk := list(islice(stream, SENTENCES_PER_CHUNK)):
            for words, found in zip(
                chunk, self.tagger.propose_all(chunk, n, threads=threads), strict=True
            ):
                number += 1
                yield NBest(number, list(words), found)


Positive = Annotated[int, msgspec.Meta(ge=1, lt=1 << 31)]


class _Parameters(msgspec.Struct):
    prior: tuple[float, ...]
    frequent: Positive
    min_count: Positive
    beam: Positive
    iterations: Positive
    templates: tuple[str, ...]


class _Header(msgspec.Struct):
    parameters: _Parameters
    record: Record = {}


def train_tagger(
    train: Iterable[TaggedSentence],
    dev: Iterable[TaggedSentence] | None = None,
    *,
    options: Mapping[str, Any] | None = None,
    jobs: int = 1,
    checkpoint: FilePath | None = None,
    progress: Progress | None = None,
) -> TaggingModel:
    """A tagger trained on sentences; `dev` chooses the prior and tells how well it does.

    Parameters
    ----------
    options : of `MaxentTagger`.
    jobs : threads that learn, 0 for one per core; the result does not depend on it.
    checkpoint : file in which the state is kept until the tagger is trained.

    Examples
    --------
    >>> votes = [TaggedSentence((("they", "vote"), ("PRP", "VB")))]
    >>> model = train_tagger(votes, votes, options={"prior": (10.0,), "min_count": 1})
    >>> model.tagger.tags(["they", "vote"]), model.training["dev"]["accuracy"]
    (['PRP', 'VB'], 1.0)
    """
    sentences = [sentence for sentence in train if len(sentence)]
    judges = None if dev is None else [sentence for sentence in dev if len(sentence)]
    if not sentences or judges == []:
        raise FormatError("there are no sentences to learn from, or to choose by")
    defaults = {} if judges is None else {"prior": PRIORS}
    tagger = make_tagger({**defaults, **(options or {})})
    training: dict[str, Any] = {
        "runoff": runoff.__version__,
        "sentences": len(sentences),
        "words": sum(map(len, sentences)),
        "data": fingerprint(sentences),
        "dev data": None if judges is None else fingerprint(judges),
    }
    run = Run(threads=cores(jobs), progress=progress)
    with resumable(run, checkpoint, repr((tagger, training))) as kept:
        tagger.fit(sentences, judges, run=kept)
    tried = tagger.record_.get("prior") or [{"prior": tagger.prior[0], "dev quality": 0.0}]
    training["prior"] = max(tried, key=lambda row: row["dev quality"])["prior"]
    training["tags"] = len(tagger.model.dictionary.tags)
    training["weights"] = len(tagger.model.known.weights)
    if judges is not None:
        found = tagger.tag_all([sentence.words for sentence in judges], threads=run.threads)
        words = {word for sentence in sentences for word in sentence.words}
        training["dev"] = asdict(report(found, judges, words.__contains__))
    return TaggingModel(tagger, training)


def make_tagger(options: Mapping[str, Any]) -> MaxentTagger:
    """A tagger with these options, which are checked."""
    try:
        tagger = MaxentTagger(**options)
    except TypeError as error:
        raise UsageError(f"no such option of the tagger: {error}") from None
    tagger.check()
    return tagger


def fingerprint(sentences: Iterable[TaggedSentence]) -> str:
    """A hash of words and tags."""
    digest = hashlib.blake2b(digest_size=16)
    for sentence in sentences:
        for column in (sentence.words, sentence.tags):
            digest.update("\t".join(column).encode("utf-8", "surrogatepass") + b"\n")
    return digest.hexdigest()
