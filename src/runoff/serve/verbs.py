"""The verbs of the HTTP service, one line each; answers are those of the commands with `--json`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np
from msgspec import Raw
from msgspec.structs import replace

from runoff.data.formats import jsonl
from runoff.data.limits import Limit
from runoff.data.nbest import Candidate, NBest
from runoff.data.sentence import Sentence
from runoff.data.text.read import sentences_of
from runoff.data.text.words import words_of
from runoff.errors import TooLongError, UsageError
from runoff.serve.models import Models
from runoff.serve.requests import (
    Document,
    ListsAnswer,
    PredictRequest,
    ProofAnswer,
    ProofRequest,
    RerankRequest,
    ResolveAnswer,
    ResolveRequest,
    TextRequest,
    V1Answer,
    V1Request,
    V1Result,
    WhyRequest,
)
from runoff.serve.settings import Settings
from runoff.tasks.ranking.flip import flip
from runoff.tasks.ranking.why import why

LONG_TEXT = 1000
"""Bytes of a request with text from which on it is long work; see `Pool`."""

LONG_LISTS = 1 << 18


@dataclass(frozen=True)
class Verb:
    """A path that takes JSON.

    Parameters
    ----------
    needs : gives the model, or None where the server has none that fits.
    run : takes the model, the request and the limits; gives the answer.
    request, answer : their types.
    about : a sentence for the OpenAPI page.
    long : bytes from which on a request is long work.
    """

    path: str
    needs: Callable[[Models], Any]
    run: Callable[[Any, Any, Settings], Any]
    request: type
    answer: type
    about: str
    long: int = LONG_TEXT


def _kind(kind: str) -> Callable[[Models], Any]:
    return lambda models: models.by_kind.get(kind)


def read_list(raw: Raw, settings: Settings, number: int = 1) -> NBest:
    """The list of a request, within the limits."""
    nbest = jsonl.decode_line(bytes(raw), "lists", number)
    if len(nbest) > settings.most_candidates:
        raise TooLongError(
            f"a list of more than {settings.most_candidates:,} candidates",
            path="lists",
            line=number,
        )
    return nbest


def encoded(lists: Iterable[NBest]) -> ListsAnswer:
    """Lists as a JSON Lines file has them."""
    return ListsAnswer([Raw(line) for line in jsonl.encode(lists)])


def _most(found: int, most: int, what: str) -> None:
    if found > most:
        raise TooLongError(f"a request of more than {most:,} {what}")


def _rerank(ranker: Any, request: RerankRequest, settings: Settings) -> ListsAnswer:
    _most(len(request.lists), settings.most_lists, "lists")
    lists = [read_list(raw, settings, place) for place, raw in enumerate(request.lists, 1)]
    return encoded(ranker.rerank(lists, abstain=request.abstain))


def _why(ranker: Any, request: WhyRequest, settings: Settings) -> Any:
    nbest = read_list(request.list, settings)
    if not request.flip:
        return why(ranker, nbest, over=request.over)
    if request.over is not None:
        raise UsageError("flip looks at all rivals and cannot be combined with over")
    return flip(ranker, nbest)


def _sentences(model: Any, request: TextRequest, settings: Settings) -> Iterator[Sentence]:
    """The sentences of a request as a model takes them; a longer one is an error."""
    if (request.text is None) == (request.sentences is None):
        raise UsageError("a request has either text or sentences")
    limit = Limit(min(settings.most_words, model.longest))
    if request.sentences is not None:
        given: Iterable[Sentence] = [Sentence(tuple(words)) for words in request.sentences]
        for one in given:
            limit.exceeded(len(one), sum(map(len, one.words)))
    else:
        given = sentences_of(request.text or "", hyphens=model.hyphens, limit=limit)
    units = getattr(model, "in_units", lambda sentence: sentence)
    for number, sentence in enumerate(given, 1):
        _most(number, settings.most_lists, "sentences")
        yield units(model.of_document(sentence, "text"))


def _text(model: Any, request: TextRequest, settings: Settings) -> ListsAnswer:
    sentences = list(_sentences(model, request, settings))
    if not request.why:
        return encoded(model.lists(sentences, request.n))
    if not hasattr(model, "explained"):
        raise UsageError("this model has no ranker, so there are no reasons")
    return encoded(
        replace(nbest, extra={**nbest.extra, "why": plain(reasons)})
        for nbest, reasons in model.explained(sentences, request.n)
    )


def _translate(model: Any, request: TextRequest, settings: Settings) -> ListsAnswer:
    """Every line of a text, or every sentence, is translated by itself."""
    from runoff.tasks.translation.why import explained

    if (request.text is None) == (request.sentences is None):
        raise UsageError("a request has either text or sentences")
    limit = Limit(min(settings.most_words, model.longest))
    given: list[Any] = request.sentences or (request.text or "").splitlines()
    _most(len(given), settings.most_lists, "lines")
    words = []
    for number, one in enumerate(given, 1):
        limit.exceeded(0, sum(map(len, one)), line=number)  # before it is split
        words.append(model.source_words(one))
        limit.exceeded(len(words[-1]), line=number)
    lists = model.lists(words, request.n)
    if not request.why:
        return encoded(lists)
    return encoded(
        replace(nbest, extra={**nbest.extra, "why": plain(reasons)})
        for nbest, reasons in zip(lists, explained(model, words), strict=True)
    )


def plain(value: Any) -> Any:
    """A value as JSON has it."""
    return msgspec.to_builtins(value, enc_hook=float)


def _predict(model: Any, request: PredictRequest, settings: Settings) -> ListsAnswer:
    from runoff.tasks.words.model import BLANK, Asked, blanks_of

    if request.next and request.all:
        raise UsageError("choose one of next and all")
    words = words_of(request.text)
    _most(len(words), settings.most_lists, "words")
    asked = blanks_of(request.text)
    if request.next:
        asked = Asked([*words, BLANK], [len(words)])
    elif request.all:
        asked = Asked(words, range(len(words)))
    return encoded(model.lists([asked], request.n))


def _proof(model: Any, request: ProofRequest, _: Settings) -> ProofAnswer:
    return ProofAnswer([plain(one) for one in model.proof(request.text)])


def _resolve(model: Any, request: ResolveRequest, settings: Settings) -> ResolveAnswer:
    _most(len(request.records), settings.most_records, "records")
    found = model.resolve(request.records, id_column=request.id_column)
    rows = zip(found.records.ids, found.labels, found.confidences, strict=True)
    records = [{"id": i, "cluster": c, "confidence": p} for i, c, p in plain(list(rows))]
    return ResolveAnswer(records, found.clusters)


def _v1_rerank(ranker: Any, request: V1Request, settings: Settings) -> V1Answer:
    _most(len(request.documents), settings.most_candidates, "documents")
    texts = [one if isinstance(one, str) else one.text for one in request.documents]
    if not texts:
        raise UsageError("there are no documents")
    nbest = NBest(None, request.query, [Candidate(text) for text in texts])
    scores = np.asarray(ranker.scores(nbest))
    shares = np.exp(scores - scores.max())
    shares /= shares.sum()
    order = sorted(range(len(texts)), key=lambda place: (-scores[place], place))[: request.top_n]
    keep = request.return_documents
    return V1Answer(
        str(ranker.training.get("metric", "ranker")),
        [V1Result(i, float(shares[i]), Document(texts[i]) if keep else None) for i in order],
    )


def _ranker(models: Models) -> Any:
    return models.ranker


VERBS: Mapping[str, Verb] = {
    one.path: one
    for one in (
        Verb("rerank", _ranker, _rerank, RerankRequest, ListsAnswer,
             "Put n-best lists into the ranker's order.", LONG_LISTS),
        Verb("why", _ranker, _why, WhyRequest, dict,
             "Say why the winner of a list won, in terms that add up.", LONG_LISTS),
        Verb("parse", _kind("parser"), _text, TextRequest, ListsAnswer, "Parse text."),
        Verb("tag", Models.tagger, _text, TextRequest, ListsAnswer, "Tag the words of text."),
        Verb("chunk", _kind("chunker"), _text, TextRequest, ListsAnswer, "Find chunks in text."),
        Verb("names", _kind("names"), _text, TextRequest, ListsAnswer, "Find names in text."),
        Verb("translate", _kind("translator"), _translate, TextRequest, ListsAnswer,
             "Translate text, line by line."),
        Verb("predict", _kind("words"), _predict, PredictRequest, ListsAnswer,
             "Predict words from their neighbours."),
        Verb("proof", _kind("confusables"), _proof, ProofRequest, ProofAnswer,
             "Find commonly confused words."),
        Verb("resolve", _kind("identity"), _resolve, ResolveRequest, ResolveAnswer,
             "Put records that are one thing into one cluster."),
        Verb("v1/rerank", _ranker, _v1_rerank, V1Request, V1Answer,
             "Rank documents for a query, as language-model applications ask for it.", LONG_LISTS),
    )
}  # fmt: skip
"""Every verb by its path. A task's verb that takes text and gives lists is one line."""

TEXT_VERBS = tuple(path for path, one in VERBS.items() if one.request is TextRequest)
"""Verbs that take a sentence; the page offers a box for them."""
