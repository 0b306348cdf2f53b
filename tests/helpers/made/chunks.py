"""Small chunked sentences of our own, as a column file has them."""

import random

from runoff.data.sentence import Sentence

_TEXT = """\
They/PRP/B-NP voted/VBD/B-VP on/IN/B-PP Monday/NNP/B-NP ././O
The/DT/B-NP old/JJ/I-NP council/NN/I-NP will/MD/B-VP count/VB/I-VP the/DT/B-NP votes/NNS/I-NP ././O
The/DT/B-NP vote/NN/I-NP was/VBD/B-VP very/RB/B-ADJP close/JJ/I-ADJP ././O
They/PRP/B-NP said/VBD/B-VP that/IN/B-SBAR the/DT/B-NP council/NN/I-NP closed/VBD/B-VP ././O
The/DT/B-NP council/NN/I-NP voted/VBD/B-VP twice/RB/B-ADVP on/IN/B-PP the/DT/B-NP school/NN/I-NP
Schools/NNS/B-NP closed/VBD/B-VP on/IN/B-PP Tuesday/NNP/B-NP ././O
"""


def sentence(line):
    return Sentence(*zip(*(token.rsplit("/", 2) for token in line.split()), strict=True))


CHUNKED = list(map(sentence, _TEXT.splitlines()))


def far_apart(number, seed=0):
    """Sentences in which what follows a long phrase tells what stands before it: `for` begins a
    clause if a verb comes, and is a preposition otherwise. A CRF does not look so far.
    """
    chance, found = random.Random(seed), []
    for _ in range(number):
        words = [
            chance.choice(kind) for kind in (("old", "new"), ("town", "city"), ("tax", "road"))
        ]
        phrase = " ".join(f"{word}/NN/I-NP" for word in words)
        long = f"the/DT/B-NP very/RB/I-NP {phrase} {chance.choice(('votes', 'plans'))}/NNS/I-NP"
        kind, end = chance.choice([("SBAR", "to/TO/B-VP pass/VB/I-VP"), ("PP", "././O")])
        found.append(sentence(f"we/PRP/B-NP wait/VBP/B-VP for/IN/B-{kind} {long} {end}"))
    return found
