"""Generative parsers whose trees grow from their heads: a markovised PCFG, and Collins's Model 2.

Both parse by the same passes, from coarse to fine: a small PCFG over all spans finds what is likely
at all, a markovised one with the label above (Johnson 1998; Klein and Manning 2003) prunes that to
a small forest, and the lexicalised model weighs what is left. From the packed forest come the n
best trees, exactly (Huang and Chiang 2005, algorithm 3).

The lexicalised model is that of Collins (1999), Model 2, with more context: the label above, and
the last two modifiers (Charniak 2000), which also do what Collins's special cases for punctuation
and co-ordination do.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.data.nbest import Candidate
from runoff.data.sentence import AnySentence, Sentence
from runoff.data.tree import Tree
from runoff.data.treebank.leaves import as_leaves
from runoff.errors import ModelError, NotFittedError, UsageError
from runoff.fitting.parameters import options_of
from runoff.proposers.base import Choices
from runoff.proposers.parsing.base import NO_HELP, Help
from runoff.proposers.parsing.headed_trees import Alphabet, HeadedTrees, mark_base_nps, under_top
from runoff.proposers.parsing.long_sentences import (
    Piece,
    cut_sentence,
    flat_tree,
    join_pieces,
    whole,
)
from runoff.store.arrays import take
from runoff.store.file import Arrays, checking

OWN_TAG_RATIO = 1e-3  # of tags that the parser itself thinks of, against the likeliest
LONGEST = 4096  # words that native code takes at once

LAYOUT = 2
"""Of the tables of probabilities; raise it when native code looks for their entries elsewhere."""


@dataclass(kw_only=True)
class HeadParser:
    """The base class of the two head-driven parsers.

    Parameters
    ----------
    min_count : rarer words are known by their class alone.
    min_events : contexts that decisions were seen in less often give way to more general ones.
    beam : a constituent with a smaller share of the probability of all parses is given up.
    fine_beam : the same, once the label above and neighbours are known.
    max_words : longer sentences are parsed in pieces, cut at punctuation.

    Notes
    -----
    Memory and time of a sentence have a bound. The chart takes 300 MB at most, which is 200 words
    with the labels of a large treebank: with more labels, pieces are shorter than `max_words`. No
    later pass has more than 3 million edges; where more are within the beams, these are narrowed
    for the sentence. Sentences that take much memory wait for each other, so threads add little.
    Ordinary sentences take some MB and hundredths of a second; 200 words some seconds.
    """

    min_count: int = 3
    min_events: int = 3
    beam: float = 3e-5
    fine_beam: float = 1e-6
    max_words: int = 200

    name: ClassVar[str]
    uses_dev: ClassVar[bool] = False
    lexicalised: ClassVar[bool]

    _alphabet: Alphabet = field(init=False, repr=False, compare=False)
    _model: _native.HeadModel = field(init=False, repr=False, compare=False)
    _parser: _native.HeadParser = field(init=False, repr=False, compare=False)

    def check(self) -> None:
        """Raise an error for options that make no sense."""
        if self.min_events < 1:
            raise UsageError(f"min_events must be at least 1, not {self.min_events}")
        if not 1 <= self.max_words <= LONGEST:
            raise UsageError(f"max_words must lie between 1 and {LONGEST}, not {self.max_words}")

    def fit(self, corpus: Iterable[Tree]) -> Self:
        """Learn from clean trees: no traces, no function tags."""
        treebank = self.encode(corpus)
        return self.fit_some(treebank, np.arange(len(treebank), dtype=np.int64))

    def encode(self, corpus: Iterable[Tree]) -> Treebank:
        """Trees as the parser learns from them, made once for all folds."""
        return Treebank.of(corpus, self.min_count)

    def fit_some(self, treebank: Treebank, chosen: NDArray[np.int64], help: Help = NO_HELP) -> Self:
        """Learn from some trees of a treebank that is encoded already."""
        if not len(chosen):
            raise UsageError("a parser cannot learn from no trees")
        alphabet = treebank.alphabet
        self.check()
        labels = _native.HeadLabels(*alphabet.meaning)
        trees = _native.HeadedTrees(labels, len(alphabet.words), *treebank.trees)
        model = _native.train_head_model(labels, trees, chosen, self.lexicalised, self.min_events)
        return self._take(alphabet, model)

    def found_options(self) -> dict[str, Any]:
        """Options that development trees chose: none."""
        return {}

    def training_record(self) -> dict[str, Any]:
        """What there is to say of how it was trained: nothing."""
        return {}

    def _take(self, alphabet: Alphabet, model: _native.HeadModel) -> Self:
        self.check()
        labels = list(alphabet.labels)
        try:
            self._parser = _native.HeadParser(model, labels, self.beam, self.fine_beam)
        except ValueError as error:
            raise UsageError(str(error)) from None
        self._alphabet, self._model = alphabet, model
        return self

    def propose(
        self, input: AnySentence, n: int, choices: Choices | None = None
    ) -> list[Candidate]:
        """At most n distinct trees with log-probabilities, best first; never none."""
        return self.propose_all([input], n, choices=[choices])[0]

    def propose_all(
        self,
        sentences: Iterable[AnySentence],
        n: int,
        *,
        choices: Iterable[Choices | None] = (),
        threads: int = 1,
    ) -> list[list[Candidate]]:
        """The proposals for several sentences; the same on any number of threads.

        A sentence that the grammar has no tree for gets a flat one with `flat` in its `extra`;
        one that was parsed in pieces has `pieces`.

        Parameters
        ----------
        choices : for each sentence, the tags that its words may have, as a tagger gives them;
            without, those that came with the words, or else the parser's own.
        """
        if not hasattr(self, "_parser"):
            raise NotFittedError(f"this {type(self).__name__} has not been fitted")
        if n < 1:
            raise UsageError(f"n must be at least 1, not {n}")
        leaves = [as_leaves(Sentence.of(one)) for one in sentences]
        tags = list(choices) or [None] * len(leaves)
        limit = min(self.max_words, self._parser.longest)
        pieces = [cut_sentence(whole(*one), limit) for one in zip(leaves, tags, strict=True)]
        found = iter(self._parse([piece for row in pieces for piece in row], n, threads))
        return [join_pieces(row, [next(found) for _ in row], n) for row in pieces]

    def _parse(self, sentences: Sequence[Piece], n: int, threads: int) -> list[list[Candidate]]:
        offsets, words, choice_offsets = [0], list[int](), [0]
        tags, probabilities = list[int](), list[float]()
        labels = {tag: number for number, tag in enumerate(self._alphabet.tags)}
        for sentence in sentences:
            words.extend(map(self._alphabet.word, sentence.words))
            offsets.append(len(words))
            for row in sentence.choices or [()] * len(sentence.words):
                known = dict[int, float]()
                for tag, probability in row:
                    if tag in labels and probability > 0:
                        known.setdefault(labels[tag], probability)
                tags.extend(known.keys())
                probabilities.extend(known.values())
                choice_offsets.append(len(tags))
        results = self._parser.parse(
            [list(sentence.words) for sentence in sentences],
            np.array(offsets, dtype=np.int64),
            np.array(words, dtype=np.int32),
            len(self._alphabet.words),
            np.array(choice_offsets, dtype=np.int64),
            np.array(tags, dtype=np.int32),
            np.array(probabilities, dtype=np.float64),
            OWN_TAG_RATIO,
            n,
            threads,
        )
        return [
            [Candidate(brackets, logprob) for brackets, logprob in parses] or [flat_tree(sentence)]
            for sentence, parses in zip(sentences, results, strict=True)
        ]

    def stored(self) -> tuple[dict[str, Any], Arrays]:
        """Header and arrays, for a model file."""
        return {"kind": self.name, "parameters": options_of(self)}, self.arrays()

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The learned parameters as arrays for a model file."""
        if not hasattr(self, "_model"):
            raise NotFittedError(f"this {type(self).__name__} has not been fitted")
        made: dict[str, NDArray[Any]] = {"layout": np.array([LAYOUT], dtype=np.int32)}
        made |= self._alphabet.arrays()
        made |= dict(zip(_SEEN, self._model.seen(), strict=True))
        for name, (keys, values) in zip(_TABLES, self._model.tables(), strict=False):
            made |= {f"{name}_keys": keys, f"{name}_values": values}
        return made

    def restore(self, arrays: Arrays) -> Self:
        """Restore the learned parameters from the arrays of a model file, checked."""
        if "layout" not in arrays or take(arrays, "layout", np.int32, (1,))[0] != LAYOUT:
            raise ModelError(
                "the tables of the parser are not laid out as this version of Runoff has them",
                hint="train it again: runoff train parsing",
            )
        alphabet = Alphabet.from_arrays(arrays)
        tables = _TABLES if self.lexicalised else _TABLES[:_UNLEXICALISED]
        names = [*_SEEN, *(f"{name}_{part}" for name in tables for part in ("keys", "values"))]
        types: list[type[np.generic]] = [np.int32] * len(_SEEN)
        types += [np.uint32, np.uint16] * len(tables)
        columns = [
            np.ascontiguousarray(take(arrays, name, dtype))
            for name, dtype in zip(names, types, strict=True)
        ]
        heads, modifiers, frames, above, tags, *rest = columns
        pairs = list(zip(rest[::2], rest[1::2], strict=True))
        with checking():
            labels = _native.HeadLabels(*alphabet.meaning)
            model = _native.restore_head_model(labels, heads, modifiers, frames, above, tags, pairs)
        return self._take(alphabet, model)


_SEEN = ("seen_heads", "seen_modifiers", "seen_frames", "seen_above", "seen_tags")
_TABLES = tuple("head label word lexical_head frame lexical_label tag lexical_word".split())
_UNLEXICALISED = 3


@dataclass(kw_only=True)
class PcfgParser(HeadParser):
    """A PCFG, markovised: modifiers depend on the two before them, and on the label above.

    Examples
    --------
    >>> trees = [Tree.parse("(TOP (S (NP (PRP we)) (VP (VBP vote))))")]
    >>> PcfgParser(min_count=1).fit(trees).propose(["we", "vote"], 1)[0].output
    '(TOP (S (NP (PRP we)) (VP (VBP vote))))'
    """

    name: ClassVar[str] = "pcfg"
    lexicalised: ClassVar[bool] = False


@dataclass(kw_only=True)
class CollinsParser(HeadParser):
    """The lexicalised generative parser.

    Examples
    --------
    >>> trees = [Tree.parse("(TOP (S (NP (PRP we)) (VP (VBP vote))))")]
    >>> parser = CollinsParser(min_count=1).fit(trees)
    >>> [(tree.output, round(tree.logprob, 2)) for tree in parser.propose(["we", "vote"], 1)]
    [('(TOP (S (NP (PRP we)) (VP (VBP vote))))', -18.02)]
    """

    name: ClassVar[str] = "collins"
    lexicalised: ClassVar[bool] = True


@dataclass(frozen=True)
class Treebank:
    """Trees for training, encoded once; folds learn from parts of them."""

    alphabet: Alphabet
    trees: HeadedTrees

    def __len__(self) -> int:
        return len(self.trees.offsets) - 1

    @classmethod
    def of(cls, corpus: Iterable[Tree], min_count: int) -> Treebank:
        """The trees, each with a TOP that has one child."""
        marked = [mark_base_nps(under_top(tree)) for tree in corpus]
        if not marked:
            raise UsageError("a parser cannot learn from no trees")
        alphabet = Alphabet.of(marked, min_count)
        return cls(alphabet, alphabet.encode(marked))
