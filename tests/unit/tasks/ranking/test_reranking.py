"""Fit, rerank, why and evaluate, on the lists that come with the package."""

import importlib
import random
import sys
from pathlib import Path

import msgspec
import numpy as np
import pytest
from helpers.damage import flipped

import runoff as ro
from runoff.errors import FormatError, ModelError, UsageError
from runoff.tasks.ranking import cache as cache_module
from runoff.tasks.ranking import fit as fit_module
from runoff.tasks.ranking.demo import demo_lists
from runoff.tasks.ranking.why import find_list


@pytest.fixture(scope="module")
def train():
    return demo_lists("train")


@pytest.fixture(scope="module")
def test():
    return demo_lists("test")


@pytest.fixture(scope="module")
def reranker(train):
    return ro.fit(train, metric="wer")


def model_bytes(reranker, folder):
    reranker.save(folder / "m.runoff")
    return (folder / "m.runoff").read_bytes()


def test_reranking_beats_the_base_order(reranker, test):
    figures = ro.evaluate(reranker.rerank(test), "wer").figures
    assert figures["picked"]["WER"] < 0.5 * figures["base"]["WER"]
    assert figures["oracle"]["WER"] <= figures["picked"]["WER"]


@pytest.mark.parametrize("by_sum", [False, True])
def test_development_lists_choose_by_the_figure_or_by_summed_qualities(train, test, by_sum):
    fitted = ro.fit(train, dev=test, metric="wer", learner="perceptron", choose_by_sum=by_sum)
    metric = ro.metrics.metric("wer")
    picked = [(nbest.candidates[0].output, nbest.gold) for nbest in fitted.rerank(test)]
    rows = np.concatenate([metric.statistics([output], gold) for output, gold in picked])
    figure = -float(metric.figures(rows.sum(axis=0))["WER"])
    expected = metric.quality(rows).sum() if by_sum else figure
    best = max(row["dev quality"] for row in fitted.ranker.record_["epochs"])
    assert best == pytest.approx(expected)
    assert fitted.training.get("choose_by_sum", False) == by_sum


def test_candidates_only_gain_score_and_rank(reranker, test):
    extra = msgspec.structs.replace(test[0], extra={"speaker": 7}, input={"any": "thing"})
    ranked = reranker.rerank([extra])[0]
    assert (ranked.id, ranked.gold, ranked.input) == (extra.id, extra.gold, extra.input)
    assert ranked.extra.keys() == {"speaker", "confidence"}
    assert ranked.extra["speaker"] == 7
    scores = [c.score for c in ranked.candidates]
    assert scores == sorted(scores, reverse=True)
    back = sorted(ranked.candidates, key=lambda c: c.rank)
    assert [msgspec.structs.replace(c, score=None, rank=None) for c in back] == list(
        extra.candidates
    )


def test_reranking_twice_changes_nothing(reranker, test):
    once = reranker.rerank(test)
    assert reranker.rerank(once) == once


def test_jobs_and_order_of_lists_leave_no_trace(train, reranker, tmp_path):
    shuffled = random.Random(3).sample(train, len(train))
    expected = model_bytes(reranker, tmp_path)
    assert model_bytes(ro.fit(shuffled, metric="wer"), tmp_path) == expected
    assert model_bytes(ro.fit(train, metric="wer", engine=2), tmp_path) == expected
    assert model_bytes(ro.fit(train, metric="wer", seed=1), tmp_path) != expected


def test_streaming_in_parallel_gives_the_same(reranker, test):
    assert list(ro.rerank(reranker, iter(test), engine=2)) == reranker.rerank(test)


def test_saved_and_loaded_scores_are_identical(reranker, test, tmp_path):
    reranker.save(tmp_path / "m.runoff")
    loaded = ro.load(tmp_path / "m.runoff")
    for nbest in test[:20]:
        assert loaded.scores(nbest).tolist() == reranker.scores(nbest).tolist()
    assert loaded.ranker.record_ == reranker.ranker.record_
    loaded.save(tmp_path / "again.runoff")
    assert (tmp_path / "again.runoff").read_bytes() == (tmp_path / "m.runoff").read_bytes()


def test_the_reasons_sum_to_the_difference(reranker, test):
    for nbest in test:
        for over in [None, *range(1, len(nbest))]:
            reasons = ro.why(reranker, nbest, over=over)
            total = sum(term.contribution for term in reasons.terms)
            assert total == pytest.approx(reasons.difference, rel=1e-9, abs=1e-9)
            assert reasons.difference >= 0


def test_the_rival_is_the_base_choice_or_the_runner_up(reranker, test):
    for nbest in test:
        ranked = reranker.rerank([nbest])[0]
        reasons = ro.why(reranker, nbest)
        first = [c.rank for c in ranked.candidates].index(0)
        assert reasons.rival_rank == (first or 1)


def test_reasons_extract_the_features_of_a_list_once(reranker, test):
    seen = []

    def watched(input, candidate):
        seen.append(candidate.output)
        return {"words": len(candidate.output.split())}

    model = ro.fit(test, features=[watched], metric="wer")
    for explain in (ro.why, ro.flip):
        seen.clear()
        explain(model, test[0])
        assert seen == [candidate.output for candidate in test[0].candidates]


def test_why_needs_a_rival(reranker):
    with pytest.raises(UsageError, match="nothing was decided"):
        ro.why(reranker, ro.NBest(1, None, [ro.Candidate("a", -1.0)]))
    two = ro.NBest(1, None, [ro.Candidate("a", -1.0), ro.Candidate("b", -1.0)])
    with pytest.raises(UsageError, match="between 1 and 1, not 2"):
        ro.why(reranker, two, over=2)


def test_lists_are_found_by_id_or_number():
    lists = [ro.NBest("a"), ro.NBest(None), ro.NBest(7), ro.NBest("2")]
    assert find_list(lists, "7") is lists[2]
    assert find_list(lists, "2") is lists[3]
    assert find_list(lists, "3") is lists[2]
    assert find_list(lists[:3], "2") is lists[1]
    with pytest.raises(UsageError, match="no list with the id or number '9'"):
        find_list(lists, "9")


def test_dev_lists_choose_the_epoch(train, test):
    reranker = ro.fit(train, dev=test, metric="wer", learner="perceptron", options={"epochs": 4})
    record = reranker.ranker.record_["epochs"]
    assert [row["epoch"] for row in record] == [1, 2, 3, 4]
    problem = reranker.problem(test)
    measured = ro.evaluate(reranker.rerank(test), "wer").figures["picked"]
    best = max(row["dev quality"] for row in record)
    assert measured["WER"] == -best
    assert problem.n_lists == len(test)


def test_the_base_learner_keeps_the_base_order(train, test):
    ranked = ro.fit(train, learner="base", metric="wer").rerank(test)
    assert all(c.rank == place for nbest in ranked for place, c in enumerate(nbest.candidates))


def test_lists_without_logprobs_go_by_their_order(train):
    def bare(nbest):
        ordered = [nbest.candidates[i] for i in nbest.base_order()]
        candidates = [msgspec.structs.replace(c, logprob=None) for c in ordered]
        return msgspec.structs.replace(nbest, candidates=candidates)

    lists = [bare(nbest) for nbest in train]
    reranker = ro.fit(lists, metric="wer")
    once = reranker.rerank(lists)
    assert reranker.rerank(once) == once  # rank keeps the base order
    with pytest.raises(FormatError, match="fitted on lists without logprobs, and these are with"):
        reranker.rerank(train)
    with pytest.raises(FormatError, match="some lists give every candidate a logprob"):
        ro.fit([*lists[:1], *train], metric="wer")


def test_errors_of_fit(train):
    with pytest.raises(UsageError, match="unknown learner 'perceptrn'"):
        ro.fit(train, learner="perceptrn", metric="wer")
    with pytest.raises(UsageError, match="unknown option of perceptron 'rounds'; choose from"):
        ro.fit(train, metric="wer", learner="perceptron", options={"rounds": 3})
    with pytest.raises(UsageError, match="epochs must be of the type int, not 'many'"):
        ro.fit(train, metric="wer", learner="perceptron", options={"epochs": "many"})
    with pytest.raises(UsageError, match="epochs must be at least 1"):
        ro.fit(train, metric="wer", learner="perceptron", options={"epochs": 0})
    for seed in (-1, 1 << 32):
        with pytest.raises(UsageError, match="a seed must lie between 0 and"):
            ro.fit(train, metric="wer", seed=seed)
        with pytest.raises(UsageError, match="a seed must lie between 0 and"):
            ro.evaluate(ro.fit(train, metric="wer").rerank(train[:3]), "wer", seed=seed)
    for thresholds in ((2, 4), (1, 1), (4, 1)):
        with pytest.raises(UsageError, match="rising whole numbers from 1"):
            ro.fit(train, metric="wer", thresholds=thresholds)
    with pytest.raises(UsageError, match="min_lists must be at least 1"):
        ro.fit(train, metric="wer", min_lists=0)
    with pytest.raises(ro.RunoffError, match="quality"):
        ro.fit(train)
    with pytest.raises(FormatError, match="no lists"):
        ro.fit([], metric="wer")


def test_own_extractors_are_named_but_never_imported(train, tmp_path):
    reranker = ro.fit(train[:20], metric="wer", features=["helpers.user_features:shout"])
    reranker.save(tmp_path / "m.runoff")
    with pytest.raises(ModelError, match="the extractor 'helpers.user_features:shout'") as error:
        ro.load(tmp_path / "m.runoff")
    assert "--features helpers.user_features:shout" in error.value.hint
    loaded = ro.load(tmp_path / "m.runoff", features=["helpers.user_features:shout"])
    assert loaded.scores(train[0]).tolist() == reranker.scores(train[0]).tolist()


@pytest.mark.parametrize("learner", ["perceptron", "maxent", "log-loss", "voted-perceptron"])
@pytest.mark.parametrize("metric", ["bleu", "wer"])
def test_development_figures_are_those_of_the_metric(train, test, tmp_path, learner, metric):
    pytest.importorskip("sacrebleu", reason="the extra `bleu` is not installed")
    files = tmp_path / "train.jsonl", tmp_path / "dev.jsonl"
    ro.write_nbest(train, files[0])
    ro.write_nbest(test, files[1])
    how = {"metric": metric, "learner": learner, "features": "text", "thresholds": (1, 2)}
    how["options"] = {"prior": (0.5, 1.0)} if learner == "maxent" else {}
    fits = [
        ro.fit(files[0], dev=files[1], bins=4, cache=cache, **how)
        for cache in (None, tmp_path / "cache", tmp_path / "cache")
    ]
    assert len({model_bytes(fit, tmp_path) for fit in fits}) == 1
    figures = ro.evaluate(fits[0].rerank(test), metric).figures["picked"]
    expected = next(iter(figures.values())) * (-1 if metric == "wer" else 1)
    chosen_from = fits[0].ranker.record_[
        {"maxent": "prior", "log-loss": "curve"}.get(learner, "epochs")
    ]
    assert max(row["dev quality"] for row in chosen_from) == pytest.approx(expected)


def test_the_cache_saves_extraction(train, tmp_path, monkeypatch):
    file = tmp_path / "train.jsonl"
    ro.write_nbest(train, file)
    first = ro.fit(file, metric="wer", cache=tmp_path / "cache")
    assert len(list((tmp_path / "cache").iterdir())) == 1
    expected = model_bytes(first, tmp_path)
    assert model_bytes(ro.fit(train, metric="wer"), tmp_path) == expected
    with monkeypatch.context() as patch:
        patch.setattr(fit_module, "build_problem", None)  # building again would fail
        again = ro.fit(file, metric="wer", cache=tmp_path / "cache")
    assert model_bytes(again, tmp_path) == expected
    with monkeypatch.context() as patch, pytest.raises(TypeError):
        patch.setattr(fit_module, "build_problem", None)
        ro.fit(file, metric="cer", cache=tmp_path / "cache")


def test_the_cache_sees_when_own_code_changes(train, tmp_path, monkeypatch):
    """An edited metric of the user's own must not be answered with the old qualities."""
    file, cache, module = tmp_path / "train.jsonl", tmp_path / "cache", tmp_path / "a_metric.py"
    ro.write_nbest(train[:40], file)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    models = []
    for body in ("output == gold", "-len(output)"):
        module.write_text(f"def good(output, gold):\n    return {body}\n")
        sys.modules.pop("a_metric", None)
        importlib.invalidate_caches()
        kept = ro.fit(file, metric="a_metric:good", cache=cache)
        models.append(model_bytes(kept, tmp_path))
        assert models[-1] == model_bytes(ro.fit(file, metric="a_metric:good"), tmp_path)
    assert models[0] != models[1]
    assert len(list(cache.iterdir())) == 2


def test_functions_made_on_the_spot_are_not_kept(train, tmp_path):
    file, cache = tmp_path / "train.jsonl", tmp_path / "cache"
    ro.write_nbest(train[:40], file)
    for wanted in ("the", "a"):
        ro.fit(file, metric=lambda output, gold, w=wanted: w in output, cache=cache)
        ro.fit(file, metric="wer", features=[lambda i, c, w=wanted: [w]], cache=cache)
    assert not cache.exists()


def test_the_same_bytes_in_another_format_are_other_lists(train, tmp_path):
    cache = tmp_path / "cache"
    first, second = tmp_path / "train.jsonl", tmp_path / "train.moses"
    ro.write_nbest(train[:40], first)
    ro.fit(first, metric="wer", cache=cache)
    second.write_bytes(first.read_bytes())
    with pytest.raises(FormatError, match="train.moses:1"):
        ro.fit(second, metric="wer", cache=cache)
    with pytest.raises(FormatError, match="train.jsonl:1"):
        ro.fit(first, metric="wer", cache=cache, format="tsv")


def test_a_damaged_cache_is_made_again(train, tmp_path, caplog):
    file, cache = tmp_path / "train.jsonl", tmp_path / "cache"
    ro.write_nbest(train[:20], file)
    expected = model_bytes(ro.fit(file, metric="wer", cache=cache), tmp_path)
    (path,) = cache.iterdir()
    sound = path.read_bytes()
    damaged = [sound[:1000], b""]
    damaged += [flipped(sound, at) for at in range(0, len(sound), len(sound) // 40)]
    for data in damaged:
        path.write_bytes(data)
        caplog.clear()
        assert model_bytes(ro.fit(file, metric="wer", cache=cache), tmp_path) == expected
        assert f"{path} is damaged, so the features are extracted again" in caplog.text
        assert path.read_bytes() == sound


def test_data_is_a_hash_of_the_lists_alone(train, tmp_path):
    def data(lists, **options):
        made = ro.fit(lists, dev=lists[:5], metric=options.pop("metric", "wer"), **options)
        return made.training["data"], made.training["dev data"]

    lists = train[:20]
    file = tmp_path / "train.jsonl"
    ro.write_nbest(lists, file)
    expected = data(lists)
    assert data(lists, bins=3) == data(lists, metric="cer") == expected
    assert data(lists, features="text", min_lists=5, learner="maxent") == expected
    assert data([*lists[:5], *reversed(lists[5:])]) == expected
    for _ in range(2):  # extracted, then from the cache
        kept = ro.fit(file, metric="wer", cache=tmp_path / "cache")
        assert kept.training["data"] == expected[0]
    first = msgspec.structs.replace(lists[0], gold="other words")
    assert data([first, *lists[1:]])[0] != expected[0]


def test_a_cache_that_cannot_be_written_costs_nothing_but_time(train, tmp_path, caplog):
    file, cache = tmp_path / "train.jsonl", tmp_path / "cache"
    ro.write_nbest(train[:20], file)
    cache.write_text("a file where the folder should be")
    ro.fit(file, metric="wer", cache=cache)
    assert "the extracted features are not kept" in caplog.text


def test_the_cache_forgets_what_is_oldest(train, tmp_path, monkeypatch):
    file, cache = tmp_path / "train.jsonl", tmp_path / "cache"
    ro.write_nbest(train[:20], file)
    monkeypatch.setattr(cache_module, "CACHE_BYTES", 1)
    for metric in ("wer", "cer"):
        ro.fit(file, metric=metric, cache=cache)
    assert len(list(Path(cache).iterdir())) == 1


@pytest.mark.parametrize(
    ("learner", "options"),
    [
        ("cascade", {"folds": 1}),
        ("exp-loss", {"rounds": 0}),
        ("log-loss", {"smoothing": (0.1, 0.2)}),
        ("maxent", {"prior": 0.0}),
        ("maxent-rank", {"sampling": "triples"}),
        ("p-norm-push", {"p": 0.5}),
        ("perceptron", {"epochs": 0}),
        ("svm-rank", {"subsets": 0}),
        ("voted-perceptron", {"epochs": 0}),
    ],
)
def test_options_are_refused_before_lists_are_read(learner, options):
    def lists():
        raise AssertionError
        yield

    with pytest.raises(UsageError):
        ro.fit(lists(), learner=learner, metric="wer", options=options)
