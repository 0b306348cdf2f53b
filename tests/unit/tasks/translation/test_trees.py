"""Translators by trees: trained, applied, explained, given bad input."""

import json
from dataclasses import replace

import numpy as np
import pytest
from helpers.command import runoff
from helpers.made.trees_to_strings import passive, passives, write_passives

import runoff as ro
from runoff.data.tree import Tree
from runoff.errors import FormatError, RunoffError, UsageError
from runoff.store.file import load, save
from runoff.tasks.translation.train import Plan, train

RULE = "VP(VBD(was) VP(x1:VBN PP(IN(by) x2:NP))) -> 被 x2 x1"
UNSEEN, TARGET = passive("door", "opened", "mayor")


def learned(files, *dev, work=None, **options):
    own = {"trees": files["trees"], "links": files["links"]} | options
    plan = Plan(system="tree", tokenized=True, order=2, **own)
    return train([files["source"], files["target"]], [*dev], plan=plan, work=work)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return write_passives(tmp_path_factory.mktemp("trees"))


@pytest.fixture(scope="module")
def file(files, tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "m.runoff"
    learned(files).save(path)
    return path


@pytest.fixture
def model(file):
    return ro.load(file)


@pytest.fixture
def unseen(tmp_path):
    path = tmp_path / "new.mrg"
    path.write_text(f"{UNSEEN}\n")
    return path


@pytest.mark.parametrize("search", ["cube", "rescore", "direct"])
def test_the_doer_goes_before_the_verb(model, search):
    model.search = replace(model.search, search=search)
    (nbest,) = model.lists([Tree.parse(UNSEEN)], 5)
    best = nbest.candidates[0]
    assert best.output == TARGET
    assert nbest.input == "the door was opened by the mayor ."
    texts = [one.output for one in nbest.candidates]
    assert len(set(texts)) == len(texts)
    if search == "cube":
        rules = sum(one["features"]["rules"] for one in best.extra["derivation"])
        assert rules == best.features["rules"]
        terms = model.own_terms(nbest)
        assert terms.values @ terms.weights == pytest.approx([c.logprob for c in nbest.candidates])


def test_the_command_trains_translates_and_explains(files, tmp_path, unseen):
    given = [part for name, own in files.items() for part in (f"--{name}", own)]
    model = str(tmp_path / "m.runoff")
    runoff("train", "translation", "--system", "tree", "--tokenized", "--order", "2", *given, "-o",
           model)  # fmt: skip
    assert runoff("translate", model, "--trees", str(unseen))[0] == f"{TARGET}\n"
    tree, target = passive("door", "caught", "mayor")
    unseen.write_text(f"{tree}\n")
    why = json.loads(runoff("translate", model, "--trees", str(unseen), "--why", "--json")[0])
    total = sum(one["score"] for one in why["rules"]) + sum(why["whole"].values())
    assert total == pytest.approx(why["winner"]["logprob"])
    terms = why["reasons"]["terms"]
    assert sum(one["contribution"] for one in terms) == pytest.approx(why["reasons"]["difference"])
    shown = runoff("translate", model, "--trees", str(unseen), "--why")[0]
    assert target in shown
    assert "difference of scores" in shown
    assert "→门" in runoff("translate", model, "--trees", str(unseen), "--draw")[0]
    runoff("translate", model, "--trees", str(unseen), "--svg", str(tmp_path / "one.svg"))
    assert "→门" in (tmp_path / "one.svg").read_text()
    found = runoff("inspect", model, "--having", "VBN", "--json", "--top", "99")[0]
    rules = [row["rule"] for row in json.loads(found)["tables"][-1]["rows"]]
    assert RULE in rules
    assert all("VBN" in rule for rule in rules)
    refused = runoff("translate", model, "--beam", "single-beam", stdin="", status=2)
    assert "--beam needs a translator with blocks" in refused[1]


@pytest.mark.parametrize("token", ["by", "被", "PP"])
def test_rules_with_a_word_or_a_label_are_listed(model, token):
    symbols, words = model.decoder.symbols.numbered, model.decoder.target.numbered
    symbol = symbols.get(f" {token}", symbols.get(token))
    found = set(model.decoder.table.having(symbol, words.get(token)))
    texts = {number: model.rule_text(number) for number in range(len(model.decoder.table))}
    assert found == {number for number, text in texts.items() if token in text}


def test_raw_text_is_parsed_and_steps_without_a_rule_are_marked(model):
    assert model.raw_source is False
    (nbest,) = model.lists(["Zzyzx"])
    assert nbest.candidates[0].output == "zzyzx"
    assert nbest.candidates[0].extra["derivation"][0]["rule"] == "kept"
    assert model.translate("") == ""


def test_words_are_translated_under_labels_they_were_never_seen_with(model):
    (found,) = model.derivations(UNSEEN.replace("(NN door)", "(JJ door)"))
    assert "门" in found.words
    assert "*(door) -> 门" in [model.rule_text(step.block) for step in found.steps]


@pytest.mark.parametrize("search", ["cube", "rescore", "direct"])
def test_a_line_whose_time_is_up_has_a_translation(file, unseen, search):
    how = "--trees", str(unseen), "--search", search
    late = runoff("translate", str(file), *how, "--budget", "0s", "--n", "5")[0]
    assert len(late.strip().splitlines()) == 1
    assert (
        runoff("translate", str(file), *how, "--budget", "9m", "--n", "5")[0]
        == (runoff("translate", str(file), *how, "--n", "5")[0])
    )


def test_several_parses_are_merged_by_string(model):
    from runoff.proposers.translation.trees.source import Parse

    other = UNSEEN.replace("(NN door)", "(JJ door)")
    model.search = replace(model.search, parses=2)
    (found,) = model.found([[Parse(UNSEEN, -1.0), Parse(other, -2.0)]], 5)
    words = [tuple(one.words) for one in found.derivations]
    assert len(set(words)) == len(words)
    assert found.derivations[0].parse == 0
    assert found.derivations[0].features[10] == -1.0


def test_a_rule_of_ones_own_is_added(files, tmp_path):
    (tmp_path / "rules").write_text("NN(mayor) -> 镇长 ||| count=10000\n")
    model = learned(files, rules=str(tmp_path / "rules"), search_trees="direct")
    assert model.derivations(UNSEEN)[0].words == "门 被 镇长 打开 。".split()


def test_training_resumes_to_the_same_bytes_and_tunes(files, tmp_path):
    dev = files["source"], files["target"]
    how = {"dev_trees": files["trees"], "rounds": 2, "n": 10, "work": tmp_path / "work"}
    learned(files, *dev, **how).save(tmp_path / "one.runoff")
    steps = sorted((tmp_path / "work").glob("*.runoff"))
    steps[0].unlink()
    steps[-1].unlink()
    again = learned(files, *dev, **how)
    again.save(tmp_path / "two.runoff")
    assert (tmp_path / "one.runoff").read_bytes() == (tmp_path / "two.runoff").read_bytes()
    assert again.training["tuning"][-1]["BLEU"] > 50


def test_rules_of_binary_trees_take_some_of_the_children(files, tmp_path):
    learned(files, binarise=True).save(tmp_path / "m.runoff")
    model = ro.load(tmp_path / "m.runoff")
    found = model.derivations(UNSEEN)[0]
    assert " ".join(found.words) == TARGET
    texts = [model.rule_text(number) for number in range(len(model.decoder.table))]
    assert "S(x1:NP S~(x2:VP .(.))) -> x1 x2 。" in texts
    assert not any(text.startswith("S(x1:NP x2:VP") for text in texts)


def test_chains_of_a_thousand_nodes_do_not_overflow(model):
    (found,) = model.derivations("(S " * 1000 + "(NN door)" + ")" * 1000)
    assert found.words == ["门"]
    assert len(found.steps) == 1001


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("trees", "(S (NN a))\n", "has 1 trees for"),
        ("trees", "(S (NP) (NN a))\n", "tree 1 has a label without words"),
        ("trees", None, "does not match line 2 of its text"),
        ("links", "9-0\n" * len(passives()), ":1: "),
        ("rules", "NN(a) -> x1\n", ":1: the variable x1 of the target is not in the tree"),
    ],
)
def test_bad_input_is_said_in_a_sentence(files, tmp_path, name, text, problem):
    if text is None:
        trees = [tree for tree, _ in passives()]
        trees[1] = UNSEEN
        text = "".join(f"{tree}\n" for tree in trees)
    (tmp_path / name).write_text(text)
    with pytest.raises(FormatError) as error:
        learned(files, **{name: str(tmp_path / name)})
    assert problem in str(error.value)
    assert str(tmp_path / name) in str(error.value)


def test_a_tree_that_is_wrong_is_named_with_its_file(file, tmp_path):
    path = tmp_path / "new.mrg"
    path.write_text(f"{UNSEEN}\n(S (NP) (NN door))\n")
    refused = runoff("translate", str(file), "--trees", str(path), status=2)
    assert f"{path}: tree 2 has a label without words" in refused[1]


def test_trees_with_nothing_in_them(model):
    assert model.derivations(Tree("TOP"))[0].words == []
    with pytest.raises(FormatError, match="a label without words"):
        model.derivations(Tree("S", [Tree("NP"), Tree("NN", ["door"])]))
    assert model.derivations("(NEW (LABELS (NN door)))")[0].words == ["门"]


@pytest.mark.parametrize("options", [{"trees": "a"}, {"features": "huang"}, {"raw_source": True}])
def test_options_of_the_other_kind_are_refused(options):
    with pytest.raises(UsageError, match="--system"):
        Plan(**options)


@pytest.mark.parametrize(
    ("array", "value"),
    [
        ("rules.target_starts", 10**9),
        ("rules.first_children", 0),
        ("rules.first_rules", 10**9),
        ("rules.targets", 2**31 + 5),
        ("rules.targets", 10**6),
        ("rules.production_starts", 10**9),
        ("rules.scores", np.nan),
    ],
)
def test_a_broken_model_is_an_error(file, tmp_path, array, value):
    kind, header, arrays = load(file, map=False)
    broken = np.array(arrays[array])
    broken[...] = value
    save(tmp_path / "broken.runoff", kind, header, {**arrays, array: broken})
    with pytest.raises(RunoffError):
        ro.load(tmp_path / "broken.runoff").derivations(UNSEEN)
