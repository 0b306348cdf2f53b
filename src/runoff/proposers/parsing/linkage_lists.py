"""N-best lists of linkages, from sentences and from gold dependencies."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial

from runoff.data.files import FilePath
from runoff.data.limits import Limit
from runoff.data.links import Linked, read_dependencies
from runoff.data.nbest import Candidate, NBest
from runoff.data.sentence import Sentence
from runoff.data.text.read import read_raw, read_tokenized
from runoff.engine import ALONE, AnyEngine, Engine, chunked
from runoff.errors import check_at_least
from runoff.proposers.parsing.link_grammar import Linkages, LinkGrammar

CONLL_U = (".conllu", ".conllu.gz")
"""How names of files of dependencies end."""

SENTENCES_PER_CHUNK = 16
LIMIT = 1000
"""How many linkages Link Grammar is asked for; not all that it finds are valid."""


@dataclass(frozen=True)
class LinkageProposer:
    """How many linkages of a sentence become its list.

    Parameters
    ----------
    n : the number of candidates at most.
    sample : whether they are drawn at random from those that were found, at most 1,000, as Ginter
        et al. (2006) do; else they are the cheapest.
    seed : of the sample; what is drawn for a sentence depends on it and on the words alone.
    seconds : Link Grammar's own time limit for a sentence.
    """

    n: int = 100
    sample: bool = False
    seed: int = 0
    seconds: int = 5

    def lists(
        self, sentences: Iterable[Sentence | Linked], *, engine: AnyEngine = ALONE
    ) -> Iterator[NBest]:
        """A list for each sentence, as a stream; gold dependencies become gold.

        A sentence without any linkage has one candidate, that without links. Where Link Grammar
        failed, `problem` says why; `not laid over` counts linkages whose words are not those of the
        sentence.
        """
        check_at_least(1, n=self.n, seconds=self.seconds)
        numbered = chunked(enumerate(sentences, 1), SENTENCES_PER_CHUNK)
        with closing(Engine.of(engine).map(partial(_chunk, self), numbered)) as chunks:
            for chunk in chunks:
                yield from chunk

    def taken(self, found: Linkages, words: tuple[str, ...]) -> list[Candidate]:
        """The candidates of what was found."""
        candidates = found.candidates
        if len(candidates) > self.n:
            places: Iterable[int] = range(self.n)
            if self.sample:
                drawn = random.Random(f"{self.seed} {' '.join(words)}")
                places = sorted(drawn.sample(range(len(candidates)), self.n))
            candidates = [candidates[place] for place in places]
        return candidates or [Candidate([], 0.0, features={})]


def _chunk(proposer: LinkageProposer, numbered: list[tuple[int, Sentence | Linked]]) -> list[NBest]:
    printed = LIMIT if proposer.sample else proposer.n
    with LinkGrammar(limit=LIMIT, printed=printed, seconds=proposer.seconds) as grammar:
        return [_list(proposer, grammar, number, one) for number, one in numbered]


def _list(
    proposer: LinkageProposer, grammar: LinkGrammar, number: int, sentence: Sentence | Linked
) -> NBest:
    words = sentence.words
    found = grammar.propose(words) if words else Linkages([], 0, 0)
    extra: dict[str, object] = {}
    if sentence.document is not None:
        extra["document"] = sentence.document
    if found.problem is not None:
        extra["problem"] = found.problem
    if found.not_laid:
        extra["not laid over"] = found.not_laid
    gold = [list(link) for link in sentence.links] if isinstance(sentence, Linked) else None
    return NBest(number, list(words), proposer.taken(found, words), gold, extra)


def read_linkable(
    files: Iterable[FilePath], limit: Limit, *, tokenized: bool = False
) -> Iterator[Sentence | Linked]:
    """The sentences of files of text, or of gold dependencies in the CoNLL-U format.

    Words with hyphens stay whole in raw text, as Link Grammar knows them.
    """
    for file in files:
        if not str(file).endswith(CONLL_U):
            yield from (
                read_tokenized(file, limit) if tokenized else read_raw(file, limit, hyphens=True)
            )
            continue
        for one in read_dependencies(file):
            too_long = limit.exceeded(len(one.words), path=file)
            yield Linked((), [], one.document) if too_long else one
