"""Responses of OpenAI's API, and of servers that answer as it does (vLLM, llama.cpp, …).

    {"id": "chatcmpl-1", "choices": [{"message": {"content": "4"}, "logprobs": {"content":
     [{"token": "4", "logprob": -0.1}]}, "finish_reason": "stop"}]}

A response is a list, a choice a candidate. Its log-probability is the sum of those of its tokens,
which are kept as `extra["token_logprobs"]`. Completions (`text`), the output files of batches, and
requests logged beside responses (`messages`, `prompt`) are read too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from runoff.data.files import FilePath
from runoff.data.formats.any_keys.candidates import Where, as_id, as_text
from runoff.data.formats.any_keys.mapping import Map
from runoff.data.formats.any_keys.values import read_values
from runoff.data.nbest import Candidate, NBest


def looks_like(value: Any) -> bool:
    """Whether a JSON value is a response."""
    body = _body(value) if isinstance(value, Mapping) else {}
    if body is not value and "error" in body:  # of a batch whose first request failed
        return True
    choices = body.get("choices")
    return isinstance(choices, list) and all(
        isinstance(one, Mapping) and ("message" in one or "text" in one) for one in choices
    )


def read(path: FilePath) -> Iterator[NBest]:
    """The lists of a file of responses, one by one."""
    for line, value in read_values(path):
        for one in value if isinstance(value, list) else [value]:
            yield _response(one, Where(path, line))


def _response(value: Any, where: Where) -> NBest:
    if not isinstance(value, Mapping):
        raise where.error("expected a response, an object")
    body = _body(value)
    if not isinstance(body.get("choices"), list) or not body["choices"]:
        problem = body.get("error") or value.get("error")
        raise where.error(f"the request failed: {problem}" if problem else "has no choices")
    request = value.get("request", value)
    request = {**body, **value, **(request if isinstance(request, Mapping) else {})}
    found = Map().found([key for key in request if key not in ("choices", "id")])
    return NBest(
        as_id(value.get("custom_id", body.get("id"))),
        request.get(found.get("input", "")),
        [_choice(one, Where(where.path, where.line, f"choices[{i}]"))
         for i, one in enumerate(body["choices"])],
        as_text(request.get(found.get("gold", ""))),
        {"model": body["model"]} if "model" in body else {},
    )  # fmt: skip


def _body(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """The response itself, which a batch has inside of `response.body`."""
    inner: Any = value.get("response", value)
    inner = inner.get("body", inner) if isinstance(inner, Mapping) else value
    return inner if isinstance(inner, Mapping) else {}


def _choice(choice: Any, where: Where) -> Candidate:
    if not isinstance(choice, Mapping) or not {"message", "text"} & choice.keys():
        raise where.error("has neither message nor text")
    output = as_text(choice["message"] if "message" in choice else choice["text"])
    extra = {"finish_reason": choice["finish_reason"]} if choice.get("finish_reason") else {}
    tokens, logprobs = _tokens(choice.get("logprobs"), where)
    if logprobs:
        extra |= {"tokens": tokens, "token_logprobs": logprobs}
    return Candidate("" if output is None else output, sum(logprobs) if logprobs else None,
                     extra=extra)  # fmt: skip


def _tokens(given: Any, where: Where) -> tuple[list[str], list[float]]:
    """Tokens and their log-probabilities, of a chat or a completion."""
    if not isinstance(given, Mapping):
        return [], []
    content = given.get("content")
    if isinstance(content, list) and all(isinstance(one, Mapping) for one in content):
        pairs = [(one.get("token"), one.get("logprob")) for one in content]
    else:
        texts, values = given.get("tokens") or [], given.get("token_logprobs") or []
        if not isinstance(texts, list) or not isinstance(values, list) or len(texts) != len(values):
            raise where.error("tokens and token_logprobs do not belong together", "logprobs")
        pairs = list(zip(texts, values, strict=True))
    numbers = [(str(token), where.number(value, "logprobs")) for token, value in pairs]
    known = [(token, number) for token, number in numbers if number is not None]
    return [token for token, _ in known], [number for _, number in known]
