"""Small chunked sentences of our own, as a column file has them."""

from runoff.data.tagged import TaggedSentence

_TEXT = """\
They/PRP/B-NP voted/VBD/B-VP on/IN/B-PP Monday/NNP/B-NP ././O
The/DT/B-NP old/JJ/I-NP council/NN/I-NP will/MD/B-VP count/VB/I-VP the/DT/B-NP votes/NNS/I-NP ././O
The/DT/B-NP vote/NN/I-NP was/VBD/B-VP very/RB/B-ADJP close/JJ/I-ADJP ././O
They/PRP/B-NP said/VBD/B-VP that/IN/B-SBAR the/DT/B-NP council/NN/I-NP closed/VBD/B-VP ././O
The/DT/B-NP council/NN/I-NP voted/VBD/B-VP twice/RB/B-ADVP on/IN/B-PP the/DT/B-NP school/NN/I-NP
Schools/NNS/B-NP closed/VBD/B-VP on/IN/B-PP Tuesday/NNP/B-NP ././O
"""

CHUNKED = [
    TaggedSentence(tuple(zip(*(token.rsplit("/", 2) for token in line.split()), strict=True)))
    for line in _TEXT.splitlines()
]
