"""The structure of names: their characters, their length, and what stands beside them.

A feature is a slot, a type and how likely what fills the slot makes that type, in bins:
`PER first 2` says that this character begins a person's name more often than not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from runoff.data.schemes import Chunk
from runoff.features.names.slots import LONGEST, Names, Slot

SUFFIX = 3
"""Characters of the ending of a name's last word."""


def slots(words: Sequence[str], name: Chunk) -> Iterator[Slot]:
    """The slots of a name, but for its whole text.

    Examples
    --------
    >>> from runoff.data.flat_tree import Span
    >>> [f"{slot.name}={slot.filler}" for slot in slots("王明说", Chunk("PER", Span(0, 2)))]
    ['first=王', 'second=明', 'last=明', 'end=王明', 'before=', 'before2=', 'after=说', 'after2=说']
    """
    start, end = name.span
    text = "".join(words[start:end])
    yield Slot("first", text[0])
    yield Slot("second", text[1:2])
    yield Slot("last", text[-1])
    yield Slot("end", text[-2:])
    yield Slot("before", "".join(words[max(start - 1, 0) : start]))
    yield Slot("before2", "".join(words[max(start - 2, 0) : start]))
    yield Slot("after", "".join(words[end : end + 1]))
    yield Slot("after2", "".join(words[end : end + 2]))
    if len(text) > end - start:  # of words, not of characters
        yield Slot("first word", words[start])
        yield Slot("last word", words[end - 1])
        yield Slot("ending", words[end - 1][-SUFFIX:])


def length(words: Sequence[str], name: Chunk) -> str:
    """The feature of a name's length."""
    return f"{name.type} length {min(name.span.end - name.span.start, LONGEST)}"


def overlaps(
    known: Iterable[tuple[int, int, str]], names: Names, label: str
) -> Mapping[str, float]:
    """How a candidate treats stretches that are names elsewhere: tagged so, cut, inside, or missed.

    Examples
    --------
    >>> from runoff.data.flat_tree import Span
    >>> overlaps([(0, 2, "LOC"), (5, 7, "PER")], [Chunk("LOC", Span(0, 2))], "known")
    Counter({'known LOC as LOC': 1, 'known PER missed': 1})
    """
    found: Counter[str] = Counter()
    exact = {tuple(name.span): name.type for name in names}
    for start, end, kind in known:
        if (start, end) in exact:
            found[f"{label} {kind} as {exact[start, end]}"] += 1
            continue
        touching = [n for n in names if n.span.start < end and start < n.span.end]
        if not touching:
            found[f"{label} {kind} missed"] += 1
        elif any(n.span.start <= start and end <= n.span.end for n in touching):
            found[f"{label} {kind} inside"] += 1
        else:
            found[f"{label} {kind} cut"] += 1
    return found
