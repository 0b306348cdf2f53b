"""How a translator is trained: the options of `runoff train translation`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from runoff.errors import UsageError, check_seed, unknown_choice
from runoff.learners import make_ranker
from runoff.ngrams.model import MAX_ORDER
from runoff.pipeline.options import check_ranges, option
from runoff.proposers.translation.alignment import ALIGNERS, check_symmetrisation
from runoff.proposers.translation.blocks import LONGEST as LONGEST_BLOCK
from runoff.proposers.translation.decoder import Search
from runoff.proposers.translation.features import feature_set
from runoff.proposers.translation.trees.decoder import TreeSearch
from runoff.proposers.translation.trees.extraction import Extraction
from runoff.tasks.translation.tuning import TUNERS, Tuning

SYSTEMS = ("phrase", "tree")
"""Kinds of translators."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How a translator is trained."""

    source: str | None = option(
        None, "Text to translate from, one sentence per line.", metavar="FILE"
    )
    target: str | None = option(None, "Its translation, line by line.", metavar="FILE")
    dev_source: str | None = option(
        None, "Development text, on which weights are tuned.", metavar="FILE"
    )
    dev_target: str | None = option(
        None, "Translation of the development text, line by line.", metavar="FILE"
    )
    system: str = option(
        "phrase",
        "Kind of translator: phrase, or tree, which parses the source and rewrites the parse.",
    )
    parser: str = option(
        "english",
        "Parser of the source, for `--system tree`: a model, or the name of one of the package.",
        metavar="MODEL",
    )
    trees: str | None = option(
        None, "Parses of the source in Penn brackets, in its order; saves parsing.", metavar="FILE"
    )
    dev_trees: str | None = option(
        None, "Parses of the development source, in its order.", metavar="FILE"
    )
    raw_source: bool = option(
        False, "The source is raw text although the target is tokenised, for `--system tree`."
    )
    rules: str | None = option(
        None,
        "Rules from trees to strings, e.g. of your own, that are added to those of the text.",
        metavar="FILE",
    )
    compose: int = option(
        4, "Number of minimal rules that a rule from a tree is made of, at most.", min=1, max=8
    )
    binarise: bool = option(
        False, "Binarise trees, so that a rule may take some of a node's children."
    )
    deletions: bool = option(
        False, "Let rules from trees write words without links as nothing, each by itself."
    )
    tokenized: bool = option(
        False, "The text is already tokenised; split it at whitespace only, and write it so."
    )
    cased: bool = option(
        False, "Keep the case of words; by default, they are lower-cased, and case is put back."
    )
    aligner: str = option(
        "native", "Aligner: native, or eflomal, which runs the program `eflomal-align`."
    )
    links: str | None = option(
        None, "Links of another aligner, e.g. 0-0 1-2, one line per sentence pair.", metavar="FILE"
    )
    symmetrise: str = option(
        "grow-diag-final-and",
        "How links of both directions are made one: grow-diag-final-and, intersection or union.",
    )
    longest_block: int = option(
        7, "Number of words of the longest block, on each side.", min=1, max=LONGEST_BLOCK
    )
    per_source: int = option(
        100, "Number of blocks of a source phrase that are kept, the most frequent.", min=1
    )
    order: int = option(
        5, "Number of words of the longest n-grams of the language model.", min=1, max=MAX_ORDER
    )
    lm: str | None = option(
        None,
        "Language model to take: an ARPA file, or a model of `runoff train lm`. By default, one is "
        "estimated from the target text.",
        metavar="FILE",
    )
    features: str = option(
        "standard",
        "Set of features: standard; tillmann, the seven of Tillmann (2006); huang, the three of "
        "Huang, Knight & Joshi (2006), for trees.",
    )
    learner: str = option(
        "mert",
        "Learner that tunes the weights: mert, maxent, maxent-rank, p-norm-push, least-squares or "
        "perceptron.",
    )
    options: Mapping[str, Any] = option(
        {}, "Option of the learner; may be repeated.", flags=("--option", "-O")
    )
    rounds: int = option(8, "Maximum number of rounds of tuning.", min=1)
    n: int = option(100, "Number of translations of a sentence in a round.", min=2, max=1000)
    beam: str = option("multi-beam", "Search: multi-beam or single-beam.")
    skip: int = option(3, "Number of holes at most in what is covered.", min=0, max=40)
    window: int = option(
        6, "How many words after the first hole may be covered, at most.", min=0, max=40
    )
    coverage: float | None = option(
        None, "Prune states that cost this much more than the best with the same words covered."
    )
    cardinality: float | None = option(
        None,
        "Prune states that cost this much more than the best with the same number of words "
        "covered.",
    )
    histogram: int = option(50, "Number of states of a list at most.", min=1)
    completion: bool = option(True, "Compare states with an estimate of what is to come.")
    limit: int = option(20, "Number of blocks of an interval at most.", min=1)
    search_trees: str = option(
        "cube",
        "Search of translations of trees: cube, rescore or direct; see `runoff translate`.",
        flags=("--search",),
    )
    k: int = option(1000, "Number of translations that `--search rescore` scores.", min=1)
    pops: int = option(
        100, "Number of combinations that `--search cube` tries for each node of a tree.", min=1
    )
    parses: int = option(1, "Number of parses of a sentence that are translated.", min=1, max=100)
    seed: int = option(0, "Random seed.", min=0)
    attribution: str | None = option(
        None, "Whose data this is; it goes into the header of the model.", metavar="TEXT"
    )

    def __post_init__(self) -> None:
        """Check the plan now, not after minutes."""
        check_ranges(self)
        if self.system not in SYSTEMS:
            raise unknown_choice("system", self.system, SYSTEMS)
        self._check_system()
        if self.aligner not in ALIGNERS:
            raise unknown_choice("aligner", self.aligner, ALIGNERS)
        if (self.source is None) != (self.target is None):
            raise UsageError("--source and --target are given together")
        if (self.dev_source is None) != (self.dev_target is None):
            raise UsageError("--dev-source and --dev-target are given together")
        check_symmetrisation(self.symmetrise)
        check_seed(self.seed)
        feature_set(self.feature_name)
        if self.learner not in TUNERS:
            raise unknown_choice("learner that tunes", self.learner, TUNERS)
        make_ranker(self.learner, self.options, seed=self.seed).check(with_dev=False)
        self.search.check()
        self.tree_search.check()

    def _check_system(self) -> None:
        """Check that what is for one kind of translator is not given for the other."""
        if self.system == "phrase":
            for name in ("trees", "dev_trees", "rules", "raw_source", "binarise", "deletions"):
                if getattr(self, name):
                    flag = name.replace("_", "-")
                    raise UsageError(f"--{flag} needs --system tree")
        for_trees = self.features == "huang"
        if self.features != "standard" and for_trees != (self.system == "tree"):
            raise UsageError(f"the features {self.features!r} are not for --system {self.system}")

    @property
    def feature_name(self) -> str:
        """The name of the set of features of this kind of translator."""
        trees = self.system == "tree" and self.features == "standard"
        return "tree" if trees else self.features

    @property
    def tree_search(self) -> TreeSearch:
        """How translations of trees are searched for."""
        return TreeSearch(search=self.search_trees, k=self.k, pops=self.pops, parses=self.parses)

    @property
    def extraction(self) -> Extraction:
        """Which rules from trees a sentence pair has."""
        return Extraction(compose=self.compose, deletions=self.deletions)

    @property
    def files(self) -> list[str]:
        """The files to learn from."""
        return [] if self.source is None or self.target is None else [self.source, self.target]

    @property
    def dev_files(self) -> list[str]:
        """The files that weights are tuned on."""
        given = self.dev_source, self.dev_target
        return [] if given[0] is None or given[1] is None else [given[0], given[1]]

    @property
    def search(self) -> Search:
        """How translations are searched for."""
        return Search(
            beam=self.beam,
            skip=self.skip,
            window=self.window,
            coverage=float("inf") if self.coverage is None else self.coverage,
            cardinality=float("inf") if self.cardinality is None else self.cardinality,
            histogram=self.histogram,
            completion=self.completion,
            limit=self.limit,
        )

    @property
    def tuning(self) -> Tuning:
        """How weights are tuned."""
        return Tuning(
            learner=self.learner,
            rounds=self.rounds,
            n=self.n,
            options=self.options,
            seed=self.seed,
        )
