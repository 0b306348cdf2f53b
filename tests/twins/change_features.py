"""Features of what changed, with Python's own strings and a table of distances that is filled."""

from collections import Counter
from itertools import takewhile

from runoff.features.text import tokens

VOWELS = set("aeiouy")
MARKS = {"'": "apostrophe", " ": "space", "-": "hyphen"}
LONGEST = 100


def features(nbest):
    """The features of every candidate."""
    order = nbest.base_order()
    favourite = nbest.candidates[order[0]].output if order else None
    found = []
    for candidate in nbest.candidates:
        output = candidate.output if isinstance(candidate.output, str) else ""
        own = Counter()
        if isinstance(nbest.input, str):
            own |= _characters(nbest.input, output)
        if isinstance(favourite, str):
            own |= _words(favourite, output)
        found.append(dict(own))
    return found


def edits(before, after):
    """The edits of the best alignment, the last first, as kinds and positions."""
    n, m = len(before), len(after)
    best = {}
    for i in range(n + 1):
        for j in range(m + 1):
            options = [i + j] if not i or not j else []
            if i and j:
                options.append(best[i - 1, j - 1] + (before[i - 1] != after[j - 1]))
                options += [best[i - 1, j] + 1, best[i, j - 1] + 1]
                if before[i - 1] != after[j - 1] and _swapped(before, after, i, j):
                    options.append(best[i - 2, j - 2] + 1)
            best[i, j] = min(options)
    found, i, j = [], n, m
    while i or j:
        here = best[i, j]
        if i and j and before[i - 1] == after[j - 1] and here == best[i - 1, j - 1]:
            i, j = i - 1, j - 1
        elif _swapped(before, after, i, j) and here == best[i - 2, j - 2] + 1:
            i, j = i - 2, j - 2
            found.append(("swap", i, j))
        elif i and j and here == best[i - 1, j - 1] + 1:
            i, j = i - 1, j - 1
            found.append(("substitution", i, j))
        elif j and here == best[i, j - 1] + 1:
            j -= 1
            found.append(("insertion", i, j))
        else:
            i -= 1
            found.append(("deletion", i, j))
    return found


def _swapped(before, after, i, j):
    return i > 1 and j > 1 and before[i - 2 : i] == after[j - 2 : j][::-1]


def _ends(a, b):
    start = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))
    rest = zip(reversed(a[start:]), reversed(b[start:]), strict=False)
    return start, sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], rest))


def _characters(given, output):
    before, after = given.lower(), output.lower()
    own = _shape(output, after)
    if given == output:
        return own | Counter(["unchanged"])
    own["changed: case only"] = before == after
    for mark, name in MARKS.items():
        if before.count(mark) != after.count(mark):
            own[f"changed: {name}"] = 1
            own[f"changed: {name} only"] = before.replace(mark, "") == after.replace(mark, "")
    start, end = _ends(before, after)
    own["common beginning"], own["common end"] = start, end
    own["changed: first character"], own["changed: last character"] = start == 0, end == 0
    old, now = before[start : len(before) - end], after[start : len(after) - end]
    if max(len(old), len(now)) <= LONGEST:
        own["changed: order only"] = before != after and sorted(old) == sorted(now)
        found = edits(old, now)
        own["edits"] = len(found)
        for kind, i, j in found:
            own.update(_edit(kind, before, i + start, after, j + start))
    return Counter({name: int(value) for name, value in own.items() if value})


def _edit(kind, before, i, after, j):
    old, now = before[i : i + 1].replace(" ", "␣"), after[j : j + 1].replace(" ", "␣")
    yield f"edits: {kind}"
    if kind == "swap":
        other = before[i + 1].replace(" ", "␣")
        yield f"edit: {old}{other} -> {other}{old}"
    elif kind == "substitution":
        yield f"edit: {old} -> {now}"
        if old in VOWELS and now in VOWELS:
            yield "edits: vowel for vowel"
        elif all(_is_letter(c) and c not in VOWELS for c in (old, now)):
            yield "edits: consonant for consonant"
    elif kind == "insertion":
        yield f"edit: + {now}"
        if j and after[j - 1] == after[j]:
            yield "edits: doubled"
    else:
        yield f"edit: - {old}"
        if i and before[i - 1] == before[i]:
            yield "edits: undoubled"


def _is_letter(character):
    return character != "␣" and (ord(character) > 127 or "a" <= character <= "z")


def _shape(output, lower):
    own = Counter()
    if lower and " " not in lower:
        own["begins with a capital"] = len(output) == len(lower) and output[0] != lower[0]
        for size in range(1, min(3, len(lower)) + 1):
            own["begin: " + lower[:size]] = own["end: " + lower[-size:]] = 1
    return Counter({name: int(value) for name, value in own.items() if value})


def _words(favourite, output):
    if favourite == output:
        return Counter(["the favourite"])
    before, after = tokens(favourite), tokens(output)
    start, end = _ends(before, after)
    old, now = before[start : len(before) - end], after[start : len(after) - end]
    if max(len(old), len(now)) > LONGEST:
        return Counter()
    found = edits(old, now)
    own = Counter({"words changed from the favourite": len(found)} if found else {})
    for kind, i, j in found:
        size = 2 if kind == "swap" else 1
        parts = {
            "insertion": ["+", *now[j : j + 1]],
            "deletion": ["-", *old[i : i + 1]],
        }.get(kind, [*old[i : i + size], "->", *now[j : j + size]])
        own[" ".join(["against the favourite:", *parts])] += 1
    return own
