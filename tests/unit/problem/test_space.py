"""The feature space: what becomes of what extractors name, and what its file may hold."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.errors import ModelError
from runoff.problem.batch_features import fingerprints
from runoff.problem.space import FeatureSpace
from runoff.store.strings import StringTable, pack_names


def made_of(space, name, value):
    """What becomes of a feature that one of two candidates has."""
    (place,) = space.find(fingerprints([name])[0]).tolist()
    offsets, id = np.array([0, 1, 1]), np.zeros(1, dtype=np.uint32)
    found = space.encode(np.array([0, 2]), offsets, id, np.array([value]), np.array([place]))
    assert found.counts.tolist() == [len(found.ids), 0]
    return dict(zip([space.names[n] for n in found.ids], found.values.tolist(), strict=True))


def twin(names, thresholds, real, name, value):
    """The same, looked up name by name."""
    if not thresholds or name in real:
        return {name: value} if name in names else {}
    made = [name if t == 1 else f"{name}>={t}" for t in thresholds if value >= t]
    return {one: 1.0 for one in made if one in names and one not in real}


NAMES = st.sets(
    st.builds(
        lambda name, suffix: name + suffix,
        st.sampled_from(["", "a", "b", "a b", "é", "\ud800", "=2", ">"]),
        st.sampled_from(["", ">=2", ">=4", ">=20", ">=2>=4", "\0"]),
    )
)


@given(NAMES, st.sampled_from([(), (1, 2, 4), (2,)]), st.data())
def test_every_source_becomes_what_its_name_says(names, thresholds, data):
    names = sorted(names)
    real = data.draw(st.sets(st.sampled_from(names)) if names else st.just(set()))
    space = FeatureSpace(
        names, thresholds=thresholds, real=[n for n, name in enumerate(names) if name in real]
    )
    again = pickle.loads(pickle.dumps(FeatureSpace.from_arrays(space.arrays())))
    for one in (space, again):
        assert one.names == names
        for name in {*names, *(name.removesuffix(">=2") for name in names), "other"}:
            for value in (1.0, 2.5, 30.0):
                assert made_of(one, name, value) == twin(names, thresholds, real, name, value)


def test_bins_go_before_thresholds():
    names = ["gain<=-2", "ratio>=0.5", "ratio>=2", "words", "words>=2"]
    space = FeatureSpace(names, thresholds=(1, 2), cuts={0: -2.0, 1: 0.5})
    assert made_of(space, "gain", -3.0) == {"gain<=-2": 1.0}
    assert made_of(space, "gain", -1.0) == {}
    assert made_of(space, "ratio", 3.0) == {"ratio>=0.5": 1.0}  # "ratio>=2" is a count so called
    assert made_of(space, "ratio>=2", 3.0) == {"ratio>=2": 1.0}
    assert made_of(space, "words", 1.0) == {"words": 1.0}
    assert made_of(space, "words", 2.0) == {"words": 1.0, "words>=2": 1.0}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"names": pack_names(StringTable.of(["a", "b>=0.5", "a"]))}, "named twice"),
        ({"names": pack_names(StringTable.of(["", "b>=0.5", ""]))}, "named twice"),
        ({"names": pack_names(StringTable.of(["a"]))}, "must hold numbers in"),
        ({"names": pack_names(StringTable.of(["a", "b", "c"]))}, "'b' is not called after its cut"),
        ({"names": np.zeros(9, dtype=np.uint8)}, "does not hold packed strings"),
        ({"thresholds": np.array([0])}, "thresholds of counts are not"),
        ({"real_features": np.array([3])}, "must hold numbers in"),
        ({"real_features": np.array([1.0])}, "must be int64"),
        ({"cuts": np.array([0.5, 0.6])}, "of shape"),
        ({"cuts": np.array([np.inf])}, "must be finite"),
        ({"cuts": np.array([0.0])}, "a cut point is 0"),
    ],
)
def test_a_broken_space_is_refused(change, problem):
    sound = FeatureSpace(["a", "b>=0.5", "c"], thresholds=(1, 2), cuts={1: 0.5}).arrays()
    assert FeatureSpace.from_arrays(sound).names == ["a", "b>=0.5", "c"]
    with pytest.raises(ModelError, match=problem):
        FeatureSpace.from_arrays({**sound, **change})
    with pytest.raises(ModelError, match="missing"):
        FeatureSpace.from_arrays({k: v for k, v in sound.items() if k not in change})


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"sources": np.array([2])}, "place is out of range"),
        ({"ids": np.ones(1, dtype=np.uint32)}, "feature id 1 is not below 1"),
        ({"values": np.ones(2)}, "one value per id"),
        ({"feature_offsets": np.array([0, 2, 1])}, "feature_offsets must rise"),
        ({"feature_offsets": np.zeros(0, dtype=np.int64)}, "feature_offsets must not be empty"),
        ({"list_offsets": np.array([0, 3])}, "list_offsets must rise"),
    ],
)
def test_entries_that_do_not_fit_together_are_refused(change, problem):
    sound = {
        "list_offsets": np.array([0, 2]),
        "feature_offsets": np.array([0, 1, 1]),
        "ids": np.zeros(1, dtype=np.uint32),
        "values": np.ones(1),
        "sources": np.array([1]),
    }
    space = FeatureSpace(["a", "b"])
    assert space.encode(**sound).ids.tolist() == [1]
    with pytest.raises(ValueError, match=problem):
        space.encode(**(sound | change))
