"""What all tests share: where real data lies, hypothesis settings, a cache of their own."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).parent.parent
# a busy machine is not a failing test
settings.register_profile("runoff", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("runoff")


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    """No test reads or writes the user's cache."""
    monkeypatch.setenv("RUNOFF_CACHE", str(tmp_path / "cache"))


@pytest.fixture(scope="session")
def data():
    """The folder of the real corpora: RUNOFF_DATA, or ../shared/data beside the project."""
    folder = Path(os.environ.get("RUNOFF_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no real data: RUNOFF_DATA is not set and {folder} does not exist")
    return folder
