"""The tagger on two corpora: accuracy, size, time; and NLTK's averaged perceptron beside it.

    python benchmarks/tagging.py [--data DIR] [--corpus NAME]... [--no-peer]

Corpora lie in DIR (RUNOFF_DATA, or ../shared/data): `craft` are the trees of
`craft/*.clean.mrg.gz`, `ewt` the XPOS column of `ewt_pos/*.tsv.gz`. Taggers learn from `train` and
are measured on `dev`, which also chooses the prior; no test split is read.

- Training is CPU seconds on one thread, from sentences in memory to the fitted tagger, over all
  priors that development sentences choose from.
- Speed is words per CPU second on one thread, from lists of words to lists of tags, the best of
  three passes over dev; words of the first pass are new to the tagger ("first"), later ones are
  remembered.
- Known words are those that training has seen. Choices are the tags that the tagger leaves a
  parser: those at least `ratio` times as probable as the word's best; an oracle then takes the
  right one if it is there.
- NLTK's PerceptronTagger learns with its own defaults from the same sentences.
"""

import argparse
import random
import tempfile
from pathlib import Path

from measuring import machine, seconds, table

from runoff.data.text.read import read_tagged_sentences
from runoff.recipes.corpora import data_folder
from runoff.tasks.tagging.report import report
from runoff.tasks.tagging.train import train_tagger

RESULTS = Path(__file__).parent / "results" / "tagging.md"
CORPORA = {"craft": "craft/{}.clean.mrg.gz", "ewt": "ewt_pos/{}.tsv.gz"}
RATIOS = (0.1, 0.01, 0.001)
HEAD = [
    *("corpus", "tagger", "accuracy %", "known", "unknown", "whole sentences"),
    *("training CPU s", "file kB", "words/CPU s, first", "words/CPU s"),
]


def speeds(work, words):
    """Words per CPU second: of the first pass, and of the best of three."""
    times = [seconds(work)[1] for _ in range(3)]
    return f"{words / times[0]:,.0f}", f"{words / min(times):,.0f}"


def row(name, corpus, seen, training, size, first, best):
    figures = (seen.accuracy, seen.known, seen.unknown, seen.sentences)
    shares = [f"{100 * figure:.2f}" for figure in figures]
    return [corpus, name, *shares, f"{training:.0f}", size, first, best]


def ours(corpus, train, dev, known):
    model, training = seconds(lambda: train_tagger(train, dev))
    tagger, inputs = model.tagger, dev
    words = sum(map(len, dev))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model"
        model.save(path)
        size = f"{path.stat().st_size / 1000:.0f}"
    seen = report(tagger.tag_all(inputs), dev, known)
    tagger.restore(tagger.arrays())  # forgets the words that it met
    rows = [
        row("Runoff", corpus, seen, training, size, *speeds(lambda: tagger.tag_all(inputs), words))
    ]
    ten = speeds(lambda: tagger.propose_all(inputs, 10), words)[1]
    print(corpus, "priors", model.tagger.record_["prior"], "weights", model.training["weights"])
    choices = []
    for ratio in RATIOS:
        found = tagger.choices_all(inputs, ratio)
        options = [{tag for tag, _ in word} for sentence in found for word in sentence]
        gold = [tag for sentence in dev for tag in sentence.gold]
        right = sum(tag in own for tag, own in zip(gold, options, strict=True))
        speed = speeds(lambda r=ratio: tagger.choices_all(inputs, r), words)[1]
        per_word = sum(map(len, options)) / words
        choices.append([corpus, ratio, f"{per_word:.3f}", f"{100 * right / words:.2f}", speed])
    choices.append([corpus, "10-best", "", "", ten])
    return rows, choices


def nltk_peer(corpus, train, dev, known):
    from nltk.tag.perceptron import PerceptronTagger

    random.seed(0)  # it shuffles
    tagger = PerceptronTagger(load=False)
    pairs = [list(zip(s.words, s.gold, strict=True)) for s in train]
    _, training = seconds(lambda: tagger.train(pairs))

    def tag():
        return [[tag for _, tag in tagger.tag(sentence.words)] for sentence in dev]

    seen = report(tag(), dev, known)
    return [row("NLTK PerceptronTagger", corpus, seen, training, "", *speeds(tag, seen.words))]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--corpus", action="append", choices=sorted(CORPORA))
    parser.add_argument("--no-peer", action="store_true")
    options = parser.parse_args()
    folder = data_folder(options.data, project=Path(__file__).parents[1])
    rows, choices = [], []
    for corpus in options.corpus or sorted(CORPORA):
        files = [folder / CORPORA[corpus].format(split) for split in ("train", "dev")]
        train, dev = ([s for s in read_tagged_sentences(file) if len(s)] for file in files)
        known = {word for sentence in train for word in sentence.words}.__contains__
        own, own_choices = ours(corpus, train, dev, known)
        rows, choices = rows + own, choices + own_choices
        rows += [] if options.no_peer else nltk_peer(corpus, train, dev, known)
        print(*rows, *choices, sep="\n", flush=True)
    lines = [
        "# Tagging",
        "\n`python benchmarks/tagging.py`: development sentences of craft and of ewt (XPOS); "
        f"{machine()}, one thread. What is measured, and how, stands in `tagging.py`.\n",
        *table(HEAD, rows),
        "\n## What is left to choose from\n",
        *table(["corpus", "ratio", "tags a word", "oracle accuracy %", "words/CPU s"], choices),
    ]
    RESULTS.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
