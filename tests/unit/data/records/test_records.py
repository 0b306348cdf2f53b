"""Records: every kind of file gives the same records, and what is wrong is named with its line."""

from __future__ import annotations

import gzip
import io
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from runoff.data.inputs import keeping_inputs
from runoff.data.limits import FIELD
from runoff.data.records.clusters import read_clusters, write_clusters
from runoff.data.records.records import Records, as_records, read_records
from runoff.errors import FormatError, UsageError

CSV = 'id,name,year\na,"Li, Wei",2006\nb,"W. ""Bill""\nLi",\n'
TSV = 'id\tname\tyear\na\tLi, Wei\t2006\nb\tW. "Bill"\t\n'
JSONL = '{"id": "a", "name": "Li, Wei", "year": 2006}\n\n{"id": "b", "name": "W. \\"Bill\\""}\n'
DICTS = [{"id": "a", "name": "Li, Wei", "year": 2006}, {"id": "b", "name": 'W. "Bill"'}]
COLUMNS = {"name": ["Li, Wei", 'W. "Bill"'], "year": ["2006", None]}


@pytest.fixture(autouse=True)
def in_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def make_database(connect, path):
    with closing(connect(path)) as database:
        database.execute("CREATE TABLE people (id TEXT, name TEXT, year INTEGER)")
        database.execute("INSERT INTO people VALUES ('a', 'Li, Wei', 2006)")
        database.execute("""INSERT INTO people VALUES ('b', 'W. "Bill"', NULL)""")
        database.commit()


def make_sqlite():
    make_database(sqlite3.connect, "records.db")
    return "records.db::people"


def make_duckdb():
    duckdb = pytest.importorskip("duckdb", reason="the extra `duckdb` is not installed")
    make_database(duckdb.connect, "records.duckdb")
    return "records.duckdb"


def make_parquet():
    parquet = pytest.importorskip("pyarrow.parquet", reason="the extra `arrow` is not installed")
    import pyarrow

    parquet.write_table(pyarrow.Table.from_pylist(DICTS), "records.parquet")
    return "records.parquet"


def make_text(name, text):
    def make():
        data = text.encode()
        Path(name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return name

    return make


SAME = {
    "csv": make_text("records.csv", CSV.replace("\nLi", "")),
    "csv with a byte-order mark and CRLF": make_text(
        "records.csv", "\ufeff" + CSV.replace("\nLi", "").replace("\n", "\r\n")
    ),
    "csv after blank lines": make_text("records.csv", "\n\n" + CSV.replace("\nLi", "")),
    "csv without a name": make_text("records", CSV.replace("\nLi", "")),
    "tsv": make_text("records.tsv.gz", TSV),
    "tsv without a name": make_text("records", TSV),
    "jsonl": make_text("records.jsonl", JSONL),
    "jsonl without a name": make_text("records.gz", JSONL),
    "sqlite": make_sqlite,
    "duckdb": make_duckdb,
    "parquet": make_parquet,
}


@pytest.mark.parametrize("kind", SAME)
def test_every_format_gives_the_same_records(kind):
    records = read_records(SAME[kind]())
    assert (records.ids, records.fields) == (["a", "b"], ["name", "year"])
    assert records.columns == COLUMNS


def test_standard_input_is_read(monkeypatch):
    stdin = io.TextIOWrapper(io.BytesIO(TSV.encode()))
    monkeypatch.setattr("sys.stdin", stdin)
    assert read_records("-").columns == COLUMNS


def test_dicts_frames_and_records_are_records():
    assert as_records(DICTS).columns == COLUMNS
    assert as_records(as_records(DICTS)).ids == ["a", "b"]
    pyarrow = pytest.importorskip("pyarrow", reason="the extra `arrow` is not installed")
    assert as_records(pyarrow.Table.from_pylist(DICTS)).columns == COLUMNS


class Column(list):
    """A column of a data frame, as pandas has it."""

    def to_list(self):
        return list(self)


def test_missing_numbers_of_data_frames_are_none_and_years_have_no_point():
    class Frame(dict):
        columns = ("name", "year")

    frame = Frame(name=Column(["Li", "Wu"]), year=Column([2006.0, float("nan")]))
    assert as_records(frame).columns == {"name": ["Li", "Wu"], "year": ["2006", None]}


def test_lists_stay_lists_and_empty_values_are_missing():
    Path("a.jsonl").write_text(
        '{"id": 7, "by": ["A. Li", " ", 3], "new": true}\n'
        '{"id": 8, "by": [], "title": "  ", "pages": 2.5}\n'
    )
    records = read_records("a.jsonl")
    assert records.ids == ["7", "8"]
    assert records.columns["by"] == [["A. Li", "3"], None]
    assert (records.columns["title"], records.columns["pages"]) == ([None, None], [None, "2.5"])
    assert records.columns["new"] == ["true", None]


def test_a_quoted_field_may_have_lines_of_its_own():
    Path("a.csv").write_text(CSV)
    assert read_records("a.csv").columns["name"][1] == 'W. "Bill"\nLi'


def test_records_without_ids_are_numbered_and_another_column_may_have_the_ids():
    Path("a.csv").write_text("name,year\nLi,1\nWu,2\n")
    assert read_records("a.csv").ids == ["1", "2"]
    assert read_records("a.csv", "name").ids == ["Li", "Wu"]
    assert read_records("a.csv", "name").fields == ["year"]


def test_records_print_what_is_in_them():
    records = as_records(DICTS)
    assert repr(records) == "Records(2 records: name, year (1 missing))"
    assert repr(as_records([{"id": 1}])) == "Records(1 record)"
    assert records.take([1, 0]).ids == ["b", "a"]
    assert records.take([1]).columns == {"name": ['W. "Bill"'], "year": [None]}


LONG = "x" * (FIELD + 1)
QUOTE = "quote the whole field, and write quotes in it twice"

BROKEN = [
    ("a.csv", "", "a.csv: the file is empty"),
    ("a.csv", "\n\n", "a.csv: the file is empty"),
    ("a.csv", "id,name\n", "a.csv: there are no records"),
    ("a.csv", "id,name\na,b\n\nc\n", "a.csv:4: has 1 fields, but the header has 2"),
    ("a.csv", 'id,name\na,"b\nc"\nd,e,f\n', "a.csv:4: has 3 fields, but the header has 2"),
    ("a.tsv", "id\tname\na\tb\tc\n", "a.tsv:2: has 3 fields, but the header has 2"),
    ("a.csv", "id,,x\n1,2,3\n", "a.csv:1: column 2 has no name"),
    ("a.csv", "id,x,x\n1,2,3\n", "a.csv:1: two columns are called 'x'"),
    ("a.csv", "id,x\n1,a\n2,b\n1,c\n", "a.csv:4: id: '1' is also the id of line 2"),
    ("a.csv", "id,x\n1,a\n,b\n", "a.csv:3: id: the record has no id"),
    ("a.csv", 'id,x\n1,"a\n2,b\n', "a.csv:2: a quote that is never closed"),
    ("a.csv", 'id,x\n1,"a"b\n', "a.csv:2: a quote inside a field"),
    ("a.csv", f"id,x\n1,a\n2,{LONG}\n", "a.csv:3: a field of more than 1,000,000 characters"),
    ("a.jsonl", f'{{"x": "{LONG}"}}\n', "a.jsonl:1: x: a field of more than 1,000,000 characters"),
    ("a.jsonl", f'{{"x": ["{LONG}"]}}', "a.jsonl:1: x: a field of more than 1,000,000 characters"),
    ("a.jsonl", '{"id": 1}\n[2]\n', "a.jsonl:2: expected one JSON object, a record"),
    ("a.jsonl", '{"id": [1]}\n', "a.jsonl:1: id: an id must be one text"),
    ("a.jsonl", '{"x": 1}\n{"x": {"y": 1}}\n', "a.jsonl:2: x: expected text, a number or a list"),
    ("a.jsonl", '{"x": [[1]]}\n', "a.jsonl:1: x: expected text, a number or a list of them"),
    ("a.jsonl", '{"x": 1\n', "a.jsonl:1: broken JSON at column 8"),
    ("a.csv::x", "id\n1\n", "a.csv: not a database, so it has no table 'x'"),
]


@pytest.mark.parametrize(("name", "text", "problem"), BROKEN, ids=[row[2][:50] for row in BROKEN])
def test_what_is_wrong_is_said_with_its_line(name, text, problem):
    Path(name.partition("::")[0]).write_text(text)
    with pytest.raises(FormatError) as caught:
        read_records(name)
    assert str(caught.value).startswith(problem)


def test_mixed_encodings_are_named():
    Path("a.csv").write_bytes("id,name\n1,Müller\n".encode() + "2,Müller\n".encode("latin-1"))
    with pytest.raises(FormatError, match=r"^a\.csv:3: not UTF-8: byte 0xfc at column 4"):
        read_records("a.csv")


def test_unknown_columns_and_tables_name_those_that_exist():
    with pytest.raises(FormatError, match=r"no column 'who'; the columns are: name, year"):
        as_records(DICTS).column("who")
    source = make_sqlite()
    with pytest.raises(FormatError, match=r"people: no column 'who'; the columns are: id, name"):
        read_records(source, "who")
    with pytest.raises(FormatError, match=r"records\.db: no table 'who': people"):
        read_records("records.db::who")
    Path("records.db").write_bytes(Path("records.db").read_bytes()[:500])
    with pytest.raises(FormatError, match=r"records\.db: broken database \("):
        read_records(source)
    with pytest.raises(FormatError, match=r"gone\.csv: no such file"):
        read_records("gone.csv")


def test_broken_binary_files_are_named():
    path = make_parquet()
    Path(path).write_bytes(Path(path).read_bytes()[:60])
    with pytest.raises(FormatError, match=r"^records\.parquet: broken Parquet file \("):
        read_records(path)
    make_database(sqlite3.connect, "latin.db")
    with closing(sqlite3.connect("latin.db")) as database:
        database.execute("UPDATE people SET name = CAST(x'4dfc' AS TEXT)")
        database.commit()
    with pytest.raises(
        FormatError, match=r"^latin\.db: broken database \(Could not decode to UTF-8"
    ):
        read_records("latin.db")
    Path("a.jsonl").write_text('{"a\\nb": {}}')
    with pytest.raises(FormatError, match=r"^a\.jsonl:1: 'a\\nb': expected text"):
        read_records("a.jsonl")


def test_wrong_records_of_python_are_named():
    with pytest.raises(UsageError, match="record 2: expected a dictionary, not int"):
        as_records([{"a": 1}, 7])
    with pytest.raises(FormatError, match="record 2: id: '1' is also the id of record 1"):
        as_records([{"id": 1}, {"id": "1"}])


@pytest.mark.parametrize("name", ["c.csv", "c.tsv.gz", "c.jsonl", "c"])
def test_clusters_are_written_in_order_and_read_back(name):
    write_clusters(as_records(DICTS), ["k,1", "k,1"], [0.9, 1 / 3], name)
    records = read_clusters(name)
    assert records.ids == ["a", "b"]
    assert records.columns == {"cluster": ["k,1", "k,1"], "confidence": ["0.9", "0.333333"]}


def test_clusters_that_cannot_be_written_leave_nothing():
    with pytest.raises(FormatError, match=r"TSV cannot hold the TAB or line end in 'a\\tb'"):
        write_clusters(["x", "a\tb"], [1, 2], [1, 1], "c.tsv")
    with pytest.raises(FormatError, match="an id with an unpaired surrogate"):
        write_clusters(["\ud800"], [1], [1], "c.csv")
    with pytest.raises(UsageError, match="not 2 ids, 1 clusters and 2 confidences"):
        write_clusters(["a", "b"], [1], [1, 1], "c.csv")
    assert list(Path().iterdir()) == []


def test_records_are_never_overwritten_by_their_clusters():
    Path("a.csv").write_text(CSV)
    with keeping_inputs(), pytest.raises(UsageError, match="would be read and overwritten"):
        write_clusters(read_records("a.csv"), [1, 2], [1, 1], "a.csv")
    assert Path("a.csv").read_text() == CSV


def test_a_file_of_clusters_has_a_cluster_for_everyone():
    Path("c.csv").write_text("id,cluster\na,1\nb,\n")
    with pytest.raises(FormatError, match=r"c\.csv: record 'b' has no cluster"):
        read_clusters("c.csv")


def test_reading_records_imports_no_extras():
    code = (
        "import runoff.data.records.records, sys; print({'pyarrow', 'duckdb'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_records_are_equal_by_value():
    assert as_records(DICTS) == as_records(DICTS) != Records([], [], {})
