"""Inspection of models whose headers are not what they should be."""

import pytest

from runoff.errors import ModelError
from runoff.models import SHIPPED
from runoff.store.file import load, save
from runoff.tasks.inspect import inspect_model


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("dev", [3, "good", {"figures": 1}, [{"words": 7}]])
def test_figures_of_another_form_are_one_sentence(name, dev, tmp_path):
    kind, header, arrays = load(SHIPPED[name])
    save(tmp_path / "m", kind, {**header, "dev": dev}, arrays)
    with pytest.raises(ModelError, match="the header is broken: its figures have another form"):
        inspect_model(tmp_path / "m")


def test_figures_whose_rows_differ_are_one_sentence(tmp_path):
    kind, header, arrays = load(SHIPPED["english"])
    dev = header["dev"]
    uneven = {**dev["figures"]["base"], "<=40": {"F1": 84.9}}
    broken = {**dev, "figures": {**dev["figures"], "base": uneven}}
    save(tmp_path / "m", kind, {**header, "dev": broken}, arrays)
    with pytest.raises(ModelError, match="the header is broken: its figures have another form"):
        inspect_model(tmp_path / "m")
