"""Plots: real files of records made up here; what is in them, and that equal ones are equal."""

import math
import sys
import xml.etree.ElementTree as ET

import numpy as np
import pytest

import runoff as ro
from runoff.errors import MissingExtraError, ModelError, UsageError
from runoff.fitting.record import FOR_PLOTS, drawn_steps
from runoff.report.curves import Best, find_curves, read_record
from runoff.report.figure import draw_curves
from runoff.report.plot import plot_models, plot_record, plot_records
from runoff.store import file as store
from runoff.tasks.ranking.demo import demo_lists

STARTS = {".svg": b"<?xml", ".png": b"\x89PNG", ".pdf": b"%PDF"}
EPOCHS = {
    "epochs": [{"epoch": float(n), "wrong": 90.0 / n, "dev quality": 8 - 3.0 / n} for n in (1, 2)]
}


def boosting(*smoothings, dev=True, height=2.0):
    """A record like those of the boosting learners."""
    curve, table = [], []
    for smoothing in smoothings:
        for n in range(1, 61):
            relative = 100 + height * (1 - math.exp(-n / 20)) - 0.01 * n
            row = {"smoothing": smoothing, "round": n * 10.0, "loss": 500 / n}
            quality = {"dev quality": 8 * relative, "relative": relative} if dev else {}
            curve.append(row | quality | {"features": float(n), "work": n**0.5})
        if dev:
            best = max(curve[-60:], key=lambda row: row["relative"])
            best = {"best round": best["round"] + 3, "relative": best["relative"] + 0.01}
            table.append({"smoothing": smoothing, **best})
    savings = [{"from": 1.0, "to": 10.0, "savings": 48.6}]
    return {"curve": curve, "smoothing": table, "savings": savings}


def texts(path):
    """Every text in an SVG file."""
    return {"".join(one.itertext()).strip() for one in ET.parse(path).iter() if "text" in one.tag}


@pytest.mark.parametrize("suffix", [*STARTS, ".SVG"])
def test_equal_records_give_equal_files(tmp_path, suffix):
    first, second = tmp_path / f"a{suffix}", tmp_path / f"b{suffix}"
    for path in (first, second):
        plot_record(boosting(0.0025, 0.001), path)
    assert first.read_bytes() == second.read_bytes()
    assert first.read_bytes().startswith(STARTS[suffix.lower()])
    assert len(list(tmp_path.iterdir())) == 2


def test_a_boosting_record_has_its_five_panels(tmp_path):
    plot_record(boosting(0.0001, 0.0025), tmp_path / "a.svg")
    found = texts(tmp_path / "a.svg")
    assert {"Quality on the development lists", "base order = 100"} <= found
    assert {"Training loss", "Features in the model", "Work(n)", "Savings(n)", "rounds"} <= found
    best = "101.349 at round 463"
    assert {f"smoothing 0.0001: {best}", f"smoothing 0.0025: {best}"} <= found


def test_one_curve_needs_no_name(tmp_path):
    plot_record(boosting(0.0025), tmp_path / "a.svg")
    assert "101.349 at round 463" in texts(tmp_path / "a.svg")
    plot_record(boosting(0.0025, dev=False), tmp_path / "b.svg")
    found = texts(tmp_path / "b.svg")
    assert "Training loss" in found
    assert not any("smoothing" in text or "development" in text for text in found)


def test_other_learners_show_what_they_have(tmp_path):
    plot_record(EPOCHS, tmp_path / "a.svg")
    found = texts(tmp_path / "a.svg")
    assert {"Quality on the development lists", "Mistakes in training", "epochs"} <= found
    assert "6.500 at epoch 2" in found
    plot_record({"iterations": [{"iteration": 1.0, "gradient": 1e-12}]}, tmp_path / "b.svg")
    assert {"gradient", "iterations"} <= texts(tmp_path / "b.svg")


def test_several_records_in_one_plot(tmp_path):
    """Weighted against unweighted, as in Figure 7 of Collins & Koo; any label will do."""
    records = {"weighted": boosting(0.1, 0.2), "_not $w_1$ 无": boosting(0.1, height=1.5)}
    plot_records(records, tmp_path / "a.svg")
    found = texts(tmp_path / "a.svg")
    assert "weighted, smoothing 0.1: 101.349 at round 463" in found
    assert any(text.startswith("_not $w_1$ 无: 100.") for text in found)
    plot_records(records | {"perceptron": EPOCHS}, tmp_path / "b.png")
    plot_records(records | {"perceptron": EPOCHS}, tmp_path / "b.svg")
    assert "epochs or rounds" in texts(tmp_path / "b.svg")


def test_the_best_round_is_the_learners_or_the_last_of_equals():
    (curve,) = find_curves({"": boosting(0.5)})
    assert curve.best == Best("relative", 463.0, pytest.approx(101.349, abs=1e-3))
    rows = [{"epoch": float(n), "dev quality": q} for n, q in enumerate([1.0, 3.0, 3.0, 2.0])]
    (curve,) = find_curves({"": {"epochs": rows}})
    assert curve.best == Best("dev quality", 2.0, 3.0)
    rows[:] = [{"epoch": 1.0, "dev quality": math.nan}]
    assert find_curves({"": {"epochs": rows}})[0].best is None


def test_where_quality_is_minus_errors_the_ratio_is_not_drawn():
    """Half the errors of the base order are a ratio of 50, and better than 100."""
    rows = [{"round": 1.0, "dev quality": -60.0, "relative": 100.0}]
    rows.append({"round": 2.0, "dev quality": -30.0, "relative": 50.0})
    (curve,) = find_curves({"": {"curve": rows}})
    assert curve.best == Best("dev quality", 2.0, -30.0)
    assert "relative" not in curve.lines


def test_the_development_curve_has_every_step_that_the_record_keeps():
    record = boosting(0.5, 0.25)
    fine = [
        {"smoothing": s, "round": float(n), "dev quality": 800 + s, "relative": 100 + s}
        for s in (0.5, 0.25)
        for n in range(1, 601)
    ]
    first, second = find_curves({"": record | {FOR_PLOTS: fine}})
    assert (first.label, second.label) == ("smoothing 0.5", "smoothing 0.25")
    assert first.lines["relative"].steps == [float(n) for n in range(1, 601)]
    assert set(second.lines["relative"].values) == {100.25}
    assert len(first.lines["loss"].steps) == 60
    assert "dev quality" not in first.lines


def test_a_record_whose_tables_disagree_is_drawn_all_the_same(tmp_path):
    fine = [{"epoch": 1.0, "dev quality": 1.0}]
    rows = [{"round": 1.0, "dev quality": 1.0}, {"epoch": 2.0, "dev quality": 2.0}]
    plot_record({"curve": rows, FOR_PLOTS: fine}, tmp_path / "a.svg")
    assert "rounds" in texts(tmp_path / "a.svg")


def test_every_prior_has_its_curve():
    rows = [{"prior": s, "iteration": float(n), "loss": s * n} for s in (1.0, 2.0) for n in (1, 2)]
    first, second = find_curves({"": {"iterations": rows, "prior": [{"prior": 1.0}]}})
    assert (first.label, second.label) == ("prior 1", "prior 2")
    assert (first.lines["loss"].values, second.lines["loss"].values) == ([1.0, 2.0], [2.0, 4.0])
    assert set(first.lines) == {"loss"}


def test_many_rounds_are_drawn_over_a_logarithmic_axis(tmp_path):
    (curve,) = find_curves({"": boosting(0.5)})  # 600 rounds
    rows = [{"round": n, "work": n**0.5} for n in (1.0, 10.0, 10_000.0)]
    (long,) = find_curves({"": {"curve": rows}})
    scales = [[axes.get_xscale() for axes in draw_curves([one]).axes] for one in (curve, long)]
    assert scales == [["linear"] * 5, ["linear", "log"]]  # Work(n), Savings(n)
    plot_record({"curve": rows}, tmp_path / "a.svg")
    assert {"10,000", "Savings(n)"} <= texts(tmp_path / "a.svg")


def test_a_hundred_thousand_rounds_make_a_small_plot(tmp_path):
    chance = np.random.default_rng(0)
    values = 100 + np.log1p(np.arange(100_000)) / 6 + chance.normal(0, 0.02, 100_000)
    rounds = drawn_steps(values).tolist()
    fine = [{"round": float(n), "relative": values[n - 1]} for n in rounds]
    plot_record({"curve": fine[::20], FOR_PLOTS: fine}, tmp_path / "a.svg")
    assert len(rounds) < 1000
    assert (tmp_path / "a.svg").stat().st_size < 80_000


def test_savings_follow_from_work():
    (curve,) = find_curves({"": boosting(0.5)})
    assert curve.lines["savings"].values[3] == 40 / 2.0
    no_work = {"curve": [{"round": 1.0, "work": 0.0}]}
    assert math.isnan(find_curves({"": no_work})[0].lines["savings"].values[0])


def test_a_loss_that_explodes_leaves_a_gap(tmp_path):
    rows = [{"round": float(n), "loss": loss} for n, loss in enumerate([2.5, 1e308, 3.5])]
    (curve,) = find_curves({"": {"curve": rows}})
    assert [math.isnan(loss) for loss in curve.lines["loss"].values] == [False, True, False]
    plot_record({"curve": rows}, tmp_path / "a.svg")
    plot_record({"curve": rows[1:2]}, tmp_path / "b.svg")


@pytest.mark.parametrize("record", [{}, {"savings": [{"from": 1.0}]}, {"epochs": [{"epoch": 1.0}]}])
def test_nothing_to_draw(tmp_path, record):
    with pytest.raises(UsageError, match="the training record has no learning curve to draw"):
        plot_record(record, tmp_path / "a.svg")
    with pytest.raises(UsageError, match="the training record of 'b' has no learning curve"):
        plot_records({"a": EPOCHS, "b": record}, tmp_path / "a.svg")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["a.gif", "a", "-", "a.svg.gz"])
def test_the_name_says_what_to_draw(name):
    with pytest.raises(UsageError, match=r"must end in .svg, .png or .pdf, not '.*'"):
        plot_record(EPOCHS, name)


def test_a_missing_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match="'matplotlib', which is not installed") as error:
        plot_record(EPOCHS, tmp_path / "a.svg")
    assert error.value.hint == "pip install 'runoff[plot]'"
    assert list(tmp_path.iterdir()) == []


def test_the_users_own_style_is_left_alone(tmp_path):
    import matplotlib

    plot_record(EPOCHS, tmp_path / "a.svg")
    with matplotlib.rc_context({"lines.linewidth": 9, "font.size": 30}):
        plot_record(EPOCHS, tmp_path / "b.svg")
        assert matplotlib.rcParams["font.size"] == 30
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_models_are_called_after_their_files(tmp_path):
    lists = demo_lists("test")
    for folder, name in (("one", "a"), ("one", "b"), ("two", "a")):
        (tmp_path / folder).mkdir(exist_ok=True)
        ro.fit(lists, dev=lists, metric="wer", learner="perceptron").save(
            tmp_path / folder / f"{name}.runoff"
        )
    first, second, same = (tmp_path / f"{name}.runoff" for name in ("one/a", "one/b", "two/a"))
    for models, labels in (([first, second], ["a", "b"]), ([first, same], [first, same])):
        plot_models(models, tmp_path / "plot.svg")
        found = texts(tmp_path / "plot.svg")
        assert all(any(text.startswith(f"{label}: ") for text in found) for label in labels)


@pytest.mark.parametrize("record", [7, {"epochs": 7}, {"epochs": [{"epoch": "one"}]}])
def test_a_broken_record_is_refused(tmp_path, record):
    store.save(tmp_path / "m.runoff", "reranker", {"record": record}, {})
    with pytest.raises(ModelError, match="m.runoff: the training record is broken: "):
        read_record(tmp_path / "m.runoff")


def test_labels_are_data(tmp_path):
    """Neither mathematics nor markup, nor what XML does not allow."""
    plot_records({r"$\x$": EPOCHS, "<b>\x1b[31m": EPOCHS}, tmp_path / "a.svg")
    found = texts(tmp_path / "a.svg")
    assert any(r"$\x$" in text for text in found)
    assert any("<b>�[31m" in text for text in found)
