"""A linear ranker on top of the lists of a word model: what neighbouring words add to the tree.

    python benchmarks/word_lists.py [--data DIR]

DIR (RUNOFF_DATA, or ../shared/data) has `reuters21578`. The word model learns from the first
documents, so that its lists of the next ones are honest; the ranker learns from those, and chooses
its prior by the documents behind them. The last 400 documents are tested on once. Features are
those of the guide, `docs/guide/words.md`.
"""

import argparse
import tempfile
from pathlib import Path

from measuring import machine, seconds, table
from words import reuters, share

import runoff as ro
from runoff.recipes.corpora import data_folder
from runoff.tasks.words.model import Asked

RESULTS = Path(__file__).parent / "results" / "word_lists.md"
TEST, DEV, LISTS = 400, 400, 1500  # documents, from the end
N = 10
OPTIONS = {"prior": (0.5, 1.0), "iterations": 60}
BLANK = "___"


def neighbours(context, candidate):
    """Pairs and triples of the word and those next to it."""
    words = ["<s>", "<s>", *context.split(), "</s>", "</s>"]
    at, word = words.index(BLANK), candidate.output
    (a, b), (c, d) = words[at - 2 : at], words[at + 1 : at + 3]
    pairs = [f"{b} [{word}]", f"[{word}] {c}", f"{a} [{word}]", f"[{word}] {d}"]
    return [*pairs, f"{b} [{word}] {c}", f"{a} {b} [{word}]", f"[{word}] {c} {d}"]


def parts(documents):
    """Documents of the tree, of the ranker, and of both tests."""
    ends = [len(documents) - sum(sizes) for sizes in ((LISTS, DEV, TEST), (DEV, TEST), (TEST,))]
    return [documents[a:b] for a, b in zip([0, *ends], [*ends, len(documents)], strict=True)]


def lists_of(model, texts):
    """A list for every word of texts."""
    return list(model.lists((Asked(text, range(len(text))) for text in texts), N))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path)
    options = parser.parse_args()
    data = data_folder(options.data, project=Path(__file__).parents[1])
    texts, *others = parts(reuters(data))
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for number, text in enumerate(texts):
            files.append(Path(folder) / str(number))
            files[-1].write_text(" ".join(text))
        model = ro.train("words", files, tokenized=True)
    train, dev, test = (lists_of(model, part) for part in others)
    ranker, spent = seconds(
        lambda: ro.fit(train, dev=dev, learner="maxent", features=[neighbours], metric="exact",
                       options=OPTIONS, min_lists=2)
    )  # fmt: skip
    gold = [nbest.gold for nbest in test]
    found = {
        "the tree": [word for text in others[-1] for word in model.predict_each(text)],
        "first of the list": [nbest.candidates[0].output for nbest in test],
        "picked": [nbest.candidates[0].output for nbest in ranker.rerank(test)],
    }
    rows = [[name, share(words, gold)] for name, words in found.items()]
    inside = [n.gold in {c.output for c in n.candidates} for n in test]
    rows.append([f"somewhere among the {N}", share(inside, [True] * len(inside))])
    sizes = [sum(map(len, part)) for part in (texts, *others)]
    lines = [
        "# A ranker on top of word lists",
        "\n`python benchmarks/word_lists.py`: Reuters-21578; the tree learned from {:,} words, the "
        "ranker from lists of {:,}, its prior from {:,}; tested on {:,}. Fitting took {:.0f} CPU "
        "s; {}.\n".format(*sizes, spent, machine()),
        *table(["", "right %"], rows),
    ]
    RESULTS.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
