"""Why a translation by trees won: its rules, and those that the next one has in their place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from runoff.data.flat_tree import brackets_of
from runoff.data.nbest import Candidate
from runoff.data.tree import Tree
from runoff.learners.terms import Term
from runoff.proposers.translation.decoder import Derivation, Floats
from runoff.proposers.translation.features import PARSE
from runoff.tasks.ranking.why import Reasons
from runoff.tasks.translation.trees.model import AnyInput, TreeTranslationModel

LANGUAGE_MODEL = 7
"""The raw feature of whole translations."""


@dataclass(frozen=True)
class RuleReasons:
    """A rule of a translation: the words below its node on both sides, and its score."""

    rule: str
    source: str
    target: str
    depth: int
    score: float


@dataclass(frozen=True)
class TreeReasons:
    """Why a translation won.

    Parameters
    ----------
    source : the words of the sentence.
    tree : the parse that was rewritten.
    cut : the same, each root of a rule with what it was rewritten as.
    roots : the roots of rules, in preorder.
    rules : those of the translation, from the top of the tree; with `whole`, what is scored of the
        whole translation, their scores sum to its own.
    reasons : terms that sum to the difference to the next translation; None if there is none.
    """

    source: list[str]
    tree: str
    cut: str
    roots: list[int]
    winner: Candidate
    rules: list[RuleReasons]
    whole: dict[str, float]
    reasons: Reasons | None

    def _repr_html_(self) -> str:
        from runoff.report.pieces import notebook, paragraph, waterfall

        parts = [self.svg()]
        if self.reasons is not None:
            parts.append(waterfall(self.reasons.terms, self.reasons.difference, {}))
        return notebook(paragraph(str(self.winner.output)), *parts)

    def draw(self, width: int | None = None) -> str:
        """The tree cut into rules, as text."""
        return Tree.parse(self.cut).draw(width)

    def svg(self) -> str:
        """The tree cut into rules, as a picture."""
        from runoff.data.treebank.svg import draw_svg

        return draw_svg(Tree.parse(self.cut), self.roots)


def explained(model: TreeTranslationModel, inputs: Iterable[AnyInput]) -> Iterator[TreeReasons]:
    """The best translation of every sentence or tree, and why it is the best."""
    for one in inputs:
        parses = model.parses([one])
        winner, *others = model.found(parses, 2)[0].derivations
        parse = parses[0][winner.parse]
        trees = model.decoder.trees([[parse]])
        words = trees.words[0]
        rival = _reasons(model, winner, others[0]) if others else None
        weights = model.raw_weights
        cut, roots = _cut(parse.tree, trees.depths.tolist(), winner)
        yield TreeReasons(
            words, parse.tree, cut, roots, model.candidate(winner), _rules(model, winner, words),
            _whole(weights, winner), rival,
        )  # fmt: skip


def _rules(model: TreeTranslationModel, found: Derivation, words: list[str]) -> list[RuleReasons]:
    weights = model.raw_weights
    made, open_steps = [], list[int]()
    for step in found.steps:
        while open_steps and open_steps[-1] == 0:
            open_steps.pop()
        depth = len(open_steps)
        if open_steps:
            open_steps[-1] -= 1
        open_steps.append(step.variables)
        source = " ".join(words[i] for i in step.source)
        target = " ".join(found.words[i] for i in step.target)
        rule = _rule(model, step.block, source)
        made.append(RuleReasons(rule, source, target, depth, _own(weights, step.features)))
    return made


def _rule(model: TreeTranslationModel, block: int, source: str) -> str:
    return f"kept: {source}" if block < 0 else model.rule_text(block)


def _own(weights: Floats, features: Floats) -> float:
    """The score of a rule without what is scored of the whole translation."""
    own = weights * features
    return float(own.sum() - own[LANGUAGE_MODEL] - own[PARSE])


def _whole(weights: Floats, found: Derivation) -> dict[str, float]:
    features = found.features
    names = {LANGUAGE_MODEL: "language model", PARSE: "parse"}
    return {
        name: float(weights[raw] * features[raw]) for raw, name in names.items() if weights[raw]
    }


def _reasons(model: TreeTranslationModel, winner: Derivation, rival: Derivation) -> Reasons:
    """Rules that only one of two translations has, and what is scored of the whole."""
    weights, names = model.raw_weights, Counter[str]()
    scores: dict[str, float] = {}
    for found, sign in ((winner, 1), (rival, -1)):
        for step in found.steps:
            place = f"words {step.source.start + 1} to {step.source.stop}"
            name = _rule(model, step.block, place)
            names[name] += sign
            scores[name] = _own(weights, step.features)
    terms = [
        Term(name, max(count, 0), max(-count, 0), scores[name], count * scores[name])
        for name, count in names.items()
        if count
    ]
    one, other = _whole(weights, winner), _whole(weights, rival)
    for name, own in one.items():
        terms.append(Term(name, own, other[name], 1.0, own - other[name]))
    terms = sorted(
        (term for term in terms if term.contribution), key=lambda t: -abs(t.contribution)
    )
    difference = rival.cost - winner.cost
    return Reasons(model.candidate(winner), model.candidate(rival), 1, terms, difference)


def _cut(tree: str, depths: list[int], found: Derivation) -> tuple[str, list[int]]:
    """The brackets of a tree whose roots of rules say what was written for them."""
    flat = Tree.parse(tree).flat()
    own = list(range(len(flat.labels)))
    nodes = _labelled(depths)
    if len(nodes) < len(own):  # the root says nothing, and was left out
        own = own[1:]
    pieces = {
        own[nodes[step.node]]: "·".join(found.words[i] for i in step.target) or "∅"
        for step in found.steps
    }
    escaped = str.maketrans({"(": "（", ")": "）"})
    labels = tuple(
        f"{label}→{pieces[i].translate(escaped)}" if i in pieces else label
        for i, label in enumerate(flat.labels)
    )
    return brackets_of(flat._replace(labels=labels)), sorted(pieces)


def _labelled(depths: list[int]) -> dict[int, int]:
    """The number among labels of every node that is no word."""
    inner = [i for i in range(len(depths) - 1) if depths[i + 1] > depths[i]]
    return {node: number for number, node in enumerate(inner)}
