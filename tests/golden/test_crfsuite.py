"""Models of CRFsuite, against python-crfsuite itself; and files that are broken."""

from math import exp

import numpy as np
import pytest
from helpers.command import runoff
from helpers.made.sentences import TAGGED
from hypothesis import given, settings
from hypothesis import strategies as st

from runoff.data.formats import read_nbest
from runoff.errors import FormatError, ModelError, UsageError
from runoff.proposers.sequence.crfsuite import CrfsuiteModel, chunking_items
from runoff.proposers.sequence.crfsuite_items import read_items

pycrfsuite = pytest.importorskip("pycrfsuite", reason="pip install 'runoff[test]'")

NAMES = st.sampled_from(["a", "b:c", "é", "w[0]=the", "back\\slash", "never seen", ""])
VALUES = st.sampled_from([1.0, 0.5, -2.0, 0.0])
ITEMS = st.dictionaries(NAMES, VALUES, max_size=4)
SEQUENCES = st.lists(st.tuples(ITEMS, st.sampled_from("XYZ")), min_size=1, max_size=4)


def trained(path, sequences, **options):
    trainer = pycrfsuite.Trainer(verbose=False, params=options)
    for items, labels in sequences:
        trainer.append(pycrfsuite.ItemSequence(items), labels)
    trainer.train(str(path))
    tagger = pycrfsuite.Tagger()
    tagger.open(str(path))
    return tagger


@pytest.fixture(scope="module")
def model_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("crfsuite") / "model"
    data = [(chunking_items(s.words, s.gold), s.gold) for s in TAGGED]
    trained(path, data, c2=0.1, max_iterations=20)
    return path


@given(st.lists(SEQUENCES, min_size=1, max_size=4), st.lists(ITEMS, min_size=1, max_size=5))
@settings(max_examples=30)
def test_labels_and_probabilities_are_those_of_crfsuite(tmp_path_factory, data, items):
    path = tmp_path_factory.mktemp("crfsuite") / "model"
    tagger = trained(path, [([i for i, _ in s], [y for _, y in s]) for s in data], c2=0.1)
    model = CrfsuiteModel.load(path)
    assert sorted(model.labels) == sorted(tagger.labels())
    tagger.set(pycrfsuite.ItemSequence(items))
    every = model.propose(items, len(model.labels) ** len(items))
    assert sum(exp(c.logprob) for c in every) == pytest.approx(1.0)
    for candidate in every:
        assert tagger.probability(candidate.output) == pytest.approx(exp(candidate.logprob))
    best = tagger.probability(tagger.tag())
    assert best == pytest.approx(exp(every[0].logprob))
    tagger.set(pycrfsuite.ItemSequence(items))  # it forgets marginals when it tags
    for at in range(len(items)):
        for label in model.labels:
            mass = sum(exp(c.logprob) for c in every if c.output[at] == label)
            assert tagger.marginal(label, at) == pytest.approx(mass, abs=1e-9)


@pytest.mark.parametrize("algorithm", ["l2sgd", "ap", "pa", "arow"])
def test_whatever_trained_a_model_it_is_read(tmp_path, algorithm):
    trainer = pycrfsuite.Trainer(algorithm, verbose=False)
    for sentence in TAGGED:
        trainer.append(chunking_items(sentence.words, sentence.gold), sentence.gold)
    trainer.train(str(tmp_path / "model"))
    tagger = pycrfsuite.Tagger()
    tagger.open(str(tmp_path / "model"))
    model = CrfsuiteModel.load(tmp_path / "model")
    for sentence in TAGGED:
        items = chunking_items(sentence.words, sentence.gold)
        assert model.propose(items, 1)[0].output == tagger.tag(items)


def test_names_mappings_and_nothing_are_items(model_file):
    model = CrfsuiteModel.load(model_file)
    names = chunking_items(["they", "vote"], ["PRP", "VBP"])
    mappings = [dict.fromkeys(item, 1.0) for item in names]
    assert model.propose(names, 3) == model.propose(mappings, 3)
    assert [c.output for c in model.propose([], 3)] == [[]]
    assert model.propose_all([names] * 9, 3, threads=3) == model.propose_all([names] * 9, 3)
    with pytest.raises(UsageError):
        model.propose(names, 0)


@given(data=st.data())
@settings(max_examples=300)
def test_broken_files_are_refused_or_harmless(model_file, tmp_path_factory, data):
    content = bytearray(model_file.read_bytes())
    path = tmp_path_factory.mktemp("broken") / "model"
    if data.draw(st.booleans()):
        del content[data.draw(st.integers(0, len(content) - 1)) :]
    else:
        places = st.integers(0, 47) | st.integers(0, len(content) - 1)
        for _ in range(data.draw(st.integers(1, 4))):
            content[data.draw(places)] = data.draw(st.integers(0, 255))
    path.write_bytes(content)
    try:
        model = CrfsuiteModel.load(path)
    except ModelError as error:
        assert str(error).startswith(f"{path}: not a sound CRFsuite model: ")
        return
    assert model.propose([["w[0]=the"], ["w[0]=vote"]], 2)


def header(content, place, number):
    content[place : place + 4] = int(number).to_bytes(4, "little")


@pytest.mark.parametrize(
    ("place", "number", "problem"),
    [
        (0, 0, "does not begin"),
        (8, 0, "does not begin"),
        (12, 101, "version 101"),
        (4, 1 << 31, "bytes where"),
        (20, 0, "0 labels"),
        (20, 5000, "5,000 labels"),
        (20, 100, "labels are not where"),
        (24, 1 << 31, "attributes are not where"),
        (28, 1 << 31, "features would lie outside"),
        (28, 0, "no features"),
        (32, 1 << 31, "labels would lie outside"),
        (36, 48, "attributes are not where"),
    ],
)
def test_what_is_wrong_with_a_header_is_said(model_file, tmp_path, place, number, problem):
    content = bytearray(model_file.read_bytes())
    header(content, place, number)
    (tmp_path / "model").write_bytes(content)
    with pytest.raises(ModelError, match=problem):
        CrfsuiteModel.load(tmp_path / "model")


def test_weights_that_are_no_numbers_are_refused(model_file, tmp_path):
    content = bytearray(model_file.read_bytes())
    start = int.from_bytes(content[28:32], "little") + 12
    content[start + 12 : start + 20] = np.float64(np.nan).tobytes()
    (tmp_path / "model").write_bytes(content)
    with pytest.raises(ModelError, match="finite"):
        CrfsuiteModel.load(tmp_path / "model")
    header(content, start, 7)
    (tmp_path / "model").write_bytes(content)
    with pytest.raises(ModelError, match="not there"):
        CrfsuiteModel.load(tmp_path / "model")


def test_files_that_are_not_there_are_said_to_be_so(tmp_path):
    with pytest.raises(ModelError, match="no such file"):
        CrfsuiteModel.load(tmp_path / "model")
    with pytest.raises(ModelError, match="directory"):
        CrfsuiteModel.load(tmp_path)


def test_the_verb_writes_lists_from_items_and_from_columns(model_file, tmp_path):
    words, tags = TAGGED[0].words, TAGGED[0].gold
    rows = zip(tags, chunking_items(words, tags), strict=True)
    lines = ["\t".join([tag, *(name.replace("\\", "\\\\") for name in item)]) for tag, item in rows]
    (tmp_path / "items.txt").write_text("\n".join(lines) + "\n\n")
    columns = "".join(f"{w}\t{t}\t{t}\n" for w, t in zip(words, tags, strict=True))
    (tmp_path / "columns.tsv").write_text(columns)
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    command = ["propose", "chunking", "--crfsuite", str(model_file), "--n", "5"]
    runoff(*command, tmp_path / "items.txt", "-o", first)
    runoff(*command, "--columns", tmp_path / "columns.tsv", "-o", second)
    (one,), (other,) = list(read_nbest(first)), list(read_nbest(second))
    assert one.candidates == other.candidates
    assert one.gold == other.gold == list(tags)
    assert other.input == [[w, t] for w, t in zip(words, tags, strict=True)]
    assert len(one) == 5
    assert one.candidates[0].output == list(tags)


def test_the_verb_says_what_is_wrong(model_file, tmp_path):
    (tmp_path / "items.txt").write_text("X\ta:b\n")
    command = ["propose", "chunking", "--crfsuite", str(model_file)]
    _, errors = runoff(*command, tmp_path / "items.txt", status=2)
    assert "items.txt:1: the value of 'a' is 'b'" in errors
    (tmp_path / "words.txt").write_text("they\n")
    _, errors = runoff(*command, "--columns", tmp_path / "words.txt", status=2)
    assert "words.txt:1: expected word_TAG or word/TAG, or one word and its tag per line" in errors


def test_names_may_have_colons_backslashes_and_values(tmp_path):
    path = tmp_path / "items.txt"
    path.write_text("X\ta\\:b\tc\\\\d:2.5\t\tc\\\\d:-1\n\n\n\te\n")
    first, second = read_items(path)
    assert first.items == ({"a:b": 1.0, "c\\d": 1.5},)
    assert (first.labels, second.labels) == (("X",), ("",))
    for wrong in ("X\ta:", "X\ta:nan", "X\ta:1:2", "X\ta\\"):
        path.write_text(wrong + "\n")
        with pytest.raises(FormatError, match="items.txt:1"):
            list(read_items(path))
