"""Recipes: TOML files that name data, plan, metric and the paper's figures of an experiment.

What a recipe says of plan and figures depends on its task and is checked there
(`runoff.tasks.reproduce`); everything else is checked here.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, get_args, get_type_hints

import msgspec
from msgspec.structs import replace

from runoff.data.files import FilePath, read_whole
from runoff.errors import FormatError, UsageError, unknown_choice
from runoff.recipes.corpora import Data
from runoff.recipes.size import Needs, Small

Kind = TypeVar("Kind", bound=msgspec.Struct)
Made = TypeVar("Made")

SUFFIX = ".toml"
SHIPPED = Path(__file__).parent


class Journal(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The experiment on the Wall Street Journal, for those who have it.

    Parameters
    ----------
    train, dev, test : of `runoff.data.treebank.clean.WSJ_PARTS`.
    plan : what is different in the plan.
    """

    train: str
    dev: str
    test: str
    plan: dict[str, Any] = {}


class Variant(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A variant of an experiment: changes in its plan, and the paper's figures for it."""

    plan: dict[str, Any]
    figures: dict[str, Any] = {}


class Recipe(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """An experiment: data, plan, metric, variants, and the paper's figures.

    Parameters
    ----------
    task : one of `runoff.tasks.reproduce.TASKS`.
    what : what the experiment shows, in a line.
    paper : whose experiment it is, if it is not ours.
    metric : what makes a candidate good.
    plan : what the task's own plan has: proposer, features, learner and their options.
    figures : what the paper found, as the task's tables have it.
    label : what the plan is called beside its variants.
    variants : by what they are called.
    wsj : for those who have the Wall Street Journal.
    needs : what a run takes.
    small : what `--small` changes.
    """

    task: str
    what: str
    metric: str
    data: Data
    paper: str | None = None
    plan: dict[str, Any] = {}
    figures: dict[str, Any] = {}
    label: str = "main"
    variants: dict[str, Variant] = {}
    wsj: Journal | None = None
    needs: Needs | None = None
    small: Small = Small()

    def made_small(self) -> Recipe:
        """The recipe on a little of its data, which is named so."""
        items = self.small.items
        data = replace(self.data, name=f"{self.data.name}, small", items=items)
        return replace(self, data=data, plan=merged(self.plan, self.small.plan))


def shipped_recipes() -> dict[str, Path]:
    """Files of the recipes that come with Runoff, by name.

    Examples
    --------
    >>> "collins-koo-2005" in shipped_recipes()
    True
    """
    return dict(sorted((file.stem, file) for file in SHIPPED.glob(f"*{SUFFIX}")))


def recipe_file(name: FilePath) -> Path:
    """The file of a recipe: of a shipped one by its name, or any other TOML file."""
    shipped = shipped_recipes()
    if str(name) in shipped:
        return shipped[str(name)]
    if Path(name).suffix == SUFFIX:
        return Path(name)
    error = unknown_choice("recipe", str(name), shipped)
    hint = error.hint or f"a recipe of yours is a file whose name ends in {SUFFIX}"
    raise UsageError(error.message, hint=hint)


def read_recipe(path: FilePath) -> Recipe:
    """The recipe that a file holds.

    Raises
    ------
    FormatError : names file and line, or file and key.

    Examples
    --------
    >>> read_recipe(shipped_recipes()["collins-koo-2005"]).plan["learner"]
    'exp-loss'
    """
    try:
        values = tomllib.loads(read_whole(path).decode("utf-8"))
    except UnicodeDecodeError:
        raise FormatError("not UTF-8", path=path) from None
    except tomllib.TOMLDecodeError as error:
        problem, _, place = str(error).partition(" (at line ")
        line = re.match(r"\d+", place)
        problem = problem[:1].lower() + problem[1:]
        raise FormatError(problem, path=path, line=int(line[0]) if line else None) from None
    with naming(path):
        return checked(values, Recipe)


def merged(plan: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """A plan with changes; those of a table inside it leave the rest of that table as it is.

    Another learner or parser begins without options, since those of one mean nothing to another.

    Examples
    --------
    >>> merged({"n": 50, "options": {"rounds": 9}}, {"options": {"weighted": False}})
    {'n': 50, 'options': {'rounds': 9, 'weighted': False}}
    >>> merged({"learner": "exp-loss", "options": {"rounds": 9}}, {"learner": "maxent"})
    {'learner': 'maxent'}
    >>> merged({"parser": "classification", "parser_options": {"decay": 0.9}}, {"parser": "pcfg"})
    {'parser': 'pcfg'}
    """
    result = dict(plan)
    for name, options in (("learner", "options"), ("parser", "parser_options")):
        if changes.get(name, plan.get(name)) != plan.get(name):
            result.pop(options, None)
    for key, value in changes.items():
        old = result.get(key)
        if isinstance(old, dict) and isinstance(value, dict):
            result[key] = {**old, **value}
        else:
            result[key] = value
    return result


def checked(values: Mapping[str, Any], kind: type[Kind], place: str = "") -> Kind:
    """A part of a recipe, as what it should be.

    Raises
    ------
    FormatError : names the key; `place` is where in the recipe the part stands.
    """
    try:
        return msgspec.convert(values, kind)
    except msgspec.ValidationError as error:
        problem, _, key = str(error).partition(" - at `")
        key, hint = re.sub("^key` in |[`$]", "", key).removeprefix("."), None
        problem = problem.replace("Invalid enum value", "unknown key")  # all enums of ours are keys
        unknown = re.fullmatch("Object contains unknown field `(.*)`", problem)
        if unknown:
            choice = unknown_choice("key", unknown[1], _kind_at(kind, key).__struct_fields__)
            problem, hint = choice.message, choice.hint
        problem = problem[:1].lower() + problem[1:].replace("`", "")
        where = ".".join(part for part in (place, key) if part)
        raise FormatError(problem, key=where or None, hint=hint) from None


def plan_of(kind: Callable[..., Any], values: Mapping[str, Any], place: str = "plan") -> Any:
    """The plan of a recipe, each key of the right type; `place` is its key in the recipe.

    Parameters
    ----------
    kind : the task's class of plans.
    """
    types = get_type_hints(kind)
    for key, value in values.items():
        if key not in types:
            choice = unknown_choice("key", key, types)
            raise FormatError(choice.message, key=place, hint=choice.hint)
        try:
            msgspec.convert(value, types[key])
        except msgspec.ValidationError as error:
            problem = str(error).partition(" - at ")[0].replace("`", "")
            raise FormatError(problem[:1].lower() + problem[1:], key=f"{place}.{key}") from None
    lists: dict[str, Any] = {key: tuple(v) for key, v in values.items() if isinstance(v, list)}
    try:
        return kind(**{**values, **lists})
    except UsageError as error:
        raise FormatError(error.message, key=place, hint=error.hint) from None


def plans_of(
    recipe: Recipe, plan: Callable[..., Made], figures: type[Kind]
) -> tuple[dict[str, Made], dict[str, Kind]]:
    """The plans of a recipe, its own first, then those of its variants; and the paper's figures.

    Parameters
    ----------
    plan, figures : the task's classes of them.
    """
    found = {recipe.label: checked(recipe.figures, figures, "figures")}
    plans: dict[str, Made] = {recipe.label: plan_of(plan, recipe.plan)}
    for label, one in recipe.variants.items():
        place = f"variants.{label}"
        if label == recipe.label:
            raise FormatError("is the label of the plan itself", key=place)
        found[label] = checked(one.figures, figures, f"{place}.figures")
        plans[label] = plan_of(plan, merged(recipe.plan, one.plan), f"{place}.plan")
    return plans, found


def _kind_at(kind: type[msgspec.Struct], key: str) -> type[msgspec.Struct]:
    """The struct at a key such as `variants[...]`."""
    for name in re.findall(r"\w+", key):
        hint = get_type_hints(kind)[name]
        structs = (one for one in (hint, *get_args(hint)) if isinstance(one, type))
        kind = next(one for one in structs if issubclass(one, msgspec.Struct))
    return kind


@contextmanager
def naming(path: FilePath) -> Iterator[None]:
    """Add the name of the file to errors that are raised while a recipe is checked."""
    try:
        yield
    except FormatError as error:
        raise FormatError(
            error.problem, path=path, line=error.line, key=error.key, hint=error.hint
        ) from None
    except UsageError as error:
        raise FormatError(error.message, path=path, hint=error.hint) from None
