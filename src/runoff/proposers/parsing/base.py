"""The contract of parsers: what `runoff train parsing` asks of every one of `PARSERS`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, Protocol, Self

from numpy.typing import NDArray

from runoff.data.tree import Tree
from runoff.proposers.base import Proposer


class Parser(Proposer, Protocol):
    """Learns from trees, and proposes trees for sentences."""

    name: ClassVar[str]

    def encode(self, trees: Iterable[Tree]) -> Any:
        """Trees as the parser learns from them, made once for all folds."""
        ...

    def fit_some(self, treebank: Any, chosen: NDArray[Any]) -> Self:
        """Learn from some trees of an encoded treebank, given by their numbers."""
        ...
