"""How a parser and its ranker are trained: the options of `runoff train parsing`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from runoff.errors import UsageError
from runoff.pipeline.fit_plan import NO_OPTIONS
from runoff.pipeline.options import option, redefined
from runoff.pipeline.plan import RankerPlan
from runoff.proposers.parsing import make_parser
from runoff.tasks.tagging.clusters import check_text
from runoff.tasks.tagging.train import Plan as TaggerPlan
from runoff.tasks.tagging.train import make_tagger

SMOOTHING = "0.001,0.0025,0.005"
PARSER_OPTIONS = ("strategy", "atoms", "max_children", "explore")
"""Options of base parsers that the plan has by their own names."""


@dataclass(frozen=True, kw_only=True)
class Plan(RankerPlan):
    """How a parser and its ranker are trained."""

    parser: str = option("collins", "Base parser: {PARSERS}.", metavar="NAME")
    grammars: int = option(
        2,
        "Number of latent-variable grammars to train; their score of a tree becomes a feature of "
        "the ranker.",
        min=0,
    )
    proposed: int = option(
        500,
        "Number of trees that the parser proposes and the grammars choose a list from.",
        min=1,
        max=10_000,
    )
    features: Sequence[str] = redefined(RankerPlan, "features", ("parse-rich",))
    min_lists: int = redefined(RankerPlan, "min_lists", 5)
    thresholds: Sequence[int] = redefined(RankerPlan, "thresholds", (1, 2, 4))
    bins: int = redefined(RankerPlan, "bins", 16)
    text: Sequence[str] = redefined(TaggerPlan, "text", ())
    penn: bool = option(
        False,
        "Learn the notation of the Penn Treebank: captions, headings and titles are what they "
        "consist of, base noun phrases have no brackets inside (NML), and `to` is always TO.",
    )
    weights: Mapping[str, Any] = option(
        NO_OPTIONS,
        "How often the trees of a training file count, by the names of its folder and its own "
        "without endings, e.g. `gum/train=2`; may be repeated.",
        flags=("--weight",),
    )
    tagger_options: Mapping[str, Any] = option(
        NO_OPTIONS,
        "Option of the tagger, e.g. `prior=0.5,1,2`; may be repeated.",
        flags=("--tagger-option",),
    )
    parser_options: Mapping[str, Any] = option(
        NO_OPTIONS,
        "Option of the base parser, e.g. `min_count=5`; may be repeated.",
        flags=("--parser-option",),
    )

    strategy: str | None = option(
        None,
        "Order in which the parser `classification` adds constituents: r2l (right to left, its "
        "default), l2r or bottom-up.",
        metavar="NAME",
    )
    atoms: str | None = option(
        None,
        "What the parser `classification` may ask of a constituent: base, "
        "kitchen-sink or rich (its default).",
        metavar="NAME",
    )
    max_children: int | None = option(
        None,
        "Maximum number of children of a constituent of the parser `classification`; its default "
        "is 5.",
        min=2,
    )
    explore: int | None = option(
        None,
        "Number of constituents that the parser `classification` scores before it ends the search "
        "for a better tree; its default is 100,000.",
        min=1,
    )

    learner_defaults: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "exp-loss": {"smoothing": SMOOTHING},
        "log-loss": {"smoothing": SMOOTHING},
        "maxent": {"prior": "0.1,0.2,0.4", "cost": 1.0, "truncate": 0.02},
        "p-norm-push": {"rounds": 500},
    }
    """What development lists choose from, a cost per point of quality, where a point is a
    constituent, what a weight must reach to be kept, and more rounds than a few features need."""

    def __post_init__(self) -> None:
        """Check the plan now, not after hours."""
        check_text(self.text)
        for part, times in self.weights.items():
            if not isinstance(times, int) or times < 1:
                raise UsageError(f"the weight of {part} must be a whole number from 1, not {times}")
        make_tagger(self.tagger_options)
        make_parser(self.parser, self.parser_settings)
        super().__post_init__()

    @property
    def parser_settings(self) -> dict[str, Any]:
        """All options of the base parser that are given."""
        own = {name: getattr(self, name) for name in PARSER_OPTIONS}
        given = {name: value for name, value in own.items() if value is not None}
        return {**self.parser_options, **given}

    @property
    def extractors(self) -> tuple[str, ...]:
        """The feature sets of the ranker, scores of grammars among them."""
        asked = [*self.features, *(["given"] if self.grammars else [])]
        return tuple(dict.fromkeys(asked))
