"""The OpenAPI description of a server, made from the types of requests and answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

import runoff
from runoff.serve.requests import ErrorAnswer, Health
from runoff.serve.verbs import VERBS, Verb
from runoff.tasks.ranking.why import Reasons

ERRORS = {
    "400": "The body is not JSON.",
    "403": "The request comes from another site.",
    "413": "The request is longer than the server takes.",
    "415": "The body was not sent as application/json.",
    "422": "A value is missing or wrong.",
    "503": "The server is busy; try again.",
    "504": "The answer took too long.",
}


def description(verbs: Mapping[str, Verb] = VERBS) -> dict[str, Any]:
    """The description of these verbs."""
    answers = [Reasons if one.answer is dict else one.answer for one in verbs.values()]
    types = [*(one.request for one in verbs.values()), *answers, Health, ErrorAnswer]
    schemas, parts = msgspec.json.schema_components(
        types, schema_hook=lambda _: {}, ref_template="#/components/schemas/{name}"
    )
    by_type = dict(zip(types, schemas, strict=True))
    paths: dict[str, Any] = {
        f"/{one.path}": {"post": _operation(one, by_type[one.request], by_type[answer], by_type)}
        for one, answer in zip(verbs.values(), answers, strict=True)
    }
    health = {"summary": "What the server is, and what it can do.", "operationId": "health"}
    paths["/health"] = {"get": {**health, "responses": {"200": _json("Well.", by_type[Health])}}}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Runoff", "version": runoff.__version__},
        "paths": dict(sorted(paths.items())),
        "components": {"schemas": parts},
    }


def _operation(verb: Verb, request: Any, answer: Any, by_type: Mapping[Any, Any]) -> dict[str, Any]:
    errors = {status: _json(about, by_type[ErrorAnswer]) for status, about in ERRORS.items()}
    return {
        "summary": verb.about,
        "operationId": verb.path.replace("/", "_"),
        "requestBody": {"required": True, "content": {"application/json": {"schema": request}}},
        "responses": {"200": _json("The answer.", answer), **errors},
    }


def _json(about: str, schema: Any) -> dict[str, Any]:
    return {"description": about, "content": {"application/json": {"schema": schema}}}
