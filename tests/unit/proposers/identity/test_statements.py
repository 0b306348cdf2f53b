"""Statements about sets: what a file may say, and what it is told otherwise."""

import pytest

from runoff.data.records.records import as_records
from runoff.errors import FormatError
from runoff.proposers.identity.defaults import default_statements
from runoff.proposers.identity.statements import read_statements, statements_text

GOOD = """\
[[statement]]
name = "some two titles are less than 30% similar"
some = "ratio(title) < 30%"

# the least similar titles are more than 50% similar
[[statement]]
min = "ratio(title)"
above = 0.5

[[statement]]
some = "middle(author)"

[[statement]]
all = "(equal(year) or years(year) <= 1) and not missing(title)"

[[statement]]
distinct = "first name"
above = 2

[[statement]]
count = "missing(year)"
over = "records"

[[statement]]
mean = "match(*)"
over = "between"
"""
FIELDS = ["title", "author", "year", "first name"]


def written(tmp_path, text):
    path = tmp_path / "statements.toml"
    path.write_text(text)
    return path


def test_statements_are_read_and_written_back(tmp_path):
    found = read_statements(written(tmp_path, GOOD), FIELDS)
    assert [str(one) for one in found] == [
        "some two titles are less than 30% similar",
        "min ratio(title) > 0.5",
        "some middle(author)",
        "all (equal(year) or years(year) <= 1) and not missing(title)",
        "distinct first name > 2",
        "count missing(year) over records",
        "mean match(*) between",
    ]
    again = read_statements(written(tmp_path, statements_text(found)), FIELDS)
    assert again == found


@pytest.mark.parametrize(
    ("line", "text", "problem"),
    [
        (1, 'some = "ratio(titel) < 0.3"', "unknown field 'titel'"),
        (1, 'some = "rato(title) < 0.3"', "unknown function of pairs 'rato'"),
        (1, 'some = "ratio(title)"', "'some' needs something that is true or false"),
        (1, 'some = "ratio(title) < "', "expected a number at the end"),
        (1, 'some = "ratio(title) < 0.3 and ratio(year)"', "ratio\\(year\\) is a number"),
        (1, 'some = "ratio title"', "expected '\\(' at 'title'"),
        (1, 'some = "__import__(title)"', "unknown function of pairs '__import__'"),
        (1, 'some = "equal(title)"\nall = "equal(title)"', "one quantifier .*some and all"),
        (1, "above = 2", "one quantifier .*has none"),
        (1, 'min = "ratio(title)"\nabove = "half"', "above must be a number, not 'half'"),
        (1, 'all = "equal(title)"\nabove = 1', "'all' takes no threshold"),
        (1, 'min = "ratio(title)"\nover = "cats"', "unknown range of a quantifier 'cats'"),
        (1, 'least = "ratio(title)"', "unknown key of a statement 'least'"),
        (1, 'max = "ratio(year)"\nover = "records"', "unknown function of records 'ratio'"),
        (3, 'some = "equal(title)"\n[[statement]]\nsome = "x', "Illegal character"),
    ],
)
def test_what_is_wrong_with_a_statement_is_said_with_its_line(tmp_path, line, text, problem):
    path = written(tmp_path, f"[[statement]]\n{text}\n")
    with pytest.raises(
        FormatError, match=f"statements.toml:{line + (line > 1)}: .*{problem}|{problem}"
    ) as error:
        read_statements(path, FIELDS)
    assert error.value.line is not None


def test_the_line_is_that_of_the_statement(tmp_path):
    path = written(tmp_path, GOOD + '\n[[statement]]\nsome = "equal(yaer)"\n')
    with pytest.raises(FormatError) as error:
        read_statements(path, FIELDS)
    assert error.value.line == GOOD.count("\n") + 2
    assert error.value.hint == "did you mean 'year'?"
    with pytest.raises(FormatError, match="no statements"):
        read_statements(written(tmp_path, ""), FIELDS)
    with pytest.raises(FormatError, match=r"toml:1: unknown key 'statements'"):
        read_statements(written(tmp_path, "[[statements]]\n"), FIELDS)


def test_default_statements_follow_what_is_in_the_fields(tmp_path):
    rows = [
        {"author": f"A. B. Name{i}", "year": str(1990 + i), "with": ["x y", "z"], "rare": None}
        for i in range(40)
    ]
    rows[0]["rare"] = "only here"
    records = as_records(rows)
    found = default_statements(records, records.fields)
    said = [str(one) for one in found]
    assert "some middle(author)" in said
    assert "some years(year) > 1" in said
    assert not any(one.startswith("max years") for one in said)  # a misread year has no bounds
    assert "some shared(with) > 0" in said
    assert not any("rare" in one for one in said)
    path = written(tmp_path, statements_text(found))
    assert read_statements(path, records.fields) == found
