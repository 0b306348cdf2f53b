"""When does leaving candidates unread pay? The search's own cost, and lists with and without it.

    python benchmarks/partial_search.py [--steps] [--texts DEV TEST --lm MODEL --gold FILE FILE]
        [--trees DEV TEST]

`--steps` measures the search alone, with a scorer that does nothing, by the number of candidates.
`--texts` rescores n-best lists of texts (JSON Lines; gold has one line per list) by a language
model beside the base system's log-probability: weights and error model are learned from DEV.
`--trees` reranks lists of parses with the features `parse-rich`. In each table all times are of one
run, one after the other on one core, and the lists are the same; a program that waits 1 ms or 10 ms
for every beginning of a list that it has not seen yet is measured on the first lists.
"""

import argparse
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import msgspec
import numpy as np
from measuring import machine, table

import runoff as ro
from runoff.metrics import figure, metric
from runoff.search.partial_candidates.error_model import ErrorModel
from runoff.search.partial_candidates.observations import Observations
from runoff.search.partial_candidates.search import search_partial
from runoff.search.partial_candidates.sequences import Reading
from runoff.tasks.lm.prefixes import lm_scorer
from runoff.tasks.ranking.partial.model import PartialPlan
from runoff.tasks.ranking.partial.rerank import SEARCH, Budget, rerank_partial
from runoff.tasks.ranking.partial.scorers import ProgramScorer, scored_whole

RESULTS = Path(__file__).parent / "results" / "partial_search.md"
EPSILONS = (0.0, 0.01, 0.05, 0.1, 0.2)
WAITS = """
import json, sys, time
sys.path[:0] = {path!r}
from runoff.tasks.lm.prefixes import lm_scorer
scorer = lm_scorer({model!r})
known, seen = None, set()
for line in sys.stdin:
    asked = json.loads(line)
    if asked["id"] != known:
        known, seen = asked["id"], set()
    state, score = scorer.start(), 0.0
    for number, word in enumerate(asked["prefix"], 1):
        last = asked["complete"] and number == len(asked["prefix"])
        state, score = scorer.read(state, word, last)
        beginning = tuple(asked["prefix"][:number])
        if beginning not in seen:
            seen.add(beginning)
            time.sleep({seconds})
    print(score, flush=True)
"""  # a program that takes its time for every word after a beginning that it has not seen yet


class Drift:
    """A target function that costs next to nothing: a sum of numbers."""

    name = "drift"

    def start(self):
        """Nothing."""
        return 0.0

    def read(self, state, piece, last):
        """The sum so far."""
        return state + piece, state + piece


def own_cost(candidates, length=20):
    """Microseconds a step of a search among sequences of numbers, and the same without it."""
    rng = np.random.default_rng(candidates)
    lists = [
        [tuple(row) for row in rng.normal(size=(candidates, length)).round(6).tolist()]
        for _ in range(max(1, 5_000 // candidates))
    ]
    u = np.tile(np.arange(1, length + 1) / length, 200)
    walks = np.cumsum(rng.normal(size=(200, length)), axis=1)
    finals = np.repeat(walks[:, -1:], length, axis=1)
    seen = Observations.of(u, walks.reshape(-1, 1), finals.reshape(-1, 1))
    model = ErrorModel.fit(["drift"], seen, width=0.1)
    model.expected(0.5, [0.0])  # native parts are made when they are first used
    start = time.process_time()
    pieces = sum(
        search_partial(Reading(own, [Drift()]).alone(), model, epsilon=0.05).pieces for own in lists
    )
    searching = time.process_time() - start
    start = time.process_time()
    reads = 0
    for own in lists:
        whole = Reading(own, [Drift()])
        for one in whole.alone():
            while one.completion < 1:
                (one,) = one.advance()
        reads += whole.reads
    reading = time.process_time() - start
    return pieces, 1e6 * searching / pieces, 1e6 * reading / reads


def timed(work):
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start


def quality(name, lists, ranked):
    measure = metric(name)
    picked = [
        measure.statistics([b.candidates[0].output], a.gold)
        for a, b in zip(lists, ranked, strict=True)
    ]
    return float(figure(measure, np.concatenate(picked).sum(axis=0)))


def _all(*given):
    return list(rerank_partial(*given))


def searched(reranker, lists, name, scorer, before, full):
    """A row for every epsilon: time against that without a search, share of steps, quality."""
    rows = []
    firsts = [one.candidates[0].output for one in full]
    for epsilon in EPSILONS:
        found, took = timed(partial(_all, reranker, lists, Budget(epsilon), scorer))
        costs = [one.extra[SEARCH] for one in found]
        same = np.mean([a.candidates[0].output == b for a, b in zip(found, firsts, strict=True)])
        share = np.mean([one["share of steps"] for one in costs])
        scored = sum(one["pieces scored"] for one in costs)
        rows.append([f"{epsilon:g}", took / len(lists) * 1e3, took / before, share, scored,
                     100 * same, quality(name, lists, found)])  # fmt: skip
    return rows


HEADER = ["epsilon", "ms a list", "time, without = 1", "share of steps", "pieces scored",
          "same pick, %", "quality"]  # fmt: skip


def with_gold(file, gold, name):
    lines = Path(gold).read_text().splitlines()
    lists = list(ro.read_nbest(file))
    made = [
        msgspec.structs.replace(one, gold=line) for one, line in zip(lists, lines, strict=False)
    ]
    return [msgspec.structs.replace(one, candidates=[
        msgspec.structs.replace(c, features={}, extra={}) for c in one.candidates
    ]) for one in made]  # fmt: skip


def texts(dev_file, test_file, model, golds):
    dev, test = (with_gold(*one, "bleu") for one in zip((dev_file, test_file), golds, strict=True))
    scorer = lm_scorer(model)
    add = lambda lists: list(scored_whole(lists, scorer, "lm"))  # noqa: E731
    plan = PartialPlan(scorer=scorer, feature="lm", lists=100)
    reranker = ro.fit(add(dev), metric="bleu", features=["given"], learner="maxent", partial=plan,
                      min_lists=1)  # fmt: skip
    _, native = timed(lambda: list(scorer._model.scored(test, "lm")))
    full, took = timed(lambda: reranker.rerank(add(test)))
    rows = [["without, native", native / len(test) * 1e3, native / took, 1.0, None, None, None]]
    rows += [["without", took / len(test) * 1e3, 1.0, 1.0,
              sum(len(scorer.pieces(c.output)) for one in test for c in one.candidates), 100.0,
              quality("bleu", test, full)]]  # fmt: skip
    rows += searched(reranker, test, "bleu", scorer, took, full)
    yield "100-best translations, 5-gram", rows
    for seconds, size in ((0.001, 10), (0.01, 3)):
        some = test[:size]
        with tempfile.NamedTemporaryFile("w", suffix=".py") as program:
            program.write(WAITS.format(path=sys.path, model=model, seconds=seconds))
            program.flush()
            with ProgramScorer(f"{sys.executable} {program.name}") as slow:
                slow.kind = "lm"  # its error model is that of the same language model
                slow.whole([""])
                whole = lambda: list(scored_whole(some, slow, "lm"))  # noqa: E731, B023
                full, took = timed(lambda: reranker.rerank(whole()))  # noqa: B023
                rows = [["without", took / size * 1e3, 1.0, 1.0, None, 100.0, None]]
                rows += searched(reranker, some, "bleu", slow, took, full)
        yield f"the same, a program that waits {seconds * 1e3:g} ms, {size} lists", rows


def trees(dev_file, test_file):
    dev, test = (list(ro.read_nbest(one))[:150] for one in (dev_file, test_file))
    reranker = ro.fit(dev, metric="parseval", features=["parse-rich"], learner="maxent",
                      options={"prior": 0.2}, partial=PartialPlan(lists=100))  # fmt: skip
    full, took = timed(lambda: reranker.rerank(test))
    rows = [["without", took / len(test) * 1e3, 1.0, 1.0, None, 100.0,
             quality("parseval", test, full)]]  # fmt: skip
    rows += searched(reranker, test, "parseval", None, took, full)
    yield "50-best parses, rich features", rows


def section(title, head, rows):
    """A table under its title, numbers with four digits."""
    cells = [["" if c is None else f"{c:.4g}" if isinstance(c, float) else c for c in row]
             for row in rows]  # fmt: skip
    return "\n".join([f"## {title}\n", *table(head, cells), ""])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", action="store_true")
    parser.add_argument("--texts", nargs=2, metavar=("DEV", "TEST"))
    parser.add_argument("--lm")
    parser.add_argument("--gold", nargs=2)
    parser.add_argument("--trees", nargs=2, metavar=("DEV", "TEST"))
    given = parser.parse_args()
    parts = [f"# Searching among half-read candidates\n\n{machine()}\n"]
    if given.steps:
        rows = [[n, *own_cost(n)] for n in (10, 100, 1_000, 10_000)]
        columns = ["candidates", "steps", "µs a step", "µs a step without a queue"]
        parts.append(section("The search's own cost", columns, rows))
    found = []
    if given.texts:
        found += texts(*given.texts, given.lm, given.gold)
    if given.trees:
        found += trees(*given.trees)
    parts += [section(title, HEADER, rows) for title, rows in found]
    RESULTS.write_text("\n".join(parts))
    print(RESULTS.read_text())


if __name__ == "__main__":
    main()
