"""The report: one file, the same bytes, all that was asked of it, nothing that runs."""

import json
import re
from html.parser import HTMLParser

import pytest
from helpers.command import runoff
from helpers.made.models import make_model
from helpers.made.people import made_records

import runoff as ro
from runoff.data.formats import read_nbest, write_nbest
from runoff.report.blocks import UNMARKED
from runoff.report.drawings import drawing
from runoff.report.pieces import document
from runoff.tasks.ranking.demo import demo_lists
from runoff.tasks.ranking.list_report import list_report
from runoff.tasks.translation.why import explained

pytest.importorskip("matplotlib")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    write_nbest(demo_lists("test"), folder / "test.jsonl")
    train = demo_lists("train")
    for name, part in ("one", train), ("two", train[:30]):
        ro.fit(part, dev=train[180:], metric="wer", learner="perceptron").save(
            folder / f"{name}.runoff"
        )
    return folder


@pytest.fixture(scope="module")
def text(folder):
    models = {name: ro.load(folder / f"{name}.runoff") for name in ("one", "two")}
    lists = read_nbest(folder / "test.jsonl")
    return document("Report", list_report(lists, "test.jsonl", models, "wer"))


def test_it_has_all_its_sections(text):
    assert re.findall("<h2>(.*?)</h2>", text) == [
        "What was compared",
        "Base, picked and oracle",
        "The best of the first n",
        *(f"{what}: {model}" for model in ("one", "two")
          for what in ("How it learned", "How sure it is", "Feature groups")),
        "Most corrected",
        "Most harmed",
        "Furthest from the best candidate",
        "Furthest from gold",
        "two against one",
    ]  # fmt: skip


def test_its_figures_are_those_of_evaluate(text, folder):
    lists = demo_lists("test")
    found = ro.evaluate(ro.load(folder / "one.runoff").rerank(lists), "wer")
    for row in ("base", "picked", "oracle"):
        assert f'<td class="number">{found.figures[row]["WER"]:.2f}</td>' in text
    assert found.signature in text


def test_it_is_one_file_below_a_megabyte(text):
    assert len(text.encode()) < 1 << 20
    assert not re.search(r'(src|href)="(?!#)', text)
    assert "<script" not in text


def test_ids_are_unique_and_the_text_is_balanced(text):
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    known = set(ids)
    assert all(one in known for one in re.findall(r"(?:url\(#|href=\"#)([^)\"]+)", text))

    class Tags(HTMLParser):
        open_: list = []

        def handle_starttag(self, tag, attributes):
            if tag not in ("meta", "link", "br"):
                self.open_.append(tag)

        def handle_startendtag(self, tag, attributes):
            pass

        def handle_endtag(self, tag):
            assert self.open_.pop() == tag

    parser = Tags()
    parser.feed(text)
    assert parser.open_ == []


def test_the_command_writes_the_same_bytes_twice(folder, tmp_path):
    for name in ("a", "b"):
        target = tmp_path / f"{name}.html"
        runoff("report", folder / "test.jsonl", "--model", folder / "one.runoff",
               "--metric", "wer", "-o", target)  # fmt: skip
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


def test_models_have_reports_of_their_own(tmp_path):
    path = make_model("chunking", tmp_path)
    runoff("report", path, "-o", tmp_path / "m.html")
    assert "How well it did" in (tmp_path / "m.html").read_text()


def gold_of(task, folder):
    """A model of a task, and annotated data on which it is not perfect."""
    path = make_model(task, folder)
    if task == "identity":
        lines = (json.dumps(one) for one in made_records(60, seed=5))
        (folder / "hard.jsonl").write_text("\n".join(lines))
        return path, ["hard.jsonl"]
    if task == "parsing":
        right = "(TOP (NP (NP (DT the) (NN school)) (PP (IN with) (NP (NN glasses)))))"
        (folder / "hard.mrg").write_text(right)
        return path, ["hard.mrg"]
    if task == "translation":
        return path, ["dev.en", "dev.de"]
    (folder / "hard.tsv").write_text("They NN B-NP\nvote NN B-NP\n. . B-NP\n")
    return path, ["hard.tsv"]


@pytest.mark.parametrize(
    ("task", "said"),
    [
        ("parsing", "Furthest from gold"),
        ("chunking", "Furthest from gold"),
        ("translation", "Furthest from gold"),
        ("identity", "Different things in one cluster"),
    ],
)
def test_a_model_on_annotated_data_shows_its_worst_cases(tmp_path, task, said):
    path, gold = gold_of(task, tmp_path)
    options = [part for one in gold for part in ("--gold", tmp_path / one)]
    runoff("report", path, *options, "-o", tmp_path / "m.html")
    text = (tmp_path / "m.html").read_text()
    assert f"<h2>{said}</h2>" in text
    assert '<div class="case">' in text


def test_the_effect_of_smoothing_is_shown(tmp_path):
    train = demo_lists("train")
    model = ro.fit(train, dev=train[180:], metric="wer", learner="maxent",
                   options={"prior": (0.1, 1.0, 10.0)})  # fmt: skip
    parts = list_report(train[:9], "train", {"m": model}, "wer")
    (shown,) = [part for part in parts if "<h2>Effect of smoothing</h2>" in part]
    tried = model.ranker.record_["prior"]
    assert len(tried) == 3
    for row in tried:
        quality = f"{row['dev quality']:.4f}".replace("-", "−")
        assert f'<td class="number">{quality}</td>' in shown


def test_two_models_are_compared_with_each_other(text, folder):
    lists = demo_lists("test")
    ordered = [ro.load(folder / f"{name}.runoff").rerank(lists) for name in ("one", "two")]
    one, two = (ro.evaluate(own, "wer").figures["picked"]["WER"] for own in ordered)
    row = re.search(r"<td>two</td><td>one</td><td class=\"number\">(\S+?)</td>", text)
    assert float(row[1]) == pytest.approx(two - one, abs=1e-4)


def test_lists_without_gold_or_model_have_a_report(tmp_path):
    write_nbest([ro.NBest(1, None, [ro.Candidate("<i>a</i>", -1.0)])], tmp_path / "l.jsonl")
    parts = list_report(read_nbest(tmp_path / "l.jsonl"), "l.jsonl", {})
    assert "1 of l.jsonl" in "".join(parts)


def test_long_lists_do_not_make_the_file_large(tmp_path):
    leaves = " ".join(f"(NP (NN word{n}))" for n in range(300))
    trees = [f"(S {leaves})", f"(S (X {leaves}))"]
    lists = [
        ro.NBest(n, None, [ro.Candidate(t, -1.0 - i) for i, t in enumerate(trees)], trees[1])
        for n in range(25)
    ]
    write_nbest(lists, tmp_path / "l.jsonl")
    ranker = ro.fit(lists, metric="parseval", features="parse-small", min_lists=1)
    lists = read_nbest(tmp_path / "l.jsonl")
    text = document("Long", list_report(lists, "l.jsonl", {"m": ranker}, "parseval"))
    assert len(text.encode()) < 1 << 20
    assert "more are left out" in text


@pytest.mark.parametrize(
    ("output", "other", "only"),
    [
        ("a <b>vote</b>", "a boat", ["&lt;b&gt;vote&lt;/b&gt;"]),
        (
            [["1", "2"], ["3"]],
            [["1"], ["2"], ["3"]],
            ['<span class="record">1</span><span class="record">2</span>'],
        ),
    ],
)
def test_drawings_mark_what_only_one_has(output, other, only):
    shown = drawing(ro.Candidate(output), ro.Candidate(other), None, "winner")
    assert re.findall(r'class="only-winner">(.*?)(?:</li>|</span>(?: |</p>))', shown) == only


def test_trees_and_taggings_are_marked_too():
    first, second = "(S (NP (NN a)) (VP (VB b)))", "(S (NN a) (VP (VB b)))"
    pair = ro.Candidate(first), ro.Candidate(second)
    assert drawing(*pair, None, "winner").count('fill="#1d7a38"') == 1
    tags = ro.Candidate(["B-NP", "O"]), ro.Candidate(["O", "O"])
    tagged = drawing(*tags, ["Ann", "votes"], "winner")
    assert '<span class="span phrase only-winner">Ann<sub>NP</sub></span> votes' in tagged


def test_notebooks_show_the_blocks_of_a_translation(tmp_path):
    model = ro.load(make_model("translation", tmp_path))
    (found,) = explained(model, ["A dog runs."])
    shown = found._repr_html_()
    assert shown.count('rx="4"') == len(found.blocks)
    assert '<table class="waterfall">' in shown


def test_blocks_that_only_one_translation_has_are_marked():
    def candidate(words, *blocks):
        return ro.Candidate(" ".join(words), extra={"words": words, "blocks": list(blocks)})

    first = candidate(["ein", "hund"], [[0, 0], [0, 0]], [[1, 1], [1, 1]])
    second = candidate(["ein", "tier"], [[0, 0], [0, 0]], [[1, 1], [1, 1]])
    shown = drawing(first, second, "a dog", "winner")
    assert shown.count('fill="#1d7a38"') == 1
    assert shown.count(f'fill="{UNMARKED}"') == 1
    outside = candidate(["ein"], [[0, 2], [0, 0]])  # a block of words that there are not
    assert "<svg" not in drawing(outside, second, "a dog", "winner")


def test_notebooks_show_the_same_pieces(folder):
    model, nbest = ro.load(folder / "one.runoff"), demo_lists("test")[3]
    assert '<table class="waterfall">' in ro.why(model, nbest)._repr_html_()
    assert '<table class="waterfall">' in ro.flip(model, nbest)._repr_html_()
    shown = ro.evaluate(model.rerank([nbest]), "wer")._repr_html_()
    assert "<td>picked</td>" in shown
