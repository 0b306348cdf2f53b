"""Word alignments of parallel text: both directions, made one.

The aligner is native: IBM model 1 with a prior for links near the diagonal (Dyer, Chahuneau & Smith
2013, "A simple, fast, and effective reparameterization of IBM model 2"), then a hidden Markov model
of jumps (Vogel, Ney & Tillmann 1996) whose directions agree (Liang, Taskar & Klein 2006), all by EM
with a Dirichlet prior. Or another program aligns: eflomal, which is run if it is on the path.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from runoff import _native
from runoff.data.bitext import Link, SentencePair, read_links
from runoff.data.numbering import Numbering, Numbers
from runoff.engine import ALONE, AnyEngine, Engine
from runoff.errors import FormatError, RunoffError, UsageError, check_at_least, unknown_choice

SYMMETRISATIONS = ("grow-diag-final-and", "intersection", "union")
"""How the links of both directions are made one; see `symmetrisation.hpp`."""

ALIGNERS = ("native", "eflomal")

Links = list[list[Link]]
"""The links of every sentence pair."""


class Side(NamedTuple):
    """The sentences of one language as numbers of words, end to end; 0 is no word."""

    words: Numbers
    offsets: NDArray[np.int64]
    vocabulary: int

    @classmethod
    def of(cls, sentences: Sequence[Sequence[str]]) -> Side:
        """The side of sentences."""
        numbering = Numbering([""])
        parts = [numbering.numbers(words) for words in sentences]
        words = np.concatenate(parts) if parts else np.zeros(0, np.uint32)
        offsets = np.cumsum([0, *map(len, parts)], dtype=np.int64)
        return cls(words, offsets, len(numbering))


@dataclass(frozen=True, kw_only=True)
class Aligner:
    """The native aligner.

    Parameters
    ----------
    ibm1, diagonal, hmm : iterations of IBM model 1, with the prior for the diagonal, and of the
        hidden Markov model.
    empty : probability that a word has no link.
    tension : of the diagonal, where it begins; it is fitted to the text.
    alpha : of the Dirichlet prior; smaller values make few translations of a word more probable.
    symmetrise : how both directions are made one, one of `SYMMETRISATIONS`.

    Examples
    --------
    >>> pairs = [SentencePair(["a", "vote"], ["eine", "Stimme"])]
    >>> pairs += [SentencePair(["a", "list"], ["eine", "Liste"])]
    >>> Aligner().align(pairs)
    [[(0, 0), (1, 1)], [(0, 0), (1, 1)]]
    """

    ibm1: int = 0
    diagonal: int = 5
    hmm: int = 5
    empty: float = 0.08
    tension: float = 4.0
    alpha: float = 0.01
    symmetrise: str = "grow-diag-final-and"

    def check(self) -> None:
        """Raise an error for options that make no sense."""
        check_at_least(0, ibm1=self.ibm1, diagonal=self.diagonal, hmm=self.hmm)
        if self.ibm1 + self.diagonal + self.hmm < 1:
            raise UsageError("an aligner needs at least one iteration")
        if not (0 < self.empty < 1 and self.alpha > 0 and self.tension > 0):
            raise UsageError("empty lies between 0 and 1; alpha and tension are positive")
        check_symmetrisation(self.symmetrise)

    def align(self, pairs: Sequence[SentencePair], *, engine: AnyEngine = ALONE) -> Links:
        """The links of every sentence pair; the same on any number of threads."""
        self.check()
        workers = Engine.of(engine)
        source = Side.of([pair.source for pair in pairs])
        target = Side.of([pair.target for pair in pairs])
        workers.tell("links", 0)
        forward, backward = _native.align_both_ways(
            source.words,
            source.offsets,
            target.words,
            target.offsets,
            source.vocabulary,
            target.vocabulary,
            self.ibm1,
            self.diagonal,
            self.hmm,
            self.empty,
            self.tension,
            self.alpha,
            threads=workers.threads,
        )
        return symmetrised(forward, target.offsets, backward, source.offsets, self.symmetrise)


def aligned(
    pairs: Sequence[SentencePair],
    aligner: str = "native",
    how: str = SYMMETRISATIONS[0],
    *,
    engine: AnyEngine = ALONE,
) -> Links:
    """The links that an aligner, one of `ALIGNERS`, gives sentence pairs."""
    if aligner not in ALIGNERS:
        raise unknown_choice("aligner", aligner, ALIGNERS)
    if aligner == "eflomal":
        return eflomal_links(pairs, how)
    return Aligner(symmetrise=how).align(pairs, engine=engine)


def check_symmetrisation(name: str) -> None:
    """Raise an error unless this is one of `SYMMETRISATIONS`."""
    if name not in SYMMETRISATIONS:
        raise unknown_choice("symmetrisation", name, SYMMETRISATIONS)


def symmetrised(
    forward: NDArray[np.int32],
    target_offsets: NDArray[np.int64],
    backward: NDArray[np.int32],
    source_offsets: NDArray[np.int64],
    how: str,
) -> Links:
    """The links of sentence pairs, from the places that each direction gives every word.

    Parameters
    ----------
    forward, backward : the source place of every target word, and the target place of every source
        word; -1 is none.
    """
    check_symmetrisation(how)
    offsets, sources, targets = _native.symmetrise_links(
        forward, target_offsets, backward, source_offsets, how
    )
    links = list(zip(sources.tolist(), targets.tolist(), strict=True))
    bounds = offsets.tolist()
    return [links[i:j] for i, j in pairwise(bounds)]


def eflomal_links(pairs: Sequence[SentencePair], how: str = SYMMETRISATIONS[0]) -> Links:
    """The links that the program `eflomal-align` gives in both directions, made one."""
    check_symmetrisation(how)
    program = shutil.which("eflomal-align")
    if program is None:
        hint = "pip install eflomal; it is a program of its own, under the GPL"
        raise RunoffError("the program eflomal-align is not on the path", hint=hint)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = [folder / one for one in ("source", "target", "forward", "backward")]
        for file, side in zip(files, zip(*pairs, strict=True), strict=False):
            file.write_text("".join(f"{' '.join(words)}\n" for words in side), "utf-8")
        flags = [part for pair in zip("stfr", map(str, files), strict=True) for part in pair]
        command = [program, *(f"-{one}" if len(one) == 1 else one for one in flags), "--overwrite"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            said = (done.stderr.strip() or "no reason given").splitlines()[-1]
            raise RunoffError(f"eflomal-align failed: {said}")
        forward, backward = (_one_way(file, pairs) for file in files[2:])
    target, source = (
        np.cumsum([0, *(len(pair[side]) for pair in pairs)], dtype=np.int64) for side in (1, 0)
    )
    to_source = _places(forward, target, 1)
    to_target = _places(backward, source, 0)
    return symmetrised(to_source, target, to_target, source, how)


def _one_way(file: Path, pairs: Sequence[SentencePair]) -> Links:
    try:
        return [sorted(own.sure) for own in read_links(file, pairs)]
    except FormatError as error:
        raise RunoffError(f"eflomal-align wrote something else than links: {error}") from None


def _places(links: Links, offsets: NDArray[np.int64], side: int) -> NDArray[np.int32]:
    """The place on the other side of every word of a side, which has one link at most."""
    places = np.full(int(offsets[-1]), -1, np.int32)
    for first, own in zip(offsets.tolist(), links, strict=False):
        for link in own:
            places[first + link[side]] = link[1 - side]
    return places
