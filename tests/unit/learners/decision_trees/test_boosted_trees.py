"""Boosted trees: what they learn, the path of lambda, samples, the forms of atoms, bad input."""

import math

import numpy as np
import pytest

from runoff import _native
from runoff.errors import ModelError, NotFittedError, UsageError
from runoff.fitting.run import Checkpoint, Run
from runoff.learners.decision_trees import BoostedTrees
from runoff.store.file import load, save

XOR = [[], ["a"], ["b"], ["a", "b"]] * 5
XOR_Y = [-1, 1, 1, -1] * 5


def drawn(n, seed, n_atoms=30):
    """Examples that are positive if they have atom 0 and not atom 1, but for some noise."""
    random = np.random.default_rng(seed)
    table = (random.random((n, n_atoms)) < 0.3).astype(int)
    truth = (table[:, 0] == 1) & (table[:, 1] == 0)
    return table, np.where(truth ^ (random.random(n) < 0.1), 1, -1)


def test_a_conjunction_is_found_that_no_single_atom_shows():
    # Two examples more, so that the sides of a differ in sign: no root split would gain otherwise.
    trees = BoostedTrees(smallest=0.001).fit([*XOR, [], ["a"]], [*XOR_Y, -1, 1])
    assert (np.sign(trees.decision(XOR)) == XOR_Y).all()
    assert any(name.count(" and ") for name, _ in trees.conjunctions())


def test_the_first_lambda_is_the_largest_that_splits():
    # Weights 1/2: with the atom 2 against 0.5, without 0 against 1: the sides are 1.5 and -1.
    trees = BoostedTrees(smallest=0.5).fit([["x"]] * 5 + [[]] * 2, [1, 1, 1, 1, -1, -1, -1])
    first, *rest = trees.record_["path"]
    assert (first["lambda"], first["trees"]) == (1.5, 0)
    assert rest[0]["lambda"] == pytest.approx(1.5 * 0.9)
    # with x: 4 / (1 + t) - t / (1 + t) = 1.35 for t = exp(theta)
    (with_x,) = trees.ensemble().part(0, 1).conjunctions
    assert with_x.literals == ((0, True),)
    assert with_x.weight == pytest.approx(math.log((4 - 1.35) / (1 + 1.35)))


def test_the_loss_falls_along_the_path_of_lambda():
    table, y = drawn(400, 0)
    trees = BoostedTrees(smallest=0.05).fit(table, y)
    rows = trees.record_["path"]
    lambdas = [row["lambda"] for row in rows]
    assert lambdas == sorted(lambdas, reverse=True)
    assert min(lambdas) >= 0.05 * lambdas[0]
    losses = [row["loss"] for row in rows]
    assert losses == sorted(losses, reverse=True)
    assert losses[0] == pytest.approx(400 * math.log(2))


def test_development_examples_choose_lambda_and_end_the_path():
    table, y = drawn(300, 1)
    others = drawn(300, 2)
    trees = BoostedTrees(patience=3).fit(table, y, dev=others)
    rows = trees.record_["path"]
    best = int(np.argmax([row["dev quality"] for row in rows]))
    assert len(rows) == best + 4
    assert trees.ensemble().n_trees == rows[best]["trees"]
    losses = np.logaddexp(0, -others[1] * trees.decision(others[0]))
    assert rows[best]["dev quality"] == pytest.approx(-losses.mean())
    assert rows[0]["dev quality"] == pytest.approx(-math.log(2))


def test_sampled_sums_are_unbiased():
    """Means of 2,000 samples of 40 from 300 examples, against their own standard errors."""
    random = np.random.default_rng(5)
    weights = np.ceil(1e6 * random.lognormal(0, 1.5, 300)).astype(np.int64)
    groups = np.stack([random.random(300) < share for share in (0.02, 0.1, 0.5, 1.0)])
    sums = np.zeros((2000, len(groups)))
    for number in range(len(sums)):
        examples, estimates, lost = _native.priority_sample(weights, 40, 7, number)
        sums[number] = groups[:, examples] @ estimates
        assert lost == pytest.approx(1 - weights[examples].sum() / weights.sum())
    true = groups @ weights
    errors = sums.std(axis=0, ddof=1) / math.sqrt(len(sums))
    assert (np.abs(sums.mean(axis=0) - true) < 3 * errors).all()
    assert (errors < 0.05 * true).all()


def test_a_sample_has_the_highest_priorities_and_the_threshold_outside():
    weights = np.array([10, 0, 1000, 3, 3, 3, 3], dtype=np.int64)
    examples, estimates, _ = _native.priority_sample(weights, 3, 0, 0)
    assert len(examples) == 3
    assert 2 in examples
    assert 1 not in examples
    own = weights[examples]
    threshold = estimates[own < estimates]
    assert len(set(threshold.tolist())) <= 1  # tau, the same for all that are below it
    assert (estimates >= own).all()


def test_few_examples_of_many_do_nearly_as_well():
    table, y = drawn(3000, 3)
    whole = BoostedTrees(smallest=0.05).fit(table, y)
    sampled = BoostedTrees(smallest=0.05, sample=300).fit(table, y)
    losses = [float(np.logaddexp(0, -y * one.decision(table)).mean()) for one in (whole, sampled)]
    assert losses[1] < losses[0] + 0.02
    lost = [row["weight lost"] for row in sampled.record_["path"]]
    assert 0 < lost[-1] < 1
    assert whole.record_["path"][-1]["weight lost"] == 0


def test_several_trees_of_one_sample_do_as_well_with_fewer_samples():
    table, y = drawn(3000, 3)
    one, four = (
        BoostedTrees(smallest=0.05, sample=300, per_sample=n).fit(table, y) for n in (1, 4)
    )
    losses = [fitted.record_["path"][-1]["loss"] for fitted in (one, four)]
    assert losses[1] == pytest.approx(losses[0], rel=0.02)
    assert not np.array_equal(one.ensemble().atoms, four.ensemble().atoms)


@pytest.mark.parametrize(("sample", "per_sample"), [(100, 1), (100, 3), (100_000, 1)])
def test_a_fit_that_was_interrupted_resumes_to_the_same_bytes(tmp_path, sample, per_sample):
    table, y = drawn(300, 4)
    learner = BoostedTrees(smallest=0.05, sample=sample, per_sample=per_sample)

    def fit(run):
        trees = learner.fit(table, y, dev=drawn(99, 5), run=run)
        return [array.tobytes() for array in trees.arrays().values()], trees.record_

    whole, left = fit(Run()), 4

    def stop(step):
        nonlocal left
        left -= 1
        if left < 0:
            raise KeyboardInterrupt

    kept = Checkpoint(tmp_path / "state", "this", seconds=0)
    with pytest.raises(KeyboardInterrupt):
        fit(Run(progress=stop, checkpoint=kept))
    assert fit(Run(checkpoint=Checkpoint(tmp_path / "state", "this"))) == whole


def test_all_forms_of_atoms_give_the_same_trees():
    scipy_sparse = pytest.importorskip("scipy.sparse", reason="scipy is not installed")
    table, y = drawn(200, 6, n_atoms=8)
    names = [f"atom {number}" for number in range(8)]
    listed = [[names[k] for k in np.flatnonzero(row)] for row in table]
    forms = {
        "table": table,
        "truth values": table.astype(bool),
        "csr": scipy_sparse.csr_matrix(table),
        "coo": scipy_sparse.coo_array(table.astype(float)),
        "lists": listed,
        "sets": [set(row) for row in listed],
        "dicts": [dict(zip(names, row.tolist(), strict=True)) for row in table],
        "data frame": Frame(table, names),
    }
    made = {form: BoostedTrees(smallest=0.1).fit(atoms, y) for form, atoms in forms.items()}
    decisions = {form: made[form].decision(atoms).tobytes() for form, atoms in forms.items()}
    assert len(set(decisions.values())) == 1
    assert len({str(trees) for trees in made.values()}) == 1


class Frame:
    """What data frames of pandas and polars have in common."""

    def __init__(self, table, columns):
        self.table, self.columns = table, columns

    def to_numpy(self):
        return self.table


def test_examples_may_come_from_iterators():
    trees = BoostedTrees().fit(iter([iter("ab"), iter("b")]), [1, -1])
    assert trees.decision(iter([iter("a"), []])).tolist() == trees.decision([["a"], []]).tolist()


def test_names_that_were_never_seen_are_absent():
    trees = BoostedTrees().fit([["x"], []], [1, -1])
    assert trees.decision([["x", "new"], ["new"]]).tolist() == trees.decision([["x"], []]).tolist()


def test_printing():
    trees = BoostedTrees(smallest=0.5)
    assert str(trees).startswith("BoostedTrees(decay=0.9")
    trees.fit([["x"]] * 5 + [[]] * 3, [1] * 5 + [0] * 3)
    head, first, second = str(trees).splitlines()
    assert head.endswith("leaves have a value, 2 conjunctions")
    found = trees.conjunctions()
    assert {name for name, _ in found} == {"x", "not x"}
    assert [first.split(maxsplit=1)[1], second.split(maxsplit=1)[1]] == [name for name, _ in found]


def test_long_conjunctions_are_cut_where_they_gain_little():
    n = 12
    table = np.eye(n, dtype=int)
    trees = BoostedTrees(smallest=0.01).fit(
        np.vstack([table, np.zeros((n, n), dtype=int)]), [-1] * n + [1] * n
    )
    longest = max((name for name, _ in trees.conjunctions()), key=len)
    assert longest.endswith(" and 6 more")


def test_a_saved_model_is_the_same(tmp_path):
    table, y = drawn(100, 7)
    trees = BoostedTrees(smallest=0.1).fit(table, y)
    save(tmp_path / "trees", "boosted-trees", {}, trees.arrays())
    again = BoostedTrees().restore(load(tmp_path / "trees").arrays, table.shape[1])
    assert again.decision(table).tobytes() == trees.decision(table).tobytes()


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("tree_atoms", lambda a: np.where(a > 0, 99, a)),
        ("tree_yes", lambda a: np.where(a > 0, 0, a)),
        ("tree_yes", lambda a: np.where(a > 0, 1, a)),
        ("tree_yes", lambda a: np.where(a > 0, a + 1000, a)),
        ("tree_values", lambda a: a + np.inf),
        ("tree_offsets", lambda a: a[::-1].copy()),
        ("tree_offsets", lambda a: a[[0, -1]]),
    ],
)
def test_trees_of_a_broken_file_are_not_walked(name, change):
    table, y = drawn(100, 8)
    arrays = BoostedTrees(smallest=0.1).fit(table, y).arrays()
    assert len(arrays["tree_offsets"]) > 2
    broken = change(arrays[name]).astype(arrays[name].dtype)
    with pytest.raises(ModelError):
        BoostedTrees().restore({**arrays, name: broken}, table.shape[1])


@pytest.mark.parametrize(
    ("atoms", "y", "bias", "message"),
    [
        ([["a"], ["b"]], [1], None, "there are 2 examples, but 1 y and 2 bias"),
        ([["a"], ["b"]], [1, 2], None, "y must be 1 or -1"),
        ([["a"], ["b"]], [1, -1], [1, -1], "bias must be finite and not negative"),
        ([["a"], "b"], [1, -1], None, "not the text 'b'"),
        ([{"a": 0.5}, {}], [1, -1], None, "1 or 0, but one is 0.5"),
        (np.array([[2]]), [1], None, "1 or 0, but one is 2"),
        ([[1, 0, 1], [0, 0, 1]], [1, -1], None, "an example has the atom 1 twice or more"),
        (np.array([1, 0]), [1, 1], None, "not of shape \\(2,\\)"),
    ],
)
def test_bad_examples_are_refused(atoms, y, bias, message):
    with pytest.raises(UsageError, match=message):
        BoostedTrees().fit(atoms, y, bias)


def test_development_examples_come_with_y():
    with pytest.raises(UsageError, match="dev must be .* not 1 things"):
        BoostedTrees().fit([["a"], []], [1, -1], dev=([["a"]],))


def test_decisions_need_a_fit_and_the_same_form():
    with pytest.raises(NotFittedError):
        BoostedTrees().decision([[]])
    trees = BoostedTrees().fit(np.eye(2), [1, -1])
    with pytest.raises(UsageError, match="a matrix with 2 columns, not of shape"):
        trees.decision(np.eye(3))
    with pytest.raises(UsageError, match="as those that were learned from"):
        trees.decision([["a"]])


def test_examples_that_teach_nothing_give_no_trees():
    for atoms, y in ([[], []], [[["a"], ["a"]], [1, -1]], [[["a"], []], [1, 1]]):
        trees = BoostedTrees().fit(atoms, y)
        assert trees.ensemble().n_trees == 0
        assert trees.decision(atoms).tolist() == [0.0] * len(y)
