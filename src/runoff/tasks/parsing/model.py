"""Parsing: a tagger, a base parser and a reranker in one model, and putting it to work."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, overload

import msgspec

from runoff.data.limits import WORDS
from runoff.data.nbest import Candidate, NBest
from runoff.data.sentence import AnySentence, Sentence
from runoff.data.tree import Tree
from runoff.data.treebank.leaves import as_leaves
from runoff.errors import NotFittedError
from runoff.pipeline.model import Parts, RerankedSystem, SentenceModel
from runoff.proposers.parsing import restored_parser
from runoff.proposers.parsing.base import Parser
from runoff.proposers.parsing.latent_grammars import LatentGrammars
from runoff.tasks.ranking.reranker import Reranker
from runoff.tasks.tagging.model import TaggingModel

if TYPE_CHECKING:  # no other parser needs its modules
    from runoff.proposers.parsing.classification.reasons import InferenceReason

TAG_RATIO = 0.01
"""Tags that the parser may choose from, against the likeliest tag of a word."""

ListSize = Annotated[int, msgspec.Meta(ge=1, le=10_000)]


class _Header(msgspec.Struct, kw_only=True):
    n: ListSize
    proposed: ListSize
    tagger: dict[str, Any]
    parser: dict[str, Any]
    grammars: dict[str, Any] | None = None
    ranker: dict[str, Any] | None


@dataclass
class ParsingModel(RerankedSystem[AnySentence], SentenceModel[Tree]):
    """Parses text.

    Parameters
    ----------
    tagger : gives the parser the tags to choose from.
    parser : proposes trees.
    ranker : picks one of them; without one, the parser's favourite is taken.
    training : how it was trained and on what; becomes the header of its file.
    n : how many trees the ranker has to choose from.
    grammars : that choose these among more, and whose opinion of a tree becomes a feature of it.
    proposed : how many trees the grammars have to choose from.

    Examples
    --------
    >>> from runoff.proposers.parsing.head_parser import CollinsParser
    >>> from runoff.tasks.tagging.train import train_tagger
    >>> trees = [Tree.parse("(TOP (S (NP (PRP we)) (VP (VBP vote))))")]
    >>> tagged = [Sentence(("we", "vote"), gold=("PRP", "VBP"))]
    >>> tagger = train_tagger(tagged, options={"prior": (10.0,), "min_count": 1})
    >>> model = ParsingModel(tagger, CollinsParser(min_count=1).fit(trees), None, {})
    >>> print(model.parse(["we", "vote"]))
    (TOP (S (NP (PRP we)) (VP (VBP vote))))
    """

    kind: ClassVar[str] = "parser"
    parts: ClassVar[Parts] = {
        "tagger": TaggingModel.restored,
        "parser": restored_parser,
        "grammars": LatentGrammars.restored,
        "ranker": Reranker.restored,
    }
    header: ClassVar[type[msgspec.Struct]] = _Header
    longest = WORDS["parse"]

    tagger: TaggingModel
    parser: Parser
    ranker: Reranker | None
    training: dict[str, Any]
    n: int = 50
    grammars: LatentGrammars | None = None
    proposed: int = 500

    @overload
    def parse(self, text: str) -> list[Tree]: ...  # type: ignore[overload-overlap]

    @overload
    def parse(self, text: AnySentence) -> Tree: ...

    def parse(self, text: str | AnySentence) -> list[Tree] | Tree:
        """The trees of the sentences of a text, or the one tree of a sentence given as words."""
        return self.apply(text)

    def result(self, sentence: Sentence, nbest: NBest) -> Tree:
        """The first tree of a list, which knows its place in the text."""
        return Tree.parse(nbest.candidates[0].output).placed(sentence.starts)

    def base(self) -> ParsingModel:
        """The base parser alone, with the grammars that weigh its trees, as a model: no ranker."""
        joint = self.grammars is not None and self.grammars.joint
        return replace(self, grammars=self.grammars if joint else None, ranker=None)

    def propose(self, inputs: Sequence[AnySentence], n: int, threads: int = 1) -> list[NBest]:
        """The parser's trees, or those that grammars chose, before a ranker sees them."""
        sentences = [as_leaves(Sentence.of(one)) for one in inputs]
        if self.grammars is None:
            return self._propose(sentences, n, threads)
        found = self._propose(sentences, max(n, self.proposed), threads)
        return self.grammars.judged(found, n, threads=threads)

    def inferences(
        self, sentences: Iterable[AnySentence]
    ) -> Iterator[tuple[NBest, list[InferenceReason]]]:
        """The best tree of each sentence, and why the base parser added its constituents.

        The least certain constituents come first. Only the parser `classification` gives reasons.
        """
        from runoff.proposers.parsing.classification.parser import ClassificationParser

        if not isinstance(self.parser, ClassificationParser):
            raise NotFittedError(
                "this model has no ranker, and its parser gives no reasons",
                hint="the parser `classification` does",
            )
        for number, one in enumerate(sentences, 1):
            sentence = as_leaves(Sentence.of(one))
            (nbest,) = self.propose([sentence], 1)
            tags = None
            if sentence.words and sentence.tags is None:
                (tags,) = self.tagger.choices([sentence], TAG_RATIO)
            reasons = self.parser.why(sentence, tags) if sentence.words else []
            yield msgspec.structs.replace(nbest, id=number), reasons

    def _propose(self, sentences: list[Sentence], n: int, threads: int) -> list[NBest]:
        told = [one for one in sentences if one.words]
        bare = [one for one in told if one.tags is None]
        found = iter(self.tagger.choices(bare, TAG_RATIO, threads=threads))
        choices = [next(found) if one.tags is None else None for one in told]
        trees = iter(self.parser.propose_all(told, n, choices=choices, threads=threads))
        nothing = [Candidate("(TOP)", 0.0)]
        return [
            NBest(None, list(one.words), next(trees) if one.words else nothing) for one in sentences
        ]
