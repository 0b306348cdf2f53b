"""What every request passes: Host, Origin, type and size are checked before anything is read.

Browsers send the pages of other sites' requests to localhost, too. So `Host` must be a name of this
server (DNS rebinding), `Origin` must be its own, and a body must be `application/json`, which other
sites cannot send without being asked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, TypeAlias

import msgspec

from runoff.serve.settings import Settings

Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

HEADERS = [
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        b"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
]
"""Headers of every answer: the page runs only its own files, and stands in no other page."""

BODY_SECONDS = 10.0
"""Time that a client has to send the body of a request."""


class Refused(Exception):
    """A request that is answered with an error."""

    def __init__(self, status: int, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.status, self.message, self.hint = status, message, hint


class Guard:
    """Wraps an application; answers by itself what must not reach it."""

    def __init__(self, app: App, settings: Settings) -> None:
        self._app = app
        self._most = settings.most_bytes
        self._names = {"localhost", "127.0.0.1", "[::1]", settings.host, *settings.allow}
        self._any = settings.host in ("0.0.0.0", "::") and not settings.allow

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request, and hand it on with its whole body."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            self._check(scope)
            body = await self._body(scope, receive)
        except Refused as error:
            await self._refuse(error, scope, send)
            return

        async def with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *HEADERS]
            await send(message)

        sent = False

        async def again() -> MutableMapping[str, Any]:
            nonlocal sent
            if sent:
                return await receive()
            sent = True
            return {"type": "http.request", "body": body, "more_body": False}

        await self._app(scope, again, with_headers)

    def _check(self, scope: Scope) -> None:
        headers = dict(scope["headers"])  # of a header that stands twice, the last
        host = headers.get(b"host", b"").decode("latin-1")
        if not self._any and host_name(host) not in self._names:
            hint = "name it with --allow if this is meant"
            raise Refused(421, f"this server is not called {host_name(host)!r}", hint)
        origin = headers.get(b"origin")
        if origin is not None:
            scheme, _, place = origin.decode("latin-1").partition("://")
            if place != host or scheme not in ("http", "https"):
                raise Refused(403, "requests from other sites are not answered")
        if headers.get(b"sec-fetch-site") in (b"cross-site", b"same-site") and (
            scope["method"] != "GET"
        ):
            raise Refused(403, "requests from other sites are not answered")
        if scope["method"] == "POST":
            kind = headers.get(b"content-type", b"").split(b";")[0].strip().lower()
            if kind != b"application/json":
                raise Refused(415, "the body must be sent as application/json")
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length) > self._most:
            raise Refused(413, f"the body has more than {self._most:,} bytes")

    async def _body(self, scope: Scope, receive: Receive) -> bytes:
        if scope["method"] != "POST":
            return b""
        chunks, size = [], 0
        try:
            async with asyncio.timeout(BODY_SECONDS):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise Refused(400, "the client has gone")
                    chunks.append(message.get("body", b""))
                    size += len(chunks[-1])
                    if size > self._most:
                        raise Refused(413, f"the body has more than {self._most:,} bytes")
                    if not message.get("more_body"):
                        return b"".join(chunks)
        except TimeoutError:
            raise Refused(408, "the body did not arrive in time") from None

    async def _refuse(self, error: Refused, scope: Scope, send: Send) -> None:
        body = error_body(error.message, error.hint)
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            (b"connection", b"close"),
            *HEADERS,
        ]
        await send({"type": "http.response.start", "status": error.status, "headers": headers})
        await send({"type": "http.response.body", "body": body})


def host_name(host: str) -> str:
    """The name in a `Host` header, without its port.

    Examples
    --------
    >>> host_name("localhost:8600"), host_name("[::1]:80"), host_name("example.org")
    ('localhost', '[::1]', 'example.org')
    """
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdigit() else host


def error_body(message: str, hint: str | None = None) -> bytes:
    """An error as JSON: what is wrong, and what can be done about it."""
    found = {"message": message} if hint is None else {"message": message, "hint": hint}
    return msgspec.json.encode({"error": found})
