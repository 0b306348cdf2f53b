"""What all tests share: where real data lies, hypothesis settings, a cache of their own."""

import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from runoff.errors import UsageError
from runoff.recipes.corpora import data_folder

ROOT = Path(__file__).parent.parent
# a busy machine is not a failing test
settings.register_profile("runoff", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("runoff")
# a shell has what it starts in the background ignore interrupts, and so would the commands tested
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    """No test reads or writes the user's cache."""
    monkeypatch.setenv("RUNOFF_CACHE", str(tmp_path / "cache"))


@pytest.fixture(scope="session")
def data():
    """The folder of the real corpora."""
    try:
        return data_folder(project=ROOT).resolve()
    except UsageError as error:
        pytest.skip(f"no real data: {error.message}")
