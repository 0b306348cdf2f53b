"""The page in a real browser: every interaction, under the policy, for everyone."""

import importlib.util
import json
import re
import shutil
from pathlib import Path

import pytest
from helpers.made.models import make_model
from helpers.serving import serving

import runoff as ro
from runoff.data.formats import write_nbest
from runoff.features.places import places_of
from runoff.tasks.ranking.demo import demo_lists, write_demo_lists

pytest.importorskip("starlette")
playwright = pytest.importorskip("playwright.sync_api")
expect = playwright.expect
expect.set_options(timeout=60_000)
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next((found for one in BROWSERS if (found := shutil.which(one))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium: apt-get install chromium")
SCRIPT = "<script>document.title = 'run'</script>"
TREES = [
    "(S (NP (PRP We)) (VP (VBD saw) (NP (DT the) (NN man)) (PP (IN with) (NP (NN glass)))))",
    "(S (NP (PRP We)) (VP (VBD saw) (NP (NP (DT the) (NN man)) (PP (IN with) (NP (NN glass))))))",
]


def demo_trees():
    candidates = [ro.Candidate(tree, -1.0 - place) for place, tree in enumerate(TREES)]
    return [ro.NBest(number, None, candidates, TREES[1]) for number in range(1, 4)]


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    write_demo_lists(folder)
    plan = {"metric": "wer", "learner": "maxent", "options": {"prior": 1.0}}
    speech = ro.fit(demo_lists("train"), dev=demo_lists("test")[:40], **plan)
    speech.save(folder / "speech.runoff")
    lists = demo_trees()
    write_nbest(lists, folder / "trees.jsonl")
    ro.fit(lists, metric="parseval", features="parse", min_lists=1).save(folder / "parse.runoff")
    return folder


@pytest.fixture(scope="module")
def server(folder):
    with serving(folder / "speech.runoff", folder / "test.jsonl", "--metric", "wer") as client:
        yield client


@pytest.fixture
def open_page(browser):
    """Opens the page; at the end nothing may be on its console."""
    contexts, said = [], []

    def opened(url, **options):
        context = browser.new_context(**{"viewport": {"width": 1400, "height": 900}, **options})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(url)
        page.wait_for_selector("header")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert said == []


@pytest.fixture
def page(open_page, server):
    page = open_page(f"{server.url}#list=3")
    page.wait_for_selector(".waterfall")
    return page


def order(page):
    """The old numbers of the candidates, in the order shown."""
    rows = page.locator(".candidates tbody td:nth-child(2)").all_inner_texts()
    return [int(text.split()[0]) for text in rows]


def selected(page, number):
    expect(page.locator(".is-selected th")).to_have_text(number)


def eventually(page, found, wanted):
    """Wait until something is as it should be; the page draws when it has the time."""
    for _ in range(1000):
        if found() == wanted:
            return
        page.wait_for_timeout(30)
    assert found() == wanted


def test_lists_are_filtered_sorted_and_found(page):
    page.get_by_role("button", name="harmed").click()
    expect(page.locator(".rows li")).to_have_count(2)
    page.get_by_role("button", name="all").click()
    page.get_by_label("Find").fill("u223")
    expect(page.locator(".rows li")).to_have_count(1)
    assert "find=u223" in page.url
    page.get_by_label("Find").fill("")
    page.get_by_role("combobox", name="Order").select_option("margin")
    expect(page).to_have_url(re.compile("sort=margin"))
    expect(page.locator(".figure-picked .number")).to_have_text("3.06")


def test_bars_add_up_to_what_why_says(page, folder):
    reasons = ro.why(ro.load(folder / "speech.runoff"), demo_lists("test")[3])
    shown = page.locator(".waterfall .total .number").inner_text()
    assert shown == f"+{reasons.difference:.2f}"
    first = page.locator(".waterfall .term-name").first.inner_text()
    assert first == reasons.terms[0].feature
    assert (
        page.locator("#why-sum")
        .inner_text()
        .startswith(
            f"The winner leads the base system's first choice by {reasons.difference:.2f}: "
        )
    )
    assert page.locator(".command code").first.inner_text().endswith("--id u224")


def test_only_differences_are_said(page):
    assert page.locator(".is-rival .piece.more").all_text_contents() == ["has weight"]
    assert page.locator(".is-rival .piece.less").all_text_contents() == ["lacks wait"]
    assert page.locator(".drawing.rival .only-rival").all_inner_texts() == ["weight"]


def test_keys_move_through_lists_and_candidates(page):
    page.keyboard.press("n")
    selected(page, "2")
    page.keyboard.press("5")
    selected(page, "5")
    expect(page).to_have_url(re.compile("rival=4"))
    page.keyboard.press("p")
    selected(page, "4")
    page.keyboard.press("b")
    expect(page.locator(".is-selected td").first).to_contain_text("1")
    page.keyboard.press("o")
    selected(page, "1")
    page.keyboard.press("g")
    page.wait_for_selector(".drawing.gold")
    page.keyboard.press("j")
    expect(page).to_have_url(re.compile("list=4"))
    page.keyboard.press("k")
    expect(page).to_have_url(re.compile("list=3"))
    page.keyboard.press("/")
    expect(page.locator("#find")).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()


def test_sliders_change_the_order_and_as_learned_brings_it_back(page):
    before = order(page)
    for name in ("word: wait", "number of characters", "first in base order"):
        page.get_by_label(f"Weight of {name}, times").fill("-1")
    eventually(page, lambda: order(page) != before, True)
    page.get_by_role("button", name="as learned").click()
    eventually(page, lambda: order(page), before)
    page.get_by_label("Weight of word: wait, times").fill("-1")
    expect(page.get_by_role("button", name="as learned")).to_be_enabled()
    page.keyboard.press("r")
    expect(page.get_by_role("button", name="as learned")).to_be_disabled()
    eventually(page, lambda: order(page), before)


def test_flip_is_what_python_says(page, folder):
    found = ro.flip(ro.load(folder / "speech.runoff"), demo_lists("test")[3])
    page.keyboard.press("f")
    names = page.locator(".term.decisive .term-name")
    eventually(page, names.all_inner_texts, [term.feature for term in found.terms])
    assert f"hangs on {len(found.terms)} term" in page.locator(".flip").inner_text()
    page.get_by_role("button", name="try it").click()
    expect(page.locator(".drawing.winner .text")).to_have_text(found.new_winner.output)


def test_terms_are_shown_by_template(page):
    page.keyboard.press("w")
    names = page.locator(".waterfall .term-name")
    eventually(page, lambda: "word" in names.all_inner_texts(), True)


def test_a_term_lights_up_its_places_and_a_place_its_terms(page):
    row = page.locator(".term", has_text="word: weight")
    page.keyboard.press("2")
    row.hover()
    page.wait_for_selector(".drawing.rival .word.lit")
    eventually(page, page.locator(".drawing .word.lit").all_inner_texts, ["weight"])
    assert "How often the word occurs" in row.inner_text()
    page.locator(".drawing.rival .word", has_text="weight").hover()
    names = page.locator(".term.lit .term-name")
    eventually(page, lambda: "word: weight" in names.all_inner_texts(), True)
    lit = names.all_inner_texts()
    assert all("weight" in name for name in lit)


def test_labels_are_kept_undone_and_downloaded(page):
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    page.wait_for_selector(".labels")
    page.keyboard.press("j")
    expect(page).to_have_url(re.compile("list=4"))
    expect(page.locator("#candidates-title")).to_contain_text("u225")
    page.keyboard.press("=")
    expect(page.locator(".labels b")).to_contain_text("2 list")
    page.keyboard.press("z")
    expect(page.locator(".labels b")).to_contain_text("1 list")
    page.keyboard.press("u")
    expect(page).to_have_url(re.compile("list=5"))
    page.reload()
    page.wait_for_selector(".labels")
    with page.expect_download() as got:
        page.get_by_role("button", name="Download labels.jsonl").click()
    (nbest,) = ro.read_nbest(got.value.path(), "jsonl")
    assert (nbest.id, [c.quality for c in nbest.candidates]) == ("u224", [1] + [0] * 7)
    assert "runoff fit labels.jsonl" in page.locator(".labels code").inner_text()
    page.get_by_role("button", name="not labelled").click()
    expect(page.locator("#lists [role=status]")).to_contain_text("79 of 80")


def test_lists_are_pasted_and_dropped_and_scripts_stay_text(page):
    given = {"id": SCRIPT, "input": SCRIPT, "candidates": [
        {"output": SCRIPT, "logprob": -1}, {"output": "a <b>vote</b>", "logprob": -2}]}  # fmt: skip
    page.get_by_role("button", name="Paste or drop lists").click()
    page.get_by_role("textbox", name="Lists").fill(json.dumps(given))
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.locator("#candidates-title")).to_contain_text("script")
    assert page.locator("#app script, #app b b").count() == 0
    assert page.title() != "run"
    page.evaluate(
        """(text) => {
          const files = new DataTransfer();
          files.items.add(new File([text], "heard.moses"));
          dispatchEvent(new DragEvent("drop", { dataTransfer: files }));
        }""",
        "0 ||| a vote ||| lm= -3 ||| -1\n0 ||| a boat ||| lm= -4 ||| -2\n",
    )
    expect(page.get_by_role("button", name="Close heard.moses")).to_be_visible()
    expect(page.locator(".candidates tbody tr")).to_have_count(2)


def test_trees_are_drawn_with_their_differences_and_places(open_page, folder):
    with serving(folder / "parse.runoff", folder / "trees.jsonl") as client:
        page = open_page(f"{client.url}#list=0", color_scheme="dark")
        page.wait_for_selector(".drawing.rival svg")
        marked = page.locator(".drawing.winner text.only-winner").all_text_contents()
        assert marked == ["NP"]
        page.wait_for_load_state("networkidle")
        if page.get_by_role("button", name="by template").get_attribute("aria-pressed") == "true":
            page.keyboard.press("w")
        model, nbest = ro.load(folder / "parse.runoff"), demo_trees()[0]
        places = {p.feature: p.node for p in places_of(nbest, 1, model.extractors)}
        terms = [t for t in ro.why(model, nbest).terms if t.winner and t.feature in places]
        page.locator(".term", has_text=terms[0].feature).first.hover()
        page.wait_for_selector(".tree text.lit")
        label = re.findall(r"\((\S+)", TREES[1])[places[terms[0].feature]]
        nodes = page.locator(".drawing.winner text.lit")
        eventually(page, lambda: label in nodes.all_text_contents(), True)
        page.locator(".drawing.winner text.only-winner").first.hover()
        page.wait_for_selector(".here li")
        page.close()  # before its server stops


def test_a_sentence_may_be_typed(open_page):
    with serving("english") as client:
        page = open_page(client.url)
        page.get_by_label("Sentence").fill("We saw the man with the glass.")
        page.keyboard.press("Enter")
        page.wait_for_selector(".drawing.winner svg")
        assert page.locator(".drawing.winner .tree-word").all_text_contents()[:2] == ["We", "saw"]
        assert page.locator(".candidates tbody tr").count() > 5
        page.close()  # before its server stops


def test_translations_are_drawn_with_their_blocks(open_page, folder):
    path = make_model("translation", folder)
    with serving(path) as client:
        page = open_page(client.url)
        page.get_by_label("Sentence").fill("A dog runs.")
        page.keyboard.press("Enter")
        page.wait_for_selector(".drawing.rival svg.blocks")
        for side in ("winner", "rival"):
            assert page.locator(f".drawing.{side} svg.blocks rect.only-{side}").count() > 0
        expect(page.locator(".waterfall .term").first).to_be_visible()
        shown = page.locator(".drawing.winner .text").inner_text().split()
        assert shown == ro.load(path).translate("A dog runs.").split()
        page.close()  # before its server stops


def test_clusterings_show_the_clusters_that_differ(open_page, tmp_path):
    together, apart = [["1", "2"], ["3", "4"]], [["1"], ["2"], ["3", "4"]]
    candidates = [ro.Candidate(together, -1.0), ro.Candidate(apart, -2.0)]
    write_nbest([ro.NBest("b", "1 2 3 4", candidates, together)], tmp_path / "l.jsonl")
    with serving(tmp_path / "l.jsonl", "--metric", "pair-f1") as client:
        page = open_page(f"{client.url}#list=0")
        page.wait_for_selector(".drawing.rival .clusters")
        records = page.locator(".drawing.winner .clusters li").all_inner_texts()
        assert [one.split() for one in records] == [["1", "2"]]
        assert page.locator(".drawing.rival .clusters li").count() == 2
        expect(page.locator(".drawing.rival .faint")).to_have_text("and 1 cluster that both have")
        page.close()  # before its server stops


def test_of_a_long_file_the_browser_gets_what_it_shows(open_page, tmp_path):
    candidates = [ro.Candidate("a", -1.0), ro.Candidate("b", -2.0)]
    write_nbest((ro.NBest(n, None, candidates) for n in range(1000)), tmp_path / "l.jsonl")
    with serving(tmp_path / "l.jsonl") as client:
        page = open_page(client.url)
        expect(page.locator("#lists [role=status]")).to_have_text("1,000 of 1,000 lists")
        expect(page.locator(".rows li")).to_have_count(100)
        page.locator("#lists").evaluate("(column) => column.scrollTo(0, column.scrollHeight)")
        expect(page.locator(".rows li")).to_have_count(200)
        page.locator(".rows li button").nth(150).click()
        with page.expect_request("**/page/call/list") as asked:  # the next one, before it is wanted
            pass
        assert asked.value.post_data_json == {"number": 151}
        page.keyboard.press("j")
        expect(page.locator("#candidates-title")).to_contain_text("151")
        expect(page.locator(".row[aria-current]")).to_be_in_viewport()
        page.close()  # before its server stops


def test_print_leaves_out_what_is_pressed(page):
    page.emulate_media(media="print")
    for hidden in (".inputs", ".filters", ".waterfall input", ".better", ".hint"):
        expect(page.locator(hidden).first).to_be_hidden()
    for shown in (".figures", ".candidates", ".drawing.rival", ".waterfall .total"):
        expect(page.locator(shown)).to_be_visible()


def test_d_is_dark_and_terms_light_up_by_keyboard(page):
    page.keyboard.press("d")
    ground = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(ground) == "rgb(20, 24, 29)"
    page.keyboard.press("d")
    assert page.evaluate(ground) == "rgb(255, 255, 255)"
    page.locator(".term", has_text="word: weight").focus()
    eventually(page, page.locator(".drawing .word.lit").all_inner_texts, ["weight"])


def test_the_state_is_in_the_address(open_page, server):
    page = open_page(f"{server.url}#list=5&rival=2&filter=changed&sort=margin")
    page.wait_for_selector(".waterfall")
    selected(page, "3")
    changed = page.get_by_role("button", name=re.compile(r"^changed \d"))
    assert changed.get_attribute("aria-pressed") == "true"
    assert page.get_by_role("combobox", name="Order").input_value() == "margin"


def test_columns_are_tabs_on_a_phone(open_page, server):
    page = open_page(f"{server.url}#list=3", viewport={"width": 390, "height": 800})
    page.get_by_role("tab", name="Why").click()
    page.wait_for_selector("#why .waterfall")
    assert not page.locator("#lists").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= 390")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_has_nothing_serious_to_say(open_page, server, scheme):
    if importlib.util.find_spec("axe_playwright_python") is None:
        pytest.skip("no axe-core: pip install axe-playwright-python")
    import axe_playwright_python

    source = Path(axe_playwright_python.__file__).parent / "axe.min.js"
    page = open_page(f"{server.url}#list=3&rival=2", color_scheme=scheme)
    page.wait_for_selector(".waterfall")
    page.evaluate(source.read_text())
    found = page.evaluate("axe.run()")["violations"]
    serious = [
        (one["id"], [node["html"] for node in one["nodes"]][:3])
        for one in found
        if one["impact"] in ("serious", "critical")
    ]
    assert serious == []
