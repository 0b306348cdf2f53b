"""Help texts, and options that are said once."""

import inspect
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass

import pytest
import typer
from helpers.command import runoff

from runoff.cli.app import VERBS, app
from runoff.cli.examples import EXAMPLES
from runoff.cli.help import parameter_rows
from runoff.cli.plan_options import key_values, numbers, plan_from_text
from runoff.errors import UsageError
from runoff.features.extract import EXTRACTORS
from runoff.learners import LEARNERS
from runoff.metrics import METRICS
from runoff.pipeline.fit_plan import FitPlan
from runoff.pipeline.options import option, plan_options
from runoff.pipeline.plan import RankerPlan
from runoff.tasks import TASKS
from runoff.tasks.ranking.fit import fit


def words(*arguments, columns=100):
    """What a help text says, without its frames."""
    out, errors = runoff(*arguments, env={"COLUMNS": str(columns), "PATH": ""})
    assert errors == ""
    assert all(len(line) <= columns for line in out.splitlines())
    return " ".join(re.sub("[│╭╮╰╯─]", " ", out).split())


def test_verbs_are_in_panels():
    out, _ = runoff("--help")
    assert re.findall(r"╭─ ([\w ]+\w) ─", out) == ["Options", *VERBS]
    assert re.findall(r"^│ (\w+) ", out, re.MULTILINE) == (
        "demo check inspect convert score features fit rerank evaluate why serve report propose "
        "gather tag chunk names parse predict proof translate resolve align train reproduce".split()
    )


def commands(path, command):
    if not hasattr(command, "commands"):
        yield path, command
        return
    for name in command.list_commands(None):
        yield from commands(f"{path} {name}".strip(), command.get_command(None, name))


def test_every_help_ends_with_examples_whose_options_exist():
    found = dict(commands("", typer.main.get_command(app)))
    assert found.keys() == EXAMPLES.keys()
    for path, examples in EXAMPLES.items():
        assert examples, path
        known = {name for one in found[path].params for name in (*one.opts, *one.secondary_opts)}
        for example in examples:
            own = example[example.index(f"runoff {path}") :]
            given = [part for part in shlex.split(own) if part.startswith("-")]
            assert {one for one in given if one != "-"} <= known, example
    assert words("fit", "-h").endswith(" ".join(EXAMPLES["fit"]))


def test_shells_complete_verbs_and_options():
    asked = {"_RUNOFF_COMPLETE": "complete_bash", "COMP_CWORD": "1", "COMP_WORDS": "runoff re"}
    out, _ = runoff(env=asked)
    assert out.split() == ["rerank", "report", "resolve", "reproduce"]
    out, _ = runoff(env={**asked, "COMP_WORDS": "runoff fit --le", "COMP_CWORD": "2"})
    assert out.split() == ["--learner"]


def test_tasks_are_listed():
    out = words("train", "--help")
    assert all(task.learns in out for task in TASKS.values())


def test_choices_come_from_the_registries():
    out = words("fit", "-h")
    for registry in (LEARNERS, METRICS, EXTRACTORS):
        *names, last = registry
        assert f"{', '.join(names)} or {last}" in out
    assert "[default: given,text,changes]" in out


@pytest.mark.parametrize("columns", [30, 59, 60, 200])
def test_narrow_and_wide_terminals(columns):
    out = words("train", "parsing", "-h", columns=columns)
    assert "--tagger-option KEY=VALUE Option of the tagger" in out
    assert "[default: 50; 1 to 1,000]" in out


def test_options_that_verbs_share_are_the_same_everywhere():
    group = typer.main.get_command(app)
    names = [*group.list_commands(None), *(("train", name) for name in TASKS)]
    found = {}
    for name in names:
        command = group.get_command(None, name if isinstance(name, str) else name[0])
        if isinstance(name, tuple):
            command = command.get_command(None, name[1])
        for row in parameter_rows(command.params):
            found.setdefault(row.name, {}).setdefault((row.help, row.note), []).append(name)
    for flag in ("--jobs, --engine, -j N", "--format NAME", "--metric NAME"):
        assert len(found[flag]) == 1, found[flag]


def test_fit_in_python_has_the_defaults_of_its_plan():
    defaults = {name: one.default for name, one in inspect.signature(fit).parameters.items()}
    plan = FitPlan()
    for name in plan_options(FitPlan):
        assert (defaults[name] or getattr(plan, name)) == getattr(plan, name), name


def test_rankers_of_tasks_have_the_options_of_fit():
    own, shared = plan_options(RankerPlan), plan_options(FitPlan)
    assert list(own)[-len(shared) :] == list(shared)
    for name in set(shared) - {"learner", "features"}:
        assert own[name] == shared[name]


@dataclass(frozen=True, kw_only=True)
class Small:
    """A plan with an option of every kind."""

    whole: int = option(1, "A number.")
    several: tuple[int, ...] = option((1,), "Numbers.")


def test_plans_are_made_from_texts():
    assert plan_from_text(Small, {"whole": None, "several": None}) == Small()
    assert numbers("prior", "0.5,1", float) == (0.5, 1.0)
    assert numbers("prior", "", float) == ()
    with pytest.raises(UsageError, match="--min-x takes whole numbers separated by commas"):
        numbers("min_x", "1,b", int)
    assert key_values(["min-count=1", "a = b=c"]) == {"min_count": "1", "a": "b=c"}
    with pytest.raises(UsageError, match="written KEY=VALUE"):
        key_values(["epochs"])


def test_nothing_heavy_is_imported_before_there_is_work():
    code = "import sys, runoff.cli.app; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"numpy", "msgspec", "scipy", "rich.progress"} & set(done.stdout.split())
