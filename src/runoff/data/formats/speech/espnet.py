"""JSON files of speech recognisers: ESPnet's `data.json` and the lists of mlm-scoring.

ESPnet writes, for every utterance, an `output` list with `rec_text`, `score` and the reference
`text`; the end mark `<eos>` is taken off the texts. mlm-scoring (Shin's layout) is

    {"1272-128104-0000": {"ref": "mister quilter", "hyp_1": {"score": -1.2, "text": "..."}}}

Both are read, the second is written. Scores are log-probabilities; other keys are kept. These
files are one JSON value, so reading one takes the memory of the whole file; writing streams.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from runoff.data.files import FilePath, read_whole
from runoff.data.formats.common import Numbered, SeenIds, numbered
from runoff.data.formats.json_text import decode_json, encode_json, join_key
from runoff.data.nbest import Candidate, NBest
from runoff.errors import FormatError

END = "<eos>"


def read(path: FilePath) -> Iterator[NBest]:
    """The lists of an ESPnet or mlm-scoring file, in the order of the file."""
    lists = decode_json(read_whole(path), path)
    _expect(dict, lists, path, "")
    utterances = lists.get("utts")
    espnet = isinstance(utterances, dict) and not any(_place(key) for key in utterances)
    layout, parent = (_espnet, "utts") if espnet else (_mlm, "")
    for name, utterance in (utterances if espnet else lists).items():
        key = join_key(parent, name)
        _expect(dict, utterance, path, key)
        nbest = layout(name, utterance, path, key)
        if not nbest.candidates:
            raise FormatError("the utterance has no hypotheses", path=path, key=key)
        yield nbest


def _espnet(name: str, utterance: dict[str, Any], path: object, key: str) -> NBest:
    outputs = utterance.pop("output", [])
    _expect(list, outputs, path, f"{key}.output")
    gold = None
    candidates: list[Candidate] = []
    for place, output in enumerate(outputs):
        at = f"{key}.output[{place}]"
        if isinstance(output, list):
            raise FormatError("several speakers; split the file by speaker", path=path, key=at)
        _expect(dict, output, path, at)
        gold = output.pop("text", gold)
        text = _text(output.pop("rec_text", None), path, f"{at}.rec_text")
        score = _score(output.pop("score", None), path, f"{at}.score")
        candidates.append(Candidate(text.replace(END, "").strip(), score, extra=output))
    return NBest(name, None, candidates, gold, utterance)


def _mlm(name: str, utterance: dict[str, Any], path: object, key: str) -> NBest:
    places = sorted((key for key in utterance if _place(key)), key=_place)
    candidates: list[Candidate] = []
    for place in places:
        at, hypothesis = f"{key}.{place}", utterance.pop(place)
        _expect(dict, hypothesis, path, at)
        text = _text(hypothesis.pop("text", None), path, f"{at}.text")
        score = _score(hypothesis.pop("score", None), path, f"{at}.score")
        candidates.append(Candidate(text, score, extra=hypothesis))
    return NBest(name, None, candidates, utterance.pop("ref", None), utterance)


def _place(key: str) -> int:
    """The number of a key such as `hyp_12`; 0 for other keys."""
    number = key.removeprefix("hyp_")
    sound = number != key and number.isascii() and number.isdigit() and len(number) < 10
    return int(number) if sound else 0


def _expect(kind: type[object], value: object, path: object, key: str) -> None:
    if not isinstance(value, kind):
        problem = f"expected {kind.__name__}, got {type(value).__name__}"
        raise FormatError(problem, path=path, key=key or None)


def _text(value: Any, path: object, key: str) -> str:
    _expect(str, value, path, key)
    return str(value)


def _score(value: Any, path: object, key: str) -> float | None:
    if value is None:
        return None
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise FormatError(f"expected a number, got {type(value).__name__}", path=path, key=key)
    try:
        return float(value)
    except OverflowError:
        raise FormatError("the number is out of range", path=path, key=key) from None


def encode(lists: Iterable[NBest]) -> Iterator[bytes]:
    """The lists in the layout of mlm-scoring; a list without an id gets its index, from 0."""
    seen = SeenIds()
    before = b"{\n"
    for item in numbered(lists):
        name = str(item.id)
        if not seen.add(name):
            raise item.error("has the id of an earlier list")
        utterance = _utterance(item)
        try:
            yield before + encode_json(name) + b":" + encode_json(utterance)
        except ValueError as error:
            raise item.error(str(error)) from None
        before = b",\n"
    yield b"{}\n" if before == b"{\n" else b"\n}\n"


def _utterance(item: Numbered) -> dict[str, Any]:
    nbest = item.nbest
    utterance: dict[str, Any] = {} if nbest.gold is None else {"ref": nbest.gold}
    for place, candidate in enumerate(nbest.candidates, start=1):
        item.number(candidate.logprob, "logprob")
        text = item.text(candidate.output, "an output", "")
        hypothesis = {"score": candidate.logprob, "text": text}
        utterance[f"hyp_{place}"] = _joined(hypothesis, candidate.extra, item, hypothesis)
    known = {"ref", *filter(_place, nbest.extra)}
    return _joined(utterance, nbest.extra, item, known)


def _joined(
    fields: dict[str, Any], extra: dict[str, Any], item: Numbered, known: Iterable[str]
) -> dict[str, Any]:
    clash = extra.keys() & known
    if clash:
        raise item.error(f"has an extra key with the name of a field: {min(clash)}")
    return fields | extra
