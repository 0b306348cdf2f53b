import json

import numpy as np
import pytest
import safetensors.numpy
from hypothesis import given
from hypothesis import strategies as st

from runoff.errors import ModelError, ModelVersionError, UsageError
from runoff.store import file as store


def saved(tmp_path, **arrays):
    path = tmp_path / "a.runoff"
    store.save(path, "toy", {"who": "us", "n": [1, 2.5]}, arrays)
    return path


def test_what_is_saved_is_loaded(tmp_path):
    arrays = {
        "weights": np.array([[0.5, -1.0]]),
        "ids": np.arange(3, dtype=np.uint32),
        "text": np.frombuffer(b"abc", dtype=np.uint8),
        "none": np.zeros(0, dtype=np.int64),
    }
    kind, header, loaded = store.load(saved(tmp_path, **arrays), kind="toy")
    assert (kind, header) == ("toy", {"who": "us", "n": [1, 2.5]})
    assert loaded.keys() == arrays.keys()
    for name, array in arrays.items():
        assert loaded[name].dtype == array.dtype
        assert loaded[name].tolist() == array.tolist()


def test_the_file_is_plain_safetensors(tmp_path):
    path = saved(tmp_path, weights=np.arange(4.0))
    assert safetensors.numpy.load_file(path)["weights"].tolist() == [0, 1, 2, 3]


def test_loaded_arrays_are_read_only(tmp_path):
    weights = store.load(saved(tmp_path, weights=np.arange(4.0))).arrays["weights"]
    with pytest.raises(ValueError, match="read-only"):
        weights[0] = 1


def test_equal_content_gives_equal_bytes(tmp_path):
    first = saved(tmp_path, a=np.arange(3.0), b=np.arange(2, dtype=np.uint8)).read_bytes()
    second = saved(tmp_path, b=np.arange(2, dtype=np.uint8), a=np.arange(3.0)).read_bytes()
    assert first == second


def test_another_kind_is_refused(tmp_path):
    path = saved(tmp_path, weights=np.arange(4.0))
    with pytest.raises(
        ModelError, match=r"a.runoff: holds a toy model; a reranker model is needed"
    ):
        store.load(path, kind="reranker")


@pytest.mark.parametrize(("version", "hint"), [(1, "train it again"), (99, "pip install")])
def test_another_version_is_refused(tmp_path, monkeypatch, version, hint):
    monkeypatch.setattr(store, "VERSION", version)
    path = saved(tmp_path, weights=np.arange(4.0))
    monkeypatch.undo()
    with pytest.raises(ModelVersionError, match=f"in format {version}, and this Runoff reads") as e:
        store.load(path)
    assert hint in e.value.hint


def test_a_failed_save_leaves_the_old_file(tmp_path):
    path = saved(tmp_path, weights=np.arange(4.0))
    before = path.read_bytes()
    with pytest.raises(KeyError):  # complex numbers have no name in the format
        store.save(path, "toy", {}, {"weights": np.arange(4.0), "x": np.zeros(2, dtype=complex)})
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}",
        b"\xff" * 64,
        (10**9).to_bytes(8, "little") + b"{}",
        (2).to_bytes(8, "little") + b"{}",
        (2).to_bytes(8, "little") + b"{]",
        b"\x80\x04\x95cposix\nsystem\n(S'true'\ntR.",  # a pickle
    ],
)
def test_other_files_are_refused_in_one_sentence(tmp_path, content):
    path = tmp_path / "bad.runoff"
    path.write_bytes(content)
    with pytest.raises(ModelError, match="bad.runoff: not a") as error:
        store.load(path)
    assert "\n" not in str(error.value)


def test_a_directory_and_a_missing_file(tmp_path):
    with pytest.raises(ModelError, match="is a directory"):
        store.load(tmp_path)
    with pytest.raises(ModelError, match="no such file"):
        store.load(tmp_path / "none")


def hostile(tmp_path, head, size=16):
    text = json.dumps(head).encode()
    path = tmp_path / "hostile.runoff"
    path.write_bytes(len(text).to_bytes(8, "little") + text + bytes(size))
    return path


META = {"version": str(store.VERSION), "kind": "toy", "header": "{}"}


@pytest.mark.parametrize(
    "entry",
    [
        {"dtype": "F64", "shape": [2], "data_offsets": [0, 8]},
        {"dtype": "F64", "shape": [2**62], "data_offsets": [0, 16]},
        {"dtype": "F64", "shape": [-1], "data_offsets": [0, 16]},
        {"dtype": "F64", "shape": [2], "data_offsets": [16, 32]},
        {"dtype": "F64", "shape": [2], "data_offsets": [-16, 0]},
        {"dtype": "BF16", "shape": [8], "data_offsets": [0, 16]},
        {"dtype": "O", "shape": [2], "data_offsets": [0, 16]},
        {"dtype": "F64", "shape": [0, 2**63], "data_offsets": [0, 0]},
        {"dtype": "F64", "shape": [0, 2**62], "data_offsets": [0, 0]},
        {"dtype": "F64", "shape": [2, *[1] * 99], "data_offsets": [0, 16]},
    ],
)
def test_arrays_that_do_not_fit_the_file_are_refused(tmp_path, entry):
    size = entry["data_offsets"][1] if 0 in entry["shape"] else 16
    with pytest.raises(ModelError):
        store.load(hostile(tmp_path, {"__metadata__": META, "a": entry}, size))


def test_arrays_are_aligned_wherever_a_file_has_them(tmp_path):
    entry = {"dtype": "F64", "shape": [2], "data_offsets": [0, 16]}
    for padding in range(8):
        head = {"__metadata__": {**META, "padding": " " * padding}, "a": entry}
        assert store.load(hostile(tmp_path, head)).arrays["a"].flags.aligned


def test_whatever_is_said_of_a_file_is_a_model_error_that_names_it():
    for error in (ValueError("odd"), UsageError("odd"), ModelError("odd")):
        with pytest.raises(ModelError, match="^a.runoff: odd$"), store.checking("a.runoff"):
            raise error
    with pytest.raises(ModelError, match="^odd$"), store.checking():
        raise ValueError("odd")


@pytest.mark.parametrize(
    "change",
    [
        {"version": "one"},
        {"header": "[1]"},
        {"header": "{"},
        {"header": "[" * 100_000},
        {"kind": None},
    ],
)
def test_broken_headers_are_refused(tmp_path, change):
    metadata = {key: value for key, value in (META | change).items() if value is not None}
    entry = {"dtype": "F64", "shape": [2], "data_offsets": [0, 16]}
    with pytest.raises(ModelError, match="header is missing or broken"):
        store.load(hostile(tmp_path, {"__metadata__": metadata, "a": entry}))


@given(data=st.binary(max_size=200), cut=st.integers(0, 400))
def test_any_damage_is_a_model_error_or_harmless(tmp_path_factory, data, cut):
    folder = tmp_path_factory.mktemp("damage")
    path = saved(folder, weights=np.arange(4.0))
    content = path.read_bytes()
    path.write_bytes(content[:cut] + data + content[cut + len(data) :])
    try:
        loaded = store.load(path)
    except ModelError:
        return
    assert all(isinstance(array, np.ndarray) for array in loaded.arrays.values())
