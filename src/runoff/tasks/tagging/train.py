"""Training a tagger from annotated sentences."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import runoff
from runoff.data.files import FilePath
from runoff.data.sentence import Sentence
from runoff.data.text.read import read_tagged_sentences
from runoff.engine import ALONE, AnyEngine, Engine
from runoff.errors import FormatError
from runoff.fitting.parameters import with_options
from runoff.fitting.priors import chosen_prior
from runoff.fitting.run import Run, resumable
from runoff.pipeline.options import check_ranges, option
from runoff.pipeline.steps import examples, work_folder
from runoff.pipeline.work_folder import StepResult
from runoff.proposers.sequence.maxent_tagger import MaxentTagger
from runoff.proposers.sequence.templates import CLUSTER_TEMPLATES, TEMPLATES
from runoff.tasks.tagging.clusters import check_text, load_clusters, text_clusters
from runoff.tasks.tagging.model import TaggingModel
from runoff.tasks.tagging.report import report

PRIORS = (0.5, 1.0, 2.0)
"""What development sentences choose from."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How a tagger is trained."""

    column: int | None = option(
        None,
        "Column of the tags in column files, counted from 1; by default, the last column.",
        min=2,
    )
    prior: Sequence[float] = option(
        (),
        "Prior: the spread of the weights. Give several, separated by commas, and the development "
        "sentences choose; by default, they choose among 0.5, 1 and 2.",
    )
    frequent: int = option(
        50, "Words seen at least this often may only get tags they were seen with.", min=1
    )
    min_count: int = option(3, "Leave out features that are seen less often than this.", min=1)
    iterations: int = option(80, "Maximum number of optimiser iterations.", min=1)
    text: Sequence[str] = option(
        (),
        "Plain text to learn word clusters from, which tell the tagger about words that are not in "
        "its training data; may be repeated. In a `.tsv` file the last column is the text.",
        metavar="FILE",
    )
    attribution: str | None = option(
        None, "Whose data this is; it goes into the header of the model.", metavar="TEXT"
    )

    def __post_init__(self) -> None:
        """Check the plan now, not after minutes."""
        check_ranges(self)
        check_text(self.text)
        make_tagger(self.options)

    @property
    def options(self) -> dict[str, Any]:
        """The options of the tagger."""
        names = ("frequent", "min_count", "iterations", *(["prior"] if self.prior else []))
        return {name: getattr(self, name) for name in names}


def train(
    train: FilePath | Iterable[FilePath | Sentence],
    dev: FilePath | Iterable[FilePath | Sentence] | None = None,
    *,
    plan: Plan | None = None,
    work: FilePath | None = None,
    engine: AnyEngine = ALONE,
) -> TaggingModel:
    """A tagger trained on sentences with tags, or on a treebank.

    Parameters
    ----------
    train, dev : files or sentences; `dev` chooses the prior and tells how well words are tagged.
    work : folder in which the state is kept until the tagger is trained.
    """
    plan = plan or Plan()
    read = partial(read_tagged_sentences, column=plan.column)
    sentences = examples(train, read)
    with work_folder(work) as folder:
        words = (sentence.words for sentence in sentences)
        model = train_tagger(
            sentences,
            None if dev is None else examples(dev, read),
            options=plan.options,
            clusters=text_clusters(plan.text, words, work=folder, engine=Engine.of(engine)),
            checkpoint=None if work is None else folder.folder / "tagger.checkpoint",
            engine=engine,
        )
    if plan.attribution is not None:
        model.training["attribution"] = plan.attribution
    return model


def train_tagger(
    train: Iterable[Sentence],
    dev: Iterable[Sentence] | None = None,
    *,
    options: Mapping[str, Any] | None = None,
    clusters: StepResult | None = None,
    checkpoint: FilePath | None = None,
    engine: AnyEngine = ALONE,
) -> TaggingModel:
    """A tagger trained on sentences; `dev` chooses the prior and tells how well it does.

    Parameters
    ----------
    options : of `MaxentTagger`.
    clusters : file of the word clusters that it looks at, too.
    checkpoint : file in which the state is kept until the tagger is trained.

    Examples
    --------
    >>> votes = [Sentence(("they", "vote"), gold=("PRP", "VB"))]
    >>> model = train_tagger(votes, votes, options={"prior": (10.0,), "min_count": 1})
    >>> model.tagger.tags(["they", "vote"]), model.training["dev"]["accuracy"]
    (['PRP', 'VB'], 1.0)
    """
    sentences = [sentence for sentence in train if len(sentence)]
    judges = None if dev is None else [sentence for sentence in dev if len(sentence)]
    if not sentences or judges == []:
        raise FormatError("there are no sentences to learn from, or to choose by")
    known, about = (None, None) if clusters is None else load_clusters(clusters)
    defaults: dict[str, Any] = {} if judges is None else {"prior": PRIORS}
    if known is not None:
        defaults["templates"] = (*TEMPLATES, *CLUSTER_TEMPLATES)
    tagger, run = make_tagger({**defaults, **(options or {})}), Run.on(Engine.of(engine))
    training: dict[str, Any] = {
        "runoff": runoff.__version__,
        "sentences": len(sentences),
        "words": sum(map(len, sentences)),
        "data": fingerprint(sentences),
        "dev data": None if judges is None else fingerprint(judges),
        **({} if about is None else {"clusters": about}),
    }
    with resumable(run, checkpoint, repr((tagger, training))) as kept:
        tagger.fit(sentences, judges, clusters=known, run=kept)
    training["prior"] = chosen_prior(tagger.prior, tagger.record_)
    training["tags"] = len(tagger.model.dictionary.tags)
    training["weights"] = len(tagger.model.known.weights)
    if judges is not None:
        found = tagger.tag_all(judges, threads=run.threads)
        words = {word for sentence in sentences for word in sentence.words}
        training["dev"] = asdict(report(found, judges, words.__contains__))
    return TaggingModel(tagger, training)


def make_tagger(options: Mapping[str, Any]) -> MaxentTagger:
    """A tagger with these options, which are checked."""
    tagger = with_options(MaxentTagger, options, "the tagger")
    tagger.check()
    return tagger


def tagger_step(
    made: StepResult,
    train: Iterable[Sentence],
    dev: Iterable[Sentence] | None,
    options: Mapping[str, Any],
    engine: Engine,
    clusters: StepResult | None = None,
) -> TaggingModel:
    """The tagger of a step of a larger training, made now or earlier."""
    if made.done:
        return TaggingModel.load(made.path)
    kept = made.checkpoint
    tagger = train_tagger(
        train, dev, options=options, clusters=clusters, checkpoint=kept, engine=engine
    )
    tagger.save(made.path)
    return tagger


def fingerprint(sentences: Iterable[Sentence]) -> str:
    """A hash of words and gold."""
    digest = hashlib.blake2b(digest_size=16)
    for sentence in sentences:
        for column in (sentence.words, sentence.labels):
            digest.update("\t".join(column).encode("utf-8", "surrogatepass") + b"\n")
    return digest.hexdigest()
