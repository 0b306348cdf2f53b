"""The application: what each path answers."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import runoff
from runoff.errors import RunoffError, TooLongError
from runoff.report.pieces import STYLE
from runoff.serve.guard import App, Guard, Refused, error_body
from runoff.serve.lists import ListFiles
from runoff.serve.models import Models
from runoff.serve.openapi import description
from runoff.serve.page_calls import PAGE_CALLS, State
from runoff.serve.pool import BusyError, Pool
from runoff.serve.requests import Health
from runoff.serve.settings import Settings
from runoff.serve.verbs import VERBS, Verb

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    "": "text/plain; charset=utf-8",
}
"""Files of the page, by how their names end; no others are sent."""


@dataclass(frozen=True)
class PageFile:
    """A file of the page, read when the server starts."""

    body: bytes
    kind: str
    tag: str


def page_files() -> dict[str, PageFile]:
    """All files of the page by name; no request ever opens one."""
    folder, found = Path(__file__).parent / "page", {}
    named = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*"))}
    for name, path in {**named, STYLE.name: STYLE}.items():
        if path.is_file():
            body = path.read_bytes()
            tag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
            found[name] = PageFile(body, TYPES[path.suffix if path.suffix in TYPES else ""], tag)
    return found


def make_app(models: Models, lists: ListFiles, settings: Settings, metric: str | None) -> App:
    """The application of a server with these models and lists."""
    pool = Pool(settings.threads, settings.queue, settings.seconds)
    state = State(models, lists, settings, metric)
    files = page_files()
    served = {path: verb for path, verb in VERBS.items() if verb.needs(models) is not None}
    health = Health(runoff.__version__, models.shown(), [f"/{path}" for path in served])

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        lists.close()
        pool.close()

    def static(name: str) -> Callable[[Request], Any]:
        async def answer(request: Request) -> Response:
            file = files[name]
            headers = {"etag": file.tag, "cache-control": "no-cache"}
            if request.headers.get("if-none-match") == file.tag:
                return Response(status_code=304, headers=headers)
            return Response(file.body, media_type=file.kind, headers=headers)

        return answer

    routes = [
        Route("/", static("index.html")),
        *(Route(f"/page/{name}", static(name)) for name in files if name != "index.html"),
        Route("/health", _fixed(health)),
        Route("/openapi.json", _fixed(description(served))),
        *(
            Route(f"/{path}", _verb(verb, models, settings, pool), methods=["POST"])
            for path, verb in VERBS.items()
        ),
        *(
            Route(f"/page/call/{name}", _call(call, state, pool), methods=["POST"])
            for name, call in PAGE_CALLS.items()
        ),
    ]
    app = Starlette(
        routes=routes,
        lifespan=lifespan,
        exception_handlers={HTTPException: _http_error, Exception: _failed},
    )
    app.add_middleware(GZipMiddleware, minimum_size=1024, compresslevel=5)
    return Guard(app, settings)


def _fixed(value: Any) -> Callable[[Request], Any]:
    body = msgspec.json.encode(value)

    async def answer(_: Request) -> Response:
        return Response(body, media_type="application/json")

    return answer


def _verb(verb: Verb, models: Models, settings: Settings, pool: Pool) -> Callable[[Request], Any]:
    model = verb.needs(models)
    decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(verb.request)

    async def answer(request: Request) -> Response:
        if model is None:
            kinds = ", ".join(models.by_kind) or "none"
            return _error(404, f"no model of this server does that; it has: {kinds}")
        body = await request.body()

        def work() -> bytes:
            return encode(verb.run(model, decoder.decode(body), settings))

        return await answered(pool, work, long=len(body) > verb.long)

    return answer


def _call(call: Any, state: State, pool: Pool) -> Callable[[Request], Any]:
    decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(call.request)

    async def answer(request: Request) -> Response:
        body = await request.body()
        work = lambda: encode(call.run(state, decoder.decode(body)))  # noqa: E731
        return await answered(pool, work, long=False)

    return answer


def encode(value: Any) -> bytes:
    """An answer as JSON."""
    return msgspec.json.encode(value, enc_hook=_plain)


def _plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else str(value)


async def answered(pool: Pool, work: Callable[[], bytes], *, long: bool) -> Response:
    """The answer that some work makes, or one that says why there is none."""
    try:
        body = await pool.run(work, long=long)
    except BusyError:
        return _error(503, "the server is busy", "try again in a moment", {"retry-after": "1"})
    except TimeoutError:
        return _error(504, "the answer took too long")
    except Refused as error:
        return _error(error.status, error.message, error.hint)
    except msgspec.ValidationError as error:
        return _error(422, str(error))
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return _error(400, f"the body is not JSON: {error}")
    except TooLongError as error:
        return _error(413, error.message, error.hint)
    except RunoffError as error:
        return _error(422, error.message, error.hint)
    except RecursionError:
        return _error(400, "the JSON of the body is nested too deeply")
    return Response(body, media_type="application/json")


def _error(
    status: int, message: str, hint: str | None = None, headers: Mapping[str, str] | None = None
) -> Response:
    body = error_body(message, hint)
    return Response(body, status, headers=headers, media_type="application/json")


async def _http_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _error(error.status_code, error.detail.lower(), headers=error.headers)


async def _failed(_: Request, error: Exception) -> Response:
    return _error(500, f"a bug of the server: {type(error).__name__}")
