"""Running a server: a socket, uvicorn, and a stop that lets what has begun come to its end."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import msgspec

from runoff.errors import RunoffError, import_extra
from runoff.serve.settings import Settings

VARIABLE = "RUNOFF_SERVE"
"""Hands what is served on to worker processes."""

SWITCH = 0.0005
"""Seconds after which a thread lets others run: a short request changes threads a few times, and
would otherwise wait 5 ms each time for a long one."""

GRACE = 10
"""Seconds that requests have to end when the server is stopped."""


@dataclass(frozen=True)
class Served:
    """What a server is started with."""

    models: Sequence[str]
    lists: Sequence[str]
    settings: Settings
    features: Sequence[str] = ()
    metric: str | None = None
    format: str | None = None
    map: str | None = None


def serve(served: Served, ready: Callable[[str], None] = lambda url: None) -> None:
    """Answer requests until the process is interrupted or terminated.

    Parameters
    ----------
    ready : is given the address once the server listens.
    """
    uvicorn: Any = import_extra("uvicorn", "serve")
    import_extra("starlette", "serve")
    settings = served.settings
    options = {
        "log_level": "warning",
        "access_log": False,
        "server_header": False,
        "limit_concurrency": 256,
        "timeout_keep_alive": 5,
        "timeout_graceful_shutdown": GRACE,
        "http": "runoff.serve.protocol:Impatient",
        "ws": "none",
        "loop": "asyncio",
    }
    listening = _socket(settings.host, settings.port)
    url = _url(settings.host, listening.getsockname()[1])
    if settings.workers == 1:
        app = app_of(served)
        server = uvicorn.Server(uvicorn.Config(app, **options))
        ready(url)
        server.run(sockets=[listening])
        return
    os.environ[VARIABLE] = msgspec.json.encode(asdict(served)).decode()
    ready(url)
    uvicorn.run(
        "runoff.serve.run:worker_app",
        factory=True,
        workers=settings.workers,
        fd=listening.fileno(),
        **options,
    )


def worker_app() -> Any:
    """The application of a worker process."""
    given = msgspec.json.decode(os.environ[VARIABLE])
    settings = Settings(**given.pop("settings"))
    try:
        return app_of(Served(**given, settings=settings))
    except RunoffError as error:
        sys.exit(f"error: {error}")


def app_of(served: Served) -> Any:
    """The application with its models and lists loaded."""
    import_extra("starlette", "serve")
    from runoff.serve.app import make_app
    from runoff.serve.lists import ListFiles
    from runoff.serve.models import Models

    sys.setswitchinterval(SWITCH)
    models = Models.load(served.models, served.features)
    lists = ListFiles(served.lists, models, served.metric, served.format, served.map)
    return make_app(models, lists, served.settings, served.metric)


def _socket(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # with its protocol named, asyncio sends answers at once (TCP_NODELAY), which saves 40 ms each
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        reason = (error.strerror or str(error)).lower()
        raise RunoffError(
            f"cannot listen on {host}:{port}: {reason}", hint="--port 0 takes a free port"
        ) from None
    listening.listen(256)
    listening.set_inheritable(True)
    return listening


def _url(host: str, port: int) -> str:
    shown = {"0.0.0.0": "localhost", "::": "localhost"}.get(host, host)
    return f"http://[{shown}]:{port}/" if ":" in shown else f"http://{shown}:{port}/"
