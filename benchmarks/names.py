"""Names: the hidden Markov tagger, the whole pipeline, and links between names.

    python benchmarks/names.py MODEL FILE [--documents N] [--links FILE:COLUMN]...

MODEL has the tagger `hmm` and stages that end in coreference; FILE has columns and documents,
such as `pfr199801/dev.tsv.gz`, of which the first ones are taken. On one thread, CPU seconds:

- sentences a second of the tagger, one-best and 30-best, from sentences to candidates;
- documents a minute of the whole pipeline, from sentences to the winners of the last stage.

`--links` measures evidence: of all pairs of gold names in different sentences of a document that
have the same text, or of which one begins or ends the other, the share that is in one cluster of
gold coreference. COLUMN has the clusters, from 1, as numbers or as brackets such as `(3-person`.
"""

import argparse
import re
import time
from collections import defaultdict
from itertools import combinations
from pathlib import Path

from measuring import machine, table

import runoff as ro
from runoff.data.schemes import decode
from runoff.data.tagged import read_columns, read_tagged

RESULTS = Path(__file__).parent / "results" / "names.md"


def per_second(count, work):
    """How many of `count` a CPU second, in the best of two runs."""
    times = []
    for _ in range(2):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return count / min(times)


def speeds(path, file, most):
    model = ro.load(path)
    sentences, documents = [], set()
    for one in read_tagged(file):
        documents.add(one.document)
        if len(documents) > most:
            documents.remove(one.document)
            break
        sentences.append(model.in_units(one))
    tagger = model.tagger.tagger
    rows = [
        [f"tagger, {n}-best, sentences/s",
         f"{per_second(len(sentences), lambda n=n: tagger.propose_all(sentences, n)):,.0f}"]
        for n in (1, 30)
    ]  # fmt: skip
    whole = per_second(len(documents), lambda: list(model.lists(sentences)))
    rows.append(["whole pipeline, documents/minute", f"{60 * whole:,.0f}"])
    return rows


def cluster_at(place, column):
    """The gold cluster of the name that begins at a place, of the innermost bracket there."""
    value = column[place]
    if value.isdecimal():
        return value
    opened = re.findall(r"\((\d+)", value)
    return opened[-1] if opened else None


def links(file, number):
    """Links by text between gold names of different sentences: how many, and how many are right."""
    documents = defaultdict(list)
    for place, (columns, _, document, _) in enumerate(read_columns(file)):
        words, clusters, tags = columns[0], columns[number - 1], columns[-1]
        for name in decode(tags):
            text = " ".join(words[name.span.start : name.span.end])
            cluster = cluster_at(name.span.start, clusters)
            documents[document].append((place, text, name.type, cluster))
    found = {"same text": [0, 0], "one begins or ends the other": [0, 0]}
    for names in documents.values():
        for (p, a, kind, c), (q, b, other, d) in combinations(names, 2):
            if p == q or kind != other or c is None or d is None:
                continue
            short, long = sorted((a, b), key=len)
            if a != b and not (long.startswith(short) or long.endswith(short)):
                continue
            row = found["same text" if a == b else "one begins or ends the other"]
            row[0] += 1
            row[1] += c == d
    return [
        [file.parent.name, what, f"{count:,}", f"{100 * right / max(count, 1):.1f}"]
        for what, (count, right) in found.items()
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("file", type=Path)
    parser.add_argument("--documents", type=int, default=30)
    parser.add_argument("--links", action="append", default=[], metavar="FILE:COLUMN")
    options = parser.parse_args()
    rows = speeds(options.model, options.file, options.documents)
    measured = [
        row
        for one in options.links
        for row in links(Path(one.rpartition(":")[0]), int(one.rpartition(":")[2]))
    ]
    lines = [
        "# Names",
        f"\n`python benchmarks/names.py`: {options.documents} documents of {options.file.name}; "
        f"{machine()}, one thread.\n",
        *table(["what", "of one CPU"], rows),
        "\n## Links between gold names of different sentences, of the same type\n",
        *table(["corpus", "link", "links", "right %"], measured),
    ]
    RESULTS.write_text("\n".join(lines) + "\n")
    print(RESULTS.read_text())


if __name__ == "__main__":
    main()
