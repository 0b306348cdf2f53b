"""Errors are one sentence, whatever names users' files have."""

from runoff.errors import unknown_choice


def test_names_with_line_ends_stay_on_one_line():
    error = unknown_choice("field", "year", ["title", "a b\nc"])
    assert error.message == "unknown field 'year'; choose from: 'a b\\nc', title"
