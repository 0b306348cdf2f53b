"""Lists of a search engine: LightGBM's example of graded answers to queries.

    python benchmarks/real_lists/queries.py FOLDER --repository PATH [--folds 5]

PATH is a clone of LightGBM. The 201 queries of its training file and the 50 of its test file have
answers graded from 0 to 4 and 300 numbers each, and no base system. A test set of 50 queries tells
nothing, so all 251 are dealt into folds, by a hash: queries-{train,test}-K.jsonl.
"""

import argparse
import hashlib
import json
import subprocess
from pathlib import Path


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--repository", required=True)
    parser.add_argument("--folds", type=int, default=5)
    options = parser.parse_args()
    lists = [one for part in ("train", "test") for one in queries(options.repository, part)]
    order = sorted(lists, key=lambda one: hashlib.blake2b(one["id"].encode()).digest())
    for fold in range(options.folds):
        own = order[fold :: options.folds]
        others = [one for one in lists if one not in own]
        for part, kept in (("train", others), ("test", own)):
            path = options.folder / f"queries-{part}-{fold}.jsonl"
            path.write_text("\n".join([*map(json.dumps, kept), ""]))
    print(f"{len(lists)} queries, {sum(len(one['candidates']) for one in lists):,} answers")


def queries(repository, part):
    """The queries of a file, each with its graded answers."""
    lines = iter(shown(repository, f"rank.{part}").splitlines())
    for number, size in enumerate(shown(repository, f"rank.{part}.query").split()):
        answers = []
        for _ in range(int(size)):
            grade, *pairs = next(lines).split()
            numbers = (pair.split(":") for pair in pairs)
            features = {f"f{name}": float(value) for name, value in numbers}
            answers.append({"quality": float(grade), "features": features})
        yield {"id": f"{part} {number}", "candidates": answers}


def shown(repository, name):
    """A file of the example at the newest commit."""
    path = f"HEAD:examples/lambdarank/{name}"
    command = ["git", "-C", repository, "show", path]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    main()
