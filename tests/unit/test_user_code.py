import pytest

from runoff.errors import UsageError
from runoff.user_code import load_function


def test_modules_of_the_working_folder_are_found(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", ["/nowhere"])
    (tmp_path / "module_of_the_folder.py").write_text("def answer():\n    return 42\n")
    assert load_function("module_of_the_folder:answer", "metric")() == 42


def test_a_module_that_fails_says_how(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "module_that_fails.py").write_text("1 / 0\n")
    message = (
        "cannot import the extractor 'module_that_fails:f': ZeroDivisionError: division by zero"
    )
    with pytest.raises(UsageError, match=message):
        load_function("module_that_fails:f", "extractor")
