"""`runoff serve`: look at lists in a browser, and answer requests over HTTP."""

from __future__ import annotations

from typing import Annotated

import typer

from runoff.cli.options import Format, Keys, Metric, OwnFeatures
from runoff.cli.plan_options import command_for
from runoff.serve.settings import Settings


def run(
    *,
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            help="Model files, or names of models of the package, and files of n-best lists. "
            "Without any, the English models of the package.",
            metavar="[MODEL...] [LISTS...]",
            show_default=False,
        ),
    ] = None,
    metric: Metric = None,
    format: Format = None,
    map: Keys = None,
    features: OwnFeatures = None,
    settings: Settings,
) -> None:
    """Open a page that shows lists, what a ranker picks from them, and why.

    The same server answers requests of programs in JSON; `/openapi.json` describes them. It
    listens on this machine only, unless `--host` says otherwise. Ctrl-C stops it.
    """
    from runoff.cli.show import note
    from runoff.errors import import_extra
    from runoff.models import SHIPPED
    from runoff.serve.run import Served, serve
    from runoff.store.file import is_model

    for package in ("starlette", "uvicorn"):
        import_extra(package, "serve")
    given = arguments or list(SHIPPED)
    models = [one for one in given if one in SHIPPED or is_model(one)]
    lists = [one for one in given if one not in models]
    served = Served(models, lists, settings, features or (), metric, format, map)
    serve(served, lambda url: note(f"Runoff listens on {url} (Ctrl-C stops it)"))


command = command_for(Settings, run)
