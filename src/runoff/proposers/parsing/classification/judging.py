"""How good the classifiers of each lambda are for development trees, which choose one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import blake2b
from pathlib import Path

from runoff.data.tree import Tree
from runoff.engine import Engine
from runoff.fitting.record import record_columns, record_rows
from runoff.fitting.run import Checkpoint
from runoff.learners.decision_trees.ensemble import Ensemble

Judge = Callable[[list[Ensemble | None], float], float]
"""Development quality of the classifiers of all labels, None for those of no tree, at a lambda."""

MOST_WORDS = 12_000
"""Words of the trees that choose lambda: each is parsed with the classifiers of every lambda."""


def judging_trees(trees: Sequence[Tree], words: int = MOST_WORDS) -> Sequence[Tree]:
    """Trees from all over some; all of them where they have not many more words than asked for."""
    return trees[:: max(1, round(sum(len(one.words) for one in trees) / words))]


def kept_judge(
    quality: Callable[[list[Ensemble | None]], float],
    folder: Path,
    what: str,
    trees: Sequence[Tree],
    engine: Engine,
) -> Judge:
    """A judge whose verdicts are kept in a folder, so that a training that resumes has them.

    Parameters
    ----------
    quality : that of the trees when parsed with such classifiers, in per cent.
    what : the options that verdicts depend on, besides the trees.
    """
    seen = blake2b("\n".join(map(str, trees)).encode()).hexdigest()
    kept = Checkpoint(folder / "judged.checkpoint", f"{what}, {seen}")
    known = {row["lambda"]: row["quality"] for row in record_rows(kept.load())}

    def judge(found: list[Ensemble | None], lambda_: float) -> float:
        if lambda_ not in known:
            known[lambda_] = quality(found)
            rows = [{"lambda": one, "quality": known[one]} for one in known]
            kept.offer(lambda: record_columns(rows))
            kept.flush()
        engine.tell(f"lambda {lambda_:.3g}: F1 {known[lambda_]:.2f}")
        return known[lambda_]

    return judge
