"""Small tagged sentences of our own, and trees over them."""

from runoff.data.sentence import Sentence
from runoff.data.tree import parse_trees

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
    words, tags = zip(*(pair.rsplit("/", 1) for pair in text.split()), strict=True)
    return Sentence(words, gold=tags)


TAGGED = [tagged(line) for line in _TEXT.splitlines()]
SENTENCES = [list(sentence.words) for sentence in TAGGED] + [["the", "old", "votes", "closed"]]

TREES = parse_trees("""\
(TOP (S (NP (PRP they)) (VP (VBP vote) (PP (IN on) (NP (NNP Monday)))) (. .)))
(TOP (S (NP (DT the) (NN vote)) (VP (VBD was) (ADJP (JJ close))) (. .)))
(TOP (S (NP (DT the) (NN council)) (VP (VBZ closes) (NP (DT the) (NN vote))) (. .)))
(TOP (S (NP (PRP they)) (VP (VBP close) (NP (DT the) (JJ old) (NN school))) (. .)))
(TOP (S (NP (DT an) (JJ old) (NN council)) (VP (VBZ votes) (ADVP (RB slowly))) (. .)))
(TOP (S (NP (DT the) (NNS votes)) (VP (VBD were) (VP (VBN counted) (ADVP (RB twice)))) (. .)))
(TOP (S (NP (PRP she)) (VP (VBZ counts) (NP (CD 250) (NNS votes)) (ADVP (RB quickly))) (. .)))
(TOP (S (NP (NP (NNS schools)) (PP (IN on) (NP (NNP Tuesday)))) (VP (VBD closed)) (. .)))
(TOP (NP (NP (DT the) (NN vote)) (CC and) (NP (DT the) (NN school))))
""")
