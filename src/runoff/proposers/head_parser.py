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

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.data.nbest import Candidate
from runoff.data.tree import Tree
from runoff.errors import ModelError, NotFittedError, UsageError
from runoff.proposers.head_trees import TOP, Alphabet, HeadedTrees, mark_base_nps, under_top
from runoff.store import Arrays

Choices = Sequence[Sequence[tuple[str, float]]]
"""For every word its possible tags with their probabilities, the likeliest first."""

OWN_TAG_RATIO = 1e-3  # of tags that the parser itself thinks of, against the likeliest
FLAT_LOGPROB = -25.0  # for each word of a tree without structure: a tag and a word never seen
LONGEST = 4096  # words that native code takes at once

LAYOUT = 2
"""Of the tables of probabilities; raise it when native code looks for their entries elsewhere."""


class Words(NamedTuple):
    """A sentence to parse.

    Parameters
    ----------
    words : its words.
    choices : tags that each word may have, as a tagger gives them; without, the parser's own.
    """

    words: Sequence[str]
    choices: Choices | None = None


@dataclass(kw_only=True)
class HeadParser:
    """What the two parsers share.

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

    lexicalised: ClassVar[bool]

    _alphabet: Alphabet = field(init=False, repr=False, compare=False)
    _model: _native.HeadModel = field(init=False, repr=False, compare=False)
    _parser: _native.HeadParser = field(init=False, repr=False, compare=False)

    def fit(self, corpus: Iterable[Tree]) -> Self:
        """Learn from clean trees: no traces, no function tags."""
        treebank = Treebank.of(corpus, self.min_count)
        return self.fit_some(treebank, np.arange(len(treebank), dtype=np.int64))

    def fit_some(self, treebank: Treebank, chosen: NDArray[np.int64]) -> Self:
        """Learn from some trees of a treebank that is encoded already."""
        if not len(chosen):
            raise UsageError("a parser cannot learn from no trees")
        alphabet = treebank.alphabet
        if self.min_events < 1:
            raise UsageError(f"min_events must be at least 1, not {self.min_events}")
        labels = _native.HeadLabels(*alphabet.meaning)
        trees = _native.HeadedTrees(labels, len(alphabet.words), *treebank.trees)
        model = _native.train_head_model(labels, trees, chosen, self.lexicalised, self.min_events)
        return self._take(alphabet, model)

    def _take(self, alphabet: Alphabet, model: _native.HeadModel) -> Self:
        if not 1 <= self.max_words <= LONGEST:
            raise UsageError(f"max_words must lie between 1 and {LONGEST}, not {self.max_words}")
        labels = list(alphabet.labels)
        try:
            self._parser = _native.HeadParser(model, labels, self.beam, self.fine_beam)
        except ValueError as error:
            raise UsageError(str(error)) from None
        self._alphabet, self._model = alphabet, model
        return self

    def propose(self, input: Words | Sequence[str], n: int) -> list[Candidate]:
        """At most n distinct trees with log-probabilities, best first; never none."""
        return self.propose_all([input], n)[0]

    def propose_all(
        self, inputs: Sequence[Words | Sequence[str]], n: int, *, threads: int = 1
    ) -> list[list[Candidate]]:
        """The proposals for several sentences; the same on any number of threads.

        A sentence that the grammar has no tree for gets a flat one with `flat` in its `extra`;
        one that was parsed in pieces has `pieces`.
        """
        if not hasattr(self, "_parser"):
            raise NotFittedError(f"this {type(self).__name__} has not been fitted")
        if n < 1:
            raise UsageError(f"n must be at least 1, not {n}")
        sentences = [_checked(one if isinstance(one, Words) else Words(one)) for one in inputs]
        limit = min(self.max_words, self._parser.longest)
        pieces = [_pieces(sentence, limit) for sentence in sentences]
        found = iter(self._parse([piece for row in pieces for piece in row], n, threads))
        return [_joined(row, [next(found) for _ in row], n) for row in pieces]

    def _parse(self, sentences: Sequence[Words], n: int, threads: int) -> list[list[Candidate]]:
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
            [Candidate(brackets, logprob) for brackets, logprob in parses] or [_flat(sentence)]
            for sentence, parses in zip(sentences, results, strict=True)
        ]

    def arrays(self) -> dict[str, NDArray[Any]]:
        """What was learned, for a model file."""
        if not hasattr(self, "_model"):
            raise NotFittedError(f"this {type(self).__name__} has not been fitted")
        made: dict[str, NDArray[Any]] = {"layout": np.array([LAYOUT], dtype=np.int32)}
        made |= self._alphabet.arrays()
        made |= dict(zip(_SEEN, self._model.seen(), strict=True))
        for name, (keys, values) in zip(_TABLES, self._model.tables(), strict=False):
            made |= {f"{name}_keys": keys, f"{name}_values": values}
        return made

    def restore(self, arrays: Arrays) -> Self:
        """Take over what a model file holds, checked."""
        layout = arrays.get("layout")
        if layout is None or layout.dtype != np.int32 or layout.tolist() != [LAYOUT]:
            raise ModelError(
                "the tables of the parser are not laid out as this version of Runoff has them",
                hint="train it again: runoff train parsing",
            )
        alphabet = Alphabet.from_arrays(arrays)
        tables = _TABLES if self.lexicalised else _TABLES[:_UNLEXICALISED]
        names = [*_SEEN, *(f"{name}_{part}" for name in tables for part in ("keys", "values"))]
        types = [np.int32] * len(_SEEN) + [np.uint32, np.uint16] * len(tables)
        columns = []
        for name, dtype in zip(names, types, strict=True):
            if name not in arrays or arrays[name].dtype != dtype or arrays[name].ndim != 1:
                raise ModelError(f"the array {name!r} is missing or of the wrong type")
            columns.append(np.ascontiguousarray(arrays[name]))
        heads, modifiers, frames, above, tags, *rest = columns
        pairs = list(zip(rest[::2], rest[1::2], strict=True))
        try:
            labels = _native.HeadLabels(*alphabet.meaning)
            model = _native.restore_head_model(labels, heads, modifiers, frames, above, tags, pairs)
        except ValueError as error:
            raise ModelError(str(error)) from None
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


def _checked(sentence: Words) -> Words:
    """The sentence with words as trees have them, round brackets as themselves."""
    words, choices = sentence
    if isinstance(words, str):
        raise UsageError("a sentence is a list of words, not a text")
    try:
        words = Tree(TOP, words).words
    except ValueError as error:
        raise UsageError(str(error)) from None
    if choices is None:
        return Words(words)
    if len(choices) != len(words):
        raise UsageError(f"there are {len(words)} words, but choices of tags for {len(choices)}")
    if not all(0 <= p <= 1.001 for row in choices for _, p in row):  # sums may be rounded
        raise UsageError("the probability of a tag lies between 0 and 1")
    return Words(words, choices)


_BREAKS: tuple[Callable[[str], bool], ...] = (
    lambda word: word in {".", "!", "?", ";", ":", "--"},
    lambda word: word == ",",
    lambda word: True,
)


def _pieces(sentence: Words, limit: int) -> list[Words]:
    """The sentence, or pieces of at most `limit` words, cut after punctuation where that can be."""
    words = sentence.words
    if len(words) <= limit:
        return [sentence]
    middle = len(words) // 2
    for breaks in _BREAKS:
        places = [n + 1 for n, word in enumerate(words[:-1]) if breaks(word)]
        places = [place for place in places if len(words) // 4 <= place <= 3 * len(words) // 4]
        if places:
            break
    cut = min(places, key=lambda place: abs(place - middle))
    choices = sentence.choices
    parts = (slice(None, cut), slice(cut, None))
    halves = [Words(words[part], None if choices is None else choices[part]) for part in parts]
    return [piece for half in halves for piece in _pieces(half, limit)]


def _joined(pieces: Sequence[Words], found: Sequence[list[Candidate]], n: int) -> list[Candidate]:
    """The proposals for a sentence from those for its pieces, which are taken as independent."""
    if len(found) == 1:
        return found[0]
    best = [("", 0.0)]
    for candidates in found:
        texts = [_inside_top(one.output) for one in candidates]
        sums = np.add.outer(
            [logprob for _, logprob in best], [one.logprob or 0.0 for one in candidates]
        )
        places = np.argsort(-sums, axis=None, kind="stable")[:n]  # texts are made for these alone
        pairs = (divmod(place, len(texts)) for place in places.tolist())
        best = [(f"{best[one][0]} {texts[other]}", float(sums[one, other])) for one, other in pairs]
    extra: dict[str, Any] = {"pieces": len(pieces)}
    if any(candidates[0].extra for candidates in found):
        extra["flat"] = True
    return [Candidate(f"({TOP} (FRAG{text}))", logprob, extra=extra) for text, logprob in best]


def _inside_top(brackets: str) -> str:
    return brackets.removeprefix(f"({TOP} ").removesuffix(")")


def _flat(sentence: Words) -> Candidate:
    """A tree without structure, for a sentence that the grammar has none for; it says so.

    Its log-probability is no model's, but a number that lists on disk and rankers can have.
    """
    choices = sentence.choices or [()] * len(sentence.words)
    tags = [row[0][0] if row else "NN" for row in choices]
    try:
        leaves = [Tree(tag, [word]) for tag, word in zip(tags, sentence.words, strict=True)]
    except ValueError as error:
        raise UsageError(str(error)) from None
    logprob = FLAT_LOGPROB * len(leaves)
    return Candidate(str(Tree(TOP, [Tree("FRAG", leaves)])), logprob, extra={"flat": True})
