"""What clusters of words add to a chunker, by cross-validation on the training part of CoNLL-2000.

    python benchmarks/clusters.py [--data DIR] [--work DIR] [--folds K] [--text NAME]...

DIR (RUNOFF_DATA, or ../shared/data) has `conll2000/train.tsv.gz`, and text: `reuters21578`,
`brown_text`. The sentences are cut into five folds; each of the first K is chunked by a CRF of the
other four, with clusters of each of the texts named, and without. The test sentences are not
looked at. Everything is as `runoff train chunking` has it by default; there is no ranker. Seconds
are CPU seconds on one thread, from files to clusters.
"""

import argparse
import tempfile
from pathlib import Path
from types import SimpleNamespace

from measuring import machine, seconds, table

from runoff.data.formats import read_nbest
from runoff.data.tagged import read_tagged
from runoff.engine import ALONE
from runoff.pipeline.folds import folds_of
from runoff.pipeline.work_folder import WorkFolder
from runoff.recipes.corpora import data_folder
from runoff.tasks.chunking.train import Plan, Training
from runoff.tasks.tagging.chunk_figures import report
from runoff.tasks.tagging.clusters import load_clusters, text_clusters
from runoff.tasks.tagging.steps import write_lists

RESULTS = Path(__file__).parent / "results" / "clusters.md"
REUTERS = ("reuters21578/reuters21578-bodies.tsv.gz",)
TEXTS = {
    "none": (),
    "Reuters": REUTERS,
    "Reuters and Brown": (*REUTERS, "brown_text/brown.tok.txt.gz"),
}
PRIOR = SimpleNamespace(training={"prior": 1.0})  # what a fold needs of the model of all sentences


def fold_f1(steps, corpus, number):
    """F1 of a fold."""
    inside = folds_of(len(corpus.sentences), steps.plan.folds)[number - 1]
    lists = steps.work.step(f"fold-{number}", ".jsonl.gz", corpus.key, inside, steps.plan)
    if not lists.done:
        outside = corpus.sentences[: inside.start] + corpus.sentences[inside.stop :]
        fit, _ = steps.fold_fit(corpus, PRIOR)
        own = corpus.sentences[inside.start : inside.stop]
        write_lists(fit(outside, lists), own, steps.plan.n, lists)
    return report(read_nbest(lists.path), None)["figures"]["base"]["F1"]


def clustering(files):
    """Tokens, words, classes and seconds of clusters that are learned anew."""
    if not files:
        return ["", "", "", ""]
    with tempfile.TemporaryDirectory() as folder:
        work = WorkFolder(folder)
        made, spent = seconds(lambda: text_clusters(files, hyphens=True, work=work, engine=ALONE))
        _, about = load_clusters(made)
    return [*(f"{about[key]:,}" for key in ("tokens", "words", "classes")), f"{spent:.0f}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--work", default="clusters.work")
    parser.add_argument("--folds", type=int, default=3)
    parser.add_argument("--text", action="append", choices=TEXTS)
    options = parser.parse_args()
    data = data_folder(options.data, project=Path(__file__).parents[1])
    train = [one for one in read_tagged(data / "conll2000/train.tsv.gz") if len(one)]
    rows = []
    for name in options.text or TEXTS:
        files = tuple(str(data / file) for file in TEXTS[name])
        steps = Training(WorkFolder(options.work), Plan(text=files), ALONE)
        corpus = steps.corpus(train)
        found = [fold_f1(steps, corpus, number) for number in range(1, options.folds + 1)]
        figures = [f"{f1:.2f}" for f1 in (*found, sum(found) / len(found))]
        rows.append([name, *figures, *clustering(files)])
        print(*rows[-1], flush=True)
    folds = [f"fold {number}" for number in range(1, options.folds + 1)]
    columns = ["text", *folds, "mean F1", "tokens", "words", "classes", "seconds"]
    lines = [
        "# Clusters of words in a chunker",
        f"\n`python benchmarks/clusters.py`: F1 of chunks on folds of the {len(train):,} training "
        f"sentences of CoNLL-2000, a CRF of the others without a ranker; {machine()}.\n",
        *table(columns, rows),
    ]
    RESULTS.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
