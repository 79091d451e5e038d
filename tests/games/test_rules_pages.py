"""Every game has a page of rules in the help, which names all of its house rules with their usual values."""

import re
from pathlib import Path

import pytest

from assistant.games.base import Game
from assistant.games.variants import all_games

PAGES = Path("assistant") / "help"


@pytest.mark.parametrize("game", all_games(), ids=lambda game: str(game.name))
def test_rules_page_names_every_house_rule_and_its_usual_value(game: type[Game], repository: Path) -> None:
    page = (repository / PAGES / f"rules-{game.name}.md").read_text(encoding="utf-8")
    assert page.startswith("# ")
    assert "## House rules" in page
    for option in game.options:
        assert re.search(rf"\b{option.name}\b", page), option.name
        assert option.default in page, f"{option.name}={option.default}"
    if "Pool Red Dog" in page:  # what it shares is explained there
        page += (repository / PAGES / "rules-red-dog-pool.md").read_text(encoding="utf-8")
    for value in (value for option in game.options for value in option.values):
        assert value in ("true", "false", "ante", "random", "seat0", "high-card") or value in page, value


def test_there_is_no_page_of_a_game_there_is_not(repository: Path) -> None:
    pages = {path.stem.removeprefix("rules-") for path in (repository / PAGES).glob("rules-*.md")}
    assert pages == {game.name for game in all_games()}
