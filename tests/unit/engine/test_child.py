"""Programs that are asked and watched."""

import pytest

from runoff.engine.child import Child, ChildError


def test_what_a_program_printed_before_it_ended_is_kept():
    """It has ended before it is asked, so that nobody reads the question."""
    child = Child(["sh", "-c", "echo before; exit 1"])
    child._process.wait()
    with pytest.raises(ChildError, match="ended by itself") as error:
        child.ask(b"a question\n", b"END", 60)
    assert error.value.so_far == b"before\n"


def test_a_program_that_closes_its_input_may_still_answer():
    child = Child(["sh", "-c", "exec <&-; sleep 0.1; echo answer; echo END; exec sleep 60"])
    assert child.ask(b"a question\n" * 100_000, b"END", 60) == b"answer\nEND\n"
    child.close()
