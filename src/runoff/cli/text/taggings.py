"""What verbs share that tag words by a base system and its ranker: `chunk` and `names`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from os import fspath
from typing import TYPE_CHECKING

from runoff.cli.shards import TEXTS
from runoff.cli.text.options import RankedOptions
from runoff.cli.text.places import Places
from runoff.data.files import FilePath, files_of
from runoff.data.limits import WORDS
from runoff.errors import UsageError
from runoff.pipeline.options import option, redefined

if TYPE_CHECKING:
    from runoff.data.limits import Limit
    from runoff.data.nbest import Candidate, NBest
    from runoff.data.sentence import Sentence
    from runoff.tasks.ranking.why import Reasons
    from runoff.tasks.tagging.reranked import RerankedTagger


@dataclass(frozen=True, kw_only=True)
class TaggingOptions(RankedOptions):
    """How text is read, and how its taggings are written."""

    tagged: bool = option(
        False,
        "Read one word per line with its part of speech, which is used; tags in a last column "
        "become the gold of the lists that `--json` writes.",
    )
    inline: bool = option(False, "Write `[NP a vote] [VP was]`, one sentence per line.")
    longest: int = redefined(RankedOptions, "longest", WORDS["chunk"])
    n: int = redefined(
        RankedOptions, "n", 1, help="Number of taggings to write for each sentence, in columns."
    )

    def __post_init__(self) -> None:
        """Check what cannot be combined."""
        super().__post_init__()
        self.exclude("lines", "tokenized", "tagged")
        if self.inline and (self.json or self.n > 1 or self.why):
            raise UsageError(
                "--inline writes one tagging per sentence and cannot be combined with --json, --n "
                "or --why"
            )
        if self.why and not self.json and (self.n > 1 or self.output != "-"):
            raise UsageError("--why can be combined with --n and --output only if --json is given")


def write_taggings(
    model: RerankedTagger,
    files: list[str],
    options: TaggingOptions,
    jobs: str,
    read: Callable[[FilePath, str, Limit], Iterable[Sentence]] | None = None,
) -> None:
    """Write the taggings of files, as the options say.

    Parameters
    ----------
    read : takes a file, how it is written and a limit, and gives its sentences; by default they are
        those of one document.
    """
    from runoff.cli.lists.why import print_with_reasons
    from runoff.cli.skipping import skipping
    from runoff.data.limits import Limit
    from runoff.data.text.read import read_files

    def of_file(file: FilePath, how: str, limit: Limit) -> Iterable[Sentence]:
        sentences = read_files([file], how, limit, hyphens=model.hyphens)
        return (model.of_document(sentence, fspath(file)) for sentence in sentences)

    kinds = {"lines": options.lines, "tokenized": options.tokenized, "tagged": options.tagged}
    how = next((kind for kind, chosen in kinds.items() if chosen), "raw")
    places = Places(wanted=options.json)
    with skipping("sentence") as skip:
        limit = Limit(options.longest, skip)
        sentences = (
            places.note(model.in_units(sentence), file, number)
            for file in files_of(files, TEXTS)
            for number, sentence in enumerate((read or of_file)(file, how, limit), 1)
        )
        if options.why and not options.json:
            lists = model.explained(sentences, None, engine=jobs)
            print_with_reasons(map(readable, lists), options.top, "tagging")
        else:
            _write(model, sentences, places, options, jobs)


def readable(
    explained: tuple[NBest, Reasons | None],
) -> tuple[NBest, Reasons | None]:
    """A list and its reasons with brackets in the sentence in place of tags."""
    from dataclasses import replace

    from msgspec.structs import replace as replaced

    from runoff.tasks.tagging.chunked import bracketed

    nbest, reasons = explained
    words = _words(nbest)

    def shown(candidate: Candidate) -> Candidate:
        return replaced(candidate, output=bracketed(words, candidate.output))

    nbest = replaced(nbest, candidates=[shown(one) for one in nbest.candidates])
    if reasons is None:
        return nbest, None
    winner, rival = shown(reasons.winner), shown(reasons.rival)
    return nbest, replace(reasons, winner=winner, rival=rival)


def _write(
    model: RerankedTagger,
    sentences: Iterator[Sentence],
    places: Places,
    options: TaggingOptions,
    jobs: str,
) -> None:
    from runoff.cli.lists.why import with_reasons
    from runoff.cli.show import counting
    from runoff.data.files import write_pieces
    from runoff.data.formats import jsonl

    def tagged_lists(words: Iterable[Sentence]) -> Iterator[NBest]:
        if options.why:
            return with_reasons(model.explained(words, options.n, engine=jobs))
        return model.lists(words, options.n, engine=jobs)

    encode: Callable[[Iterable[NBest]], Iterator[bytes]] = (
        jsonl.encode if options.json else inline_text if options.inline else column_text
    )
    with counting("sentences tagged") as count:
        lists = places.added(count(with_gold(tagged_lists, sentences)))
        write_pieces(encode(lists), options.output)


def with_gold(
    tagged_lists: Callable[[Iterable[Sentence]], Iterator[NBest]],
    sentences: Iterable[Sentence],
) -> Iterator[NBest]:
    """The taggings of every sentence, with the gold that its file has."""
    from collections import deque

    from msgspec.structs import replace

    waiting: deque[list[str] | None] = deque()

    def remembered() -> Iterator[Sentence]:
        for sentence in sentences:
            waiting.append(None if sentence.gold is None else list(sentence.gold))
            yield sentence

    for nbest in tagged_lists(remembered()):
        yield replace(nbest, gold=waiting.popleft())


def column_text(lists: Iterable[NBest]) -> Iterator[bytes]:
    """One word per line with its part of speech and its tags, those of the best candidate first."""
    for nbest in lists:
        words = ([one] if isinstance(one, str) else one for one in nbest.input)
        rows = zip(words, *(c.output for c in nbest.candidates), strict=True)
        yield _encoded("".join("\t".join([*word, *tags]) + "\n" for word, *tags in rows) + "\n")


def _words(nbest: NBest) -> list[str]:
    """The words of a list's sentence, without their parts of speech."""
    return [one if isinstance(one, str) else one[0] for one in nbest.input]


def inline_text(lists: Iterable[NBest]) -> Iterator[bytes]:
    """The words with brackets around chunks, one sentence per line."""
    from runoff.tasks.tagging.chunked import bracketed

    for nbest in lists:
        yield _encoded(bracketed(_words(nbest), nbest.candidates[0].output) + "\n")


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
