"""Identity: which records are one thing, by weighted statements about sets of them.

Culotta & McCallum (2006): the log-odds that a set of records is one thing are a sum of weights,
each times the value of a statement about the set.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

import msgspec
import numpy as np

from runoff.data.records.records import Records, as_records
from runoff.engine import ALONE, AnyEngine, Engine
from runoff.errors import FormatError, ModelError, RunoffError, UsageError
from runoff.proposers.identity.canopies import Canopies
from runoff.proposers.identity.compared import Compared, MergeRule, Weights
from runoff.proposers.identity.distinct import distinct
from runoff.proposers.identity.learning import BUILT_IN, anchor
from runoff.proposers.identity.program import Program
from runoff.proposers.identity.statements import Statement, check_fields, statement_of
from runoff.store.arrays import take
from runoff.store.file import Arrays
from runoff.store.model import SavedModel
from runoff.tasks.identity.decisions import Decision, constraints
from runoff.tasks.identity.resolution import Resolution

STEEPNESS = 20.0
"""Log-odds by which one unit of similarity counts in the model that is not trained."""


@dataclass
class IdentityModel(SavedModel):
    """Statements about sets of records with their weights, and how records are compared.

    Parameters
    ----------
    statements : the user's or the default ones, and those that are built in.
    fields : those that are compared.
    pair_weights, weights : of the model of pairs and of that of sets: one per statement, then two
        more (see `Program`).
    block : field that records of one thing share, if there is one.
    training : on what it was trained and how well it did; becomes the header of its file.
    """

    kind = "identity"

    statements: list[Statement]
    fields: list[str]
    pair_weights: Weights
    weights: Weights
    canopies: Canopies = field(default_factory=Canopies)
    rule: MergeRule = field(default_factory=MergeRule)
    block: str | None = None
    training: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def untrained(
        cls, fields: Sequence[str], *, block: str | None = None, threshold: float = 0.8
    ) -> IdentityModel:
        """A model that was not trained: one threshold on the similarity of whole records."""
        statements = [statement_of({"mean": "token_sort(*)"}), *BUILT_IN]
        pair_weights = np.zeros(len(statements) + 2)
        pair_weights[0], pair_weights[-1] = STEEPNESS, -STEEPNESS * threshold
        canopies, weights = Canopies(loose=threshold / 2), anchor(statements)
        training = {"untrained": True}
        return cls(
            statements,
            list(fields),
            pair_weights,
            weights,
            canopies,
            block=block,
            training=training,
        )

    def stored(self) -> tuple[dict[str, Any], Arrays]:
        """Header and arrays, for a model file."""
        header = {
            "statements": [one.as_toml() for one in self.statements],
            "fields": self.fields,
            "block": self.block,
            "canopies": self.canopies._asdict(),
            "rule": self.rule._asdict(),
            **self.training,
        }
        return header, {"pair_weights": self.pair_weights, "weights": self.weights}

    @classmethod
    def restored(cls, header: dict[str, Any], arrays: Arrays) -> IdentityModel:
        """The model of a header and arrays."""
        found = msgspec.convert(header, _Header)
        try:
            statements = [statement_of(one) for one in found.statements]
            check_fields(statements, found.fields)
        except (FormatError, UsageError) as error:
            raise ModelError(f"a statement of the header is not one: {error.message}") from None
        size = (len(statements) + 2,)
        training = {key: header[key] for key in header if key not in _Header.__struct_fields__}
        return cls(
            statements,
            found.fields,
            np.array(take(arrays, "pair_weights", np.float64, size)),
            np.array(take(arrays, "weights", np.float64, size)),
            Canopies(**msgspec.structs.asdict(found.canopies)),
            MergeRule(**msgspec.structs.asdict(found.rule)),
            found.block,
            training,
        )

    def with_rule(self, **changes: Any) -> IdentityModel:
        """The model with another merge rule; see `MergeRule`."""
        return replace(self, rule=self.rule._replace(**changes))

    def resolve(
        self,
        records: Any,
        *,
        decisions: Sequence[Decision] = (),
        id_column: str | None = None,
        engine: AnyEngine = ALONE,
    ) -> Resolution:
        """The clusters of records, with reasons.

        Parameters
        ----------
        records : dictionaries, a data frame, or a file.
        decisions : pairs of records that are, or are not, one thing.
        id_column : column that has the ids; by default `id`.
        engine : reports progress: records, candidate pairs, merges.
        """
        given, workers = as_records(records, id_column), Engine.of(engine)
        self.check(given)
        found = distinct(given, self.fields, self.block)
        comparing = f"comparing {len(found.copies):,} different records"
        workers.tell(comparing, 0)
        program = Program.of(self.statements)
        compared = Compared.of(found, program, self.canopies, self.pair_weights)
        workers.tell(comparing)
        node = found.node
        del found  # what was compared takes more memory than what came of it
        known = constraints(decisions, given.ids, node, len(compared)) if decisions else None
        merging = f"merging by {len(compared.table.left):,} candidate pairs"
        workers.tell(merging, 0)
        made, merges = compared.resolve(self.weights, self.rule, known)
        workers.tell(merging)
        return Resolution(self, given, node, compared, made, merges, known)

    def check(self, records: Records) -> None:
        """Raise an error for records without a field that the model compares."""
        for name in [*self.fields, *([self.block] if self.block else [])]:
            try:
                records.column(name)
            except RunoffError as error:
                raise FormatError(
                    f"the model compares the field {name!r}, which these records do not have",
                    path=records.source,
                    hint=error.message,
                ) from None


Share = Annotated[float, msgspec.Meta(ge=0, le=2)]
Natural = Annotated[int, msgspec.Meta(ge=0, lt=1 << 32)]


class _Canopies(msgspec.Struct):
    loose: Share
    tight: Share
    frequent: Natural


class _Rule(msgspec.Struct):
    gain: str
    stop: float
    concentration: Annotated[float, msgspec.Meta(ge=0)]
    look_ahead: Annotated[float, msgspec.Meta(ge=0)]
    moves: Natural


class _Header(msgspec.Struct):
    statements: list[dict[str, Any]]
    fields: list[str]
    block: str | None
    canopies: _Canopies
    rule: _Rule
