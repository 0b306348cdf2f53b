import pytest

from runoff.data.limits import Limit
from runoff.errors import TooLongError
from runoff.proposers.sequence.crfsuite_items import read_items


def test_a_sequence_that_is_too_long_is_read_as_an_empty_one(tmp_path):
    path, errors = tmp_path / "items", []
    path.write_text("B\tw=we\n\n" + "O\tw=x\n" * 4 + "\nB\tw=she\n")
    found = list(read_items(path, Limit(3, errors.append)))
    assert [len(one.items) for one in found] == [1, 0, 1]
    assert str(errors[0]) == f"{path}:3: a sentence of more than 3 words"
    with pytest.raises(TooLongError):
        list(read_items(path, Limit(3)))
