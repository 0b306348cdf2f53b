"""Options of verbs over text, said once for all that have them."""

from __future__ import annotations

from dataclasses import dataclass

from runoff.data.limits import WORDS
from runoff.errors import UsageError
from runoff.pipeline.options import check_ranges, option


@dataclass(frozen=True, kw_only=True)
class TextOptions:
    """How text is read, and what is written."""

    tokenized: bool = option(False, "Read one sentence per line, words separated by spaces.")
    output: str = option(
        "-", "File to write; `-` is stdout.", flags=("--output", "-o"), metavar="FILE"
    )
    n: int = option(1, "Number of candidates to write for each sentence.", min=1, max=1000)
    json: bool = option(False, "Write n-best lists with log-probabilities, as JSON Lines.")

    def __post_init__(self) -> None:
        """Check the range of numbers."""
        check_ranges(self)

    def exclude(self, *names: str) -> None:
        """Raise an error if more than one of these options is given."""
        if sum(bool(getattr(self, name)) for name in names) > 1:
            flags = [f"--{name}" for name in names]
            raise UsageError(f"choose one of {', '.join(flags[:-1])} and {flags[-1]}")


@dataclass(frozen=True, kw_only=True)
class SentenceOptions(TextOptions):
    """The options for sentences that are processed one by one."""

    lines: bool = option(
        False, "Read every line as one sentence of raw text, as in chats, subtitles and tweets."
    )
    longest: int = option(
        WORDS["tag"],
        "Words of the longest sentence that is taken. A longer one is skipped, with a warning: its "
        "result is that of an empty sentence.",
        min=1,
    )


@dataclass(frozen=True, kw_only=True)
class RankedOptions(SentenceOptions):
    """The options for candidates that a ranker has ordered."""

    why: bool = option(
        False, "Print the best candidates, and why the winner beat the best of the others."
    )
    top: int = option(10, "Number of terms that `--why` prints; `--json` has them all.", min=0)
