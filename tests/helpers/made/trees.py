"""A small treebank of our own: trees that a little grammar makes, with attachments to learn."""

import random

from runoff.data.tree import Tree

NOUNS = "council vote school mayor budget road plan member paper street".split()
VERBS = "closes counts reads paints praises".split()
SEEING = "sees watches".split()  # with a tool: the phrase belongs to the verb
TOOLS = "glasses telescope".split()
NAMES = "Ann Bert Carla".split()


def made_trees(number, seed=0):
    """So many trees, the same ones for the same seed."""
    chance = random.Random(seed)
    return [Tree.parse(f"(TOP {_sentence(chance)})") for _ in range(number)]


def _sentence(chance):
    end = chance.choice(["(. .)", "(. .)", "(. ?)"])
    first = _np(chance).replace("(DT the)", "(DT The)")
    return f"(S {first} {_vp(chance)} {end})"


def _np(chance):
    if chance.random() < 0.3:
        return f"(NP (NNP {chance.choice(NAMES)}))"
    adjective = "(JJ old) " if chance.random() < 0.3 else ""
    return f"(NP (DT the) {adjective}(NN {chance.choice(NOUNS)}))"


def _vp(chance):
    if chance.random() < 0.4:
        tool = f"(PP (IN with) (NP (DT the) (NN {chance.choice(TOOLS)})))"
        return f"(VP (VBZ {chance.choice(SEEING)}) {_np(chance)} {tool})"
    thing = _np(chance)
    if chance.random() < 0.5:
        place = f"(PP (IN {chance.choice(['with', 'of'])}) {_np(chance)})"
        thing = f"(NP {thing} {place})"
    adverb = " (ADVP (RB slowly))" if chance.random() < 0.3 else ""
    return f"(VP (VBZ {chance.choice(VERBS)}) {thing}{adverb})"
