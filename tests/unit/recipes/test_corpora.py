import pytest

from runoff.errors import UsageError
from runoff.recipes.corpora import data_folder


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
