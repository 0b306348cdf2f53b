"""The contract of parsers: what `runoff train parsing` asks of every one of `PARSERS`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, Protocol, Self

from numpy.typing import NDArray

from runoff.data.nbest import Candidate
from runoff.data.sentence import AnySentence
from runoff.data.tree import Tree
from runoff.proposers.base import Choices, Proposer


class Parser(Proposer, Protocol):
    """Learns from trees, and proposes trees for sentences."""

    name: ClassVar[str]

    def encode(self, trees: Iterable[Tree]) -> Any:
        """Trees as the parser learns from them, made once for all folds."""
        ...

    def fit_some(self, treebank: Any, chosen: NDArray[Any]) -> Self:
        """Learn from some trees of an encoded treebank, given by their numbers."""
        ...

    def propose_all(
        self,
        sentences: Iterable[AnySentence],
        n: int,
        *,
        choices: Iterable[Choices | None] = (),
        threads: int = 1,
    ) -> list[list[Candidate]]:
        """At most n distinct trees per sentence with log-probabilities, best first; never none.

        `choices` are the tags that the words of each sentence may have, as a tagger gives them.
        """
        ...
