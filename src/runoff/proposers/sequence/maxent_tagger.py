"""The maximum-entropy tagger of Ratnaparkhi (1996): part of speech, or any other tag a word.

The probability of a tag depends on the words around and on the two tags before; the product over
the words of a sentence is the probability of its tags. Each is a softmax over the tags that the
word may have: those that the dictionary has seen with it, if it is frequent. So the probabilities
of all tag sequences of a sentence sum to 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.data.nbest import Candidate
from runoff.data.numbering import offsets_of
from runoff.data.sentence import AnySentence, Sentence
from runoff.errors import NotFittedError, UsageError, check_at_least
from runoff.fitting.optimise import Minimum, minimise
from runoff.fitting.priors import check_priors, fit_priors
from runoff.fitting.record import Record
from runoff.fitting.run import ALONE, Run
from runoff.learners.clusters import WordClusters
from runoff.problem.problem import Floats
from runoff.proposers.base import Choices, named_lists
from runoff.proposers.sequence.keyed_weights import KeyedWeights
from runoff.proposers.sequence.tag_model import TagDictionary, TagModel
from runoff.proposers.sequence.templates import TEMPLATES, native_atoms
from runoff.store.file import Arrays


@dataclass(kw_only=True)
class MaxentTagger:
    """Proposes tags for the words of a sentence.

    Parameters
    ----------
    prior : spread s of the weights: the penalty is the sum of |w| / s, which makes most of them
        zero. Of several, the one that does best on development sentences is taken.
    frequent : words that occur so often have only the tags that they were seen with.
    min_count : features that are seen less often are left out, and so are words of the dictionary.
    beam : pairs of last tags that are followed from word to word.
    iterations : of the search for weights, at most.
    templates : what is looked at, see `runoff.proposers.sequence.templates`.

    Examples
    --------
    >>> corpus = [Sentence(("they", "vote"), gold=("PRP", "VB")),
    ...           Sentence(("the", "vote"), gold=("DT", "NN"))]
    >>> tagger = MaxentTagger(prior=(10.0,), min_count=1).fit(corpus)
    >>> tagger.tags(["the", "vote"])
    ['DT', 'NN']
    """

    prior: tuple[float, ...] = (1.0,)
    frequent: int = 50
    min_count: int = 3
    beam: int = 16
    iterations: int = 80
    templates: tuple[str, ...] = TEMPLATES

    model_: TagModel = field(init=False, repr=False, compare=False)
    record_: Record = field(init=False, repr=False, compare=False, default_factory=dict)

    def fit(
        self,
        corpus: Sequence[Sentence],
        dev: Sequence[Sentence] | None = None,
        *,
        clusters: WordClusters | None = None,
        run: Run = ALONE,
    ) -> Self:
        """Learn the gold tags of sentences; `dev` chooses among priors.

        Parameters
        ----------
        clusters : what templates with `cluster` look at; the model keeps them.
        """
        self.check(with_dev=dev is not None)
        dictionary = TagDictionary.of(corpus, self.min_count, self.frequent)
        strings: dict[str, int] = {}
        table = dictionary.table(strings, clusters, grow=True)
        number = {tag: i for i, tag in enumerate(dictionary.tags)}
        gold = np.array([number[tag] for s in corpus for tag in s.labels], dtype=np.uint16)
        problem = _native.TagProblem(
            dictionary.scheme(self.templates),
            **table.sentences(sentence.words for sentence in corpus),
            gold=gold,
            min_count=self.min_count,
        )
        learned = _Learned(self.templates, dictionary, list(strings), problem, clusters)

        def quality(x: Floats) -> float:
            self.model_ = learned.model(x)
            return self.accuracy(dev or (), threads=run.threads)

        fit = partial(learned.fit, iterations=self.iterations)
        x, self.record_ = fit_priors(self.prior, fit, None if dev is None else quality, run)
        self.model_ = learned.model(x)
        return self

    def check(self, *, with_dev: bool = True) -> None:
        """Raise an error for options that make no sense."""
        check_at_least(
            1,
            frequent=self.frequent,
            min_count=self.min_count,
            beam=self.beam,
            iterations=self.iterations,
        )
        check_priors(self.prior, with_dev=with_dev)
        native_atoms(self.templates)

    @property
    def model(self) -> TagModel:
        """The learned model."""
        if not hasattr(self, "model_"):
            raise NotFittedError("this MaxentTagger has not been fitted")
        return self.model_

    def tags(self, sentence: AnySentence) -> list[str]:
        """The most probable tags."""
        return self.tag_all([sentence])[0]

    def propose(self, input: AnySentence, n: int) -> list[Candidate]:
        """At most n distinct lists of tags with log-probabilities, best first."""
        return self.propose_all([input], n)[0]

    def choices(self, sentence: AnySentence, ratio: float) -> Choices:
        """For every word the tags that are at least `ratio` times as probable as its best one.

        These are the marginal probabilities of the model, the tags before summed out; see
        `choices_all`.
        """
        return self.choices_all([sentence], ratio)[0]

    def tag_all(self, sentences: Iterable[AnySentence], *, threads: int = 1) -> list[list[str]]:
        """The most probable tags of many sentences; runs without the interpreter lock."""
        given = self.model.table.sentences(map(_words, sentences))
        _, _, tags = self.model.native.n_best(**given, n=1, beam=self.beam, threads=threads)
        names = self.model.dictionary.tags
        named = [names[tag] for tag in tags.tolist()]
        return [named[a:b] for a, b in pairwise(given["offsets"].tolist())]

    def propose_all(
        self, sentences: Iterable[AnySentence], n: int, *, threads: int = 1
    ) -> list[list[Candidate]]:
        """The n best of many sentences; runs without the interpreter lock.

        The search follows the `beam` best pairs of last tags, and n paths to each.
        """
        check_at_least(1, n=n)
        given = self.model.table.sentences(map(_words, sentences))
        counts, logprobs, tags = self.model.native.n_best(
            **given, n=n, beam=self.beam, threads=threads
        )
        names = self.model.dictionary.tags
        return named_lists(given["offsets"], counts, logprobs, tags, names)

    def choices_all(
        self, sentences: Iterable[AnySentence], ratio: float, *, threads: int = 1
    ) -> list[Choices]:
        """The choices of many sentences; runs without the interpreter lock.

        A tag's probability is summed over the tags of the words before. Words behind have their
        say through features that look at them; their tags have none, as the model is normalised
        word by word. So going forward is all there is to do, and but for the beam it is exact.
        """
        if not 0 < ratio <= 1:
            raise UsageError(f"ratio lies between 0 and 1, and {ratio} does not")
        given = self.model.table.sentences(map(_words, sentences))
        counts, tags, probabilities = self.model.native.choices(
            **given, ratio=ratio, beam=self.beam, threads=threads
        )
        names = self.model.dictionary.tags
        pairs = [
            (names[tag], p) for tag, p in zip(tags.tolist(), probabilities.tolist(), strict=True)
        ]
        words = [pairs[a:b] for a, b in pairwise(offsets_of(counts).tolist())]
        return [words[a:b] for a, b in pairwise(given["offsets"].tolist())]

    def accuracy(self, sentences: Sequence[Sentence], *, threads: int = 1) -> float:
        """The share of words that get their own tag, from 0 to 1."""
        found = self.tag_all(sentences, threads=threads)
        right = sum(
            a == b
            for tags, sentence in zip(found, sentences, strict=True)
            for a, b in zip(tags, sentence.labels, strict=True)
        )
        return right / max(sum(map(len, sentences)), 1)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The learned parameters as arrays for a model file."""
        return self.model.arrays()

    def restore(self, arrays: Arrays) -> Self:
        """Restore the learned parameters from the arrays of a model file, checked."""
        self.model_ = TagModel.from_arrays(arrays)
        return self


def _words(sentence: AnySentence) -> tuple[str, ...]:
    return Sentence.of(sentence).words


@dataclass(frozen=True)
class _Learned:
    """Training sentences as decisions, and the models that their weights make."""

    templates: tuple[str, ...]
    dictionary: TagDictionary
    strings: list[str]
    problem: _native.TagProblem
    clusters: WordClusters | None

    def fit(self, s: float, *, iterations: int, run: Run) -> Minimum:
        """The weights under a prior."""
        size = len(self.problem.pair_targets())

        def loss(x: Floats) -> tuple[float, Floats]:
            gradient = np.empty(size)
            return self.problem.loss(x, gradient, run.threads), gradient

        start = np.zeros(size)
        return minimise(loss, start, l1=1 / s, iterations=iterations, run=run, stage="tagger")

    def model(self, x: Floats) -> TagModel:
        """The weights that are not zero, with the strings that they need."""
        words = self.dictionary.words
        known = KeyedWeights.kept(self.templates, self.strings, words, self.problem, x)
        return TagModel(self.dictionary, known, self.clusters)
