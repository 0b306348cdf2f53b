"""Record identity against splink, recordlinkage and dedupe: citations, authors, made-up people.

    python benchmarks/identity.py citations|authors|scale --peers VENV [--data DIR]
        [--system NAME]... [--rows N]...

VENV is the environment of the peers; `identity_peers.py` says what is in it and how each of them
is used. DIR (RUNOFF_DATA, or ../shared/data) has `cora_refs`, `citeseer` and `acl_authors`.

- citations: train on the other sections, test on one: Cora fahl and kibl (gold), Citeseer
  constraint, face and reasoning (silver: their clusters were made from titles, which flatters
  systems that look at titles). Records are shuffled and get new ids. All systems see the fields
  after preparation: title, author, venue, year and pages in lower case without punctuation. The
  sections of Cora name fields differently: years are in `date` in one, in `year` in the other.
- authors: 48 names of the ACL Anthology without the full name; train on the other names, test on
  one of the three largest; and all names by five folds: all pairs counted together, and the mean of
  the figures of the names.
- scale: made-up people (`runoff.data.demo.records`); splink estimates its model from the records
  themselves, and its threshold is chosen on as many others, at most 100,000; Runoff learns from
  2,000 others, once: at further sizes it resumes from its work folder.

The threshold of a peer is the one with the best pair F1 on the training records. The column *seen*
has the best F1 of any threshold on the test records: nobody could have chosen it. *Canopies* is the
share of the pairs of one thing that Runoff compares. Seconds are CPU seconds of all threads, to
learn and to resolve; memory is the peak of the process that resolves.
A peer that needs more than RUNOFF_BENCH_LIMIT (1,000) CPU seconds for a section is stopped.
Rows of Runoff come from `runoff train identity` and `runoff resolve`. Rows are kept in
`results/*.json` as they are made; a run replaces its own.
"""

import argparse
import csv
import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from measuring import commit, cpu_seconds, machine, memory, table

import runoff as ro
from runoff.data.demo.records import corrupted_records
from runoff.data.records.clusters import read_clusters
from runoff.data.records.records import Records, read_records
from runoff.metrics.clusters import BCubedF1, Overlaps, PairF1
from runoff.proposers.identity.canopies import candidate_pairs
from runoff.proposers.identity.distinct import distinct
from runoff.recipes.corpora import data_folder
from runoff.strings.values import plain, text_of, year_of

HERE = Path(__file__).parent
RESULTS = HERE / "results"
PEERS = ("splink", "recordlinkage", "dedupe")
LIMIT = int(os.environ.get("RUNOFF_BENCH_LIMIT", "1000"))
"""CPU seconds that a peer has for a task."""
SECTIONS = {
    "Cora": ("cora_refs/cora_refs.jsonl.gz", ("fahl", "kibl")),
    "Citeseer": ("citeseer/citeseer.jsonl.gz", ("constraint", "face", "reasoning")),
}
HIDDEN = {"tokens", "labels", "text", "name_full", "name_abbrev"}
HEAD = [
    *("records", "system", "threshold", "F1", "precision", "recall", "B-cubed", "clusters", "gold"),
    *("seen", "canopies", "learn CPU s", "resolve CPU s", "MB", "commit"),
]


# scores


def numbers(labels):
    known = {}
    return np.array([known.setdefault(label, len(known)) for label in labels], dtype=np.int64)


def statistics(gold, ids, labels):
    """Statistics of pairs and of B-cubed for labels of ids; gold has the cluster of each id."""
    found = Overlaps.of_labels(numbers([gold[one] for one in ids]), numbers(labels))
    return np.array([*found.pairs(), *found.counts()]), found.shares()


def scores(sums):
    pairs, shares = sums
    figures, records = PairF1().figures(pairs), BCubedF1().figures(shares)
    rates = [figures[name] for name in ("F1", "precision", "recall")] + [records["F1"]]
    counts = [figures["clusters"], figures["gold clusters"]]
    return [f"{rate:.1f}" for rate in rates] + [f"{count:.0f}" for count in counts]


def f1(gold, ids, labels):
    return float(PairF1().figures(statistics(gold, ids, labels)[0])["F1"])


# systems


def peer(python, system, folder, **task):
    """What a peer answers, or a dictionary with `error`."""
    answer = folder / "answer.json"
    answer.unlink(missing_ok=True)
    task = {"system": system, "answer": str(answer), **task}
    command = [python, HERE / "identity_peers.py"]
    limit = (LIMIT, LIMIT + 5)
    done = subprocess.run(
        command, input=json.dumps(task), capture_output=True, text=True, check=False, cwd=folder,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, limit),
    )  # fmt: skip
    if done.returncode == -signal.SIGXCPU:
        return {"error": f"more than {LIMIT} CPU s"}
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"exit {done.returncode}"]
        print(done.stderr[-3000:], file=sys.stderr)
        return {"error": lines[-1][:80]}
    return json.loads(answer.read_text())


def runoff(folder, *arguments):
    """CPU seconds and megabytes of a command of Runoff, or the first line of its error."""
    note = folder / "spent.json"
    command = [sys.executable, __file__, "--run", str(note), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"exit {done.returncode}"]
        return {"error": lines[0][:80]}
    return json.loads(note.read_text())


def run_command(note, arguments):
    """`runoff` in this process, which then notes its CPU seconds and peak memory."""
    from runoff.cli import main as command

    sys.argv = ["runoff", *arguments]
    try:
        command()
    finally:
        spent = {"seconds": cpu_seconds(), "memory": memory("VmHWM")}
        Path(note).write_text(json.dumps(spent))


def failed(name, system, answer):
    return [name, system, answer["error"], *[""] * (len(HEAD) - 4)]


def ours(folder, name, train, test, gold, options=()):
    """A row of Runoff; `train` and `test` are files, the second without clusters."""
    model, found = folder / "model", folder / "clusters.csv"
    learned = runoff(
        folder, "train", "identity", train, "--cluster", "cluster", *options, "-o", model
    )
    if "error" in learned:
        return failed(name, "Runoff", learned), None
    resolved = runoff(folder, "resolve", model, test, "-o", found)
    if "error" in resolved:
        return failed(name, "Runoff", resolved), None
    clusters = read_clusters(found)
    labels = dict(zip(clusters.ids, clusters.column("cluster"), strict=True))
    sums = statistics(gold, labels, labels.values())
    spent = [f"{learned['seconds']:.1f}", f"{resolved['seconds']:.1f}", f"{resolved['memory']:.0f}"]
    return [name, "Runoff", "", *scores(sums), "", canopies(model, test, gold), *spent], labels


def canopies(model, test, gold):
    """The recall of canopies: of the pairs of different records of one thing those compared."""
    model, records = ro.load(model), read_records(test)
    found = distinct(records, model.fields, model.block)
    left, right = candidate_pairs(found.columns, found.blocks, model.canopies)
    first = np.unique(found.node, return_index=True)[1]
    things = numbers([gold[one] for one in records.ids])[first]
    sizes = np.bincount(things)
    every = np.sum(sizes * (sizes - 1) / 2)
    return f"{100 * np.sum(things[left] == things[right]) / max(every, 1):.1f}"


def theirs(python, folder, system, name, train, test, train_gold, gold):
    """A row of a peer, with its threshold chosen on training records, and its best on test."""
    answer = peer(python, system, folder, train=str(train), test=str(test))
    if "error" in answer:
        return failed(name, system, answer), None
    on_train = [f1(train_gold, answer["train_ids"], labels) for _, labels in answer["train"]]
    best = int(np.argmax(on_train))
    threshold, labels = answer["test"][best]
    sums = statistics(gold, answer["test_ids"], labels)
    seen = max(f1(gold, answer["test_ids"], labels) for _, labels in answer["test"])
    spent = [f"{answer['fit']:.1f}", f"{answer['resolve']:.1f}", f"{answer['memory']:.0f}"]
    found = dict(zip(answer["test_ids"], labels, strict=True))
    return [name, system, threshold, *scores(sums), f"{seen:.1f}", "", *spent], found


# records


def shuffled(records, seed=0):
    """The records in another order, with ids that say nothing, without what nobody may see."""
    order = list(range(len(records)))
    random.Random(seed).shuffle(order)
    fields = [field for field in records.fields if field not in HIDDEN]
    columns = {field: [records.columns[field][i] for i in order] for field in fields}
    return Records([f"r{number}" for number in range(len(order))], fields, columns)


def rows_of(records):
    for place, one in enumerate(records.ids):
        values = {field: records.columns[field][place] for field in records.fields}
        yield {"id": one, **{field: value for field, value in values.items() if value is not None}}


def prepared(row):
    """A citation as peers get it."""
    venue = ("journal", "booktitle", "tech", "institution", "publisher", "venue")
    venues = [row[name] for name in venue if name in row]
    dates = [row[name] for name in ("year", "date", "venue", "other") if name in row]
    pages = re.findall(r"\d+", row.get("pages", ""))
    if "venue" in row and not pages:  # of Citeseer, where two page numbers are one
        pages = [n for n in re.findall(r"\d+", row["venue"]) if len(n) > 4]
    years = [year for year in map(year_of, dates) if year == year]
    made = {
        "title": text_of(row.get("title")),
        "author": text_of(row.get("author")),
        "venue": plain(venues[0]) if venues else "",
        "year": str(int(years[0])) if years else "",
        "pages": "-".join(pages),
    }
    kept = {name: row[name] for name in ("id", "section", "cluster") if name in row}
    return {**kept, **{name: value for name, value in made.items() if value}}


def write_rows(rows, path, without=()):
    lines = ({k: v for k, v in row.items() if k not in without} for row in rows)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def gold_of(rows):
    return {row["id"]: row["cluster"] for row in rows}


# what is measured


class Rows:
    """The rows of a table, kept in a file as they come."""

    def __init__(self, what):
        self.what, self.path = what, RESULTS / f"identity-{what}.json"

    def add(self, row):
        """Print a row, and write the table with it."""
        print(*row, flush=True)
        row = [*map(str, row), commit()]
        rows = json.loads(self.path.read_text()) if self.path.exists() else []
        rows = [old for old in rows if old[:2] != row[:2]] + [row]
        rows.sort(key=lambda row: (len(row[0]) if row[0][0].isdigit() else 0, row[:2]))
        self.path.write_text(json.dumps(rows, indent=0) + "\n")
        text = [
            f"# Record identity: {self.what}",
            f"\n`python benchmarks/identity.py {self.what}`: {machine()}. What is measured, and "
            "how, is in `identity.py` and `identity_peers.py`.\n",
            *table(HEAD, rows),
        ]
        self.path.with_suffix(".md").write_text("\n".join(text) + "\n")


def citations(options, folder, made):
    """System after system, so that the slowest comes last."""
    for system in ("runoff", *PEERS):
        if system in options.system:
            citations_of(options, folder, system, made)


def citations_of(options, folder, system, made):
    for corpus, (file, sections) in SECTIONS.items():
        records = shuffled(read_records(options.data / file))
        rows = [row for row in rows_of(records) if row["section"] in sections]
        for section in sections:
            train = [row for row in rows if row["section"] != section]
            test = [row for row in rows if row["section"] == section]
            golds = gold_of(train), gold_of(test)
            name = f"{corpus} {section}"
            train, test = ([prepared(row) for row in some] for some in (train, test))
            file = write_rows(train, folder / "train.jsonl")
            if system == "runoff":
                own = write_rows(test, folder / "test-runoff.jsonl", ("cluster",))
                made.add(ours(folder, name, file, own, golds[1], ("--block", "section"))[0])
            else:
                files = file, write_rows(test, folder / "test.jsonl", ("cluster", "section"))
                made.add(theirs(options.python, folder, system, name, *files, *golds)[0])


def authors(options, folder, made):
    rows = list(rows_of(shuffled(read_records(options.data / "acl_authors/open.jsonl.gz"))))
    blocks = sorted({row["block"] for row in rows})
    size = {block: sum(row["block"] == block for row in rows) for block in blocks}
    largest = sorted(blocks, key=lambda block: (-size[block], block))[:3]
    random.Random(0).shuffle(blocks)
    for system in ("runoff", "logistic"):
        if system not in options.system:
            continue
        for block in largest:
            made.add(author_row(options, folder, system, block, rows, {block})[0])
        add_folds(options, folder, system, rows, blocks, made)


def add_folds(options, folder, system, rows, blocks, made):
    """Rows of all names, each resolved by a model of other folds: all pairs, and mean by name."""
    found, spent = {}, np.zeros(2)
    for fold in range(5):
        tested = set(blocks[fold::5])
        line, labels = author_row(options, folder, system, f"fold {fold}", rows, tested)
        print(*line, flush=True)
        if labels is None:
            return
        found |= {one: f"{fold}:{label}" for one, label in labels.items()}
        spent += [float(line[-3]), float(line[-2])]
    gold, sums = gold_of(rows), []
    for block in blocks:
        ids = [row["id"] for row in rows if row["block"] == block]
        sums.append(statistics(gold, ids, [found[one] for one in ids]))
    every = [sum(one) for one in zip(*sums, strict=True)]
    times = [f"{seconds:.1f}" for seconds in spent]
    made.add([f"{len(blocks)} names, pairs", line[1], "", *scores(every), "", "", *times, ""])
    mean = np.mean([[float(cell) for cell in scores(one)] for one in sums], axis=0)
    figures = [f"{x:.1f}" for x in mean]
    made.add([f"{len(blocks)} names, mean", line[1], "", *figures, "", "", *times, ""])


def author_row(options, folder, system, name, rows, tested):
    train = [row for row in rows if row["block"] not in tested]
    test = [row for row in rows if row["block"] in tested]
    files = (
        write_rows(train, folder / "train.jsonl"),
        write_rows(test, folder / "test.jsonl", ("cluster",)),
    )
    if system == "runoff":
        return ours(folder, name, *files, gold_of(test), ("--block", "block"))
    return theirs(options.python, folder, system, name, *files, gold_of(train), gold_of(test))


def write_people(records, path, fields):
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["id", *fields])
        writer.writerows(zip(records.ids, *(records.columns[f] for f in fields), strict=True))
    return path


def scale(options, folder, made):
    fields = [field for field in corrupted_records(1).fields if field != "cluster"]
    train = write_people(
        corrupted_records(2000, seed=1), folder / "train.csv", ["cluster", *fields]
    )
    for count in options.rows:
        records = corrupted_records(count, seed=2)
        gold = dict(zip(records.ids, records.columns["cluster"], strict=True))
        path = write_people(records, folder / "people.csv", fields)
        name = f"{count:,}"
        if "runoff" in options.system:
            made.add(ours(folder, name, train, path, gold)[0])
        if "splink" in options.system:
            others = corrupted_records(min(count, 100_000), seed=1)
            threshold = splink_threshold(options.python, folder, others, fields)
            made.add(splink_people(options.python, folder, name, path, threshold, gold))


def splink_threshold(python, folder, others, fields):
    """The threshold that is best on other records."""
    path = write_people(others, folder / "others.csv", fields)
    answer = peer(python, "splink-people", folder, path=str(path), train=True, threshold=None)
    gold = dict(zip(others.ids, others.columns["cluster"], strict=True))
    on_others = [f1(gold, answer["ids"], labels) for _, labels in answer["train"]]
    return answer["train"][int(np.argmax(on_others))][0]


def splink_people(python, folder, name, path, threshold, gold):
    answer = peer(python, "splink-people", folder, path=str(path), train=False, threshold=threshold)
    if "error" in answer:
        return failed(name, "splink", answer)
    sums = statistics(gold, answer["ids"], answer["test"])
    spent = [f"{answer['fit']:.1f}", f"{answer['resolve']:.1f}", f"{answer['memory']:.0f}"]
    return [name, "splink", threshold, *scores(sums), "", "", *spent]


WHAT = {"citations": citations, "authors": authors, "scale": scale}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=sorted(WHAT))
    parser.add_argument("--peers", type=Path, required=True)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--system", action="append")
    parser.add_argument("--rows", type=int, action="append")
    options = parser.parse_args()
    options.python = str(options.peers.resolve() / "bin" / "python")
    options.data = data_folder(options.data, project=HERE.parent)
    options.system = options.system or ["runoff", *PEERS, "logistic"]
    options.rows = options.rows or [10_000, 100_000, 1_000_000]
    with tempfile.TemporaryDirectory(dir=os.environ.get("RUNOFF_BENCH")) as folder:
        WHAT[options.what](options, Path(folder), Rows(options.what))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--run"]:
        run_command(sys.argv[2], sys.argv[3:])
    else:
        main()
