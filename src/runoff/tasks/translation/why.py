"""Why a translation won: block by block, and against the next one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from runoff.data.nbest import Candidate
from runoff.data.sentence import AnySentence
from runoff.errors import FormatError
from runoff.learners.terms import Term
from runoff.proposers.translation.decoder import Derivation
from runoff.tasks.ranking.why import Reasons
from runoff.tasks.translation.model import COPIED, TranslationModel
from runoff.tasks.translation.trees.model import TreeTranslationModel
from runoff.tasks.translation.trees.why import TreeReasons
from runoff.tasks.translation.trees.why import explained as explained_trees


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

    def _repr_html_(self) -> str:
        from runoff.report.blocks import draw_svg, translation_of
        from runoff.report.pieces import notebook, paragraph, waterfall

        found, parts = translation_of(" ".join(self.source), self.winner), []
        if found is not None:
            parts.append(draw_svg(*found))
        if self.reasons is not None:
            parts.append(waterfall(self.reasons.terms, self.reasons.difference, {}))
        return notebook(paragraph(str(self.winner.output)), *parts)


@dataclass(frozen=True)
class Unreachable:
    """A translation that no blocks of the model give, and what is missing."""

    source: list[str]
    target: list[str]
    problem: str


def explained(
    model: TranslationModel,
    inputs: Iterable[str | AnySentence],
    targets: Iterable[Sequence[str]] | None = None,
) -> Iterator[TranslationReasons | TreeReasons | Unreachable]:
    """The best translation of every sentence, and why it is the best.

    Parameters
    ----------
    targets : translations, as words, that are to be made; the best blocks that give them are found.
    """
    if isinstance(model, TreeTranslationModel):
        yield from explained_trees(model, inputs)
        return
    given = None if targets is None else iter(targets)
    for number, one in enumerate(inputs, 1):
        words = model.source_words(one)
        target = None if given is None else next(given, None)
        if given is not None and target is None:
            raise FormatError(f"there are only {number - 1:,} translations for more lines")
        found = model.found([words], 2, targets=None if target is None else [target])[0]
        if not found.derivations:
            yield Unreachable(words, list(target or ()), _missing(model, words, target or ()))
            continue
        winner, *others = found.derivations
        rival = _reasons(model, winner, others[0]) if others else None
        blocks = _blocks(model, words, winner)
        yield TranslationReasons(words, model.candidate(winner), blocks, rival)


def _missing(model: TranslationModel, words: Sequence[str], target: Sequence[str]) -> str:
    """What is missing to make a translation: words of either side that no block can give."""
    numbers = model.decoder.source.numbers(words)
    wanted = model.decoder.target.numbers(target).tolist()
    table = model.decoder.table
    given: set[int] = set()
    taken: set[int] = set()
    for begin, end, first, last in table.native.find(numbers).reshape(-1, 4).tolist():
        for block in range(first, last):
            own = list(table[block].target)
            places = [j for j in range(len(wanted)) if wanted[j : j + len(own)] == own]
            if places:
                taken.update(range(begin, end + 1))
                given.update(k for j in places for k in range(j, j + len(own)))
    target_words = [word for j, word in enumerate(target) if j not in given]
    source_words = [word for i, word in enumerate(words) if i not in taken]
    if target_words:
        return f"no block of the sentence gives {', '.join(dict.fromkeys(target_words))}"
    if source_words:
        return f"no block of the translation takes {', '.join(dict.fromkeys(source_words))}"
    return "the blocks that match cannot be put together, within the limits of the search"


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
    terms = sorted(
        (term for term in terms if term.contribution), key=lambda t: -abs(t.contribution)
    )
    difference = rival.cost - winner.cost
    return Reasons(model.candidate(winner), model.candidate(rival), 1, terms, difference)
