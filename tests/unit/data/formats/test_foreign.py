"""Files of our own making, written as other systems write them, are read without a format."""

import json

import pytest

from runoff.data.formats import found_format, read_nbest
from runoff.data.lists import NBestFiles
from runoff.data.nbest import Candidate, NBest
from runoff.errors import FormatError, UsageError

CHAT = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1731900000,
    "model": "m-1",
    "choices": [
        {
            "index": place,
            "message": {"role": "assistant", "content": text, "refusal": None},
            "logprobs": {
                "content": [
                    {"token": token, "logprob": -0.25, "bytes": [52], "top_logprobs": []}
                    for token in text.split()
                ]
            },
            "finish_reason": "stop",
        }
        for place, text in enumerate(["it is 4", "5"])
    ],
    "usage": {"prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 13},
}
BATCH = {
    "id": "batch_req_1",
    "custom_id": "request-7",
    "response": {"status_code": 200, "request_id": "r", "body": CHAT},
    "error": None,
}
COMPLETION = {
    "id": "cmpl-1",
    "object": "text_completion",
    "prompt": "2 + 2 =",
    "choices": [
        {
            "text": " 4",
            "index": 0,
            "logprobs": {
                "tokens": ["2", " 4"],
                "token_logprobs": [None, -0.5],
                "text_offset": [0, 1],
            },
            "finish_reason": "length",
        }
    ],
}
WHISPER = {
    "text": " I scream for ice cream.",
    "segments": [
        {
            "id": 0, "seek": 0, "start": 0.0, "end": 2.0, "text": " I scream for ice cream.",
            "tokens": [50364, 286, 50464], "temperature": 0.0, "avg_logprob": -0.25,
            "compression_ratio": 0.8, "no_speech_prob": 0.01,
        }
    ],
    "language": "en",
}  # fmt: skip
SHERPA = {
    "lang": "", "emotion": "", "event": "", "text": " I SCREAM", "timestamps": [0.1, 0.4],
    "durations": [], "tokens": [" I", " SCREAM"], "ys_log_probs": [-0.5, -0.25], "words": [],
}  # fmt: skip
VOSK = """{
  "alternatives" : [{
      "confidence" : 297.045959,
      "result" : [{
          "end" : 2.130000,
          "start" : 1.740000,
          "word" : "i"
        }],
      "text" : " i scream"
    }, {
      "confidence" : 295.5,
      "text" : " ice cream"
    }]
}
{
  "alternatives" : [{
      "confidence" : 0.0,
      "text" : ""
    }]
}
{
  "text" : ""
}
"""
FAIRSEQ = """2026-11-18 10:00:00 | INFO | fairseq_cli.generate | loading model(s) from model.pt
S-1\tdas ist ein Haus
T-1\tthis is a house
H-1\t-0.3125\tthis is a house
D-1\t-0.3125\tThis is a house
P-1\t-0.25 -0.5 -0.25 -0.25
H-1\t-0.75\tthat is a house
D-1\t-0.75\tThat is a house
P-1\t-0.75 -0.75
S-0\tja
T-0\tyes
H-0\t-0.125\tyes
P-0\t-0.125
2026-11-18 10:00:01 | INFO | fairseq_cli.generate | Generate test with beam=2: BLEU4 = 50.00
"""
BLLIP = """2 wsj_2300.1
-29.6
(S1 (S (NP (DT This)) (VP (VBZ works))))
-31.2
(S1 (FRAG (NP (DT This)) (NNS works)))
"""
PAIRS = {
    "prompt": "2 + 2?",
    "chosen": [{"role": "user", "content": "2 + 2?"}, {"role": "assistant", "content": "4"}],
    "rejected": [{"role": "user", "content": "2 + 2?"}, {"role": "assistant", "content": "5"}],
}


def lines(*values):
    return "".join(json.dumps(value) + "\n" for value in values)


BEST_OF_N = {"prompt": "2 + 2?", "completions": ["4", "5"], "rewards": [1.0, 0.25], "seed": 3}
ICE = [Candidate("I scream", -1.5), Candidate("ice cream", -2.0)]

FILES = {
    # name of the file: what it holds, the format it is found to be in, its lists
    "responses.jsonl": (lines(CHAT), "openai", [NBest("chatcmpl-1", None, [
        Candidate("it is 4", -0.75, extra={"finish_reason": "stop", "tokens": ["it", "is", "4"],
                                           "token_logprobs": [-0.25] * 3}),
        Candidate("5", -0.25, extra={"finish_reason": "stop", "tokens": ["5"],
                                     "token_logprobs": [-0.25]}),
    ], extra={"model": "m-1"})]),
    "completion.json": (json.dumps(COMPLETION, indent=2), "openai", [NBest("cmpl-1", "2 + 2 =", [
        Candidate(" 4", -0.5, extra={"finish_reason": "length", "tokens": [" 4"],
                                     "token_logprobs": [-0.5]})])]),
    "best-of-n.jsonl": (lines(BEST_OF_N), "json", [NBest(None, "2 + 2?", [
        Candidate("4", quality=1.0), Candidate("5", quality=0.25)], extra={"seed": 3})]),
    "dpo.jsonl": (lines(PAIRS), "json", [NBest(None, "2 + 2?", [
        Candidate("4", quality=1.0), Candidate("5", quality=0.0)])]),
    "generate-test.txt": (FAIRSEQ, "fairseq", [
        NBest(1, "das ist ein Haus", [
            Candidate("this is a house", -0.3125, extra={
                "detokenised": "This is a house", "token_logprobs": [-0.25, -0.5, -0.25, -0.25]}),
            Candidate("that is a house", -0.75, extra={
                "detokenised": "That is a house", "token_logprobs": [-0.75, -0.75]}),
        ], "this is a house"),
        NBest(0, "ja", [Candidate("yes", -0.125, extra={"token_logprobs": [-0.125]})], "yes")]),
    "heard.csv": (
        'utt,hyp,am,lm,wer,speaker,ref\nu1,"I scream, you",-31.5,-4.0,0,f1,"I scream, you"\n'
        'u1,ice cream,-30.5,,50,f1,"I scream, you"\nu2,yes,-3.0,-1.0,0,m2,yes\n', "csv", [
            NBest("u1", None, [
                Candidate("I scream, you", features={"am": -31.5, "lm": -4.0},
                          extra={"wer": "0", "speaker": "f1"}),
                Candidate("ice cream", features={"am": -30.5},
                          extra={"wer": "50", "speaker": "f1"})], "I scream, you"),
            NBest("u2", None, [Candidate("yes", features={"am": -3.0, "lm": -1.0},
                                         extra={"wer": "0", "speaker": "m2"})], "yes")]),
    "heard.tsv": ("id\ttext\tlogprob\nu1\tI scream\t-1.5\nu1\tice cream\t-2\n", "csv",
                  [NBest("u1", None, ICE)]),
    "clip.json": (json.dumps(WHISPER), "whisper", [NBest("clip", None, [Candidate(
        "I scream for ice cream.", -1.0, features={
            "temperature": 0.0, "compression_ratio": 0.8, "no_speech_prob": 0.01})])]),
    "runs.json": (json.dumps([WHISPER, {**WHISPER, "text": " Ice cream."}]), "whisper", [
        NBest("runs", None, [Candidate(text, -1.0, features={
            "temperature": 0.0, "compression_ratio": 0.8, "no_speech_prob": 0.01})
            for text in ("I scream for ice cream.", "Ice cream.")])]),
    "vosk.txt": (VOSK, "vosk", [NBest(None, None, [
        Candidate("i scream", 297.045959,
                  extra={"result": [{"end": 2.13, "start": 1.74, "word": "i"}]}),
        Candidate("ice cream", 295.5)])]),
    "sherpa.jsonl": (
        lines({"id": "a", **SHERPA}, {"id": "a", **SHERPA, "text": "ICE CREAM", "score": -2.0}),
        "sherpa", [NBest("a", None, [Candidate(text, score, extra={
            "token_logprobs": [-0.5, -0.25], "tokens": [" I", " SCREAM"]})
            for text, score in (("I SCREAM", -0.75), ("ICE CREAM", -2.0))])]),
    "preds_out_width2_alpha1.0_beta0.0.tsv": (
        "I scream\t-1.5\nice cream\t-2.0\nyes\t-0.5\nyet\t-0.75\n", "nemo",
        [NBest(0, None, ICE), NBest(1, None, [Candidate("yes", -0.5), Candidate("yet", -0.75)])]),
    "pipeline.json": (
        json.dumps([[{"generated_text": "a b"}, {"generated_text": "a c"}],
                    [{"generated_text": "d"}]]), "json",
        [NBest(None, None, [Candidate("a b"), Candidate("a c")]),
         NBest(None, None, [Candidate("d")])]),
    "beams.json": (
        json.dumps({"sequences": ["a b", "a c"], "sequences_scores": [-0.5, -1.0]}), "json",
        [NBest(None, None, [Candidate("a b", -0.5), Candidate("a c", -1.0)])]),
    "run10.best100.out": ("0 ||| a house ||| LM0= -1 ||| -2.5 ||| 0-0\n", "moses", [
        NBest(0, None, [Candidate("a house", -2.5, features={"LM0": -1.0},
                                  extra={"columns": ["0-0"]})])]),
    "section23.nbest": (BLLIP, "bllip", [NBest("wsj_2300.1", None, [
        Candidate("(S1 (S (NP (DT This)) (VP (VBZ works))))", -29.6),
        Candidate("(S1 (FRAG (NP (DT This)) (NNS works)))", -31.2)])]),
    "crf.out": ("# 0 0.5\nTulsa NNP B-NP B-NP\n\n", "conll", None),
    "letor.dat": ("# x\n1 qid:3 1:0.5 2:1\n0 qid:3 1:0.25\n", "svmlight", None),
    "azure.json": (
        json.dumps({"RecognitionStatus": "Success", "NBest": [
            {"Confidence": 0.9, "Lexical": "i scream"}, {"Confidence": 0.5, "Lexical": "ice cream"}
        ]}), "json", [NBest(None, None, [
            Candidate("i scream", features={"Confidence": 0.9}),
            Candidate("ice cream", features={"Confidence": 0.5}),
        ], extra={"RecognitionStatus": "Success"})]),
    "service.json": (
        json.dumps({"results": [
            {"alternatives": [{"transcript": "i scream", "confidence": 0.5},
                              {"transcript": "ice cream"}], "languageCode": "en-us"},
            {"languageCode": "en-us"},
        ], "totalBilledTime": "2s"}, indent=1), "json", [NBest(None, None, [
            Candidate("i scream", features={"confidence": 0.5}), Candidate("ice cream"),
        ], extra={"languageCode": "en-us"})]),
    "transcribed.json": (
        json.dumps({"jobName": "j", "results": {"transcripts": [{"transcript": "i scream"}],
            "segments": [{"alternatives": [{"transcript": "i scream"},
                                           {"transcript": "ice cream"}]}]}}), "json",
        [NBest(None, None, [Candidate("i scream"), Candidate("ice cream")])]),
    "samples.jsonl": (
        lines({"task_id": "sum/0", "completion": "return a + b", "passed": True},
              {"task_id": "sum/0", "completion": "return a", "passed": False}), "json",
        [NBest("sum/0", None, [Candidate("return a + b", quality=1.0),
                               Candidate("return a", quality=0.0)])]),
}  # fmt: skip

MAPPED = {
    # name of the file: what it holds, the map that tells what does not go without saying, its lists
    "beams.tsv": ("I scream\t-1.5\nice cream\t-2.0\n", "n=2", [NBest(0, None, ICE)]),
    "decoded.csv": (
        "key,said,total\nu1,I scream,-1.5\nu1,ice cream,-2\n", "id=key,output=said,logprob=total",
        [NBest("u1", None, ICE)]),
    "judged.jsonl": (
        lines({"q": "2 + 2?", "tries": [{"said": "4", "judge": {"mark": 0.5}}]}),
        "input=q,output=tries", None),
    "ungrouped.csv": (
        "hyp,lm\nI scream,-4\nice cream,-5\n", "n=2", [NBest(None, None, [
            Candidate("I scream", features={"lm": -4.0}),
            Candidate("ice cream", features={"lm": -5.0})])]),
}  # fmt: skip


@pytest.mark.parametrize("name", MAPPED)
def test_a_refusal_names_the_option_that_reads_the_file(name, tmp_path):
    text, map, expected = MAPPED[name]
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(FormatError) as caught:
        list(read_nbest(path))
    parts = {one.partition("=")[0] for one in map.split(",")}
    assert any(f"--map {part}=" in (caught.value.hint or "") for part in parts)
    if expected is not None:
        assert list(read_nbest(path, map=map)) == expected


REFUSED = {
    # name of the file: what it holds, what the error says, what the hint begins with
    "notes.txt": ("yes\nno\n", "the file begins with 'yes'", "name it: --format"),
    "clicks.csv": ("query,doc\na,b\n", ":2: found no candidates among the keys query, doc",
                   "say which key has them: --map output=KEY"),
    "rewards.jsonl": (lines({"completions": ["a"], "rewards": ["good"]}),
                      ":1: completions[0].rewards: expected a number", "it was read as json"),
    "train.dat": ("1 1:0.5\n0 1:2\n", ":1: expected `target qid:N",
                  "the number of lines of each list"),
    "run.moses": ("0 ||| a ||| lm= x ||| 2\n", ":1: ", "it was read as moses"),
    "own.jsonl": ('{"candidates": [{"output": "a"}]}\n{"candidates": \n', ":2: ",
                  "it was read as jsonl"),
    "batch.jsonl": (lines({**BATCH, "response": {"body": {"error": "too long"}}}),
                    ":1: the request failed: too long", "it was read as openai"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_every_refusal_says_what_would_help(name, tmp_path):
    text, problem, hint = REFUSED[name]
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(FormatError) as caught:
        list(read_nbest(path))
    assert problem in caught.value.message
    assert caught.value.hint.startswith(hint)
    assert "--" in caught.value.hint


def test_the_sizes_of_lists_may_be_in_a_file_beside(tmp_path):
    path = tmp_path / "rank.train"
    path.write_text("1 1:0.5\n0 1:2\n0 1:3\n")
    for ending in (".query", ".group"):
        beside = tmp_path / f"rank.train{ending}"
        beside.write_text("2\n1\n")
        assert [len(nbest) for nbest in read_nbest(path)] == [2, 1]
        beside.unlink()


@pytest.mark.parametrize("name", FILES)
def test_a_foreign_file_is_read_without_an_option(name, tmp_path):
    text, format, expected = FILES[name]
    path = tmp_path / name
    path.write_text(text)
    assert found_format(path) == format
    lists = list(read_nbest(path))
    assert lists
    if expected is not None:
        assert lists == expected


def test_the_output_file_of_a_batch_has_the_ids_of_its_requests(tmp_path):
    path = tmp_path / "batch_output.jsonl"
    path.write_text(lines(BATCH, {**BATCH, "custom_id": "request-8"}))
    assert [nbest.id for nbest in read_nbest(path)] == ["request-7", "request-8"]


def test_a_request_that_failed_is_an_error(tmp_path):
    path = tmp_path / "batch_output.jsonl"
    failed = {**BATCH, "response": {"status_code": 400, "body": {"error": {"message": "too long"}}}}
    path.write_text(lines(BATCH, failed))
    with pytest.raises(FormatError, match=r"jsonl:2: the request failed: .*too long"):
        list(read_nbest(path))


def test_parquet_with_a_list_per_row_and_with_a_candidate_per_row(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    nested = {"prompt": ["2 + 2?"], "completions": [["4", "5"]], "rewards": [[1.0, 0.25]]}
    flat = {"prompt": ["2 + 2?"] * 2, "completion": ["4", "5"], "reward": [1.0, 0.25]}
    expected = [NBest(None, "2 + 2?", [Candidate("4", quality=1.0), Candidate("5", quality=0.25)])]
    for number, columns in enumerate((nested, flat)):
        path = tmp_path / f"{number}.parquet"
        parquet.write_table(pyarrow.table(columns), path)
        assert list(read_nbest(path)) == expected


def test_a_pair_is_in_an_order_that_does_not_tell(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(
        lines(
            {"prompt": "p", "chosen": "b", "rejected": "a", "score_chosen": 8, "score_rejected": 2}
        )
    )
    (nbest,) = read_nbest(path)
    assert nbest.candidates == [Candidate("a", quality=2.0), Candidate("b", quality=8.0)]


def test_a_map_names_any_keys(tmp_path):
    path = tmp_path / "a.json"
    path.write_text(
        json.dumps(
            [{"q": "2 + 2?", "tries": [{"said": "4", "meta": {"lp": "-1.5"}, "ok": True}], "n": 1}]
        )
    )
    with pytest.raises(FormatError, match="no candidates among the keys q, tries, n") as caught:
        list(read_nbest(path))
    assert "--map output=KEY" in caught.value.hint
    path.write_text(path.read_text().replace('"tries"', '"output"').replace('"meta"', '"m"'))
    with pytest.raises(FormatError, match="found no text among the keys 'said'"):
        list(read_nbest(path))


def test_a_map_of_parallel_lists(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(lines({"q": "2 + 2?", "tries": ["4", "5"], "lp": [-1, -2], "mark": [True, 0]}))
    (nbest,) = read_nbest(path, map="input=q,output=tries,logprob=lp,quality=mark")
    assert nbest == NBest(None, "2 + 2?", [Candidate("4", -1.0, 1.0), Candidate("5", -2.0, 0.0)])
    path.write_text(lines({"q": "x", "tries": ["4", "5"], "lp": [-1]}))
    with pytest.raises(FormatError, match="a.jsonl:1: lp: there are 2 candidates, and 1 of lp"):
        list(read_nbest(path, map="output=tries,logprob=lp"))


def test_rows_that_nothing_groups_need_an_id_or_a_number(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("hyp,lm\na,1\nb,2\nc,3\nd,4\n")
    with pytest.raises(FormatError, match="nothing among hyp, lm says which") as caught:
        list(read_nbest(path))
    assert "--map id=KEY" in caught.value.hint
    assert "--map n=10" in caught.value.hint
    assert [len(one) for one in read_nbest(path, map="n=2")] == [2, 2]
    with pytest.raises(FormatError, match="the last list has 1 rows, not 3"):
        list(read_nbest(path, map="n=3"))


def test_a_table_without_known_columns_names_them_and_the_option(tmp_path):
    for name in ("a.csv", "a.tsv"):
        path = tmp_path / name
        path.write_text("x1,x2\n1,2\n".replace(",", "\t" if name.endswith("tsv") else ","))
        with pytest.raises(FormatError, match="no candidates among the keys x1, x2") as caught:
            list(read_nbest(path))
        assert caught.value.hint.startswith("say which key has them: --map output=KEY")


def test_beams_need_their_width(tmp_path):
    path = tmp_path / "beams.tsv"
    path.write_text("a\t-1\nb\t-2\n")
    with pytest.raises(FormatError, match="nothing says which are one list") as caught:
        list(read_nbest(path))
    assert "--map n=8" in caught.value.hint
    assert [len(one) for one in read_nbest(path, map="n=2")] == [2]


def test_a_map_for_a_format_without_keys_is_refused(tmp_path):
    path = tmp_path / "a.moses"
    path.write_text("0 ||| a ||| LM= 1 ||| -1\n")
    with pytest.raises(UsageError, match="moses has no keys to map"):
        list(read_nbest(path, map="output=x"))
    # the map of a model is only for files that have keys
    assert len(list(NBestFiles(path).like(NBestFiles(path, map="output=x").map))) == 1


@pytest.mark.parametrize("map", ["output", "what=x", "n=0", "n=many", ""])
def test_a_map_that_makes_no_sense_is_refused(map):
    with pytest.raises(UsageError):
        NBestFiles("a", map=map)


def test_patterns_name_several_files(tmp_path):
    for name in ("b.tsv", "a.tsv"):
        (tmp_path / name).write_text(f"-1\t{name}\n")
    lists = NBestFiles(str(tmp_path / "*.tsv"))
    assert [nbest.candidates[0].output for nbest in lists] == ["a.tsv", "b.tsv"]
    assert [nbest.candidates[0].output for nbest in lists] == ["a.tsv", "b.tsv"]
    with pytest.raises(FormatError, match=r"\*.moses: no such file"):
        list(NBestFiles(str(tmp_path / "*.moses")))


def test_a_pipe_is_looked_into_and_read(tmp_path):
    import os
    import threading

    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_text, args=("0 ||| a ||| LM= 1 ||| -1\n",))
    writer.start()
    (nbest,) = read_nbest(path)
    writer.join()
    assert nbest.candidates == [Candidate("a", -1.0, features={"LM": 1.0})]
