"""Lists of a spelling checker: aspell's suggestions for codespell's real misspellings.

    python benchmarks/real_lists/spelling.py FOLDER [--words N]

Needs `pip install codespell` and apt-get. Writes spelling-{train,dev,seen,unseen}.jsonl: the input
is the misspelling, gold its correction; the candidates are in aspell's order, which has no numbers.
Families of words, by the stem of the correction, are kept apart from training for `unseen`; the
misspellings of `seen` were not in training, but others of the same families were.
"""

import argparse
import hashlib
import json
import re
from pathlib import Path

import codespell_lib
from tools import Tools

SUFFIXES = re.compile(r"(?:ations?|ingly|ings?|edly|ed|ers?|ly|es|s|e|ness|able|ment|ion|al|ity)$")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--words", type=int, default=8000)
    options = parser.parse_args()
    lists = list(suggestions(pairs(options.words), Tools(options.folder)))
    for part in ("train", "dev", "seen", "unseen"):
        own = [one for one in lists if part_of(one) == part]
        lines = [json.dumps(one, ensure_ascii=False) for one in own]
        (options.folder / f"spelling-{part}.jsonl").write_text("\n".join([*lines, ""]))
        share = sum(one["gold"] in [c["output"] for c in one["candidates"]] for one in own)
        print(f"{part}: {len(own):,} lists, correction among the candidates of {share:,}")


def pairs(size):
    """Misspellings with one correction, drawn by a hash of theirs."""
    path = Path(codespell_lib.__file__).parent / "data" / "dictionary.txt"
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        wrong, right = line.split("->")
        if "," not in right and wrong.isascii() and re.fullmatch(r"[A-Za-z]+", wrong):
            found.append((wrong, right.strip()))
    return sorted(found, key=lambda pair: digest(pair[0]))[:size]


def suggestions(words, tools):
    """A list for each misspelling for which aspell has two suggestions or more."""
    given = "\n".join(f"^{wrong}" for wrong, _ in words).encode()
    answers = tools.run("aspell", *tools.aspell, "-a", "--sug-mode=normal", given=given)
    blocks = answers.decode("latin-1").split("\n", 1)[1].split("\n\n")
    gold = dict(words)
    for block in blocks:
        head, _, suggested = block.strip().partition(": ")
        if not head.startswith("& ") or ", " not in suggested:
            continue
        wrong = head.split()[1]
        candidates = [{"output": one} for one in suggested.split(", ")]
        yield {"id": wrong, "input": wrong, "gold": gold[wrong], "candidates": candidates}


def part_of(one):
    """Training, development or test: whole families, or single misspellings of the others."""
    family = digest("family " + SUFFIXES.sub("", one["gold"].lower())) % 100
    if family < 20:
        return "unseen"
    place = digest("part " + one["id"]) % 100
    return "seen" if place < 25 else "dev" if place < 40 else "train"


def digest(text):
    """A number that depends on the text alone."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=6).digest(), "big")


if __name__ == "__main__":
    main()
