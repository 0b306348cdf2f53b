"""How much translation by trees depends on the parser, and on how many parses are translated.

    python benchmarks/tree_parsers.py --parser english --parser OTHER.runoff --work DIR

For each parser, a translator is trained on the first 10,000 pairs of Tatoeba, English to Chinese,
and tuned on val with the five best parses of a sentence; the test is then translated with one, five
and twenty. For a PCFG of GUM, first run

    runoff train parsing gum_trees/train.clean.mrg.gz --dev gum_trees/dev.clean.mrg.gz \
        --parser pcfg --no-rerank --grammars 0 -o pcfg.runoff
"""

import argparse
from dataclasses import replace
from itertools import islice
from pathlib import Path

from measuring import machine, seconds, table

from runoff.data.bitext import read_line_pairs
from runoff.metrics.bleu import Bleu
from runoff.metrics.significance import randomisation
from runoff.proposers.translation.features import PARSE
from runoff.recipes.corpora import data_folder
from runoff.tasks.translation.plan import Plan
from runoff.tasks.translation.tables import statistics
from runoff.tasks.translation.train import train

RESULTS = Path(__file__).parent / "results" / "tree_parsers.md"
PARSES = (1, 5, 20)
TUNED_WITH = 5
METRIC = Bleu(tokenize="zh")


def pairs(data, part, most=None):
    folder = data / "tatoeba_en_zh"
    found = read_line_pairs(folder / f"{part}.raw.en.gz", folder / f"{part}.zh.gz")
    return list(islice(found, most))


def measured(parser, data, work):
    """For each number of parses, statistics of the test's translations, and CPU seconds."""
    plan = Plan(system="tree", parser=parser, parses=TUNED_WITH, tokenized=True, raw_source=True,
                rounds=6)  # fmt: skip
    model = train(pairs(data, "train", 10_000), pairs(data, "val"), plan=plan, work=work)
    weight = model.raw_weights[PARSE]
    test = pairs(data, "test")
    words = [model.source_words(source) for source, _ in test]
    parsed, parsing = seconds(lambda: model.parses(words, k=max(PARSES)))
    made = []
    for k in PARSES:
        own = replace(model, search=replace(model.search, parses=k))
        found, time = seconds(lambda: own.found(parsed))  # noqa: B023
        rows = statistics(own, found, [target for _, target in test], METRIC)
        others = sum(one.derivations[0].parse > 0 for one in found)
        made.append((k, rows, time, others))
    return made, parsing, weight


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--parser", action="append", required=True)
    parser.add_argument("--data", type=Path, default=None)
    parser.add_argument("--work", required=True)
    options = parser.parse_args()
    data = options.data or data_folder()
    rows, first = [], None
    for name in options.parser:
        made, parsing, weight = measured(name, data, options.work)
        first = made[0][1] if first is None else first
        for k, own, time, others in made:
            found = randomisation(first, own, METRIC)
            rows.append(
                [Path(name).stem, k, round(found.second, 2), round(found.difference, 2),
                 round(found.p_value, 4), others, round(time, 1), round(parsing, 1),
                 round(float(weight), 3)]
            )  # fmt: skip
    head = ["parser", "parses", "BLEU", "over the first row", "p", "not of the best parse",
            "CPU s, translation", "CPU s, 20 parses", "weight of the parse"]  # fmt: skip
    lines = [
        "# Parses and translation by trees",
        "",
        f"{machine()}. Tatoeba, English to Chinese: 10,000 pairs, tuned on val with {TUNED_WITH} "
        "parses, 1,000 sentences of test, BLEU of characters.",
        "",
        *table(head, rows),
    ]
    RESULTS.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
