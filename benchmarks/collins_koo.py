"""Tables 2, 3 and 4 of Collins & Koo 2005 on made-up lists of the same shape.

    python benchmarks/collins_koo.py [--size full] [--rounds 100000] [--seed 2] [--threads 2]

The paper's eight values of epsilon, with pairs weighted by their difference in quality and with all
pairs alike. Curves of both go to results/collins_koo.svg, as in Figures 5 to 9.
"""

import argparse
import subprocess
from pathlib import Path

from problems import SIZES, problem_files
from rich.console import Console
from rich.markdown import Markdown

from runoff.features.problem import RankingProblem
from runoff.learners.boosting import ExpLoss
from runoff.learners.run import Run
from runoff.tasks.plot import plot_records

RESULTS = Path(__file__).parent / "results"
GRID = (0.0001, 0.00025, 0.0005, 0.00075, 0.001, 0.0025, 0.005, 0.0075)
PAPER = {
    0.0001: (29_471, 101.743, 101.744),
    0.00025: (22_468, 101.849, 101.754),
    0.0005: (48_795, 101.845, 101.778),
    0.00075: (43_386, 101.809, 101.762),
    0.001: (43_975, 101.849, 101.778),
    0.0025: (90_386, 101.864, 101.699),
    0.005: (66_378, 101.824, 101.610),
    0.0075: (80_746, 101.722, 101.604),
}
PAPER_SAVINGS = (2692.7, 48.6, 83.5, 280.0, 1263.9, 2920.2, 4229.8)


def best_rows(ranker):
    return {row["smoothing"]: row for row in ranker.record_["smoothing"]}


def tables(weighted, unweighted, test):
    """Markdown: peaks by epsilon, savings, and the test lists."""
    ours, alike = best_rows(weighted), best_rows(unweighted)
    yield "| ε | best N | best score: weighted | unweighted | paper: N | weighted | unweighted |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    for epsilon in GRID:
        n, first, second = PAPER[epsilon]
        row = ours[epsilon]
        yield (
            f"| {epsilon:g} | {row['best round']:,.0f} | {row['relative']:.3f} "
            f"| {alike[epsilon]['relative']:.3f} | {n:,} | {first:.3f} | {second:.3f} |"
        )
    yield ""
    yield "| rounds | Savings | paper |"
    yield "|---|---:|---:|"
    for row, paper in zip(weighted.record_["savings"], PAPER_SAVINGS, strict=False):
        yield f"| {row['from']:,.0f} to {row['to']:,.0f} | {row['savings']:,.1f} | {paper:,.1f} |"
    yield ""
    base = test.picked_quality(test.logprobs)
    oracle = test.picked_quality(test.qualities)
    yield f"On the test lists (base 100, oracle {100 * oracle / base:.2f}), once:"
    for name, ranker in (("weighted", weighted), ("unweighted", unweighted)):
        score = 100 * test.picked_quality(ranker.scores(test)) / base
        used = len(ranker.features_used())
        yield f"{name} pairs {score:.2f} with {used:,} features{';' if name == 'weighted' else '.'}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--size", choices=SIZES, default="full")
    parser.add_argument("--rounds", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    files = problem_files(options.size, options.seed)
    train, dev, test = (RankingProblem.load(file)[0] for file in files)
    run = Run(threads=options.threads)
    rankers = [
        ExpLoss(rounds=options.rounds, smoothing=GRID, weighted=weighted).fit(train, dev, run=run)
        for weighted in (True, False)
    ]
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"], capture_output=True, check=False, text=True
    ).stdout.strip()
    command = f"python benchmarks/collins_koo.py --size {options.size} --rounds {options.rounds}"
    head = ["# Tables 2 to 4 of Collins & Koo 2005", "", f"`{command}`, commit {commit}.", ""]
    text = "\n".join([*head, *tables(*rankers, test)]) + "\n"
    Console().print(Markdown(text))
    (RESULTS / "collins_koo.md").write_text(text)
    labels = ("weighted", "unweighted")
    records = {label: ranker.record_ for label, ranker in zip(labels, rankers, strict=True)}
    plot_records(records, RESULTS / "collins_koo.svg")


if __name__ == "__main__":
    main()
