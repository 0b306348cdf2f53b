"""Why a translation won: block by block, and against the next one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from runoff.data.nbest import Candidate
from runoff.data.sentence import AnySentence
from runoff.learners.terms import Term
from runoff.proposers.translation.decoder import Derivation
from runoff.tasks.ranking.why import Reasons
from runoff.tasks.translation.model import TranslationModel

COPIED = "copied words"


@dataclass(frozen=True)
class BlockReasons:
    """A block of a translation: its words on both sides, and what each feature contributes."""

    source: str
    target: str
    first: int
    last: int
    score: float
    contributions: dict[str, float]


@dataclass(frozen=True)
class TranslationReasons:
    """Why a translation won.

    Parameters
    ----------
    source : the words of the sentence.
    blocks : those of the translation, in its order; their scores sum to its own.
    reasons : terms that sum to the difference to the next translation; None if there is none.
    """

    source: list[str]
    winner: Candidate
    blocks: list[BlockReasons]
    reasons: Reasons | None


def explained(
    model: TranslationModel, inputs: Iterable[str | AnySentence]
) -> Iterator[TranslationReasons]:
    """The best translation of every sentence, and why it is the best."""
    for given in inputs:
        words = model.source_words(given)
        (found,) = model.found([words], n=2)
        winner, *others = found.derivations
        rival = _reasons(model, winner, others[0]) if others else None
        yield TranslationReasons(words, model.candidate(winner), _blocks(model, words, winner), rival)


def _blocks(model: TranslationModel, words: list[str], found: Derivation) -> list[BlockReasons]:
    names, weights = model.feature_set.names, model.weights
    made = []
    for step in found.steps:
        parts = dict(zip(names, (model.feature_set.values(step.features) * weights).tolist(),
                         strict=True))  # fmt: skip
        if step.block < 0:
            parts[COPIED] = float(model.copying(step.features))
        source = " ".join(words[i] for i in step.source)
        target = " ".join(found.words[i] for i in step.target)
        ends = step.source.start, step.source.stop - 1
        made.append(BlockReasons(source, target, *ends, sum(parts.values()), parts))
    return made


def _reasons(model: TranslationModel, winner: Derivation, rival: Derivation) -> Reasons:
    one, other = (model.feature_set.values(found.features) for found in (winner, rival))
    rows = zip(model.feature_set.names, one.tolist(), other.tolist(), model.weights.tolist(),
               strict=True)  # fmt: skip
    terms = [Term(name, a, b, weight, weight * (a - b)) for name, a, b, weight in rows]
    copied = [model.copying(found.features) for found in (winner, rival)]
    if copied[0] != copied[1]:
        terms.append(Term(COPIED, copied[0], copied[1], 1.0, copied[0] - copied[1]))
    terms = sorted((term for term in terms if term.contribution), key=lambda t: -abs(t.contribution))
    difference = rival.cost - winner.cost
    return Reasons(model.candidate(winner), model.candidate(rival), 1, terms, difference)
