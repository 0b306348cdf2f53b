"""Confusables: experts of Runoff, plain IGTree and KenLM on the same words of Brown and Alice.

    python benchmarks/confusables.py [--data DIR] [--model MODEL] [--lmplz PROGRAM]

All learn from `books/books-*.txt.gz` of DIR (RUNOFF_DATA, or ../shared/data). Brown and Alice are
only tested on.

- `Runoff` is MODEL, of `runoff train proofing`; by default the one that comes with Runoff.
- `IGTree` is the paper's: a tree for each set, seven words on either side, grown from the windows
  of the set's words alone.
- `KenLM` chooses the word that makes the text around it most probable under a 5-gram model, as
  `language_model.py` says. Without `--lmplz` it is left out.
- A word counts as right where the system chooses the one that is there; capitals make no
  difference. False alarms are what `runoff proof` would say of all words of the text.
"""

import argparse
import gzip
from pathlib import Path

import numpy as np
from language_model import fill_gap, language_model
from measuring import machine, table

from runoff.data.confusables import PAPER_SETS, forms_of
from runoff.data.numbering import OUTSIDE, Numbering
from runoff.data.text.words import read_numbers, read_word_chunks
from runoff.learners.igtree.tree import IGTree, Windows
from runoff.models import model_file
from runoff.recipes.corpora import data_folder
from runoff.store.strings import StringTable
from runoff.tasks.proofing.model import ConfusablesModel

RESULTS = Path(__file__).parent / "results" / "confusables.md"
TESTS = {"Brown": "brown_text/brown.tok.txt.gz", "Alice": "alice/carroll-alice.tok.txt.gz"}


def places_of(words, texts):
    """Where words of a set are in a text, and which they are."""
    number = {form: i for i, word in enumerate(words) for form in forms_of(word)}
    return [(place, number[word]) for place, word in enumerate(texts) if word in number]


def experts(model, words, text, found):
    """What the expert chooses, and how many of its choices would be reported."""
    expert = next(one for one in model.experts if set(one.words) == set(words))
    right = alarms = 0
    for place, there in found:
        logs = expert.scores(text, place)
        own = expert.words.index(words[there])
        best = int(np.argmax(logs))
        right += best == own
        alarms += best != own and logs[best] - logs[own] > expert.thresholds[own]
    return right, alarms


def plain_tree(train, growing, words, text, found):
    forms = {growing[form]: i for i, word in enumerate(words) for form in forms_of(word)
             if form in growing}  # fmt: skip
    windows = Windows.of_text(train, 7, 7, only=np.array(sorted(forms), dtype=np.uint32))
    tree = IGTree().fit(windows)
    tested = Windows.of_text([StringTable.of(growing).numbers(text)], 7, 7)
    chosen = tested._replace(places=tested.places[[place for place, _ in found]])
    guesses = tree.predict(chosen).tolist()
    return sum(forms[guess] == there for guess, (_, there) in zip(guesses, found, strict=True))


def fill_gaps(lm, words, text, found):
    right = 0
    for place, there in found:
        capital = text[place][:1].isupper() and words[there].islower()
        forms = [word.capitalize() if capital else word for word in words]
        right += fill_gap(lm, text, place, forms) == there
    return right


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--model", default="confusables")
    parser.add_argument("--lmplz")
    options = parser.parse_args()
    data = data_folder(options.data, project=Path(__file__).parents[1])
    files = sorted((data / "books").glob("books-*.txt.gz"))
    model = ConfusablesModel.load(model_file(options.model))
    growing = Numbering([OUTSIDE])
    train = [read_numbers(file, growing) for file in files]
    lines = (" ".join(chunk) for file in files for chunk in read_word_chunks(file))
    lm = None if options.lmplz is None else language_model(options.lmplz, lines)
    rows, quiet = [], []
    for name, file in TESTS.items():
        text = gzip.open(data / file, "rt").read().split()
        alarms = 0
        for words in PAPER_SETS:
            found = places_of(words, text)
            right, reported = experts(model, words, text, found)
            alarms += reported
            tree = plain_tree(train, growing, words, text, found)
            counts = [right, tree, *([] if lm is None else [fill_gaps(lm, words, text, found)])]
            shares = [f"{100 * count / max(len(found), 1):.2f}" for count in counts]
            rows.append([name, ", ".join(words), f"{len(found):,}", *shares])
            print(rows[-1], flush=True)
        quiet.append([name, f"{len(text):,}", alarms, f"{1000 * alarms / len(text):.3f}"])
    head = ["text", "set", "occurrences", "Runoff %", "IGTree %"]
    lines = [
        "# Confusables",
        f"\n`python benchmarks/confusables.py`: experts that learned from books; {machine()}. What "
        "is measured, and how, stands in `confusables.py`.\n",
        *table([*head, *([] if lm is None else ["KenLM %"])], rows),
        "\n## False alarms of the nine sets\n",
        *table(["text", "words", "alarms", "a thousand words"], quiet),
    ]
    RESULTS.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
