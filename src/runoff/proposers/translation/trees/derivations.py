"""Derivations of trees: the steps that native code gives, and those of several parses merged."""

from __future__ import annotations

from collections.abc import Sequence

from runoff.proposers.translation.decoder import Derivation, Floats, Found, Step
from runoff.proposers.translation.features import PARSE
from runoff.proposers.translation.trees.rules import VARIABLE, RuleTable
from runoff.proposers.translation.trees.source import Parses, SourceTrees


def steps_of(
    rows: list[list[int]], features: Floats, spans: list[range], table: RuleTable
) -> list[Step]:
    """The steps of a derivation, heads before tails, each with the words that it writes."""
    below = _below(rows)
    written = [
        _tokens(row, spans, [spans[rows[one][0]] for one in own], table)
        for row, own in zip(rows, below, strict=True)
    ]
    sizes, starts = [0] * len(rows), [0] * len(rows)
    for i in range(len(rows) - 1, -1, -1):
        sizes[i] = sum(1 if one < 0 else sizes[below[i][one]] for one in written[i])
    for i, tokens in enumerate(written):
        place = starts[i]
        for one in tokens:
            if one >= 0:
                starts[below[i][one]] = place
            place += 1 if one < 0 else sizes[below[i][one]]
    return [
        Step(spans[node], rule, range(start, start + size), own, node, variables)
        for (node, rule, variables), start, size, own in zip(
            rows, starts, sizes, features, strict=True
        )
    ]


def _tokens(row: list[int], spans: list[range], below: list[range], table: RuleTable) -> list[int]:
    """What a step writes, from the left: numbers of its variables, and -1 for a word.

    Without a rule these are the children of its node in their order.
    """
    node, rule, _ = row
    if rule >= 0:
        return [token - VARIABLE if token >= VARIABLE else -1
                for token in table.target(rule)]  # fmt: skip
    tokens, place = list[int](), spans[node].start
    for number, own in enumerate(below):
        tokens += [-1] * (own.start - place) + [number]
        place = own.stop
    return tokens + [-1] * (spans[node].stop - place)


def _below(rows: list[list[int]]) -> list[list[int]]:
    """The steps of the variables of every step."""
    ends = [0] * len(rows)
    below: list[list[int]] = [[] for _ in rows]
    for i in range(len(rows) - 1, -1, -1):
        end = i + 1
        for _ in range(rows[i][2]):
            below[i].append(end)
            end = ends[end]
        ends[i] = end
    return below


def spans_of(trees: SourceTrees, tree: int) -> list[range]:
    """The words below every node of a tree."""
    first, last = trees.offsets[tree : tree + 2].tolist()
    depths = trees.depths[first:last].tolist()
    starts, ends, open_nodes, word = [0] * len(depths), [0] * len(depths), list[int](), 0
    for node, depth in enumerate(depths):
        while len(open_nodes) > depth:
            ends[open_nodes.pop()] = word
        starts[node] = word
        open_nodes.append(node)
        if node + 1 == len(depths) or depths[node + 1] <= depth:
            word += 1
    for node in open_nodes:
        ends[node] = word
    return [range(start, end) for start, end in zip(starts, ends, strict=True)]


def merged(
    found: Sequence[Found], parses: Parses, weights: Floats, n: int, distinct: bool
) -> Found:
    """The translations of all parses of a sentence, the best of equal words."""
    made: list[Derivation] = []
    for number, (own, parse) in enumerate(zip(found, parses, strict=True)):
        for one in own.derivations:
            steps = one.steps
            if steps:
                features = steps[0].features.copy()
                features[PARSE] = parse.logprob
                steps = [steps[0]._replace(features=features), *steps[1:]]
            cost = one.cost - float(weights[PARSE]) * parse.logprob
            made.append(Derivation(cost, one.words, steps, number))
    made.sort(key=lambda one: one.cost)
    if distinct and len(found) > 1:
        best: dict[tuple[str, ...], Derivation] = {}
        for one in made:
            best.setdefault(tuple(one.words), one)
        made = list(best.values())
    states, edges = (sum(one[k] for one in found) for k in (1, 2))  # type: ignore[misc]
    return Found(made[:n], states, edges)
