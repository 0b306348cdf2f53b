"""Learning which records are one thing, from records whose clusters are known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from os import PathLike
from typing import Any, NamedTuple

import msgspec
import numpy as np

import runoff
from runoff.data.files import FilePath, open_output, read_chunks
from runoff.data.records.records import Records, as_records
from runoff.engine import ALONE, AnyEngine, Engine
from runoff.errors import FormatError, UsageError, unknown_choice
from runoff.fitting.run import Run
from runoff.metrics.clusters import b_cubed, pair_counts
from runoff.pipeline.options import check_ranges, option
from runoff.pipeline.steps import work_folder
from runoff.pipeline.work_folder import StepResult, WorkFolder, hash_of
from runoff.proposers.identity.canopies import Canopies, choose_loose
from runoff.proposers.identity.columns import Columns, Places
from runoff.proposers.identity.compared import Compared, MergeRule
from runoff.proposers.identity.defaults import default_statements
from runoff.proposers.identity.distinct import Distinct, distinct
from runoff.proposers.identity.learning import (
    BUILT_IN,
    Choice,
    Learned,
    choose,
    clusters_of,
    folds_of,
    learn,
)
from runoff.proposers.identity.program import Program, Table
from runoff.proposers.identity.statements import Statement, check_fields, read_statements
from runoff.store.arrays import take
from runoff.store.file import load, save
from runoff.tasks.identity.decisions import Groups, read_decisions
from runoff.tasks.identity.model import GAINS, IdentityModel

KIND = "identity step"
SAMPLINGS = ("weak", "guided")


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How a model of identity is trained."""

    cluster: str = option(
        "cluster", "Column that says which thing a record is; records without are left out."
    )
    block: str | None = option(
        None,
        "Column that records of one thing always share; only records of one block are compared.",
        metavar="COLUMN",
    )
    id: str | None = option(
        None, "Column that has the ids of the records; by default, id.", metavar="COLUMN"
    )
    ignore: Sequence[str] = option((), "Column that is not compared; may be repeated.")
    statements: str | None = option(
        None,
        "File of statements about sets; by default, they are made from the fields.",
        metavar="FILE",
    )
    decisions: str | None = option(
        None,
        "File of answers, as `runoff resolve --review` writes it: yes joins two records, no keeps "
        "them apart.",
        metavar="FILE",
    )
    gain: Sequence[str] = option(
        ("union",),
        "Gain of a merge: union, the log-odds that the union is one thing, or difference, those "
        "of its parts subtracted. Given twice, folds choose.",
    )
    sampling: Sequence[str] = option(
        ("weak",),
        "How training sets are sampled: weak, by an agglomeration that makes wrong merges too, or "
        "guided, by one that leaves them. Given twice, folds choose.",
    )
    pair_prior: Sequence[float] = option(
        (0.01, 0.1),
        "Variance of the Gaussian prior on the weights of pairs; folds choose among several.",
        min=1e-9,
    )
    prior: Sequence[float] = option(
        (0.003, 0.03, 0.3),
        "Variance of the Gaussian prior on the weights of sets; folds choose among several.",
        min=1e-9,
    )
    folds: int = option(3, "Number of folds of the training clusters.", min=2)
    loose: float | None = option(
        None,
        "Similarity to the centre of a canopy that brings a record into it; by default, such that "
        "nearly all pairs of the training clusters are compared; 0 compares all pairs.",
        min=0,
        max=1,
    )
    tight: float = option(
        0.8, "Similarity from which on a record is the centre of no further canopy.", min=0
    )
    frequent: int = option(
        1000, "Words in more records than this bring no records together.", min=1
    )
    concentration: float = option(
        0.0,
        "Concentration of the Chinese restaurant process that is the prior on the number and sizes "
        "of clusters; 0 is none.",
        min=0,
    )
    look_ahead: float = option(
        0.0,
        "Log-odds that the first of two merges may lose if the second wins them back; 0 looks at "
        "one merge at a time.",
        min=0,
    )
    moves: int = option(
        0, "Number of passes that move single records after merging, or split them off.", min=0
    )
    attribution: str | None = option(
        None, "Whose data this is; it goes into the header of the model.", metavar="TEXT"
    )

    def __post_init__(self) -> None:
        """Check the plan now, not after minutes."""
        check_ranges(self)
        for what, given, known in (
            ("gain", self.gain, GAINS),
            ("sampling", self.sampling, SAMPLINGS),
        ):
            for one in given:
                if one not in known:
                    raise unknown_choice(what, one, known)
        if not (self.gain and self.sampling and self.prior and self.pair_prior):
            raise UsageError("gain, sampling and priors need one value each, at least")

    @property
    def choices(self) -> list[Choice]:
        """What folds choose among; the middle one is taken where there are no folds."""
        grid = product(self.pair_prior, self.prior, self.sampling, self.gain)
        return [Choice(*one) for one in grid]

    @property
    def rule(self) -> MergeRule:
        """The merge rule, but for the gain if folds choose it."""
        return MergeRule(self.gain[0], 0.0, self.concentration, self.look_ahead, self.moves)


def train(
    train: Any,
    dev: Any = None,
    *,
    plan: Plan | None = None,
    work: FilePath | None = None,
    engine: AnyEngine = ALONE,
) -> IdentityModel:
    """A model that puts records that are one thing into one cluster.

    Parameters
    ----------
    train, dev : records with a column of clusters: a file, several files, dictionaries, a data
        frame; `dev` tells how well the model does.
    work : folder in which the results of the steps are kept, so that training that was killed
        resumes from there.

    Examples
    --------
    >>> names = ["Ada Byron", "A. Byron", "Grace Hopper", "G. Hopper", "Alan Turing", "A. Turing"]
    >>> rows = [{"id": i, "name": n, "cluster": i // 2} for i, n in enumerate(names)]
    >>> model = train(rows, plan=Plan(folds=2))
    >>> list(model.resolve([{"name": "Ada Byron"}, {"name": "Byron, Ada"}, {"name": "G. Hopper"}]))
    [['1', '2'], ['3']]
    """
    plan, workers = plan or Plan(), Engine.of(engine)
    records = joined(train, plan.id)
    with work_folder(work) as folder:
        model = _Steps(folder, plan, workers).model(records)
    if plan.attribution is not None:
        model.training["attribution"] = plan.attribution
    if dev is not None:
        model.training["dev"] = judged(model, joined(dev, plan.id), plan.cluster)
    return model


def joined(given: Any, id_column: str | None) -> Records:
    """The records of a file, of several files, or those that are given themselves."""
    if not isinstance(given, Iterable) or isinstance(given, str | PathLike | Records):
        return as_records(given, id_column)
    parts = list(given) if isinstance(given, list | tuple) else [given]
    if not parts or not isinstance(parts[0], str | PathLike):
        return as_records(given, id_column)
    tables = [as_records(str(part), id_column) for part in parts]
    if len(tables) == 1:
        return tables[0]
    fields = list(dict.fromkeys(name for one in tables for name in one.fields))
    columns = {
        name: [v for t in tables for v in t.columns.get(name, [None] * len(t))] for name in fields
    }
    ids = [one for table in tables for one in table.ids]
    return Records(ids, fields, columns, ", ".join(map(str, parts)))


def judged(model: IdentityModel, records: Records, cluster: str) -> dict[str, float]:
    """How well records with a column of clusters are resolved."""
    labels = records.column(cluster)
    kept = records.take([i for i, one in enumerate(labels) if one is not None])
    found = model.resolve(kept)
    return scores([one for one in labels if one is not None], found.labels)


def scores(gold: Sequence[Any], found: Sequence[Any]) -> dict[str, float]:
    """Precision, recall and F1 of pairs, B-cubed F1, and numbers of clusters."""
    known, ours = (clusters_of(np.unique(one, return_inverse=True)[1]) for one in (gold, found))
    pairs, b = pair_counts(known, ours), b_cubed(known, ours)
    precision = pairs.correct / pairs.found if pairs.found else 1.0
    recall = pairs.correct / pairs.gold if pairs.gold else 1.0
    both = pairs.gold + pairs.found
    return {
        "records": len(gold),
        "clusters": len(ours),
        "gold clusters": len(known),
        "precision": precision,
        "recall": recall,
        "pair-f1": 2 * pairs.correct / both if both else 1.0,
        "b-cubed": b.f1,
    }


class _Data(NamedTuple):
    """Training records, made ready: distinct ones, gold numbers, statements."""

    distinct: Distinct
    gold: Places
    statements: list[Statement]
    fields: list[str]
    canopies: Canopies
    key: str


@dataclass(frozen=True)
class _Steps:
    """The steps of training, each of which gives its result, made now or earlier."""

    work: WorkFolder
    plan: Plan
    engine: Engine

    def model(self, records: Records) -> IdentityModel:
        data = self.data(records)
        compared = Compared.made(Program.of(data.statements), self.pairs(data))
        choice, table = self.choice(data, compared)
        learned = self.weights(data, compared, choice)
        together = data.gold[compared.table.left] == data.gold[compared.table.right]
        true = sum(n * (n - 1) // 2 for n in np.bincount(data.gold).tolist())
        training = {
            "runoff": runoff.__version__,
            "records": len(data.distinct.node),
            "distinct records": len(compared),
            "clusters": int(data.gold.max()) + 1,
            "pairs": len(compared.table.left),
            "recall of canopies": float(together.sum() / true) if true else 1.0,
            "choice": choice._asdict(),
            "choices": table,
        }
        rule = self.plan.rule._replace(gain=choice.gain)
        return IdentityModel(
            data.statements,
            data.fields,
            learned.pairs,
            learned.sets,
            data.canopies,
            rule,
            self.plan.block,
            training,
        )

    def data(self, records: Records) -> _Data:
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
            columns = Columns(found.records)
            canopies = canopies._replace(loose=choose_loose(columns, nodes, found.blocks))
        what = [found.records.columns, nodes.tolist(), found.blocks.tolist(), found.copies.tolist()]
        key = hash_of([repr(one) for one in (*what, canopies, statements)])
        return _Data(found, nodes, statements, fields, canopies, key)

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
        for one in read_decisions(self.plan.decisions):
            if one.first in places and one.second in places:
                a, b = places[one.first], places[one.second]
                named |= {a, b}
                if one.same:
                    groups.join(a, b)
        return [str(groups.find(i)) if i in named else None for i in range(len(labels))]

    def statements(self, records: Records, fields: Sequence[str]) -> list[Statement]:
        """The user's statements or the default ones, and those that are built in."""
        if self.plan.statements is None:
            found = default_statements(records, fields)
        else:
            found = read_statements(self.plan.statements, fields)
            check_fields(found, fields)
        return [*(one for one in found if one not in BUILT_IN), *BUILT_IN]

    def pairs(self, data: _Data) -> Table:
        """The candidate pairs with their values."""
        made = self.work.step("pairs", ".runoff", data.key)
        if not made.done:
            self.engine.tell("pairs", 0)
            table = Compared.of(data.distinct, Program.of(data.statements), data.canopies).table
            save(made.path, KIND, {}, table._asdict())
            self.engine.tell("pairs")
        arrays = load(made.path, kind=KIND, map=False).arrays
        return Table(**{name: np.array(arrays[name]) for name in Table._fields})

    def choice(self, data: _Data, compared: Compared) -> tuple[Choice, list[dict[str, Any]]]:
        """What folds choose."""
        choices, folds = self.plan.choices, self.plan.folds
        middle = choices[len(choices) // 2]
        if len(choices) == 1 or len(set(data.gold.tolist())) < 2 * folds:
            return middle, []
        made = self.work.step("choice", ".json.gz", data.key, choices, folds, self.plan.rule)
        if not made.done:
            own = folds_of(data.gold, data.distinct.copies, folds)
            run = Run.on(self.engine)
            tried = choose(compared, data.gold, own, data.statements, choices, self.plan.rule, run)
            rows = [{**one._asdict(), "quality": tried[one]} for one in choices]
            with open_output(made.path) as stream:
                stream.write(msgspec.json.encode(rows))
        rows = msgspec.json.decode(b"".join(read_chunks(made.path)))
        best = max(rows, key=lambda row: row["quality"])
        return Choice(*(best[name] for name in Choice._fields)), rows

    def weights(self, data: _Data, compared: Compared, choice: Choice) -> Learned:
        """The weights of both models."""
        made: StepResult = self.work.step("weights", ".runoff", data.key, choice)
        if not made.done:
            run = Run.on(self.engine)
            learned = learn(compared, data.gold, data.statements, choice, run)
            save(made.path, KIND, {}, learned._asdict())
        arrays = load(made.path, kind=KIND, map=False).arrays
        size = (len(data.statements) + 2,)
        return Learned(*(take(arrays, name, np.float64, size) for name in Learned._fields))
