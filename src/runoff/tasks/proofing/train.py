"""Learning to tell confusables apart from plain text, in which they are taken to be right.

Thresholds come from parts of the text that their expert has not seen, so that a stated share of
right words is suspected, and no more.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

import runoff
from runoff.data.confusables import MORE_SETS, PAPER_SETS, check_sets, forms_of, read_sets
from runoff.data.files import FilePath, file_names
from runoff.data.numbering import OUTSIDE, Numbering, Numbers, offsets_of
from runoff.data.text.words import read_numbers
from runoff.engine import ALONE, AnyEngine, Engine
from runoff.errors import FormatError, UsageError
from runoff.fitting.run import Run
from runoff.learners.igtree.tree import Windows
from runoff.learners.maxent.maxent import MaxEnt
from runoff.pipeline.options import check_ranges, option
from runoff.pipeline.steps import work_folder
from runoff.pipeline.work_folder import StepResult, WorkFolder
from runoff.problem.problem import Floats, Integers, RankingProblem
from runoff.store.file import load, save
from runoff.store.strings import StringTable
from runoff.tasks.proofing.context import REACH, ContextTable, WordShapes, context_table
from runoff.tasks.proofing.model import STEPS, ConfusablesModel, Expert, ExpertHeader
from runoff.tasks.proofing.thresholds import choose_thresholds, judge, log_probabilities

KIND = "confusables expert"

FOLDS = 5
"""Parts of the text, of which each may be judged by experts that learned from the others."""

ALARMS_SEEN = 20
"""False alarms needed before thresholds are considered reliable."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How experts for confusable words are trained."""

    sets: Sequence[Sequence[str]] | str | None = option(
        None,
        "File of sets of confusable words, one set per line, e.g. `than, then`; by default, the "
        "nine sets of the paper and ten more.",
        metavar="FILE",
    )
    tokenized: bool = option(False, "The text is already tokenised; split it at whitespace only.")
    false_alarms: float = option(
        0.001, "Share of correct words that may be suspected.", min=0, max=1
    )
    min_count: int = option(2, "Leave out features that are seen less often than this.", min=1)
    limit: int = option(
        1_000_000,
        "Maximum number of occurrences of a set to learn from, spread over the text; each takes "
        "about 3 KB of memory.",
        min=1,
    )
    most: int = option(
        40_000,
        "Maximum number of features to keep for a set: those with the largest weights.",
        min=1,
    )
    prior: float = option(2.0, "Prior: the spread of the weights.")
    iterations: int = option(60, "Maximum number of optimiser iterations.", min=1)
    attribution: str | None = option(
        None, "Whose data this is; it goes into the header of the model.", metavar="TEXT"
    )

    def __post_init__(self) -> None:
        """Check the plan now, not after minutes."""
        check_ranges(self)
        if not 0 < self.false_alarms < 1:
            raise UsageError(
                f"a share of false alarms lies between 0 and 1, not {self.false_alarms}"
            )
        if not 0 < self.prior < np.inf:
            raise UsageError(f"prior must be positive, not {self.prior}")

    @property
    def words(self) -> list[tuple[str, ...]]:
        """The sets of words."""
        if isinstance(self.sets, str):
            return read_sets(self.sets)
        return check_sets((*PAPER_SETS, *MORE_SETS) if self.sets is None else self.sets)

    @property
    def learning(self) -> dict[str, float]:
        """The options that an expert depends on; they go into the header of a model."""
        names = ("false_alarms", "min_count", "limit", "most", "prior", "iterations")
        return {name: getattr(self, name) for name in names}


class Corpus(NamedTuple):
    """Text as numbers of words, and what features need to know of the words."""

    windows: Windows
    numbers: Numbering
    shapes: WordShapes
    key: str


def read_corpus(files: FilePath | Iterable[FilePath], *, tokenized: bool = False) -> Corpus:
    """The words of files."""
    growing = Numbering([OUTSIDE])
    texts = [read_numbers(file, growing, tokenized=tokenized) for file in file_names(files)]
    if not sum(map(len, texts)):
        raise FormatError("there are no words to learn from")
    digest = hashlib.blake2b("\n".join(growing).encode("utf-8", "surrogatepass"), digest_size=16)
    for text in texts:
        digest.update(text.data)
    windows = Windows.of_text(texts, REACH, REACH)
    return Corpus(windows, growing, WordShapes(growing), digest.hexdigest())


def train(
    train: FilePath | Iterable[FilePath] | Corpus,
    dev: None = None,
    *,
    plan: Plan | None = None,
    work: FilePath | None = None,
    engine: AnyEngine = ALONE,
) -> ConfusablesModel:
    """Experts for sets of words that writers confuse, trained on text that is taken to be right.

    Parameters
    ----------
    train : files of well-written text.
    dev : none is needed, since experts are judged on parts of the text that they have not seen.
    work : folder for experts that are done, so that training that was killed resumes.
    """
    plan, workers = plan or Plan(), Engine.of(engine)
    wanted = plan.words
    if dev is not None:
        raise UsageError("experts are judged on parts of the training text, so they take no dev")
    corpus = train if isinstance(train, Corpus) else read_corpus(train, tokenized=plan.tokenized)
    experts, figures = [], []
    with work_folder(work) as folder:
        for words in workers.counted("sets", wanted, len(wanted), every=1):
            expert, seen = _kept_or_trained(corpus, words, plan, folder, workers.threads)
            experts.append(expert)
            figures.append({"words": list(expert.words), **seen})
    training: dict[str, Any] = {
        "runoff": runoff.__version__,
        "words": len(corpus.windows.places),
        "data": corpus.key,
        "options": plan.learning,
        "attribution": plan.attribution,
        "dev": figures,
    }
    return ConfusablesModel(experts, training)


def _kept_or_trained(
    corpus: Corpus, words: Sequence[str], plan: Plan, work: WorkFolder, threads: int
) -> tuple[Expert, dict[str, float]]:
    made = work.step("expert", ".runoff", corpus.key, words, sorted(plan.learning.items()))
    if not made.done:
        expert, seen = train_expert(corpus, words, plan, threads)
        header = msgspec.to_builtins(ExpertHeader(expert.words, expert.thresholds))
        save(made.path, KIND, {"expert": header, "dev": seen}, expert.arrays())
    return _read_expert(made)


def _read_expert(made: StepResult) -> tuple[Expert, dict[str, float]]:
    _, header, arrays = load(made.path, kind=KIND)
    found = msgspec.convert(header["expert"], ExpertHeader)
    return Expert.restored(found, arrays), header["dev"]


def train_expert(
    corpus: Corpus, words: Sequence[str], plan: Plan, threads: int = 1
) -> tuple[Expert, dict[str, float]]:
    """An expert for one set of words, and how well such experts do on text they have not seen."""
    places, classes, ordered = find_occurrences(corpus, words)
    if np.bincount(classes, minlength=len(words)).min() < FOLDS:
        raise FormatError(f"the words {', '.join(words)} do not occur often enough to be learned")
    rows = slice(None, None, -(-len(places) // plan.limit))
    places, classes = places[rows], classes[rows]
    table = context_table(corpus.windows.cells, places, corpus.shapes, plan.min_count)

    def fit(chosen: Integers) -> NDArray[np.int16]:
        return fit_weights(table, chosen, classes[chosen], len(ordered), plan, threads)

    judged, logs = _judged(table, len(places), fit, plan.false_alarms)
    thresholds = choose_thresholds(logs, classes[judged], plan.false_alarms)
    weights = fit(np.arange(len(places)))
    used = np.flatnonzero(weights.any(axis=1))
    names = table.names(used, corpus.shapes)
    order = sorted(range(len(names)), key=names.__getitem__)  # packs better
    expert = Expert(
        ordered, StringTable.of(names[i] for i in order), weights[used[order]], thresholds
    )
    seen = {"occurrences": len(places), "features": len(used)}
    return expert, seen | judge(logs, classes[judged], thresholds)


def _judged(
    table: ContextTable, size: int, fit: Callable[[Integers], NDArray[np.int16]], rate: float
) -> tuple[Integers, Floats]:
    """Occurrences, and what experts say of them that have not seen their part of the text.

    Parts are judged, from the last on, until the share of false alarms can be told.
    """
    everything = np.arange(size)
    judged, logs = [], []
    for fold in reversed(range(FOLDS)):
        own = everything[fold * size // FOLDS : (fold + 1) * size // FOLDS]
        judged.append(own)
        logs.append(log_probabilities(table.ids[own], fit(np.setdiff1d(everything, own))))
        if sum(map(len, judged)) * rate >= ALARMS_SEEN:
            break
    return np.concatenate(judged), np.concatenate(logs)


def fit_weights(
    table: ContextTable,
    rows: Integers,
    classes: Integers,
    size: int,
    plan: Plan,
    threads: int,
) -> NDArray[np.int16]:
    """Weights of features for each word but the first; shape (features, words - 1)."""
    learner = MaxEnt(prior=(plan.prior,), iterations=plan.iterations)
    problem = ranking_problem(table.ids[rows], len(table.keys), classes, size)
    found = learner.fit(problem, run=Run(threads=threads)).weights().reshape(-1, size - 1)
    largest = np.abs(found).max(axis=1)
    if len(largest) > plan.most:
        least = np.partition(largest, -plan.most)[-plan.most]
        found = np.where((largest >= least)[:, None], found, 0.0)
    return np.clip(np.rint(found * STEPS), -32768, 32767).astype(np.int16)


def find_occurrences(
    corpus: Corpus, words: Sequence[str]
) -> tuple[Numbers, Integers, tuple[str, ...]]:
    """Where words of a set are, which they are, and the set with its most frequent word first."""
    classes_of = np.full(len(corpus.numbers), -1, dtype=np.int64)
    for number, word in enumerate(words):
        known = [form for form in forms_of(word) if form in corpus.numbers]
        classes_of[[corpus.numbers[form] for form in known]] = number
    classes = classes_of[corpus.windows.cells]
    places = np.flatnonzero(classes >= 0)
    counts = np.bincount(classes[places], minlength=len(words))
    order = np.argsort(-counts, kind="stable")
    ranks = np.argsort(order, kind="stable")
    ordered = tuple(words[number] for number in order.tolist())
    return places.astype(np.uint32), ranks[classes[places]], ordered


def ranking_problem(
    ids: NDArray[np.int32], n_features: int, classes: Integers, size: int
) -> RankingProblem:
    """Lists of a set's words, one per occurrence; the first word has no features."""
    present = ids >= 0
    flat, counts = ids[present].astype(np.int64), present.sum(axis=1)
    starts = offsets_of(counts)[:-1]
    sizes = np.zeros((len(classes), size), dtype=np.int64)
    sizes[:, 1:] = counts[:, None]
    offsets = offsets_of(sizes.ravel())
    feature_ids = np.empty(offsets[-1], dtype=np.uint32)
    row = np.repeat(np.arange(len(classes)), counts)
    within = np.arange(len(flat)) - starts[row]
    for word in range(1, size):
        at = offsets[row * size + word] + within
        feature_ids[at] = flat * (size - 1) + word - 1
    qualities = np.zeros((len(classes), size))
    qualities[np.arange(len(classes)), classes] = 1.0
    return RankingProblem(
        list_offsets=np.arange(0, len(classes) * size + 1, size, dtype=np.int64),
        feature_offsets=offsets,
        feature_ids=feature_ids,
        feature_values=None,
        logprobs=np.zeros(len(classes) * size),
        qualities=qualities.reshape(-1),
        n_features=n_features * (size - 1),
    )
