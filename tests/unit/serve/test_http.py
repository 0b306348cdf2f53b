"""A real server: what it answers, and what it turns away."""

import json
import socket

import pytest
from helpers.made.models import make_model
from helpers.made.people import made_records
from helpers.serving import serving

import runoff as ro
from runoff.data.formats import jsonl
from runoff.tasks.ranking.demo import demo_lists, write_demo_lists

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
LISTS = demo_lists("test")
LIMITS = ("--most-lists", "20", "--most-candidates", "12", "--most-bytes", "20000")


def as_json(nbest):
    return json.loads(next(iter(jsonl.encode([nbest]))))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("served")
    write_demo_lists(folder)
    ro.fit(demo_lists("train"), dev=LISTS[:40], metric="wer").save(folder / "speech.runoff")
    return folder


@pytest.fixture(scope="module")
def server(folder):
    files = [folder / "speech.runoff", folder / "test.jsonl"]
    with serving(*files, "--metric", "wer", *LIMITS) as client:
        yield client


def test_health_says_what_there_is(server):
    found = server.get("/health").value
    assert found["models"] == [{"kind": "reranker", "file": "speech.runoff"}]
    assert found["verbs"] == ["/rerank", "/why", "/v1/rerank"]


def test_rerank_answers_as_the_command_does(server, folder):
    answer = server.post("/rerank", {"lists": [as_json(one) for one in LISTS[:3]]})
    reranker = ro.load(folder / "speech.runoff")
    assert answer.value["lists"] == [as_json(one) for one in reranker.rerank(LISTS[:3])]


def test_why_and_flip_answer_as_the_command_does(server, folder):
    reranker = ro.load(folder / "speech.runoff")
    given = as_json(LISTS[0])
    found = server.post("/why", {"list": given}).value
    assert found["difference"] == ro.why(reranker, LISTS[0]).difference
    assert sum(t["contribution"] for t in found["terms"]) == pytest.approx(found["difference"])
    found = server.post("/why", {"list": given, "flip": True}).value
    assert found["new_winner"]["output"] == ro.flip(reranker, LISTS[0]).new_winner.output


WRONG = [
    (400, b"{", "not JSON"),
    (400, b"\xff", "not JSON"),
    (422, b"[]", "Expected `object`"),
    (422, b"{}", "missing required field `lists`"),
    (422, b'{"lists": [], "model": "/etc/passwd"}', "unknown field `model`"),
    (422, b'{"lists": [{"candidates": []}]}', "must not be empty"),
    (422, b'{"lists": [{"candidates": [{}]}]}', "neither output nor features"),
    (422, b'{"lists": [{"candidates": [{"output": "a"}]}]}', "without"),
    (413, json.dumps({"lists": [{"candidates": [{"output": "a"}]}] * 21}).encode(), "20 lists"),
    (
        413,
        json.dumps({"lists": [{"candidates": [{"output": "a"}] * 13}]}).encode(),
        "12 candidates",
    ),
    (413, b'{"lists": "' + b"a" * 20_000 + b'"}', "20,000 bytes"),
    (400, b'{"lists": ' + b"[" * 9_000 + b"]" * 9_000 + b"}", "deep"),
]


@pytest.mark.parametrize(("status", "body", "said"), WRONG)
def test_what_is_wrong_gets_one_clear_answer(server, status, body, said):
    answer = server.post("/rerank", body)
    assert (answer.status, said in answer.message) == (status, True), answer.body


@pytest.mark.parametrize(
    ("status", "headers"),
    [
        (415, {"Content-Type": "text/plain"}),
        (415, {"Content-Type": ""}),
        (421, {"Host": "evil.example"}),
        (421, {"Host": ""}),
        (403, {"Origin": "http://evil.example"}),
        (403, {"Origin": "null"}),
        (403, {"Sec-Fetch-Site": "cross-site"}),
        (413, {"Content-Length": "99999999999"}),
    ],
)
def test_other_sites_and_other_bodies_are_turned_away(server, status, headers):
    answer = server.post("/rerank", {"lists": []}, headers)
    assert answer.status == status
    assert "message" in answer.value["error"]


def test_its_own_page_is_answered(server):
    own = {"Origin": server.url.rstrip("/"), "Sec-Fetch-Site": "same-origin"}
    assert server.post("/rerank", {"lists": []}, own).status == 200


@pytest.mark.parametrize("path", ["/", "/health", "/nothing", "/page/style.css"])
def test_every_answer_has_the_headers(server, path):
    headers = server.get(path).headers
    assert "default-src 'none'; script-src 'self'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert "server" not in headers


@pytest.mark.parametrize(
    "path",
    ["/page/../app.py", "/page/%2e%2e/app.py", "/page//etc/passwd", "/page/vendor", "/rerank"],
)
def test_no_other_file_is_ever_sent(server, path):
    assert server.get(path).status in (404, 405)


def test_a_file_that_has_not_changed_is_not_sent_again(server):
    tag = server.get("/page/app.js").headers["etag"]
    assert server.ask("GET", "/page/app.js", headers={"If-None-Match": tag}).status == 304


def test_openapi_describes_every_verb(server):
    found = server.get("/openapi.json").value
    assert sorted(found["paths"]) == ["/health", "/rerank", "/v1/rerank", "/why"]
    schema = found["paths"]["/rerank"]["post"]["requestBody"]["content"]["application/json"]
    assert schema == {"schema": {"$ref": "#/components/schemas/RerankRequest"}}
    assert found["components"]["schemas"]["RerankRequest"]["required"] == ["lists"]


def test_a_verb_without_its_model_says_what_there_is(server):
    answer = server.post("/parse", {"text": "We vote."})
    assert (answer.status, answer.message[-8:]) == (404, "reranker")


def test_lists_come_in_pages(server):
    while not (first := server.page("rows", count=10).value)["done"]:
        pass
    assert (first["lists"], len(first["rows"])) == (80, 10)
    assert first["figures"]["picked"]["WER"] < first["figures"]["base"]["WER"]
    mended = server.page("rows", filter="mended", sort="gain", count=500).value
    assert mended["matching"] == len(mended["rows"]) == first["counts"]["mended"]
    assert all(row["picked"] > row["base"] for row in mended["rows"])
    assert server.page("rows", find=LISTS[7].id).value["matching"] == 1
    assert server.page("rows", filter="nothing").status == 422


def test_a_list_has_terms_that_add_up(server):
    found = server.page("list", number=3).value
    terms, scores = found["terms"], [one["score"] for one in found["candidates"]]
    sums = [
        sum(terms["weights"][int(c)] * v for c, v in zip(row[::2], row[1::2], strict=True))
        for row in terms["rows"]
    ]
    assert [s - sums[0] for s in sums] == pytest.approx([s - scores[0] for s in scores])
    assert found["command"].endswith("--id u224")
    assert server.page("list", number=80).status == 404
    assert server.page("list").status == 422


def test_places_of_words(server):
    first, second = server.page("places", number=3, candidates=[1, 0]).value
    assert ["word: wait", 3, 4, None] in first
    assert ["word: weight", 3, 4, None] in second
    assert not any(name == "word: where" for name, *_ in first + second)  # both have it
    assert server.page("places", number=3, candidates=[0, 99]).status == 404


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("jsonl", '{"id": 1, "candidates": [{"output": "a", "logprob": -1}]}'),
        ("moses", "0 ||| a vote ||| lm= -3 ||| -1.5\n0 ||| a boat ||| lm= -3 ||| -2\n"),
    ],
)
def test_lists_of_any_format_may_be_pasted(server, format, text):
    found = server.page("pasted", text=text, format=format).value
    assert len(found["lists"]) == len(found["rows"]) == 1


def test_pasted_text_that_is_no_list_is_an_error(server):
    answer = server.page("pasted", text="{}\n{", format="jsonl")
    assert (answer.status, answer.message) == (422, "line 1: candidates: must not be empty")


def test_a_client_that_sends_half_a_request_does_not_block_others(server):
    with socket.create_connection((server.host, server.port)) as slow:
        slow.sendall(b"POST /rerank HTTP/1.1\r\nHost: localhost\r\nContent-Le")
        assert server.get("/health").status == 200


def test_texts_are_parsed_tagged_and_explained(tmp_path):
    with serving("english", "confusables", "--most-words", "30") as client:
        found = client.post("/parse", {"text": "We vote. They won.", "n": 2, "why": True}).value
        assert [len(one["candidates"]) for one in found["lists"]] == [2, 2]
        assert found["lists"][0]["why"]["terms"]
        words = client.post("/tag", {"sentences": [["We", "vote", "."]]}).value["lists"][0]
        assert words["candidates"][0]["output"][0] == "PRP"
        answer = client.post("/parse", {"text": "vote " * 31})
        assert (answer.status, answer.message) == (413, "line 1: a sentence of more than 30 words")
        assert client.post("/parse", {}).status == 422
        suspects = client.post("/proof", {"text": "More then two."}).value["suspects"]
        assert suspects[0]["suggestion"] == "than"


def test_words_chunks_names_and_records(tmp_path):
    models = [make_model(name, tmp_path) for name in ("words", "chunking", "names", "identity")]
    with serving(*models) as client:
        assert client.post("/predict", {"text": "the new ___ is"}).value["lists"]
        for verb in ("chunk", "names"):
            found = client.post(f"/{verb}", {"text": "Ann votes in May."}).value["lists"]
            assert len(found[0]["candidates"][0]["output"]) == len(found[0]["input"])
        records = made_records(9, seed=3)
        found = client.post("/resolve", {"records": records}).value
        assert [one["id"] for one in found["records"]] == [one["id"] for one in records]


def test_lines_are_translated_with_their_blocks_and_reasons(tmp_path):
    path = make_model("translation", tmp_path)
    model = ro.load(path)
    text = "A dog runs.\nA man sleeps."
    with serving(path, "--most-words", "9") as client:
        found = client.post("/translate", {"text": text, "n": 3}).value["lists"]
        assert found == [as_json(one) for one in model.lists(text.splitlines(), 3)]
        words = [model.wording.words(one) for one in text.splitlines()]
        explained = client.post("/translate", {"sentences": words, "why": True}).value["lists"]
        assert [one["why"]["source"] for one in explained] == words
        assert client.post("/translate", {"text": "a " * 10}).status == 413
        assert client.post("/translate", {}).status == 422
        shown = client.page("list", list=found[0]).value
        terms, logprobs = shown["terms"], [one["logprob"] for one in shown["candidates"]]
        sums = [
            sum(terms["weights"][int(c)] * v for c, v in zip(row[::2], row[1::2], strict=True))
            for row in terms["rows"]
        ]
        assert shown["kind"] == "blocks"
        assert [s - sums[0] for s in sums] == pytest.approx([s - logprobs[0] for s in logprobs])


def test_work_that_has_begun_is_stopped_when_its_time_is_up():
    """Without that, the one thread for long work would be busy for minutes."""
    slow = [[f"word{n % 37}" for n in range(300)]] * 20
    with serving("english", "--seconds", "4", "--threads", "1") as client:
        answer = client.post("/parse", {"sentences": slow, "n": 50})
        assert (answer.status, answer.message) == (504, "the answer took too long")
        long = {"text": "We vote. " * 3, "sentences": None, "n": 1}
        padded = json.dumps(long) + " " * 1000  # goes to the same thread
        assert client.post("/parse", padded.encode()).status == 200


def test_documents_are_ranked_as_language_model_applications_ask(tmp_path):
    documents = [ro.Candidate("a boat"), ro.Candidate("a vote")]
    lists = [ro.NBest(n, "a vote", documents, gold="a vote") for n in range(3)]
    ro.fit(lists, metric="exact", min_lists=1).save(tmp_path / "rank.runoff")
    with serving(tmp_path / "rank.runoff") as client:
        asked = {"query": "a vote", "documents": ["a boat", {"text": "a vote"}], "top_n": 1}
        (best,) = client.post("/v1/rerank", asked).value["results"]
        assert (best["index"], best["document"]) == (1, {"text": "a vote"})
        assert 0.5 < best["relevance_score"] <= 1


def test_several_workers_answer(folder):
    with serving(folder / "speech.runoff", "--workers", "2") as client:
        assert {client.get("/health").status for _ in range(6)} == {200}


def test_a_client_that_says_nothing_is_sent_away():
    import asyncio

    import uvicorn

    from runoff.serve import protocol

    async def app(scope, receive, send):
        raise AssertionError("there was no request")

    async def run():
        config = uvicorn.Config(app, lifespan="off", log_level="critical")
        config.load()
        state = uvicorn.server.ServerState()
        loop = asyncio.get_running_loop()
        server = await loop.create_server(
            lambda: protocol.Impatient(config, state, {}), "127.0.0.1", 0
        )
        async with server:
            reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
            writer.write(b"GET / HT")
            assert await reader.read() == b""
            writer.close()

    protocol.REQUEST_SECONDS, before = 0.01, protocol.REQUEST_SECONDS
    try:
        asyncio.run(run())
    finally:
        protocol.REQUEST_SECONDS = before


@pytest.mark.parametrize("package", ["starlette", "uvicorn"])
def test_a_missing_package_is_said_with_its_remedy(monkeypatch, package):
    import sys

    from typer.testing import CliRunner

    from runoff.cli.app import app

    monkeypatch.setitem(sys.modules, package, None)
    found = CliRunner().invoke(app, ["serve", "--port", "0"])
    assert found.exit_code == 1
    assert f"needs the package '{package}'" in found.stderr
    assert "pip install 'runoff[serve]'" in found.stderr
