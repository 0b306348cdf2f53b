"""
Native routines of Runoff: arrays and plain values in, arrays and plain values out.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

import numpy
from numpy.typing import NDArray


def fingerprints(text: NDArray[numpy.uint8], starts: NDArray[numpy.int64], ends: NDArray[numpy.int64]) -> tuple[NDArray[numpy.uint64], NDArray[numpy.uint32]]:
    """Keys and checks of names of features, pieces [start, end) of a text."""

class FingerprintTable:
    """Numbers fingerprints in the order they come."""

    def __init__(self) -> None: ...

    def add(self, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], checks: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]:
        """
        Their numbers, new ones where need be; RuntimeError if two names share a key.
        """

    def find(self, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
        """Their numbers, -1 where a key is not known."""

    def __len__(self) -> int: ...

def set_deadline(seconds: float | None) -> None:
    """
    Native work of this thread raises TimeoutError after so many seconds; None ends that.
    """

def check_deadline() -> None:
    """Raises TimeoutError if the time of this thread is up."""

def trim_memory() -> None:
    """Gives the system back what was freed but is still held for later."""

class PairIndex:
    """Pairs of a list's best candidate and a worse one, indexed both ways."""

    def __init__(self, problem: Problem, qualities: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], best: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], between: Callable[[], None]) -> None: ...

    @property
    def pairs(self) -> int:
        """How many pairs there are."""

    @property
    def entries(self) -> int:
        """Features that differ, over all pairs: T."""

    @property
    def bytes(self) -> int:
        """Memory of the two indices."""

    def invert(self) -> None:
        """
        Makes the way from features to pairs; the problem is not needed for it.
        """

    @property
    def groups(self) -> int:
        """How many lists have pairs."""

    def differences(self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """
        Writes the value of the best candidate minus the worse one's, for each pair.
        """

    def starts(self, out: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """Writes the first pair of each list."""

class DevCurve:
    """
    The summed statistics of what is picked from development lists, round by round.
    """

    def __init__(self, problem: Problem, index: FeatureIndex, statistics: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], width: int, logprob_weight: float) -> None: ...

    def replay(self, features: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], deltas: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Goes to the state after these rounds."""

    def totals(self, out: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """Writes the summed statistics of what is picked now."""

class Booster:
    """Boosting on the exponential or logarithmic loss."""

    def __init__(self, index: PairIndex, loss: str, exponents: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], smoothing: float) -> None: ...

    def run(self, dev: DevCurve | None, features: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu')], deltas: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], updates: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], losses: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], totals: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], budget: int) -> int:
        """
        Rounds until the arrays are full, `budget` updates were made, or nothing can be gained; returns how many. Without a curve there are no totals.
        """

    def replay(self, features: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], deltas: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], scale: float) -> None:
        """Goes to the state after these rounds."""

    def sums(self, plus: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], minus: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """Writes W+ and W- of every feature."""

    def exponents(self, out: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """Writes log S minus the margin of every pair."""

    @property
    def scale(self) -> float:
        """Weights are whole multiples of 1 / scale."""

    @property
    def loss(self) -> float:
        """The loss as it is now."""

    @property
    def total(self) -> float:
        """Sum of the weights of all pairs: Z."""

    @property
    def search_seconds(self) -> float:
        """Time spent on finding the best feature."""

class SubtreeTrie:
    """Finds many subtrees by one walk of a tree."""

    def __init__(self, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], labels: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], depths: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], n_labels: int) -> None: ...

    def find(self, offsets: NDArray[numpy.int64], labels: NDArray[numpy.uint32], depths: NDArray[numpy.uint16], n_labels: int) -> tuple[NDArray[numpy.int64], NDArray[numpy.uint32]]:
        """Offsets and numbers of the subtrees that each tree has."""

class SubtreeCurve:
    """A development curve for lists with trees."""

    def __init__(self, curve: DevCurve, trees: SharedTrees) -> None: ...

class SubtreeBooster:
    """Boosting over all subtrees of lists' trees."""

    def __init__(self, trees: SharedTrees, loss: str, exponents: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], smoothing: float, search_rounds: int, cache_rounds: int, choice: int, cache_bytes: int) -> None: ...

    def run(self, curve: SubtreeCurve | None, subtrees: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu')], deltas: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], losses: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], totals: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], visited: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], pruned: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], cached: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], seconds: float, threads: int) -> int:
        """
        Rounds until the arrays are full, a cycle or its searches end, so many seconds are over, or nothing can be gained; returns how many.
        """

    def replay(self, curve: SubtreeCurve | None, extended: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], chosen: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], leaders: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], subtrees: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], deltas: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], scale: float, threads: int) -> None:
        """Goes to the state at the beginning of a cycle."""

    def subtrees(self) -> tuple[NDArray[numpy.int64], NDArray[numpy.uint32], NDArray[numpy.uint16]]:
        """Offsets, labels and depths of the subtrees chosen so far."""

    def telling(self, n: int) -> tuple[NDArray[numpy.int64], NDArray[numpy.uint32], NDArray[numpy.uint16]]:
        """
        The same of at most n subtrees, those of the highest gains in the last search; of equal gains the first.
        """

    @property
    def has_searched(self) -> bool:
        """Whether the last round was the last of its cycle that searched."""

    @property
    def begins_cycle(self) -> bool:
        """Whether the next round is the first of a cycle."""

    def extended(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]:
        """Entries of the cache that were extended, in their order."""

    def chosen(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]:
        """Entries of the cache that were chosen."""

    def leaders(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]:
        """Entries of the cache that the next search begins with."""

    @property
    def scale(self) -> float:
        """Weights are whole multiples of 1 / scale."""

    @property
    def loss(self) -> float:
        """The loss as it is now."""

    @property
    def cache_bytes(self) -> int:
        """Memory of the occurrences in the cache."""

class AtomSource:
    """What an example's atoms are, asked on demand."""

class SparseRows(AtomSource):
    """Rows of a sparse matrix; a pointer is the number of a row."""

    def __init__(self, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], atoms: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_atoms: int) -> None: ...

class TreeEnsemble:
    """Decision trees, checked, whose values add up to scores."""

    def __init__(self, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], atoms: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], yes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_atoms: int) -> None: ...

    def scores(self, source: AtomSource, pointers: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], threads: int) -> None:
        """Writes the score of each example."""

    def leaves(self, source: AtomSource, pointers: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))]]:
        """
        The leaves with a value that each example reaches: offsets, and numbers of nodes.
        """

class TreeBooster:
    """Boosting of l1-regularised decision trees."""

    def __init__(self, source: AtomSource, pointers: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.int8], dict(shape=(None,), order='C', device='cpu', writable=False)], bias: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], start: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_atoms: int, sample: int, seed: int, split_gain: float = 0.0, per_sample: int = 1, cache: int = 0) -> None: ...

    def first_lambda(self, threads: int) -> float:
        """The largest lambda that lets the root be split: any below it does."""

    def grow(self, lambda_: float, threads: int) -> bool:
        """Adds the trees of a sample; False if all is converged for this lambda."""

    def restore(self, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], atoms: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], yes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], h: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, threads: int) -> None:
        """
        Goes to the state after these trees; without h, all examples walk them again.
        """

    def trees(self) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
        """The trees so far: offsets, atoms, yes, values."""

    @property
    def n_trees(self) -> int:
        """How many trees there are."""

    def h(self, out: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """Writes the score of each example."""

    @property
    def lost(self) -> float:
        """The share of weight outside the last sample."""

    @property
    def loss(self) -> float:
        """The loss without the penalty."""

    @property
    def seconds(self) -> list[float]:
        """
        CPU seconds of sampling, extraction, building, percolation and updates.
        """

def priority_sample(weights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], size: int, seed: int, number: int) -> tuple[Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))], float]:
    """
    Examples, estimates of their weights, and the share of weight left out.
    """

class ItemLabels:
    """The labels of items, checked, and the head rules."""

    def __init__(self, names: Sequence[str], tags: int, words: int, top: int, class_of_tag: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], classes: int, heads: HeadTable) -> None: ...

class InferenceAtoms:
    """What classifiers may ask of an inference."""

    def __init__(self, labels: ItemLabels, groups: Annotated[NDArray[numpy.int8], dict(shape=(None,), order='C', device='cpu', writable=False)], shapes: int = 0) -> None: ...

    def __len__(self) -> int: ...

class TrainingStates:
    """The states of correct paths through trees."""

    def __init__(self, labels: ItemLabels, strategy: int, max_children: int, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], node_labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], ends: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], words: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], chosen: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], seed: int, balance: float = 1.0) -> None: ...

    def __len__(self) -> int: ...

    @property
    def candidates(self) -> int:
        """Number of spans of all states."""

    @property
    def inferences(self) -> int:
        """Number of spans with labels."""

    @property
    def positives(self) -> int:
        """Number of correct inferences."""

    @property
    def too_wide(self) -> int:
        """Number of items of the trees that have too many children."""

    @property
    def bytes(self) -> int:
        """Memory that the states take."""

    def seen_atoms(self, atoms: InferenceAtoms) -> list[int]:
        """Number of different atoms of all inferences, by group, lengths last."""

    def frontier(self, state: int) -> tuple[list[tuple[int, int, int]], int]:
        """
        Start, end and label of the items of a frontier, and where the last one is.
        """

    def examples(self, label: int) -> tuple[Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.int8], dict(shape=(None,))], Annotated[NDArray[numpy.float32], dict(shape=(None,))]]:
        """Pointers, y and bias of all examples of a label."""

    def pools(self, atoms: InferenceAtoms, ensembles: Sequence[tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]]], size: int, seed: int, number: int, threads: int, share: float = 1.0) -> list[tuple[Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.int8], dict(shape=(None,))], Annotated[NDArray[numpy.float32], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], int, int, float]]:
        """
        A priority sample of the examples of each phrase label: pointers, y, bias, h, the numbers of all examples and of all positive ones, and the share of weight outside. Wrong candidates are looked at in a share of the states.
        """

class CandidateAtoms(AtomSource):
    """The atoms of the candidates of a label."""

    def __init__(self, states: TrainingStates, atoms: InferenceAtoms, label: int) -> None: ...

    def test(self, pointer: int, atom: int) -> bool:
        """Whether an atom is present."""

    def extract(self, pointers: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))]]:
        """All atoms that are present, as offsets and atoms."""

class ClassificationParser:
    """Parses sentences by classifiers of labels."""

    def __init__(self, atoms: InferenceAtoms, ensembles: Sequence[tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]]], strategy: int, max_children: int) -> None: ...

    def parse(self, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], words: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], tags: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], n: int, explore: int, threads: int = 1) -> list[tuple[list[tuple[float, bool, bool, list[tuple[int, int, int, int, float]]]], int, bool]]:
        """
        For each sentence: parses, the number of inferences explored, and whether the best is the greedy one. A parse has its cost, whether it is proven that no other comes before it, whether it was forced, and phrases in preorder: label, start, end, step, cost.
        """

    def explain(self, words: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], tags: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], items: Sequence[tuple[int, int, int]]) -> list[list[int]]:
        """
        The leaves that score each item, in the order in which they were inferred.
        """

def text_features(outputs: Sequence[Sequence[bytes]], inputs: Sequence[bytes], logprobs: NDArray[numpy.float64], ranks: NDArray[numpy.int64], thresholds: NDArray[numpy.int64], keep_all: bool) -> tuple[tuple[NDArray[numpy.uint64], NDArray[numpy.uint32], bytes, NDArray[numpy.uint32], NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.uint32], NDArray[numpy.float64]], NDArray[numpy.uint8]]:
    """
    The columns that ParseFeatures.encode has, of lists of texts, and whether all values of each feature are counts; lists of items have a byte 255 before each.
    """

def change_features(outputs: Sequence[Sequence[tuple[bytes, bytes]]], inputs: Sequence[tuple[bytes, bytes] | None], favourites: Sequence[int], thresholds: NDArray[numpy.int64], keep_all: bool) -> tuple[NDArray[numpy.uint64], NDArray[numpy.uint32], bytes, NDArray[numpy.uint32], NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.uint32], NDArray[numpy.float64]]:
    """
    The columns that ParseFeatures.encode has, of texts and the same in small letters; the favourite of a list is the number of an output, or none of them.
    """

class ParseFeatures:
    """The features of parse trees."""

    def __init__(self, heads: HeadTable, closed_tags: Sequence[str], verb_tags: Sequence[str], auxiliaries: Sequence[str], kind: str) -> None: ...

    def encode(self, lists: Sequence[Sequence[bytes]], thresholds: NDArray[numpy.int64], keep_all: bool) -> tuple[NDArray[numpy.uint64], NDArray[numpy.uint32], bytes, NDArray[numpy.uint32], NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.uint32], NDArray[numpy.float64]]:
        """
        Columns (keys, checks, symbols, tokens, token offsets, list counts, feature counts, ids, values) of lists of brackets; ValueError if one is not a tree.
        """

    def encode_pieces(self, trees: Sequence[bytes]) -> tuple[NDArray[numpy.int64], NDArray[numpy.uint64], NDArray[numpy.int64], NDArray[numpy.uint32], NDArray[numpy.float64]]:
        """
        Pieces of each tree, keys, and feature counts, ids and values of each piece; ValueError if one is not a tree.
        """

    def places(self, brackets: bytes) -> tuple[bytes, NDArray[numpy.uint32], NDArray[numpy.int64], NDArray[numpy.uint32], NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.int32]]:
        """
        Columns (symbols, tokens, token offsets, features, nodes, starts, stops) of a tree: each feature with the node it is about; ValueError if it is not a tree.
        """

def canopies(offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], tokens: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], blocks: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_tokens: int, loose: float, tight: float, frequent: int, reads: int) -> tuple[Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))]]:
    """The pairs of records that are in some canopy: (left, right)."""

def canopy_cosines(offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], tokens: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], blocks: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_tokens: int, loose: float, frequent: int, reads: int, every: int) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
    """The cosines of every so many-th record with others that reach `loose`."""

def token_products(offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], tokens: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], left: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], right: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_tokens: int) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
    """The products of the sparse vectors of pairs of records."""

class RecordSets:
    """Values of statements about sets of records."""

    def __init__(self, aggregates: tuple[tuple[Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]], tuple[Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]]], statements: tuple[Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]], columns: tuple[int, int, int], left: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], right: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], pair_values: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], copies: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], own_values: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], record_values: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], labels: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def values(self, members: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """The value of each statement about a set."""

    def merge_values(self, a: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], b: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """The value of each statement about the union of two sets."""

    def pair_rows(self, pairs: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """The values of each statement about pairs, row by row."""

    def pair_scores(self, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """The log-odds of every pair."""

    def moved(self, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], start: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], passes: int, largest: int) -> tuple[Annotated[NDArray[numpy.uint32], dict(shape=(None,))], int]:
        """
        The sets after single records have moved where they raise the log-odds, and how many did.
        """

class Agglomeration:
    """Greedy agglomeration of records."""

    def __init__(self, sets: RecordSets, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], difference: bool, stop: float, concentration: float, start: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], apart_left: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], apart_right: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def run(self) -> tuple[Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
        """Merges while a gain is above the stop: (kept, lost, gains, scores)."""

    def look_ahead(self, margin: float) -> tuple[Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
        """Makes two merges at once where one alone gains nothing, and goes on."""

    def sample(self, gold: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], guided: bool, every: int, most: int) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.uint8], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))]]:
        """
        The unions that are considered on the way: (values, values of both parts, right, sizes).
        """

    def assignment(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]:
        """The first record of the set of each record."""

    def scores(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """The log-odds of the set of each record."""

    def doubts(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """The greatest gain, by record, of a merge of its set that was not made."""

    def open(self, most: int) -> tuple[Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
        """The merges with the greatest gains that were not made."""

class TreeLists:
    """Lists of trees, checked; nothing is copied."""

    def __init__(self, list_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], labels: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], depths: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], n_labels: int, logprobs: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], scales: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None) -> None: ...

def self_kernels(lists: TreeLists, kind: str, lam: float, out: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], threads: int) -> None:
    """Writes the kernel of every tree with itself."""

class KernelPerceptrons:
    """Dual perceptrons, each with lists of its own."""

    def __init__(self, lists: TreeLists, qualities: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], best: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], kind: str, lam: float, beta: float, order: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def run(self, limits: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], done: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], picks: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], seconds: float, threads: int) -> None:
        """
        Steps until every perceptron has done its limit or so many seconds are over.
        """

    def replay(self, done: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], picks: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Goes to the state after so many steps."""

    @property
    def nodes(self) -> int:
        """Distinct subtrees that the graphs hold."""

    @property
    def bytes(self) -> int:
        """Memory of the graphs."""

class KernelModel:
    """A sum of trees, their common parts held once."""

    def __init__(self, trees: TreeLists, kind: str, lam: float, better: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], worse: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def scores(self, lists: TreeLists, scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """Writes the kernel of every candidate with the weighted sum."""

    def products(self, lists: TreeLists, out: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """
        Writes the same, update by update and without weights: trees x updates.
        """

    def votes(self, lists: TreeLists, starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], logprobs: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], survivals: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], votes: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """Adds the votes of all voters of all perceptrons."""

    @property
    def nodes(self) -> int:
        """Distinct subtrees."""

    @property
    def bytes(self) -> int:
        """Memory of the graph."""

class Problem:
    """The arrays of a ranking problem, checked; nothing is copied."""

    def __init__(self, list_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], feature_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], feature_ids: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], feature_values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, logprobs: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_features: int, between: Callable[[], None]) -> None: ...

def picks_on_line(list_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], order: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], slopes: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], intercepts: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], second: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], statistics: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], columns: int, threads: int = 1) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
    """
    Where picks change along a line of weights, and the sums of their statistics before the first change and after each.
    """

def linear_scores(problem: Problem, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], logprob_weight: float, scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], threads: int = 1) -> None:
    """Writes the score of every candidate under a linear model."""

def argmax_lists(list_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], keys: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], second: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], places: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')]) -> None:
    """
    Writes the place of each list's highest key; ties by the second key, then the lower place.
    """

def shuffled(seed: int, order: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')]) -> None:
    """Writes a permutation that depends on the seed alone."""

def perceptron_epoch(problem: Problem, qualities: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], best: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], order: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], scales: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], u: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], t: int, wrong_picks: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')] | None = None) -> tuple[int, int]:
    """One pass of the averaged perceptron: (lists that were wrong, steps)."""

def add_votes(problem: Problem, update_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], update_ids: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], update_values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], update_logprobs: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], survivals: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], votes: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None:
    """
    Adds the votes of all weight vectors; scores move from the first vector's to the last's.
    """

def log_loss(list_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], targets: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], losses: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], coefficients: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], threads: int = 1) -> None:
    """
    Writes each list's -sum of target * log p, and its derivative by each score.
    """

def sample_loss(list_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], signs: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], losses: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], coefficients: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], threads: int = 1) -> None:
    """
    Writes each list's mean of log(1 + exp(-sign * score)), and its derivatives.
    """

def list_views(problem: Problem, features: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
    """
    The values of some features and, last, of the log-probability, row by row: themselves, their ranks in the list, their distances from its mean.
    """

def boost_trees(list_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], qualities: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], bins: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], n_columns: int, leaves: int, least_rows: int, l2: float, rate: float, rounds: int, lists: float, columns: float, top: int, seed: int) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
    """
    Trees boosted by LambdaRank: offsets, columns, children above, bins, values.
    """

class RegressionTrees:
    """Trees over real-valued columns, checked."""

    def __init__(self, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], columns: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], above: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], cuts: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_columns: int) -> None: ...

    def add_scores(self, rows: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """Adds the score of each row."""

    def add_contributions(self, rows: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], parts: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """Adds what each column contributed to the score of its row."""

class NgramState:
    """What the probability of the next words depends on."""

    @property
    def words(self) -> list[int]:
        """Numbers of the words that matter, the last one first."""

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

class NgramModel:
    """A trie of n-grams, which is checked on the way."""

    def __init__(self, orders: Sequence[tuple[Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]]]) -> None:
        """
        Of every order words, children, probabilities and backoffs; see `model.hpp`.
        """

    def begin(self) -> NgramState:
        """The state before the first word of a sentence."""

    def score_word(self, state: NgramState, word: int) -> tuple[float, NgramState]:
        """
        The log10 of a word's probability after a state, and the state after it.
        """

    def score_vocabulary(self, state: NgramState) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """The log10 of the probability of every word after a state."""

    def score_sentences(self, words: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu')], threads: int = 1) -> None:
        """
        Writes the log10 of the probability of every word and of the end of every sentence.
        """

def match_ngrams(outputs: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], output_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], references: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], reference_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], order: int) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
    """
    How many n-grams of each order every output has in common with the references.
    """

def estimate_ngrams(text: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], vocabulary: int, order: int) -> list[tuple[Any, ...]]:
    """
    Of every order words, children, probabilities, backoffs, discounts, and whether these are the fallback.
    """

class PairLimits:
    """Which pairs of two candidates are let through."""

    def __init__(self, closest: float, largest: float, closest_logprob: float) -> None: ...

class PairSubset:
    """One of several disjoint subsets of the pairs."""

    def __init__(self, of: int, number: int, seed: int) -> None: ...

class CrucialPairs:
    """Pairs of candidates of one list, one better than the other."""

    def __init__(self, list_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], qualities: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], logprobs: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], kept: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], list_numbers: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], limits: PairLimits, subset: PairSubset) -> None: ...

def pair_logistic_loss(pairs: CrucialPairs, scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], losses: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], coefficients: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], threads: int = 1) -> None:
    """
    Writes each list's mean of log(1 + exp(-margin)) over its pairs, and its derivatives.
    """

def pair_hinge_loss(pairs: CrucialPairs, scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], losses: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], coefficients: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], threads: int = 1) -> None:
    """
    Writes each list's mean of max(0, 1 - margin)^2 over its pairs, and its derivatives.
    """

def slope_loss(pairs: CrucialPairs, scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], slope: float, target: float, losses: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], first: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], second: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], threads: int = 1) -> None:
    """
    Writes how badly a sigmoid of this slope fits each list's pairs, and its derivatives.
    """

def push_loss(pairs: CrucialPairs, p: float, scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], losses: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], coefficients: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], threads: int = 1) -> None:
    """Writes the logarithm of each list's p-norm push, and its derivatives."""

def push_line(pairs: CrucialPairs, p: float, lists: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], direction: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], losses: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], first: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], second: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], threads: int = 1) -> None:
    """
    Writes the logarithm of the push of some lists, and its derivatives along a direction.
    """

def prune_and_select(list_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], better: float, worse: float, beta: int, kept: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')]) -> None:
    """
    Writes 1 for the candidates that remain when those that lose by enough are discarded.
    """

def add_pair_votes(list_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], slope: float, votes: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None:
    """
    Adds the log-probabilities that a candidate is better than each other of its list.
    """

class HeadLabels:
    """What the labels of a head-driven model mean, checked."""

    def __init__(self, tags: int, top: int, np: int, base_np: int, is_verb: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], is_conjunction: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], complements: Annotated[NDArray[numpy.int8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

class HeadedTrees:
    """Trees with heads as columns, checked; nothing is copied."""

    def __init__(self, meaning: HeadLabels, words: int, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], ends: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], word_ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

class HeadModel:
    """A head-driven model of trees: what was seen, and tables."""

    def seen(self) -> list[Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
        """Heads, modifiers, frames, labels above and tags, as flat arrays."""

    def tables(self) -> list[tuple[Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.uint16], dict(shape=(None,))]]]:
        """Keys and values of each table of probabilities."""

    def log_probabilities(self, words: int, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], ends: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], word_ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """The log-probability of each tree."""

def train_head_model(labels: HeadLabels, trees: HeadedTrees, chosen: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], lexicalised: bool, least: int) -> HeadModel:
    """Learns a model from the chosen trees."""

def restore_head_model(labels: HeadLabels, heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], modifiers: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], frames: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], above: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], tag_counts: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], tables: Sequence[tuple[Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)]]]) -> HeadModel:
    """A model from the arrays of a file, checked."""

class HeadParser:
    """Parses sentences with a head-driven model."""

    def __init__(self, model: HeadModel, names: Sequence[str], coarse: float, fine: float, edges: int = 3000000) -> None: ...

    @property
    def longest(self) -> int:
        """Words of the longest sentence that fits the memory of one."""

    def parse(self, words: Sequence[Sequence[str]], sentence_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], word_ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], words_known: int, choice_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], tags: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], probabilities: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], ratio: float, n: int, threads: int = 1) -> list[list[tuple[str, float]]]:
        """
        For each sentence at most n trees with their log-probabilities, best first.
        """

class LatentGrammar:
    """A grammar with hidden substates."""

    def arrays(self) -> tuple[Annotated[NDArray[numpy.uint8], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.uint16], dict(shape=(None,))]]:
        """
        Substates of symbols, rules, offsets of their entries, places and codes of these.
        """

def restore_latent_grammar(labels: Sequence[str], substates: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], symbols: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], places: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], codes: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> LatentGrammar:
    """A grammar from the arrays of a file, checked."""

def train_latent_grammar(labels: Sequence[str], trees: Sequence[str], word_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], words: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], cycles: int, iterations: int, merged: float, seed: int, threads: int = 1) -> LatentGrammar:
    """
    Learns a grammar from trees in brackets, whose words are given as numbers.
    """

def latent_log_probabilities(grammars: Sequence[LatentGrammar], labels: Sequence[str], lists: Sequence[Sequence[str]], word_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], words: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 1) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """
    The log-probability of each tree of each sentence, summed over grammars.
    """

class FeatureIndex:
    """
    Where each feature of a problem occurs, and in the last row the log-probabilities.
    """

    def __init__(self, problem: Problem, order: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], between: Callable[[], None], threads: int = 1) -> None: ...

    def scores(self, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], threads: int = 1) -> None:
        """
        Writes each candidate's sum of weight times value; the log-probability is that relative to the first of its list.
        """

    def gradient(self, coefficients: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], gradient: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], threads: int = 1) -> None:
        """Writes, per row, the sum of value times coefficient."""

    def scatter(self, row: int, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """Writes the values of a row to the places of its candidates."""

def list_maxima(problem: Problem) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))]]:
    """
    (feature_offsets, feature_ids) of the features that are at their list's maximum.
    """

def feature_ranges(problem: Problem, ranges: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None:
    """
    Writes the largest range of every feature within a list, 1 for those that never vary.
    """

class Encodings:
    """What becomes of the sources of a feature space."""

    def __init__(self, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], ids: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], cuts: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_features: int) -> None: ...

    def encode(self, list_offsets: NDArray[numpy.int64], feature_offsets: NDArray[numpy.int64], ids: NDArray[numpy.uint32], values: NDArray[numpy.float64], places: NDArray[numpy.int64]) -> tuple[NDArray[numpy.int64], NDArray[numpy.uint32], NDArray[numpy.float64]]:
        """
        Columns (feature counts, ids, values) of lists in the space; places has the source of each feature that was found, or -1.
        """

def feature_scales(problem: Problem, order: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], scales: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None:
    """
    Writes the spread of every real-valued feature within its lists, 1 for the others.
    """

class Hypergraph:
    """Nodes in order, tails before heads, and their edges."""

    def __init__(self, first: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], tails: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None: ...

    def k_best(self, root: int, k: int, classes: Callable[[int, Sequence[int]], int] | None) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
        """
        (weights, offsets, edges) of the k best derivations, best first; heads before tails. Only the best of each class, if classes(edge, classes of its tails) gives them.
        """

    def inside(self, best: bool) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """Each node's best derivation, or the log of the sum of all of them."""

    def outside(self, root: int, best: bool) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """What surrounds each node in the root's derivations."""

class ScoreErrors:
    """How much the scores of half-read candidates still move."""

    def __init__(self, centres: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], scales: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], lows: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], highs: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], means: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], deviations: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], correlations: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: int, columns: int) -> None: ...

    def expected(self, completion: float, scores: Sequence[float]) -> tuple[float, float]:
        """Mean and variance of the final score, by the scores so far."""

class CrfChain:
    """
    Which labels may be neighbours: pairs (before, label), sorted by label; n_labels stands before the first word.
    """

    def __init__(self, order: int, n_labels: int, pairs: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    @property
    def n_states(self) -> int: ...

    @property
    def n_edges(self) -> int: ...

    @property
    def n_targets(self) -> int: ...

class CrfProblem:
    """Labelled sentences, to learn from."""

    def __init__(self, chain: CrfChain, atoms: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_forms: int, forms: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], sets: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], words: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], gold: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], min_count: int) -> None: ...

    def keys(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]:
        """Four numbers per attribute: template and what its atoms found."""

    def pair_offsets(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...

    def pair_targets(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]: ...

    def loss(self, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], gradient: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], threads: int = 1) -> float:
        """
        The sum of -log p(gold); writes its gradient. Weights of edges come last.
        """

class Crf:
    """Finds the most probable labels of sentences."""

    def __init__(self, chain: CrfChain, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], targets: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], edges: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def n_best(self, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], attribute_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], attributes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, n: int, threads: int = 1) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.uint16], dict(shape=(None,))]]:
        """
        (counts, logprobs, labels): candidates per sentence, best first, laid end to end.
        """

class CrfTemplates:
    """Finds the attributes of words."""

    def __init__(self, atoms: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_forms: int, keys: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def find(self, forms: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], sets: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], words: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 1) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))]]:
        """
        (offsets, attributes): where those of each word begin, and what they are.
        """

class Hmm:
    """Finds the most probable names of sentences."""

    def __init__(self, n_classes: int, order: int, kinds: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_kinds: int, parents: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], symbols: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], event_nodes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], event_symbols: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], event_counts: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def n_best(self, tokens: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], n: int, threads: int = 1) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.uint16], dict(shape=(None,))]]:
        """
        (counts, logprobs, tags): candidates per sentence, best first, laid end to end. Tag 0 is outside, 2c - 1 and 2c are the first and other words of a name of class c.
        """

class TagScheme:
    """Templates (six numbers each) and sets of tags that words may have."""

    def __init__(self, atoms: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_forms: int, set_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], set_tags: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], n_tags: int) -> None: ...

class TagProblem:
    """The decisions of tagged sentences, to learn from."""

    def __init__(self, scheme: TagScheme, forms: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], sets: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], words: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], gold: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], min_count: int) -> None: ...

    def keys(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]:
        """Four numbers per feature: template and what its atoms found."""

    def pair_offsets(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...

    def pair_targets(self) -> Annotated[NDArray[numpy.uint16], dict(shape=(None,))]: ...

    @property
    def decisions(self) -> int: ...

    def loss(self, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], gradient: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], threads: int = 1) -> float:
        """The sum of -log p(gold tag); writes its gradient."""

class Tagger:
    """Tags sentences, which are rows of a table of forms."""

    def __init__(self, scheme: TagScheme, keys: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], pair_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], pair_tags: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def n_best(self, forms: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], sets: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], words: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], n: int, beam: int, threads: int = 1) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.uint16], dict(shape=(None,))]]:
        """
        (counts, logprobs, tags): candidates per sentence, best first, laid end to end.
        """

    def choices(self, forms: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], sets: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], words: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], ratio: float, beam: int, threads: int = 1) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.uint16], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
        """(counts, tags, probabilities): what each word may be, likeliest first."""

def edit_counts(outputs: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], gold: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], block: int) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
    """
    Substitutions, deletions and insertions that turn gold into each output; gold's units are at most as large as its length.
    """

class Vocabulary:
    """Words in alphabetical order, with their letters."""

    def __init__(self, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], letters: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def similarities(self, how: int, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], words: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], left: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], right: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """
        Shares of letters that need no edit, for pairs of texts that are given as words.
        """

def name_pairs(conflicts: bool, first: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], last: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], middle: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], lengths: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], initials: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], left: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], right: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
    """
    Whether pairs of names may be one, or whether their middle names conflict.
    """

def joined_words(columns: Sequence[tuple[Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]]]) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))]]:
    """
    The words of columns (codes, offsets, words), record by record: (offsets, words).
    """

def different_words(offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], words: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))]]:
    """The different words of each text in ascending order: (offsets, words)."""

def word_rarity(offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], words: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], counts: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_words: int) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
    """The tf-idf weights of words, texts of length 1."""

def align_words(source: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], source_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], target: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], target_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], source_words: int, target_words: int, ibm1: int, diagonal: int, hmm: int, empty: float, tension: float, alpha: float, threads: int = 1) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], float]:
    """
    The source place of every target word, or -1; the log-likelihood of each iteration; the tension of the diagonal.
    """

def align_both_ways(source: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], source_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], target: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], target_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], source_words: int, target_words: int, ibm1: int, diagonal: int, hmm: int, empty: float, tension: float, alpha: float, threads: int = 1) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
    """
    The source place of every target word and the target place of every source word, or -1, by directions that agree.
    """

def symmetrise_links(forward: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], target_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], backward: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], source_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], how: str) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))]]:
    """
    Links of both directions made one: (offsets, source places, target places).
    """

def diagonal_sum(tension: float, source_size: int, target_size: int, j: int) -> float:
    """
    The sum of exp(-tension |i/m - j/n|) over the source places, by the closed form.
    """

def extract_blocks(source: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], source_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], target: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], target_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], source_words: int, target_words: int, link_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], link_sources: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], link_targets: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], longest: int) -> tuple[Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.float32], dict(shape=(None,))]]:
    """The blocks of word-aligned text, counted; see `extraction.hpp`."""

def admissible_blocks(source_size: int, target_size: int, link_sources: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], link_targets: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], longest: int) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]:
    """
    First and last source word, first and last target word of all admissible blocks.
    """

class BlockTable:
    """A table of blocks, which is checked on the way."""

    def __init__(self, sources: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], source_starts: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], first_blocks: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], targets: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], target_starts: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], orientations: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def find(self, sentence: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]:
        """
        First and last word, first block and the one after the last, of all phrases.
        """

def translate(table: BlockTable, lm: NgramModel, lm_words: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Sequence[float], sentences: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], targets: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, target_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, *, single_beam: bool, completion: bool, skip: int, window: int, coverage: float, compare_open: bool, cardinality: float, histogram: int, limit: int, budget: float, n: int, distinct: bool, threads: int = 1) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
    """
    Translations end to end: list offsets, costs, step offsets, (begin, end, block, words) of every step, features of every step, word offsets, words, states and edges.
    """

class RuleCounter:
    """Rules from trees to strings, counted."""

    def __init__(self) -> None: ...

    def extract(self, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], symbols: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], depths: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], target: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], target_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], link_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], link_sources: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], link_targets: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], compose: int, most: int, deletions: bool, any_label: int, threads: int = 1) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]:
        """Adds the rules of parsed and aligned text; how many each pair had."""

    def add(self, symbols: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], depths: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], variables: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], target: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], count: int) -> None:
        """Adds a rule; a flag marks variables, which have a word below them."""

    def sorted(self) -> tuple[Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.float32], dict(shape=(None,))]]:
        """
        Productions, index, targets, (left-hand side, target, root) of rules, counts, lexical weights; see `rule_counter.hpp`.
        """

class RuleTable:
    """A table of rules, which is checked on the way."""

    def __init__(self, arrays: Sequence[Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]], scores: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

def placed_rules(symbols: NDArray[numpy.uint32], depths: NDArray[numpy.uint16], target_size: int, link_sources: NDArray[numpy.uint32], link_targets: NDArray[numpy.uint32], compose: int, most: int, deletions: bool) -> list[tuple[int, int, list[int], list[int]]]:
    """
    Root, number of minimal rules, variables and target of all rules of a sentence pair.
    """

def translate_trees(rules: RuleTable, lm: NgramModel, lm_words: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Sequence[float], any_label: int, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], symbols: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], depths: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], copies: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], copy_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], *, mode: str, k: int, pops: int, budget: float, n: int, distinct: bool, threads: int = 1) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
    """
    Translations end to end: list offsets, scores, step offsets, (node, rule, variables) of every step, features of every step, word offsets, words, vertices and edges.
    """

class BracketScanner:
    """Reads bracketed trees from bytes that arrive in pieces."""

    def __init__(self) -> None: ...

    def feed(self, piece: bytes) -> list[tuple[tuple[str, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[str, ...]]]:
        """
        Columns (labels, ends, starts, stops, words) of every tree this piece completes.
        """

    def finish(self) -> None:
        """Raises ValueError if a tree is still open."""

    @property
    def line(self) -> int:
        """The line reached, or the line of the error."""

class HeadTable:
    """Which child of a constituent is its head."""

    def __init__(self, rules: Mapping[str, Sequence[tuple[bool, Sequence[str], bool]]], noun_phrases: Sequence[str], punctuation: Sequence[str]) -> None: ...

def read_trees(brackets: Sequence[bytes], heads: HeadTable | None) -> tuple[list[str], NDArray[numpy.int64], NDArray[numpy.uint32], NDArray[numpy.uint16]]:
    """
    Columns (symbols, nodes of each tree, labels, depths) of bracketed trees, nodes in preorder; with heads, head words are daughters. ValueError if one is not a tree.
    """

def check_trees(offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], labels: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], depths: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], n_labels: int, n_trees: int) -> None:
    """ValueError unless the arrays are trees with so many labels."""

class SharedTrees:
    """The trees of lists, common parts held once."""

    def __init__(self, list_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], labels: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], depths: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], best: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_labels: int, size: int, frequency: int) -> None: ...

    @property
    def roots(self) -> int:
        """Places where subtrees may begin."""

    @property
    def shapes(self) -> int:
        """How many differ in what is below."""

    @property
    def bytes(self) -> int:
        """Memory that they take."""

def information_gain(cells: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], places: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], shifts: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_symbols: int, threads: int = 1) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """The information gain of every feature, in bits."""

def grow_igtree(cells: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], places: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], shifts: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], order: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_symbols: int, top: int, prune: bool, shard: tuple[int, int]) -> tuple[Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))]]:
    """
    The arrays of a tree: values, children, totals, kinds, entries, classes, counts. Below the root it has values of the first feature from `shard[0]` to below `shard[1]` only.
    """

class IGTree:
    """A tree over arrays, which are checked on the way."""

    def __init__(self, values: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], children: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], totals: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], kinds: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], entries: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], classes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], counts: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], order: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def classify(self, cells: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], places: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], shifts: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], nodes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu')], classes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu')], threads: int = 1) -> None:
        """
        Writes the node where matching fails, and its first class, of every example.
        """

    def n_best(self, cells: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], places: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], shifts: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n: int, discount: float, threads: int = 1) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
        """
        The n most probable classes of every example: (offsets, classes, probabilities).
        """

class WordClasses:
    """The words of a text in classes, by exchange."""

    def __init__(self, text: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], classes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_fixed: int, n_classes: int) -> None:
        """
        `classes` are those that words begin with; the first `n_fixed` words stay in classes of their own, the others move among the `n_classes` behind.
        """

    def sweep(self) -> int:
        """Moves every word to its best class, and says how many moved."""

    def log_likelihood(self) -> float:
        """Of the text, in bits."""

    def classes(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]:
        """The class of every word."""

    def merge(self) -> tuple[Annotated[NDArray[numpy.uint32], dict(shape=(None,))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))]]:
        """
        Merges classes until one is left: which stays and which becomes part of it, in order.
        """
