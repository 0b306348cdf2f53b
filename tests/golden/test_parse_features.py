"""Every template of the features of parse trees, worked out by hand.

The first tree has the rule of Collins & Koo (2005), section 5.2: VP -> PP VBD NP NP SBAR under S.
"""

import pytest

from runoff.data.nbest import Candidate, NBest
from runoff.features.parse import parse, parse_rich

TOLD = (
    "(TOP (S (NP (PRP she)) (VP (PP (IN at) (NP (NN noon))) (VBD told) (NP (NN Ann)) "
    "(NP (NNS tales)) (SBAR (IN that) (S (NP (NN time)) (VP (VBD forgot)))))))"
)
PRESIDENT = "(NP (NP (DT the) (NN president)) (PP (IN of) (NP (NNP U.S.))))"
SAW = (
    "(TOP (S (NP (DT the) (NN dog)) (VP (VBD saw) "
    "(NP (NP (NNS cats)) (PP (IN of) (NP (NNP Rome))))) (. .)))"
)
PETS = "(NP (NP (DT a) (NN dog)) (, ,) (NP (DT a) (JJ big) (NN cat)) (CC and) (NP (NNS birds)))"


def found(extractor, tree, start):
    """The features whose names begin so: the rest of their names, with their values."""
    (features,) = extractor(NBest(candidates=[Candidate(tree)]))
    return {
        n.removeprefix(start + " "): v for n, v in features.items() if n.startswith(start + " ")
    }


COLLINS_KOO = {
    "rule: VP": ["-> PP VBD NP NP SBAR", "-> PP/at VBD NP NP SBAR/that", "-> VBD"],
    "bigram: R VP": ["NP NP", "NP SBAR", "SBAR STOP", "NP SBAR/that", "SBAR/that STOP"],
    "bigram: L VP": ["PP STOP", "PP/at STOP"],
    "grandparent-rule: S VP": [
        "-> PP VBD NP NP SBAR",
        "-> PP/at VBD NP NP SBAR/that",
        "-> VBD",
    ],
    "grandparent-bigram: S R VP": [
        "NP NP",
        "NP SBAR",
        "SBAR STOP",
        "NP SBAR/that",
        "SBAR/that STOP",
    ],
    "grandparent-bigram: S L VP": ["PP STOP", "PP/at STOP"],
    "lexical-bigram: R VP": ["NP/Ann NP/tales", "NP/tales SBAR/that", "SBAR/that STOP"],
    "lexical-bigram: L VP": ["PP/at STOP"],
    "lexical-bigram: R PP": ["NP/noon STOP"],
    "lexical-bigram: R PP/at": ["NP/noon STOP"],
    "two-level-rule: S -> NP VP |": [
        "VP -> PP VBD NP NP SBAR",
        "VP -> VBD",
        "NP -> PRP",
        "NP -> NN",
    ],
    "two-level-rule: S -> NP/she VP |": [
        "VP -> PP/at VBD NP NP SBAR/that",
        "NP/she -> PRP/she",
    ],
    "two-level-bigram: S -> NP VP | R VP": ["NP NP", "NP SBAR", "SBAR STOP"],
    "two-level-bigram: S -> NP/she VP | R VP": ["NP NP", "NP SBAR/that", "SBAR/that STOP"],
    "two-level-bigram: S -> NP VP | L VP": ["PP STOP"],
    "two-level-bigram: S -> NP/she VP | L VP": ["PP/at STOP"],
    "trigram: VP": [
        "STOP PP VBD!",
        "PP VBD! NP",
        "VBD! NP NP",
        "NP NP SBAR",
        "NP SBAR STOP",
        "STOP VBD! STOP",
        "STOP PP/at VBD!",
        "PP/at VBD! NP",
        "NP NP SBAR/that",
        "NP SBAR/that STOP",
    ],
    "trigram: SBAR/that": ["STOP IN/that! S", "IN/that! S STOP"],
    "head-modifier: L S VP VBD": ["PP adj=1"],
    "head-modifier: R S VP VBD": ["NP adj=1", "NP adj=0", "SBAR adj=0"],
    "head-modifier: R VP": ["SBAR IN S adj=1", "PP IN NP adj=1"],
    "distance: VP VBD SBAR": ["=2", *(f"<={x}" for x in range(2, 10)), ">=1", ">=2"],
    "distance: VP VBD PP": ["=1", *(f"<={x}" for x in range(1, 10)), ">=1"],
    "distance: S VP NP": [
        *("=2", *(f"<={x}" for x in range(2, 10)), ">=1", ">=2"),
        *("=0", *(f"<={x}" for x in range(10))),
    ],
    "PP:": ["VP VBD PP NP told at noon", "VP VBD PP NP at noon"],
}


@pytest.mark.parametrize("start", COLLINS_KOO)
def test_collins_and_koo(start):
    expected = dict.fromkeys(COLLINS_KOO[start], 1)
    assert found(parse, TOLD, start) == found(parse_rich, TOLD, start) == expected


def test_prepositional_phrases_of_the_paper():
    expected = {"NP NP PP NP president of U.S.": 1, "NP NP PP NP of U.S.": 1}
    assert found(parse, PRESIDENT, "PP:") == expected


def test_long_distances_are_asked_up_to_forty():
    tree = f"(S (NP (NN a)) {'(X (X x)) ' * 60}(VP (VBD b)))"
    names = found(parse, tree, "distance: S VP NP")
    assert names.keys() == {"=60", *(f">={x}" for x in range(1, 41))}


SECOND_SET = {
    "length:": ["S 6-10", "NP 2", "VP 4", "NP 3", "NP 1", "NP 1", "PP 2"],
    "to-end:": ["S 0", "NP 5", "VP 1", "NP 1", "NP 1", "NP 3", "PP 1"],
    "heavy:": [
        *("S 6-10 0 STOP", "NP 2 5 VBD", "VP 4 1 .", "NP 3 1 .", "NP 1 3 IN", "PP 2 1 ."),
        "NP 1 1 .",
    ],
    "neighbours:": [
        *("S STOP STOP", "NP STOP VBD", "VP NN .", "NP VBD .", "NP VBD IN", "PP NNS .", "NP IN ."),
    ],
    "neighbours-length: NP": ["2 STOP VBD", "3 VBD .", "1 VBD IN", "1 IN ."],
    "neighbour-words: NP": ["STOP saw", "saw .", "saw of", "of ."],
    "edge-tags: NP": ["STOP DT NN VBD", "VBD NNS NNP .", "VBD NNS NNS IN", "IN NNP NNP ."],
    "edge-words:": [
        *("S the .", "NP the dog", "VP saw Rome", "NP cats Rome", "NP cats cats", "PP of Rome"),
        "NP Rome Rome",
    ],
    "left-edge:": [
        *("S STOP the", "NP STOP the", "VP dog saw", "NP saw cats", "NP saw cats", "PP cats of"),
        "NP of Rome",
    ],
    "right-edge:": [
        *("S . STOP", "NP dog saw", "VP Rome .", "NP Rome .", "NP Rome .", "NP cats of"),
        "PP Rome .",
    ],
    "up:": [
        *("NP S TOP", "VP S TOP", "NP VP S", "NP VP S TOP", "NP NP VP", "NP NP VP S"),
        *("PP NP VP", "PP NP VP S", "NP PP NP", "NP PP NP VP"),
    ],
    "head-kinds:": ["PP IN NNP"],
    "head-kind-words:": ["PP of NNP"],
    "rule-tag:": [
        *("VBD TOP -> S", "VBD S -> NP VP .", "NN NP -> DT NN", "VBD VP -> VBD NP"),
        *("NNS NP -> NP PP", "NNS NP -> NNS", "IN PP -> IN NP", "NNP NP -> NNP"),
    ],
    "rule-word:": [
        *("saw TOP -> S", "saw S -> NP VP .", "dog NP -> DT NN", "saw VP -> VBD NP"),
        *("cats NP -> NP PP", "cats NP -> NNS", "of PP -> IN NP", "Rome NP -> NNP"),
    ],
    "rule-content-tag:": ["NNP PP -> IN NP"],
    "rule-content-word:": ["Rome PP -> IN NP"],
    "children:": [
        *("TOP STOP S!", "TOP S! STOP", "S STOP NP", "S NP VP!", "S VP! .", "S . STOP"),
        *("NP STOP DT", "NP DT NN!", "NP NN! STOP", "VP STOP VBD!", "VP VBD! NP", "VP NP STOP"),
        *("NP STOP NP!", "NP NP! PP", "NP PP STOP", "NP STOP NNS!", "NP NNS! STOP"),
        *("PP STOP IN!", "PP IN! NP", "PP NP STOP", "NP STOP NNP!", "NP NNP! STOP"),
    ],
    "children-above: VP NP": ["STOP NP!", "NP! PP", "PP STOP"],
    "children-tags: PP": ["STOP IN! IN", "IN! IN NP NNP", "NP NNP STOP"],
    "trigram-above: VP NP": ["STOP NP! PP", "NP! PP STOP"],
    "word: dog": ["NN", "NN NP", "NN NP S"],
    "word: .": [".", ". S", ". S TOP"],
    "tags:": [
        *("STOP DT NN", "DT NN VBD", "NN VBD NNS", "VBD NNS IN", "NNS IN NNP", "IN NNP ."),
        "NNP . STOP",
    ],
    "projection:": [
        *("the DT NP", "dog NP TOP", "cats NP TOP", "of PP NP", "Rome NP PP", ". . TOP"),
    ],
    "projection-tag:": [
        *("DT DT NP", "NN NP TOP", "NNS NP TOP", "IN PP NP", "NNP NP PP", ". . TOP"),
    ],
    "attached:": ["the DT NP", "dog NP S", "cats NP VP", "of PP NP", "Rome NP PP", ". . S"],
    "head-tree:": [
        "NN | NP -> DT NN!",
        "VBD | VP -> VBD! NP | S -> NP VP! . | TOP -> S!",
        "NNS | NP -> NNS! | NP -> NP! PP",
        "IN | PP -> IN! NP",
        "NNP | NP -> NNP!",
    ],
    "head-tree-word: of": ["| PP -> IN! NP"],
    "between:": [
        *("DT | NP | NN", "NN NP | S | VP VBD", "VBD | VP | NP NP NNS", "NNS NP | NP | PP IN"),
        *("IN | PP | NP NNP", "NNP NP PP NP VP | S | ."),
    ],
    "between-words: cats": ["NNS NP | NP | PP IN of"],
    "right-branch:": ["on", "on", "on", "on", "on", "on", "off", "off"],
    "top-word:": ["S the", "S dog", "S saw", "S cats", "S of", "S Rome", "S ."],
    "top-words:": [
        *("S STOP the", "S the dog", "S dog saw", "S saw cats", "S cats of", "S of Rome"),
        *("S Rome .", "S . STOP"),
    ],
    "head-tags:": ["L VBD NN", "R VBD .", "L NN DT", "R VBD NNS", "R NNS IN", "R IN NNP"],
    "head-tag-word:": ["L VBD dog", "R VBD .", "L NN the", "R VBD cats", "R NNS of", "R IN Rome"],
    "head-word-tag:": ["L saw NN", "R saw .", "L dog DT", "R saw NNS", "R cats IN", "R of NNP"],
    "head-words:": ["L saw dog", "R saw .", "L dog the", "R saw cats", "R cats of", "R of Rome"],
    "head-tags-labels:": [
        *("L S NP VBD NN", "R S . VBD .", "L NP DT NN DT", "R VP NP VBD NNS", "R NP PP NNS IN"),
        "R PP NP IN NNP",
    ],
    "head-words-labels: R PP": ["NP of Rome"],
    "head-tags-three:": ["VBD NN DT", "VBD NNS IN", "NNS IN NNP"],
    "head-word-tag-word:": ["saw NN the", "saw NNS of", "cats IN Rome"],
    "head-words-three:": ["saw dog the", "saw cats of", "cats of Rome"],
    "content-tags:": ["L VBD NN", "R VBD .", "L NN DT", "R VBD NNS", "R NNS NNP", "L NNP IN"],
    "content-tag-word: R NNS": ["Rome"],
    "content-word-tag: R cats": ["NNP"],
    "content-words:": [
        *("L saw dog", "R saw .", "L dog the", "R saw cats", "R cats Rome", "L Rome of"),
    ],
    "content-tags-labels: L PP": ["IN NNP IN"],
    "content-words-labels: L PP": ["IN Rome of"],
    "content-tags-three:": ["VBD NN DT", "VBD NNS NNP", "NNS NNP IN"],
    "content-word-tag-word:": ["saw NN the", "saw NNS Rome", "cats NNP of"],
    "content-words-three:": ["saw dog the", "saw cats Rome", "cats Rome of"],
}


@pytest.mark.parametrize("start", SECOND_SET)
def test_second_set(start):
    expected = {name: SECOND_SET[start].count(name) for name in SECOND_SET[start]}
    assert found(parse_rich, SAW, start) == expected
    assert found(parse, SAW, start) == {}


def test_every_template_has_its_example():
    (features,) = parse_rich(NBest(candidates=[Candidate(SAW)]))
    shown = {name.split()[0] for name in features}
    coordination = {"parallel:", "parallel-length:", "parallel-labels:"}
    assert {start.split()[0] for start in [*COLLINS_KOO, *SECOND_SET]} == shown
    (features,) = parse_rich(NBest(candidates=[Candidate(PETS)]))
    assert {name.split()[0] for name in features} - shown == coordination


def test_coordination():
    shapes = {"NP 1 yes": 2, "NP 2 no": 2, "NP 3 no": 2, "NP 4 no": 2}
    assert found(parse_rich, PETS, "parallel:") == shapes
    assert found(parse_rich, PETS, "parallel-length:") == {"NP +1 inner": 1, "NP -2 last": 1}
    assert found(parse_rich, PETS, "parallel-labels:") == {"NP NP NP": 2}


@pytest.mark.parametrize(
    ("tree", "label", "word"),
    [
        ("(VP (MD will) (VP (VB be) (VP (VBN told) (NP (PRP us)))))", "VP MD VBN", "told"),
        ("(SBAR (IN that) (S (NP (PRP we)) (VP (VBP go))))", "SBAR IN VBP", "go"),
        ("(NP (NP (NNP Ann) (POS 's)) (NN cat))", "NP POS NNP", "Ann"),
        ("(WHPP (IN of) (WHNP (WDT which)))", "WHPP IN WDT", "which"),
    ],
)
def test_content_heads(tree, label, word):
    assert label in found(parse_rich, tree, "head-kinds:")
    assert any(name.startswith(word) for name in found(parse_rich, tree, "rule-content-word:"))


@pytest.mark.parametrize(
    ("tag", "word", "is_closed"),
    [
        *(("VBZ", "is", True), ("VBD", "Had", True), ("VBD", "told", False), ("NN", "is", False)),
        *(("IN", "anything", True), ("PRP$", "her", True), ("CD", "one", False)),
    ],
)
def test_closed_classes(tag, word, is_closed):
    names = found(parse, f"(X ({tag} {word}))", f"rule: X/{word}")
    assert names == ({f"-> {tag}/{word}": 1} if is_closed else {})


def test_labels_lose_function_tags_and_trees_their_traces():
    plain = "(TOP (S (NP (PRP it)) (VP (VBZ is) (-LRB- -LRB-) (NP (NN so)))))"
    full = (
        "( (S-2 (NP-SBJ=1 (PRP it)) (NP (-NONE- *T*)) (VP (VBZ is) (-LRB- -LRB-) "
        "(NP-PRD-1 (NN so) (-NONE- *)))))"
    )
    for extractor in (parse, parse_rich):
        first, *others = (
            extractor(NBest(candidates=[Candidate(text)]))
            for text in (plain, full, plain.replace("TOP", "ROOT"), plain.replace("TOP", "S1"))
        )
        assert all(other == first for other in others)
        assert extractor(NBest(candidates=[Candidate(plain[5:-1])])) == first
