"""Linear-chain conditional random fields (Lafferty et al. 2001) for chunks and other labels.

A label sequence scores the weights of what its words show, and those of its neighbouring labels;
exp(score), divided by the sum of that over all sequences, is its probability. With order 2 three
labels in a row have a weight, and what words show may speak for two labels in a row, as in Sha &
Pereira (2003). The n best are exact: nothing is pruned.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import repeat
from operator import eq
from typing import Annotated, Any, Self

import msgspec
import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.data.nbest import Candidate
from runoff.data.sentence import AnySentence, Sentence
from runoff.errors import NotFittedError, UsageError, check_at_least
from runoff.fitting.optimise import Minimum, minimise
from runoff.fitting.priors import check_priors, fit_priors
from runoff.fitting.record import Record
from runoff.fitting.run import ALONE, Run
from runoff.learners.clusters import WordClusters
from runoff.problem.problem import Floats
from runoff.proposers.base import named_lists
from runoff.proposers.sequence.crf_model import Chain, CrfModel
from runoff.proposers.sequence.keyed_weights import STEPS, KeyedWeights
from runoff.proposers.sequence.templates import TAG, native_atoms, parse_template
from runoff.proposers.sequence.word_forms import FORMS, FormTable, look_at
from runoff.store.file import Arrays

TEMPLATES = (
    *("word[-2]", "word[-1]", "word[0]", "word[1]", "word[2]"),
    *("word[-1]+word[0]", "word[0]+word[1]"),
    *("class[-2]", "class[-1]", "class[0]", "class[1]", "class[2]"),
    *("class[-2]+class[-1]", "class[-1]+class[0]", "class[0]+class[1]", "class[1]+class[2]"),
    *("class[-2]+class[-1]+class[0]", "class[-1]+class[0]+class[1]", "class[0]+class[1]+class[2]"),
)
"""Words and classes in a window, as is usual for chunking."""

RICH_TEMPLATES = (
    *TEMPLATES,
    *("lower[0]", "prefix2[0]", "prefix3[0]", "suffix2[0]", "suffix3[0]", "suffix4[0]"),
    *("pattern[0]", "marks[0]", "suffix3[-1]", "suffix3[1]", "class[-3]", "class[3]"),
    *("word[-1]+class[0]", "class[-1]+word[0]", "word[0]+class[1]", "class[0]+word[1]"),
    *("word[0]+class[0]", "class[-1]+word[0]+class[1]", "class[-1]+class[1]"),
    *("word[-2]+word[-1]", "word[1]+word[2]", "word[-1]+word[1]"),
    *("class[-3]+class[-2]+class[-1]", "class[1]+class[2]+class[3]"),
)
"""The same, parts of words, and words together with classes."""

_WIDTHS = ("cluster", "cluster4", "cluster6", "cluster8")

CLUSTER_TEMPLATES = (
    *(f"{width}[{place}]" for width in _WIDTHS for place in (-2, -1, 0, 1, 2)),
    *(f"{width}[{place}]+{width}[{place + 1}]" for width in _WIDTHS for place in (-1, 0)),
    *(f"{width}[{place}]+class[0]" for width in _WIDTHS for place in (-1, 0, 1)),
)
"""Clusters of words, fine and coarse: by themselves, next to each other, and with a class."""


@dataclass(kw_only=True)
class Crf:
    """Proposes labels for the words of a sentence, which may come with classes.

    Parameters
    ----------
    order : labels before that a label depends on, 1 or 2.
    prior : spread s of the weights: the penalty is the sum of w^2 / 2 s^2. Of several, the one that
        does best on development sentences is taken.
    min_count : attributes that are seen less often are left out.
    iterations : of the search for weights, at most.
    templates : what is looked at, see `runoff.proposers.sequence.templates`; `class` is what comes
        with a word. With order 2, those with `tag[-1]` speak for two labels in a row.

    Examples
    --------
    >>> corpus = [Sentence(("they", "vote"), ("PRP", "VB"), ("B-NP", "B-VP")),
    ...           Sentence(("the", "vote"), ("DT", "NN"), ("B-NP", "I-NP"))]
    >>> crf = Crf(prior=(10.0,)).fit(corpus)
    >>> crf.labels([("the", "DT"), ("vote", "NN")])
    ['B-NP', 'I-NP']
    """

    order: int = 1
    prior: tuple[float, ...] = (1.0,)
    min_count: int = 1
    iterations: int = 200
    templates: tuple[str, ...] = TEMPLATES

    model_: CrfModel = field(init=False, repr=False, compare=False)
    record_: Record = field(init=False, repr=False, compare=False, default_factory=dict)

    def fit(
        self,
        corpus: Sequence[Sentence],
        dev: Sequence[Sentence] | None = None,
        *,
        clusters: WordClusters | None = None,
        run: Run = ALONE,
    ) -> Self:
        """Learn the gold labels of sentences; `dev` chooses among priors.

        Parameters
        ----------
        clusters : what templates with `cluster` look at; the model keeps them.
        """
        self.check(with_dev=dev is not None)
        learned = _Learned.of(self, corpus, clusters)

        def quality(x: Floats) -> float:
            self.model_ = learned.model(x)
            return self.accuracy(dev or (), threads=run.threads)

        fit = partial(learned.fit, iterations=self.iterations)
        x, self.record_ = fit_priors(self.prior, fit, None if dev is None else quality, run)
        self.model_ = learned.model(x)
        return self

    def check(self, *, with_dev: bool = True) -> None:
        """Raise an error for options that make no sense."""
        if self.order not in (1, 2):
            raise UsageError(f"order must be 1 or 2, not {self.order}")
        check_at_least(1, min_count=self.min_count, iterations=self.iterations)
        check_priors(self.prior, with_dev=with_dev)
        for template in self.templates:
            places = [place for place, form in parse_template(template) if form == TAG]
            if places not in ([], [-1][: self.order - 1]):
                raise UsageError(
                    f"the template {template!r} looks at labels that a CRF of order {self.order} "
                    "does not see",
                    hint="with order 2 a template may have tag[-1], once",
                )

    @property
    def model(self) -> CrfModel:
        """The learned model."""
        if not hasattr(self, "model_"):
            raise NotFittedError("this Crf has not been fitted")
        return self.model_

    def labels(self, sentence: AnySentence) -> list[str]:
        """The most probable labels."""
        best: list[str] = self.propose(sentence, 1)[0].output
        return best

    def propose(self, input: AnySentence, n: int) -> list[Candidate]:
        """At most n distinct lists of labels with log-probabilities, best first."""
        return self.propose_all([input], n)[0]

    def propose_all(
        self, sentences: Iterable[AnySentence], n: int, *, threads: int = 1
    ) -> list[list[Candidate]]:
        """The n best of many sentences; runs without the interpreter lock."""
        check_at_least(1, n=n)
        given = self.model.table.sentences(map(_tokens, sentences))
        offsets, attributes = self.model.templates.find(**given, threads=threads)
        found = self.model.native.n_best(
            given["offsets"], offsets, attributes, None, n, threads=threads
        )
        return named_lists(given["offsets"], *found, self.model.chain.labels)

    def accuracy(self, sentences: Sequence[Sentence], *, threads: int = 1) -> float:
        """The share of words that get their own label, from 0 to 1."""
        found = self.propose_all(sentences, 1, threads=threads)
        right = sum(
            sum(map(eq, lists[0].output, sentence.labels))
            for lists, sentence in zip(found, sentences, strict=True)
        )
        return right / max(sum(map(len, sentences)), 1)

    def stored(self) -> tuple[dict[str, Any], Arrays]:
        """Header and arrays, for a model file."""
        parameters = {name: getattr(self, name) for name in _Parameters.__struct_fields__}
        return {"parameters": parameters, "record": self.record_}, self.arrays()

    @classmethod
    def restored(cls, header: Mapping[str, Any], arrays: Arrays) -> Self:
        """The CRF of a header and arrays, which are checked."""
        checked = msgspec.convert(header, _Header)
        crf = cls(**msgspec.structs.asdict(checked.parameters))
        crf.check()
        crf.restore(arrays).record_ = checked.record
        return crf

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The learned parameters as arrays for a model file."""
        return self.model.arrays()

    def restore(self, arrays: Arrays) -> Self:
        """Restore the learned parameters from the arrays of a model file, checked."""
        self.model_ = CrfModel.from_arrays(arrays, self.order)
        return self


Positive = Annotated[int, msgspec.Meta(ge=1, lt=1 << 31)]


class _Parameters(msgspec.Struct):
    order: int
    prior: tuple[float, ...]
    min_count: Positive
    iterations: Positive
    templates: tuple[str, ...]


class _Header(msgspec.Struct):
    parameters: _Parameters
    record: Record = {}


def _tokens(given: AnySentence) -> list[tuple[str, str]]:
    """The tokens of a sentence for the CRF: every word with its class, which is its tag, or ""."""
    sentence = Sentence.of(given)
    return list(zip(sentence.words, sentence.tags or repeat(""), strict=False))


@dataclass(frozen=True)
class _Learned:
    """Training sentences as a problem, and the models that weights make."""

    templates: tuple[str, ...]
    chain: Chain
    strings: list[str]
    problem: _native.CrfProblem
    n_edges: int
    clusters: WordClusters | None

    @classmethod
    def of(cls, crf: Crf, corpus: Sequence[Sentence], clusters: WordClusters | None) -> Self:
        """The problem of a corpus."""
        chain = Chain.of(crf.order, (sentence.labels for sentence in corpus))
        strings: dict[str, int] = {}
        table = FormTable(partial(look_at, clusters), strings, grow=True)
        given = table.sentences(map(_tokens, corpus))
        number = {label: i for i, label in enumerate(chain.labels)}
        gold = np.array([number[tag] for s in corpus for tag in s.labels], dtype=np.uint16)
        native = chain.native()
        problem = _native.CrfProblem(
            native,
            native_atoms(crf.templates),
            len(FORMS),
            **given,
            gold=gold,
            min_count=crf.min_count,
        )
        return cls(crf.templates, chain, list(strings), problem, native.n_edges, clusters)

    def fit(self, s: float, *, iterations: int, run: Run) -> Minimum:
        """The weights under a prior."""
        size = len(self.problem.pair_targets()) + self.n_edges

        def loss(x: Floats) -> tuple[float, Floats]:
            gradient = np.empty(size)
            value = self.problem.loss(x, gradient, run.threads)
            gradient += x / s**2
            return value + float(np.add.reduce(x * x)) / (2 * s**2), gradient

        return minimise(loss, np.zeros(size), iterations=iterations, run=run, stage="crf")

    def model(self, x: Floats) -> CrfModel:
        """The weights that are not zero, with the strings that they need."""
        pairs, edges = np.split(x, [len(x) - self.n_edges])
        known = KeyedWeights.kept(self.templates, self.strings, (), self.problem, pairs)
        steps = np.rint(edges * STEPS).astype(np.int64)
        return CrfModel(self.chain, known, steps, self.clusters)
