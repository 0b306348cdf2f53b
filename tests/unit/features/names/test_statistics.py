"""What was counted in training text, and the features that are made of it."""

import pytest

from runoff.data.flat_tree import Span
from runoff.data.schemes import Chunk
from runoff.errors import ModelError
from runoff.features.names.statistics import NameStatistics, neighbours

TAGS = ["B-LOC", "I-LOC", "O", "O", "B-PER", "I-PER", "O"]
SEEN = [("天津市长王明说", TAGS), ("上海市长李红说", TAGS), ("天津市长李红来", TAGS)]


@pytest.fixture(scope="module")
def statistics():
    return NameStatistics.of([(list(words), tags) for words, tags in SEEN * 3])


def features(statistics, source, text, *names):
    """The features of the last of some names, given as type, start and end."""
    chunks = [Chunk(kind, Span(start, end)) for kind, start, end in names]
    *_, last = neighbours(chunks)
    return statistics.features(source, list(text), last)


def test_a_relation_takes_arguments_of_the_types_that_it_had(statistics):
    place = ("LOC", 0, 2)
    right = features(statistics, "relations", "北京市长王红说", place, ("PER", 4, 6))
    wrong = features(statistics, "relations", "北京市长王红说", place, ("LOC", 4, 6))
    assert right == ["PER relation second 4", "PER relation second, after 4"]
    assert wrong == ["LOC relation second -4", "LOC relation second, after -4"]
    far = features(statistics, "relations", "北京" + "很" * 9 + "王红", place, ("PER", 11, 13))
    assert far == []
    other = features(statistics, "relations", "北京和王红", place, ("PER", 3, 5))
    assert other == ["PER relation second new", "PER relation second, after new"]


def test_triggers_speak_for_the_types_that_stand_near_them(statistics):
    assert ("event behind", "市长") in statistics.filled
    person = features(statistics, "events", "北京市长王红说", ("PER", 4, 6))
    place = features(statistics, "events", "北京市长王红说", ("LOC", 4, 6))
    assert person[0] == "PER event behind most 4"
    assert place[1] == "LOC event behind least -4"
    alone = features(statistics, "events", "王红", ("PER", 0, 2))
    assert alone == [f"PER event {side} {how} none" for side in ("behind", "before") for how in ("most", "least")]  # fmt: skip  # noqa: E501


def test_full_and_half_width_forms_are_counted_alike():
    tags = ["B-ORG", "I-ORG", "O"]
    made = NameStatistics.of([(list("ＩＢ说"), tags), (list("IB说"), tags)])
    assert made.whole == {("IB",): {"ORG": 2}}


def test_names_of_words_are_known_by_their_words():
    made = NameStatistics.of([(["New", "York", "won"], ["B-LOC", "I-LOC", "O"])])
    assert made.known_names(["in", "New", "York"]) == [(1, 3, "LOC")]
    name = (None, Chunk("LOC", Span(1, 3)), None)
    found = made.features("structure", ["in", "New", "York"], name)
    assert "LOC last word 2" in found
    assert "LOC ending 2" in found


def test_only_sources_that_are_asked_for_are_counted_and_kept():
    made = NameStatistics.of([(list("天津市长王明说"), TAGS)], ("relations",))
    assert {slot for slot, _ in made.filled} == {
        "relation first", "relation first, after", "relation second", "relation second, after",
    }  # fmt: skip
    header, arrays = made.stored()
    assert NameStatistics.restored(header, arrays) == made
    with pytest.raises(ModelError, match="which are none of"):
        NameStatistics.restored({"sources": ["gossip"]}, arrays)
