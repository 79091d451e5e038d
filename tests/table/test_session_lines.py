"""Lines at the running table: booked once or refused whole, taken back and put back with their chips."""

import pytest

from assistant.store.base import DiskFull, Entry, NewEntry
from assistant.store.memory import MemoryNight
from assistant.table.corrections import corrections
from assistant.table.questions import Question
from assistant.table.session import NOT_SAVED, TableSession
from tests.table.session_play import CASINO, card_event, fixed_clock, session_after


def test_same_key_twice_books_once() -> None:
    """LEDGER.md scenario 23: a double Enter is one buy-in."""
    session = session_after(*CASINO)
    assert session.submit("buy P 50", key="k1").accepted
    again = session.submit("buy P 50", key="k1")
    assert (again.accepted, again.duplicate, session.snapshot.seats[0].stack) == (True, True, 150)


def test_refused_line_says_what_and_changes_nothing() -> None:
    session = session_after(*CASINO)
    before = session.snapshot
    outcome = session.submit("bet P 101")
    assert (outcome.accepted, outcome.code, outcome.snapshot) == (False, "E_STACK", before)
    assert outcome.message == "P has only 100, not 101. Bet less, or buy in between rounds."


@pytest.mark.parametrize(
    ("lines", "line", "helps"),
    [
        (
            CASINO,
            "house P 50000",
            "P has only 100, and the bank's float of 50000 comes from there. "
            "Put up less, buy in more first, or type no amount: then no float limits the bets.",
        ),
        (
            [*CASINO, "bet P 60", "card 2H KS"],
            "raise P",
            "P has only 40 to raise by, not 60. Call, or raise less if the rules let them.",
        ),
        (
            ["game red-dog-bank", "seat P 100", "seat Q 100", "dealer P", "round"],
            "bank 101",
            "P has only 100, not 101. Put up less.",
        ),
        (
            ["game red-dog-pool", "seat P 100", "seat Q 100", "round"],
            "paid-in P 200",
            "P has only 95, not 200. Type less.",
        ),
    ],
)
def test_too_few_chips_for_what_is_no_bet_are_refused_with_what_helps(
    lines: list[str], line: str, helps: str
) -> None:
    """All of them said "Bet less, or buy in between rounds"."""
    outcome = session_after(*lines).submit(line)
    assert (outcome.code, outcome.message) == ("E_STACK", helps)


class FullDisk(MemoryNight):
    """A store that refuses once it has its first entries."""

    def append(self, new: NewEntry) -> Entry:
        if self.head[0] >= len(CASINO):
            raise DiskFull
        return super().append(new)


def test_line_the_disk_refuses_is_not_played() -> None:
    """LEDGER.md scenario 25: entry NOT recorded, balances unchanged."""
    session = TableSession(FullDisk(), "n", fixed_clock)
    for line in CASINO:
        assert session.submit(line).accepted
    before = session.night
    outcome = session.submit("bet P 10")
    assert (outcome.accepted, outcome.code) == (False, NOT_SAVED)
    assert session.night is before
    assert isinstance(session.receive(card_event("2H")), Question)


def test_same_key_with_other_words_books_nothing_and_says_so() -> None:
    session = session_after(*CASINO)
    assert session.submit("buy P 50", key="k1").accepted
    other = session.submit("buy Q 50", key="k1")
    assert (other.accepted, other.code) == (False, "E_ARGS")
    assert "buy P 50" in other.message


def test_empty_line_is_taken_and_books_nothing() -> None:
    session = session_after(*CASINO)
    entries = session.log.entries
    assert session.submit("   # nothing").accepted
    assert session.log.entries == entries


# --- taken back and put back --------------------------------------------------------------------------------


def test_undo_and_redo_say_their_direction_the_line_and_the_chips_that_go_back() -> None:
    """P won 50 on a spread of one: the dealer must take it back by hand, and pay it again by hand."""
    session = session_after(
        *CASINO, "bet P 10", "bet Q 5", "card 2H 4S", "call P", "call Q", "card 3D", "undo"
    )
    undone = ("Taken back: card 3D", "BETS BACK ON THE TABLE: P 10, Q 5", "TAKE BACK: P 50, Q 25")
    assert list(session.snapshot.told) == list(undone)
    assert session.submit("redo").accepted
    redone = ("Put back: card 3D", "BETS BACK INTO THE STACK: P 10, Q 5", "PAY 50 to P", "PAY 25 to Q")
    assert list(session.snapshot.told) == list(redone)
    assert session.snapshot.log[-1].told == session.snapshot.told


def test_undone_void_says_which_chips_go_back_to_the_layout() -> None:
    session = session_after(*CASINO, "bet P 10", "card 2H 4S", "void misdeal", "undo")
    assert session.snapshot.told == ("Taken back: void misdeal", "BETS BACK ON THE TABLE: P 10")


def test_undone_bet_goes_back_into_the_stack_and_a_lost_one_back_on_the_table() -> None:
    """Nobody pays or collects: the chips only go back to where they came from."""
    session = session_after(*CASINO, "bet P 10", "undo")
    assert session.snapshot.told == ("Taken back: bet P 10", "BETS BACK INTO THE STACK: P 10")
    assert session.submit("redo").accepted
    assert session.snapshot.told == ("Put back: bet P 10", "BETS BACK ON THE TABLE: P 10")
    lost = session_after(*CASINO, "bet P 10", "card 2H 4S", "call P", "card KD", "undo")
    assert lost.snapshot.told == ("Taken back: card KD", "BETS BACK ON THE TABLE, from the house: P 10")
    assert lost.submit("redo").accepted
    assert lost.snapshot.told == ("Put back: card KD", "COLLECT 10 from P")


def test_a_bet_raised_out_of_a_win_is_paid_by_the_house_and_goes_back_whole() -> None:
    """10 lay there and won 50; the next bet of 60 is the ten and what the house paid."""
    won = (*CASINO, "bet P 10", "card 2H 4S", "call P", "card 3D")
    smaller = session_after(*won, "bet P 20", "undo 2")
    assert smaller.snapshot.told[1:] == ("BETS BACK INTO THE STACK: P 10", "TAKE BACK: P 50")
    greater = session_after(*won, "bet P 60", "undo 2")
    assert greater.snapshot.told[1:] == ("BETS BACK INTO THE STACK: P 50", "TAKE BACK: P 50")
    assert greater.submit("redo 2").accepted
    assert greater.snapshot.told[1:] == ("BETS BACK ON THE TABLE, from the house: P 50",)


def test_who_leaves_with_a_bet_out_takes_it_along_before_the_chips_are_taken() -> None:
    session = session_after(*CASINO, "bet P 10", "leave P cash", "undo", "redo")
    assert session.snapshot.told[1:3] == ("BETS BACK INTO THE STACK: P 10", "TAKE 100 in chips: P")


def test_undone_antes_are_given_back() -> None:
    session = session_after("game red-dog-pool", "seat P 100", "seat Q 100", "round", "undo")
    assert session.snapshot.told == ("Taken back: round", "GIVE BACK: P 5, Q 5")


def test_undone_buy_in_is_taken_whole_though_some_of_it_was_bet() -> None:
    session = session_after(*CASINO, "buy P 40 cash", "bet P 10", "undo 2")
    assert session.snapshot.told == (
        "Taken back: bet P 10; buy P 40 cash",
        "BETS BACK INTO THE STACK: P 10",
        "TAKE 40 in chips: P",
        "PAY 40 in cash: P",
    )


def test_undo_names_all_lines_the_latest_first_and_whoever_is_gone_with_them() -> None:
    session = session_after(*CASINO, "seat Rosa 30", "buy P 7", "undo 2")
    assert session.snapshot.told == (
        "Taken back: buy P 7; seat Rosa 30",
        "TAKE 7 in chips: P",
        "TAKE 30 in chips: Rosa",
    )


def test_a_card_of_an_earlier_game_is_called_as_that_game_calls_it() -> None:
    """In the log after a change of game the ten of casino Red Dog read 10 of Crosses, as Rake has it."""
    played = (*CASINO, "bet P 10", "card 2H 4S", "call P", "card KD")
    session = session_after(*played)
    before = [line.told for line in session.snapshot.log]
    assert session.submit("fix KD TC").accepted
    told = session.snapshot.log[-1].told
    assert "CORRECTION: K♦ was 10♣" in told
    assert session.submit("game rake").accepted
    assert [line.told for line in session.snapshot.log][: len(before) + 1] == [*before, told]
    assert "10♣" in "".join(corrections(session.log))
    assert session.submit("fix TC KD round=1").accepted
    assert "CORRECTION: 10♣ was K♦" in session.snapshot.told


@pytest.mark.parametrize(
    ("line", "code", "says"),
    [
        ("buy Anna K. 50", "E_PLAYER", 'A name with a blank goes in quotes here: "Anna K.".'),
        ("leave anna  k.", "E_PLAYER", 'A name with a blank goes in quotes here: "anna k.".'),
        ("seat Vera P. 50", "E_AMOUNT", 'put the whole name in quotes: "Vera P.".'),
        ("seat Vera 5x", "E_AMOUNT", "“5x” is not an amount. Type whole numbers, for example 25."),
        ("buy Vera 50", "E_PLAYER", "Nobody called “Vera” sits at the table."),
    ],
)
def test_a_name_with_a_blank_is_asked_to_be_put_in_quotes(line: str, code: str, says: str) -> None:
    session = session_after(*CASINO, 'seat "Anna K." 100')
    refused = session.submit(line)
    assert (refused.accepted, refused.code) == (False, code)
    assert says in refused.message
