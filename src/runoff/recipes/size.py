"""What an experiment needs, and its small version, which shows in minutes that it works."""

from __future__ import annotations

from typing import Any

import msgspec


class Needs(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """What a run needs besides its data, as measured on two shared cores with `--jobs 2`.

    Parameters
    ----------
    minutes : of wall time.
    memory : gigabytes at the peak.
    """

    minutes: float
    memory: float

    def __str__(self) -> str:
        """In words.

        Examples
        --------
        >>> print(Needs(minutes=90, memory=6.1))
        about 90 minutes on two cores, 6.1 GB of memory
        """
        return f"about {self.minutes:g} minutes on two cores, {self.memory:g} GB of memory"


class Small(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """What `--small` changes.

    Parameters
    ----------
    items : how many trees, sentences or words of each file are taken, the first ones.
    plan : what is different in the plan.
    """

    items: int = 400
    plan: dict[str, Any] = {}
