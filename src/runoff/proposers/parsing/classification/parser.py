"""A parser without a grammar: classifiers say which constituents may be added, one by one.

A state has some constituents over the words already; a classifier for each label says of every
new one how well it fits there. The cost of a tree is the sum of ln(1 + exp(-h)) over the scores h
of its constituents, and the search finds the cheapest trees. The classifiers are boosted decision
trees, which choose their questions out of very many.

Turian and Melamed (2006), "Advances in discriminative parsing" (ACL), and "Computational challenges
in parsing by classification" (HLT-NAACL workshop).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from runoff.data.nbest import Candidate
from runoff.data.sentence import AnySentence, Sentence
from runoff.data.tree import Tree
from runoff.data.treebank.leaves import as_leaves
from runoff.errors import (
    NotFittedError,
    UsageError,
    check_at_least,
    check_seed,
    unknown_choice,
)
from runoff.fitting.parameters import options_of
from runoff.learners.decision_trees.ensemble import Ensemble
from runoff.metrics.parseval import Parseval
from runoff.proposers.base import Choices
from runoff.proposers.parsing.base import NO_HELP, Help
from runoff.proposers.parsing.classification.atom_sets import atoms_of
from runoff.proposers.parsing.classification.atoms import GROUPS
from runoff.proposers.parsing.classification.ensembles import arrays_of, ensembles_from, never
from runoff.proposers.parsing.classification.items import ItemNames
from runoff.proposers.parsing.classification.jobs import (
    STRATEGIES,
    PathOptions,
    Row,
    StateOptions,
    save_trees,
)
from runoff.proposers.parsing.classification.judging import Judge, judging_trees, kept_judge
from runoff.proposers.parsing.classification.paths import LabelPaths, best_of_path, job_folder
from runoff.proposers.parsing.classification.reasons import InferenceReason
from runoff.proposers.parsing.classification.record import labels_record, searches_record
from runoff.proposers.parsing.classification.search import ClassifiedSearch
from runoff.proposers.parsing.classification.trees import PreparedTreebank
from runoff.proposers.parsing.long_sentences import (
    cut_sentence,
    join_pieces,
    whole,
)
from runoff.store.arrays import take
from runoff.store.file import Arrays, checking

LONGEST = 1000  # words that are parsed at once
MOST_CHILDREN = 64


@dataclass(kw_only=True)
class ClassificationParser:
    """A parser that adds constituents one by one, as classifiers of labels allow them.

    Parameters
    ----------
    strategy : the order in which constituents are added: `r2l`, `l2r` or `bottom-up` (any).
    atoms : what classifiers may ask: `base`, `kitchen-sink`, which has all words and lengths, or
        `rich`, the base with shapes of words, words below the children, and their number.
    outer : whether classifiers see punctuation at the ends of sentences, which the paper drops.
    max_children : maximum number of children of a constituent; trees that have more are learned
        from, but cannot be found.
    explore : the search ends after this many inferences if there is a tree; the taggings of a
        sentence share them.
    penalty : the smallest lambda, the weight of the penalty of decision trees; development trees
        choose one of the larger values.
    decay : lambda is multiplied by this when no decision tree gains any more.
    patience : training ends if this many samples in a row bring nothing better.
    sample : maximum number of examples of a label that decision trees are grown on; a new sample is
        drawn for every few values of lambda.
    candidates : maximum number of candidates that are scored for a sample. Of a treebank that has
        more, wrong ones are looked at in a random share of the states, and count the more for it.
    split_gain : a split must gain more than this share of lambda; 0, as in the papers, splits off
        whatever speaks against a leaf, however rare.
    balance : the more a state has to choose from, the less each wrong choice counts: 1 by their
        number, as in the papers, 0 does not divide.
    taggings : the likeliest taggings of a sentence that are parsed, so many of them; the papers
        take one.
    max_words : longer sentences are parsed in pieces, cut at punctuation.
    seed : of samples, and of the order in which trees are built bottom-up.

    Examples
    --------
    >>> trees = [Tree.parse("(TOP (S (NP (PRP we)) (VP (VBP vote)) (. .)))")]
    >>> parser = ClassificationParser(decay=0.5).fit(trees)
    >>> parser.propose(["we", "vote", "."], 1)[0].output
    '(TOP (S (NP (PRP we)) (VP (VBP vote)) (. .)))'
    """

    strategy: str = "r2l"
    atoms: str = "rich"
    outer: bool = True
    max_children: int = 5
    explore: int = 100_000
    penalty: float = 0.02
    decay: float = 0.93
    patience: int = 8
    sample: int = 50_000
    candidates: int = 2_000_000
    split_gain: float = 0.01
    balance: float = 0.5
    taggings: int = 4
    max_words: int = 200
    seed: int = 0

    name: ClassVar[str] = "classification"
    uses_dev: ClassVar[bool] = True

    search_: ClassifiedSearch = field(init=False, repr=False, compare=False)
    rows_: list[Row] = field(init=False, repr=False, compare=False, default_factory=list)
    searches_: dict[str, float] = field(init=False, repr=False, compare=False, default_factory=dict)

    def check(self) -> None:
        """Raise an error for options that make no sense."""
        if self.strategy not in STRATEGIES:
            raise unknown_choice("strategy", self.strategy, STRATEGIES)
        if self.atoms not in GROUPS:
            raise unknown_choice("set of atoms", self.atoms, GROUPS)
        at_least_one = ("explore", "patience", "sample", "candidates", "taggings")
        check_at_least(1, **{name: getattr(self, name) for name in at_least_one})
        for name, most in (("max_children", MOST_CHILDREN), ("max_words", LONGEST)):
            if not 2 <= getattr(self, name) <= most:
                raise UsageError(f"{name} must lie between 2 and {most}, not {getattr(self, name)}")
        if not 0 < self.decay < 1 or not self.penalty > 0:
            raise UsageError("decay must lie between 0 and 1, and penalty above 0")
        if not 0 <= self.balance <= 1:
            raise UsageError(f"balance must lie between 0 and 1, not {self.balance}")
        check_seed(self.seed)

    def fit(self, corpus: Iterable[Tree], help: Help = NO_HELP) -> Self:
        """Learn from trees."""
        self.check()
        treebank = self.encode(corpus)
        return self.fit_some(treebank, np.arange(len(treebank.places), dtype=np.int64), help)

    def encode(self, corpus: Iterable[Tree]) -> PreparedTreebank:
        """Trees as the parser learns from them, made once for all folds."""
        return PreparedTreebank.of(corpus, self.outer)

    def fit_some(
        self, treebank: PreparedTreebank, chosen: NDArray[np.int64], help: Help = NO_HELP
    ) -> Self:
        """Learn from some trees of a treebank that is encoded already."""
        self.check()
        names, dev = treebank.names, judging_trees(help.dev())
        with job_folder(help.work) as folder:
            save_trees(folder, names, treebank.some(chosen))
            path = LabelPaths(folder, self._states, self._path, help.engine).stages()
            judge = self._judge(treebank, dev, help, folder)
            found, self.rows_ = best_of_path(path, judge, self.patience)
        self._take(names, treebank.word_tags, found or [None] * len(names.phrases))
        if dev:
            self.searches_ = searches_record(self.search(), dev, help.engine.threads)
        return self

    def _judge(
        self, treebank: PreparedTreebank, dev: Sequence[Tree], help: Help, folder: Path
    ) -> Judge | None:
        """Says how good classifiers are for development trees, if there are any."""

        def quality(found: list[Ensemble | None]) -> float:
            self._take(treebank.names, treebank.word_tags, found)
            return self.quality(dev, help.engine.threads)

        return kept_judge(quality, folder, repr(self), dev, help.engine) if dev else None

    @property
    def _states(self) -> StateOptions:
        return StateOptions(self.strategy, self.max_children, self.atoms, self.seed, self.balance)

    @property
    def _path(self) -> PathOptions:
        return PathOptions(self.decay, self.penalty, self.sample, self.split_gain, self.candidates)

    def _take(
        self,
        names: ItemNames,
        word_tags: NDArray[np.uint16],
        found: Sequence[Ensemble | None],
    ) -> Self:
        """Take classifiers; labels of no tree have none."""
        none = never(len(atoms_of(names, self.atoms)))
        ensembles = [none if one is None else one for one in found]
        self.search_ = ClassifiedSearch(
            names, word_tags, ensembles, self._states, self.explore, self.outer, self.taggings
        )
        return self

    def quality(self, trees: Sequence[Tree], threads: int = 1) -> float:
        """F1 of the parses of trees, with the tags of the trees."""
        tagged = [[((node.label, 1.0),) for node in tree.preterminals()] for tree in trees]
        words = [Sentence(tree.words) for tree in trees]
        found = self.propose_all(words, 1, choices=tagged, threads=threads)
        metric = Parseval()
        statistics = [
            metric.statistics([one[0].output], tree)[0]
            for one, tree in zip(found, trees, strict=True)
        ]
        return float(metric.figures(np.sum(statistics, axis=0))["F1"])

    def found_options(self) -> dict[str, Any]:
        """The lambda that development trees chose."""
        best = max(self.rows_, key=lambda row: row.get("dev quality", 0.0), default=None)
        return {} if best is None or "dev quality" not in best else {"penalty": best["lambda"]}

    def training_record(self) -> dict[str, Any]:
        """The path of lambda, searches for development trees, and the classifier of each label."""
        labels = labels_record(self.search())
        return {"path": self.rows_, "searches": self.searches_, "labels": labels}

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

        The log-probability of a tree is minus its cost. Trees of a search that was cut short have
        `unproven` in their `extra`, those for which constituents of one child had to be ruled out
        `forced`; a sentence that was parsed in pieces has `pieces`.

        Parameters
        ----------
        choices : for each sentence, the tags that its words may have, of which the likeliest are
            parsed; without, those that came with the words, or else the commonest of each word.
        """
        search = self.search()
        check_at_least(1, n=n)
        leaves = [as_leaves(Sentence.of(one)) for one in sentences]
        tags = list(choices) or [None] * len(leaves)
        both = zip(leaves, tags, strict=True)
        pieces = [cut_sentence(whole(*one), self.max_words) for one in both]
        found = iter(search.parse([piece for row in pieces for piece in row], n, threads))
        return [join_pieces(row, [next(found) for _ in row], n) for row in pieces]

    def search(self) -> ClassifiedSearch:
        """The search with the classifiers that were learned."""
        if not hasattr(self, "search_"):
            raise NotFittedError(f"this {type(self).__name__} has not been fitted")
        return self.search_

    def why(self, sentence: AnySentence, choices: Choices | None = None) -> list[InferenceReason]:
        """The constituents of the best tree of a sentence with reasons, the least certain first."""
        return self.search().why(whole(as_leaves(Sentence.of(sentence)), choices))

    def stored(self) -> tuple[dict[str, Any], Arrays]:
        """Header and arrays, for a model file."""
        return {"kind": self.name, "parameters": options_of(self)}, self.arrays()

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The learned parameters as arrays for a model file."""
        search = self.search()
        return {
            **search.names.arrays(),
            "word_tags": search.word_tags,
            **arrays_of(search.ensembles),
        }

    def restore(self, arrays: Arrays) -> Self:
        """Restore the learned parameters from the arrays of a model file, checked."""
        self.check()
        names = ItemNames.from_arrays(arrays)
        shape = (len(names.words) + 1,)
        word_tags = take(arrays, "word_tags", np.uint16, shape, below=len(names.tags))
        with checking():
            n_atoms = len(atoms_of(names, self.atoms))
            ensembles = ensembles_from(arrays, len(names.phrases), n_atoms)
            return self._take(names, np.array(word_tags), ensembles)
