"""Who banked has gone home: that is said, and who banks now."""

import pytest

from assistant.table.session import TableSession
from tests.table.session_play import session_after

SEATS = ("seat Anna 100", "seat Boris 500", "seat Carl 100")
THREE = ("Boris", "Carl", "Anna")


def said(session: TableSession) -> str:
    return " · ".join(session.snapshot.told)


@pytest.mark.parametrize("game", ["red-dog-bank", "polish-red-dog", "six-spot-red-dog funding=bank"])
def test_in_a_bank_game_the_next_to_the_left_banks(game: str) -> None:
    session = session_after(f"game {game}", *SEATS, "dealer Boris", "leave Boris")
    assert "THE BANKER HAS LEFT: Boris. Now banks: Carl" in said(session)


def test_who_leaves_and_does_not_bank_is_no_banker() -> None:
    session = session_after("game red-dog-bank", *SEATS, "dealer Boris", "leave Anna")
    assert "BANKER" not in said(session)
    assert "BANKER" not in said(session_after("game red-dog-pool", *SEATS, "dealer Boris", "leave Boris"))


def test_a_banker_who_left_in_the_round_is_said_to_be_gone_at_its_end() -> None:
    lines = ("game red-dog-bank", *SEATS, "dealer Boris", "round", "bank 50", "dealt", "leave Boris")
    session = session_after(*lines)
    assert "BANKER" not in said(session)
    assert session.submit("void").accepted
    assert "THE BANKER HAS LEFT: Boris. Now banks: Carl" in said(session)


def test_without_anybody_who_can_bank_chips_are_to_be_bought() -> None:
    lines = ("game red-dog-bank", "seat Anna", "seat Boris 500", "dealer Boris", "leave Boris")
    assert "Nobody has the chips to bank: buy in more" in said(session_after(*lines))


@pytest.mark.parametrize(
    "others", [(), ("seat Anna 100",), ("seat Anna 100", "seat Carl 100", "sitout Anna", "sitout Carl")]
)
def test_where_no_round_can_start_no_chips_are_asked_for_and_nobody_banks(others: tuple[str, ...]) -> None:
    """Chips were to be bought though the others only sat out, or nobody was left to buy any."""
    session = session_after("game red-dog-bank", *others, "seat Boris 500", "dealer Boris", "leave Boris")
    assert session.snapshot.told[-1] == "THE BANKER HAS LEFT: Boris. Nobody banks now"


def test_in_the_casino_nobody_banks_until_somebody_is_named() -> None:
    session = session_after("game casino-red-dog", *SEATS, "house Boris 100", "leave Boris")
    assert "THE BANKER HAS LEFT: Boris. No player banks now; one who will: house NAME" in said(session)


def test_a_banker_who_goes_at_the_close_is_not_missed() -> None:
    session = session_after("game red-dog-bank", *SEATS, "dealer Boris", "close")
    assert "BANKER" not in said(session)
