"""BLEU: errors; the figures are checked against sacrebleu in the golden tests."""

from __future__ import annotations

import sys

import pytest

from runoff.errors import MissingExtraError, UsageError
from runoff.metrics.base import MeasureError
from runoff.metrics.bleu import Bleu


def test_statistics_worked_by_hand():
    row = Bleu().statistics(["we saw the list"], "we saw the best list")[0]
    assert row.tolist() == [4, 5, 4, 2, 1, 0, 4, 3, 2, 1]


@pytest.mark.parametrize("gold", [None, [], [1], {"a": "b"}])
def test_gold_is_text_or_references(gold):
    with pytest.raises(MeasureError, match=r"^gold: "):
        Bleu().statistics(["a"], gold)


def test_unknown_tokenizer_is_named():
    with pytest.raises(UsageError, match="unknown tokenizer '13b'"):
        Bleu(tokenize="13b")


def test_missing_package_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    monkeypatch.setitem(sys.modules, "sacrebleu.metrics", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'runoff\[bleu\]'"):
        Bleu()
