"""Learning which records are one thing, from records whose clusters are known."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from typing import Any

from runoff.data.files import FilePath
from runoff.data.records.records import Records, as_records
from runoff.engine import ALONE, AnyEngine, Engine
from runoff.pipeline.steps import work_folder
from runoff.tasks.identity.evaluate import judged
from runoff.tasks.identity.model import IdentityModel
from runoff.tasks.identity.plan import Plan as Plan
from runoff.tasks.identity.steps import Steps


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
        model = next(Steps(folder, plan, workers).models(records, [plan.method]))
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
