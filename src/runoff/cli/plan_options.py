"""Options of commands made from the fields of a plan, and plans from what commands are given."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

import typer

from runoff.errors import UsageError
from runoff.pipeline.options import About, plan_options

Plan = TypeVar("Plan")

METAVARS = {int: "N", float: "X", str: "TEXT"}
"""What values are called in help texts, by their type."""


def command_for(
    plan: type[Any], run: Callable[..., None], panel: str | None = None
) -> Callable[..., None]:
    """A command with the parameters of a function, and every option of a plan instead of one.

    That one is what the function takes the plan in: the parameter that has no annotation of typer.

    Parameters
    ----------
    panel : what the help text calls the options of the plan; else they are among the others.
    """
    defaults, types = plan(), get_type_hints(plan)
    options = [
        _parameter(name, about, types[name], getattr(defaults, name), panel)
        for name, about in plan_options(plan).items()
    ]
    hints = get_type_hints(run, include_extras=True)
    own = [
        one.replace(annotation=hints[one.name], kind=inspect.Parameter.KEYWORD_ONLY)
        for one in inspect.signature(run).parameters.values()
    ]
    place = next(i for i, one in enumerate(own) if not hasattr(one.annotation, "__metadata__"))

    def command(**given: Any) -> None:
        values = {one.name: given.pop(one.name) for one in options}
        run(**{own[place].name: plan_from_text(plan, values)}, **given)

    command.__doc__ = run.__doc__
    parameters = [*own[:place], *options, *own[place + 1 :]]
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return command


def plan_from_text(plan: type[Plan], values: Mapping[str, Any]) -> Plan:
    """The plan of values as the command line gives them; None stands for the default."""
    types = get_type_hints(plan)
    given = {name: value for name, value in values.items() if value is not None}
    return plan(**{name: _value(name, value, types[name]) for name, value in given.items()})


def _parameter(
    name: str, about: About, kind: Any, default: Any, panel: str | None
) -> inspect.Parameter:
    item = _item(kind)
    single = item is None and get_origin(kind) is not Mapping
    given = typer.Option(
        *(about.flags or (_flag(name, default),)),
        help=about.help,
        metavar=about.metavar or _metavar(kind),
        show_default=True if default is True else _shown(about, default) or False,
        rich_help_panel=panel,
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


def _shown(about: About, default: Any) -> str:
    """The default of an option, and the range of its values; nothing for a flag or without one."""
    if default is None or isinstance(default, bool):
        return ""
    if about.max is not None:
        limits = f"{about.min or 0:g} to {int(about.max):,}"
    else:
        limits = f"at least {about.min:g}" if (about.min or 0) > 1 else ""
    return "; ".join(one for one in (shown_default(default), limits) if one)


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


def _metavar(kind: Any) -> str:
    if get_origin(kind) is Mapping:
        return "KEY=VALUE"
    item = _item(kind)
    if item in (int, float):
        return f"{METAVARS[item]},..."
    found = {*get_args(kind), kind} & METAVARS.keys()
    return METAVARS[item or found.pop()] if item or found else "TEXT"


def _flag(name: str, default: Any) -> str:
    flag = name.replace("_", "-")
    return f"--{flag}/--no-{flag}" if default is True else f"--{flag}"


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
        number, example = ("whole numbers", "1,2,4") if kind is int else ("numbers", "0.5,1,2")
        message = f"--{name.replace('_', '-')} takes {number} separated by commas, e.g. {example}"
        raise UsageError(f"{message}; {text!r} is something else") from None


def key_values(given: Sequence[str]) -> dict[str, str]:
    """Options from texts such as `epochs=20`."""
    options = {}
    for text in given:
        key, equals, value = text.partition("=")
        if not equals:
            raise UsageError(f"an option is written KEY=VALUE, e.g. epochs=20; not {text!r}")
        options[key.strip().replace("-", "_")] = value.strip()
    return options
