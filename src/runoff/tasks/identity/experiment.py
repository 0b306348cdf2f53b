"""Experiments in identity: train on some sections of a corpus, test on another.

Culotta & McCallum (2006), section 4: citations of four topics, and authors with a common name.
OBJECTS is the model of sets; PAIRS merges by the sum of what the model of pairs says of all pairs
that a merge joins. All methods learn from the same records with the same statements, and what each
of them has to choose is chosen by folds of the training clusters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

import msgspec
import numpy as np

from runoff.data.files import open_output, read_chunks
from runoff.data.records.records import Records, read_records
from runoff.errors import FormatError, UsageError, unknown_choice
from runoff.pipeline.options import option
from runoff.pipeline.steps import work_folder
from runoff.pipeline.work_folder import WorkFolder, files_key
from runoff.proposers.identity.learning import METHODS
from runoff.recipes.corpora import folder_of
from runoff.recipes.experiment import Outcome, Setting
from runoff.recipes.recipe import Recipe, plans_of
from runoff.tasks.identity.evaluate import scores
from runoff.tasks.identity.plan import Plan as TrainPlan
from runoff.tasks.identity.steps import Steps
from runoff.tasks.identity.tables import Figures, Score, tables
from runoff.tasks.identity.train import train

METRIC = "pair-f1"

Split = tuple[str, Records, list[Records]]
"""A test: what it is called, what is learned from, and the sections that are tested."""


@dataclass(frozen=True, kw_only=True)
class Plan(TrainPlan):
    """How identity is learned and tested: what `runoff train identity` has, and the tests."""

    section: str = option("section", "Column that says which section a record is in.")
    tests: tuple[str, ...] = option(
        (), "Sections that are tests, each of a model that learns from all others of its file."
    )
    parts: int = option(
        0, "Number of parts into which all sections fall, each the test of the others; 0 is none."
    )


class Experiment:
    """A recipe of the task `identity`. The figures of each test are a step whose result is kept."""

    def __init__(self, recipe: Recipe) -> None:
        if recipe.metric != METRIC:
            raise unknown_choice("metric of identity", recipe.metric, [METRIC])
        for key, given in {"wsj": recipe.wsj, "variants": recipe.variants}.items():
            if given:
                raise FormatError("recipes of identity have no such part", key=key)
        self.recipe = recipe
        self.plans, self.figures = plans_of(recipe, Plan, Figures)

    def run(self, setting: Setting) -> Outcome:
        """Train and test on every section that is a test, and compare with the paper."""
        if setting.wsj is not None:
            raise UsageError("recipes of identity take no --wsj")
        (plan,), (paper,) = self.plans.values(), self.figures.values()
        data = self.recipe.data
        work = WorkFolder(setting.work)
        found: dict[str, dict[str, dict[str, Score]]] = {}
        model = None
        for file in data.files("train", folder_of(data, setting.data)):
            records = read_records(file)
            records = records.take(range(min(len(records), data.items or len(records))))
            own = replace(plan, ignore=tuple(n for n in plan.ignore if n in records.fields))
            name = file.name.partition(".")[0]
            found[name] = {}
            splits = [*_splits(records, own), *self._other_files(records, file, setting)]
            for test, trained, tested in splits:
                made = work.step("identity", ".json.gz", files_key([file]), own, test)
                if not made.done:
                    setting.engine.tell(f"{name}: {test}", 0)
                    measured = _measure(trained, own, tested, setting)
                    with open_output(made.path) as stream:
                        stream.write(msgspec.json.encode(measured))
                    setting.engine.tell(f"{name}: {test}")
                text = b"".join(read_chunks(made.path))
                found[name][test] = msgspec.json.decode(text, type=dict[str, Score])
            whole = _train_plan(own)
            model = model or train(records, plan=whole, work=setting.work, engine=setting.engine)
        if model is None:
            raise FormatError("there are no files", key="data.train")
        return Outcome(model, tables(found, paper), [])

    def _other_files(self, records: Records, file: Path, setting: Setting) -> Iterator[Split]:
        """Files that are tests of what is learned from a whole file."""
        data = self.recipe.data
        folder = folder_of(data, setting.data)
        for part in ("dev", "test"):
            for other in data.files(part, folder):
                key = f"{other.name} {files_key([other])}"
                yield key, records, [read_records(other)]


def _splits(records: Records, plan: Plan) -> Iterator[Split]:
    """The tests: what each is called, what is learned from, and the sections that are tested."""
    if not plan.tests and not plan.parts:
        return
    labels = records.column(plan.section)
    sections = sorted(set(labels))
    members: dict[str, list[int]] = {name: [] for name in sections}
    for place, name in enumerate(labels):
        members[name].append(place)
    for test in plan.tests:
        if test in members:
            others = [i for name in sections if name != test for i in members[name]]
            yield test, records.take(others), [records.take(members[test])]
    for part in range(plan.parts):
        tested = sections[part :: plan.parts]
        others = [i for name in sections if name not in tested for i in members[name]]
        own = [records.take(members[name]) for name in tested]
        yield f"part {part + 1}, mean of {len(own)}", records.take(others), own


def _train_plan(plan: Plan) -> TrainPlan:
    names = {one.name for one in fields(TrainPlan)}
    return TrainPlan(**{key: value for key, value in vars(plan).items() if key in names})


def _measure(
    trained: Records, plan: Plan, tested: Sequence[Records], setting: Setting
) -> dict[str, Score]:
    """The figures of every system on a test, the mean over its sections."""
    found: dict[str, list[Score]] = {}
    with work_folder(None) as folder:
        steps = Steps(folder, _train_plan(plan), setting.engine)
        for method, model in zip(METHODS, steps.models(trained, METHODS), strict=True):
            for records in tested:
                labels = model.resolve(records).labels
                found.setdefault(method, []).append(_score(records.column(plan.cluster), labels))
    return {name: _mean(some) for name, some in found.items()}


def _score(gold: Sequence[str], labels: Sequence[int]) -> Score:
    found = scores(gold, labels)
    return Score(
        p=100 * found["precision"],
        r=100 * found["recall"],
        f1=100 * found["pair-f1"],
        b_cubed=100 * found["b-cubed"],
        clusters=int(found["clusters"]),
        gold=int(found["gold clusters"]),
    )


def _mean(some: Sequence[Score]) -> Score:
    if len(some) == 1:
        return some[0]
    means = {key: float(np.mean([getattr(one, key) for one in some])) for key in ("p", "r", "f1")}
    return Score(
        **means,
        b_cubed=float(np.mean([one.b_cubed for one in some])),
        clusters=sum(one.clusters or 0 for one in some),
        gold=sum(one.gold or 0 for one in some),
    )
