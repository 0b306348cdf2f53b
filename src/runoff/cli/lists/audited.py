"""What `runoff rerank --audit` writes beside the lists, and what `runoff why --changed` shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from runoff.data.nbest import NBest
    from runoff.metrics.base import Metric
    from runoff.tasks.ranking.reranker import Reranker


def audited(model: Reranker, path: str, lists: Iterable[NBest], target: str) -> Iterator[NBest]:
    """The lists in their new order; a line for each goes to a file, which appears at the end."""
    import hashlib

    import msgspec

    from runoff.data.files import open_output, read_chunks
    from runoff.tasks.ranking.results.audit import decision, ranked_stream

    digest = hashlib.blake2b(digest_size=16)
    for chunk in read_chunks(path):
        digest.update(chunk)
    with open_output(target) as stream:
        for number, ranked in enumerate(ranked_stream(model, lists), start=1):
            made = decision(model, ranked, number, digest.hexdigest())
            stream.write(msgspec.json.encode(made, enc_hook=str) + b"\n")
            yield ranked.nbest


def print_notable(
    model: Reranker,
    lists: Iterable[NBest],
    kind: str,
    most: int,
    metric: Metric | None,
    top: int,
    *,
    json: bool,
) -> None:
    """Print lists that matter, with what differs between the base's first choice and the pick."""
    from runoff.cli.lists.why import print_reasons
    from runoff.cli.show import print_json, print_line
    from runoff.tasks.ranking.results.audit import marked, notable

    for place, (number, nbest, reasons) in enumerate(notable(model, lists, kind, most, metric)):
        if json:
            print_json({"list": number, "id": nbest.id, "why": reasons})
            continue
        if place:
            print_line("")
        print_line(
            f"list {number}" if nbest.id is None else f"list {number}, id {nbest.id}", "bold"
        )
        print_line(marked(reasons.rival.output, reasons.winner.output))
        print_reasons(reasons, top)
