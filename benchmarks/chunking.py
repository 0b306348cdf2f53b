"""Chunking on CoNLL-2000: CRFs, reranked lists, oracle, types; and python-crfsuite beside them.

    python benchmarks/chunking.py [--data DIR] [--work DIR] [--jobs N] [--no-peer]

DIR (RUNOFF_DATA, or ../shared/data) has `conll2000/{train,test}.tsv.gz`. Nothing is chosen by the
test sentences; each row is measured on them once.

- *CRF, usual templates*: words and parts of speech in a window, labels in IOB2, order 1.
- *CRF, rich templates*: what `runoff train chunking` does by default.
- *Reranked*: its jackknifed lists of 20 (5 folds), ranked by linear learners over `phrases`. What a
  learner is given is chosen by lists of the last fold, learning from those of the others; then it
  learns from all.
- Training is CPU seconds on one thread, from sentences in memory to the fitted model, both with the
  same templates and at most the same iterations.
- Speed is sentences per CPU second on one thread, the best of three passes over the test sentences:
  *search* from attributes to n-best lists natively, *whole* from Python lists to Python lists.
"""

import argparse
import tempfile
from pathlib import Path

import numpy as np
from measuring import machine, seconds, table

from runoff.data.corpora import data_folder
from runoff.data.formats import read_nbest, write_nbest
from runoff.data.tagged import read_tagged
from runoff.proposers.crf import TEMPLATES, tokens_of
from runoff.proposers.crfsuite import CrfsuiteModel, chunking_items
from runoff.tasks.chunk_report import report
from runoff.tasks.chunking import ChunkingModel
from runoff.tasks.parse_folds import places
from runoff.tasks.reranker import Reranker
from runoff.tasks.train_chunking import Plan, Training
from runoff.tasks.work import Work

RESULTS = Path(__file__).parent / "results" / "chunking.md"
USUAL = {"scheme": "iob2", "crf_options": {"templates": TEMPLATES}}
LEARNERS = {
    "maxent, s = 0.3": ("maxent", {"prior": 0.3}),
    "maxent, s = 1": ("maxent", {"prior": 1.0}),
    "perceptron": ("perceptron", {}),
}
N = 20


def row(name, figures):
    return [name, *(f"{figures[key]:.2f}" for key in ("F1", "precision", "recall", "accuracy"))]


def base_rows(name, training, base, test):
    """Test figures of a base model and of the oracle of its lists, and those lists."""
    lists = training.lists("test", base, test)
    figures = report(read_nbest(lists.path), None)["figures"]
    return [row(name, figures["base"]), row(f"{name}, oracle of {N}", figures["oracle"])], lists


def held_out(lists, folds, work):
    """Lists of the last fold, and of all others, as files."""
    given = list(read_nbest(lists.path))
    last = places(len(given), folds)[-1]
    parts = [work / f"{name}-{lists.key}.jsonl.gz" for name in ("others", "last-fold")]
    for part, some in zip(parts, (given[: last.start], given[last.start :]), strict=True):
        if not part.is_file():
            write_nbest(some, part)
    return parts


def reranked_rows(training, prepared, test_lists):
    """The learner that does best on the last fold, fitted to all lists; and the choice."""
    others, last = held_out(prepared.train, training.plan.folds, training.work.folder)
    found = {}
    for name, (learner, options) in LEARNERS.items():
        plan = Plan(learner=learner, options=options)
        ranker = plan.fit(others, None, "chunk-f1", cache=training.work.folder)
        found[name] = report(read_nbest(last), ranker)["figures"]
        print(name, found[name]["base"]["F1"], found[name]["reranked"]["F1"], flush=True)
    choice = [["base", f"{next(iter(found.values()))['base']['F1']:.2f}"]]
    choice += [[name, f"{one['reranked']['F1']:.2f}"] for name, one in found.items()]
    best = max(found, key=lambda name: found[name]["reranked"]["F1"])
    learner, options = LEARNERS[best]
    chosen = Training(
        training.work, Plan(learner=learner, options=options), training.jobs, training.progress
    )
    ranker = Reranker.load(chosen.ranker(prepared.train, None).path)
    seen = report(read_nbest(test_lists.path), ranker)
    figures = row(f"reranked by {best} (p = {seen['p']:.4f})", seen["figures"]["reranked"])
    return figures, choice, seen["types"], len(ranker.ranker.features_used())


def best_speed(work, sentences):
    return sentences / min(seconds(work)[1] for _ in range(3))


def our_speeds(name, model, test):
    """Sentences a CPU second of 20-best lists."""
    tokens, learned = [tokens_of(sentence) for sentence in test], model.crf.model
    given = learned.table.sentences(tokens)
    offsets, attributes = learned.templates.find(**given)

    def search():
        learned.native.n_best(given["offsets"], offsets, attributes, None, N)

    speeds = [
        best_speed(search, len(test)),
        best_speed(lambda: model.crf.propose_all(tokens, N), len(test)),
    ]
    return [name, len(learned.chain.labels), *(f"{speed:,.0f}" for speed in speeds)]


def peer_rows(train, test, crf, folder):
    """Training and speed of python-crfsuite beside ours; agreement on its own model file."""
    import pycrfsuite

    path = str(folder / "peer.crfsuite")
    items = [chunking_items(*s.columns[:2]) for s in train]

    def fit():
        trainer = pycrfsuite.Trainer(verbose=False)
        params = {"c1": 0.0, "c2": 0.5, "max_iterations": crf.iterations}
        trainer.set_params({**params, "feature.possible_transitions": True})
        for sequence, sentence in zip(items, train, strict=True):
            trainer.append(sequence, sentence.tags)
        trainer.train(path)

    _, peer_training = seconds(fit)
    _, training = seconds(lambda: crf.fit(train))
    tagger = pycrfsuite.Tagger()
    tagger.open(path)
    own, test_items = CrfsuiteModel.load(path), [chunking_items(*s.columns[:2]) for s in test]
    tags = [tagger.tag(sequence) for sequence in test_items]
    best = own.propose_all(test_items, 1)
    same = np.mean([a == b[0].output for a, b in zip(tags, best, strict=True)])
    peer_one = best_speed(lambda: [tagger.tag(sequence) for sequence in test_items], len(test))
    one = best_speed(lambda: own.propose_all(test_items, 1), len(test))
    many = best_speed(lambda: own.propose_all(test_items, N), len(test))
    return [
        ["training, CPU s", *ratio(peer_training, training, peer_training / training)],
        ["1-best of its model, sentences/CPU s", *ratio(peer_one, one, one / peer_one)],
        [f"{N}-best of its model, sentences/CPU s", *ratio(None, many, many / peer_one)],
        ["sentences with the same labels", "", f"{100 * same:.2f}%", ""],
    ]


def ratio(peer, ours, times):
    return ["" if peer is None else f"{peer:,.0f}", f"{ours:,.0f}", f"{times:.1f}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument(
        "--work", type=Path, default=Path(tempfile.gettempdir()) / "runoff-chunking"
    )
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--no-peer", action="store_true")
    options = parser.parse_args()
    folder = data_folder(options.data, project=Path(__file__).parents[1]) / "conll2000"
    train, test = (list(read_tagged(folder / f"{name}.tsv.gz")) for name in ("train", "test"))
    work = Work(options.work)
    usual = Training(work, Plan(rerank=False, **USUAL), options.jobs)
    rich = Training(work, Plan(), options.jobs)
    usual_base = usual.prepare(train, None).base
    prepared = rich.prepare(train, None)
    rows, _ = base_rows("CRF, usual templates", usual, usual_base, test)
    rich_rows, test_lists = base_rows("CRF, rich templates", rich, prepared.base, test)
    reranked, choice, types, used = reranked_rows(rich, prepared, test_lists)
    rows += [rich_rows[0], reranked, rich_rows[1]]
    models = {"usual": usual_base, "rich": prepared.base}
    speeds = [our_speeds(k, ChunkingModel.load(v.path), test) for k, v in models.items()]
    by_type = [
        [kind, *(f"{figures[key]:.2f}" for key in ("precision", "recall", "f1")), figures["gold"]]
        for kind, figures in types.items()
    ]
    lines = [
        "# Chunking: CoNLL-2000",
        f"\n`python benchmarks/chunking.py`: official test sentences; {machine()}. What is "
        "measured, and how, stands in `chunking.py`.\n",
        *table(["", "F1", "precision", "recall", "accuracy"], rows),
        f"\n{used:,} features of the ranker have a weight.\n\n## By type, after reranking\n",
        *table(["type", "precision", "recall", "F1", "gold"], by_type),
        "\n## How the learner was chosen: F1 on the last fold of the training sentences\n",
        *table(["", "F1"], choice),
        f"\n## Sentences per CPU second, {N}-best\n",
        *table(["templates", "labels", "search", "whole"], speeds),
    ]
    if not options.no_peer:
        crf = ChunkingModel.load(usual_base.path).crf
        lines += [
            "\n## Beside python-crfsuite, the usual templates\n",
            *table(
                ["", "python-crfsuite", "Runoff", "ratio"], peer_rows(train, test, crf, work.folder)
            ),
        ]
    RESULTS.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
