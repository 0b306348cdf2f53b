"""Chunks read off trees: the cases of Tjong Kim Sang and Buchholz (2000), section 3, on our trees.

Expected chunks were written by hand, type by type, from what the section says.
"""

from itertools import pairwise

import pytest
from helpers.strategies.trees import treebank_trees, trees
from hypothesis import given

from runoff.data.sentence import Sentence
from runoff.data.tagged import write_tagged
from runoff.data.tree import Tree
from runoff.data.treebank.chunks import TYPES, chunks_of, read_chunked

CASES = {
    "a noun phrase up to its head": (
        "(S (NP (NP (DT the) (JJ old) (NN vote)) (PP (IN of) (NP (NNP May)))) (VP (VBD won)))",
        "[NP the old vote] [PP of] [NP May] [VP won]",
    ),
    "possessives begin at the marker": (
        "(NP (NP (NP (NNP Ann) (POS 's)) (NN son) (POS 's)) (JJ big) (NN vote))",
        "[NP Ann] [NP 's son] [NP 's big vote]",
    ),
    "possessives without brackets inside": (
        "(NP (NNP Ann) (POS 's) (NN vote))",
        "[NP Ann] [NP 's vote]",
    ),
    "a possessive alone": ("(PP (IN at) (NP (NNP Ann) (POS 's)))", "[PP at] [NP Ann] [NP 's]"),
    "adjectives and adverbs inside noun phrases": (
        "(NP (DT a) (ADJP (RBS most) (JJ open)) (ADVP (RB now)) (NN vote))",
        "[NP a most open now vote]",
    ),
    "an adjective as the head of nouns": (
        "(NP (DT the) (ADJP (RB very) (JJ rich)))",
        "[NP the very rich]",
    ),
    "an adjective after its noun": (
        "(NP (NN something) (ADJP (RB very) (JJ odd)))",
        "[NP something] [ADJP very odd]",
    ),
    "numbers": (
        "(NP (QP (JJR more) (IN than) ($ $) (CD 3) (CC or) (CD 4)) (NNS votes))",
        "[NP more than $ 3 or 4 votes]",
    ),
    "flat coordination is one chunk": (
        "(NP (NNS cats) (, ,) (NNS dogs) (CC and) (NNS birds))",
        "[NP cats , dogs and birds]",
    ),
    "coordinated phrases are several": (
        "(NP (NP (DT a) (NN cat)) (CC and) (NP (DT a) (NN dog)))",
        "[NP a cat] and [NP a dog]",
    ),
    "coordination of a phrase and words": (
        "(NP (NP (NP (NNP Ann) (POS 's)) (NNS cats)) (CC and) (JJ other) (NNS dogs))",
        "[NP Ann] [NP 's cats] and [NP other dogs]",
    ),
    "adverbs before a noun phrase in brackets": (
        "(NP (RB only) (NP (DT the) (NN vote)) (PP (IN of) (NP (PRP us))))",
        "[NP only the vote] [PP of] [NP us]",
    ),
    "auxiliaries and infinitives": (
        "(S (NP (PRP we)) (VP (MD may) (RB not) (VP (VB want) (S (VP (TO to) (VP (VB sell)"
        " (NP (PRP it))))))))",
        "[NP we] [VP may not want to sell] [NP it]",
    ),
    "an infinitive with a subject": (
        "(VP (VBP want) (S (NP (PRP us)) (VP (TO to) (VP (VB vote)))))",
        "[VP want] [NP us] [VP to vote]",
    ),
    "adverbs before the main verb": (
        "(VP (MD could) (ADVP (RB very) (RB well)) (VP (VB show) (ADVP (RB now))))",
        "[VP could very well show] [ADVP now]",
    ),
    "predicative adjectives": (
        "(S (NP (PRP they)) (VP (VBP are) (RB not) (ADJP (RB so) (JJ sad))))",
        "[NP they] [VP are] not [ADJP so sad]",
    ),
    "not outside the verb phrase": (
        "(VP (VBD told) (NP (PRP us)) (S (RB not) (VP (TO to) (VP (VB go)))))",
        "[VP told] [NP us] not [VP to go]",
    ),
    "inverted sentences": (
        "(SINV (CONJP (RB not) (RB only)) (VBZ does) (NP (PRP it)) (VP (VB have) (S (VP (TO to)"
        " (VP (VB be) (ADJP (JJ good)))))))",
        "[CONJP not only] does [NP it] [VP have to be] [ADJP good]",
    ),
    "verbs one after the other": (
        "(S (NP (NP (DT the) (NN view)) (SBAR (S (NP (PRP I)) (VP (VBD got))))) (VP (VBZ is)"
        " (SBAR (S (NP (PRP they)) (VP (VBP love) (S (VP (TO to) (VP (VB go) (PRT (RP away)))))))))"
        " (. .))",
        "[NP the view] [NP I] [VP got] [VP is] [NP they] [VP love to go] [PRT away] .",
    ),
    "coordinated verbs": ("(VP (VBD ran) (CC and) (VBD won) (NP (NNS votes)))",
                          "[VP ran and won] [NP votes]"),
    "coordinated verb phrases": (
        "(VP (MD will) (VP (VP (VB run) (ADVP (RB now))) (CC and) (VP (VB win))))",
        "[VP will run] [ADVP now] and [VP win]",
    ),
    "a complement between auxiliaries": (
        "(VP (VBZ has) (PP (IN in) (NP (NN part))) (VP (VBN gone)))",
        "[VP has] [PP in] [NP part] [VP gone]",
    ),
    "a noun in place of a verb": ("(VP (NN vote) (ADVP (RB now)))", "[VP vote] [ADVP now]"),
    "measures before adverbs": (
        "(ADVP (NP (DT a) (NN year)) (RBR earlier))", "[NP a year] [ADVP earlier]"
    ),
    "measures before adjectives": (
        "(ADJP (NP (CD 68) (NNS years)) (JJ old))", "[NP 68 years] [ADJP old]"
    ),
    "adverbs in adjectives": (
        "(ADJP (ADVP (RB so) (RB very)) (JJ big) (PP (IN for) (NP (PRP us))))",
        "[ADJP so very big] [PP for] [NP us]",
    ),
    "several prepositions": (
        "(PP (JJ such) (IN as) (NP (PRP us)))", "[PP such as] [NP us]"
    ),
    "coordinated prepositions": (
        "(PP (IN in) (CC and) (IN out) (NP (NN town)))", "[PP in and out] [NP town]"
    ),
    "a modified preposition": ("(PP (RB just) (IN after) (NP (CD two)))",
                               "[PP just after] [NP two]"),
    "a modified preposition in brackets": ("(PP (RB just) (PP (IN after) (NP (CD two))))",
                                           "[PP just after] [NP two]"),
    "a preposition of a preposition": ("(PP (IN from) (PP (IN under) (NP (PRP us))))",
                                       "[PP from] [PP under] [NP us]"),
    "a gerund": ("(PP (IN of) (S (VP (VBG going) (NP (NN home)))))",
                 "[PP of] [VP going] [NP home]"),
    "complementizers": (
        "(SBAR (RB even) (IN if) (S (NP (PRP we)) (VP (VBP go))))",
        "[SBAR even if] [NP we] [VP go]",
    ),
    "question words": (
        "(SBARQ (WHNP (WHADJP (WRB how) (JJ many)) (NNS votes)) (SQ (VBP do) (NP (PRP we))"
        " (VP (VB need))) (. ?))",
        "[NP how many votes] do [NP we] [VP need] ?",
    ),
    "other question words": (
        "(SBAR (WHADVP (WRB when)) (S (NP (PRP we)) (VP (VBP go) (PP (IN to) (SBAR"
        " (WHPP (IN for) (WHNP (WP whom))))))))",
        "[ADVP when] [NP we] [VP go] [PP to] [PP for] [NP whom]",
    ),
    "conjunctions of several words": (
        "(NP (NP (NNS cats)) (CONJP (RB as) (RB well) (IN as)) (NP (NNS dogs)))",
        "[NP cats] [CONJP as well as] [NP dogs]",
    ),
    "particles": ("(VP (VBD gave) (PRT (RP up)) (NP (PRP it)))", "[VP gave] [PRT up] [NP it]"),
    "interjections": ("(S (INTJ (UH oh) (, ,) (UH no)) (. !))", "[INTJ oh , no] !"),
    "list marks": ("(S (LST (LS 1) (. .)) (VP (VB vote)))", "[LST 1] . [VP vote]"),
    "unlike phrases": (
        "(NP (NP (NNP Ann) (POS 's)) (UCP (NN tax) (CC and) (JJ new)) (NNS votes))",
        "[NP Ann] [NP 's tax and new votes]",
    ),
    "unlike phrases by themselves": ("(UCP (NN tax) (CC and) (JJ new))", "[UCP tax and new]"),
    "quotes and brackets at the edges": (
        "(S (NP (`` ``) (DT the) (`` ``) (JJ cold) ('' '') (NN vote) ('' '')) (PRN (-LRB- -LRB-)"
        " (NP (NNP Ann)) (-RRB- -RRB-)))",
        "`` [NP the `` cold '' vote] '' ( [NP Ann] )",
    ),
    "fragments": ("(FRAG (NN vote) (NP (CD 2)))", "vote [NP 2]"),
    "punctuation alone": ("(NP (. .))", "."),
    "a word below no tag": ("(S (NP the (NN vote)) now)", "the [NP vote] now"),
}  # fmt: skip


def bracketed(tree):
    words = list(tree.words)
    for kind, span in chunks_of(tree):
        words[span.start] = f"[{kind} {words[span.start]}"
        words[span.end - 1] += "]"
    return " ".join(words)


@pytest.mark.parametrize(("tree", "expected"), CASES.values(), ids=CASES)
def test_chunks_are_those_of_the_shared_task(tree, expected):
    assert bracketed(Tree.parse(f"(TOP {tree})")) == expected


def test_every_type_is_among_the_cases():
    found = {kind for tree, _ in CASES.values() for kind, _ in chunks_of(Tree.parse(tree))}
    assert found == set(TYPES.values())


@given(treebank_trees() | trees())
def test_chunks_do_not_overlap_and_are_within_a_phrase_of_their_type(tree):
    chunks = chunks_of(tree)
    assert all(a.span.end <= b.span.start for a, b in pairwise(chunks))
    phrases = [(TYPES.get(node.label), node.span) for node in tree.nodes()]
    for kind, span in chunks:
        assert span.start < span.end
        assert any(
            kind == own and around.start <= span.start and span.end <= around.end
            for own, around in phrases
        )


def test_treebanks_are_read_in_the_notation_of_penn(tmp_path):
    file = tmp_path / "votes.mrg"
    file.write_text(
        "( (S (NP-SBJ (NML (NN tax) (NN cut)) (NNS votes)) (VP (VBD went) (PP-DIR (IN to)"
        " (NP (PRP us))) (NP (-NONE- *T*)))))\n( (SU /))\n"
    )
    (sentence,) = read_chunked(file)
    assert sentence.words == ("tax", "cut", "votes", "went", "to", "us")
    assert sentence.tags == ("NN", "NN", "NNS", "VBD", "TO", "PRP")
    assert sentence.gold == ("B-NP", "I-NP", "I-NP", "B-VP", "B-PP", "B-NP")


def test_columns_are_read_as_they_are(tmp_path):
    sentence = Sentence(("we", "vote"), ("PRP", "VBP"), ("S-NP", "S-VP"))
    write_tagged([sentence], tmp_path / "votes.tsv")
    assert list(read_chunked(tmp_path / "votes.tsv")) == [sentence]


def test_a_deep_tree_has_chunks():
    deep = "(VP (MD may) " * 5000 + "(VB vote)" + ")" * 5000
    (chunk,) = chunks_of(Tree.parse(deep))
    assert chunk.span == (0, 5001)
