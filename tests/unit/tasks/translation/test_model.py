"""Lists of translations, as they go on to rankers."""

import runoff as ro
from runoff.tasks.ranking.convert import attach

PAIRS = [("a vote", "eine Stimme"), ("a list", "eine Liste"), ("the vote", "die Stimme")]


def test_lists_get_the_references_of_their_lines(tmp_path):
    model = ro.train("translation", PAIRS, order=2)
    lists = list(model.lists([source for source, _ in PAIRS], 2))
    gold = tmp_path / "gold"
    gold.write_text("".join(f"{target}\n" for _, target in PAIRS))
    attached = list(attach(lists, gold=gold))
    assert [one.gold for one in attached] == [target for _, target in PAIRS]
    assert [one.candidates[0].output for one in attached] == [one.gold for one in attached]


def test_copied_words_keep_their_case():
    model = ro.train("translation", PAIRS, order=2)
    (made,) = model.lists(["The Zebra list"])
    assert "Zebra" in made.candidates[0].output
    assert "Zebra" in made.candidates[0].extra["words"]
    assert model.translate("the zebra").split()[-1] == "zebra"
