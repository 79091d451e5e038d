"""What every test may use: the shared documents and how hard the property tests search."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

REPOSITORY = Path(__file__).resolve().parent.parent

# The same examples every time where a failure stops a merge; fresh ones at a developer's desk. No deadline
# anywhere: machines differ, and timing is for scripts/bench_*.py.
settings.register_profile("ci", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("dev", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "dev"))


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of this checkout."""
    return REPOSITORY


@pytest.fixture(scope="session")
def shared() -> Path:
    """The documents shared beside the checkout (rules, cases, photographs); skips where they are absent."""
    named = os.environ.get("TABLESIDE_SHARED")
    folder = Path(named) if named else REPOSITORY.parent / "shared"
    if not (folder / "rules").is_dir():
        pytest.skip(f"no shared documents at {folder}; name their folder in TABLESIDE_SHARED")
    return folder
