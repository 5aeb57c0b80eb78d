"""The tests of the package: scripts/test-python runs them."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(autouse=True)
def triton_cache(tmp_path_factory, monkeypatch):
    """Nothing is left in the user's cache, nor taken from it."""
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path_factory.mktemp("triton")))
