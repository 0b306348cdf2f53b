"""What requests and answers hold, as types: the checks and the OpenAPI page are made from them."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Raw, Struct

Count = Annotated[int, Meta(ge=1, le=1000)]


class ListJson(Struct):
    """An n-best list, as a line of a JSON Lines file; other keys are kept."""

    candidates: list[Raw]
    id: str | int | None = None
    input: Any = None
    gold: Any = None


class RerankRequest(Struct, forbid_unknown_fields=True):
    """Lists to put into the ranker's order.

    `abstain`: lists with a lower confidence stay in the base order.
    """

    lists: list[Raw]
    abstain: float | None = None


class WhyRequest(Struct, forbid_unknown_fields=True):
    """A list whose winner is explained.

    `over` is the rank of the rival in the new order; `flip` asks for the fewest terms without which
    another candidate would win.
    """

    list: Raw
    over: int | None = None
    flip: bool = False


class TextRequest(Struct, forbid_unknown_fields=True):
    """Plain text, or sentences that are lists of words.

    `n` is the number of candidates of each list; `why` adds why the winner won.
    """

    text: str | None = None
    sentences: list[list[str]] | None = None
    n: Count = 1
    why: bool = False


class PredictRequest(Struct, forbid_unknown_fields=True):
    """Text with blanks (`___`); `next` asks for the word after it, `all` for every word of it."""

    text: str
    n: Count = 5
    next: bool = False
    all: bool = False


class ProofRequest(Struct, forbid_unknown_fields=True):
    """Text to proof-read."""

    text: str


class ResolveRequest(Struct, forbid_unknown_fields=True):
    """Records to put into clusters, with their ids in the field `id`, or in that of `id_column`."""

    records: list[dict[str, Any]]
    id_column: str | None = None


class Document(Struct):
    """A document as `/v1/rerank` takes and returns it."""

    text: str


class V1Request(Struct):
    """A query and documents, in the shape that language-model applications use."""

    query: str
    documents: list[str | Document]
    model: str | None = None
    top_n: Annotated[int, Meta(ge=1)] | None = None
    return_documents: bool = True


class V1Result(Struct, omit_defaults=True):
    """A document's place in the request, and its share of the exponentiated scores."""

    index: int
    relevance_score: float
    document: Document | None = None


class V1Answer(Struct):
    """The documents, the best first."""

    model: str
    results: list[V1Result]


class ListsAnswer(Struct):
    """Lists, each as the command writes it with `--json`."""

    lists: list[Raw]


class ProofAnswer(Struct):
    """Words that were probably confused with others."""

    suspects: list[Any]


class ResolveAnswer(Struct):
    """The cluster of each record, and the clusters as lists of ids."""

    records: list[dict[str, Any]]
    clusters: list[list[str]]


class Health(Struct):
    """What the server is, and what it can do."""

    version: str
    models: list[dict[str, str]]
    verbs: list[str]


class ErrorText(Struct):
    """What is wrong, and what can be done about it."""

    message: str
    hint: str | None = None


class ErrorAnswer(Struct):
    """The answer to every request that fails."""

    error: ErrorText
