"""Grammars with substates in files: as a step of training, and as a part of a parser's model."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from runoff.data.files import FilePath
from runoff.proposers.parsing.latent_grammars import LatentGrammars
from runoff.store.file import Arrays, checking, load, save

KIND = "latent grammars"


def save_grammars(grammars: LatentGrammars, path: FilePath) -> None:
    """Write grammars as a file of their own, a step of training."""
    header, arrays = stored(grammars)
    save(path, KIND, header, arrays)


def load_grammars(path: FilePath) -> LatentGrammars:
    """Read such a file."""
    _, header, arrays = load(path, kind=KIND)
    with checking(path):
        return restored(header, arrays)


def stored(grammars: LatentGrammars) -> tuple[dict[str, Any], Arrays]:
    """Header and arrays, for a model file."""
    parameters = {name: getattr(grammars, name) for name in _Parameters.__struct_fields__}
    return parameters, grammars.arrays()


def restored(header: dict[str, Any], arrays: Arrays) -> LatentGrammars:
    """The grammars of a header and arrays, which are checked."""
    parameters = msgspec.structs.asdict(msgspec.convert(header, _Parameters))
    return LatentGrammars(**parameters).restore(arrays)


class _Parameters(msgspec.Struct):
    grammars: Annotated[int, msgspec.Meta(ge=1, le=100)]
    cycles: int
    iterations: int
    merged: float
    seed: int
