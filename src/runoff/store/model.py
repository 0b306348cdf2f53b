"""Models that are one file."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Self

from runoff.data.files import FilePath
from runoff.store.file import Arrays, checking, load, save


class SavedModel(ABC):
    """The base class of models that are saved to a file and loaded from it."""

    kind: ClassVar[str]
    """What its file says that it is."""

    @abstractmethod
    def stored(self) -> tuple[dict[str, Any], Arrays]:
        """Header and arrays, for a model file."""

    @classmethod
    @abstractmethod
    def restored(cls, header: dict[str, Any], arrays: Arrays) -> Self:
        """The model of a header and arrays, which are checked."""

    def save(self, path: FilePath) -> None:
        """Write the model file."""
        save(path, self.kind, *self.stored())

    @classmethod
    def load(cls, path: FilePath, *, map: bool = True) -> Self:
        """Read a model file; nothing in it is run.

        Parameters
        ----------
        map : False reads all of it now; see `runoff.load`.
        """
        _, header, arrays = load(path, kind=cls.kind, map=map)
        with checking(path):
            return cls.restored(header, arrays)
