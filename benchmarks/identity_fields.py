"""What carries the identity of authors: pair F1 without co-authors, title, venue or year.

    python benchmarks/identity_fields.py [--data DIR]

The 48 names of the ACL Anthology fall into four parts, each resolved by a model of the others;
figures are means over the names. Nothing is chosen by folds: priors are 1 for pairs and 0.03 for
sets, so that rows differ in the field that is left out alone.
"""

import argparse
from pathlib import Path

import numpy as np
from measuring import machine, table

from runoff.data.records.records import read_records
from runoff.recipes.corpora import data_folder
from runoff.tasks.identity.evaluate import scores
from runoff.tasks.identity.train import Plan, train

PARTS = 4
FIELDS = ("", "coauthors", "title", "venue", "year")
HIDDEN = ("name_full", "name_abbrev")
RATES = ("precision", "recall", "pair-f1", "b-cubed")
RESULT = Path(__file__).parent / "results" / "identity-fields.md"


def figures(records, without):
    """The mean figures of all names, without a field."""
    ignore = (*HIDDEN, without) if without else HIDDEN
    choice = {"pair_prior": (1.0,), "prior": (0.03,), "gain": ("union",), "sampling": ("weak",)}
    choice |= {"link": ("mean",), "stop": (0.0,)}
    blocks, found = records.column("block"), []
    names = sorted(set(blocks))
    for part in range(PARTS):
        tested = set(names[part::PARTS])
        others = [i for i, name in enumerate(blocks) if name not in tested]
        plan = Plan(block="block", ignore=ignore, **choice)
        model = train(records.take(others), plan=plan)
        for name in sorted(tested):
            own = records.take([i for i, one in enumerate(blocks) if one == name])
            made = scores(own.column("cluster"), model.resolve(own).labels)
            found.append([made[rate] for rate in RATES])
    return 100 * np.mean(found, axis=0)


def main():
    """Write the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path)
    folder = data_folder(parser.parse_args().data)
    records = read_records(folder / "acl_authors/open.jsonl.gz")
    rows = []
    for without in FIELDS:
        found = figures(records, without)
        rows.append([without or "nothing", *(f"{one:.1f}" for one in found)])
        print(*rows[-1], flush=True)
    text = [
        "# Record identity: what carries authors",
        f"\n`python benchmarks/identity_fields.py`: {machine()}.\n",
        *table(["left out", *RATES], rows),
    ]
    RESULT.write_text("\n".join(text) + "\n")


if __name__ == "__main__":
    main()
