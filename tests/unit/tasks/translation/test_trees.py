"""Translators by trees from the command line: trained, applied, explained, given bad input."""

import json

import numpy as np
import pytest
from helpers.command import runoff
from helpers.made.trees_to_strings import passive, passives, write_passives

import runoff as ro
from runoff.data.tree import Tree
from runoff.errors import FormatError, ModelError, RunoffError
from runoff.store.file import load, save

TRAIN = ("train", "translation", "--system", "tree", "--tokenized", "--order", "2")
RULE = "VP(VBD(was) VP(x1:VBN PP(IN(by) x2:NP))) -> 被 x2 x1"


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    folder = tmp_path_factory.mktemp("trees")
    given = write_passives(folder)
    runoff(*TRAIN, *given, "-o", str(folder / "m.runoff"))
    return folder, given


@pytest.fixture
def unseen(tmp_path):
    tree, target = passive("door", "opened", "mayor")
    path = tmp_path / "new.mrg"
    path.write_text(f"{tree}\n")
    return str(path), target


def test_the_doer_goes_before_the_verb(trained, unseen):
    folder, _ = trained
    model, (path, target) = str(folder / "m.runoff"), unseen
    for search in ("cube", "rescore", "direct"):
        made = runoff("translate", model, "--trees", path, "--search", search)
        assert made[0].strip() == target
    nbest = json.loads(runoff("translate", model, "--trees", path, "--json", "--n", "5")[0])
    best = nbest["candidates"][0]
    assert best["output"] == target
    assert nbest["input"] == "the door was opened by the mayor ."
    assert (
        sum(one["features"].get("rules", 0) for one in best["derivation"])
        == (best["features"]["rules"])
    )
    texts = [one["output"] for one in nbest["candidates"]]
    assert len(set(texts)) == len(texts)


def test_rules_explain_and_add_up(trained, tmp_path):
    folder, _ = trained
    model = ro.load(folder / "m.runoff")
    assert RULE in {model.rule_text(number) for number in range(len(model.decoder.table))}
    tree, target = passive("door", "caught", "mayor")
    path = tmp_path / "caught.mrg"
    path.write_text(f"{tree}\n")
    why = json.loads(
        runoff("translate", str(folder / "m.runoff"), "--trees", path, "--why", "--json")[0]
    )
    total = sum(one["score"] for one in why["rules"]) + sum(why["whole"].values())
    assert total == pytest.approx(why["winner"]["logprob"])
    terms = why["reasons"]["terms"]
    assert sum(one["contribution"] for one in terms) == pytest.approx(why["reasons"]["difference"])
    shown = runoff("translate", str(folder / "m.runoff"), "--trees", path, "--why")[0]
    assert target in shown
    assert "difference of scores" in shown


def test_a_tree_is_drawn_cut_into_rules(trained, unseen, tmp_path):
    folder, _ = trained
    path, _ = unseen
    model = str(folder / "m.runoff")
    assert "→门" in runoff("translate", model, "--trees", path, "--draw")[0]
    runoff("translate", model, "--trees", path, "--svg", str(tmp_path / "one.svg"))
    assert "→门" in (tmp_path / "one.svg").read_text()


def test_rules_with_a_word_or_a_label_are_listed(trained):
    folder, _ = trained
    model = str(folder / "m.runoff")
    for token in ("by", "被", "VBN"):
        tables = json.loads(runoff("inspect", model, "--having", token, "--json")[0])["tables"]
        rules = tables[-1]["rows"]
        assert rules
        assert all(token in one["rule"] for one in rules)


def test_raw_text_is_parsed_and_steps_without_a_rule_are_marked(trained):
    folder, _ = trained
    model = ro.load(folder / "m.runoff")
    assert model.raw_source is False
    (nbest,) = model.lists(["Zzyzx"])
    assert nbest.candidates[0].output == "zzyzx"
    assert nbest.candidates[0].extra["derivation"][0]["rule"] == "kept"
    assert model.translate("") == ""


def test_a_rule_of_ones_own_is_added(trained, tmp_path, unseen):
    _, given = trained
    (tmp_path / "rules").write_text("NN(mayor) -> 镇长 ||| count=10000\n")
    runoff(*TRAIN, *given, "--rules", str(tmp_path / "rules"), "-o", str(tmp_path / "m.runoff"))
    made = runoff("translate", str(tmp_path / "m.runoff"), "--trees", unseen[0], "--search",
                  "direct")  # fmt: skip
    assert made[0].strip() == "门 被 镇长 打开 。"


def test_training_resumes_to_the_same_bytes_and_tunes(trained, tmp_path):
    _, given = trained
    dev = ["--dev-source", given[1], "--dev-target", given[3], "--dev-trees", given[5]]
    how = (*TRAIN, *given, *dev, "--rounds", "2", "--n", "10", "--work", str(tmp_path / "work"))
    runoff(*how, "-o", str(tmp_path / "one.runoff"))
    steps = sorted((tmp_path / "work").glob("*.runoff"))
    assert steps
    steps[0].unlink()
    runoff(*how, "-o", str(tmp_path / "two.runoff"))
    one, other = (tmp_path / f"{name}.runoff" for name in ("one", "two"))
    assert one.read_bytes() == other.read_bytes()
    assert ro.load(one).training["tuning"][-1]["BLEU"] > 50


def test_chains_of_a_thousand_nodes_do_not_overflow(trained):
    folder, _ = trained
    model = ro.load(folder / "m.runoff")
    deep = "(S " * 1000 + "(NN door)" + ")" * 1000
    (found,) = model.derivations(deep)
    assert found.words == ["门"]
    assert len(found.steps) == 1001


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("trees", "(S (NN a))\n", "has 1 trees for"),
        ("trees", None, "does not match line 2 of its text"),
        ("links", "9-0\n" * len(passives()), ":1: "),
        ("rules", "NN(a) -> x1\n", ":1: the variable x1 of the target is not in the tree"),
    ],
)
def test_bad_input_is_said_in_a_sentence(trained, tmp_path, name, text, problem):
    _, given = trained
    if text is None:
        lines = [tree for tree, _ in passives()]
        lines[1] = passive("door", "opened", "mayor")[0]
        text = "".join(f"{line}\n" for line in lines)
    (tmp_path / name).write_text(text)
    made = runoff(*TRAIN, *given, f"--{name}", str(tmp_path / name), "-o",
                  str(tmp_path / "m.runoff"), status=2)  # fmt: skip
    assert problem in made[1]
    assert not (tmp_path / "m.runoff").exists()


def test_trees_with_nothing_in_them(trained):
    folder, _ = trained
    model = ro.load(folder / "m.runoff")
    assert model.derivations(Tree("TOP"))[0].words == []
    with pytest.raises(FormatError, match="a label without words"):
        model.derivations(Tree("S", [Tree("NP"), Tree("NN", ["door"])]))
    assert model.derivations("(NEW (LABELS (NN door)))")[0].words == ["门"]


def test_options_of_the_other_kind_are_refused(trained, tmp_path):
    folder, given = trained
    tree = str(folder / "m.runoff")
    made = runoff("translate", tree, "--beam", "single-beam", stdin="", status=2)
    assert "--beam needs a translator with blocks" in made[1]
    phrases = tmp_path / "p.runoff"
    runoff("train", "translation", *given[:4], "--tokenized", "--order", "2", "-o", str(phrases))
    made = runoff("translate", str(phrases), "--parses", "2", stdin="", status=2)
    assert "--parses needs a translator by trees" in made[1]
    made = runoff("train", "translation", *given, "-o", str(phrases), status=2)
    assert "--trees needs --system tree" in made[1]


@pytest.mark.parametrize(
    ("array", "value"),
    [
        ("rules.target_starts", 10**9),
        ("rules.first_children", 0),
        ("rules.first_rules", 10**9),
        ("rules.targets", 2**31 + 5),
        ("rules.targets", 10**6),
        ("rules.production_starts", 10**9),
        ("rules.parents", 10**9),
        ("rules.scores", np.nan),
    ],
)
def test_a_broken_model_is_an_error(trained, tmp_path, array, value):
    folder, _ = trained
    kind, header, arrays = load(folder / "m.runoff", map=False)
    broken = np.array(arrays[array])
    broken[...] = value
    save(tmp_path / "broken.runoff", kind, header, {**arrays, array: broken})
    with pytest.raises((ModelError, RunoffError, ValueError)):
        model = ro.load(tmp_path / "broken.runoff")
        for tree, _ in passives():
            for one in model.derivations(tree):
                [model.rule_text(step.block) for step in one.steps]
