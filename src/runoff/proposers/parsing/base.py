"""The contract of parsers: what `runoff train parsing` asks of every one of `PARSERS`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Protocol, Self

from numpy.typing import NDArray

from runoff.data.nbest import Candidate
from runoff.data.sentence import AnySentence
from runoff.data.tree import Tree
from runoff.engine import ALONE, Engine
from runoff.proposers.base import Choices, Proposer


class Help(NamedTuple):
    """What a training may use besides its trees.

    Parameters
    ----------
    dev : gives the development trees, with tags as a tagger gives them, to those who ask.
    work : folder for what a training that is killed resumes from.
    engine : where jobs run.
    """

    dev: Callable[[], Sequence[Tree]] = tuple
    work: Path | None = None
    engine: Engine = ALONE


NO_HELP = Help()


class Parser(Proposer, Protocol):
    """Learns from trees, and proposes trees for sentences."""

    name: ClassVar[str]
    uses_dev: ClassVar[bool]
    """Whether development trees have a part in what is learned."""

    def encode(self, trees: Iterable[Tree]) -> Any:
        """Trees as the parser learns from them, made once for all folds."""
        ...

    def fit_some(self, treebank: Any, chosen: NDArray[Any], help: Help = NO_HELP) -> Self:
        """Learn from some trees of an encoded treebank, given by their numbers."""
        ...

    def found_options(self) -> Mapping[str, Any]:
        """Options that development trees chose; parsers of folds, which have none, take them."""
        ...

    def training_record(self) -> dict[str, Any]:
        """What there is to say of how it was trained, for the header of a model file."""
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
