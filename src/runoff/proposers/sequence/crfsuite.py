"""Models of CRFsuite (Okazaki 2007) as proposers: their own file is read, nothing else is needed.

The file has a header, the features with their weights, and two tables of names, of labels and of
attributes. Its other two chunks say again which features belong to which label and attribute.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.data.files import FilePath
from runoff.data.nbest import Candidate
from runoff.data.numbering import offsets_of
from runoff.errors import ModelError, UsageError
from runoff.proposers.base import named_lists
from runoff.proposers.sequence.crf import TEMPLATES
from runoff.proposers.sequence.crfsuite_items import Item
from runoff.proposers.sequence.templates import parse_template
from runoff.proposers.sequence.word_forms import FORMS
from runoff.store.file import check_regular, checking

MOST_LABELS = 4096
"""Any label may follow any other, so their number squared is what a model takes."""

_HEADER = struct.Struct("<4sI4s9I")
_FEATURES = struct.Struct("<4s2I")
_NAMES = struct.Struct("<4s5I")
_BYTE_ORDER = 0x62445371
_FEATURE = np.dtype([("type", "<u4"), ("source", "<u4"), ("target", "<u4"), ("weight", "<f8")])
_OF_ATTRIBUTES, _OF_LABELS = 0, 1  # types of features

_FIELDS = {"word": "w", "class": "pos"}


@dataclass(frozen=True, eq=False)
class CrfsuiteModel:
    """Proposes labels for items, which are attributes of words.

    Parameters
    ----------
    labels : in the order of the file.
    attributes : numbers of those that some feature knows.
    """

    labels: tuple[str, ...]
    attributes: Mapping[str, int]
    native: _native.Crf

    @classmethod
    def load(cls, path: FilePath) -> Self:
        """Read a model file of CRFsuite, such as python-crfsuite's Trainer writes.

        Raises
        ------
        ModelError : the file is not one, or is damaged.
        """
        check_regular(path)
        try:
            data = Path(path).read_bytes()
        except OSError as error:
            raise ModelError((error.strerror or "cannot be read").lower(), path=path) from None
        try:
            with checking():
                return cls._of(_File(data))
        except ModelError as error:
            raise ModelError(f"not a sound CRFsuite model: {error.problem}", path=path) from None

    @classmethod
    def _of(cls, file: _File) -> Self:
        labels, attributes = file.labels(), file.attributes()
        of_attributes, of_labels = file.features(len(labels), len(attributes))
        order = np.argsort(of_attributes["source"], kind="stable")
        counts = np.bincount(of_attributes["source"], minlength=len(attributes))
        edges = np.zeros((len(labels), len(labels)))
        edges[of_labels["target"], of_labels["source"]] = of_labels["weight"]
        native = _native.Crf(
            _all_neighbours(len(labels)),
            offsets_of(counts),
            of_attributes["target"][order].astype(np.uint32),
            of_attributes["weight"][order].astype(np.float64),
            edges.reshape(-1),
        )
        return cls(tuple(labels), {name: i for i, name in enumerate(attributes)}, native)

    def propose(self, input: Sequence[Item | Iterable[str]], n: int) -> list[Candidate]:
        """At most n distinct lists of labels with log-probabilities, best first."""
        return self.propose_all([input], n)[0]

    def propose_all(
        self, sequences: Iterable[Sequence[Item | Iterable[str]]], n: int, *, threads: int = 1
    ) -> list[list[Candidate]]:
        """The n best of many sequences; runs without the interpreter lock.

        Parameters
        ----------
        sequences : of items: names of attributes, or a mapping from names to values.
        """
        if n < 1:
            raise UsageError(f"n must be at least 1, not {n}")
        ends, item_ends = [0], [0]
        names, unknown = self.attributes.get, repeat(-1)
        numbers: list[int] = []
        given: list[tuple[int, list[float]]] = []  # where mappings begin, and their values
        for sequence in sequences:
            for item in sequence:
                if isinstance(item, Mapping):
                    given.append((len(numbers), list(item.values())))
                numbers.extend(map(names, item, unknown))
                item_ends.append(len(numbers))
            ends.append(len(item_ends) - 1)
        found = np.array(numbers, dtype=np.int64)
        known, values = found >= 0, None
        if given:
            values = np.ones(len(found))
            for start, own in given:
                values[start : start + len(own)] = own
            values = values[known]
        offsets = np.array(ends, dtype=np.int64)
        best = self.native.n_best(
            offsets,
            offsets_of(known)[item_ends],
            found[known].astype(np.uint32),
            values,
            n,
            threads=threads,
        )
        return named_lists(offsets, *best, self.labels)


def chunking_items(words: Sequence[str], tags: Sequence[str]) -> list[list[str]]:
    """The attributes that CRFsuite's own chunking example gives words with parts of speech.

    Examples
    --------
    >>> [names[:3] for names in chunking_items(["we", "vote"], ["PRP", "VBP"])]
    [['w[0]=we', 'w[1]=vote', 'w[0]|w[1]=we|vote'], ['w[-1]=we', 'w[0]=vote', 'w[-1]|w[0]=we|vote']]
    """
    columns = {"word": words, "class": tags}
    templates = [
        [(place, columns[FORMS[form]], f"{_FIELDS[FORMS[form]]}[{place}]") for place, form in atoms]
        for atoms in map(parse_template, TEMPLATES)
    ]
    items: list[list[str]] = []
    for at in range(len(words)):
        found = []
        for atoms in templates:
            if all(0 <= at + place < len(words) for place, _, _ in atoms):
                name = "|".join(name for _, _, name in atoms)
                value = "|".join(column[at + place] for place, column, _ in atoms)
                found.append(f"{name}={value}".replace(":", "__COLON__"))
        items.append(found)
    for place, name in ((0, "__BOS__"), (-1, "__EOS__")):
        if items:
            items[place].append(name)
    return items


def _all_neighbours(n_labels: int) -> _native.CrfChain:
    before = np.tile(np.arange(n_labels + 1, dtype=np.uint16), n_labels)
    behind = np.repeat(np.arange(n_labels, dtype=np.uint16), n_labels + 1)
    return _native.CrfChain(1, n_labels, np.stack([before, behind], axis=1).reshape(-1))


class _File:
    """The parts of a file; nothing outside of it is read, whatever it says."""

    def __init__(self, data: bytes) -> None:
        self._data = memoryview(data)
        magic, size, kind, version, _, self._n_labels, self._n_attributes, *places = self._unpack(
            _HEADER, 0, "header"
        )
        if magic != b"lCRF" or kind != b"FOMC":
            raise ModelError("it does not begin as one")
        if version != 100:
            raise ModelError(f"its format has the version {version}, and 100 is known")
        if size > len(data):
            raise ModelError(f"it has {len(data):,} bytes where {size:,} are said to be")
        self._features_at, self._labels_at, self._attributes_at, *_ = places

    def _part(self, start: int, size: int, what: str) -> memoryview:
        if not 0 <= start <= start + size <= len(self._data):
            raise ModelError(f"its {what} would lie outside of the file")
        return self._data[start : start + size]

    def _unpack(self, layout: struct.Struct, start: int, what: str) -> tuple[Any, ...]:
        return layout.unpack(self._part(start, layout.size, what))

    def features(self, n_labels: int, n_attributes: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Features of attributes and of neighbouring labels: source, target and weight."""
        magic, _, count = self._unpack(_FEATURES, self._features_at, "features")
        if magic != b"FEAT":
            raise ModelError("it has no features where they should be")
        start = self._features_at + _FEATURES.size
        rows = np.frombuffer(self._part(start, count * _FEATURE.itemsize, "features"), _FEATURE)
        sources = np.where(rows["type"] == _OF_ATTRIBUTES, n_attributes, n_labels)
        if (
            (rows["type"] > _OF_LABELS).any()
            or (rows["source"] >= sources).any()
            or (rows["target"] >= n_labels).any()
        ):
            raise ModelError("a feature names a label or attribute that is not there")
        return rows[rows["type"] == _OF_ATTRIBUTES], rows[rows["type"] == _OF_LABELS]

    def labels(self) -> list[str]:
        """The names of labels."""
        if not 0 < self._n_labels <= MOST_LABELS:
            raise ModelError(f"it has {self._n_labels:,} labels, and 1 to {MOST_LABELS:,} are read")
        names = list(self._names(self._labels_at, self._n_labels, "labels"))
        if len(set(names)) < len(names):
            raise ModelError("a label comes twice")
        return names

    def attributes(self) -> list[str]:
        """The names of attributes."""
        return list(self._names(self._attributes_at, self._n_attributes, "attributes"))

    def _names(self, start: int, count: int, what: str) -> Iterator[str]:
        """The strings of a constant database, in the order of their numbers."""
        magic, _, _, byte_order, n_places, places = self._unpack(_NAMES, start, what)
        if magic != b"CQDB" or byte_order != _BYTE_ORDER or n_places < count:
            raise ModelError(f"its {what} are not where they should be")
        if count == 0:
            return
        offsets = np.frombuffer(self._part(start + places, 4 * count, what), "<u4")
        total = 0
        for offset in offsets.tolist():
            at = start + offset
            (size,) = struct.unpack("<I", self._part(at + 4, 4, what))  # behind its number
            total += size
            if total > len(self._data):
                raise ModelError(f"its {what} overlap")
            name = bytes(self._part(at + 8, size, what))
            try:
                yield name.rstrip(b"\0").decode()
            except UnicodeDecodeError:
                raise ModelError(f"one of its {what} is not UTF-8") from None
