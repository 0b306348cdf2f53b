"""Fuzzing: any bytes given to a reader or model loader are read, or raise FormatError.

Not run by pytest. With atheris (`pip install atheris`), one target or all of them in turn:

    python tests/fuzz/fuzz_readers.py moses -max_total_time=60
    python tests/fuzz/fuzz_readers.py all -max_total_time=300 -max_len=4096

What follows the target's name goes to libFuzzer. The seeds are files that the writers make; they
and what is learned stay in `/dev/shm/runoff-fuzz-...` for the next run. A finding is written to
`crash-...` in the current folder; give that file as the last argument to see it again.
To fuzz something else that reads files, add it to `TARGETS`.
"""

from __future__ import annotations

import gc
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import FunctionType

import atheris

from runoff.data.bitext import SentencePair, read_bitext, read_links
from runoff.data.formats import READ, read_nbest, write_nbest
from runoff.data.links import read_dependencies
from runoff.data.nbest import Candidate, NBest
from runoff.data.records.records import read_records
from runoff.data.text.read import READERS
from runoff.data.tree import read_trees
from runoff.errors import FormatError
from runoff.ngrams.arpa import read_arpa
from runoff.problem.file import load_problem, save_problem
from runoff.proposers.parsing.linkages import lay_over, read_linkages
from runoff.tasks.ranking.fit import fit
from runoff.tasks.ranking.reranker import Reranker

Target = Callable[[Path], object]

LIST = NBest("a", "b", [Candidate("c d", -1.5), Candidate("c", -2.5)], "c")

TARGETS: dict[str, Target] = {
    **{name: lambda path, name=name: list(read_nbest(path, name)) for name in READ},
    "looked": lambda path: list(read_nbest(path)),
    **{name: lambda path, read=read: list(read(path)) for name, read in READERS.items()},
    "arpa": read_arpa,
    "bitext": lambda path: list(read_bitext(path, path)),
    "dependencies": lambda path: list(read_dependencies(path)),
    "linkages": lambda path: [
        lay_over(one, ["We", "won", "."])
        for one in read_linkages(path.read_text(encoding="utf-8", errors="replace"))
    ],
    "links": lambda path: list(read_links(path, [SentencePair(["a", "b"], ["c"])] * 3)),
    "records": read_records,
    "trees": lambda path: [str(tree) for tree in read_trees(path)],
    "model": lambda path: Reranker.load(path).rerank([LIST]),
    "problem": lambda path: load_problem(path)[0].list_hashes,
}
"""What is fuzzed: a name, and a function that reads the file at a path."""

SEEDS: dict[str, list[NBest]] = {
    "jsonl": [NBest("a", "b", [Candidate("c", -1.5, 0.5, {"f": 2.0}, 1.0, 3, {"x": 1})], "d")],
    "moses": [NBest(0, None, [Candidate("c", -1.5, features={"f_0": 2.0, "f_1": 3.0})])],
    "bllip": [NBest("a", None, [Candidate("(S (A b))", -1.5, score=2.0)])],
    "espnet": [NBest("a", None, [Candidate("c", -1.5)], "d")],
    "tsv": [NBest(candidates=[Candidate("c", -1.5)])],
    "svmlight": [NBest("a", None, [Candidate(quality=0.5, features={"f": 2.0})])],
    "conll": [NBest(None, ["a", "b"], [Candidate(["B", "I"]), Candidate(["O", "O"])], ["B", "O"])],
}
MORE_SEEDS = [
    b'{"prompt": "a", "completions": ["b", "c"], "rewards": [1, 0]}\n',
    b'{"prompt": "a", "chosen": [{"role": "assistant", "content": "b"}], "rejected": "c"}\n',
    b'{"choices": [{"message": {"content": "a"}, "logprobs": {"content": [{"token": "a", '
    b'"logprob": -1}]}}]}',
    b'{"choices": [{"text": "a", "logprobs": {"tokens": ["a"], "token_logprobs": [-1]}}]}',
    b'{"alternatives": [{"text": "a", "confidence": 2.5}]}\n{"text": ""}',
    b'[{"text": " a", "segments": [{"avg_logprob": -1, "tokens": [1], "text": " a"}]}]',
    b'{"id": 1, "text": "a", "tokens": ["a"], "ys_log_probs": [-1]}',
    b'[[{"generated_text": "a"}, {"generated_text": "b"}]]',
    b"S-0\ta\nT-0\tb\nH-0\t-1\tc\nD-0\t-1\tc\nP-0\t-1 -2\n",
    b"utt,hyp,lm\nu,a,-1\nu,b,-2\n",
    b'{"utts": {"a": {"output": [{"rec_text": "b<eos>", "score": -1, "text": "c"}]}}}',
    b"# 0 0.5\na A B B\n\n# 1 0.25\na A B I\n\n",
    b"-DOCSTART-\td1\n\na\tB\n\n",
    b"(S (A b) (C (D -LRB-)))\n# comment\n",
    b'id,name,year\na,"Li, ""Wei""\nX",1994\nb,,\n',
    b'{"id": 1, "by": ["a", 2, null], "year": 1994.0}\n{"id": "b", "new": true}\n',
    b"id\tname\na\tLi\n",
    b"\\data\\\nngram 1=3\nngram 2=1\n\n\\1-grams:\n-1\t<unk>\n-9\t<s>\t-0.3\n-1\t</s>\n\n"
    b"\\2-grams:\n-0.5\t<s> </s>\n\n\\end\\\n",
    b"0-0 1-0\n\n1p0 0?0\n",
    b"# newdoc id = d\n1\tWe\t_\t_\t_\t_\t2\tnsubj\t_\t_\n2\twon\t_\t_\t_\t_\t0\troot\t_\t_\n\n",
    b"cost vector = (UNUSED=0 DIS= 0.16 LEN=4)\n[(LEFT-WALL)(we)(won.v)(.)(RIGHT-WALL)]\n"
    b"[[0 3 0 (Xp)][0 2 -9 (WV)][1 2 1 (Sp)]\n[3 4 0 (RW)]]\n[0]\n",
    b'{"candidates": [{"output": NaN}, {"features": {"a": 1e999}}]}',
]


def check(targets: list[Target], path: Path, data: bytes) -> None:
    """Read the bytes; the first chooses the target where there are several."""
    target = targets[data[0] % len(targets)] if data and len(targets) > 1 else targets[0]
    path.write_bytes(data[1:] if len(targets) > 1 else data)
    try:
        target(path)
    except FormatError as error:
        if "\n" in error.message.removeprefix(str(path)):
            raise RuntimeError("an error of more than one line") from error


def write_seeds(folder: Path, targets: list[str]) -> None:
    """Files to start from; for several targets the first byte is the target's number."""
    for place, name in enumerate(targets):
        seeds = list(MORE_SEEDS)
        if name in SEEDS:
            write_nbest(SEEDS[name], folder / "seed", name)
            seeds.append((folder / "seed").read_bytes())
        if name in ("model", "problem"):
            reranker = fit([LIST], metric="wer", min_lists=1)
            if name == "model":
                reranker.save(folder / "seed")
            else:
                save_problem(folder / "seed", reranker.problem([LIST]), reranker.space)
            seeds.append((folder / "seed").read_bytes())
        for number, seed in enumerate(seeds):
            first = bytes([place]) if len(targets) > 1 else b""
            (folder / f"{name}-{number}").write_bytes(first + seed)


def instrument() -> None:
    """Let libFuzzer see which lines of Runoff are reached.

    `atheris.instrument_imports` sees nothing of an editable install, whose loader is its own.
    """
    for thing in gc.get_objects():
        if isinstance(thing, FunctionType) and str(thing.__module__).startswith("runoff"):
            atheris.instrument_func(thing)


def main() -> None:
    """Run libFuzzer on the target that the command line names."""
    if len(sys.argv) < 2 or sys.argv[1] not in ("all", *TARGETS):
        sys.exit(f"usage: fuzz_readers.py all|{'|'.join(TARGETS)} [libFuzzer options]")
    names = list(TARGETS) if sys.argv[1] == "all" else [sys.argv[1]]
    targets = [TARGETS[name] for name in names]
    memory = "/dev/shm" if Path("/dev/shm").is_dir() else tempfile.gettempdir()  # ten times faster
    folder = Path(memory, f"runoff-fuzz-{sys.argv[1]}")
    (folder / "seeds").mkdir(parents=True, exist_ok=True)
    write_seeds(folder / "seeds", names)
    path = folder / f"input-{os.getpid()}"
    given = [argument for argument in sys.argv[2:] if not argument.startswith("-")]
    arguments = [sys.argv[0], *sys.argv[2:], *([] if given else [str(folder / "seeds")])]
    instrument()
    atheris.Setup(arguments, lambda data: check(targets, path, data))
    atheris.Fuzz()


if __name__ == "__main__":
    main()
