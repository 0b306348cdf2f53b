"""Names over characters: python-crfsuite, and the best system of `runoff train names`.

    python benchmarks/names_crfsuite.py [--data DIR] [--work DIR] [--corpus NAME]...

Corpora are `pfr199801` (documents) and `uner_zh_gsdsimp` (none), each with
`{train,dev,test}.tsv.gz` in DIR (RUNOFF_DATA, or ../shared/data). Words are taken apart into
characters, and tags are in IOB2. python-crfsuite gets the usual attributes: characters up to two
places away, and pairs of them. The base of our system is a CRF with the same attributes; its
jackknifed lists of 30 are ranked by maximum entropy, in stages, with the features of `CORPORA` and
`FEATURES`.

Both learn from the first `TRAIN_ON` training sentences. The spread of the weights of each CRF is
one of `SPREADS`, the one with the highest F1 of the first `JUDGES` development sentences after
learning from the first `CHOOSE_ON`. The test sentences are tagged once. The significance of the
difference is by paired bootstrap, 10,000 samples of test sentences.
"""

import argparse
import tempfile
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from measuring import machine, table

from runoff.data.characters import in_characters
from runoff.data.formats import read_nbest
from runoff.data.schemes import convert
from runoff.data.sentence import Sentence
from runoff.data.tagged import read_tagged
from runoff.engine import Engine
from runoff.metrics import metric
from runoff.metrics.significance import paired_bootstrap
from runoff.pipeline.work_folder import WorkFolder
from runoff.proposers.sequence.crf import Crf
from runoff.recipes.corpora import data_folder
from runoff.tasks.names.train import Plan, Training
from runoff.tasks.ranking.rerank import rerank

RESULTS = Path(__file__).parent / "results" / "names_crfsuite.md"
CORPORA = {
    "pfr199801": "structure+relations+events,coreference",
    "uner_zh_gsdsimp": "structure+relations+events",
}
PLACES = (-2, -1, 0, 1, 2)
TEMPLATES = (
    *(f"word[{place}]" for place in PLACES),
    *(f"word[{place}]+word[{place + 1}]" for place in PLACES[:-1]),
    "word[-1]+word[1]",
)
FEATURES = ("phrases",)
SPREADS = (1.0, 2.0, 4.0)
TRAIN_ON = 8_000
CHOOSE_ON = 4_000
JUDGES = 2_000
ITERATIONS = 200
OPTIONS = {"templates": TEMPLATES, "iterations": ITERATIONS}
F1 = metric("chunk-f1")


class Data(NamedTuple):
    """The sentences of a corpus."""

    train: list
    dev: list
    test: list


def sentences_of(file):
    """The sentences of a file as characters, with tags in IOB2."""
    for one in read_tagged(file):
        if len(one):
            tags = tuple(convert(one.labels, "iob2"))
            yield in_characters(Sentence(one.words, gold=tags, document=one.document))


def items(sentence):
    """The attributes of every character: those that `TEMPLATES` name."""
    padded = ["<", "<", *sentence.words, ">", ">"]

    def character(place, offset):
        return padded[place + 2 + offset]

    return [
        [
            *(f"{o}={character(i, o)}" for o in PLACES),
            *(f"{o},{o + 1}={character(i, o)}{character(i, o + 1)}" for o in PLACES[:-1]),
            f"-1,1={character(i, -1)}{character(i, 1)}",
        ]
        for i in range(len(sentence))
    ]


def peer_tags(train, spread, given, folder):
    """The tags that python-crfsuite gives sentences after it has learned."""
    import pycrfsuite

    trainer = pycrfsuite.Trainer(verbose=False)
    trainer.set_params({"c1": 0.0, "c2": 0.5 / spread**2, "max_iterations": ITERATIONS})
    trainer.set_params({"feature.possible_transitions": True})
    for sentence in train:
        trainer.append(items(sentence), sentence.gold)
    path = str(Path(folder) / "peer.crfsuite")
    trainer.train(path)
    tagger = pycrfsuite.Tagger()
    tagger.open(path)
    return [tagger.tag(items(sentence)) for sentence in given]


def statistics(outputs, sentences):
    """What F1 is computed from, a row for each sentence."""
    pairs = zip(outputs, sentences, strict=True)
    return [F1.statistics([output], sentence.gold)[0] for output, sentence in pairs]


def f1(outputs, sentences):
    return float(F1.figures(sum(statistics(outputs, sentences)))["F1"])


def quality(output, gold):
    """F1 of one tagging."""
    return float(F1.quality(F1.statistics([output], gold))[0])


def crf_tags(train, spread, given):
    """The tags that our CRF gives sentences after it has learned."""
    found = Crf(prior=(spread,), **OPTIONS).fit(train).propose_all(given, 1)
    return [candidates[0].output for candidates in found]


def chosen(tags, train, dev):
    """The spread with the highest F1 of development sentences, and what was tried, as text."""
    found = {s: f1(tags(train[:CHOOSE_ON], s, dev), dev) for s in SPREADS}
    tried = ", ".join(f"{spread:g}: {value:.2f}" for spread, value in found.items())
    print(tried, flush=True)
    return max(found, key=found.__getitem__), tried


def ours(stages, spread, data, work):
    """The tags of test sentences by the CRF alone, after ranking, and by the oracle."""
    plan = Plan(
        tagger="crf", n=30, by_margin=True, stages=stages, features=FEATURES, learner="maxent",
        tagger_options={**OPTIONS, "prior": (spread,)},
    )  # fmt: skip
    training = Training(WorkFolder(work), plan, Engine(1))
    trained = training.run(data.train, data.dev)
    print("development:", trained.model.training["dev"]["figures"], flush=True)
    lists = list(read_nbest(training.lists("test", trained, data.test).path))
    ranked = rerank(trained.model.last_ranker, lists)
    oracle = [
        max((c.output for c in one.candidates), key=lambda o: quality(o, one.gold)) for one in lists
    ]
    base, picked = ([one.candidates[0].output for one in given] for given in (lists, ranked))
    return {"our CRF": base, "our CRF, ranked": picked, "oracle of its lists": oracle}


def rows_of(name, data, work):
    """The figures of both systems on a corpus, and how the spreads were chosen."""
    peer_tagger = partial(peer_tags, folder=work)
    (peer_spread, peer_tried), (spread, tried) = (
        chosen(tags, data.train, data.dev) for tags in (peer_tagger, crf_tags)
    )
    found = {"python-crfsuite": peer_tagger(data.train, peer_spread, data.test)}
    found |= ours(CORPORA[name], spread, data, work)
    peer = np.array(statistics(found["python-crfsuite"], data.test))
    rows = []
    for system, tags in found.items():
        own = np.array(statistics(tags, data.test))
        figures = F1.figures(own.sum(axis=0))
        shown = [f"{figures[key]:.2f}" for key in ("precision", "recall", "F1")]
        p = paired_bootstrap(peer, own, F1, samples=10_000).p_value
        rows.append([name, system, *shown, "" if (own == peer).all() else f"{p:.4f}"])
    choices = [[name, "python-crfsuite", peer_tried], [name, "our CRF", tried]]
    return rows, choices


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "runoff-names")
    parser.add_argument("--corpus", action="append", choices=CORPORA, metavar="NAME")
    options = parser.parse_args()
    folder = data_folder(options.data, project=Path(__file__).parents[1])
    options.work.mkdir(exist_ok=True)
    rows, choices = [], []
    for name in options.corpus or CORPORA:
        files = (folder / name / f"{part}.tsv.gz" for part in Data._fields)
        data = Data(*(list(sentences_of(file)) for file in files))
        data = data._replace(train=data.train[:TRAIN_ON], dev=data.dev[:JUDGES])
        own, tried = rows_of(name, data, options.work)
        rows, choices = rows + own, choices + tried
        print(*own, sep="\n", flush=True)
    lines = [
        "# Names over characters, beside python-crfsuite",
        f"\n`python benchmarks/names_crfsuite.py`; {machine()}. Test sentences; p is that of the "
        "difference from python-crfsuite, by paired bootstrap.\n",
        *table(["corpus", "system", "precision", "recall", "F1", "p"], rows),
        f"\n## F1 of development sentences by spread, after {CHOOSE_ON:,} training sentences\n",
        *table(["corpus", "system", "spread: F1"], choices),
    ]
    RESULTS.write_text("\n".join(lines) + "\n")
    print(RESULTS.read_text())


if __name__ == "__main__":
    main()
