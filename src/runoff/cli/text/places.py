"""Where the sentences of texts are, which every `--json` output says."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from os import fspath
from typing import TYPE_CHECKING, Any

from runoff.cli.shards import TEXTS
from runoff.data.files import files_of

if TYPE_CHECKING:
    from runoff.data.files import FilePath
    from runoff.data.limits import Limit
    from runoff.data.nbest import NBest
    from runoff.data.sentence import Sentence


class Places:
    """The places of sentences that a model has been given, and whose lists are still to come.

    Parameters
    ----------
    wanted : whether anybody asks for them; else they are not remembered.
    """

    def __init__(self, *, wanted: bool) -> None:
        self._wanted = wanted
        self._waiting: deque[dict[str, Any]] = deque()

    def read(self, names: Sequence[str] | None, how: str, limit: Limit) -> Iterator[Sentence]:
        """The sentences of files, folders and patterns, read by one of `READERS`; or of stdin."""
        from runoff.data.text.read import read_files

        for file in files_of(names or ["-"], TEXTS):
            for number, sentence in enumerate(read_files([file], how, limit), 1):
                yield self.note(sentence, file, number)

    def note(self, sentence: Sentence, file: FilePath, number: int) -> Sentence:
        """The sentence, whose place is remembered."""
        if not self._wanted:
            return sentence
        place: dict[str, Any] = {"file": fspath(file), "sentence": number}
        if sentence.starts:
            ends = [a + len(word) for a, word in zip(sentence.starts, sentence.words, strict=True)]
            place |= {"start": sentence.starts[0], "end": ends[-1]}
            place["offsets"] = [list(pair) for pair in zip(sentence.starts, ends, strict=True)]
        self._waiting.append(place)
        return sentence

    def added(self, lists: Iterable[NBest]) -> Iterator[NBest]:
        """The lists of the sentences, in their order, each with its place."""
        from msgspec.structs import replace

        for nbest in lists:
            place = self._waiting.popleft() if self._wanted else {}
            yield replace(nbest, extra={**nbest.extra, **place})
