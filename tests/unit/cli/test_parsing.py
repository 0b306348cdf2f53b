"""`runoff train parsing` and `runoff parse`: real processes, real files."""

import json
import os
import signal
import subprocess
import time

import pytest
from helpers.command import COMMAND, runoff
from helpers.made.trees import made_trees

import runoff as ro
from runoff.data.tree import write_trees

SMALL = (
    "--folds 3 --n 10 --min-lists 2 -O iterations=30 --tagger-option prior=10 "
    "--tagger-option min_count=1 --parser-option min_count=1"
).split()
TEXT = "The mayor sees Ann with the telescope. Bert reads the plan."


def training(folder, model, *options):
    files = [folder / "train.mrg", "--dev", folder / "dev.mrg", "-o", model]
    return ["train", "parsing", *files, *SMALL, *options]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("parsing")
    write_trees(made_trees(60), folder / "train.mrg")
    write_trees(made_trees(20, seed=1), folder / "dev.mrg")
    out, errors = runoff(*training(folder, folder / "m.runoff"))
    assert "reranked" in out
    assert "tagging accuracy" in out
    assert errors == ""
    return folder


def test_text_becomes_trees(folder, tmp_path):
    model = folder / "m.runoff"
    out, errors = runoff("parse", model, stdin=TEXT)
    trees = [ro.Tree.parse(line) for line in out.splitlines()]
    assert [tree.words[0] for tree in trees] == ["The", "Bert"]
    assert errors == ""
    (tmp_path / "a.txt").write_text(TEXT)
    runoff("parse", model, *[tmp_path / "a.txt"] * 3, "-o", tmp_path / "trees.mrg", "-j", 2)
    assert (tmp_path / "trees.mrg").read_text() == out * 3
    assert runoff("parse", model, stdin="")[0] == ""


def test_tokenised_and_tagged_sentences(folder):
    model = folder / "m.runoff"
    out, _ = runoff("parse", model, "--tokenized", stdin="Ann reads .\n\n-LRB- ?\n")
    assert len(out.splitlines()) == 3
    assert out.splitlines()[1] == "(TOP)"
    inline, _ = runoff("parse", model, "--tagged", stdin="Ann/NN reads/VBZ ./.\n")
    columns, _ = runoff("parse", model, "--tagged", stdin="Ann\tNN\nreads\tVBZ\n.\t.\n")
    assert inline == columns
    assert "(NN Ann)" in inline


def test_lists_and_scores(folder):
    model = folder / "m.runoff"
    lists = [runoff("parse", model, "--n", 3, "--json", "-j", j, stdin=TEXT)[0] for j in (1, 2)]
    assert lists[0] == lists[1]
    first = json.loads(lists[0].splitlines()[0])
    assert first["input"][:2] == ["The", "mayor"]
    assert {"output", "logprob", "score", "rank"} <= first["candidates"][0].keys()
    out, _ = runoff("parse", model, "--n", 3, stdin=TEXT)
    blocks = out.strip().split("\n\n")
    assert len(blocks) == 2
    score, tree = blocks[0].splitlines()[0].split("\t")
    assert tree == first["candidates"][0]["output"]
    assert float(score) == pytest.approx(first["candidates"][0]["score"], abs=1e-4)


def test_pictures_and_reasons(folder, tmp_path):
    model = folder / "m.runoff"
    out, _ = runoff("parse", model, "--draw", stdin=TEXT)
    assert "┌" in out
    runoff("parse", model, "--svg", tmp_path / "trees", stdin=TEXT)
    assert sorted(file.name for file in (tmp_path / "trees").iterdir()) == ["1.svg", "2.svg"]
    runoff("parse", model, "--svg", tmp_path / "one.svg", stdin="Ann reads.")
    assert (tmp_path / "one.svg").read_text().startswith("<svg")
    _, errors = runoff("parse", model, "--svg", tmp_path / "one.svg", stdin=TEXT, status=2)
    assert "more sentences" in errors
    out, _ = runoff("parse", model, "--why", stdin=TEXT)
    assert out.count("difference of scores") == out.count("┃ candidate") == 1
    drawn, _ = runoff("parse", model, "--why", "--draw", stdin="Ann reads.")
    assert drawn.startswith(" ")
    assert "there was no other tree" in drawn
    assert "there was no other tree to choose" in out


def test_lists_carry_reasons(folder, tmp_path):
    model, reasons = folder / "m.runoff", []
    out, _ = runoff("parse", model, "--json", "--why", "--n", 2, stdin=TEXT)
    plain, _ = runoff("parse", model, "--json", "--n", 2, stdin=TEXT)
    for line, other in zip(out.splitlines(), plain.splitlines(), strict=True):
        nbest = json.loads(line)
        reasons.append(nbest.pop("why"))
        assert nbest == json.loads(other)
    first, second = reasons
    assert second is None  # there was no other tree
    lists = tmp_path / "lists.jsonl"
    runoff("parse", model, "--json", "--n", 10, "-o", lists, stdin=TEXT)
    parser = ro.load(model)
    parser.ranker.save(tmp_path / "ranker")
    expected, _ = runoff("why", tmp_path / "ranker", lists, "--id", 1, "--json")
    assert first == json.loads(expected)
    terms = sum(term["contribution"] for term in first["terms"])
    assert terms == pytest.approx(first["difference"])


def test_the_tagger_of_a_parser_tags(folder, tmp_path):
    ro.load(folder / "m.runoff").tagger.save(tmp_path / "tagger")
    out, _ = runoff("tag", folder / "m.runoff", "--inline", stdin=TEXT)
    assert out.startswith("The/DT mayor/NN sees/VBZ Ann/NNP")
    assert runoff("tag", tmp_path / "tagger", "--inline", stdin=TEXT)[0] == out


def test_the_model_can_be_looked_into(folder):
    out, _ = runoff("inspect", folder / "m.runoff", "--top", 2)
    assert all(f"{part}, " in out for part in ("tagger", "parser", "grammars", "ranker"))
    runoff("inspect", folder / "m.runoff", "--plot", folder / "ranker.svg")
    assert "iteration" in (folder / "ranker.svg").read_text()
    seen = json.loads(runoff("inspect", folder / "m.runoff", "--json")[0])
    assert set(seen["parts"]) == {"tagger", "parser", "grammars", "ranker"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nosuch.runoff"], "no such file"),
        (["MODEL", "nosuch.txt"], "no such file"),
        (["MODEL", "--draw", "--json"], "choose one of"),
        (["MODEL", "--svg", "trees", "--why", "--json"], "choose one of"),
        (["MODEL", "--why", "--n", "3"], "--n and --output can be combined"),
        (["MODEL", "--tokenized", "--tagged"], "choose one of"),
        (["MODEL", "--draw", "--n", "3"], "--n and --output can be combined"),
    ],
)
def test_wrong_usage_is_one_sentence(folder, arguments, message):
    given = [str(folder / "m.runoff") if one == "MODEL" else one for one in arguments]
    _, errors = runoff("parse", *given, stdin=TEXT, status=2)
    assert message in errors


def test_text_that_is_none(folder):
    _, errors = runoff("parse", folder / "m.runoff", stdin=b"Ann \xff\n", status=2)
    assert "not UTF-8" in errors
    out, _ = runoff("parse", folder / "m.runoff", stdin=b"Ann \x00\x01 reads.\n")
    assert ro.Tree.parse(out).words == ("Ann", "\x00", "\x01", "reads", ".")
    out, _ = runoff("parse", folder / "m.runoff", "--tokenized", stdin=b"Ann\x0b reads .\n")
    assert ro.Tree.parse(out).words == ("Ann\N{REPLACEMENT CHARACTER}", "reads", ".")


ODD = [
    "",
    " \t",
    "the mayor sees the plan of " * 65 + "Ann .",  # close to the limit
    "x" * 60_000,
    "".join(map(chr, range(1, 32))) + " Ann \x7f reads \x85.",
    "Ann\0reads \0\0 the plan.\0",
    "市长看见安。 Мэр видит Анну. العمدة يرى. नमस्ते दुनिया। 😀😀 e\u0301 \u202eAnn\u2028Bert\ufeff",
    "THE MAYOR SEES ANN WITH THE TELESCOPE. BERT READS.",
    "... !!! ??? ((( ))) -- ; : '' `` \" [ ] { } < > | \\ / * # -LRB- -RRB- (TOP (S",
]


@pytest.mark.parametrize("option", ["--tokenized", "--json", "--draw", "--why", None])
def test_odd_text_gives_trees_of_its_words(folder, option):
    arguments = ["parse", folder / "m.runoff", *([option] if option else [])]
    out, errors = runoff(*arguments, "-j", 1, stdin="\n\n".join(ODD))
    assert errors == ""
    assert runoff(*arguments, "-j", 2, stdin="\n\n".join(ODD)) == (out, "")
    if option is None:
        words = [word for line in out.split("\n")[:-1] for word in ro.Tree.parse(line).words]
        assert "".join(words) == "".join("".join(ODD).split())


@pytest.mark.parametrize(
    ("option", "end"),
    [
        ("--json", b"\xff\xfe"),
        ("--json", b"\xe7\xa5"),
        ("--tokenized", b"\xed\xa0\x80"),
        ("--tagged", b"\xc0\x80"),
    ],
)
def test_what_is_not_utf_8_is_refused_in_a_sentence(folder, option, end):
    out, errors = runoff("parse", folder / "m.runoff", option, stdin=b"Ann/NN\n\n" + end, status=2)
    assert len(errors.splitlines()) == 1
    assert "not UTF-8" in errors
    assert out == ""


def test_many_documents_stream_in_order(folder):
    given = "".join(f"{TEXT} Ann sees the road {number}.\n\n" for number in range(500))
    out, _ = runoff("parse", folder / "m.runoff", stdin=given)
    lines = out.splitlines()
    assert len(lines) == 1500
    assert [ro.Tree.parse(line).words[-2] for line in lines[2::3]] == list(map(str, range(500)))
    assert runoff("parse", folder / "m.runoff", "-j", 2, stdin=given)[0] == out


def test_training_prints_json_and_says_what_is_wrong(folder, tmp_path):
    work = folder / "m.runoff.work"
    out, _ = runoff(*training(folder, tmp_path / "m.runoff", "--json", "--work", work))
    seen = json.loads(out)
    assert seen["trees"] == 60
    assert seen["dev"]["figures"]["reranked"]["all"]["F1"] > 90
    assert (tmp_path / "m.runoff").read_bytes() == (folder / "m.runoff").read_bytes()
    command = training(folder, tmp_path / "m.runoff", "--work", tmp_path, "--learner", "magic")
    _, errors = runoff(*command, status=2)
    assert "unknown learner 'magic'" in errors
    assert not list(tmp_path.glob("tagger-*"))


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL])
def test_killed_training_goes_on_to_the_same_bytes(folder, tmp_path, sent):
    model = tmp_path / "m.runoff"
    command = [*COMMAND, *map(str, training(folder, model, "-j", 2))]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True)
    time.sleep(1.2)  # any moment will do
    os.killpg(process.pid, sent)
    status = process.wait(timeout=60)
    assert "Traceback" not in process.stderr.read().decode()
    process.stderr.close()
    assert status in (0, 130, -sent)
    runoff(*training(folder, model))
    assert model.read_bytes() == (folder / "m.runoff").read_bytes()
