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
    """Steps, and CPU microseconds a step, of searches whose candidates have all been read before.

    Sequences of numbers of a list have a part in common, so that errors go together; they are
    searched by an error model that takes them to be independent, and by one that knows of it.
    """
    rng = np.random.default_rng(candidates)

    def walks(lists, size):
        shared = rng.normal(size=(lists, 1, length))
        return shared + rng.normal(size=(lists, size, length))

    made = walks(max(1, 5_000 // candidates), candidates).round(6)
    readings = [Reading([tuple(row) for row in own], [Drift()]) for own in made.tolist()]
    sums = np.cumsum(walks(40, 5), axis=2).reshape(200, length)
    u, finals = np.tile(np.arange(1, length + 1) / length, 200), np.repeat(sums[:, -1], length)
    groups = np.repeat(np.arange(40), 5 * length)
    seen = Observations.of(u, sums.reshape(-1, 1), finals.reshape(-1, 1), groups)
    row = [candidates]
    for shared in (False, True):
        model = ErrorModel.fit(["drift"], seen, width=0.1, shared=shared)
        assert model.shared.any() == shared
        took = []
        for _ in range(7):  # the first one reads
            start = time.process_time()
            steps = sum(search_partial(one.alone(), model).pieces for one in readings)
            took.append(time.process_time() - start)
        row += [steps, 1e6 * min(took) / steps]
    return row


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


COSTS = ["candidates", "steps, independent", "µs a step, independent",
         "steps, errors go together", "µs a step, errors go together"]  # fmt: skip
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
    return "\n".join([f"## {title}\n", f"{machine()}\n", *table(head, cells), ""])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", action="store_true")
    parser.add_argument("--texts", nargs=2, metavar=("DEV", "TEST"))
    parser.add_argument("--lm")
    parser.add_argument("--gold", nargs=2)
    parser.add_argument("--trees", nargs=2, metavar=("DEV", "TEST"))
    given = parser.parse_args()
    found = []
    if given.steps:
        rows = [own_cost(n) for n in (10, 100, 1_000, 10_000)]
        found.append(section("The search's own cost, CPU time", COSTS, rows))
    tables = []
    if given.texts:
        tables += texts(*given.texts, given.lm, given.gold)
    if given.trees:
        tables += trees(*given.trees)
    found += [section(title, HEADER, rows) for title, rows in tables]
    RESULTS.write_text(with_sections(RESULTS.read_text(), found))
    print("\n".join(found))


def with_sections(page, found):
    """The page with new sections; those of the same title go, others stay as they are."""
    title, *old = page.split("\n## ")
    new = {one.partition("\n")[0]: one for one in (part.removeprefix("## ") for part in found)}
    kept = {one.partition("\n")[0]: one.rstrip() + "\n" for one in old}
    return "\n## ".join([title.rstrip() + "\n", *(kept | new).values()])


if __name__ == "__main__":
    main()
