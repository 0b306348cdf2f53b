"""Kernel perceptrons, from lists to a model that says why."""

import pickle

import numpy as np
import pytest
from helpers.made.lists import attachments

import runoff as ro
from runoff.errors import UsageError
from runoff.fitting.run import Run
from runoff.learners.kernels.tree_kernel import TreeKernel

SENTENCES = [  # names are capitalised, and are not the first word
    (["Then", "Ann", "won"], ["O", "B", "O"]),
    (["Yet", "Bob", "Lee", "lost"], ["O", "B", "I", "O"]),
    (["Now", "Eve", "won"], ["O", "B", "O"]),
]


def taggings():
    lists = []
    for number, (words, gold) in enumerate(SENTENCES):
        wrong = ["B", *gold[1:]]
        candidates = [ro.Candidate(wrong, -1.0), ro.Candidate(gold, -1.1)]
        lists.append(ro.NBest(number, words, candidates, gold=gold))
    return lists


def fitted(lists, learner="tree-kernel", features="tree", metric="exact", **options):
    options = {"epochs": 5, **options}
    return ro.fit(lists, learner=learner, features=features, metric=metric, options=options)


@pytest.mark.parametrize("form", ["plain", "averaged", "voted"])
@pytest.mark.parametrize("normalised", [False, True])
@pytest.mark.parametrize("features", ["tree", "lexical-tree"])
def test_what_tells_attachments_apart_is_learned(features, normalised, form):
    lists = attachments()
    beta = 0.01 if normalised else 0.2
    model = fitted(lists, features=features, form=form, normalised=normalised, beta=beta)
    for nbest, ranked in zip(lists, model.rerank(lists), strict=True):
        assert ranked.candidates[0].output == nbest.gold


@pytest.mark.parametrize("shapes", [False, True])
@pytest.mark.parametrize("form", ["plain", "averaged", "voted"])
def test_names_are_learned(form, shapes):
    lists = taggings()
    model = fitted(lists, "tagging-kernel", "tagging", form=form, shapes=shapes)
    new = ro.NBest(
        "new",
        ["But", "Kim", "left"],
        [ro.Candidate(["B", "B", "O"], -1.0), ro.Candidate(["O", "B", "O"], -1.5)],
    )
    assert model.rerank([new])[0].candidates[0].output == ["O", "B", "O"]


@pytest.mark.parametrize("form", ["plain", "averaged"])
def test_reasons_are_updates_and_sum_to_the_difference(form):
    lists = attachments()
    model = fitted(lists, form=form)
    reasons = ro.why(model, lists[0])
    assert sum(term.contribution for term in reasons.terms) == pytest.approx(reasons.difference)
    assert reasons.note is None
    sizes = [abs(term.contribution) for term in reasons.terms]
    assert sizes == sorted(sizes, reverse=True)
    first = next(term for term in reasons.terms if term.feature != "log-probability")
    assert first.feature.startswith("(")
    assert "(P of)" in first.feature
    assert "in update" in first.feature
    assert ro.flip(model, lists[0]).new_winner is not None


def test_reasons_of_normalised_kernels_may_be_what_all_candidates_have():
    """Candidates of another size weigh the fragments that they share differently."""
    small, large = "(S (A a))", "(S (A a) (B b) (C c) (D d))"
    outputs = [ro.Candidate(large, -1.0), ro.Candidate(small, -1.0)]
    lists = [ro.NBest(number, None, outputs, gold=small) for number in range(4)]
    known = [
        ro.NBest(f"x{i}", None, [ro.Candidate("(X (E e))", -1.0)], gold=small) for i in range(4)
    ]
    model = fitted([*lists, *known], form="averaged", normalised=True, beta=0.0)
    longer = [ro.Candidate(f"(X (A a) {more})", -1.0) for more in ("(E e)", "(E e) (E e) (E e)")]
    reasons = ro.why(model, ro.NBest("new", None, longer))
    assert sum(term.contribution for term in reasons.terms) == pytest.approx(reasons.difference)
    (first, *_) = (term for term in reasons.terms if term.feature != "log-probability")
    assert first.contribution > 0
    assert first.feature.startswith("(A a) in update")


def test_votes_are_explained_by_the_mean_of_scores():
    lists = attachments()
    voted, averaged = (fitted(lists, form=form) for form in ("voted", "averaged"))
    reasons, same = ro.why(voted, lists[0]), ro.why(averaged, lists[0])
    assert "mean of the voters" in reasons.note
    assert [term.feature for term in reasons.terms] == [term.feature for term in same.terms]
    assert reasons.difference == pytest.approx(same.difference)
    assert sum(term.contribution for term in reasons.terms) == pytest.approx(reasons.difference)
    with pytest.raises(UsageError, match="a vote hangs on no terms"):
        ro.flip(voted, lists[0])


@pytest.mark.parametrize("shapes", [False, True])
def test_reasons_of_taggings_are_runs_of_tags(shapes):
    lists = taggings()
    model = fitted(lists, "tagging-kernel", "tagging", form="averaged", shapes=shapes)
    reasons = ro.why(model, lists[1])
    assert sum(term.contribution for term in reasons.terms) == pytest.approx(reasons.difference)
    names = [term.feature for term in reasons.terms]
    assert any(name.startswith("O ") and "in update" in name for name in names) != shapes
    assert any("/O" in name and "shape=" in name for name in names) == shapes


def test_a_saved_model_has_the_labels_of_its_trees_alone(tmp_path):
    lists = attachments()
    model = fitted(lists)
    model.save(tmp_path / "m.runoff")
    again = ro.load(tmp_path / "m.runoff")
    assert again.rerank(lists) == model.rerank(lists)
    assert pickle.loads(pickle.dumps(again)).rerank(lists) == model.rerank(lists)
    assert ro.why(again, lists[0]) == ro.why(model, lists[0])
    labels = again.ranker.support().trees.labels
    assert set(labels.tolist()) == set(range(len(again.space)))


@pytest.mark.parametrize("form", ["plain", "averaged", "voted"])
def test_a_saved_model_of_a_normalised_kernel_scores_as_before(form, tmp_path):
    """The norm of a candidate depends on all labels, also on those that no update has."""
    lists = attachments()
    alone = [ro.Candidate("(S (X (Y y)) (Z z))", -1.0)]
    easy = [ro.NBest(f"easy {number}", None, alone, gold="(S s)") for number in range(8)]
    model = fitted([*lists, *easy], form=form, normalised=True, beta=0.01)
    model.save(tmp_path / "m.runoff")
    labels = model.ranker.support().trees.labels
    assert not {model.space.names.index("Y"), model.space.names.index("y")} & set(labels.tolist())
    gold, wrong = (lists[0].candidates[place].output for place in (0, 1))
    mixed = [f"(S {gold} (X (Y y)))", f"(S {wrong} (X (Y y)))", gold, wrong]
    asked = ro.NBest("new", None, [ro.Candidate(output, -1.0) for output in mixed])
    again = ro.load(tmp_path / "m.runoff")
    assert again.scores(asked).tolist() == model.scores(asked).tolist()


def test_chunks_are_pooled():
    lists = attachments(24)
    model = fitted(lists, chunks=4, epochs=2)
    support = model.ranker.support()
    assert len(support.starts) == 5
    assert support.survivals.sum() == 48
    assert model.scores(lists[0]).sum() == pytest.approx(1)


def test_progress_counts_steps():
    lists, steps = attachments(12), []
    problem = fitted(lists).problem(lists)
    object.__setattr__(problem, "qualities", np.tile([0.0, 1.0], 12))
    TreeKernel(epochs=2).fit(problem, run=Run(progress=steps.append))
    assert (steps[-1].done, steps[-1].total) == (24, 24)


def test_words_that_no_training_list_had_are_unknown():
    model = fitted(attachments())
    other = [ro.Candidate("(S (NP we) (XX (of of)))", -1.0), ro.Candidate("(of)", -2.0)]
    assert len(model.scores(ro.NBest("new", None, other))) == 2


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"form": "vote"}, "unknown form 'vote'"),
        ({"beta": -1.0}, "beta must be at least 0, not -1"),
        ({"lam": 1.5}, "lam must be above 0 and at most 1"),
        ({"epochs": 0}, "epochs must be at least 1"),
        ({"chunks": -1}, "chunks must be at least 0"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, complaint):
    with pytest.raises(UsageError, match=complaint):
        fitted(attachments(2), **options)


def test_taggings_that_do_not_fit_are_named():
    wrong = [ro.NBest("bad", ["a", "b"], [ro.Candidate(["O"], -1.0)], gold=["O"])]
    with pytest.raises(ro.RunoffError, match=r"list 'bad', candidate 0.*1 tags for 2 words"):
        fitted([*taggings(), *wrong], "tagging-kernel", "tagging")


def test_kernels_that_are_too_large_say_what_to_do():
    deep = "(A (B x) " * 1200 + "(B x)" + ")" * 1200
    lists = [ro.NBest(1, None, [ro.Candidate("(A x)", -1.0), ro.Candidate(deep, -2.0)], gold=deep)]
    with pytest.raises(UsageError, match="too large for a number") as error:
        fitted(lists * 3, lam=1.0)
    assert "lower lam" in str(error.value)
