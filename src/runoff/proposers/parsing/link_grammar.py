"""Link Grammar as a proposer: its program, `link-parser`, as a child process that is watched.

Sleator and Temperley (1991), "Parsing English with a link grammar".
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Self

from runoff.data.nbest import Candidate
from runoff.engine.child import Child, ChildError
from runoff.errors import FormatError, MissingExtraError, UsageError
from runoff.proposers.parsing.linkages import Linkage, lay_over, read_linkages

PROGRAM = "link-parser"

SENTINEL = "echo set to 0"
"""What the program answers to a command that is sent after each sentence."""


class Linkages(NamedTuple):
    """What Link Grammar found for a sentence.

    Parameters
    ----------
    candidates : distinct sets of links, the cheapest first, laid over the words of the sentence.
    printed : how many linkages the program printed.
    not_laid : how many of them have words that could not be found in the sentence.
    problem : why there are none, or no more: the program was stopped or failed.
    """

    candidates: list[Candidate]
    printed: int
    not_laid: int
    problem: str | None = None


@dataclass
class LinkGrammar:
    """The program of Link Grammar, started at the first sentence and again whenever it fails.

    It has a time limit of its own, which it does not always keep; so it is stopped when a sentence
    takes three times as long.

    Parameters
    ----------
    limit : how many linkages are asked for; not all that it finds are valid.
    printed : how many are printed at most.
    seconds : its time limit for a sentence.
    program : its name or path.

    Examples
    --------
    >>> with LinkGrammar() as grammar:  # doctest: +SKIP
    ...     print(grammar.propose(["We", "won", "."]).candidates[0].output)
    [[0, 1, 'Wd'], [0, 2, 'WV'], [0, 3, 'Xp'], [1, 2, 'Sp']]
    """

    limit: int = 1000
    printed: int = 100
    seconds: int = 5
    program: str = PROGRAM

    _child: Child | None = field(default=None, init=False, repr=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the program."""
        if self._child is not None:
            self._child.close()
            self._child = None

    def propose(self, words: Sequence[str]) -> Linkages:
        """The linkages of a sentence; where the program fails, what it printed before."""
        if any(not word or word.isspace() for word in words):
            raise UsageError("a word of the sentence is empty")
        text, problem = self._ask(" ".join(words))
        return _candidates(text.decode("utf-8", "replace"), words, problem)

    def _ask(self, sentence: str) -> tuple[bytes, str | None]:
        """What the program prints for a sentence, and what went wrong."""
        self._child = self._child or self._start()
        line = " ".join(sentence.split())  # a leading space: what begins with ! would be a command
        asked = f" {line}\n!echo=0\n".encode("utf-8", "replace")
        try:
            return self._child.ask(asked, SENTINEL.encode(), 3 * self.seconds), None
        except ChildError as error:
            self._child = None
            return error.so_far, f"link-parser {error.problem}"

    def _start(self) -> Child:
        program, unbuffered = shutil.which(self.program), shutil.which("stdbuf")
        if program is None or unbuffered is None:
            missing = self.program if program is None else "stdbuf"
            raise MissingExtraError(
                f"this needs the program {missing!r}, which is not installed",
                hint="it is part of Debian's package `link-grammar`"
                if program is None
                else "it is part of GNU coreutils",
            )
        options = {"graphics": 0, "postscript": 1, "limit": self.limit, "timeout": self.seconds}
        asked = [f"-{name}={value}" for name, value in options.items()]
        command = [unbuffered, "-oL", program, "en", *asked, "-spell=0", "-verbosity=1"]
        shown = f"-test=auto-next-linkage:{self.printed}"
        return Child([*command, shown], {"LC_ALL": "C.UTF-8"})


def _candidates(text: str, words: Sequence[str], problem: str | None) -> Linkages:
    """Distinct candidates of what was printed, in its order."""
    found: dict[object, Candidate] = {}
    printed = not_laid = 0
    try:
        for linkage in read_linkages(text):
            printed += 1
            links = lay_over(linkage, words)
            if links is None:
                not_laid += 1
            else:
                found.setdefault(links, _candidate(linkage, links))
    except FormatError as error:
        problem = problem or str(error)
    if not printed:
        problem = problem or "link-parser printed no linkage"
    return Linkages(list(found.values()), printed, not_laid, problem)


def _candidate(linkage: Linkage, links: Sequence[tuple[int, int, str]]) -> Candidate:
    costs = {
        "unused words": float(linkage.unused),
        "cost of disjuncts": linkage.disjuncts,
        "length of links": float(linkage.length),
    }
    output = [list(link) for link in links]
    return Candidate(output, 0.0 - linkage.disjuncts, features=costs)  # its own order
