"""Options of commands made from the fields of a plan, and plans from what commands are given."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import typer

from runoff.errors import UsageError
from runoff.pipeline.options import About, plan_options

PANEL = "Plan"
"""What help texts call the options of a plan."""


def command_for(
    plan: type[Any], run: Callable[..., None], own: Sequence[inspect.Parameter]
) -> Callable[..., None]:
    """A command with parameters of its own and every option of a plan.

    It calls `run` with the plan and what was given for its own parameters.
    """
    defaults, types = plan(), get_type_hints(plan)
    options = [
        _parameter(name, about, types[name], getattr(defaults, name))
        for name, about in plan_options(plan).items()
    ]

    def command(**given: Any) -> None:
        values = {one.name: given.pop(one.name) for one in options}
        run(plan_from_text(plan, values), **given)

    command.__signature__ = inspect.Signature([*own, *options])  # type: ignore[attr-defined]
    return command


def plan_from_text(plan: type[Any], values: Mapping[str, Any]) -> Any:
    """The plan of values as the command line gives them; None stands for the default."""
    types = get_type_hints(plan)
    given = {name: value for name, value in values.items() if value is not None}
    return plan(**{name: _value(name, value, types[name]) for name, value in given.items()})


def _parameter(name: str, about: About, kind: Any, default: Any) -> inspect.Parameter:
    item = _item(kind)
    single = item is None and get_origin(kind) is not Mapping
    given = typer.Option(
        *(about.flags or (_flag(name, kind),)),
        help=about.help,
        min=about.min if single else None,
        max=about.max if single else None,
        metavar=about.metavar or (None if single else "KEY=VALUE" if item is None else None),
        show_default=default is not None if single else shown_default(default) or False,
        rich_help_panel=PANEL,
    )
    alternatives = [get_origin(one) for one in get_args(kind)]
    if item in (int, float) or (single and Sequence in alternatives):
        kind = str | None
    elif not single:
        kind = list[str] | None
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=default if single else None,
        annotation=Annotated[kind, given],
    )


def shown_default(value: Any) -> str:
    """A default as one would type it.

    Examples
    --------
    >>> shown_default((1, 2, 4)), shown_default(("parse-rich",)), shown_default(0.001)
    ('1,2,4', 'parse-rich', '0.001')
    """
    if isinstance(value, Mapping):
        return " ".join(f"{key}={shown_default(one)}" for key, one in value.items())
    if isinstance(value, tuple | list):
        return ",".join(map(shown_default, value))
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _flag(name: str, kind: Any) -> str:
    flag = name.replace("_", "-")
    return f"--{flag}/--no-{flag}" if kind is bool else f"--{flag}"


def _item(kind: Any) -> type | None:
    """What a sequence is made of, if the type is a sequence."""
    return get_args(kind)[0] if get_origin(kind) is Sequence else None


def _value(name: str, value: Any, kind: Any) -> Any:
    item = _item(kind)
    if item is not None and item is not str:
        return numbers(name, value, item)
    if item is str:
        return tuple(value)
    return key_values(value) if get_origin(kind) is Mapping else value


def numbers(name: str, text: str, kind: Callable[[str], Any]) -> tuple[Any, ...]:
    """The numbers of a text such as `0.5,1,2`; an empty text has none."""
    try:
        return tuple(kind(part) for part in text.split(",")) if text else ()
    except ValueError:
        message = f"{name} must be numbers separated by commas, e.g. 1,2,4; not {text!r}"
        raise UsageError(message) from None


def key_values(given: Sequence[str]) -> dict[str, str]:
    """Options from texts such as `epochs=20`."""
    options = {}
    for text in given:
        key, equals, value = text.partition("=")
        if not equals:
            raise UsageError(f"an option is KEY=VALUE, e.g. epochs=20; not {text!r}")
        options[key.strip().replace("-", "_")] = value.strip()
    return options
