"""What the model of every task over text can do: its own verb, `lists`, and `pipe` for many."""

import inspect

import pytest

from runoff.errors import UsageError
from runoff.pipeline.model import SentenceModel, TextModel
from runoff.tasks import TASKS

pytestmark = pytest.mark.parametrize("name", [name for name in TASKS if name != "identity"])


def test_the_verb_of_the_command_is_that_of_the_model(name):
    task = TASKS[name]
    verb = getattr(task.model_class, task.verb)
    assert list(inspect.signature(verb).parameters)[:2] == ["self", "text"]


def test_lists_take_inputs_a_number_and_an_engine(name):
    parameters = inspect.signature(TASKS[name].model_class.lists).parameters
    assert list(parameters) == ["self", "inputs", "n", "engine"]


def test_pipe_is_written_once(name):
    assert TASKS[name].model_class.pipe in (SentenceModel.pipe, TextModel.pipe)


def test_one_text_is_not_several(name):
    model = TASKS[name].model_class.__new__(TASKS[name].model_class)
    with pytest.raises(UsageError, match="several texts"):
        next(model.pipe("a text"))
