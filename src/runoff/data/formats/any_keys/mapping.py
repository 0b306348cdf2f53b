"""Which key of a JSON object, or column of a table, is which part of a list.

Usual names are known (`prompt` is the input, `completions` the candidates, `rewards` their
qualities); any other is told by a map, as `--map input=prompt,output=completions` has it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from runoff.errors import FormatError, UsageError, unknown_choice

NAMES: dict[str, str] = {
    "id": "id listid groupid group qid queryid uttid utt utteranceid utterance segmentid sentid "
    "sentenceid customid taskid problemid questionid promptid audio audiofilepath audiopath "
    "filename",
    "input": "input inputs prompt question instruction query source src problem messages",
    "gold": "gold reference references ref refs target tgt truth groundtruth expected answer "
    "solution",
    "output": "output outputs candidates candidate completions completion responses response "
    "generations samples hypotheses hypothesis hyps hyp nbest predictions prediction answers "
    "alternatives beams sequences sequence generatedtexts generatedtext translationtext "
    "summarytext texts text suggestions suggestion corrections correction translations "
    "translation transcripts transcript transcription lexical content message",
    "logprob": "logprob logprobs logprobability logprobabilities logp loglikelihood "
    "cumulativelogprob sumlogprobs sequencesscores sequencescore",
    "quality": "quality qualities reward rewards iscorrect correct passed relevance grade",
}
"""Usual names of each part, without capitals and what is between letters; the first counts most."""

PAIR = ("chosen", "rejected")
"""Keys of a pair of answers, the first of which was preferred."""

MEASURES = frozenset("wer cer ter bleu chrf f1 accuracy exact loss error rank index".split())
"""Numbers that are kept aside, since they tell the answer or the place, not something to learn."""


@dataclass(frozen=True)
class Map:
    """The keys that a user named for the parts of a list.

    Parameters
    ----------
    keys : the key or column of each part; `a.b` is the key `b` inside of `a`.
    n : how many rows or lines are one list, where nothing in them tells.

    Examples
    --------
    >>> Map.parse("input=prompt,output=completions,n=4")
    Map(keys={'input': 'prompt', 'output': 'completions'}, n=4)
    >>> str(Map.parse({"output": "hyp"}))
    'output=hyp'
    """

    keys: Mapping[str, str] = field(default_factory=dict)
    n: int | None = None

    @classmethod
    def parse(cls, given: str | Mapping[str, Any] | Map | None) -> Map:
        """The map that a text such as `input=prompt,n=8` or a dictionary describes."""
        if given is None or isinstance(given, Map):
            return given or cls()
        keys = dict(given) if isinstance(given, Mapping) else _pairs(given)
        for part in keys:
            if part not in (*NAMES, "n"):
                raise unknown_choice("part of a list in the map", str(part), (*NAMES, "n"))
        n = keys.pop("n", None)
        if n is None:
            return cls({part: str(key) for part, key in keys.items()})
        if not str(n).isdecimal() or not int(n):
            raise UsageError(f"in a map, n is the number of candidates of a list, not {n!r}")
        return cls({part: str(key) for part, key in keys.items()}, int(n))

    def __str__(self) -> str:
        pairs = {**self.keys, **({} if self.n is None else {"n": self.n})}
        return ",".join(f"{part}={key}" for part, key in pairs.items())

    def __bool__(self) -> bool:
        return bool(self.keys) or self.n is not None

    def found(self, names: Collection[str]) -> Mapping[str, str]:
        """The key of each part, among the keys of an object or the columns of a table."""
        return _found(tuple(self.keys.items()), tuple(names))


@lru_cache(maxsize=1 << 12)  # objects of one file have the same keys again and again
def _found(told: tuple[tuple[str, str], ...], names: tuple[str, ...]) -> Mapping[str, str]:
    plain: dict[str, str] = {}
    for name in names:
        plain.setdefault(plain_name(name), name)
    found = dict(told)
    taken = {key.partition(".")[0] for key in found.values()}
    for part, usual in NAMES.items():
        if part in found:
            continue
        free = (plain[name] for name in usual.split() if name in plain)
        key = next((key for key in free if key not in taken), None)
        if key is not None:
            found[part] = key
            taken.add(key)
    return {part: found[part] for part in NAMES if part in found}


def _pairs(text: str) -> dict[str, str]:
    pairs = [one.partition("=") for one in text.split(",") if one.strip()]
    if not pairs or not all(part and equals and key for part, equals, key in pairs):
        raise UsageError(
            f"the map {text!r} cannot be read", hint="write it as input=prompt,output=completions"
        )
    return {part.strip(): key.strip() for part, _, key in pairs}


def plain_name(name: str) -> str:
    """A name without capitals and what is between letters.

    Examples
    --------
    >>> plain_name("Log_Prob"), plain_name("f1")
    ('logprob', 'f1')
    """
    return re.sub("[^a-z0-9]", "", name.lower())


def value_at(fields: Mapping[str, Any], key: str | None) -> Any:
    """The value of a key, or of a key inside of another, `a.b`; None where there is none.

    Examples
    --------
    >>> value_at({"meta": {"score": 1.5}}, "meta.score"), value_at({"a.b": 2}, "a.b")
    (1.5, 2)
    """
    if key is None or key in fields:
        return None if key is None else fields[key]
    first, dot, rest = key.partition(".")
    inner = fields.get(first)
    return value_at(inner, rest) if dot and isinstance(inner, Mapping) else None


def no_outputs(names: Collection[str], path: object, line: int | None) -> FormatError:
    """The error for an object or a table without candidates, which names what there is."""
    shown = ", ".join(_shown(name) for name in list(names)[:20]) or "none"
    return FormatError(
        f"found no candidates among the keys {shown}",
        path=path,
        line=line,
        hint="say which key has them: --map output=KEY, and where there are such, "
        "input=KEY,gold=KEY,logprob=KEY,quality=KEY,id=KEY",
    )


def _shown(name: object) -> str:
    text = str(name)
    return text[:40] if text.isprintable() else ascii(text)[:40]
