"""Cross-validation folds as jobs: honest, in order, resumed where they were."""

from functools import partial

import pytest

from runoff.data.formats import read_nbest, write_nbest
from runoff.data.nbest import Candidate, NBest
from runoff.engine import Engine
from runoff.errors import UsageError
from runoff.pipeline.folds import Fold, check_folds, folds_of, jackknife, with_gold
from runoff.pipeline.work_folder import WorkFolder

SIZE = 10


def write_fold(log, fold):
    """Lists whose candidate names the examples outside the fold; each call leaves a mark."""
    (log / f"{fold.number}").touch(exist_ok=False)
    outside = " ".join(str(n) for n in range(SIZE) if n not in fold.inside)
    lists = (NBest(None, str(n), [Candidate(outside, 0.0)]) for n in fold.inside)
    gold = (str(n) for n in fold.inside)
    write_nbest(with_gold(lists, gold, fold.inside.start + 1), fold.lists.path)


@pytest.fixture
def folds(tmp_path):
    work = WorkFolder(tmp_path / "work")
    parts = enumerate(folds_of(SIZE, 4), 1)
    made = [Fold(n, inside, work.step(f"fold-{n}", ".jsonl.gz", inside)) for n, inside in parts]
    (tmp_path / "log").mkdir()
    return made, work.step("joined", ".jsonl.gz"), tmp_path / "log"


@pytest.mark.parametrize("workers", [1, 2])
def test_lists_come_in_order_from_systems_that_have_not_seen_them(folds, workers):
    made, joined, log = folds
    steps = []
    engine = Engine(workers, progress=steps.append)
    jackknife(partial(write_fold, log), made, joined, engine=engine, what="numbers")
    found = list(read_nbest(joined.path))
    assert [nbest.id for nbest in found] == list(range(1, SIZE + 1))
    assert [nbest.gold for nbest in found] == [str(n) for n in range(SIZE)]
    for nbest in found:
        assert nbest.input not in nbest.candidates[0].output.split()
    assert [(step.stage, step.done, step.total) for step in steps] == [
        ("lists of numbers, by fold", n, 4) for n in (1, 2, 3, 4)
    ]
    assert not any(fold.lists.done for fold in made)


def test_folds_that_are_there_are_not_made_again(folds):
    made, joined, log = folds
    write_fold(log, made[1])
    jackknife(partial(write_fold, log), made, joined, engine=Engine(), what="numbers")
    assert len(list(read_nbest(joined.path))) == SIZE
    jackknife(partial(write_fold, log), made, joined, engine=Engine(), what="numbers")


def test_every_example_is_in_one_fold():
    for size, folds in ((5, 2), (10, 10), (7, 3)):
        parts = folds_of(size, folds)
        assert [n for part in parts for n in part] == list(range(size))
        assert max(map(len, parts)) - min(map(len, parts)) <= 1
    with pytest.raises(UsageError, match="folds must lie between 2 and the 3 trees, not 4"):
        check_folds(4, 3, "trees")
