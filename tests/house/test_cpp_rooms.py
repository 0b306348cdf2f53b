"""The rooms of the C++ code: what each may include, and what is named after them."""

import re
from pathlib import Path

import pytest

CPP = Path(__file__).parents[2] / "cpp"
ROOMS = """
    base trees strings ngrams ranking pairs boosting decision_trees kernels features search
    sequence parsing classification words translation tree_translation identity
""".split()
"""A room includes headers of itself and of the rooms before it."""

if not CPP.is_dir():
    pytest.skip("the source tree is not here", allow_module_level=True)

SOURCES = sorted((CPP / "runoff").rglob("*.?pp"))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(CPP)))
def test_a_source_keeps_to_its_room(path):
    room, text = path.parent.name, path.read_text()
    included = re.findall(r'#include "([^"]*)"', text)
    above = ROOMS[: ROOMS.index(room) + 1]
    assert [
        one for one in included if one.split("/")[:2] not in [["runoff", r] for r in above]
    ] == []
    assert re.findall(r"^namespace (runoff\S*) {", text, re.MULTILINE) == [f"runoff::{room}"]
    assert not re.search(r"Python\.h|nanobind", text)


def test_bindings_and_tests_are_named_after_rooms():
    rooms = {path.parent.name for path in SOURCES}
    assert {path.name for path in (CPP / "tests").iterdir() if path.is_dir()} <= rooms
    bound = [path.stem for path in (CPP / "bind").glob("*.cpp") if path.stem != "module"]
    for name in bound:
        assert name in rooms or name.split("_")[0] in rooms
        text = (CPP / "bind" / f"{name}.cpp").read_text()
        assert f'const Room room("{name}", bind' in text
    assert len(bound) > len(rooms) // 2
