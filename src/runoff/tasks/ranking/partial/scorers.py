"""What scores candidates piece by piece beside a ranker: language models, programs of the user."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol

import msgspec

from runoff.data.nbest import NBest
from runoff.errors import FormatError
from runoff.tasks.ranking.columns.program import Program


class PrefixScorer(Protocol):
    """Scores texts piece by piece; the score of the whole text is a feature of the ranker.

    `kind` is what a model remembers of it: an error model for a language model is of no use for a
    program.
    """

    kind: str

    def begin(self, nbest: NBest) -> None:
        """Turn to a list."""

    def pieces(self, output: Any) -> Sequence[str]:
        """The pieces of an output, at least one."""

    def start(self) -> Any:
        """The state before the first piece."""

    def read(self, state: Any, piece: str, last: bool) -> tuple[Any, float]:
        """The state after the next piece, and the score of all that was read so far."""

    def whole(self, pieces: Sequence[str]) -> float:
        """The score of a whole text."""


class ProgramScorer(Program):
    r"""A program that scores beginnings: one line of JSON in, one out.

    It is given `{"id": …, "input": …, "prefix": ["the", "cat"], "complete": false}`; see `Program`.
    With `complete`, the prefix is the whole candidate.

    Examples
    --------
    >>> from runoff.data.nbest import Candidate
    >>> with ProgramScorer("sed -u s/.*/-1.5/") as scorer:
    ...     scorer.begin(NBest(1, None, [Candidate("a vote")]))
    ...     scorer.read((), "a", False)
    (('a',), -1.5)
    """

    kind = "program"
    _list = NBest()

    def begin(self, nbest: NBest) -> None:
        """Turn to a list, whose id and input the program is given."""
        self._list = nbest

    def pieces(self, output: Any) -> Sequence[str]:
        """The words of a text, or the items of a list of them."""
        return words_of(output)

    def start(self) -> Any:
        """No words."""
        return ()

    def read(self, state: Any, piece: str, last: bool) -> tuple[Any, float]:
        """What the program says of all words so far."""
        words = (*state, piece) if piece else state
        return words, self._score(words, last)

    def whole(self, pieces: Sequence[str]) -> float:
        """What the program says of a whole text."""
        return self._score(tuple(pieces) if pieces != [""] else (), True)

    def _score(self, words: tuple[str, ...], complete: bool) -> float:
        asked = {
            "id": self._list.id,
            "input": self._list.input,
            "prefix": words,
            "complete": complete,
        }
        place = f"at {' '.join(words)[:60]!r} in {self._list.name(1)}"
        return self.number(msgspec.json.encode(asked, enc_hook=str), place)


def words_of(output: Any) -> Sequence[str]:
    """The words of a text, or the items of a list of them; an empty text is one empty word."""
    words = output.split() if isinstance(output, str) else output
    if not isinstance(words, list | tuple) or not all(isinstance(word, str) for word in words):
        raise FormatError(
            f"expected a text or a list of words, not {output!r:.60}",
            hint="only texts can be read word by word by a language model or a program",
        )
    return words or [""]


def scored_whole(lists: Iterable[NBest], scorer: PrefixScorer, name: str) -> Iterator[NBest]:
    """The lists with the score of each whole candidate as a feature of a name, as a stream."""
    for nbest in lists:
        scorer.begin(nbest)
        made = []
        for candidate in nbest.candidates:
            score = scorer.whole(scorer.pieces(candidate.output))
            features = {**(candidate.features or {}), name: score}
            made.append(msgspec.structs.replace(candidate, features=features))
        yield msgspec.structs.replace(nbest, candidates=made)
