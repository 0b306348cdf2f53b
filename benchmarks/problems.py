"""Made-up reranking problems in the shape of Collins & Koo 2005.

    python benchmarks/problems.py [--size full] [--size tenth] [--seed 1] [--folder DIR]

Their problem: 36,000 lists of about 27 parses, 500,000 binary features, of which a parse has some
300 and two parses of a sentence differ in some 30. Ours is made as a parse forest makes it:

- A list has 4 to 10 *ambiguities*, each a choice among two or three *alternatives*. A candidate is
  a combination of choices, so most of its features are shared with other candidates of the list.
- An alternative has a *kind* from a Zipfian inventory; a kind has a bundle of features, of which
  each occurrence keeps a part, and every occurrence adds rarer features of its own. Neighbouring
  choices bring features of the pair. Features of kinds follow Zipf's law with exponent 1, the
  others a flatter one of 0.6, so that most features occur: the paper cuts off the rarest.
- One feature in four has a true weight, of the frequent ones every other, with heavy tails. The
  gold combination is the best chain by the true weights plus noise, which is what no feature
  explains. Quality is the sum of the sizes (1 to 3 constituents) of the right choices: F1 times
  the size of the gold tree, less what is beyond doubt.
- The base system sees part of the truth, noise included, and errs in its own way; the list is its
  n best by single choices, found exactly, and its log-probability is of the whole chain.

Only features which vary within a list are made, because Runoff's builder drops the others (they
cannot change an order): the 200 or so features that all candidates of a list share are not there,
in the problem or in the figures. Since the truth is linear in the features, linear rankers are at
home here; trees are not.

The constants were set by hand on the tenth, seed 1, so that the shape is the paper's and there is
something to learn. Six settings were tried, five of them with the true weights and our perceptron
on the test part in view; where the perceptron ended below the base order or hardly above it, the
setting was given up, and the one in use lies near the two that were left. No other learner
was looked at. Another seed gives lists and weights that nobody has tuned on.

The same size and seed give the same problem. Files go to --folder, or RUNOFF_BENCH, or
/tmp/runoff-bench.
"""

import argparse
import os
import resource
import sys
import time
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from runoff.data.formats import read_nbest
from runoff.features.extract import find_extractors
from runoff.metrics import metric as find_metric
from runoff.pipeline.work_folder import WorkFolder
from runoff.problem.build.build import build_problem
from runoff.problem.file import load_problem, save_problem
from runoff.problem.problem import RankingProblem
from runoff.problem.space import FeatureSpace
from runoff.tasks.parsing.plan import Plan

VERSION = 2  # of what is made; in the names of the files
PARTS = ("train", "dev", "test")


class Size(NamedTuple):
    """How large a problem is."""

    lists: tuple[int, int, int]
    features: int


SIZES = {
    "full": Size((36_000, 4_000, 4_000), 500_000),
    "tenth": Size((3_600, 1_000, 1_000), 50_000),
    "hundredth": Size((360, 400, 400), 5_000),
}

CHUNK = 1000  # lists made at a time, each chunk with random numbers of its own
AMBIGUITIES = (4, 10)
ALTERNATIVES = 3
CANDIDATES = (2, 60)
KIND_WIDTH, OWN_WIDTH = 5, 2
KEPT = 0.75  # of a kind's features
KIND_ZIPF, OWN_ZIPF = 1.0, 0.6
MATTER = 0.25  # of the features have a true weight; twice that of the most frequent hundredth
TRUTH_NOISE, BASE_SHARE, BASE_NOISE = 0.5, 0.5, 1.0


class World:
    """What all lists of a problem have in common: frequencies, kinds, true weights."""

    def __init__(self, features, seed):
        rng = np.random.default_rng([seed, 0])
        self.features = features
        self.names = rng.permutation(features).astype(np.int64)  # rank -> id
        self.frequency = _zipf(features, OWN_ZIPF)
        kinds = max(features // 25, 50)
        self.kind_frequency = _zipf(kinds, 1.0)
        ranks = np.searchsorted(_zipf(features, KIND_ZIPF), rng.random((kinds, KIND_WIDTH)))
        self.kinds = self.names[ranks]
        chance = np.where(np.arange(features) < features // 100, 2 * MATTER, MATTER)
        matters = rng.random(features) < chance
        self.weights = np.empty(features)
        self.weights[self.names] = np.where(matters, rng.standard_t(4, features), 0.0)

    def draw(self, rng, shape):
        """Features at random, frequent ones more often."""
        return self.names[np.searchsorted(self.frequency, rng.random(shape))]

    def pair_features(self, left, right):
        """The feature of two neighbouring kinds: the same for the same two, Zipfian over all."""
        mixed = left.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15) + right.astype(np.uint64)
        mixed ^= mixed >> np.uint64(31)
        mixed *= np.uint64(0xBF58476D1CE4E5B9)
        mixed ^= mixed >> np.uint64(29)
        return self.names[np.searchsorted(self.frequency, mixed / 2.0**64)]

    def gain(self, features):
        """Sum of the true weights of bundles; -1 is no feature."""
        return np.where(features >= 0, self.weights[features], 0.0).sum(axis=-1)


def _zipf(size, exponent):
    cumulated = np.cumsum(np.arange(1, size + 1) ** -exponent)
    return cumulated / cumulated[-1] - 1e-15


def make_lists(world, lists, rng):
    """Some lists as arrays: sizes, features a candidate, features, logprobs, qualities."""
    lowest, highest = AMBIGUITIES
    shape = (lists, highest, ALTERNATIVES)
    pairs = (lists, highest - 1, ALTERNATIVES, ALTERNATIVES)
    depth = rng.integers(lowest, highest + 1, lists)
    there = np.arange(highest) < depth[:, None]
    n_alternatives = np.where(there, rng.integers(2, ALTERNATIVES + 1, shape[:2]), 1)
    possible = np.arange(ALTERNATIVES) < n_alternatives[:, :, None]

    kinds = np.searchsorted(world.kind_frequency, rng.random(shape))
    single = np.concatenate([world.kinds[kinds], world.draw(rng, (*shape, OWN_WIDTH))], axis=-1)
    kept = rng.random(single.shape) < np.array([KEPT] * KIND_WIDTH + [0.8] * OWN_WIDTH)
    single = np.where(kept & there[:, :, None, None], single, -1)
    left, right = (kinds[:, :-1, :, None], kinds[:, 1:, None, :])
    double = np.stack(
        [
            np.broadcast_to(world.pair_features(left, right), pairs),
            np.where(rng.random(pairs) < 0.5, world.draw(rng, pairs), -1),
        ],
        axis=-1,
    )
    double = np.where(there[:, 1:, None, None, None], double, -1)

    truth = world.gain(single) + TRUTH_NOISE * rng.standard_normal(shape)
    truth_pair = world.gain(double) + 0.5 * TRUTH_NOISE * rng.standard_normal(pairs)
    truth_pair *= there[:, 1:, None, None]
    base = BASE_SHARE * truth + BASE_NOISE * rng.standard_normal(shape)
    base_pair = BASE_SHARE * truth_pair + 0.5 * BASE_NOISE * rng.standard_normal(pairs)
    base_pair *= there[:, 1:, None, None]
    truth, base = (np.where(possible, part * there[:, :, None], -np.inf) for part in (truth, base))
    gold = _best_chain(truth, truth_pair)
    worth = rng.integers(1, 4, shape[:2]) * there

    combinations = np.minimum(n_alternatives.prod(axis=1), CANDIDATES[1])
    wanted = CANDIDATES[0] + rng.binomial(CANDIDATES[1] - CANDIDATES[0], rng.beta(1.4, 1.8, lists))
    sizes = np.minimum(wanted, combinations)
    choices, _ = _n_best(base, CANDIDATES[1])
    row, place = np.nonzero(np.arange(CANDIDATES[1]) < sizes[:, None])
    choices = choices[row, place]

    columns = np.arange(highest)
    logprobs = base[row[:, None], columns, choices].sum(axis=1)
    pair_of = (row[:, None], columns[:-1], choices[:, :-1], choices[:, 1:])
    logprobs += base_pair[pair_of].sum(axis=1)
    qualities = ((choices == gold[row]) * worth[row]).sum(axis=1).astype(np.float64)
    order = np.lexsort((-logprobs, row))  # as base systems print them
    choices, logprobs, qualities = choices[order], logprobs[order], qualities[order]
    features = np.concatenate(
        [
            single[row[:, None], columns, choices].reshape(len(row), -1),
            double[row[:, None], columns[:-1], choices[:, :-1], choices[:, 1:]].reshape(
                len(row), -1
            ),
        ],
        axis=1,
    )
    counts, features = _binary(features, row, sizes, world.features)
    return sizes, counts, features, logprobs, qualities


def _best_chain(single, double):
    """The highest path through each list's chain (Viterbi)."""
    score, back = single[:, 0], []
    for step in range(1, single.shape[1]):
        through = score[:, :, None] + double[:, step - 1]
        back.append(through.argmax(axis=1))
        score = through.max(axis=1) + single[:, step]
    path = [score.argmax(axis=1)]
    for pointers in reversed(back):
        path.append(pointers[np.arange(len(pointers)), path[-1]])
    return np.stack(path[::-1], axis=1)


def _n_best(single, n):
    """The n best combinations of independent choices, best first."""
    lists = len(single)
    scores, choices = np.zeros((lists, 1)), np.zeros((lists, 1, 0), dtype=np.int64)
    rows = np.arange(lists)[:, None]
    for step in range(single.shape[1]):
        longer = (scores[:, :, None] + single[:, step, None, :]).reshape(lists, -1)
        kept = np.argsort(-longer, axis=1, kind="stable")[:, :n]
        before, choice = np.divmod(kept, single.shape[2])
        scores = longer[rows, kept]
        choices = np.concatenate([choices[rows, before], choice[:, :, None]], axis=2)
    return choices, scores


def _binary(features, row, sizes, n_features):
    """Each feature once a candidate, rising, without those that all candidates of a list have."""
    candidate, _ = np.nonzero(features >= 0)
    keys = np.unique(candidate * n_features + features[features >= 0])
    candidate, feature = np.divmod(keys, n_features)
    _, inverse, times = np.unique(
        row[candidate] * n_features + feature, return_inverse=True, return_counts=True
    )
    varies = times[inverse] < sizes[row[candidate]]
    counts = np.bincount(candidate[varies], minlength=len(row))
    return counts, feature[varies].astype(np.uint32)


def generate(size="full", seed=1):
    """Train, dev and test problems over one feature space."""
    world = World(SIZES[size].features, seed)
    return tuple(
        _problem(world, lists, [seed, 1 + number]) for number, lists in enumerate(SIZES[size].lists)
    )


def _problem(world, lists, seed):
    chunks = [
        make_lists(world, min(CHUNK, lists - first), np.random.default_rng([*seed, first]))
        for first in range(0, lists, CHUNK)
    ]
    sizes, counts, features, logprobs, qualities = map(np.concatenate, zip(*chunks, strict=True))
    return RankingProblem(
        list_offsets=_offsets(sizes),
        feature_offsets=_offsets(counts),
        feature_ids=features,
        feature_values=None,
        logprobs=logprobs,
        qualities=qualities,
        n_features=world.features,
    )


def _offsets(counts):
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def default_folder():
    return Path(os.environ.get("RUNOFF_BENCH", "/tmp/runoff-bench"))


def problem_files(size, seed=1, folder=None):
    """The three files of a problem, made where they are not there yet."""
    folder = Path(folder or default_folder())
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / f"problem-v{VERSION}-{size}-{seed}.{part}" for part in PARTS]
    if not all(file.exists() for file in files):
        space = FeatureSpace([f"f{number:06d}" for number in range(SIZES[size].features)])
        for file, problem in zip(files, generate(size, seed), strict=True):
            save_problem(file, problem, space)
    return files


def list_files(train, dev, features, folder=None, metric="parseval"):
    """The three files of lists with gold; every other list of dev is for testing.

    Features are cut off as `runoff train parsing` does it. Files are made where they are not there
    yet.
    """
    plan, extractors, judge = (
        Plan(features=tuple(features)),
        find_extractors(features),
        find_metric(metric),
    )
    given = [(str(file.resolve()), file.stat().st_size, metric) for file in (train, dev)]
    work = WorkFolder(folder or default_folder())
    files = [work.step(part, ".problem", given, plan).path for part in PARTS]
    if not all(file.exists() for file in files):
        cut_offs = {"min_lists": plan.min_lists, "thresholds": plan.thresholds, "bins": plan.bins}
        problem, space = build_problem(read_nbest(train), extractors, metric=judge, **cut_offs)
        save_problem(files[0], problem, space)
        for start, file in enumerate(files[1:]):
            lists = islice(read_nbest(dev), start, None, 2)
            problem, _ = build_problem(lists, extractors, metric=judge, space=space)
            save_problem(file, problem, space)
    return files


def take(problem, *, lists=None, candidates=None, features=None):
    """The first lists, of each the first candidates, and the features with the first ids.

    Ids say nothing about frequency, so the first ids are a fair sample of all. What no longer
    varies within a list is left out.
    """
    starts = problem.list_offsets[: (lists or problem.n_lists) + 1]
    sizes = np.diff(starts)
    kept_sizes = np.minimum(sizes, candidates or sizes.max())
    row = np.repeat(np.arange(len(sizes)), kept_sizes)
    kept = np.arange(len(row)) - _offsets(kept_sizes)[row] + starts[row]
    counts = np.diff(problem.feature_offsets)[kept]
    candidate = np.repeat(np.arange(len(kept)), counts)
    entries = np.arange(len(candidate)) - _offsets(counts)[candidate]
    feature = problem.feature_ids[problem.feature_offsets[kept][candidate] + entries]
    n_features = features or problem.n_features
    inside = feature < n_features
    candidate, feature = candidate[inside], feature[inside]
    _, inverse, times = np.unique(
        row[candidate] * n_features + feature, return_inverse=True, return_counts=True
    )
    varies = times[inverse] < kept_sizes[row[candidate]]
    return replace(
        problem,
        list_offsets=_offsets(kept_sizes),
        feature_offsets=_offsets(np.bincount(candidate[varies], minlength=len(kept))),
        feature_ids=feature[varies],
        logprobs=np.array(problem.logprobs[kept]),
        qualities=np.array(problem.known_qualities()[kept]),
        n_features=n_features,
    )


def differences(problem, pairs=None):
    """Rows of (better candidate minus worse one) as a scipy CSR matrix.

    Parameters
    ----------
    pairs : two arrays of candidates, better and worse; best_pairs where not given.
    """
    from scipy.sparse import csr_matrix

    matrix = csr_matrix(
        (
            np.ones(len(problem.feature_ids)),
            problem.feature_ids.astype(np.int32),
            problem.feature_offsets,
        ),
        shape=(problem.n_candidates, problem.n_features),
    )
    better, worse = best_pairs(problem) if pairs is None else pairs
    found = matrix[better] - matrix[worse]
    found.eliminate_zeros()
    return found


def best_pairs(problem):
    """Each list's best candidate with all that are worse."""
    best = problem.list_offsets[:-1] + problem.best()
    better = np.repeat(best, np.diff(problem.list_offsets))
    worse = np.flatnonzero(problem.qualities < problem.qualities[better])
    return better[worse], worse


def spread(problem):
    """Standard deviation of the log-probabilities within lists."""
    sizes, starts = np.diff(problem.list_offsets), problem.list_offsets[:-1]
    means = np.add.reduceat(problem.logprobs, starts) / sizes
    return float(np.std(problem.logprobs - np.repeat(means, sizes)))


def statistics(problem, true_weights):
    """What a problem is like, by the names that the paper gives."""
    better, worse = best_pairs(problem)
    size_of = np.diff(problem.feature_offsets)
    n_differing = np.empty(len(better), dtype=np.int64)
    for first in range(0, len(better), 50_000):
        part = slice(first, first + 50_000)
        n_differing[part] = np.diff(differences(problem, (better[part], worse[part])).indptr)
    base, oracle = (
        problem.picked_quality(scores) for scores in (problem.logprobs, problem.qualities)
    )
    gains = np.concatenate([[0.0], np.cumsum(true_weights[problem.feature_ids])])
    truth = problem.picked_quality(np.diff(gains[problem.feature_offsets]))
    starts = problem.list_offsets[:-1]
    is_best = (
        problem.qualities[starts + problem.picks(problem.logprobs)]
        == (problem.qualities[starts + problem.best()])
    )
    sizes = np.diff(problem.list_offsets)
    average = (np.add.reduceat(problem.qualities, starts) / sizes).sum()
    return {
        "lists": f"{problem.n_lists:,}",
        "candidates": f"{problem.n_candidates:,}",
        "candidates a list": f"{sizes.mean():.1f} ({sizes.min()} to {sizes.max()})",
        "pairs (best, worse)": f"{len(better):,}",
        "T = sum |B+| + |B-|": f"{n_differing.sum():,}",
        "differing a pair": f"{n_differing.mean():.1f}",
        "entries": f"{len(problem.feature_ids):,}",
        "varying active a candidate": f"{size_of.mean():.1f}",
        "features in use": f"{len(np.unique(problem.feature_ids)):,} of {problem.n_features:,}",
        "quality: random pick": f"{average:,.0f}",
        "quality: base": f"{base:,.0f} ({base / oracle:.1%} of oracle)",
        "quality: true weights alone": f"{truth:,.0f} ({truth / oracle:.1%} of oracle)",
        "quality: oracle": f"{oracle:,.0f}",
        "base pick is the best": f"{is_best.mean():.1%}",
    }


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--size", choices=SIZES, action="append")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    for size in options.size or ["tenth"]:
        start = time.process_time()
        files = problem_files(size, options.seed, options.folder)
        made = time.process_time() - start
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{size}: {made:.0f} CPU s, peak {peak:.0f} MB", file=sys.stderr)
        true_weights = World(SIZES[size].features, options.seed).weights
        for part, file in zip(PARTS, files, strict=True):
            problem, _ = load_problem(file)
            print(f"\n{size} {part}: {file}")
            for name, value in statistics(problem, true_weights).items():
                print(f"  {name:30}{value}")


if __name__ == "__main__":
    main()
