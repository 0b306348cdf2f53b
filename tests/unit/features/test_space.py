"""The feature space: what becomes of what extractors name, and what its file may hold."""

import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.errors import ModelError
from runoff.features.encoded import fingerprints
from runoff.features.space import FeatureSpace
from runoff.store import Joined, pack_names


def encodings(space, name):
    """What becomes of a feature: names here, and what its value must reach."""
    (number,) = space.find(fingerprints([name])[0]).tolist()
    if number < 0:
        return {}
    counts, ids, cuts = space.encodings
    place = slice(counts[:number].sum(), counts[: number + 1].sum())
    return {space.names[n]: c for n, c in zip(ids[place], cuts[place].tolist(), strict=True)}


def twin(names, thresholds, real, name):
    """The same, looked up name by name."""
    if not thresholds or name in real:
        return {name: math.nan} if name in names else {}
    made = {name if t == 1 else f"{name}>={t}": float(t) for t in thresholds}
    return {n: c for n, c in made.items() if n in names and n not in real}


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
            # nan is not equal to itself, so compare as text
            expected = twin(names, thresholds, real, name)
            assert repr(sorted(encodings(one, name).items())) == repr(sorted(expected.items()))


def test_bins_go_before_thresholds():
    names = ["gain<=-2", "ratio>=0.5", "ratio>=2", "words", "words>=2"]
    space = FeatureSpace(names, thresholds=(1, 2), cuts={0: -2.0, 1: 0.5})
    assert encodings(space, "gain") == {"gain<=-2": -2.0}
    assert encodings(space, "ratio") == {"ratio>=0.5": 0.5}  # "ratio>=2" is a count of that name
    assert encodings(space, "ratio>=2") == {"ratio>=2": 1.0}
    assert encodings(space, "words") == {"words": 1.0, "words>=2": 2.0}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"names": pack_names(Joined.of(["a", "b>=0.5", "a"]))}, "named twice"),
        ({"names": pack_names(Joined.of(["", "b>=0.5", ""]))}, "named twice"),
        ({"names": pack_names(Joined.of(["a"]))}, "out of range"),
        ({"names": pack_names(Joined.of(["a", "b", "c"]))}, "'b' is not called after its cut"),
        ({"names": np.zeros(9, dtype=np.uint8)}, "table of names is broken"),
        ({"thresholds": np.array([0])}, "threshold is not"),
        ({"real_features": np.array([3])}, "out of range"),
    ],
)
def test_a_broken_space_is_refused(change, problem):
    sound = FeatureSpace(["a", "b>=0.5", "c"], thresholds=(1, 2), cuts={1: 0.5}).arrays()
    assert FeatureSpace.from_arrays(sound).names == ["a", "b>=0.5", "c"]
    with pytest.raises(ModelError, match=problem):
        FeatureSpace.from_arrays({**sound, **change})
    with pytest.raises(ModelError, match="missing"):
        FeatureSpace.from_arrays({k: v for k, v in sound.items() if k not in change})
