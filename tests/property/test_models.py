"""Hostile model files: a header or an array replaced by anything at all."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.data.nbest import Candidate, NBest
from runoff.errors import FormatError, ModelError
from runoff.problem.file import load_problem, save_problem
from runoff.store import file as store
from runoff.tasks.ranking.fit import fit
from runoff.tasks.ranking.reranker import Reranker

LIST = NBest("a", "b", [Candidate("c d", -1.5), Candidate("c", -2.5)], "c")
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=5,
)
ARRAYS = st.one_of(
    st.lists(st.floats(width=32), max_size=9).map(lambda v: np.array(v, dtype=np.float64)),
    st.lists(st.integers(-(2**40), 2**40), max_size=9).map(lambda v: np.array(v, dtype=np.int64)),
    st.lists(st.integers(0, 30), max_size=9).map(lambda v: np.array(v, dtype=np.uint32)),
    st.binary(max_size=9).map(lambda v: np.frombuffer(v, dtype=np.uint8)),
    st.just(np.zeros((2, 2))),
)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A sound reranker and a sound problem, as kind, header and arrays; a place to write to."""
    folder = tmp_path_factory.mktemp("models")
    reranker = fit([LIST], dev=[LIST], metric="wer", min_lists=1, bins=2)
    reranker.save(folder / "model")
    save_problem(folder / "problem", reranker.problem([LIST]), reranker.space)
    return folder, {name: store.load(folder / name) for name in ("model", "problem")}


def damaged(stored, key, value, arrays):
    header = dict(stored.header)
    if key is not None:
        header[key] = value
    return header, {**stored.arrays, **arrays}


@given(data=st.data())
def test_a_damaged_model_is_refused_or_works(files, data):
    folder, sound = files
    key = data.draw(st.sampled_from([None, *sound["model"].header]))
    names = st.sampled_from(sorted(sound["model"].arrays))
    arrays = data.draw(st.dictionaries(names, ARRAYS, max_size=2))
    header, arrays = damaged(sound["model"], key, data.draw(JSON), arrays)
    store.save(folder / "damaged", "reranker", header, arrays)
    try:
        reranker = Reranker.load(folder / "damaged")
    except ModelError as error:
        assert str(error).startswith(str(folder / "damaged"))
        return
    if reranker.training["logprobs"]:
        assert len(reranker.rerank([LIST])[0]) == 2
    else:
        with pytest.raises(FormatError, match="fitted on lists without logprobs"):
            reranker.rerank([LIST])


@given(data=st.data())
def test_a_damaged_problem_is_refused_or_sound(files, data):
    folder, sound = files
    names = st.sampled_from(sorted(sound["problem"].arrays))
    arrays = data.draw(st.dictionaries(names, ARRAYS, min_size=1, max_size=3))
    header, arrays = damaged(sound["problem"], None, None, arrays)
    store.save(folder / "damaged", "problem", header, arrays)
    try:
        problem, space = load_problem(folder / "damaged")
    except ModelError:
        return
    assert len(problem.list_hashes) == problem.n_lists
    assert (problem.feature_ids < len(space)).all()


def test_a_learner_that_is_not_ours_is_refused(files):
    folder, sound = files
    header = {**sound["model"].header, "learner": "os:system"}
    store.save(folder / "damaged", "reranker", header, sound["model"].arrays)
    with pytest.raises(
        ModelError, match="the ranker is 'os:system', which a model file may not import"
    ):
        Reranker.load(folder / "damaged")
