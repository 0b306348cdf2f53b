"""Small tagged sentences of our own."""

from runoff.data.tagged import TaggedSentence

_TEXT = """\
they/PRP vote/VBP on/IN Monday/NNP ./.
the/DT vote/NN was/VBD close/JJ ./.
the/DT council/NN closes/VBZ the/DT vote/NN ./.
they/PRP close/VBP the/DT old/JJ school/NN ./.
an/DT old/JJ council/NN votes/VBZ slowly/RB ./.
the/DT votes/NNS were/VBD counted/VBN twice/RB ./.
she/PRP counts/VBZ 250/CD votes/NNS quickly/RB ./.
schools/NNS closed/VBD on/IN Tuesday/NNP ./.
"""


def tagged(text):
    """A sentence written as word/TAG."""
    pairs = [pair.rsplit("/", 1) for pair in text.split()]
    return TaggedSentence(tuple(zip(*pairs, strict=True)))


TAGGED = [tagged(line) for line in _TEXT.splitlines()]
SENTENCES = [list(sentence.words) for sentence in TAGGED] + [["the", "old", "votes", "closed"]]
