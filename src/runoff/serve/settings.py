"""The settings of a server: where it listens, and the limits on what it is sent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runoff.pipeline.options import check_ranges, option


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Where a server listens, and how much it takes on."""

    host: str = option("127.0.0.1", "Address to listen on; other machines reach 0.0.0.0.")
    port: int = option(
        8600,
        "Port to listen on; 0 lets the system choose a free one.",
        max=65535,
        flags=("--port",),
    )
    allow: Sequence[str] = option(
        (),
        "Name by which browsers may reach the server, besides the address and localhost, e.g. "
        "lists.example.org; may be repeated.",
        metavar="NAME",
    )
    workers: int = option(1, "Number of processes that answer requests.", min=1, max=64)
    threads: int = option(2, "Number of requests that a process works on at a time.", min=1, max=64)
    queue: int = option(
        32, "Number of requests that wait; further ones get the answer 503.", min=0, max=10_000
    )
    seconds: float = option(30.0, "Time after which a request gets the answer 504.", min=0.1)
    most_bytes: int = option(8 << 20, "Bytes of the longest request.", min=1024)
    most_lists: int = option(1000, "Lists, sentences or documents of a request.", min=1)
    most_candidates: int = option(1000, "Candidates of a list.", min=1)
    most_words: int = option(
        400, "Words of the longest sentence; the model may take fewer.", min=1, max=10_000
    )
    most_records: int = option(2000, "Records of a request.", min=1)

    def __post_init__(self) -> None:
        """Check the range of numbers."""
        check_ranges(self)
