"""Lines, folders and patterns as inputs, and where sentences are."""

import json

import pytest
from helpers.command import runoff


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("places")
    (folder / "texts" / ".hidden").mkdir(parents=True)
    (folder / "texts" / "a.txt").write_text("We won.\n\nThey  lost :)\n")
    (folder / "texts" / "b.md").write_text("It rains. They won.\n")
    (folder / "texts" / ".hidden" / "c.txt").write_text("No.\n")
    (folder / "texts" / "d.bin").write_text("No.\n")
    return folder


@pytest.mark.parametrize("verb", ["tag", "parse"])
def test_every_list_says_where_its_sentence_is(folder, verb):
    out, _ = runoff(verb, "texts", "--json", cwd=folder)
    lists = [json.loads(line) for line in out.splitlines()]
    assert [(one["file"], one["sentence"]) for one in lists] == [
        ("texts/a.txt", 1),
        ("texts/a.txt", 2),
        ("texts/b.md", 1),
        ("texts/b.md", 2),
    ]
    for one in lists:
        text = (folder / one["file"]).read_text()
        assert [text[a:b] for a, b in one["offsets"]] == one["input"]
        assert (one["start"], one["end"]) == (one["offsets"][0][0], one["offsets"][-1][1])


def test_a_line_is_a_sentence(folder):
    out, _ = runoff("tag", "texts/*.md", "texts/a.txt", "--lines", "--inline", cwd=folder)
    lines = out.splitlines()
    assert len(lines) == 3
    assert lines[0].startswith("It/PRP rains/")
    assert lines[2].endswith(":)/UH")


def test_a_folder_without_texts(tmp_path):
    _, errors = runoff("parse", tmp_path, status=2)
    assert "no files in this folder that end in .txt" in errors


def test_the_base_parser_alone(folder):
    out, _ = runoff("parse", "--base", "--json", "--n", 2, "texts/b.md", cwd=folder)
    lists = [json.loads(line) for line in out.splitlines()]
    assert all("score" not in one for nbest in lists for one in nbest["candidates"])
    logprobs = [one["logprob"] for one in lists[0]["candidates"]]
    assert logprobs == sorted(logprobs, reverse=True)
    runoff("parse", "--base", "--why", status=2)
    runoff("tag", "--lines", "--tokenized", status=2)
