"""Training language models: text is counted once, and smoothed by modified Kneser-Ney."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import runoff
from runoff.data.files import FilePath, file_names
from runoff.data.text.read import read_raw, read_tokenized
from runoff.engine import ALONE, AnyEngine, Engine
from runoff.errors import FormatError, UsageError
from runoff.ngrams.arpa import is_arpa, read_arpa
from runoff.ngrams.estimate import estimate
from runoff.ngrams.model import MAX_ORDER, SPECIAL
from runoff.pipeline.options import check_ranges, option
from runoff.pipeline.work_folder import WorkFolder
from runoff.tasks.lm.model import LanguageModel


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How a language model is trained."""

    order: int = option(5, "Number of words of the longest n-grams.", min=1, max=MAX_ORDER)
    tokenized: bool = option(
        False, "The text is already tokenised, one sentence per line; split it at whitespace only."
    )
    arpa: str | None = option(
        None, "ARPA file to write as well, which other programs read.", metavar="FILE"
    )
    attribution: str | None = option(
        None, "Whose data this is; it goes into the header of the model.", metavar="TEXT"
    )

    def __post_init__(self) -> None:
        """Check the plan now, not after minutes."""
        check_ranges(self)


def train(
    train: FilePath | Iterable[FilePath],
    dev: FilePath | Iterable[FilePath] | None = None,
    *,
    plan: Plan | None = None,
    work: FilePath | None = None,
    engine: AnyEngine = ALONE,
) -> LanguageModel:
    r"""A language model of plain text.

    Parameters
    ----------
    train, dev : files of text; the perplexity of `dev` is noted. An ARPA file as the only file of
        `train` is taken as it is.
    work : folder for the results of steps; there are none, since training takes seconds.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("rhyme.txt").write_text("row row row your boat gently down the stream .\n" * 2)
    >>> model = train("rhyme.txt", plan=Plan(order=3))
    >>> model.score("row your boat") > model.score("boat your row")
    True
    """
    plan, workers, files = plan or Plan(), Engine.of(engine), file_names(train)
    if work is not None:
        WorkFolder(work)
    if any(str(file) != "-" and is_arpa(file) for file in files):
        model = _of_arpa(files)
    else:
        model = _of_text(files, plan, workers)
    if plan.attribution is not None:
        model.training["attribution"] = plan.attribution
    if dev is not None:
        words = list(_sentences(file_names(dev), model.tokenized))
        found = model.ngrams.perplexity(words, threads=workers.threads)
        model.training["dev"] = {
            "words": found.words,
            "unknown words": found.unknown,
            "perplexity": found.perplexity,
            "perplexity of known words": found.of_known,
        }
    if plan.arpa is not None:
        model.write_arpa(plan.arpa)
    return model


def _of_arpa(files: list[FilePath]) -> LanguageModel:
    if len(files) > 1:
        raise UsageError("an ARPA file is a whole model, so it must be the only file")
    model = LanguageModel(read_arpa(files[0]), True, {})
    model.training = _training(model)
    return model


def _of_text(files: list[FilePath], plan: Plan, engine: Engine) -> LanguageModel:
    engine.tell("text", 0)
    sentences = engine.counted("text", _sentences(files, plan.tokenized), None, every=4096)
    made = estimate(sentences, plan.order)
    engine.tell("estimates")
    model = LanguageModel(made.model, plan.tokenized, {})
    model.training = _training(model)
    for row, discounts in zip(model.training["n-grams"], made.discounts, strict=True):
        row["discounts"] = list(discounts)
        row["fallback"] = row["order"] in made.fallback
    return model


def _training(model: LanguageModel) -> dict[str, Any]:
    sizes = enumerate((len(one.probabilities) for one in model.ngrams.orders), 1)
    return {
        "runoff": runoff.__version__,
        "vocabulary": len(model.ngrams.vocabulary) - len(SPECIAL),
        "n-grams": [{"order": n, "n-grams": size} for n, size in sizes],
    }


def _sentences(files: list[FilePath], tokenized: bool) -> Iterator[tuple[str, ...]]:
    """The sentences of files that are not empty; the names of special words are errors."""
    for file in files:
        read = read_tokenized(file) if tokenized else read_raw(file)
        for number, sentence in enumerate(read, 1):
            special = next((word for word in sentence.words if word in SPECIAL), None)
            if special is not None:
                problem = f"the text has the word {special}, which language models use themselves"
                raise FormatError(problem, path=file, line=number if tokenized else None)
            if sentence.words:
                yield sentence.words
