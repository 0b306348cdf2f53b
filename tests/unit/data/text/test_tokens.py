"""Tokens as the treebanks have them; the sentences are made up."""

import re

import pytest

from runoff.data.text.tokens import Piece, keep_hyphens, tokenize

# A sentence with a space between its tokens, and `_` where the text has no space there.
SENTENCES = """
We do_ n't know_ , he ca_ n't_ , you_ 'll see_ : it_ 's John_ 's and the mice_ 's_ .
I can_ not go_ ; I_ 'm gon_ na stay_ , wo_ n't I_ ?
IT_ 'S NOT THE VOTERS_ ' CHOICE_ , IS_ N'T IT
We would_ n't_ 've gone in '99
The '50s and O'Brien_ 's ma'am at 5 o'clock
wild_ -_ type and up_ -_ regulated C57BL_ /_ 6J mice
anti-mouse_ , non-coding and co-expressed
a 3-fold_ , two-fold and 1.5-fold change by X-ray or e-mail
micro_ - and nanovesicles
Wnt4_ −_ /_ −_ , Crx_ +_ /_ - and Sox9flox_ /_ Δ mice
Ca2+_ -_ dependent Na+_ /_ K+ pumps
p_ <_ 0.05_ , n_ =_ 5_ , 10_ ±_ 2_ % (_ ~_ 3_ ×_ 106_ )
diluted 1_ :_ 1,000 in 1,234,567.5 ml of .5 M at 37_ °C
as shown [_ 12_ ,_ 13_ ,_ 114_ ] or [_ 101_ ,_ 102_ ]
10_ –_ 20 μm_ , 3_ -_ 6 days_ , 5_ ′_ -_ UTR_ , 3_ ' end
Hill et al. (_ 2005_ )_ , cf. Fig. 1a_ , Figs. 2 and 3_ .
e.g._ , i.e._ , the U.S. and Inc._ , Dr. J. B. Hill vs. E. coli No. 4 etc.
He says no_ .
vitamin D_ .
(_ see vitamin D_ ._ )
the chrom. 5 , or it_ . then we left , chrom._ , and a Ph.D. student in 63 b. c. from Rome
See http://www.votes.org/a-b?c=d/ or www.votes.org_ , mail a.b-c@votes.org_ .
(_ ftp://votes.org/x_ ) doi:10.1000/xyz.123_ .
Call 555-1234 at 7:30 pm or 8:00 on 9/11_ .
Well_ ... wait_ --_ what_ ?! No_ .
“_ Yes_ ”_ , ‘_ he_ ’ and ``_ I_ ''
*_ p and **_ p_ ; role_ (_ s_ )_ ; $_ 5_ ; #_ 3_ ; and_ /_ or
Kcnj10_ , p150CAF_ , E14.5_ , F2_ , HG.CAST_ , 1α_ , μm2
😀_ hello_ 😀_ 😀 naïve café
नमस्ते दुनिया_ । مرحبا_ ، עולם
""".strip().split("\n")


@pytest.mark.parametrize("line", SENTENCES)
def test_tokens(line):
    text = line.replace("_ ", "")
    tokens = tokenize(text)
    assert [token.text for token in tokens] == line.replace("_ ", " ").split()
    assert all(text[token.start : token.end] == token.text for token in tokens)


@pytest.mark.parametrize(
    "line",
    [
        "a three-year-old law_ , first- and second-quarter",
        "U.S.-based voters_ , 10-15 of them",
        "they won - twice -- it_ 's well-known",
        "they won_ --_ twice -_ 5 or ---_ what -",
        "(_ run-off_ )_ -_ day 10_ %_ -_ 20_ %",
    ],
)
def test_hyphens_may_keep_words_together(line):
    text = line.replace("_ ", "")
    tokens = tokenize(Piece(text, 7), hyphens=True)
    assert [token.text for token in tokens] == line.replace("_ ", " ").split()
    assert all(text[token.start - 7 : token.end - 7] == token.text for token in tokens)


def test_places_are_those_of_the_text():
    sentence = Piece("We voted.", 100)
    assert tokenize(sentence) == [Piece("We", 100), Piece("voted", 103), Piece(".", 108)]
    assert tokenize(sentence)[-1].end == sentence.end == 109
    assert tokenize("") == tokenize(" \n\t\u3000") == []


HOSTILE = [
    *"aA1.,-(['’\"\0@?😀票\u0301\u200d\u202e\r\x1c",
    *[
        "1,000",
        "a.",
        "A. ",
        "n't",
        "a'",
        "http://",
        "http://.",
        "www.",
        "a@",
        "a@a.",
        "anti-",
        "1-",
    ],
    *["e\u0301", "a..", "9/11", "10.1000/.", "א ", ",000", "''", "can", "--.", "x\x00"],
]
RUNS = ["a", ".", "1", "é", "a.", ",000", "http://", "n't", "e\u0301", "'", "\0"]


@pytest.mark.parametrize(
    ("scrap", "size"), [(s, 50_000) for s in HOSTILE] + [(s, 1_000_000) for s in RUNS], ids=ascii
)
def test_the_same_again_and_again(scrap, size):
    """Comes to an end, which it would not if time grew with the square of the length."""
    text = scrap * (size // len(scrap))
    for hyphens in (False, True):
        found = "".join(token.text for token in tokenize(text, hyphens=hyphens))
        assert found == re.sub(r"\s", "", text)


def test_sentences_say_whether_hyphens_keep_words_together():
    assert keep_hyphens([["a", "run-off", "-"], ["long-term"]])
    assert not keep_hyphens([["a", "run", "-", "off"], ["long-term"]])
    assert not keep_hyphens([["-LRB-", "--"]])
