import threading
from contextlib import closing

import pytest

import runoff as ro
from runoff.engine import Engine
from runoff.engine.threads import threaded


def test_results_come_in_order_from_other_threads():
    seen = threaded(lambda n: (n, threading.current_thread()), range(50), 3)
    numbers, threads = zip(*seen, strict=True)
    assert numbers == tuple(range(50))
    assert threading.current_thread() not in threads
    assert len(set(threads)) <= 3


def test_items_are_taken_as_needed_and_the_rest_is_left():
    taken, done = [], []

    def items():
        for n in range(1000):
            taken.append(n)
            yield n

    with closing(threaded(done.append, items(), 2)) as results:
        next(results)
    assert len(taken) <= 5
    assert done == taken[: len(done)]


def test_an_error_is_raised_where_it_is_waited_for():
    results = threaded(lambda n: 6 // n, [3, 2, 0, 1], 2)
    assert [next(results), next(results)] == [2, 3]
    with pytest.raises(ZeroDivisionError):
        next(results)


def test_native_work_stays_in_this_process_if_the_engine_is_this_machine():
    engine = Engine(2)
    lists = engine.stream(lambda some: [threading.get_ident()] * len(some), range(9), size=2,
                          native=True)  # fmt: skip
    assert threading.get_ident() not in set(lists)


def test_features_of_native_code_are_extracted_by_threads(monkeypatch):
    """Processes are never asked, and the lists are those of one worker."""
    lists = [
        ro.NBest(f"s{n}", None, [ro.Candidate("ice cream", -4.0), ro.Candidate("I scream", -4.2)],
                 gold="I scream")
        for n in range(300)
    ]  # fmt: skip
    model = ro.fit(lists[:50], metric="wer", min_lists=1)
    monkeypatch.setattr(Engine, "_staff", None)
    assert list(ro.rerank(model, lists, engine=2)) == list(ro.rerank(model, lists))
