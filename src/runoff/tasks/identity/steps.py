"""The steps of training a model of identity, whose results are kept and resumed from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import msgspec
import numpy as np

import runoff
from runoff.data.files import open_output, read_chunks
from runoff.data.records.records import Records
from runoff.engine import Engine
from runoff.errors import FormatError
from runoff.fitting.run import Run
from runoff.pipeline.work_folder import StepResult, WorkFolder, hash_of
from runoff.proposers.identity.canopies import Canopies, choose_loose
from runoff.proposers.identity.compared import Compared
from runoff.proposers.identity.defaults import default_statements
from runoff.proposers.identity.distinct import Distinct, distinct
from runoff.proposers.identity.fields import Places
from runoff.proposers.identity.folds import Folds
from runoff.proposers.identity.learning import BUILT_IN, Choice, Learned, learn
from runoff.proposers.identity.program import Program, Table
from runoff.proposers.identity.statements import Statement, check_fields, read_statements
from runoff.store.arrays import take
from runoff.store.file import load, save
from runoff.tasks.identity.decisions import Groups, read_decisions
from runoff.tasks.identity.model import IdentityModel
from runoff.tasks.identity.plan import Plan

KIND = "identity step"
SHOWN = 12
"""Choices that the header of a model lists, the best ones."""


class Data(NamedTuple):
    """Training records, made ready: distinct ones, gold numbers, statements."""

    distinct: Distinct
    gold: Places
    statements: list[Statement]
    fields: list[str]
    canopies: Canopies
    key: str


@dataclass(frozen=True)
class Steps:
    """The steps of training, each of which gives its result, made now or earlier."""

    work: WorkFolder
    plan: Plan
    engine: Engine

    def models(self, records: Records, methods: Sequence[str]) -> Iterator[IdentityModel]:
        """Models that are learned from the same records by several methods."""
        data = self.data(records)
        compared = Compared.made(Program.of(data.statements), self.pairs(data))
        plan = self.plan
        blocks = data.distinct.blocks if plan.block else None
        folds = Folds(
            compared, data.gold, data.statements, plan.rule, plan.folds, plan.stop, blocks
        )
        for method in methods:
            choice, table = self.choice(data, folds, replace(plan, method=method))
            learned = self.weights(data, compared, choice)
            training = {**self.facts(data, compared), "choice": choice._asdict(), "choices": table}
            yield IdentityModel(
                data.statements,
                data.fields,
                learned.pairs,
                learned.sets,
                data.canopies,
                plan.rule._replace(gain=choice.gain, stop=choice.stop),
                plan.block,
                training,
            )

    def facts(self, data: Data, compared: Compared) -> dict[str, Any]:
        """What the header of a model says about its training records."""
        together = data.gold[compared.table.left] == data.gold[compared.table.right]
        true = sum(n * (n - 1) // 2 for n in np.bincount(data.gold).tolist())
        return {
            "runoff": runoff.__version__,
            "records": len(data.distinct.node),
            "distinct records": len(compared),
            "clusters": int(data.gold.max()) + 1,
            "pairs": len(compared.table.left),
            "recall of canopies": float(together.sum() / true) if true else 1.0,
        }

    def data(self, records: Records) -> Data:
        """The records that have a cluster, and the statements about them."""
        labels = self.labels(records)
        kept = records.take([i for i, one in enumerate(labels) if one is not None])
        gold = [one for one in labels if one is not None]
        if len(set(gold)) < 2 or len(set(gold)) == len(gold):
            raise FormatError(
                f"the column {self.plan.cluster!r} needs two clusters or more, and one of several "
                "records",
                path=records.source,
            )
        outside = {self.plan.cluster, self.plan.block, *self.plan.ignore}
        for name in self.plan.ignore:
            records.column(name)
        fields = [name for name in records.fields if name not in outside]
        statements = self.statements(kept, fields)
        used = {name for one in statements for name in one.fields}
        fields = [name for name in fields if name in used]
        found = distinct(kept, fields, self.plan.block)
        numbers: dict[Any, int] = {}
        nodes = np.zeros(len(found.copies), dtype=np.uint32)
        first = np.unique(found.node, return_index=True)[1]
        for node, place in enumerate(first.tolist()):
            nodes[node] = numbers.setdefault(gold[place], len(numbers))
        canopies = Canopies(self.plan.loose or 0.0, self.plan.tight, self.plan.frequent)
        if self.plan.loose is None:
            canopies = canopies._replace(loose=choose_loose(found.columns, nodes, found.blocks))
        columns = [(n, one.values, one.codes.tolist()) for n, one in found.columns.columns.items()]
        what = [columns, nodes.tolist(), found.blocks.tolist(), found.copies.tolist()]
        key = hash_of([repr(one) for one in (*what, canopies, statements)])
        return Data(found, nodes, statements, fields, canopies, key)

    def labels(self, records: Records) -> list[Any]:
        """The cluster of each record, by the column and by decisions; None of those without."""
        labels = list(records.column(self.plan.cluster))
        if self.plan.decisions is None:
            return labels
        places = {one: place for place, one in enumerate(records.ids)}
        groups, named = Groups(len(labels)), set[int]()
        first: dict[Any, int] = {}
        for place, label in enumerate(labels):
            if label is not None:
                groups.join(place, first.setdefault(label, place))
                named.add(place)
        answers = [
            (places[one.first], places[one.second], one)
            for one in read_decisions(self.plan.decisions)
            if one.first in places and one.second in places
        ]
        for a, b, one in answers:
            named |= {a, b}
            if one.same:
                groups.join(a, b)
        for a, b, one in answers:
            if not one.same and groups.find(a) == groups.find(b):
                raise FormatError(
                    f"{one.first!r} and {one.second!r} are not one thing by an answer, and one "
                    "thing by other answers or by their cluster",
                    path=self.plan.decisions,
                )
        return [str(groups.find(i)) if i in named else None for i in range(len(labels))]

    def statements(self, records: Records, fields: Sequence[str]) -> list[Statement]:
        """The user's statements or the default ones, and those that are built in."""
        if self.plan.statements is None:
            found = default_statements(records, fields)
        else:
            found = read_statements(self.plan.statements, fields)
            check_fields(found, fields)
        return [*(one for one in found if one not in BUILT_IN), *BUILT_IN]

    def pairs(self, data: Data) -> Table:
        """The candidate pairs with their values."""
        made = self.work.step("values", ".runoff", data.key)
        if not made.done:
            self.engine.tell("pairs", 0)
            table = Compared.of(data.distinct, Program.of(data.statements), data.canopies).table
            save(made.path, KIND, {}, table._asdict())
            self.engine.tell("pairs")
        arrays = load(made.path, kind=KIND, map=False).arrays
        return Table(**{name: np.array(arrays[name]) for name in Table._fields})

    def choice(self, data: Data, folds: Folds, plan: Plan) -> tuple[Choice, list[dict[str, Any]]]:
        """What folds choose; the middle choice where there are too few clusters for folds."""
        choices, n = plan.choices, len(plan.choices) * len(plan.stop)
        if n == 1 or not folds.enough:
            return plan.middle, []
        what = (choices, plan.stop, folds.n, plan.rule)
        made = self.work.step("choice", ".json.gz", data.key, *what)
        if not made.done:
            tried = folds.choose(choices, Run.on(self.engine))
            rows = [{**one.choice._asdict(), "quality": one.quality} for one in tried[:SHOWN]]
            with open_output(made.path) as stream:
                stream.write(msgspec.json.encode(rows))
        rows = msgspec.json.decode(b"".join(read_chunks(made.path)))
        return Choice(*(rows[0][name] for name in Choice._fields)), rows

    def weights(self, data: Data, compared: Compared, choice: Choice) -> Learned:
        """The weights of both models."""
        made: StepResult = self.work.step("weights", ".runoff", data.key, choice)
        if not made.done:
            run = Run.on(self.engine)
            learned = learn(compared, data.gold, data.statements, choice, run)
            save(made.path, KIND, {}, learned._asdict())
        arrays = load(made.path, kind=KIND, map=False).arrays
        size = (len(data.statements) + 2,)
        return Learned(*(take(arrays, name, np.float64, size) for name in Learned._fields))
