"""What holds for every task of `TASKS`, and that a task is one line there."""

import json
import os
import sys
from functools import partial

import pytest
from helpers.damage import flipped
from helpers.made.tasks import MADE, answers
from helpers.resuming import BrokenOff
from typer.main import get_command
from typer.testing import CliRunner

import runoff as ro
from runoff.cli.app import app
from runoff.data.files import open_output
from runoff.engine import Engine
from runoff.errors import ModelError, TooLongError, UsageError
from runoff.fitting import run
from runoff.fitting.run import Checkpoint
from runoff.pipeline.model import SentenceModel
from runoff.recipes import show
from runoff.recipes.experiment import Setting
from runoff.recipes.recipe import plan_of, read_recipe
from runoff.tasks import TASKS, Task, task_of
from runoff.tasks.inspect import inspect_model
from runoff.tasks.reproduce import experiment
from runoff.tasks.words.model import Asked

EVERY_TASK = pytest.mark.parametrize("name", TASKS)
SENTENCE_BY_SENTENCE = pytest.mark.parametrize(
    "name", [name for name in TASKS if issubclass(TASKS[name].model_class, SentenceModel)]
)


def command(*arguments):
    """What a command prints; it must succeed."""
    result = CliRunner().invoke(app, [str(one) for one in arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """The files and the model file of a task, trained once without interruption."""
    found = {}

    def train(name):
        if name not in found:
            folder = tmp_path_factory.mktemp(name)
            made, files = MADE[name], MADE[name].write(folder)
            steps = []
            engine = Engine(progress=steps.append)
            model = ro.train(name, *files, engine=engine, **made.options)
            model.save(folder / "model")
            found[name] = files, folder / "model", len(steps)
        return found[name]

    return train


@EVERY_TASK
def test_a_folder_has_the_same_files(name):
    task = TASKS[name]
    assert task.module("train").Plan
    assert task.module("train").train
    assert task.module("report").summary
    assert task.model_class.load
    assert task_of(task.kind) is task
    assert task.learns.endswith(".")


@EVERY_TASK
def test_a_model_is_trained_and_loaded(name, trained):
    _, path, _ = trained(name)
    model = ro.load(path)
    assert type(model) is TASKS[name].model_class
    model.save(path.with_suffix(".again"))
    assert path.with_suffix(".again").read_bytes() == path.read_bytes()


@EVERY_TASK
def test_a_model_says_whose_data_it_is_made_of(name, tmp_path):
    made, files = MADE[name], MADE[name].write(tmp_path)
    model = ro.train(name, *files, **{**made.options, "attribution": "ours, CC0"})
    assert model.training["attribution"] == "ours, CC0"
    model.save(tmp_path / "model")
    assert inspect_model(tmp_path / "model").header["attribution"] == "ours, CC0"


@EVERY_TASK
@pytest.mark.parametrize("share", [0.2, 0.6, 0.95])
def test_interrupted_training_resumes_to_the_same_bytes(
    name, share, trained, tmp_path, monkeypatch
):
    files, path, steps = trained(name)
    monkeypatch.setattr(run, "Checkpoint", partial(Checkpoint, seconds=0.0))
    left = int(share * steps)

    def break_off(step):
        nonlocal left
        left -= 1
        if left < 0:
            raise BrokenOff

    options = {"work": tmp_path / "work", **MADE[name].options}
    with pytest.raises(BrokenOff):
        ro.train(name, *files, engine=Engine(progress=break_off), **options)
    ro.train(name, *files, engine=2, **options).save(tmp_path / "model")
    assert (tmp_path / "model").read_bytes() == path.read_bytes()


@EVERY_TASK
def test_damaged_files_of_the_work_folder_are_made_again(name, trained, tmp_path, caplog):
    files, path, _ = trained(name)
    options = {"work": tmp_path / "work", **MADE[name].options}
    ro.train(name, *files, **options)
    made = sorted((tmp_path / "work").iterdir())
    for file in made:
        file.write_bytes(flipped(file.read_bytes()))
    ro.train(name, *files, **options).save(tmp_path / "model")
    assert (tmp_path / "model").read_bytes() == path.read_bytes()
    assert caplog.text.count("is damaged, so") >= bool(made)
    assert sorted((tmp_path / "work").iterdir()) == made


LISTS_OF = {
    "words": lambda model, engine: model.lists(
        [Asked(["the", "new", "list"] * 6000, range(18000))], 2, engine=engine
    ),
    "lm": lambda model, engine: model.lists(["the new list is", "we"] * 4, 3, engine=engine),
    "translation": lambda model, engine: model.lists(
        ["A man sits in the park."] * 40, engine=engine
    ),
    "proofing": lambda model, engine: model.lists(["It is longer then that."] * 3, engine=engine),
}
"""Lists of models that do not work sentence by sentence, from more than one chunk of inputs."""


@EVERY_TASK
def test_workers_give_what_one_process_gives(name, trained):
    if name == "identity":
        pytest.skip("records are resolved all at once")
    model = ro.load(trained(name)[1])
    sentences = [("They", "voted", "on", "Monday", "."), (), ("It", "sleeps")] * 30
    lists = LISTS_OF.get(name, lambda model, engine: model.lists(sentences, 2, engine=engine))
    expected = list(lists(model, 1))
    assert list(lists(model, 2)) == expected
    assert expected


@EVERY_TASK
def test_a_model_that_was_read_whole_needs_its_file_no_more(name, trained, tmp_path):
    """Of a mapped file that becomes shorter, the system ends the process that reads it."""
    path = tmp_path / "model"
    path.write_bytes(trained(name)[1].read_bytes())
    model = ro.load(path, map=False)
    os.truncate(path, 0)
    assert answers(name, model, gold=False) == answers(name, ro.load(trained(name)[1]), gold=False)


@EVERY_TASK
def test_a_mapped_model_may_be_replaced(name, trained, tmp_path):
    path, expected = tmp_path / "model", answers(name, ro.load(trained(name)[1]), gold=False)
    path.write_bytes(trained(name)[1].read_bytes())
    model = ro.load(path)
    with open_output(path) as stream:
        stream.write(b"another")
    assert answers(name, model, gold=False) == expected


@EVERY_TASK
def test_a_short_file_is_rejected_on_opening(name, trained, tmp_path):
    data = trained(name)[1].read_bytes()
    for size in (len(data) - 1, len(data) // 2, 9, 0):
        (tmp_path / "model").write_bytes(data[:size])
        for map in (False, True):
            with pytest.raises(ModelError, match="model: not a model file, or a damaged one"):
                ro.load(tmp_path / "model", map=map)


@EVERY_TASK
def test_gold_is_never_read(name, trained):
    model = ro.load(trained(name)[1])
    assert answers(name, model, gold=True) == answers(name, model, gold=False)


@EVERY_TASK
def test_a_model_is_looked_into(name, trained):
    _, path, _ = trained(name)
    found = inspect_model(path)
    assert found.kind == TASKS[name].kind
    assert found.tables
    assert all(table.rows for table in found.tables)
    seen = json.loads(json.dumps(found.header))
    assert seen["runoff"] == ro.__version__


@EVERY_TASK
@pytest.mark.parametrize("given", [False, True])
def test_a_plan_is_shown_as_a_recipe_that_reads_back(name, given, tmp_path, monkeypatch):
    options, plan = MADE[name].shown if given else [], TASKS[name].module("train").Plan
    shown, written = [], show.recipe_text
    monkeypatch.setattr(show, "recipe_text", lambda *all: shown.append(all[-1]) or written(*all))
    printed = command("train", name, "a.txt", "--dev", "b.txt", "--show", *options)
    (tmp_path / "shown.toml").write_text(printed)
    recipe = read_recipe(tmp_path / "shown.toml")
    assert (recipe.task, recipe.metric) == (name, TASKS[name].metric)
    assert (recipe.data.train, recipe.data.dev) == (("a.txt",), ("b.txt",))
    assert plan_of(plan, recipe.plan) == shown[0]
    assert (shown[0] == plan()) is not given


@pytest.mark.parametrize("name", [name for name, task in TASKS.items() if task.has_experiments])
def test_a_shown_recipe_is_an_experiment(name, trained, tmp_path):
    (train, dev), _, _ = trained(name)
    given = ["--folds", "2", "--n", "5", "--tagger-option", "min_count=1"]
    own = {
        "words": ["--left", "2", "--right", "2"],
        "identity": ["--folds", "2"],
        "translation": ["--order", "2", "--rounds", "2", "--n", "5"],
    }
    given = own.get(name, given)
    given += ["--grammars", "0", "-O", "iterations=10"] if name == "parsing" else []
    sizes = "held_out = 100\nsmallest = 100\n" if name == "words" else ""
    trains, devs = (one if isinstance(one, list) else [one] for one in (train, dev))
    files = [file.name for file in trains]
    files += [part for file in devs for part in ("--dev", file.name)]
    printed = command("train", name, *files, "--show", *given)
    (tmp_path / "shown.toml").write_text(printed + sizes)
    setting = Setting(data=trains[0].parent, work=tmp_path / "work")
    outcome = experiment(tmp_path / "shown.toml").run(setting)
    assert outcome.tables
    outcome.model.save(tmp_path / "model")
    assert type(ro.load(tmp_path / "model")) is TASKS[name].model_class


def test_options_that_no_plan_has():
    with pytest.raises(UsageError, match="unknown task 'taging'.*"):
        ro.train("taging", [])
    with pytest.raises(UsageError, match="unknown option 'priors'.*"):
        ro.train("tagging", [], priors=1)
    with pytest.raises(UsageError, match="a parser needs development trees"):
        ro.train("parsing", [])


TOY = {
    "__init__": "",
    "model": """
from runoff.store.file import load, save

class ToyModel:
    def __init__(self, letters):
        self.letters = letters

    def save(self, path):
        save(path, "toy", {"letters": self.letters, "dev": {"letters": len(self.letters)}}, {})

    @classmethod
    def load(cls, path, *, map=True):
        return cls(load(path, kind="toy").header["letters"])
""",
    "train": """
from dataclasses import dataclass
from pathlib import Path
from runoff.pipeline.options import option
from toy_task.model import ToyModel

@dataclass(frozen=True, kw_only=True)
class Plan:
    most: int = option(3, "Number of letters to learn.", min=1)

def train(train, dev=None, *, plan=None, work=None, engine=1):
    return ToyModel(Path(train[0]).read_text()[: plan.most])
""",
    "report": """
from runoff.report.tables import Table

def summary(header):
    return [Table("letters", [dict(header["dev"])])]
""",
}


def test_a_new_task_is_one_line(tmp_path, monkeypatch):
    (tmp_path / "toy_task").mkdir()
    for module, text in TOY.items():
        (tmp_path / "toy_task" / f"{module}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    line = Task("toy_task", "ToyModel", "toy", "spell", "accuracy", "Train a toy on letters.")
    monkeypatch.setitem(TASKS, "toy", line)
    (tmp_path / "letters.txt").write_text("abcde")
    try:
        assert "Train a toy on letters." in command("train", "--help")
        assert "Number of letters to learn." in command("train", "toy", "--help")
        printed = command("train", "toy", "letters.txt", "-o", "m", "--most", "2")
        assert "letters" in printed
        assert ro.load("m").letters == "ab"
        assert ro.train("toy", ["letters.txt"], most=4).letters == "abcd"
        assert "toy" in command("inspect", "m")
        (tmp_path / "toy.toml").write_text(command("train", "toy", "letters.txt", "--show"))
        assert read_recipe(tmp_path / "toy.toml").plan == {"most": 3}
        with pytest.raises(Exception, match="unknown task 'toy'"):
            experiment(tmp_path / "toy.toml")
    finally:
        for module in TOY:
            sys.modules.pop(f"toy_task.{module}", None)
        sys.modules.pop("toy_task", None)


@SENTENCE_BY_SENTENCE
@pytest.mark.parametrize("reader", ["--tokenized", ""])
def test_a_verb_goes_on_after_a_sentence_that_is_too_long(name, reader, trained, tmp_path):
    _, model, _ = trained(name)
    verb, long, short = TASKS[name].verb, "They voted on Monday and on Monday .", "They voted ."
    (tmp_path / "text").write_text(f"{short}\n\n{long}\n\n{short}\n")
    (tmp_path / "without").write_text(f"{short}\n\n\n\n{short}\n")
    given = [verb, str(model), "--longest", "7", "--json", *filter(None, [reader])]
    result = CliRunner().invoke(app, [*given, str(tmp_path / "text")])
    assert result.exit_code == 0, result.output
    problem = f"{tmp_path / 'text'}:3: a sentence of more than 7 words"
    assert result.stderr == f"warning: {problem}; it is skipped\n1 sentence skipped\n"
    lists = [json.loads(line) for line in result.stdout.splitlines()]
    assert [one["id"] for one in lists] == list(range(1, len(lists) + 1))
    (empty,) = (one for one in lists[1:-1] if reader == "" or one["id"] == 3)
    assert empty["input"] == []
    assert lists[0]["candidates"] == lists[-1]["candidates"]
    if reader:
        without = command(*given, tmp_path / "without").splitlines()
        assert [_unplaced(one) for one in lists] == [_unplaced(json.loads(one)) for one in without]


def _unplaced(nbest):
    """A list without its place in a file."""
    return {key: nbest[key] for key in nbest.keys() - {"file", "start", "end", "offsets"}}


@SENTENCE_BY_SENTENCE
def test_a_sentence_that_is_too_long_is_an_error_or_logged(name, trained, caplog):
    _, path, _ = trained(name)
    model = ro.load(path)
    verb, long = getattr(model, TASKS[name].verb), "They voted on Monday and on Monday ."
    model.longest = 7
    for given in (f"They voted.\n\n{long}", long.split()):
        with pytest.raises(TooLongError, match="a sentence of more than 7 words\n\nHint: set"):
            verb(given)
    found = list(model.pipe(["They voted.", f"They voted.\n\n{long}", "They voted."]))
    assert [len(one) for one in found] == [1, 2, 1]
    assert found[0] == found[2]
    assert caplog.messages == ["text 2:3: a sentence of more than 7 words; it is skipped"]
    model.longest = 8
    assert len(verb(long)) == 1


@SENTENCE_BY_SENTENCE
def test_the_limit_of_the_verb_is_that_of_the_model(name):
    task = TASKS[name]
    (option,) = (p for p in get_command(app).commands[task.verb].params if p.name == "longest")
    assert option.default == task.model_class.longest
