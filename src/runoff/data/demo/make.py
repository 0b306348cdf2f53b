"""Makes the demo lists: `python -m runoff.data.demo.make` writes train.jsonl and test.jsonl.

The sentences are ours. The lists look like a speech recogniser's: candidates differ in words that
sound alike, and log-probabilities are noise around a small bonus for what was said.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from runoff.data.formats import write_nbest
from runoff.data.nbest import Candidate, NBest

SOUND_ALIKE = """
their there they're
to too two
its it's
your you're
hear here
write right
knew new
no know
buy by bye
weak week
sea see
for four
won one
hour our
wait weight
hole whole
peace piece
wood would
wear where
son sun
threw through
vote boat
ballot ballet
than then
meet meat
road rode
flower flour
male mail
days daze
past passed
"""

TEMPLATES = """
I would like to|I want to|we have to|they need to ; buy|see|hear ; the new ballot|your new house|their old road|one more piece
they're|we are|you're ; going to ; the meeting|the market|the sea|our house ; next week|in an hour|in two days
it's|that is ; too ; late|early|cold|far ; to ; vote|buy flour|wait for the mail|write to your son
you're|they're|we are ; right ; about ; the vote|the weight of the piece|the whole road|their son
there is|there was ; no ; peace|flour|mail|wood ; in ; our house|the whole town|their garden
the mail|the ballot|the flour|the wood ; will be here ; in an hour|in two days|next week|by four
I hear|I know|we know|they knew ; you're ; too weak to wait|going by the sea|here for the vote|right
we passed|they passed|I saw ; their house|the old road|one red flower|a whole field ; on the road to the sea|by the wood|two days ago
did you ; hear|know|see ; that they're here|where their son is|who won the vote|which road to take
the town|our street|the party ; won ; its vote|one more vote than theirs|the vote by four|the right to vote
wait ; here|there ; for ; an hour|two hours|one more week|the whole day
please ; write|read|wear ; it here|your name right there|the new one|it for our son
her son|their son|our son ; threw ; the ball|a stone|one flower ; through ; the hole|the window|the wood
we would ; rather wait than|sooner walk than ; buy meat there|see the ballet|write it by hand|pass through the wood
where ; would|did|will ; you|they|our son ; meet|wait|vote|buy wood ; next week|by the sea
"""

BONUS = 1.2  # what the made-up recogniser gives for each word it hears right
NOISE = 1.6


def sentences() -> list[str]:
    """Every sentence of the templates."""
    found: list[str] = []
    for line in TEMPLATES.strip().splitlines():
        slots = [slot.strip().split("|") for slot in line.split(";")]
        found.extend(" ".join(words) for words in product(*slots))
    return found


def candidates(sentence: str, rng: random.Random, n: int = 10) -> list[Candidate]:
    """Up to n ways to hear a sentence, the likeliest first."""
    groups = [row.split() for row in SOUND_ALIKE.strip().splitlines()]
    alike = {word: [w for w in group if w != word] for group in groups for word in group}
    words = sentence.split()
    open_places = [place for place, word in enumerate(words) if word in alike]
    heard = {tuple(words)}
    for _ in range(40):
        other = list(words)
        for place in rng.sample(open_places, min(len(open_places), rng.randint(1, 3))):
            other[place] = rng.choice(alike[words[place]])
        heard.add(tuple(other))
    kept = [tuple(words), *sorted(heard - {tuple(words)})][:n]
    scored = []
    for text in kept:
        right = sum(a == b for a, b in zip(text, words, strict=True))
        logprob = BONUS * right - 3.5 * len(words) + rng.gauss(0, NOISE)
        scored.append(Candidate(" ".join(text), round(logprob, 2)))
    return sorted(scored, key=lambda candidate: -(candidate.logprob or 0.0))


def make(size: int, seed: int = 7) -> Iterator[NBest]:
    """Lists for a number of sentences, chosen at random."""
    rng = random.Random(seed)
    for number, sentence in enumerate(rng.sample(sentences(), size), start=1):
        yield NBest(f"u{number:03}", None, candidates(sentence, rng), gold=sentence)


if __name__ == "__main__":
    folder = Path(__file__).parent
    lists = list(make(300))
    write_nbest(lists[:220], folder / "train.jsonl")
    write_nbest(lists[220:], folder / "test.jsonl")
