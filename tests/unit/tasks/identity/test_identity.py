"""Records into clusters: order, reasons, decisions, lists, and bad input."""

import json
import os
import random
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from helpers.made.people import made_records
from typer.testing import CliRunner

import runoff as ro
from runoff.cli.app import app
from runoff.engine import Engine
from runoff.errors import FormatError, UsageError
from runoff.proposers.identity.canopies import Canopies
from runoff.proposers.identity.compared import Compared, MergeRule
from runoff.proposers.identity.distinct import distinct
from runoff.proposers.identity.folds import Folds
from runoff.proposers.identity.learning import BUILT_IN, fit_logistic
from runoff.proposers.identity.program import Program
from runoff.proposers.identity.statements import statement_of
from runoff.tasks.identity.clusterings import clusterings
from runoff.tasks.identity.decisions import Decision, read_decisions
from runoff.tasks.identity.evaluate import judged
from runoff.tasks.identity.model import IdentityModel
from runoff.tasks.identity.train import Plan, joined, train


@pytest.fixture(scope="module")
def model():
    return train(made_records(30, seed=1), plan=Plan(prior=(0.03,), pair_prior=(0.1,), folds=2))


@pytest.fixture(scope="module")
def found(model):
    return model.resolve(made_records(20, seed=2))


def command(*arguments, status=0):
    result = CliRunner().invoke(app, [str(one) for one in arguments])
    assert result.exit_code == status, result.output
    return result


def as_sets(clusters):
    return {frozenset(one) for one in clusters}


def test_it_learns_which_records_are_one_thing(model):
    scores = judged(model, joined(made_records(20, seed=2), None), "cluster")
    assert scores["pair-f1"] > 0.95
    assert scores["gold clusters"] == 20


def test_the_order_of_records_makes_no_difference(model, found):
    rows = made_records(20, seed=2)
    for seed in range(3):
        random.Random(seed).shuffle(rows)
        again = model.resolve(rows)
        assert as_sets(again) == as_sets(found)
        assert dict(zip(again.records.ids, again.confidences, strict=True)) == dict(
            zip(found.records.ids, found.confidences, strict=True)
        )
        assert [i for i in again.records.ids] == [row["id"] for row in rows]


def test_training_does_not_depend_on_the_order_either(model):
    rows = made_records(30, seed=1)
    random.Random(5).shuffle(rows)
    again = train(rows, plan=Plan(prior=(0.03,), pair_prior=(0.1,), folds=2))
    assert again.weights.tolist() == model.weights.tolist()


def test_reasons_are_terms_that_sum_to_the_log_odds(found):
    same = next(one for one in found if len(one) > 2)
    other = next(one for one in found if one is not same)
    together, apart = found.why(same[0], same[-1]), found.why(same[0], other[0])
    assert together.same
    assert not apart.same
    for joint in (*together.chain, *apart.chain):
        assert sum(term.term for term in joint.terms) == pytest.approx(joint.logodds)
    last = together.chain[-1]
    assert {same[0], same[-1]} <= {*last.first, *last.second}
    gains = found.merges.gains
    assert min(abs(last.logodds - gain) for gain in gains) < 1e-4
    assert {*apart.chain[0].first, *apart.chain[0].second} == {*same, *other}
    with pytest.raises(UsageError, match="no record with the id 'nobody'"):
        found.why("nobody", same[0])


def test_decisions_bind(model, found):
    same = next(one for one in found if len(one) > 2)
    other = next(one for one in found if one is not same)
    decisions = [Decision(same[0], same[1], False), Decision(same[0], other[0], True)]
    bound = model.resolve(made_records(20, seed=2), decisions=decisions)
    where = {one: label for one, label in zip(bound.records.ids, bound.labels, strict=True)}
    assert where[same[0]] != where[same[1]]
    assert where[same[0]] == where[other[0]]


def test_decisions_that_contradict_each_other_or_speak_of_nobody(model, found):
    a, b, c = found.records.ids[:3]
    rows = made_records(20, seed=2)
    with pytest.raises(UsageError, match="decisions contradict each other"):
        no, yes = Decision(a, c, False), [Decision(a, b, True), Decision(b, c, True)]
        model.resolve(rows, decisions=[no, *yes])
    with pytest.raises(UsageError, match="'zz', which is the id of no record"):
        model.resolve(rows, decisions=[Decision(a, "zz", True)])
    twins = [rows[0], {**rows[0], "id": "copy"}]
    with pytest.raises(UsageError, match="equal in every field"):
        model.resolve(twins, decisions=[Decision(rows[0]["id"], "copy", False)])


def test_doubts_are_reviewed_and_fed_back(model, tmp_path):
    model.save(tmp_path / "m")
    lines = [json.dumps(row) for row in made_records(20, seed=2)]
    (tmp_path / "r.jsonl").write_text("\n".join(lines))
    given = ("resolve", tmp_path / "m", tmp_path / "r.jsonl")
    command(*given, "-o", tmp_path / "c.csv", "--review", tmp_path / "d.csv", "--doubts", "4")
    head, *rows = (tmp_path / "d.csv").read_text().splitlines()
    assert head.startswith("first,second,answer,merged,logodds,name 1,name 2")
    assert len(rows) == 4
    merged = rows[0].split(",")[3] == "yes"
    answer = rows[0].replace(",,", ",no," if merged else ",yes,", 1)
    # the stand-in of records reads JSON Lines only
    keys = head.split(",")[:3]
    (tmp_path / "d.jsonl").write_text(
        json.dumps(dict(zip(keys, answer.split(",")[:3], strict=True)))
    )
    decided = read_decisions(tmp_path / "d.jsonl")
    assert [one.same for one in decided] == [not merged]
    command(*given, "-o", tmp_path / "e.csv", "--decisions", tmp_path / "d.jsonl")
    assert (tmp_path / "e.csv").read_text() != (tmp_path / "c.csv").read_text()


def test_answers_are_training_data(tmp_path):
    rows = made_records(12, seed=1)
    same, other = (row["id"] for row in rows[:2]), rows[3]["id"]
    first, second = same
    for row in rows[:6]:
        row["cluster"] = None
    plan = Plan(prior=(0.03,), pair_prior=(0.1,), gain=("union",), sampling=("weak",))
    less = train(rows, plan=plan)
    assert less.training["records"] == len(rows) - 6
    file = tmp_path / "answers.csv"
    file.write_text(f"first,second,answer\n{first},{second},yes\n{first},{other},no\n,,\n")
    more = train(rows, plan=replace(plan, decisions=str(file)))
    assert more.training["records"] == len(rows) - 3
    assert more.training["clusters"] == less.training["clusters"] + 2
    assert more.weights.tolist() != less.weights.tolist()
    file.write_text(f"first,second,answer\n{first},{second},yes\n{second},{first},no\n")
    with pytest.raises(FormatError, match=r"answers.csv: .* are not one thing by an answer"):
        train(rows, plan=replace(plan, decisions=str(file)))


def test_equal_records_are_certainly_one_thing():
    """Without a model too, where they had a confidence of one half."""
    rows = [{"name": "Ada Byron"}, {"name": "Ada Byron"}, {"name": "Grace Hopper"}]
    found = IdentityModel.untrained(["name"]).resolve(rows)
    assert list(found) == [["1", "2"], ["3"]]
    assert min(found.confidences) > 0.99


def test_a_search_for_weights_ends_before_its_limit(model):
    """A search that is cut off has weights that hang on rounding, and so do clusters."""
    draw = np.random.default_rng(1)
    values = draw.normal(size=(500, 20)) * 10.0 ** draw.integers(-2, 2, 20)
    found = fit_logistic(values, draw.random(500) < 0.5, 10.0, np.zeros(20))
    assert found.state["done"][0]
    assert len(found.rows) < 100


def test_several_clusterings_are_an_n_best_list(model):
    (nbest,) = clusterings(model, made_records(12, seed=2), 8, cluster="cluster")
    assert len(nbest) == 8
    scores = [one.logprob for one in nbest.candidates]
    assert scores == sorted(scores, reverse=True)
    assert sum(np.exp(scores)) == pytest.approx(1)
    everyone = sorted(i for one in nbest.gold for i in one)
    for one in nbest.candidates:
        assert sorted(i for cluster in one.output for i in cluster) == everyone
    assert len({json.dumps(one.output) for one in nbest.candidates}) == 8
    first = nbest.candidates[0]
    assert first.features["clusters"] == len(first.output)
    sizes = [len(one) for one in first.output]
    assert first.features["count records > 2"] == sum(size > 2 for size in sizes)
    blocked = train(
        made_records(30, seed=1), plan=Plan(block="year", prior=(0.03,), pair_prior=(0.1,))
    )
    rows = made_records(12, seed=2)
    assert len(list(clusterings(blocked, rows, 3))) == 12
    rows[0]["year"] = None
    assert [one.id for one in clusterings(blocked, rows[:1], 3)] == ["without year"]


def test_without_a_model_it_says_that_it_is_untrained(tmp_path):
    (tmp_path / "r.jsonl").write_text("\n".join(map(json.dumps, made_records(4, seed=2))))
    result = command("resolve", tmp_path / "r.jsonl", "--gold", "cluster")
    assert "without a model" in result.stderr
    assert result.stdout.startswith("id,cluster,confidence\n")
    assert len(result.stdout.splitlines()) == 13


def test_a_field_that_no_record_has_is_noted(model, tmp_path):
    model.save(tmp_path / "m")
    rows = [{**row, "year": None} for row in made_records(4, seed=2)]
    (tmp_path / "r.jsonl").write_text("\n".join(map(json.dumps, rows)))
    result = command("resolve", tmp_path / "m", tmp_path / "r.jsonl")
    assert "no record has a value for year, which the model compares" in result.stderr
    assert len(result.stdout.splitlines()) == len(rows) + 1


def test_statements_are_written_out_and_used(tmp_path):
    (tmp_path / "r.jsonl").write_text("\n".join(map(json.dumps, made_records(8, seed=2))))
    file = tmp_path / "s.toml"
    command("resolve", tmp_path / "r.jsonl", "--gold", "cluster", "--write-statements", file)
    assert "cluster" not in file.read_text()
    own = train(str(tmp_path / "r.jsonl"), plan=Plan(statements=str(file), prior=(0.1,)))
    assert set(own.fields) == {"name", "title", "town", "year"}
    file.write_text('[[statement]]\nsome = "middle(nome)"\n')
    with pytest.raises(FormatError, match=r"s.toml:1: unknown field 'nome'"):
        train(str(tmp_path / "r.jsonl"), plan=Plan(statements=str(file)))


def test_two_middle_names_keep_people_apart():
    """The paper's example: A. Miller is like both A. B. Miller and A. C. Miller."""
    rows = []
    for person in range(40):
        initials, last = ("B", "C")[person % 2], f"Miller{person // 2}"
        names = (f"A. {initials}. {last}", f"A. {initials}. {last}")
        rows += [
            {"name": name, "title": f"paper {person * 2 + i}", "cluster": str(person)}
            for i, name in enumerate(names)
        ]
    model = train(rows, plan=Plan(prior=(0.3,), pair_prior=(1.0,), loose=0.0))
    place = [str(one) for one in model.statements].index("some middle(name)")
    assert model.pair_weights[place] < 0
    test = [{"id": n, "name": f"A. {n} Miller99", "title": "paper 7"} for n in ("B.", "C.")]
    assert len(model.resolve(test)) == 2


def test_bad_input_is_one_sentence(model, tmp_path):
    rows = made_records(20, seed=2)
    (one,) = model.resolve(rows[:1])
    assert one == [rows[0]["id"]]
    empty = [{"id": i, "name": None, "title": "", "town": None, "year": None} for i in range(3)]
    assert len(model.resolve(empty)) == 3  # nothing is known of them, so they are equal in nothing
    with pytest.raises(FormatError, match="compares the field 'town', which these records do not"):
        model.resolve([{"name": "x", "title": "y", "year": "1"}])
    with pytest.raises(FormatError, match="needs two clusters or more"):
        train([{"name": "x", "cluster": "1"}, {"name": "y", "cluster": "1"}])
    with pytest.raises(FormatError, match="no column 'cluster'"):
        train([{"name": "x"}, {"name": "y"}])
    with pytest.raises(UsageError, match="unknown gain 'onion'"):
        Plan(gain=("onion",))
    model.save(tmp_path / "m")
    ro.load(tmp_path / "m")
    (tmp_path / "x").write_bytes((tmp_path / "m").read_bytes()[:-9])
    with pytest.raises(FormatError, match="damaged"):
        ro.load(tmp_path / "x")


GOOD = '{"id": "a", "name": "A. Wu", "title": "x", "town": "y", "year": 1}\n'
BAD = {
    "an id twice": (GOOD + GOOD, "r.jsonl:2: id: 'a' is also the id of line 1"),
    "no such field": (
        '{"name": "A. Wu"}\n',
        "compares the field 'title', which these records do not",
    ),
    "a long field": (
        GOOD + '{"id": "b", "name": "' + "x" * 10_000_000 + '"}\n',
        "r.jsonl:2: name: a field of more than 1,000,000 characters",
    ),
    "another encoding": (GOOD + '{"id": "b", "name": "Jos\udce9"}\n', "r.jsonl:2: not UTF-8"),
    "nothing": ("", "r.jsonl: the file is empty"),
    "an object": (
        '{"id": "a", "name": {}}\n',
        "r.jsonl:1: name: expected text, a number",
    ),
}


@pytest.mark.parametrize("what", BAD)
def test_a_bad_file_is_one_sentence_and_nothing_is_written(what, model, tmp_path):
    text, problem = BAD[what]
    model.save(tmp_path / "m")
    (tmp_path / "r.jsonl").write_bytes(text.encode("utf-8", "surrogateescape"))
    out = tmp_path / "out.csv"
    result = command("resolve", tmp_path / "m", tmp_path / "r.jsonl", "-o", out, status=2)
    assert problem in result.stderr
    assert not out.exists()


def test_neither_hash_seeds_nor_threads_change_what_is_learned_or_found(tmp_path):
    lines = [json.dumps(row) for row in made_records(20, seed=1)]
    (tmp_path / "r.jsonl").write_text("\n".join(lines))
    code = "from runoff.cli import main; main()"
    found = set()
    for seed, threads in (("1", "1"), ("2", "2")):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "OMP_NUM_THREADS": threads}
        for arguments in (
            ["train", "identity", "r.jsonl", "-o", "m", "--pair-prior", "1", "--jobs", threads],
            ["resolve", "m", "r.jsonl", "-o", "c.csv"],
        ):
            command = [sys.executable, "-c", code, *arguments]
            subprocess.run(command, check=True, cwd=tmp_path, env=environment, capture_output=True)
        found.add(((tmp_path / "m").read_bytes(), (tmp_path / "c.csv").read_bytes()))
    assert len(found) == 1


def test_many_equal_records_are_one(model):
    rows = [{**made_records(1, seed=2)[0], "id": i} for i in range(20_000)]
    found = model.resolve(rows)
    assert len(found) == 1
    assert len(found.clusters[0]) == 20_000


def test_progress_says_how_many_records_and_candidate_pairs_there_are(model):
    stages = []
    found = model.resolve(
        made_records(20, seed=2), engine=Engine(progress=lambda step: stages.append(step.stage))
    )
    records, pairs = len(found.compared), len(found.compared.table.left)
    assert f"comparing {records} different records" in stages
    assert f"merging by {pairs} candidate pairs" in stages


def test_options_of_the_search_change_what_is_found(model):
    rows = made_records(20, seed=2)
    few = model.with_rule(stop=-50.0).resolve(rows)
    many = model.with_rule(stop=50.0).resolve(rows)
    assert len(few) < len(model.resolve(rows)) < len(many)
    assert len(model.with_rule(concentration=1e9).resolve(rows)) > len(model.resolve(rows))
    assert len(model.with_rule(look_ahead=3.0, moves=2).resolve(rows)) >= 1


def test_merging_ends_where_training_chose_unless_told_otherwise(model, tmp_path):
    rows = made_records(20, seed=2)
    records = tmp_path / "records.jsonl"
    records.write_text("".join(json.dumps(row) + "\n" for row in rows))
    late, saved = model.with_rule(stop=50.0), tmp_path / "late.runoff"
    late.save(saved)
    own = json.loads(command("resolve", saved, records, "--json").stdout)["clusters"]
    assert as_sets(own) == as_sets(late.resolve(rows))
    told = json.loads(command("resolve", saved, records, "--json", "--stop", 0).stdout)
    assert as_sets(told["clusters"]) == as_sets(model.with_rule(stop=0.0).resolve(rows))
    first, *_, last = rows
    assert "merges are made while" in late.resolve(rows).why(first["id"], last["id"]).note


def test_folds_choose_where_merging_ends():
    rows = made_records(30, seed=1)
    plan = Plan(prior=(0.03,), pair_prior=(0.1,), gain=("union",), link=("mean",), folds=2)
    chosen = train(rows, plan=plan)
    tried = {one["stop"]: one["quality"] for one in chosen.training["choices"]}
    assert set(tried) == set(plan.stop)
    best = max(tried.values())
    assert tried[chosen.rule.stop] == best
    nearest = min((stop for stop in tried if tried[stop] == best), key=abs)
    assert abs(chosen.rule.stop) == abs(nearest)


def compared_in_blocks(n):
    """Records of 24 clusters in this many blocks, compared, with their clusters and blocks."""
    rows = made_records(24, seed=4)
    names = sorted({row["cluster"] for row in rows})
    for row in rows:
        row["block"] = f"b{names.index(row['cluster']) % n}"
    found = distinct(joined(rows, None), ["name", "title"], "block")
    statements = [statement_of({"mean": "ratio(name)"}), *BUILT_IN]
    compared = Compared.of(found, Program.of(statements), Canopies(loose=0.0))
    first = np.unique(found.node, return_index=True)[1]
    gold = np.array([names.index(rows[place]["cluster"]) for place in first], dtype=np.uint32)
    return compared, gold, statements, found.blocks


def test_folds_keep_blocks_whole_and_count_them_alike():
    *given, blocks = compared_in_blocks(6)
    folds = Folds(*given, MergeRule(), 3, (0.0,), blocks)
    for block in range(6):
        assert len(set(folds.fold[blocks == block].tolist())) == 1
    gold = given[1]
    sets = np.where(blocks == 0, gold, np.arange(len(gold))).astype(np.uint32)
    qualities = [folds._quality_of(sets, fold) for fold in range(3)]
    held = [sorted(set(blocks[folds.fold == fold].tolist())) for fold in range(3)]
    right = [fold for fold in range(3) if 0 in held[fold]]
    assert [fold for fold in range(3) if qualities[fold] >= 0.5] == right


def test_two_blocks_are_two_folds_and_one_block_has_folds_of_clusters():
    *given, blocks = compared_in_blocks(2)
    folds = Folds(*given, MergeRule(), 3, (0.0,), blocks)
    assert folds.n == 2
    assert folds.enough
    assert len(set(zip(folds.fold.tolist(), blocks.tolist(), strict=True))) == 2
    one = Folds(*given, MergeRule(), 3, (0.0,), np.zeros_like(blocks))
    assert one.n == 3
    assert one.enough
    gold = given[1]
    assert all(len(set(one.fold[gold == thing].tolist())) == 1 for thing in range(24))
    assert not Folds(*given, MergeRule(), 13).enough  # fewer than two clusters for each


@pytest.mark.parametrize("others", [0, 1, 5])
def test_a_block_may_have_next_to_nothing(others):
    rows = [{**row, "block": "a"} for row in made_records(12, seed=5)]
    rows += [
        {"id": f"x{i}", "name": f"nobody {i}", "cluster": f"x{i}", "block": "b"}
        for i in range(others)
    ]
    model = train(rows, plan=Plan(block="block", prior=(0.03,), pair_prior=(0.1,), stop=(0.0, 1.0)))
    assert judged(model, joined(rows, None), "cluster")["pair-f1"] > 0.9
