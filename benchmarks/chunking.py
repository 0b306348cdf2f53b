"""Chunking on CoNLL-2000: CRFs, reranked lists, oracle, types; and python-crfsuite beside them.

    python benchmarks/chunking.py [--data DIR] [--work DIR] [--jobs N] [--judges K] [--no-peer]

DIR (RUNOFF_DATA, or ../shared/data) has `conll2000/{train,test}.tsv.gz`, `reuters21578` and
`brown_text`. Nothing is chosen by the test sentences; each row is measured on them once.

- *usual*: a CRF over words and parts of speech in a window, labels in IOB2, order 1.
- *rich*: what `runoff train chunking` does by default.
- *clusters*: the same with clusters of the words of Reuters-21578 and the Brown corpus.
- *Reranked*: jackknifed lists of 20 (5 folds) of the last two, ranked by boosted subtrees, and by
  linear learners over `phrases`. What a learner is given is chosen by cross-validation: it learns
  from the lists of all folds but one, which judges it, for each of the last K folds; then it
  learns from all. Rounds of boosting are those at which the mean of the judges' curves is highest;
  its figures there are those of each judge's own best round, so a little too good.
- Reranking is CPU milliseconds a sentence on one thread, from lists to lists, by 64.
- Training is CPU seconds on one thread, from sentences in memory to the fitted model, both with the
  same templates and at most the same iterations.
- Speed is sentences per CPU second on one thread, the best of three passes over the test sentences:
  *search* from attributes to n-best lists natively, *whole* from Python lists to Python lists.
"""

import argparse
import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from measuring import machine, seconds, table

from runoff.data.formats import read_nbest
from runoff.data.tagged import read_tagged
from runoff.engine import Engine
from runoff.pipeline.folds import folds_of
from runoff.pipeline.steps import ranker_step
from runoff.pipeline.work_folder import StepResult, WorkFolder
from runoff.proposers.sequence.crf import TEMPLATES
from runoff.proposers.sequence.crfsuite import CrfsuiteModel, chunking_items
from runoff.recipes.corpora import data_folder
from runoff.tasks.chunking.model import ChunkingModel
from runoff.tasks.chunking.train import Plan, Training
from runoff.tasks.ranking.reranker import reranking_ms
from runoff.tasks.tagging.chunk_figures import report
from runoff.tasks.tagging.steps import METRIC, Prepared

RESULTS = Path(__file__).parent / "results" / "chunking.md"
TEXT = ("reuters21578/reuters21578-bodies.tsv.gz", "brown_text/brown.tok.txt.gz")
SUBTREES = {"rounds": 3000, "frequency": 5}
LEARNERS = {
    "subtrees, eps = 0.001": ("subtree-boost", {**SUBTREES, "smoothing": 0.001}),
    "subtrees, eps = 0.01": ("subtree-boost", {**SUBTREES, "smoothing": 0.01}),
    "subtrees, eps = 0.03": ("subtree-boost", {**SUBTREES, "smoothing": 0.03}),
    "maxent, s = 0.1": ("maxent", {"prior": 0.1}),
    "maxent, s = 0.2": ("maxent", {"prior": 0.2}),
}
N = 20


class Data(NamedTuple):
    """The sentences."""

    train: list
    test: list


class Base(NamedTuple):
    """A base system: what it is called, its training, the model, its lists of test sentences."""

    name: str
    training: Training
    prepared: Prepared
    test: StepResult

    @classmethod
    def of(cls, name, plan, data, options):
        """Trained as the plan says, or taken from the folder of work."""
        training = Training(WorkFolder(options.work), plan, Engine(options.jobs))
        prepared = training.prepare(data.train, None)
        return cls(name, training, prepared, training.lists("test", prepared.base, data.test))

    def rows(self):
        """Test figures of the model and of the oracle of its lists."""
        figures = report(read_nbest(self.test.path), None)["figures"]
        return [
            row(f"CRF, {self.name}", figures["base"]),
            row(f"CRF, {self.name}: oracle of {N}", figures["oracle"]),
        ]


def bases(data, folder, options):
    """The three base systems."""
    usual = {"scheme": "iob2", "templates": TEMPLATES}
    plans = {
        "usual": Plan(rerank=False, **usual),
        "rich": Plan(),
        "clusters": Plan(text=tuple(str(folder / file) for file in TEXT)),
    }
    return {name: Base.of(name, plan, data, options) for name, plan in plans.items()}


def row(name, figures):
    return [name, *(f"{figures[key]:.2f}" for key in ("F1", "precision", "recall", "accuracy"))]


class Trial(NamedTuple):
    """A learner and the fold of lists that judges it."""

    lists: str
    place: range
    learner: str
    options: dict


def judged(trial):
    """F1 of a learner on a fold, after it has learned from the others; that of the base; curve."""
    given, place = list(read_nbest(trial.lists)), trial.place
    inside = given[place.start : place.stop]
    plan = Plan(learner=trial.learner, options=trial.options)
    ranker = plan.fit(given[: place.start] + given[place.stop :], inside, "chunk-f1")
    figures = report(inside, ranker)["figures"]
    curve = [(row["round"], row["dev quality"]) for row in ranker.ranker.record_.get("curve", [])]
    return figures["reranked"]["F1"], figures["base"]["F1"], curve


def best_round(curves):
    """Where the mean of curves is highest."""
    rounds = np.unique([n for curve in curves for n, _ in curve])
    mean = np.mean([np.interp(rounds, *zip(*curve, strict=True)) for curve in curves], axis=0)
    return int(rounds[mean.argmax()])


class Verdict(NamedTuple):
    """What folds say of a learner: mean F1, that of the base, and how many rounds are best."""

    f1: float
    base: float
    rounds: int | None


def verdict(base, learner, given, options):
    """What the folds say of a learner, said now or earlier."""
    lists = base.prepared.train
    made = base.training.work.step("verdict", ".json", lists.key, learner, given, options.judges)
    if not made.done:
        size = sum(1 for _ in read_nbest(lists.path))
        cut = folds_of(size, base.training.plan.folds)[-options.judges :]
        trials = [Trial(str(lists.path), place, learner, given) for place in cut]
        own = list(Engine(options.jobs).map(judged, trials))
        rounds = best_round([curve for *_, curve in own]) if "rounds" in given else None
        f1, base_f1 = np.mean([row[:2] for row in own], axis=0)
        made.path.write_text(json.dumps([f1, base_f1, rounds]))
    return Verdict(*json.loads(made.path.read_text()))


def verdicts(base, options):
    """What the folds say of every learner."""
    found = {}
    for name, (learner, given) in LEARNERS.items():
        found[name] = verdict(base, learner, given, options)
        print(base.name, name, *found[name], flush=True)
    return found


class Reranked(NamedTuple):
    """What the best setting of each learner does with a base's lists."""

    rows: list
    choice: list
    types: dict
    counts: list


def reranked(base, options):
    """The best setting of each learner, fitted to all lists and applied to test lists."""
    found, lists = verdicts(base, options), list(read_nbest(base.test.path))
    choice = [[base.name, "base", f"{next(iter(found.values())).base:.2f}", ""]]
    choice += [[base.name, name, f"{v.f1:.2f}", v.rounds or ""] for name, v in found.items()]
    rows, types, counts = [], {}, []
    for kind in dict.fromkeys(learner for learner, _ in LEARNERS.values()):
        own = [name for name, (learner, _) in LEARNERS.items() if learner == kind]
        best = max(own, key=lambda name: found[name].f1)
        given = dict(LEARNERS[best][1])
        if found[best].rounds:
            given["rounds"] = found[best].rounds
        plan = replace(base.training.plan, learner=kind, options=given)
        how = {"work": base.training.work, "engine": Engine(options.jobs)}
        ranker = ranker_step(plan, base.prepared.train, None, METRIC, **how)
        seen = report(lists, ranker)
        name = f"{base.name}, {best}"
        rows.append(row(f"{name} (p = {seen['p']:.4f})", seen["figures"]["reranked"]))
        types |= {base.name: seen["base types"], name: seen["types"]}
        spent = min(reranking_ms(ranker, lists) for _ in range(3))
        counts.append([name, f"{ranker.n_weights():,}", f"{spent:.2f}"])
    return Reranked(rows, choice, types, counts)


def type_rows(types):
    """F1 by type: of the bases, and of every learner."""
    kinds = next(iter(types.values()))
    return [
        [kind, *(f"{own[kind]['f1']:.2f}" if kind in own else "" for own in types.values())]
        for kind in kinds
    ]


def best_speed(work, sentences):
    return sentences / min(seconds(work)[1] for _ in range(3))


def our_speeds(name, model, data):
    """Sentences a CPU second of 20-best lists."""
    learned = model.crf.model
    given = learned.table.sentences(sentence.pairs for sentence in data.test)
    offsets, attributes = learned.templates.find(**given)

    def search():
        learned.native.n_best(given["offsets"], offsets, attributes, None, N)

    speeds = [
        best_speed(search, len(data.test)),
        best_speed(lambda: model.crf.propose_all(data.test, N), len(data.test)),
    ]
    return [name, len(learned.chain.labels), *(f"{speed:,.0f}" for speed in speeds)]


def peer_rows(data, crf, folder):
    """Training and speed of python-crfsuite beside ours; agreement on its own model file."""
    import pycrfsuite

    train, test = data
    path = str(folder / "peer.crfsuite")
    items = [chunking_items(s.words, s.tags) for s in train]

    def fit():
        trainer = pycrfsuite.Trainer(verbose=False)
        params = {"c1": 0.0, "c2": 0.5, "max_iterations": crf.iterations}
        trainer.set_params({**params, "feature.possible_transitions": True})
        for sequence, sentence in zip(items, train, strict=True):
            trainer.append(sequence, sentence.gold)
        trainer.train(path)

    _, peer_training = seconds(fit)
    _, training = seconds(lambda: crf.fit(train))
    tagger = pycrfsuite.Tagger()
    tagger.open(path)
    own, test_items = CrfsuiteModel.load(path), [chunking_items(s.words, s.tags) for s in test]
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
    folder = data_folder(options.data, project=Path(__file__).parents[1])
    data = Data(*(list(read_tagged(folder / f"conll2000/{part}.tsv.gz")) for part in Data._fields))
    own = bases(data, folder, options)
    picked = [reranked(own[name], options) for name in ("rich", "clusters")]
    types = picked[0].types | picked[1].types
    rows = own["usual"].rows()
    for name, one in zip(("rich", "clusters"), picked, strict=True):
        rows += own[name].rows() + one.rows
    speeds = [our_speeds(k, ChunkingModel.load(v.prepared.base.path), data) for k, v in own.items()]
    lines = [
        "# Chunking: CoNLL-2000",
        f"\n`python benchmarks/chunking.py`: official test sentences; {machine()}. What is "
        "measured, and how, stands in `chunking.py`.\n",
        *table(["", "F1", "precision", "recall", "accuracy"], rows),
        "\n## Features or subtrees with a weight, and reranking\n",
        *table(["", "features", "ms a sentence"], picked[0].counts + picked[1].counts),
        "\n## F1 by type\n",
        *table(["type", *types], type_rows(types)),
        f"\n## How settings were chosen: mean F1 on {options.judges} folds of training sentences\n",
        *table(["base", "", "F1", "rounds"], picked[0].choice + picked[1].choice),
        f"\n## Sentences per CPU second, {N}-best\n",
        *table(["CRF", "labels", "search", "whole"], speeds),
    ]
    if not options.no_peer:
        crf = ChunkingModel.load(own["usual"].prepared.base.path).crf
        lines += [
            "\n## Beside python-crfsuite, the usual templates\n",
            *table(["", "python-crfsuite", "Runoff", "ratio"], peer_rows(data, crf, options.work)),
        ]
    RESULTS.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
