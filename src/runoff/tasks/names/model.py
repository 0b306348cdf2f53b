"""Names: a tagger and a reranker in one model, and its use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import count
from operator import attrgetter
from typing import Annotated, Any, ClassVar, Literal, overload

import msgspec

from runoff.data.characters import in_characters
from runoff.data.limits import WORDS
from runoff.data.nbest import Candidate, NBest
from runoff.data.schemes import convert, decode
from runoff.data.sentence import AnySentence, Sentence
from runoff.engine import ALONE, AnyEngine, Engine, chunked
from runoff.errors import NotFittedError, UsageError
from runoff.features.names.slots import joined, plain
from runoff.features.names.statistics import NameStatistics
from runoff.pipeline.model import INPUTS_PER_CHUNK, Parts, with_document
from runoff.proposers.sequence.hmm import HmmTagger
from runoff.tasks.names.earlier import EarlierStages, scores_of
from runoff.tasks.names.elsewhere import (
    Lists,
    Looking,
    Seen,
    clusters_of,
    next_stage,
    related_documents,
)
from runoff.tasks.names.margins import Margins
from runoff.tasks.names.stages import Scores, Stage, parse_stages, with_inside
from runoff.tasks.names.taggers import AnyTagger, restored_tagger, tags_of
from runoff.tasks.ranking.reranker import Reranker
from runoff.tasks.ranking.results.ranked import RankedList
from runoff.tasks.ranking.why import Reasons
from runoff.tasks.tagging.chunked import ChunkedSentence
from runoff.tasks.tagging.reranked import RerankedTagger, distinct

SHOWN = 80
"""Characters of a sentence in which a name is mentioned elsewhere."""


class _Header(msgspec.Struct, kw_only=True):
    n: Annotated[int, msgspec.Meta(ge=1, le=10_000)]
    hyphens: bool = False
    units: Literal["words", "characters"] = "words"
    margins: Margins | None = None
    tagger: dict[str, Any]
    statistics: dict[str, Any] | None = None
    looking: Looking | None = None
    earlier: dict[str, Any] | None = None
    ranker: dict[str, Any] | None = None


@dataclass
class NamesModel(RerankedTagger):
    """Finds the names of sentences.

    Parameters
    ----------
    tagger : proposes for each word whether it begins a name, goes on with one, or is in none.
    ranker : picks one of its taggings; without one, the tagger's favourite is taken.
    training : how it was trained and on what; becomes the header of its file.
    n : how many taggings the ranker has to choose from.
    hyphens : whether words with hyphens stay whole in plain text, as they did in training.
    units : what is tagged: `words`, or `characters`, into which words are taken apart.
    margins : how many of the n taggings are kept, by the margin of the first two.
    statistics : what names are like, which becomes features of the candidates.
    looking : the stages of rankers, and how far they look.
    earlier : the rankers of the stages before the last.
    related : documents that widen clusters; not kept in the file.
    telling : whether lists say where names are found elsewhere; not kept in the file.

    References
    ----------
    Collins and Duffy (2002), section 6.2.

    Examples
    --------
    >>> from runoff.tasks.tagging.train import train_tagger
    >>> seen = [Sentence(("Ann", "won"), gold=("B", "O"))]
    >>> tagger = train_tagger(seen, options={"prior": (10.0,), "min_count": 1})
    >>> print(NamesModel(tagger, None, {}).names(["Ann", "won"]))
    [Ann] won
    """

    kind: ClassVar[str] = "names"
    parts: ClassVar[Parts] = {
        "tagger": restored_tagger,
        "statistics": NameStatistics.restored,
        "earlier": EarlierStages.restored,
        "ranker": Reranker.restored,
    }
    header: ClassVar[type[msgspec.Struct]] = _Header
    longest = WORDS["names"]

    tagger: AnyTagger
    ranker: Reranker | None
    training: dict[str, Any]
    n: int = 20
    hyphens: bool = False
    units: str = "words"
    margins: Margins | None = None
    statistics: NameStatistics | None = None
    looking: Looking | None = None
    earlier: EarlierStages | None = None
    related: tuple[Seen, ...] = ()
    telling: bool = False

    @overload
    def names(self, text: str) -> list[ChunkedSentence]: ...  # type: ignore[overload-overlap]

    @overload
    def names(self, text: AnySentence) -> ChunkedSentence: ...

    def names(self, text: str | AnySentence) -> list[ChunkedSentence] | ChunkedSentence:
        """The names of every sentence of a text, or of one sentence given as words."""
        return self.apply(text)

    def documents(
        self, texts: Iterable[str], *, engine: AnyEngine = ALONE
    ) -> Iterator[list[ChunkedSentence]]:
        """The names of texts, each of which is a document, as a stream: a list of its sentences.

        Examples
        --------
        >>> from runoff.proposers.sequence.hmm import HmmTagger
        >>> from runoff.tasks.names.taggers import NameTagger
        >>> seen = [Sentence(("Ann", "won", "."), gold=("B-PER", "O", "O"))]
        >>> model = NamesModel(NameTagger("hmm", HmmTagger().fit(seen), {}), None, {})
        >>> [[str(sentence) for sentence in found] for found in model.documents(["Ann won."])]
        [['[PER Ann] won .']]
        """
        return self.pipe(texts, engine=engine)

    def of_document(self, sentence: Sentence, document: str) -> Sentence:
        """The sentence as part of a document, where a stage looks at whole ones."""
        if not self.whole_documents or sentence.document is not None:
            return sentence
        return msgspec.structs.replace(sentence, document=document)

    def base_tags(self) -> Iterable[str]:
        """The tags of the tagger."""
        return tags_of(self.tagger)

    def propose(self, inputs: Sequence[AnySentence], n: int, threads: int = 1) -> list[NBest]:
        """The candidates of the tagger, before a ranker sees them."""
        sentences = [Sentence(self.in_units(Sentence.of(one)).words) for one in inputs]
        found = self.tagger.tagger.propose_all(sentences, n, threads=threads)
        if not isinstance(self.tagger.tagger, HmmTagger):  # whose taggings are distinct and IOB2
            found = [distinct(_in_iob2(candidates)) for candidates in found]
        lists = [
            NBest(None, list(sentence.words), candidates)
            for sentence, candidates in zip(sentences, found, strict=True)
        ]
        return lists if n == 1 else [self.first_stage(one) for one in lists]

    def first_stage(self, nbest: NBest) -> NBest:
        """The list as the first ranker sees it: cut by its margin, and with what names are like."""
        if self.margins is not None:
            nbest = self.margins.cut(nbest)
        if self.statistics is None:
            return nbest
        return with_inside(nbest, self.statistics, self.stages[0].inside)

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """The stages of rankers; none where there is one, of all features."""
        return () if self.looking is None else parse_stages(self.looking.stages)

    @property
    def whole_documents(self) -> bool:
        """Whether winners of other sentences are looked at."""
        return any(stage.elsewhere for stage in self.stages) or super().whole_documents

    def staged(self, lists: Iterable[NBest]) -> Iterator[NBest]:
        """The lists of the tagger as the last ranker sees them."""
        return iter(self.later_stages([self.first_stage(nbest) for nbest in lists]))

    def later_stages(self, lists: list[NBest], last: int | None = None) -> list[NBest]:
        """The lists of the first ranker as the last one sees them, or that of a stage.

        Parameters
        ----------
        last : number of that stage, from 1 for the second one.
        """
        for number in range(1, len(self.stages) if last is None else last + 1):
            lists = list(self._stage(partial(iter, self._scored(lists, number)), number))
        return lists

    def _scored(self, lists: list[NBest], number: int) -> list[tuple[NBest, Scores]]:
        """The lists with the scores of the stage before one."""
        before = self.earlier.rankers[number - 1] if self.earlier else self.ranker
        assert before is not None
        return list(zip(lists, scores_of(before, lists), strict=True))

    def _stage(self, lists: Lists, number: int) -> Iterator[NBest]:
        """The lists with what a stage learns from, given the scores of the one before."""
        if self.looking is None or self.statistics is None or self.earlier is None:
            raise NotFittedError("this model has no rankers of earlier stages")
        stage = self.stages[number]
        found = next_stage(
            lists, number, stage, self.looking, self.related,
            values=self.earlier.rankers[number - 1].ranker.takes_values, telling=self.telling,
        )  # fmt: skip
        for nbest in found:
            yield with_inside(nbest, self.statistics, stage.inside)

    def _ranked(self, lists: list[NBest]) -> list[tuple[NBest, RankedList | None]]:
        """The lists in the order of the last ranker."""
        return super()._ranked(lists if self.clustered else self.later_stages(lists))

    @property
    def clustered(self) -> bool:
        """Whether the last stage looks at clusters of documents."""
        return bool(self.stages) and "clusters" in self.stages[-1].elsewhere

    def _stream(
        self, inputs: Iterable[AnySentence], n: int | None, engine: Engine, *, why: bool
    ) -> Iterator[tuple[NBest, Reasons | None]]:
        """Every input's n best; clusters are found first, among the documents of all inputs."""
        if not self.clustered:
            here = ALONE if self.telling else engine  # a model file, as workers get it, never tells
            yield from super()._stream(inputs, n, here, why=why)
            return
        given, last = [Sentence.of(one) for one in inputs], len(self.stages) - 1
        staged = self._stage(partial(self._before, given, last, engine), last)
        numbers = count(1)
        for chunk in chunked(staged, INPUTS_PER_CHUNK * engine.threads):
            for nbest, found in self.with_reasons(self._ranked(chunk), n, why=why):
                yield msgspec.structs.replace(nbest, id=next(numbers)), found

    def _before(
        self, sentences: Sequence[Sentence], number: int, engine: Engine
    ) -> Iterator[tuple[NBest, Scores]]:
        """The lists of sentences with the scores of the stage before one."""
        for chunk in chunked(sentences, INPUTS_PER_CHUNK * engine.threads, attrgetter("document")):
            proposed = zip(self.propose(chunk, self.n, engine.threads), chunk, strict=True)
            lists = [with_document(*pair) for pair in proposed]
            yield from self._scored(self.later_stages(lists, number - 1), number)

    def widened(self, related: Iterable[Sentence], *, engine: AnyEngine = ALONE) -> NamesModel:
        """The model, whose clusters are widened by unlabelled documents."""
        if not self.clustered:
            raise UsageError(
                "this model finds no clusters, which related documents would widen",
                hint="train it with --stages structure,coreference+clusters",
            )
        given = [self.in_units(sentence) for sentence in related]
        before = partial(self._before, given, len(self.stages) - 1, Engine.of(engine))
        return replace(self, related=related_documents(before))

    def clusters(
        self, sentences: Iterable[Sentence], *, engine: AnyEngine = ALONE
    ) -> list[list[str | None]]:
        """The ids of the documents of each cluster, as the last stage finds them."""
        if self.looking is None:
            return []
        given = [self.in_units(sentence) for sentence in sentences]
        before = partial(self._before, given, len(self.stages) - 1, Engine.of(engine))
        found = clusters_of(before, self.looking.cluster_below)
        return [[None if one is None else str(one) for one in own] for own in found]

    def explained(
        self, inputs: Iterable[AnySentence], n: int | None = 1, *, engine: AnyEngine = ALONE
    ) -> Iterator[tuple[NBest, Reasons | None]]:
        """The lists with the reasons of `why`, which name the mentions elsewhere."""
        told = super(NamesModel, replace(self, telling=True)).explained(inputs, n, engine=engine)
        for nbest, found in told:
            elsewhere = nbest.extra.get("elsewhere", {})
            if found is not None and elsewhere:
                differ = {*decode(found.winner.output)} ^ {*decode(found.rival.output)}
                texts = {
                    joined(plain(nbest.input[one.span.start : one.span.end])) for one in differ
                }
                mentions = mentions_told({k: v for k, v in elsewhere.items() if k in texts})
                note = "\n".join(filter(None, (found.note, *mentions)))
                found = replace(found, note=note or None)
            yield nbest, found

    def in_units(self, sentence: Sentence) -> Sentence:
        """The sentence as it is tagged: as it is, or taken apart into characters."""
        return in_characters(sentence) if self.units == "characters" else sentence

    def result(self, sentence: Sentence, nbest: NBest) -> ChunkedSentence:
        """The names of the first candidate of a list."""
        return super().result(self.in_units(sentence), nbest)


def mentions_told(elsewhere: Mapping[str, list[dict[str, Any]]]) -> Iterator[str]:
    """Where names are found elsewhere, a line for each place."""
    for name, mentions in elsewhere.items():
        for one in mentions:
            document = "" if one["document"] is None else f" of {one['document']}"
            yield (
                f"{name}: {one['type']} {one['name']} in sentence {one['sentence']}{document}: "
                f"{one['text'][:SHOWN]}"
            )


def _in_iob2(candidates: Iterable[Candidate]) -> Iterable[Candidate]:
    """The candidates as they are read: what goes on with no name begins one."""
    for candidate in candidates:
        yield Candidate(convert(candidate.output, "iob2"), candidate.logprob)
