"""N-best lists of base systems that others have trained."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from runoff.data.files import FilePath
from runoff.data.limits import Limit
from runoff.data.nbest import NBest
from runoff.data.text.read import read_with_tags
from runoff.engine import ALONE, AnyEngine, Engine, chunked
from runoff.proposers.sequence.crfsuite import CrfsuiteModel, chunking_items
from runoff.proposers.sequence.crfsuite_items import Item, read_items

SEQUENCES_PER_CHUNK = 64

Observed = tuple[list[list[str]] | tuple[Item, ...], NBest]
"""What a model sees, and a list that is still without candidates."""


def read_item_file(path: FilePath, limit: Limit) -> Iterator[Observed]:
    """Sequences in CRFsuite's format; labels become gold where every item has one."""
    for sequence in read_items(path, limit):
        gold = list(sequence.labels) if all(sequence.labels) else None
        yield sequence.items, NBest(gold=gold)


def read_chunk_columns(path: FilePath, limit: Limit) -> Iterator[Observed]:
    """Words and parts of speech, and perhaps gold in a third column or a later one.

    Attributes are those of CRFsuite's chunking example.
    """
    for one in read_with_tags(path, limit):
        pairs, gold = [[*pair] for pair in one.pairs], None if one.gold is None else [*one.gold]
        yield chunking_items(one.words, one.tags or ()), NBest(input=pairs, gold=gold)


def propose_lists(
    model: CrfsuiteModel, observed: Iterable[Observed], n: int, *, engine: AnyEngine = ALONE
) -> Iterator[NBest]:
    """The n best label sequences of every sequence of items, as a stream."""
    threads, number = Engine.of(engine).threads, 0
    for chunk in chunked(observed, SEQUENCES_PER_CHUNK * threads):
        found = model.propose_all((items for items, _ in chunk), n, threads=threads)
        for (_, empty), candidates in zip(chunk, found, strict=True):
            number += 1
            yield NBest(number, empty.input, candidates, empty.gold)
