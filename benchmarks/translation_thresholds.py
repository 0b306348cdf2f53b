"""The searches of Tillmann (2006) by the threshold of coverage: BLEU, CPU time, work.

    python benchmarks/translation_thresholds.py MODEL [--data DIR] [--sentences 40]

DIR (RUNOFF_DATA, or ../shared/data) has `multi30k`. MODEL is a translator from English to German,
as `runoff train translation --tokenized --cased --features tillmann --order 3` makes it of train,
tuned on val; the recipe `tillmann-2006` writes the same one with `-o`. The text is the first lines
of the development text, on which weights were tuned. Searches take turns in one process on one
thread; CPU seconds are those of the faster of two times. The recipe has this table of a whole test.
"""

import argparse
import time
from dataclasses import replace
from pathlib import Path

from measuring import machine, table

from runoff.data.bitext import read_line_pairs
from runoff.metrics.bleu import Bleu
from runoff.recipes.corpora import data_folder
from runoff.tasks.translation.model import TranslationModel
from runoff.tasks.translation.tables import BEAMS, TABLE_5

RESULTS = Path(__file__).parent / "results" / "translation_thresholds.md"
THRESHOLDS = (0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1.0)
TIMES = 2


def rows_of(model, text, threshold):
    """A row for each search."""
    sentences, metric = [source.split() for source, _ in text], Bleu(tokenize="none")
    search, seconds, found = replace(TABLE_5, skip=2, coverage=threshold), {}, {}
    for name in [*BEAMS] * TIMES:
        own = replace(model, search=replace(search, **BEAMS[name]))
        begin = time.process_time()
        found[name] = own.found(sentences)
        seconds.setdefault(name, []).append(time.process_time() - begin)
    for name, lists in found.items():
        best = [one.derivations[0] for one in lists]
        sums = sum(
            metric.statistics([" ".join(one.words)], target)[0]
            for one, (_, target) in zip(best, text, strict=True)
        )
        row = [f"{threshold:g}", name, f"{float(metric.figures(sums)['BLEU']):.2f}"]
        row += [f"{sum(one.cost for one in best) / len(best):.4f}", f"{min(seconds[name]):.2f}"]
        yield row + [
            f"{sum(getattr(one, what) for one in lists):,}" for what in ("states", "edges")
        ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("model", type=Path)
    parser.add_argument("--data", type=Path, default=None)
    parser.add_argument("--sentences", type=int, default=40)
    options = parser.parse_args()
    data = (options.data or data_folder()) / "multi30k"
    dev = list(read_line_pairs(*(data / f"val.lc.norm.tok.{one}.gz" for one in ("en", "de"))))
    model = TranslationModel.load(options.model)
    rows = []
    for threshold in THRESHOLDS:
        for row in rows_of(model, dev[: options.sentences], threshold):
            rows.append(row)
            print(*row, flush=True)
    head = ["threshold", "search", "BLEU", "mean cost", "CPU s", "states", "edges"]
    RESULTS.write_text(
        "# Searches by the threshold of coverage\n\n`python benchmarks/translation_thresholds.py`: "
        f"{machine()}. English to German, {options.sentences} sentences of the development text of "
        "multi30k, one thread, the seven features, 3-grams, no completion cost, two holes; see the "
        "script.\n\n" + "\n".join(table(head, rows)) + "\n"
    )


if __name__ == "__main__":
    main()
