"""N-gram models equal their slow twin, and are what models of sentences must be."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twins import ngrams as twin

from runoff.ngrams.arpa import read_arpa, write_arpa
from runoff.ngrams.estimate import estimate

WORDS = st.sampled_from("a b c d e f".split())
SENTENCES = st.lists(st.lists(WORDS, max_size=7), min_size=1, max_size=25)
ASKED = st.lists(st.sampled_from("a b c d e f new".split()), max_size=7)
ORDERS = st.integers(1, 6)


@given(SENTENCES, ORDERS, ASKED)
def test_estimates_and_scores_equal_those_of_the_twin(sentences, order, asked):
    model = estimate(sentences, order).model
    p, backoffs = twin.estimate(sentences, order)
    names = model.vocabulary.strings()
    for grams, own in zip(model.grams(), model.orders, strict=True):
        found = {
            tuple(names[i] for i in gram): x for gram, x in zip(grams.tolist(), own[2], strict=True)
        }
        assert found.keys() == {gram for gram in p if len(gram) == grams.shape[1]}
        for gram, x in found.items():
            assert x == pytest.approx(math.log10(p[gram]), abs=1e-6)
    expected = twin.log_scores(p, backoffs, order, asked)
    assert model.word_scores(asked).tolist() == pytest.approx(expected, abs=1e-5)
    assert model.score(asked) == pytest.approx(sum(expected), abs=1e-4)


@given(SENTENCES, ORDERS, ASKED)
def test_probabilities_after_any_context_sum_to_one(sentences, order, context):
    model = estimate(sentences, order).model
    scores = model.next_scores(context)
    scores[1] = -math.inf  # the begin of a sentence follows nothing
    assert np.exp(scores).sum() == pytest.approx(1, abs=1e-5)


@given(SENTENCES, ORDERS, ASKED, ASKED, ASKED)
def test_equal_states_have_equal_futures(sentences, order, one, other, future):
    model = estimate(sentences, order).model

    def after(words, state):
        scores = []
        for word in words:
            score, state = model.step(state, word)
            scores.append(score)
        return scores, state

    first, second = after(one, model.start)[1], after(other, model.start)[1]
    if one[-5:] == other[-5:] and len(one) >= 5 <= len(other):
        assert first == second
    if first == second:
        assert hash(first) == hash(second)
        assert after(future, first)[0] == after(future, second)[0]
    assert len(first.words) < order
    assert first != one


@settings(deadline=None, max_examples=40)
@given(SENTENCES, ORDERS, ASKED, st.randoms(use_true_random=False))
def test_pruned_files_keep_their_probabilities(tmp_path_factory, sentences, order, asked, chance):
    """An n-gram may be missing whose extensions are there: programs that prune leave them out."""
    path = tmp_path_factory.mktemp("arpa") / "pruned.arpa"
    made = estimate(sentences, order).model
    write_arpa(made, path)
    assert all(
        a.tobytes() == b.tobytes()
        for one, other in zip(made.orders, read_arpa(path).orders, strict=True)
        for a, b in zip(one, other, strict=True)
    )
    p, backoffs = {}, {}
    for n, section in enumerate(path.read_text().split("-grams:\n")[1:], 1):
        for line in filter(None, section.split("\\")[0].splitlines()):
            weight, text, *more = line.split("\t")
            if n == 1 or chance.random() < 0.6:
                gram = tuple(text.split())
                p[gram] = 10 ** float(weight)
                backoffs |= dict.fromkeys([gram] * len(more), 10 ** float(more[0] if more else 0))
    path.write_text(arpa_text(p, backoffs, order))
    model = read_arpa(path)
    expected = twin.log_scores(p, backoffs, order, asked)
    assert model.word_scores(asked).tolist() == pytest.approx(expected, abs=1e-5)


def arpa_text(p, backoffs, order):
    grams = {n: [gram for gram in p if len(gram) == n] for n in range(1, order + 1)}
    lines = ["\\data\\", *(f"ngram {n}={len(own)}" for n, own in grams.items()), ""]
    for n, own in grams.items():
        lines.append(f"\\{n}-grams:")
        for gram in own:
            back = f"\t{math.log10(backoffs[gram])!r}" if gram in backoffs else ""
            lines.append(f"{math.log10(p[gram])!r}\t{' '.join(gram)}{back}")
        lines.append("")
    return "\n".join([*lines, "\\end\\", ""])


@given(SENTENCES, st.lists(ASKED, max_size=12))
def test_threads_change_nothing(sentences, asked):
    model = estimate(sentences, 3).model
    assert (model.scores(asked, threads=3) == model.scores(asked)).all()
