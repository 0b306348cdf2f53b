"""Model files with something wrong in them, made from sound ones; checksums are right again.

A mutation changes what a program could have written: a value of the header, an array, a string
table below its compression; or bytes, as a disk would.
"""

import json
import random
import zlib
from copy import deepcopy
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from runoff.store import file as store

Header, Arrays = dict[str, Any], dict[str, np.ndarray]

VALUES = (
    *(None, True, False, 0, 1, -1, 2, 255, 65536, 2**31, 2**32, 2**53, 2**63, 2**64, -(2**63)),
    *(0.5, -0.0, 1e308, -1e-308, "", "x", "-", "B-", "\u0000", "\ud83d\ude00", "a b\nc", "é" * 50),
    *([], {}, [0], [[]], {"": None}, [1.5, "x"], ["x", "x"]),
)
"""What a value of a header becomes."""

NUMBERS = (0, 1, 2, 127, 128, 255, 65535, 2**31 - 1, 2**31, 2**32 - 1, 2**62, 2**63 - 1, -1)
ODD = (b"\xff", b"\n", b"\x00", b" ", b"\xc3", b"\xed\xa0\x80", b"(", b")", b"-", b"0", b"9")
FLOATS = (0.0, -0.0, 1.0, -1.0, 1e308, -1e308, 5e-324, float("nan"), float("inf"), 2.0**53)


def mutated(path: Path, chance: random.Random) -> bytes:
    """The bytes of a model file after one to three mutations."""
    if chance.random() < 0.15:
        data = path.read_bytes()
        for _ in range(chance.randint(1, 3)):
            data = _bytes(data, chance)
        return data
    kind, header, found = store.load(path)
    header, arrays = json.loads(json.dumps(header)), dict(found)
    with np.errstate(all="ignore"):
        for _ in range(chance.choice((1, 1, 1, 2, 3))):
            change = chance.choice((_header, _array, _array, _array, _names, _set_of_arrays))
            header, arrays = change(header, arrays, chance)
    out = BytesIO()
    store._write(out, kind, header, arrays)
    return _head(out.getvalue(), chance) if chance.random() < 0.05 else out.getvalue()


def _bytes(data: bytes, chance: random.Random) -> bytes:
    """Bytes flipped, cut out, doubled or cut off, mostly in the head of the file."""
    at = chance.randrange(min(len(data), chance.choice((16, 2000, len(data)))) + 1)
    many = chance.choice((1, 1, 2, 8, 64))
    noise = chance.choice((chance.randbytes(many), b"\xff" * many, b"\x00" * many))
    return chance.choice(
        (
            data[:at] + noise + data[at + many :],
            data[:at] + data[at + many :],
            data[: at + many] + data[at:],
            data[:at],
        )
    )


def _head(data: bytes, chance: random.Random) -> bytes:
    """Another type, shape or offset of an array in the head of the file."""
    size = int.from_bytes(data[:8], "little")
    head = json.loads(data[8 : 8 + size])
    name = chance.choice([name for name in head if name != "__metadata__"] or ["__metadata__"])
    _leaf(head[name], chance)
    text = json.dumps(head).encode()
    return len(text).to_bytes(8, "little") + text + data[8 + size :]


def _header(header: Header, arrays: Arrays, chance: random.Random) -> tuple[Header, Arrays]:
    _leaf(header, chance)
    return header, arrays


def _leaf(value: Any, chance: random.Random) -> None:
    """Change something in a JSON object or list, at any depth."""
    while True:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        if not keys:
            return
        key = chance.choice(keys)
        if isinstance(value[key], dict | list) and value[key] and chance.random() < 0.8:
            value = value[key]
            continue
        _change_value(value, key, chance)
        return


def _change_value(value: Any, key: Any, chance: random.Random) -> None:
    old, what = value[key], chance.random()
    if what < 0.1:
        del value[key]
    elif what < 0.2 and isinstance(value, list):
        value.append(old)
    elif what < 0.4 and isinstance(old, int | float) and not isinstance(old, bool):
        value[key] = chance.choice((-old, old + 1, old - 1, old * 1000, float(old), str(old)))
    elif what < 0.4 and isinstance(old, str):
        value[key] = chance.choice((old[:-1], old + old, old.upper(), old.replace("-", ""), [old]))
    else:
        value[key] = deepcopy(chance.choice(VALUES))  # which later mutations may change


def _array(header: Header, arrays: Arrays, chance: random.Random) -> tuple[Header, Arrays]:
    """Another content, length, type or shape of an array."""
    if not arrays:
        return header, arrays
    name = chance.choice(sorted(arrays))
    array = np.array(arrays[name])
    what = chance.random()
    if what < 0.6 and array.size:
        array = _entries(array, chance)
    elif what < 0.75:
        array = _length(array, chance)
    elif what < 0.85 and array.size:
        order = list(range(len(array)))
        chance.shuffle(order)
        array = chance.choice((array[order], array[::-1], np.sort(array, axis=0)))
    elif what < 0.92:
        other = np.dtype(chance.choice(sorted(store.DTYPES.values())))
        array = array.astype(other)
    else:
        array = chance.choice((array.reshape(-1), array.reshape(1, -1), array[..., np.newaxis]))
    return header, {**arrays, name: np.ascontiguousarray(array)}


def _entries(array: np.ndarray, chance: random.Random) -> np.ndarray:
    flat = array.reshape(-1)
    for _ in range(chance.choice((1, 1, 2, 5))):
        at = chance.randrange(flat.size)
        if chance.random() < 0.4:  # near what is there, or what is there elsewhere
            near = flat[chance.randrange(flat.size)], flat[at] + 1, flat[at] - 1
            flat[at] = chance.choice(near)
        elif flat.dtype.kind == "f":
            flat[at] = np.float64(chance.choice(FLOATS)).astype(flat.dtype)
        else:
            flat[at] = _wrapped(chance.choice(NUMBERS), flat.dtype)
    return array


def _wrapped(number: int, dtype: np.dtype) -> Any:
    """The number in a type, its high bits cut off."""
    bits = 8 * dtype.itemsize
    return np.array(number % 2**bits, dtype=f"u{dtype.itemsize}").view(dtype)[()]


def _length(array: np.ndarray, chance: random.Random) -> np.ndarray:
    size = len(array) if array.ndim else 0
    if not size:
        return np.zeros((chance.choice((1, 3)), *array.shape[1:]), dtype=array.dtype)
    cut = chance.randrange(size)
    return chance.choice(
        (array[:cut], array[cut:], array[:-1], array[:0], np.concatenate([array, array]),
         np.concatenate([array, array[:1]]), np.delete(array, cut, axis=0))
    )  # fmt: skip


def _names(header: Header, arrays: Arrays, chance: random.Random) -> tuple[Header, Arrays]:
    """Other text in a string table: below the compression of packed names, or plain."""
    texts = [name for name, one in sorted(arrays.items()) if one.dtype == np.uint8 and one.size]
    if not texts:
        return header, arrays
    name = chance.choice(texts)
    data = arrays[name].tobytes()
    try:
        text, pack = zlib.decompress(data), zlib.compress
    except zlib.error:
        text, pack = data, bytes
    made = pack(_text(text, chance))
    return header, {**arrays, name: np.frombuffer(made, dtype=np.uint8)}


def _text(text: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(text) + 1)
    odd = chance.choice(
        (b"\xff", b"\n", b"\x00", b" ", b"\xc3", b"\xed\xa0\x80", *b"()-09".split())
    )
    return chance.choice(
        (
            text[:at] + odd + text[at + 1 :],
            text[:at] + odd + text[at:],
            text[:at] + text[at + 1 :],
            text[:at],
            text + text[at:],
            text.replace(b"-", b""),
        )
    )


def _set_of_arrays(header: Header, arrays: Arrays, chance: random.Random) -> tuple[Header, Arrays]:
    """One array left out, or in the place of another, or two exchanged."""
    if len(arrays) < 2:
        return header, arrays
    one, other = chance.sample(sorted(arrays), 2)
    without = {name: array for name, array in arrays.items() if name != one}
    changes: tuple[Arrays, ...] = (
        without,
        {**arrays, one: arrays[other]},
        {**arrays, one: arrays[other], other: arrays[one]},
        {**arrays, one: np.zeros(0, dtype=arrays[one].dtype)},
    )
    return header, chance.choice(changes)
