"""How well raw text is cut into sentences and tokens, against treebanks.

    python benchmarks/tokens.py [--data ../shared/data] [--errors 40] [TREEBANK ...]

The treebanks hold tokens, not the text they were cut from, so the text is made again by rules: see
`spaces`. Two things follow. The rules know the tags (a hyphen that is a HYPH stood without
spaces), and where the text had a space that is not here, or the other way round, nothing is
learned of it: tokens that were glued to each other in the articles, such as `p<0.05`, are apart
here. So the figures are kinder than those on the articles would be. `tokens, tight` glues all signs
(SYM) to their neighbours, which is harder than most articles are.

Sentences of a document are joined by a space, so that only punctuation and words tell where one
ends. Headings, and what ends without a full stop, question or exclamation mark, get a blank line
on both sides; boundaries at blank lines are not counted. `--errors` prints what goes wrong most.
Only training and development parts are ever looked at; the rules were written by looking at both.
"""

import argparse
import re
import time
from collections import Counter
from pathlib import Path

from measuring import machine

from runoff.data.text.sentences import split_sentences
from runoff.data.text.tokens import tokenize
from runoff.data.tree import read_trees

ROOT = Path(__file__).parent.parent
RESULTS = Path(__file__).parent / "results" / "tokens.md"
TREEBANKS = ["craft/train", "craft/dev", "masc/train"]

OPENING = set("([{“‘$#£€~")
CLOSING = set(")]},;:.?!%”…°")
CLITICS = {"n't", "'ll", "'re", "'ve", "'d", "'m", "'s", "°c"}
SUSPENDED = {"and", "or", "to"}  # micro- and macroscopic


def inside_word(word, tag):
    """Whether a token stands without spaces on either side."""
    return tag == "HYPH" or word == "/" or (tag == "SYM" and word in "-–−—:'′")


def spaces(words, tags, tight=False):
    """For every token whether a space comes before it."""
    found = [False]
    for i in range(1, len(words)):
        word, tag, before, tag_before = words[i], tags[i], words[i - 1], tags[i - 1]
        space = not (
            word in CLOSING or tag in ("''", "POS", ",", ".") or word.lower() in CLITICS
        ) and not (before in OPENING or tag_before == "``")
        if tag == "``" or (before == "-" and word in SUSPENDED):
            space = True
        elif inside_word(word, tag) or inside_word(before, tag_before):
            space = False
        elif word in "–—" or before in "–—" or (before == tag_before == ":"):
            space = True
        if (word == "+" and "/" in (before, *words[i + 1 : i + 2])) or (
            word == "not" and before.lower() == "can"
        ):
            space = False
        found.append(space and not (tight and "SYM" in (tag, tag_before)))
    return found


def text_of(tree, tight=False):
    """A sentence as text, and the places of its tokens."""
    words = tree.words
    tags = [node.label for node in tree.preterminals()]
    tags += [""] * (len(words) - len(tags))
    text, places = "", set()
    for word, space in zip(words, spaces(words, tags, tight), strict=True):
        text += " " * space
        places.add((len(text), len(text) + len(word)))
        text += word
    return text, places


class Count:
    """Recall, precision and F of places found against places wanted."""

    def __init__(self):
        self.hits = self.wanted = self.found = self.seconds = self.characters = 0
        self.errors = Counter()

    def add(self, wanted, found, describe):
        """Count places, and describe those that are in one of the two only."""
        self.hits += len(wanted & found)
        self.wanted += len(wanted)
        self.found += len(found)
        self.errors.update(describe(place) for place in wanted ^ found)

    def row(self):
        """The cells of a table."""
        recall, precision = self.hits / self.wanted, self.hits / self.found
        f = 2 * self.hits / (self.wanted + self.found)
        figures = " | ".join(f"{100 * value:.2f}" for value in (recall, precision, f))
        return f"{self.wanted:,} | {figures} | {self.characters / self.seconds / 1e6:.1f}"


def timed(count, text, function):
    start = time.process_time()
    result = function(text)
    count.seconds += time.process_time() - start
    count.characters += len(text)
    return result


def measure_tokens(path, tight=False):
    count = Count()
    for tree in read_trees(f"{path}.clean.mrg.gz"):
        text, wanted = text_of(tree, tight)
        found = {(t.start, t.end) for t in timed(count, text, tokenize)}
        count.add(wanted, found, lambda place: text[slice(*place)])  # noqa: B023
    return count


def documents(path):
    trees = list(read_trees(f"{path}.clean.mrg.gz"))
    for line in Path(f"{path}.docs.tsv").read_text().splitlines():
        first, size = line.split("\t")[1:3]
        if first.isdigit():
            yield trees[int(first) - 1 :][: int(size)]


def measure_sentences(path):
    count = Count()
    for trees in documents(path):
        text, wanted, given, alone = "", set(), {0}, True
        for tree in trees:
            own = text_of(tree)[0]
            heading = tree.children[0].label in ("TITLE", "HEADING")
            if text and (alone or heading):
                text += "\n\n"
                given.add(len(text))
            elif text:
                text += " "
                wanted.add(len(text))
            text += own
            alone = heading or not re.search(r"[.!?…]['\"”’)\]]*$", own)
        found = {s.start for s in timed(count, text, lambda t: list(split_sentences(t)))}
        count.add(wanted, found - given, lambda at: text[at - 30 : at] + "|" + text[at : at + 20])  # noqa: B023
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--errors", type=int, default=0)
    parser.add_argument("treebanks", nargs="*", default=TREEBANKS)
    options = parser.parse_args()
    rows = []
    for name in options.treebanks:
        path = options.data / name
        for what, count in (
            ("tokens", measure_tokens(path)),
            ("tokens, tight", measure_tokens(path, tight=True)),
            ("sentences", measure_sentences(path)),
        ):
            rows.append(f"| {name} | {what} | {count.row()} |")
            print(rows[-1])
            for text, times in count.errors.most_common(options.errors):
                print(f"    {times} {text!r}")
    head = "| treebank | what | places | recall | precision | F | MB per CPU second |"
    RESULTS.write_text(
        "# Sentences and tokens of raw text\n\n"
        f"`python benchmarks/tokens.py`: {machine()}. The text is made again from the tokens by "
        "rules, which is kinder than the articles would be: see the script. Of sentences, only "
        "boundaries inside running text are counted, after a full stop, question or exclamation "
        "mark.\n\n" + "\n".join([head, "|---|---|---|---|---|---|---|", *rows]) + "\n"
    )


if __name__ == "__main__":
    main()
