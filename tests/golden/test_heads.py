"""Heads of constituents, worked out by hand from the tables of Collins (1999), appendix A."""

import pytest

from runoff.data.tree import Tree
from runoff.data.treebank.heads import head_child, head_children

EXAMPLES = """\
VP    : ADVP *VBD NP PP
VP    : *MD RB VP
VP    : *TO VP
VP    : VBZ ADVP *VBN NP
VP    : *VP CC VP
VP    : *VP , VP CC VP
VP    : *ADJP PP
NP    : DT JJ *NN
NP    : NNP NNP *NNP CD
NP    : *NNS CC NNS
NP    : NNP *POS
NP    : DT NN *POS
NP    : NP *NN
NP    : *NP PP
NP    : *NP CC NP
NP    : *NP , NP CC NP
NP    : *NP , SBAR
NP    : DT *ADJP
NP    : *$ CD
NP    : DT *JJ
NP    : DT *CD JJ
NP    : *PRP
NP    : DT *VBG
NPB   : DT NN *NN
NML   : NN HYPH *NN
PP    : RB *IN NP
PP    : *TO NP
PP    : *VBG NP
PP    : IN , *IN NP
S     : NP *VP .
S     : S , NP *VP
S     : *S CC S
S     : SBAR , NP *VP
S     : NP *ADJP
SBAR  : *IN S
SBAR  : *WHNP S
SBAR  : RB *IN S
SBAR  : *S
ADJP  : RB *JJ PP
ADJP  : *NN JJ
ADJP  : *JJ CC JJ
ADJP  : *QP JJ
ADVP  : RB *RB
ADVP  : NP *IN
QP    : *RB CD
QP    : *$ CD CD
QP    : *IN CD
QP    : CD *NN CD
WHNP  : *WDT NN
WHPP  : *IN WHNP
WHADVP: *WRB
WHADJP: *WRB JJ
SBARQ : WHNP *SQ .
SQ    : *VBZ NP VP
SINV  : VP *VBD NP
CONJP : RB *RB IN
PRT   : *RP
LST   : *LS :
RRC   : *ADVP PP
CAPTION: NN . *NP .
HEADING: CD *NP
UCP   : '' *ADJP CC NP
INTJ  : , *UH
X     : *SYM NN
X     : *, .
"""


@pytest.mark.parametrize("line", EXAMPLES.splitlines())
def test_the_head_of(line):
    label, children = line.split(":", 1)
    marked = children.split()
    expected = next(n for n, child in enumerate(marked) if child.startswith("*"))
    labels = tuple(child.removeprefix("*") for child in marked)
    assert head_child(label.strip(), labels) == expected


def test_the_heads_of_a_tree():
    text = "(S (NP (DT the) (NN vote)) (VP (VBD was) (ADJP (RB very) (JJ close))) (. .))"
    tree = Tree.parse(text)
    heads = head_children(tree.flat())
    labels = tree.flat().labels
    names = [(labels[n], labels[head]) for n, head in enumerate(heads) if head >= 0]
    assert names == [("S", "VP"), ("NP", "NN"), ("VP", "VBD"), ("ADJP", "JJ")]
    assert all(heads[n] == -1 for n, node in enumerate(tree.nodes()) if node.is_preterminal)


def test_the_heads_of_words_beside_constituents():
    assert head_children(Tree.parse("(X a (NN b) c)").flat()) == [1, -1]
    assert head_children(Tree.parse("(X)").flat()) == [-1]
