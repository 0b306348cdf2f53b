"""Hypothesis strategies for trees and for text that looks like trees."""

from hypothesis import strategies as st

from runoff.data.tree import Tree

SPACES = " \t\n\r\v\f"
PLAIN = st.characters(exclude_categories=["Cs"], exclude_characters=SPACES)
LETTERS = st.sampled_from("abcMW投票é选.,")

labels = st.text(PLAIN.filter(lambda c: c not in "()"), min_size=1, max_size=4) | st.sampled_from(
    ["NP", "-LRB-", "#", "NP-SBJ-1"]
)
words = st.text(PLAIN, min_size=1, max_size=5) | st.sampled_from(
    ["(", ")", "-LRB-", "-RRB(", ")LRB-", "-RRB-LRB-", "#", "a(b", "RB-"]
)
plain_labels = st.sampled_from(["S", "NP", "VBZ", "X"])
plain_words = st.text(LETTERS, min_size=1, max_size=6)


@st.composite
def _node(draw, children, names):
    below = draw(st.lists(children, max_size=4))
    starts_with_word = bool(below) and isinstance(below[0], str)
    label = draw(names if starts_with_word else names | st.just(""))
    return Tree(label, below)


def _trees(names, leaves, size):
    inner = st.recursive(leaves, lambda children: _node(children | leaves, names), max_leaves=size)
    return _node(inner, names)


def trees(size=20):
    """Any tree: odd characters, empty labels and nodes, words beside phrases."""
    return _trees(labels, words, size)


def plain_trees(size=20):
    """Trees of letters, some of them two columns wide, which no label or line looks like."""
    return _trees(plain_labels, plain_words, size)


SCRAPS = [b"(", b")", b" ", b"\n", b"\r", b"\t", b"S", b"a", b"#", b"-LRB-", b"-RRB-", b"RB-", b"-"]
SCRAPS += ["é".encode(), "票".encode(), b"\xc3", b"\xff", b"\xef\xbb\xbf", b"\x00", b"(X y)"]

scraps = st.binary(max_size=40) | st.lists(st.sampled_from(SCRAPS), max_size=30).map(b"".join)

TREEBANK_LABELS = st.sampled_from(
    [*"S NP VP PP SBAR ADJP NML CONJP WHNP QP FRAG X NP-SBJ-1 S=2 -X- = SQ TOP".split(), "", "-"]
)
TREEBANK_TAGS = st.sampled_from(
    "NN NNS VBD VBZ IN TO CC DT MD PRP POS , . : -LRB- -NONE- HYPH JJ RB CD".split()
)
TREEBANK_WORDS = st.sampled_from(
    "dog saw of the The 's is Was , . -LRB- VP -> | / STOP é 票 a/b have x!".split()
)


def treebank_trees(size=16):
    """Trees of phrases, tags and words, as treebanks have them, with odd ones among them."""
    tags = st.builds(lambda tag, word: Tree(tag, [word]), TREEBANK_TAGS, TREEBANK_WORDS)

    def phrases(children):
        below = st.lists(children, min_size=1, max_size=5)
        return st.builds(Tree, TREEBANK_LABELS, below)

    return phrases(st.recursive(tags, phrases, max_leaves=size))
