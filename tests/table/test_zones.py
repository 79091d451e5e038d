"""Which cards a zone of the table delivers, and what is asked about a card in another one."""

import pytest

from assistant.cards import Card, parse_card
from assistant.games.base import CardsDue
from assistant.table.questions import Question
from assistant.table.zones import expects, line_for
from tests.table.session_play import CASINO, card_event, lines, session_after, unchanged_by


@pytest.mark.parametrize(
    ("role", "zone", "expected"),
    [
        ("post", None, True),
        ("post", "posts", True),
        ("post", "board", True),
        ("post", "hand", False),
        ("third", "posts", False),
        ("hand", "hand", True),
        ("hand", "board", False),
        ("burned", "turned", True),
        ("post", "a zone nobody named", True),
    ],
)
def test_zone_delivers_only_what_it_is_for(role: str, zone: str | None, expected: bool) -> None:
    assert expects(CardsDue(role, 1, 1), zone) is expected
    assert not expects(None, zone)


def test_line_names_the_cards_and_the_player() -> None:
    cards: tuple[Card, ...] = (parse_card("TH"), parse_card("Q", bare_rank=True))
    assert line_for(CardsDue("post", 1, 2), cards, "") == "card TH Q"
    assert line_for(CardsDue("hand", 1, 3, "p1"), cards, '"Anna K."') == 'show "Anna K." TH Q'


@pytest.mark.parametrize(
    ("role", "zone", "expected"),
    [
        ("turned", "posts", True),
        ("market", "third", True),
        ("market", "market", True),
        ("hand", "market", False),
        ("hand", "third", False),
        ("post", "third", False),
        ("turned", "hand", False),
    ],
)
def test_the_zones_of_a_calibrated_table_serve_every_game(role: str, zone: str, expected: bool) -> None:
    assert expects(CardsDue(role, 1, 1), zone) is expected


def test_card_in_the_wrong_place_is_asked_with_what_is_due_and_the_dealers_word_counts() -> None:
    session = session_after(*CASINO, "bet P 10", "card 2H")
    asked = unchanged_by(session, card_event("7D", zone="third"))
    assert isinstance(asked, Question)
    assert "It lies where the third card goes, and now: " in asked.text
    assert lines(session, asked) == {"7D": "card 7D"}
    assert session.answer(asked.number, parse_card("7D")).accepted
    assert [str(card.card) for card in session.snapshot.board] == ["2H", "7D"]
