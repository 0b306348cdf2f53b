"""Grammars with hidden substates: a second opinion on the trees that a parser proposes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Self

import msgspec
import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.data.files import FilePath
from runoff.data.nbest import Candidate, NBest
from runoff.data.numbering import offsets_of
from runoff.data.tree import Tree
from runoff.errors import NotFittedError, UsageError
from runoff.proposers.parsing.headed_trees import Alphabet, under_top
from runoff.store.arrays import (
    LARGEST,
    check_below,
    pack_numbers,
    prefixed,
    take,
    take_numbers,
    without_prefix,
)
from runoff.store.file import Arrays, checking, load, save

KIND = "latent grammars"
"""What a file of grammars alone holds, a step of training."""

OPINION = "latent grammars"
"""The feature of a tree that tells what grammars think of it."""


@dataclass(kw_only=True)
class LatentGrammars:
    """Grammars whose labels are split into substates that EM finds; they differ by their seed.

    They see what labels of a treebank do not tell, such as that a noun phrase is a subject or that
    a noun is a measure. EM finds some local optimum, which depends on the seed, so several grammars
    are asked and the mean of their log-probabilities is taken.

    Parameters
    ----------
    grammars : how many.
    cycles : how often substates are split in two.
    iterations : of EM in a cycle.
    merged : share of the splits that are taken back in each cycle, those that help least.
    seed : of the first grammar; the others have the numbers after it.
    joint : whether trees come in the order of parser and grammars together; the parser's otherwise,
        as in model files of before November 2026.

    References
    ----------
    Petrov, Barrett, Thibaux and Klein (2006), "Learning accurate, compact, and interpretable tree
    annotation". Petrov (2010), "Products of random latent variable grammars".

    Examples
    --------
    >>> trees = [Tree.parse("(TOP (S (NP (PRP we)) (VP (VBP vote))))")]
    >>> grammars = LatentGrammars(grammars=1, cycles=1).fit(trees, Alphabet.of(trees, 1))
    >>> known, strange = "(TOP (S (NP (PRP we)) (VP (VBP vote))))", "(TOP (NP (PRP we) (VBP vote)))"
    >>> grammars.log_probabilities([(["we", "vote"], [known, strange])])[0].round(1).tolist()
    [0.0, -27.6]
    """

    grammars: int = 2
    cycles: int = 5
    iterations: int = 30
    merged: float = 0.5
    seed: int = 0
    joint: bool = True

    _alphabet: Alphabet = field(init=False, repr=False, compare=False)
    _grammars: list[_native.LatentGrammar] = field(init=False, repr=False, compare=False)

    def fit(self, trees: Iterable[Tree], alphabet: Alphabet, *, threads: int = 1) -> Self:
        """Learn from clean trees over the alphabet; the same on any number of threads."""
        if self.grammars < 1:
            raise UsageError(f"there must be at least one grammar, not {self.grammars}")
        if self.seed < 0:
            raise UsageError(f"seed must be at least 0, not {self.seed}")
        corpus = [under_top(tree) for tree in trees]
        offsets, words = _words((tree.words for tree in corpus), alphabet)
        labels, texts = list(alphabet.labels), list(map(str, corpus))
        try:
            self._grammars = [
                _native.train_latent_grammar(
                    labels, texts, offsets, words, self.cycles, self.iterations, self.merged,
                    seed, threads,
                )
                for seed in range(self.seed, self.seed + self.grammars)
            ]  # fmt: skip
        except ValueError as error:
            raise UsageError(str(error)) from None
        self._alphabet = alphabet
        return self

    def log_probabilities(
        self, lists: Sequence[tuple[Sequence[str], Sequence[str]]], *, threads: int = 1
    ) -> list[NDArray[np.float64]]:
        """Mean log-probabilities of trees under the grammars; a sentence is its words and trees."""
        if not hasattr(self, "_grammars"):
            raise NotFittedError("these grammars have not been fitted")
        offsets, numbers = _words((words for words, _ in lists), self._alphabet)
        trees = [list(trees) for _, trees in lists]
        found = _native.latent_log_probabilities(
            self._grammars, list(self._alphabet.labels), trees, offsets, numbers, threads
        )
        bounds = np.cumsum([len(row) for row in trees])[:-1]
        return np.split(found / len(self._grammars), bounds)

    def judged(self, lists: Sequence[NBest], keep: int, *, threads: int = 1) -> list[NBest]:
        """The lists of trees, each tree with the grammars' opinion of it as a feature.

        It is a log-probability less the highest of its list, so that lists of long sentences are
        like those of short ones. Of longer lists, the `keep` trees stay that parser and grammars
        together find likeliest: whose product of probabilities is highest (Petrov 2010). They come
        in that order, and the log-probability of a tree is the mean of the two.
        """
        told = [nbest for nbest in lists if nbest.input]
        texts = [(nbest.input, [one.output for one in nbest.candidates]) for nbest in told]
        opinions = iter(self.log_probabilities(texts, threads=threads))
        how = _in_joint_order if self.joint else _in_order_of_parser
        return [how(n, next(opinions), keep) if n.input else n for n in lists]

    def save(self, path: FilePath) -> None:
        """Write the grammars to a file of their own."""
        save(path, KIND, *self.stored())

    @classmethod
    def load(cls, path: FilePath) -> Self:
        """Read grammars from a file of their own; nothing in it is run."""
        _, header, arrays = load(path, kind=KIND)
        with checking(path):
            return cls.restored(header, arrays)

    def stored(self) -> tuple[dict[str, Any], Arrays]:
        """Header and arrays, for a model file."""
        header = {name: getattr(self, name) for name in _Header.__struct_fields__}
        return header, self.arrays()

    @classmethod
    def restored(cls, header: Mapping[str, Any], arrays: Arrays) -> Self:
        """The grammars of a header and arrays, which are checked."""
        parameters = msgspec.structs.asdict(msgspec.convert(header, _Header))
        return cls(**parameters).restore(arrays)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The learned parameters as arrays for a model file."""
        if not hasattr(self, "_grammars"):
            raise NotFittedError("these grammars have not been fitted")
        made: dict[str, NDArray[Any]] = dict(self._alphabet.arrays())
        for number, grammar in enumerate(self._grammars):
            made |= prefixed(f"{number}.", _packed(*grammar.arrays()))
        return made

    def restore(self, arrays: Arrays) -> Self:
        """Restore the learned parameters from the arrays of a model file, checked."""
        self._alphabet = alphabet = Alphabet.from_arrays(arrays)
        self._grammars = [
            _unpacked(without_prefix(f"{number}.", arrays), list(alphabet.labels))
            for number in range(self.grammars)
        ]
        return self


class _Header(msgspec.Struct):
    grammars: Annotated[int, msgspec.Meta(ge=1, le=100)]
    cycles: int
    iterations: int
    merged: float
    seed: int
    joint: bool = False


def _words(
    sentences: Iterable[Sequence[str]], alphabet: Alphabet
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    offsets, words = [0], list[int]()
    for sentence in sentences:
        words.extend(map(alphabet.word, sentence))
        offsets.append(len(words))
    return np.array(offsets, dtype=np.int64), np.array(words, dtype=np.int32)


def _in_joint_order(nbest: NBest, opinions: NDArray[np.float64], keep: int) -> NBest:
    both = (np.array(nbest.base_scores()) + opinions) / 2
    told = (opinions - opinions.max()).round(4).tolist()
    candidates = [
        msgspec.structs.replace(
            _with_opinion(nbest.candidates[place], told[place]), logprob=float(both[place])
        )
        for place in np.argsort(-both, kind="stable")[:keep].tolist()
    ]
    return msgspec.structs.replace(nbest, candidates=candidates)


def _in_order_of_parser(nbest: NBest, opinions: NDArray[np.float64], keep: int) -> NBest:
    both = np.array(nbest.base_scores()) + opinions
    both[0] = np.inf  # the parser's favourite
    kept = np.sort(np.argsort(-both, kind="stable")[:keep]).tolist()
    told = (opinions - opinions.max()).round(4).tolist()
    candidates = [_with_opinion(nbest.candidates[place], told[place]) for place in kept]
    return msgspec.structs.replace(nbest, candidates=candidates)


def _with_opinion(candidate: Candidate, opinion: float) -> Candidate:
    features = {**(candidate.features or {}), OPINION: opinion}
    return msgspec.structs.replace(candidate, features=features)


def _packed(
    substates: NDArray[np.uint8],
    rules: NDArray[np.int32],
    offsets: NDArray[np.uint32],
    places: NDArray[np.uint32],
    codes: NDArray[np.uint16],
) -> dict[str, NDArray[Any]]:
    return {
        "substates": substates,
        "rules": pack_numbers(rules + 1),
        "sizes": pack_numbers(np.diff(offsets.astype(np.int64))),
        "places": pack_numbers(_steps(places, offsets)),
        "probabilities": codes,
    }


def _steps(places: NDArray[np.uint32], offsets: NDArray[np.uint32]) -> NDArray[np.int64]:
    """From one place of a rule to the next, which takes fewer bytes; the first from 0."""
    wide = places.astype(np.int64)
    steps: NDArray[np.int64] = wide - np.concatenate([[0], wide[:-1]])
    first = offsets[:-1][np.diff(offsets) > 0]
    steps[first] = places[first]
    return steps


def _places(steps: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The places that `_steps` took apart."""
    sums = np.concatenate([[0], np.cumsum(steps)])
    before = np.cumsum(sizes) - sizes
    places: NDArray[np.int64] = sums[1:] - np.repeat(sums[before], sizes)
    return places


def _unpacked(arrays: Arrays, labels: list[str]) -> _native.LatentGrammar:
    substates = take(arrays, "substates", np.uint8)
    codes = take(arrays, "probabilities", np.uint16)
    rules = take_numbers(arrays, "rules", below=1 << 31)
    sizes = take_numbers(arrays, "sizes")
    places = _places(take_numbers(arrays, "places", int(sizes.sum())), sizes)
    check_below(places, "places", LARGEST + 1)
    offsets = offsets_of(sizes).astype(np.uint32)
    with checking():
        return _native.restore_latent_grammar(
            labels,
            np.array(substates),
            (rules - 1).astype(np.int32),
            offsets,
            places.astype(np.uint32),
            np.array(codes),
        )
