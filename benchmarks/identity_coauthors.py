"""How far co-authors say who an author is: by themselves, and along chains of papers.

    python benchmarks/identity_coauthors.py [--data DIR]

Of the pairs of papers of one person (ACL Anthology, 48 names) those that share a co-author, and
those that a chain of such papers of this person joins; and of the pairs of papers of different
people with one name those that share a co-author.
"""

import argparse
from itertools import combinations
from pathlib import Path

from runoff.data.records.records import read_records
from runoff.recipes.corpora import data_folder
from runoff.tasks.identity.decisions import Groups


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path)
    folder = data_folder(parser.parse_args().data, project=Path(__file__).parent.parent)
    records = read_records(folder / "acl_authors/open.jsonl.gz")
    columns = (records.column(name) for name in ("block", "cluster", "coauthors"))
    people, blocks = {}, {}
    for block, person, others in zip(*columns, strict=True):
        people.setdefault((block, person), []).append(set(others or ()))
        blocks.setdefault(block, []).append((person, set(others or ())))
    pairs = shared = joined = 0
    for papers in people.values():
        groups = Groups(len(papers))
        for a, b in combinations(range(len(papers)), 2):
            pairs += 1
            if papers[a] & papers[b]:
                shared += 1
                groups.join(a, b)
        joined += sum(
            groups.find(a) == groups.find(b) for a, b in combinations(range(len(papers)), 2)
        )
    apart = [
        bool(a & b)
        for some in blocks.values()
        for (p, a), (q, b) in combinations(some, 2)
        if p != q
    ]
    print(f"pairs of one person: {pairs:,}")
    print(f"  with a co-author in common: {100 * shared / pairs:.1f}%")
    print(f"  joined by a chain of such pairs: {100 * joined / pairs:.1f}%")
    print(f"pairs of different people with one name: {len(apart):,}")
    print(f"  with a co-author in common: {100 * sum(apart) / len(apart):.2f}%")


if __name__ == "__main__":
    main()
