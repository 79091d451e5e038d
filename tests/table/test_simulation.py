"""Simulated seasons: the same lines, rules and ledger, compared with the exact odds (RULES.md 10)."""

import json

import pytest

from assistant.cli import main
from assistant.games.variants import all_games
from assistant.table.simulation import scene_of, simulate

GAMES = [game.name for game in all_games()]
SEED = 5


@pytest.mark.parametrize("game", GAMES)
def test_season_agrees_with_the_exact_odds(game: str) -> None:
    """Within four standard errors; no line of a simple player is refused, and no chip is lost."""
    season = simulate(game, 120, SEED)
    assert season.rounds >= 120
    assert season.agrees, f"seed {SEED}: {season}"


def test_only_rake_has_no_exact_value() -> None:
    assert [game for game in GAMES if scene_of(game).exact is None] == ["rake"]


def test_same_seed_plays_the_same_season() -> None:
    assert simulate("rake", 25, 3) == simulate("rake", 25, 3)
    assert simulate("red-dog-pool", 25, 3) != simulate("red-dog-pool", 25, 4)


def test_progress_is_told_up_to_the_last_round() -> None:
    told: list[int] = []
    simulate("polish-red-dog", 20, 1, told.append)
    assert told == [20]


def test_mean_far_from_the_exact_value_does_not_agree() -> None:
    from dataclasses import replace
    from fractions import Fraction

    season = simulate("red-dog-pool", 120, SEED)
    assert not replace(season, exact=Fraction(9, 10)).agrees


def test_command_prints_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "casino-red-dog", "--rounds", "40", "--seed", "2", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["game"], record["rounds"], record["exact"]) == ("casino-red-dog", 40, -0.027978)
    assert main(["simulate", "whist"]) == 2
    assert main(["simulate", "rake", "--rounds", "0"]) == 2
