"""The default models of chunks and words against gold, and the rules that read chunks off trees.

    python benchmarks/default_models.py [--data DIR]

DIR (RUNOFF_DATA, or ../shared/data) has the corpora of the recipes `english-chunks` and
`english-words`, and `conll2000` and `wsj_sample`, which are for measuring only. Nothing is chosen
by what is measured on here, but for the trees that the recipe holds out.

- *The rules*: a CRF that learned from one of CoNLL-2000 and the trees of wsj_sample finds chunks of
  the other; beside it, one that learned from as many sentences of CoNLL-2000. No sentence is in
  both. The tags are those of the corpora: a tagger's in CoNLL-2000, a person's in the trees.
- *Chunks*: F1 of the default model, given words alone, and words with the tags of the corpus.
- *Words*: the share of words that the default model puts first, and among its first five.
- Speed is sentences, or words, per CPU second on one thread, tagging included; machines differ.
"""

import argparse
from itertools import islice
from pathlib import Path

from measuring import machine, seconds, table
from msgspec.structs import replace

from runoff.data.nbest import NBest
from runoff.data.schemes import convert
from runoff.data.sentence import Sentence
from runoff.data.text.words import read_word_chunks
from runoff.data.treebank.chunks import read_chunked
from runoff.models import SHIPPED
from runoff.proposers.sequence.crf import RICH_TEMPLATES, Crf
from runoff.recipes.corpora import data_folder
from runoff.recipes.recipe import read_recipe, shipped_recipes
from runoff.tasks.chunking.model import ChunkingModel
from runoff.tasks.load import load
from runoff.tasks.tagging.chunk_figures import report
from runoff.tasks.words.model import Asked

RESULTS = Path(__file__).parent / "results" / "default_models.md"
TREES, TASK = "wsj_sample/train.clean.mrg.gz", "conll2000/{}.tsv.gz"
WORDS = {"Alice": "alice/carroll-alice.tok.txt.gz", "Brown": "brown_text/brown.tok.txt.gz"}


def chunker(sentences):
    """A CRF alone, as `runoff train chunking --no-rerank` fits it."""
    gold = [replace(one, gold=tuple(convert(one.labels, "iobes"))) for one in sentences]
    return ChunkingModel(None, Crf(templates=RICH_TEMPLATES, iterations=80).fit(gold), None, {})


def f1(model, sentences, *, tags):
    """F1 of chunks, and sentences per CPU second."""
    given = [Sentence(one.words, one.tags if tags else None) for one in sentences]
    found, spent = seconds(lambda: list(model.lists(given, 1)))
    lists = (
        replace(nbest, gold=convert(one.labels, "iob2"))
        for nbest, one in zip(found, sentences, strict=True)
    )
    return report(lists, None)["figures"]["base"]["F1"], len(sentences) / spent


def rounded(number):
    return "" if number is None else f"{number:.2f}"


def rules(folder):
    """Chunks read off trees beside those of the task."""
    trees = list(read_chunked(folder / TREES))
    train, test = (list(read_chunked(folder / TASK.format(part))) for part in ("train", "test"))
    learned = {
        "CoNLL-2000": train,
        "as many sentences of it": train[: len(trees)],
        "chunks read off wsj_sample": trees,
    }
    rows = []
    for name, sentences in learned.items():
        model = chunker(sentences)
        off_trees = None if sentences is trees else f1(model, trees, tags=True)[0]
        rows.append(
            [
                name,
                f"{len(sentences):,}",
                rounded(f1(model, test, tags=True)[0]),
                rounded(off_trees),
            ]
        )
    return table(["learned from", "sentences", "F1, CoNLL-2000 test", "F1, wsj_sample"], rows)


def chunks(folder):
    """The default model of chunks on what it has not seen."""
    model, data = load("english-chunks"), read_recipe(shipped_recipes()["english-chunks"]).data
    parts = {"CoNLL-2000 test": list(read_chunked(folder / TASK.format("test")))}
    parts["wsj_sample, all trees"] = list(read_chunked(folder / TREES))
    for file, own in data.examples_by_file("dev", folder, read_chunked).items():
        parts[f"{file.partition('.')[0]}, held out"] = own
    rows = []
    for name, sentences in parts.items():
        (alone, speed), (tagged, _) = (f1(model, sentences, tags=tags) for tags in (False, True))
        rows.append([name, f"{len(sentences):,}", rounded(alone), rounded(tagged), f"{speed:,.0f}"])
    columns = ["", "sentences", "F1, words alone", "F1, with the corpus's tags", "sentences/s"]
    return table(columns, rows)


def words(folder):
    """The default model of words on texts that are not among its books."""
    model, rows = load("english-words"), []
    for name, file in WORDS.items():
        read = read_word_chunks(folder / file, tokenized=True)
        text = list(islice((word for chunk in read for word in chunk), 100_000))
        lists, spent = seconds(lambda text=text: list(model.lists([Asked(text, range(len(text)))])))
        first = sum(_has(one, 1) for one in lists) / len(lists)
        five = sum(_has(one, 5) for one in lists) / len(lists)
        rows.append(
            [
                name,
                f"{len(text):,}",
                rounded(100 * first),
                rounded(100 * five),
                f"{len(text) / spent:,.0f}",
            ]
        )
    return table(["", "words", "first, %", "among five, %", "words/s"], rows)


def _has(nbest: NBest, n):
    return any(one.output == nbest.gold for one in nbest.candidates[:n])


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data")
    folder = data_folder(parser.parse_args().data)
    sizes = [
        [name, f"{SHIPPED[name].stat().st_size:,}"] for name in ("english-chunks", "english-words")
    ]
    parts = {
        "The rules that read chunks off trees": rules(folder),
        "The default model of chunks": chunks(folder),
        "The default model of words": words(folder),
        "Sizes": table(["model", "bytes"], sizes),
    }
    text = "\n\n".join(f"## {title}\n\n" + "\n".join(rows) for title, rows in parts.items())
    RESULTS.write_text(f"# Default models\n\n{machine()}\n\n{text}\n")
    print(text)


if __name__ == "__main__":
    main()
