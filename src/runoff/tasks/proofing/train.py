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
from runoff.data.vocabulary import GrowingVocabulary, Numbers, read_numbers
from runoff.engine import ALONE, AnyEngine, Engine
from runoff.errors import FormatError, UsageError
from runoff.fitting.run import Run
from runoff.learners.igtree.tree import Windows
from runoff.learners.maxent.maxent import MaxEnt
from runoff.pipeline.options import check_ranges, option
from runoff.pipeline.steps import work_folder
from runoff.pipeline.work_folder import StepResult, WorkFolder
from runoff.problem.problem import Floats, Integers, RankingProblem
from runoff.store.file import Joined, load, save
from runoff.tasks.proofing.context import REACH, ContextTable, WordShapes, context_table
from runoff.tasks.proofing.model import STEPS, ConfusablesModel, Expert, ExpertHeader

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
    numbers: GrowingVocabulary
    shapes: WordShapes
    key: str


def read_corpus(files: FilePath | Iterable[FilePath], *, tokenized: bool = False) -> Corpus:
    """The words of files."""
    growing = GrowingVocabulary()
    texts = [read_numbers(file, growing, tokenized=tokenized) for file in file_names(files)]
    if not sum(map(len, texts)):
        raise FormatError("there are no words to learn from")
    digest = hashlib.blake2b("\n".join(growing).encode("utf-8", "surrogatepass"), digest_size=16)
    for text in texts:
        digest.update(text.data)
    windows = Windows.of_text(texts, REACH, REACH)
    return Corpus(windows, growing, WordShapes(growing.words()), digest.hexdigest())


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
    expert = Expert(ordered, Joined.of([names[i] for i in order]), weights[used[order]], thresholds)
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
    starts = np.cumsum([0, *counts])[:-1]
    sizes = np.zeros((len(classes), size), dtype=np.int64)
    sizes[:, 1:] = counts[:, None]
    offsets = np.concatenate([[0], np.cumsum(sizes)])
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


def log_probabilities(ids: NDArray[np.int32], weights: NDArray[np.int16]) -> Floats:
    """Logarithms of the probabilities of a set's words; shape (occurrences, words)."""
    with_none = np.vstack([weights, np.zeros((1, weights.shape[1]), dtype=np.int16)])
    scores = np.zeros((len(ids), weights.shape[1] + 1))
    for column in ids.T:  # -1 is the row of zeros
        scores[:, 1:] += with_none[column]
    scores /= STEPS
    logs: Floats = scores - np.logaddexp.reduce(scores, axis=1, keepdims=True)
    return logs


def margins(logs: Floats, there: Integers) -> Floats:
    """How much better the best other word is than the one that is there."""
    rows = np.arange(len(logs))
    others = logs.copy()
    others[rows, there] = -np.inf
    best: Floats = others.max(axis=1) - logs[rows, there]
    return best


def choose_thresholds(logs: Floats, classes: Integers, rate: float) -> tuple[float, ...]:
    """By word, the margin that at most a share of its right occurrences exceeds.

    Where there are too few occurrences to see such a share, the probabilities are believed for the
    rest of the way: odds of right words fall as the margin grows.

    Examples
    --------
    >>> logs = np.log(np.array([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]]))
    >>> [round(t, 2) for t in choose_thresholds(logs, np.array([0, 0, 1]), 0.5)]
    [0.0, 0.69]
    """
    found = []
    for word in range(logs.shape[1]):
        own = classes == word
        seen = np.sort(margins(logs[own], classes[own]))[::-1]
        reached = float(seen[int(rate * len(seen))]) if len(seen) else 0.0
        unseen = float(np.log(1 / (rate * max(len(seen), 1))))
        found.append(max(reached, 0.0) + max(unseen, 0.0))
    return tuple(found)


def judge(logs: Floats, classes: Integers, thresholds: Sequence[float]) -> dict[str, float]:
    """How well an expert does: where words are right, and where each is replaced by the others."""
    limits = np.array(thresholds)
    right = margins(logs, classes)
    planted, found = 0, 0
    for there in range(logs.shape[1]):
        other = classes != there
        wrong = np.full(int(other.sum()), there)
        suspected = margins(logs[other], wrong) > limits[there]
        planted += len(wrong)
        found += int((suspected & (logs[other].argmax(axis=1) == classes[other])).sum())
    return {
        "held out": len(classes),
        "accuracy": float((right < 0).mean()),
        "false alarms": float((right > limits[classes]).mean()),
        "errors found": found / max(planted, 1),
    }
