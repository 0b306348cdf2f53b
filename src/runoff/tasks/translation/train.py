"""Training translators: links, blocks, a language model, weights."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

import runoff
from runoff.data.bitext import Link, SentencePair, links_text, read_line_pairs, read_links
from runoff.data.files import FilePath, write_pieces
from runoff.data.numbering import Numbering
from runoff.engine import ALONE, AnyEngine, Engine
from runoff.errors import FormatError, UsageError
from runoff.ngrams.arpa import is_arpa, read_arpa
from runoff.ngrams.estimate import estimate
from runoff.ngrams.model import SPECIAL, NgramModel
from runoff.pipeline.steps import work_folder
from runoff.pipeline.work_folder import StepResult, WorkFolder, files_key, hash_of
from runoff.proposers.translation.alignment import Side, aligned
from runoff.proposers.translation.blocks import BlockTable, extract
from runoff.proposers.translation.decoder import Decoder
from runoff.proposers.translation.features import feature_set
from runoff.store.file import load, save
from runoff.store.strings import StringTable
from runoff.tasks.translation.model import TranslationModel
from runoff.tasks.translation.plan import Plan
from runoff.tasks.translation.tuning import Round, best_round, normalised, tune
from runoff.tasks.translation.wording import Wording

__all__ = ["Plan", "train"]

LONGEST_SENTENCE = 100
"""Words of the longest sentences that are learned from; longer pairs are left out."""

TABLE, NGRAMS = "block table", "ngrams"
"""What files of the work folder say that they are."""


class Texts(NamedTuple):
    """Lines of both languages, and a hash of them."""

    source: list[str]
    target: list[str]
    key: str

    @classmethod
    def of(cls, given: Any) -> Texts:
        """The lines of two files, or pairs of texts."""
        one_file = isinstance(given, str) or hasattr(given, "__fspath__")
        listed = [given] if one_file else list(given)
        if all(isinstance(one, str) or hasattr(one, "__fspath__") for one in listed):
            if len(listed) != 2:
                raise UsageError(
                    f"parallel text is two files, source and target; {len(listed)} given"
                )
            pairs = list(read_line_pairs(*listed))
        else:
            pairs = [(str(one), str(other)) for one, other in listed]
        source, target = [one for one, _ in pairs], [other for _, other in pairs]
        return cls(source, target, hash_of(chain(source, target)))


def train(
    train: Sequence[FilePath] | Iterable[tuple[str, str]],
    dev: Sequence[FilePath] | Iterable[tuple[str, str]] | None = None,
    *,
    plan: Plan | None = None,
    work: FilePath | None = None,
    engine: AnyEngine = ALONE,
) -> TranslationModel:
    """A translator, trained on parallel text.

    Parameters
    ----------
    train, dev : two files, source and target, or pairs of texts. Weights are tuned on `dev`;
        without it, they are what they begin with.
    work : folder for the results of steps: links, blocks, language model, rounds of tuning.

    Examples
    --------
    >>> pairs = [("a vote", "eine Stimme"), ("a list", "eine Liste"), ("the vote", "die Stimme")]
    >>> train(pairs, plan=Plan(order=2)).translate("the list")
    'die Liste'
    """
    plan, workers = plan or Plan(), Engine.of(engine)
    texts = Texts.of(train)
    held_out = None if dev is None or dev == [] else Texts.of(dev)
    with work_folder(work) as folder:
        if plan.system == "tree":
            from runoff.tasks.translation.trees.train import TreeTraining

            return TreeTraining(plan, texts, held_out, folder, workers).run()
        return Training(plan, texts, held_out, folder, workers).run()


@dataclass(frozen=True)
class Training:
    """The steps of a training."""

    plan: Plan
    texts: Texts
    dev: Texts | None
    work: WorkFolder
    engine: Engine

    def run(self) -> TranslationModel:
        """The translator; every step is kept."""
        plan = self.plan
        wording = Wording.of(self.texts.target, tokenized=plan.tokenized, cased=plan.cased)
        pairs = self._pairs(wording, self.texts)
        links, links_key = self._links(pairs)
        kept = [i for i, pair in enumerate(pairs) if pair.source and pair.target]
        if not kept:
            raise FormatError("there are no sentence pairs to learn from")
        pairs, links = [pairs[i] for i in kept], [links[i] for i in kept]
        table = self._table(pairs, links, links_key)
        lm = self._lm(pairs)
        source, target = (_vocabulary(side) for side in zip(*pairs, strict=True))
        decoder = Decoder(source, target, table, lm)
        features = feature_set(plan.features)
        rounds: list[Round] = []
        weights = normalised(np.array(features.start))
        if self.dev is not None:
            text = self._dev_words(wording, self.dev)
            rounds = tune(
                decoder,
                features,
                plan.search,
                text,
                plan.tuning,
                work=self.work,
                key=(links_key, plan.longest_block, plan.per_source, self._lm_key, self.dev.key),
                engine=self.engine,
            )
            weights = best_round(rounds).weights
        training = self._header(decoder, pairs, rounds)
        return TranslationModel(decoder, plan.features, weights, plan.search, wording, training)

    def _pairs(self, wording: Wording, texts: Texts) -> list[SentencePair]:
        """The pairs as words; those with a sentence that is too long are empty."""
        stage = "sentence pairs"
        made: list[SentencePair] = []
        lines = zip(texts.source, texts.target, strict=True)
        for one, other in self.engine.counted(stage, lines, len(texts.source), every=4096):
            pair = SentencePair(wording.words(one), wording.words(other))
            check_target(pair.target, len(made) + 1)
            long = max(len(pair.source), len(pair.target)) > LONGEST_SENTENCE
            made.append(SentencePair([], []) if long else pair)
        return made

    def _links(self, pairs: list[SentencePair]) -> tuple[list[list[Link]], str]:
        plan = self.plan
        given = self.texts.key, plan.tokenized, plan.cased
        if plan.links is not None:
            words = [
                SentencePair(*(Wording(plan.tokenized, plan.cased).words(text) for text in texts))
                for texts in zip(self.texts.source, self.texts.target, strict=True)
            ]
            found = [sorted(own.sure) for own in read_links(plan.links, words)]
            links = [own if pair.source else [] for own, pair in zip(found, pairs, strict=True)]
            return links, hash_of([repr(given), files_key([plan.links])])
        made = self.work.step("links", ".txt.gz", *given, plan.aligner, plan.symmetrise)
        if not made.done:
            self.engine.tell("links", 0)
            links = aligned(pairs, plan.aligner, plan.symmetrise, engine=self.engine)
            write_pieces((f"{links_text(own)}\n".encode() for own in links), made.path)
        self.engine.tell("links")
        return [sorted(own.sure) for own in read_links(made.path, pairs)], made.key

    def _table(self, pairs: list[SentencePair], links: list[list[Link]], key: str) -> BlockTable:
        plan = self.plan
        made = self.work.step("blocks", ".runoff", key, plan.longest_block, plan.per_source)
        if not made.done:
            self.engine.tell("blocks", 0)
            sides = [Side.of(side) for side in zip(*pairs, strict=True)]
            table = extract(sides[0], sides[1], links, plan.longest_block).limited(plan.per_source)
            save(made.path, TABLE, {}, table.arrays())
        self.engine.tell("blocks")
        return BlockTable.restored(load(made.path, kind=TABLE, map=False).arrays)

    @property
    def _lm_key(self) -> str:
        plan = self.plan
        if plan.lm is not None:
            return files_key([plan.lm])
        return hash_of([self.texts.key, repr((plan.tokenized, plan.cased, plan.order))])

    def _lm(self, pairs: list[SentencePair]) -> NgramModel:
        if self.plan.lm is not None:
            return _read_lm(self.plan.lm)
        made: StepResult = self.work.step("lm", ".runoff", self._lm_key)
        if not made.done:
            self.engine.tell("language model", 0)
            model = estimate([pair.target for pair in pairs], self.plan.order).model
            save(made.path, NGRAMS, {"order": model.order}, model.arrays())
        self.engine.tell("language model")
        _, header, arrays = load(made.path, kind=NGRAMS, map=False)
        return NgramModel.restored(header["order"], arrays)

    def _dev_words(self, wording: Wording, dev: Texts) -> tuple[list[list[str]], list[list[str]]]:
        pairs = [
            (wording.words(one), wording.words(other))
            for one, other in zip(dev.source, dev.target, strict=True)
        ]
        pairs = [pair for pair in pairs if 0 < len(pair[0]) <= LONGEST_SENTENCE and pair[1]]
        if not pairs:
            raise FormatError("there are no sentence pairs to tune on")
        return [one for one, _ in pairs], [other for _, other in pairs]

    def _header(
        self, decoder: Decoder, pairs: list[SentencePair], rounds: list[Round]
    ) -> dict[str, Any]:
        words = [sum(map(len, side)) for side in zip(*pairs, strict=True)]
        sizes = {
            "sentence pairs": len(pairs),
            "source words": words[0],
            "target words": words[1],
            "source vocabulary": len(decoder.source) - 1,
            "target vocabulary": len(decoder.target) - 1,
            "blocks": len(decoder.table),
            "n-grams": sum(len(one.probabilities) for one in decoder.lm.orders),
        }
        return self._described(sizes, rounds)

    def _described(self, sizes: dict[str, int], rounds: list[Round]) -> dict[str, Any]:
        """The header of a model: the sizes of its parts, and how it was tuned."""
        plan = self.plan
        header: dict[str, Any] = {
            "runoff": runoff.__version__,
            "text": sizes,
            "aligner": "links" if plan.links else plan.aligner,
            "learner": plan.learner,
        }
        if plan.attribution is not None:
            header["attribution"] = plan.attribution
        if rounds:
            best = best_round(rounds)
            header["tuning"] = [
                {
                    "round": number,
                    "BLEU": one.bleu,
                    "candidates": len(one.features),
                    "taken": "yes" if one is best else "",
                }
                for number, one in enumerate(rounds, 1)
            ]
        return header


def check_target(words: Sequence[str], line: int) -> None:
    """Raise an error for a word that language models use themselves."""
    special = next((word for word in words if word in SPECIAL), None)
    if special is not None:
        raise FormatError(
            f"line {line:,} of the target has the word {special}, which language models use "
            "themselves"
        )


def _vocabulary(sentences: Iterable[Sequence[str]]) -> StringTable:
    """The words in the order in which `Side` numbers them; 0 is no word."""
    numbering = Numbering([""])
    for words in sentences:
        numbering.numbers(words)
    return StringTable.of(numbering)


def _read_lm(path: FilePath) -> NgramModel:
    if is_arpa(path):
        return read_arpa(path)
    _, header, arrays = load(path, kind="language model")
    return NgramModel.restored(int(header["order"]), arrays)
