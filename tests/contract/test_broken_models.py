"""Models with something wrong in them: each works, or is rejected with one sentence, in every use.

A few cases of what `tests/fuzz/fuzz_models.py` does for hours, and some that it once found.
"""

import json
import random
import warnings

import numpy as np
import pytest
from helpers.made.models import NAMES, make_model, use_model
from helpers.mutations import mutated

from runoff.errors import ModelError, RunoffError
from runoff.store import file as store
from runoff.tasks.inspect import inspect_model

CASES = 5


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The file of a model, trained once."""
    folder, found = tmp_path_factory.mktemp("models"), {}

    def model(name):
        if name not in found:
            found[name] = make_model(name, folder)
        return found[name]

    return model


@pytest.mark.parametrize("name", NAMES)
def test_a_mutated_model_works_or_is_rejected(name, made, tmp_path):
    use_model(name, made(name))
    chance, path = random.Random(name), tmp_path / "mutated"
    for _ in range(CASES):
        path.write_bytes(mutated(made(name), chance))
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                use_model(name, path)
        except RunoffError as error:
            assert "\n" not in error.message


def with_byte(array, byte):
    changed = array.copy()
    changed[len(array) // 2] = byte
    return changed


BROKEN = {
    "a byte 0xff among words": ("words", "words", lambda a: with_byte(a, 0xFF)),
    "a byte 0xff among strings": ("tagging", "strings", lambda a: with_byte(a, 0xFF)),
    "children that point to themselves": ("words", "tree.children", np.zeros_like),
    "entries that nobody has": ("words", "tree.entries", lambda a: a + np.uint32(1000)),
    "tags of names that are none": (
        "names",
        "tagger.tags",
        lambda a: np.where(a == ord("-"), np.uint8(ord("+")), a),
    ),
    "labels of chunks that are none": (
        "chunking",
        "crf.labels",
        lambda a: np.where(a == ord("-"), np.uint8(ord("+")), a),
    ),
    "no weights": ("perceptron", "weights", lambda a: a[:0]),
    "doubled weights": ("perceptron", "weights", lambda a: np.concatenate([a, a])),
    "no weights of machines": ("svm-rank", "weights", lambda a: a[:0]),
    "doubled weights of machines": ("svm-rank", "weights", lambda a: np.concatenate([a, a])),
    "doubled weights of a tagger": ("tagging", "weights", lambda a: np.concatenate([a, a])),
    "no weights of experts": ("proofing", "0.weights", lambda a: a[:0]),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_array_is_rejected(case, made, tmp_path):
    name, array, change = BROKEN[case]
    kind, header, arrays = store.load(made(name))
    store.save(tmp_path / "broken", kind, header, {**arrays, array: change(arrays[array])})
    with pytest.raises(ModelError) as caught:
        use_model(name, tmp_path / "broken")
    assert "\n" not in caught.value.message


@pytest.mark.parametrize("size", [2**31, 2**62, 2**63, 2**64 - 1, 2**64])
def test_absurd_shapes_are_rejected(size, made, tmp_path):
    data = made("perceptron").read_bytes()
    end = 8 + int.from_bytes(data[:8], "little")
    head = json.loads(data[8:end])
    for shape in ([0, size], [size, 0]):
        head["cuts"]["shape"] = shape
        text = json.dumps(head).encode()
        path = tmp_path / "broken"
        path.write_bytes(len(text).to_bytes(8, "little") + text + data[end:])
        with pytest.raises(ModelError):
            use_model("perceptron", path)


def test_a_part_without_its_header_is_rejected(made, tmp_path):
    kind, header, arrays = store.load(made("chunking"))
    header.pop("tagger")
    store.save(tmp_path / "broken", kind, header, arrays)
    with pytest.raises(ModelError, match="it lacks a part that has arrays"):
        inspect_model(tmp_path / "broken")


def test_a_record_of_uneven_rows_is_rejected(made, tmp_path):
    kind, header, arrays = store.load(made("perceptron"))
    del next(iter(header["record"].values()))[-1]["epoch"]
    store.save(tmp_path / "broken", kind, header, arrays)
    with pytest.raises(ModelError, match="the training record is broken: rows of different"):
        inspect_model(tmp_path / "broken")


def test_thresholds_that_do_not_rise_are_rejected(made, tmp_path):
    kind, header, arrays = store.load(made("perceptron"))
    doubled = {**arrays, "thresholds": np.array([2, 2])}
    store.save(tmp_path / "broken", kind, header, doubled)
    with pytest.raises(ModelError, match="thresholds of counts are not positive numbers in rising"):
        use_model("perceptron", tmp_path / "broken")
