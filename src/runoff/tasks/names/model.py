"""Names: a tagger and a reranker in one model, and its use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, overload

import msgspec

from runoff.data.characters import in_characters
from runoff.data.limits import WORDS
from runoff.data.nbest import Candidate, NBest
from runoff.data.schemes import convert
from runoff.data.sentence import AnySentence, Sentence
from runoff.engine import ALONE, AnyEngine
from runoff.features.names.structure import NameStatistics
from runoff.pipeline.model import Parts
from runoff.tasks.names.margins import Margins
from runoff.tasks.names.stages import second_stage, with_structure
from runoff.tasks.names.taggers import AnyTagger, restored_tagger, tags_of
from runoff.tasks.ranking.reranker import RankedList, Reranker
from runoff.tasks.tagging.chunked import ChunkedSentence
from runoff.tasks.tagging.reranked import RerankedTagger, distinct


class _Header(msgspec.Struct, kw_only=True):
    n: Annotated[int, msgspec.Meta(ge=1, le=10_000)]
    hyphens: bool = False
    units: Literal["words", "characters"] = "words"
    margins: Margins | None = None
    tagger: dict[str, Any]
    statistics: dict[str, Any] | None = None
    ranker: dict[str, Any] | None = None
    coreference: dict[str, Any] | None = None


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
    coreference : picks again, given what the ranker picked in other sentences of the document.

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
        "ranker": Reranker.restored,
        "coreference": Reranker.restored,
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
    coreference: Reranker | None = None

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
        lists = [
            NBest(None, list(sentence.words), distinct(_in_iob2(candidates)))
            for sentence, candidates in zip(sentences, found, strict=True)
        ]
        return lists if n == 1 else [self.first_stage(one) for one in lists]

    def first_stage(self, nbest: NBest) -> NBest:
        """The list as the first ranker sees it: cut by its margin, and with what names are like."""
        if self.margins is not None:
            nbest = self.margins.cut(nbest)
        return nbest if self.statistics is None else with_structure(nbest, self.statistics)

    @property
    def last_ranker(self) -> Reranker | None:
        """The ranker of the last stage."""
        return self.coreference or self.ranker

    @property
    def whole_documents(self) -> bool:
        """Whether winners of other sentences are looked at."""
        return self.coreference is not None or super().whole_documents

    def last_stage(self, lists: Iterable[NBest]) -> Iterable[NBest]:
        """The lists of the first ranker as the last one sees them."""
        if self.coreference is None or self.ranker is None:
            return lists
        return second_stage(lists, self.ranker)

    def _ranked(self, lists: list[NBest]) -> list[tuple[NBest, RankedList | None]]:
        """The lists in the order of the last ranker."""
        return super()._ranked(list(self.last_stage(lists)))

    def in_units(self, sentence: Sentence) -> Sentence:
        """The sentence as it is tagged: as it is, or taken apart into characters."""
        return in_characters(sentence) if self.units == "characters" else sentence

    def result(self, sentence: Sentence, nbest: NBest) -> ChunkedSentence:
        """The names of the first candidate of a list."""
        return super().result(self.in_units(sentence), nbest)


def _in_iob2(candidates: Iterable[Candidate]) -> Iterable[Candidate]:
    """The candidates as they are read: what goes on with no name begins one."""
    for candidate in candidates:
        yield Candidate(convert(candidate.output, "iob2"), candidate.logprob)
