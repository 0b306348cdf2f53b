"""Chunking on CoNLL-2000: CRFs, reranked lists, oracle, types; and python-crfsuite beside them.

    python benchmarks/chunking.py [--data DIR] [--work DIR] [--jobs N] [--judges K] [--no-peer]

DIR (RUNOFF_DATA, or ../shared/data) has `conll2000/{train,test}.tsv.gz`. Nothing is chosen by the
test sentences; each row is measured on them once.

- *CRF, usual templates*: words and parts of speech in a window, labels in IOB2, order 1.
- *CRF, rich templates*: what `runoff train chunking` does by default.
- *Reranked*: its jackknifed lists of 20 (5 folds), ranked by boosted subtrees, and by linear
  learners over `phrases`. What a learner is given is chosen by cross-validation: it learns from the
  lists of all folds but one, which judges it, for each of the last K folds; then it learns from
  all. Rounds of boosting are the mean of those that judges chose, so its figures there are a little
  too good.
- Reranking is CPU milliseconds a sentence on one thread, from lists to lists, by 64.
- Training is CPU seconds on one thread, from sentences in memory to the fitted model, both with the
  same templates and at most the same iterations.
- Speed is sentences per CPU second on one thread, the best of three passes over the test sentences:
  *search* from attributes to n-best lists natively, *whole* from Python lists to Python lists.
"""

import argparse
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np
from measuring import machine, seconds, table

from runoff.data.corpora import data_folder
from runoff.data.formats import read_nbest
from runoff.data.tagged import read_tagged
from runoff.features.build import LISTS_PER_CHUNK, chunked
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
SUBTREES = {"rounds": 3000, "frequency": 5}
LEARNERS = {
    "subtrees, exp, 0.001": ("subtree-boost", {**SUBTREES, "smoothing": 0.001}),
    "subtrees, exp, 0.01": ("subtree-boost", {**SUBTREES, "smoothing": 0.01}),
    "subtrees, log, 0.005": ("subtree-boost", {**SUBTREES, "smoothing": 0.005, "loss": "log"}),
    "maxent, s = 0.1": ("maxent", {"prior": 0.1}),
    "maxent, s = 0.2": ("maxent", {"prior": 0.2}),
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


class Judged(NamedTuple):
    """A learner as lists of folds see it: mean F1, that of the base, and the rounds they chose."""

    f1: float
    base: float
    rounds: int | None


def judged(lists, folds, judges, learner, options):
    """What the last folds say of a learner that learned from the others."""
    given, rows, rounds = list(read_nbest(lists.path)), [], []
    for place in places(len(given), folds)[-judges:]:
        plan = Plan(learner=learner, options=options)
        inside = given[place.start : place.stop]
        ranker = plan.fit(given[: place.start] + given[place.stop :], inside, "chunk-f1")
        figures = report(inside, ranker)["figures"]
        rows.append([figures[name]["F1"] for name in ("reranked", "base")])
        curve = ranker.ranker.record_.get("curve", [])
        if "rounds" in options:
            rounds.append(max(curve, key=lambda row: row["dev quality"])["round"])
    f1, base = np.mean(rows, axis=0)
    return Judged(f1, base, round(np.mean(rounds)) if rounds else None)


def reranked_rows(training, prepared, test_lists, judges):
    """Rows of the best setting of each learner, fitted to all lists; choices; types; counts."""
    verdicts = {}
    for name, (learner, options) in LEARNERS.items():
        verdicts[name] = judged(prepared.train, training.plan.folds, judges, learner, options)
        print(name, *verdicts[name], flush=True)
    choice = [["base", f"{next(iter(verdicts.values())).base:.2f}", ""]]
    choice += [[name, f"{one.f1:.2f}", one.rounds or ""] for name, one in verdicts.items()]
    rows, types, counts = [], {}, []
    for kind in dict.fromkeys(learner for learner, _ in LEARNERS.values()):
        own = [name for name, (learner, _) in LEARNERS.items() if learner == kind]
        best = max(own, key=lambda name: verdicts[name].f1)
        options = dict(LEARNERS[best][1])
        if verdicts[best].rounds:
            options["rounds"] = verdicts[best].rounds
        plan = Plan(learner=kind, options=options)
        chosen = Training(training.work, plan, training.jobs, training.progress)
        ranker = Reranker.load(chosen.ranker(prepared.train, None).path)
        lists = list(read_nbest(test_lists.path))
        seen = report(lists, ranker)
        rows.append(row(f"reranked by {best} (p = {seen['p']:.4f})", seen["figures"]["reranked"]))
        types[best] = (seen["base types"], seen["types"])
        counts.append([best, f"{ranker.n_weights():,}", f"{reranking_time(ranker, lists):.2f}"])
    return rows, choice, types, counts


def reranking_time(ranker, lists):
    """Milliseconds of a list, the best of three passes."""

    def work():
        for some in chunked(lists, LISTS_PER_CHUNK):
            ranker.rerank(some)

    return 1000 / best_speed(work, len(lists))


def type_rows(types):
    """F1 by type: of the base, and of every learner."""
    base = next(iter(types.values()))[0]
    return [
        [kind, f"{base[kind]['f1']:.2f}", *(f"{own[kind]['f1']:.2f}" for _, own in types.values())]
        for kind in base
    ]


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
    parser.add_argument("--judges", type=int, default=5)
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
    reranked, choice, types, counts = reranked_rows(rich, prepared, test_lists, options.judges)
    rows += [rich_rows[0], *reranked, rich_rows[1]]
    models = {"usual": usual_base, "rich": prepared.base}
    speeds = [our_speeds(k, ChunkingModel.load(v.path), test) for k, v in models.items()]
    lines = [
        "# Chunking: CoNLL-2000",
        f"\n`python benchmarks/chunking.py`: official test sentences; {machine()}. What is "
        "measured, and how, stands in `chunking.py`.\n",
        *table(["", "F1", "precision", "recall", "accuracy"], rows),
        "\n## Features or subtrees with a weight, and reranking\n",
        *table(["", "features", "ms a sentence"], counts),
        "\n## F1 by type\n",
        *table(["type", "base", *types], type_rows(types)),
        f"\n## How settings were chosen: mean F1 on {options.judges} folds of training sentences\n",
        *table(["", "F1", "rounds"], choice),
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
