"""Results of Whisper, Vosk and sherpa-onnx as JSON: one value after another, or an array.

Whisper's is a transcript with `segments`, whose log-probability is the sum over segments. Sherpa's
has `text`, `tokens` and `ys_log_probs`, whose sum is the log-probability unless there is a `score`.
Both are one transcript: those of one recording (`id`, `audio`, `audio_filepath`, …) are a list, and
so are those of one array. Vosk's has `alternatives`, each with a `confidence`, which is a
log-likelihood. A file with one transcript is a list of one, named as the file is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from runoff.data.compression import without_suffix
from runoff.data.files import FilePath
from runoff.data.formats.any_keys.candidates import Where
from runoff.data.formats.any_keys.mapping import Map
from runoff.data.formats.any_keys.rows import Row, lists_of
from runoff.data.formats.any_keys.values import read_values
from runoff.data.nbest import Candidate, NBest

PER_SEGMENT = ("temperature", "compression_ratio", "no_speech_prob")
"""Numbers of Whisper's segments; the largest is a feature of the transcript."""


def is_whisper(value: Any) -> bool:
    """Whether a JSON value is a result of Whisper."""
    return isinstance(value, Mapping) and isinstance(value.get("segments"), list)


def is_sherpa(value: Any) -> bool:
    """Whether a JSON value is a result of sherpa-onnx."""
    return isinstance(value, Mapping) and {"text", "ys_log_probs"} <= value.keys()


def is_vosk(value: Any) -> bool:
    """Whether a JSON value is a result of Vosk with alternatives."""
    alternatives = value.get("alternatives") if isinstance(value, Mapping) else None
    return isinstance(alternatives, list) and all(
        isinstance(one, Mapping) and {"text", "confidence"} <= one.keys() for one in alternatives
    )


def read_vosk(path: FilePath) -> Iterator[NBest]:
    """The lists of a file of Vosk's results, one by one; those in which it heard nothing are left.

    Results without `alternatives`, which Vosk gives while it is listening, are left out too.
    """
    for line, value in read_values(path):
        for one in value if isinstance(value, list) else [value]:
            found = one.get("alternatives") if isinstance(one, Mapping) else None
            if not isinstance(found, list):
                continue
            where = Where(path, line)
            candidates = [_alternative(part, where) for part in found]
            if any(candidate.output for candidate in candidates):
                yield NBest(one.get("id"), None, candidates)


def _alternative(value: Any, where: Where) -> Candidate:
    if not isinstance(value, Mapping) or not isinstance(value.get("text"), str):
        raise where.error("an alternative without text", "alternatives")
    extra = {"result": value["result"]} if "result" in value else {}
    return Candidate(
        value["text"].strip(), where.number(value.get("confidence"), "confidence"), extra=extra
    )


def read_whisper(path: FilePath, map: Map | None = None) -> Iterator[NBest]:
    """The lists of a file of Whisper's transcripts."""
    return lists_of(_transcripts(path, _whisper), map or Map(), path)


def read_sherpa(path: FilePath, map: Map | None = None) -> Iterator[NBest]:
    """The lists of a file of sherpa-onnx's transcripts."""
    return lists_of(_transcripts(path, _sherpa), map or Map(), path)


Transcript = Callable[[Mapping[str, Any], Where], dict[str, Any]]


def _transcripts(path: FilePath, transcript: Transcript) -> Iterator[Row]:
    """Rows, one for each transcript; those of an array, or of a file with one, share an id."""
    name = Path(without_suffix(path)).stem
    for number, (line, value) in enumerate(read_values(path)):
        where = Where(path, line)
        together = isinstance(value, list)
        for one in value if together else [value]:
            if not isinstance(one, Mapping):
                raise where.error("expected a transcript, an object")
            made = transcript(one, where)
            keys = Map().found(made)
            if "id" not in keys and (together or number == 0):
                made = {"id": name if number == 0 else f"{name} {number}", **made}
            yield line, made


def _whisper(value: Mapping[str, Any], where: Where) -> dict[str, Any]:
    segments = value.get("segments")
    if not isinstance(segments, list) or not all(isinstance(one, Mapping) for one in segments):
        raise where.error("expected a list of segments", "segments")
    total, features = 0.0, dict[str, float]()
    for one in segments:
        average = where.number(one.get("avg_logprob"), "segments[].avg_logprob")
        total += (average or 0.0) * (len(one.get("tokens") or ()) + 1)  # it counts the end too
        for name in PER_SEGMENT:
            number = where.number(one.get(name), f"segments[].{name}")
            if number is not None:
                features[name] = max(number, features.get(name, number))
    kept = {key: one for key, one in value.items() if key not in ("segments", "text", "language")}
    given = value.get("text")
    text = given if isinstance(given, str) else "".join(str(one.get("text")) for one in segments)
    return {**kept, "output": text.strip(), "logprob": total, "features": features}


def _sherpa(value: Mapping[str, Any], where: Where) -> dict[str, Any]:
    given = value.get("ys_log_probs") or []
    if not isinstance(given, list):
        raise where.error("expected a list of numbers", "ys_log_probs")
    numbers = [where.number(one, "ys_log_probs") or 0.0 for one in given]
    apart = ("text", "ys_log_probs", "score", "tokens", "timestamps", "durations", "words")
    kept = {key: one for key, one in value.items() if key not in apart and one not in ("", [])}
    score = where.number(value.get("score"), "score")
    return {
        **kept,
        "output": str(value.get("text", "")).strip(),
        "logprob": sum(numbers) if score is None else score,
        "token_logprobs": numbers,
        "tokens": value.get("tokens"),
    }
