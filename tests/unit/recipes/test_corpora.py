import pytest
from msgspec.structs import replace

from runoff.errors import FormatError, UsageError
from runoff.recipes.corpora import Data, data_folder
from runoff.recipes.recipe import read_recipe


def test_the_folder_given_goes_before_the_variable_and_that_before_the_neighbour(
    tmp_path, monkeypatch
):
    for name in ("given", "named", "shared/data", "project"):
        (tmp_path / name).mkdir(parents=True)
    project = tmp_path / "project"
    monkeypatch.delenv("RUNOFF_DATA", raising=False)
    assert data_folder(project=project).resolve() == tmp_path / "shared" / "data"
    monkeypatch.setenv("RUNOFF_DATA", str(tmp_path / "named"))
    assert data_folder(project=project) == tmp_path / "named"
    assert data_folder(tmp_path / "given", project=project) == tmp_path / "given"


def test_a_folder_that_is_not_there(tmp_path, monkeypatch):
    monkeypatch.delenv("RUNOFF_DATA", raising=False)
    with pytest.raises(UsageError, match=r"shared/data does not exist, RUNOFF_DATA is not set"):
        data_folder(project=tmp_path / "a")
    with pytest.raises(UsageError, match="nothing does not exist\n\nHint: .*--data DIR"):
        data_folder(tmp_path / "nothing")


def lines(file):
    return file.read_text().split()


def test_what_is_held_out_is_not_learned_from(tmp_path):
    (tmp_path / "a").write_text("1 2 3 4 5")
    (tmp_path / "b").write_text("6 7")
    data = Data(name="", source="", train=("a",), dev=("b",), held_out={"a": 2})
    assert data.examples("train", tmp_path, lines) == ["1", "2", "3"]
    assert data.examples_by_file("dev", tmp_path, lines) == {"b": ["6", "7"], "a": ["4", "5"]}
    few = replace(data, items=3)
    assert few.examples("train", tmp_path, lines) == ["1"]
    assert few.examples("dev", tmp_path, lines) == ["6", "7", "2", "3"]
    with pytest.raises(FormatError, match="a: there is nothing to learn from"):
        replace(data, held_out={"a": 5}).examples("train", tmp_path, lines)


@pytest.mark.parametrize(
    ("held_out", "problem"),
    [
        ('"b" = 2', "data: b is held out, but no file of training data"),
        ('"a" = 0', "data: 0 examples of a cannot be held out"),
    ],
)
def test_only_training_files_hold_out_examples(tmp_path, held_out, problem):
    (tmp_path / "r.toml").write_text(
        'task = "parsing"\nwhat = "a try"\nmetric = "parseval"\n'
        f'[data]\nname = "d"\nsource = "s"\ntrain = ["a"]\nheld_out = {{ {held_out} }}\n'
    )
    with pytest.raises(FormatError, match=f"r.toml: {problem}"):
        read_recipe(tmp_path / "r.toml")
