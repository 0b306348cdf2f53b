"""The models that a server was started with; no request ever names or opens a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from runoff.errors import UsageError
from runoff.features.extract import AnyExtractors
from runoff.models import model_file
from runoff.store.file import load as load_file
from runoff.tasks.load import load, ranker_of
from runoff.tasks.ranking.reranker import Reranker


@dataclass
class Models:
    """Models by the kind of their files, and the name that each was given by.

    Of several models with a ranker, the first one ranks the lists.
    """

    by_kind: dict[str, Any] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)

    @classmethod
    def load(cls, files: Sequence[str], features: AnyExtractors = ()) -> Models:
        """The models of these files, or names of models that come with Runoff."""
        models = cls()
        for file in files:
            kind = load_file(model_file(file)).kind
            if kind in models.by_kind:
                raise UsageError(f"{file} is the second {kind!r} model; a server has one of a kind")
            models.by_kind[kind] = load(file, features=features)
            models.names[kind] = file
        return models

    @property
    def ranker(self) -> Reranker | None:
        """The ranker that puts lists into order, if a model has one."""
        return next((found for _, found in self._rankers()), None)

    @property
    def ranker_name(self) -> str | None:
        """The name of the file that the ranker is in."""
        return next((self.names[kind] for kind, _ in self._rankers()), None)

    def _rankers(self) -> list[tuple[str, Reranker]]:
        pairs = [(kind, ranker_of(model)) for kind, model in self.by_kind.items()]
        return [(kind, found) for kind, found in pairs if found is not None]

    @property
    def scorer(self) -> Any:
        """Without a ranker: a model whose own scores are sums of terms, if there is one."""
        found = self.by_kind.get("translator")
        return None if self.ranker is not None else found

    def tagger(self) -> Any:
        """The tagger, or that of the parser."""
        parser = self.by_kind.get("parser")
        return self.by_kind.get("tagger") or (parser.tagger if parser else None)

    def shown(self) -> list[dict[str, str]]:
        """Kind and file name of each model, without the folder."""
        return [{"kind": kind, "file": Path(name).name} for kind, name in self.names.items()]
