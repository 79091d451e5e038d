"""A smaller run of scripts/fuzz_lines.py for every game: random lines, legal and illegal mixed."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from assistant.games.variants import all_games


@pytest.fixture(scope="module")
def fuzz(repository: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("fuzz_lines", repository / "scripts" / "fuzz_lines.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("game", [game.name for game in all_games()])
def test_random_lines_break_nothing_and_offers_are_what_is_accepted(game: str, fuzz: ModuleType) -> None:
    """Chips stay, refusals change nothing, entries play back, `decide` accepts what is listed."""
    codes = fuzz.walk_game(game, lines=500, seed=11)
    assert sum(codes.values()) > 50
    assert len(codes) > 5


def test_broken_night_is_noticed(fuzz: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz, "_covers", lambda offer, amount: False)
    with pytest.raises(fuzz.Broken, match="unoffered"):
        fuzz.walk_game("red-dog-pool", lines=750, seed=11)
