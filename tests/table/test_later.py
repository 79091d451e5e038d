"""``later``: a latecomer's chair or a rebuy waits for the round's end, in the night's own log."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from assistant.store.memory import MemoryNight
from assistant.store.sqlite import create_night, open_night
from assistant.table.night_log import NightLog, Origin
from assistant.table.session import TableSession

NOW = datetime(2026, 11, 28, 21, 0, tzinfo=UTC)
ROUND = ["game red-dog-pool ante=5", "seat Anna 100", "seat Boris 100", "round", "dealt"]
FOLDED = ["fold Boris", "fold Anna"]
"""The last two lines of the round."""


def session_with(*lines: str, store: MemoryNight | None = None) -> TableSession:
    session = TableSession(store or MemoryNight(), "2026-11-28-1", lambda: NOW)
    for line in lines:
        outcome = session.submit(line)
        assert outcome.accepted, f"{line}: {outcome.message}"
    return session


def said(session: TableSession) -> list[str]:
    return [f"{one.text} ({one.origin})" for one in session.snapshot.log if one.state == "done"]


def test_a_latecomer_joins_when_the_round_is_over() -> None:
    session = session_with(*ROUND, "later seat Carl 80")
    assert session.snapshot.later == ("seat Carl 80",)
    assert [seat.name for seat in session.snapshot.seats] == ["Anna", "Boris"]
    for line in FOLDED:
        session.submit(line)
    assert [(seat.name, seat.stack) for seat in session.snapshot.seats][-1] == ("Carl", 80)
    assert not session.snapshot.later
    assert said(session)[-2:] == ["fold Anna (typed)", "seat Carl 80 (later)"]


def test_what_the_round_asks_for_and_what_the_latecomer_gets_stand_on_the_screen_together() -> None:
    told = session_with(*ROUND, *FOLDED).snapshot.told
    assert told
    session = session_with(*ROUND, "later seat Carl 80", *FOLDED)
    assert session.snapshot.told == (*told, "GIVE 80 to Carl")
    session.submit("note on we go")
    assert "GIVE 80 to Carl" not in session.snapshot.told


def test_a_round_that_is_called_off_is_over_too() -> None:
    session = session_with(*ROUND, "later buy Anna 50", "void misdeal")
    assert said(session)[-1] == "buy Anna 50 (later)"


def test_several_lines_wait_in_their_order() -> None:
    session = session_with(*ROUND, "later seat Carl 80", "later buy Anna 20")
    assert session.snapshot.later == ("seat Carl 80", "buy Anna 20")
    for line in FOLDED:
        session.submit(line)
    assert said(session)[-2:] == ["seat Carl 80 (later)", "buy Anna 20 (later)"]


def test_it_is_entered_after_a_power_cut_right_behind_the_round(tmp_path: Path) -> None:
    """The round's last line was on the disk, and what waited for it not yet."""
    path = tmp_path / "2026-11-28-1.night"
    with create_night(path) as store:
        session = TableSession(store, clock=lambda: NOW)
        for line in (*ROUND, "later seat Carl 80", FOLDED[0]):
            assert session.submit(line).accepted
        session.log.submit(FOLDED[1])  # and then the power failed
    with open_night(path) as store:
        session = TableSession(store, clock=lambda: NOW)
        assert said(session)[-1] == "seat Carl 80 (later)"
    with open_night(path) as store:
        assert TableSession(store, clock=lambda: NOW).snapshot.entries == 9


def test_it_waits_on_after_a_restart_in_the_round(tmp_path: Path) -> None:
    path = tmp_path / "2026-11-28-1.night"
    with create_night(path) as store:
        session = TableSession(store, clock=lambda: NOW)
        for line in (*ROUND, "later seat Carl 80"):
            assert session.submit(line).accepted
    with open_night(path) as store:
        assert TableSession(store, clock=lambda: NOW).snapshot.later == ("seat Carl 80",)


def test_undo_takes_the_chair_back_and_it_comes_again_when_the_round_ends_again() -> None:
    session = session_with(*ROUND, "later seat Carl 80", *FOLDED, "undo 2")
    assert session.snapshot.later == ("seat Carl 80",)
    assert session.snapshot.in_round
    session.submit("fold Anna")
    assert session.snapshot.seats[-1].name == "Carl"


def test_an_undone_chair_is_not_taken_again_by_itself() -> None:
    session = session_with(*ROUND, "later seat Carl 80", *FOLDED, "undo")
    assert [seat.name for seat in session.snapshot.seats] == ["Anna", "Boris"]


def test_a_line_undone_on_its_own_waits_no_longer() -> None:
    """She never paid: the next round's end must not book the rebuy again."""
    session = session_with(*ROUND, "later buy Anna 50", *FOLDED, "undo")
    assert not session.snapshot.later
    for line in ("round", "dealt", *FOLDED[::-1]):
        assert session.submit(line).accepted
    assert said(session)[-1] == "fold Boris (typed)"


def test_of_several_only_those_that_were_undone_wait_no_longer() -> None:
    session = session_with(*ROUND, "later seat Carl 80", "later buy Anna 50", *FOLDED, "undo")
    assert not session.snapshot.later
    session.submit("redo")
    assert "buy Anna 50 (later)" in said(session)
    assert not session.snapshot.later
    session.submit("undo")
    session.submit("undo")
    assert not session.snapshot.later
    session.submit("redo")
    assert "seat Carl 80 (later)" in said(session)
    assert "buy Anna 50 (later)" not in said(session)
    assert not session.snapshot.later
    session.submit("undo 2")
    assert session.snapshot.in_round
    assert session.snapshot.later == ("seat Carl 80", "buy Anna 50")


def test_forgetting_what_waits_can_be_undone() -> None:
    lines = ["later rename Boris Carl", "later seat Carl 80", *FOLDED, "later none"]
    session = session_with(*ROUND, *lines)
    assert not session.snapshot.later
    session.submit("undo")
    assert session.snapshot.later == ("seat Carl 80",)
    session.submit("redo")
    assert not session.snapshot.later


@pytest.mark.parametrize("behind", [["undo"], ["undo", "note x"]])
def test_an_undone_line_is_not_entered_at_the_next_start(behind: list[str]) -> None:
    store = MemoryNight()
    session_with(*ROUND, "later buy Anna 50", *FOLDED, *behind, store=store)
    session = TableSession(store, "2026-11-28-1", lambda: NOW)
    assert said(session)[-1] != "buy Anna 50 (later)"
    assert not session.snapshot.later


def test_a_start_between_rounds_enters_nothing_that_could_not_be_done_before() -> None:
    """Carl's name was taken at the round's end; he is free by now, and a start is no round's end."""
    store = MemoryNight()
    lines = ["later rename Boris Carl", "later seat Carl 80", *FOLDED, "rename Carl Boris"]
    session_with(*ROUND, *lines, store=store)
    session = TableSession(store, "2026-11-28-1", lambda: NOW)
    assert said(session)[-1] == "rename Carl Boris (typed)"
    assert session.snapshot.later == ("seat Carl 80",)


def test_the_power_fails_between_two_lines_that_waited() -> None:
    store = MemoryNight()
    session = session_with(*ROUND, "later seat Carl 80", "later buy Anna 20", FOLDED[0], store=store)
    session.log.submit(FOLDED[1])
    session.log.submit("seat Carl 80", origin=Origin("later"))  # and then the power failed
    session = TableSession(store, "2026-11-28-1", lambda: NOW)
    assert said(session)[-2:] == ["seat Carl 80 (later)", "buy Anna 20 (later)"]


def test_what_waits_can_be_forgotten() -> None:
    session = session_with(*ROUND, "later seat Carl 80", "later none", *FOLDED)
    assert [seat.name for seat in session.snapshot.seats] == ["Anna", "Boris"]


def test_what_cannot_be_done_then_is_said_and_waits() -> None:
    """Carl takes a chair by another line first; his name is taken when the round ends."""
    session = session_with(*ROUND, "later rename Boris Carl", "later seat Carl 80", FOLDED[0])
    outcome = session.submit(FOLDED[1])
    assert outcome.accepted
    assert outcome.message.startswith(
        "Not done after the round: seat Carl 80. “Carl” is at the table already."
    )
    assert outcome.message.endswith("It waits on; to forget what waits: later none.")
    assert session.snapshot.later == ("seat Carl 80",)


def test_two_who_wait_do_not_look_alike() -> None:
    """A Latin and a Cyrillic C: after the round the second would be refused for good."""
    session = session_with(*ROUND, "later seat C 50")
    twin = "\N{CYRILLIC CAPITAL LETTER ES}"
    outcome = session.submit(f"later seat {twin} 50")
    assert (outcome.accepted, outcome.code) == (False, "E_PLAYER")
    assert outcome.message == (
        f"“{twin}” looks just like “C”, who waits for a chair. Choose a different name."
    )
    assert session.submit(f"later rename Boris {twin}").code == "E_PLAYER"
    assert session.snapshot.later == ("seat C 50",)


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        ("seat Carl 80", "E_PHASE", "With “later” before it"),
        ("later", "E_ARGS", "missing"),
        ("later fold Anna", "E_ARGS", "can't wait"),
        ("later seat Anna 80", "E_PLAYER", "at the table already"),
        ("later buy Anna x", "E_AMOUNT", "not an amount"),
        ("later buy Nobody 5", "E_PLAYER", "Nobody"),
        ("later none", "E_PHASE", "Nothing waits"),
    ],
)
def test_what_cannot_wait_is_refused_at_once(line: str, code: str, words: str) -> None:
    session = session_with(*ROUND)
    outcome = session.submit(line)
    assert (outcome.accepted, outcome.code) == (False, code)
    assert words in outcome.message


def test_a_line_that_waits_already_is_refused() -> None:
    outcome = session_with(*ROUND, "later seat Carl 80").submit("later seat carl 90")
    assert (outcome.code, "waits already" in outcome.message) == ("E_ARGS", True)


def test_only_one_game_waits_and_a_refused_one_leaves_it_waiting() -> None:
    session = session_with(*ROUND, "later game red-dog-bank", "later buy Anna 50")
    assert not session.submit("later game casino-red-dog min=600").accepted
    assert session.snapshot.later == ("game red-dog-bank", "buy Anna 50")
    assert session.submit("later game casino-red-dog min=2").accepted
    assert session.snapshot.later == ("buy Anna 50", "game casino-red-dog min=2")
    assert session.submit("later game casino-red-dog min=5").accepted
    assert session.snapshot.later == ("buy Anna 50", "game casino-red-dog min=5")
    assert session.submit("undo 2").accepted
    assert session.snapshot.later == ("game red-dog-bank", "buy Anna 50")


def test_names_with_the_same_first_word_are_not_the_same_person() -> None:
    session = session_with(*ROUND, 'later seat "Carl B." 50', 'later seat "Carl D." 60')
    assert session.submit('later seat "carl b." 70').code == "E_ARGS"
    assert session.submit("later seat Carl 80").accepted
    assert session.submit('later seat "Carl" 80').code == "E_ARGS"


def test_a_player_may_ask_for_chips_twice_and_gets_both() -> None:
    session = session_with(*ROUND, "later buy Anna 50", "later buy Anna 50", "later buy Anna 20", *FOLDED)
    assert said(session)[-3:] == ["buy Anna 50 (later)", "buy Anna 50 (later)", "buy Anna 20 (later)"]
    assert not session.snapshot.later
    session.submit("undo")
    assert not session.snapshot.later


def test_between_rounds_nothing_needs_to_wait() -> None:
    outcome = session_with(*ROUND, *FOLDED).submit("later seat Carl 80")
    assert (outcome.code, "at once" in outcome.message) == ("E_PHASE", True)


def test_the_night_as_a_file_of_lines_leads_to_the_same_chips() -> None:
    session = session_with(*ROUND, "later seat Carl 80", *FOLDED)
    log = NightLog(MemoryNight(), lambda: NOW)
    for one in session.snapshot.log:
        log.submit(one.text)
    assert (log.night.chips, log.night.later) == (session.night.chips, session.night.later)


def test_a_cash_out_of_somebody_who_lost_all_in_the_round_waits_no_longer() -> None:
    """Else it would cash the chips of her next buy-in, at the end of a round she meant to go on from."""
    session = session_with("game red-dog-pool ante=5", "seat Anna 5", "seat Boris 100", "round", "dealt")
    for line in ("later cashout Anna", "fold Boris"):
        assert session.submit(line).accepted
    assert not session.snapshot.in_round
    assert not session.snapshot.later
    for line in ("buy Anna 50", "round", "dealt", "fold Anna", "fold Boris"):
        assert session.submit(line).accepted
    assert [(seat.name, seat.stack) for seat in session.snapshot.seats] == [("Anna", 40), ("Boris", 80)]


def test_a_cash_out_that_is_refused_at_the_rounds_end_waits_no_longer_and_says_why() -> None:
    """Waiting on, it would take 30 of her next buy-in."""
    session = session_with("game red-dog-pool ante=5", "seat Anna 30", "seat Boris 100", "round", "dealt")
    for line in ("later cashout Anna 30", "fold Boris"):
        assert session.submit(line).accepted
    assert session.snapshot.in_round
    outcome = session.submit("fold Anna")
    assert outcome.message.startswith("Not done after the round: cashout Anna 30. Anna has only 20, not 30. ")
    assert outcome.message.endswith("It waits no longer.")
    assert not session.snapshot.later
    for line in ("buy Anna 50", "round", "dealt", "fold Anna", "fold Boris"):
        assert session.submit(line).accepted
    assert [(seat.name, seat.stack) for seat in session.snapshot.seats] == [("Anna", 60), ("Boris", 80)]


def test_a_buy_in_of_somebody_who_left_with_the_round_waits_no_longer() -> None:
    session = session_with(*ROUND, "later seat Carl 80", "later buy Anna 30", "leave Anna", FOLDED[0])
    outcome = session.submit(FOLDED[1])
    assert outcome.message.startswith("Not done after the round: buy Anna 30. ")
    assert outcome.message.endswith("It waits no longer.")
    assert not session.snapshot.later
    assert said(session)[-2:] == ["seat Carl 80 (later)", "later none buy Anna 30 (later)"]


def test_one_line_that_waits_can_be_forgotten() -> None:
    session = session_with(*ROUND, "later seat Carl 80", "later buy Anna 20", "later none buy Anna 20")
    assert session.snapshot.later == ("seat Carl 80",)
    outcome = session.submit("later none buy Anna 20")
    assert (outcome.code, outcome.message) == (
        "E_ARGS",
        "“buy Anna 20” doesn't wait. What waits: seat Carl 80.",
    )
