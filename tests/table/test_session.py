"""The running table: what sources say is booked, asked about or noted (STYLE.md 4, "Unsure is an answer")."""

from dataclasses import replace

import pytest

from assistant.cards import parse_card
from assistant.store.memory import MemoryNight
from assistant.table.questions import Question
from assistant.table.session import LEAST_SURE, Notice, Outcome, TableSession
from drivers.base import ANSWERS, EventKind, SourceEvent
from tests.table.session_play import (
    CASINO,
    POOL,
    SOURCE,
    card_event,
    fixed_clock,
    lines,
    session_after,
    unchanged_by,
)

# --- booked -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("confidence", [None, LEAST_SURE, 1.0])
def test_sure_card_that_is_due_is_booked_with_its_source(confidence: float | None) -> None:
    session = session_after(*CASINO, "bet P 10")
    outcome = session.receive(card_event("2H", confidence))
    assert isinstance(outcome, Outcome)
    assert outcome.accepted
    assert session.log.log[-1].line == "card 2H"
    assert session.snapshot.board[0].source == SOURCE
    assert session.snapshot.board[0].confidence == (1.0 if confidence is None else confidence)


def test_card_typed_before_the_camera_saw_another_stays_typed() -> None:
    session = session_after(*CASINO, "bet P 10", "card 2H")
    session.receive(card_event("KS"))
    assert [(str(one.card), one.source) for one in session.snapshot.board] == [
        ("2H", "typed"),
        ("KS", SOURCE),
    ]


def test_sources_of_cards_are_known_after_a_restart_and_after_undo_and_redo() -> None:
    store = MemoryNight()
    session = TableSession(store, "n", fixed_clock)
    for line in (*CASINO, "bet P 10"):
        session.submit(line)
    session.receive(card_event("2H", 0.99))
    session.submit("card KS")
    session.submit("undo 2")
    session.submit("redo 2")
    for found in (session, TableSession(store, "n", fixed_clock)):
        assert [(one.source, one.confidence) for one in found.snapshot.board] == [
            (SOURCE, 0.99),
            ("typed", 1.0),
        ]


def test_whole_casino_round_from_a_source() -> None:
    session = session_after(*CASINO, "bet P 10")
    for text in ("6H", "8C"):
        assert isinstance(session.receive(card_event(text)), Outcome)
    session.submit("call P")
    outcome = session.receive(card_event("7D"))
    assert isinstance(outcome, Outcome)
    assert outcome.snapshot.told == ("PAY P 50, and give the bet back",)
    assert session.snapshot.seats[0].stack == 150


# --- asked --------------------------------------------------------------------------------------------------


def test_card_below_the_threshold_is_asked() -> None:
    session = session_after(*CASINO, "bet P 10")
    asked = unchanged_by(session, card_event("2H", LEAST_SURE - 0.01))
    assert isinstance(asked, Question)
    assert (asked.kind, asked.candidates) == ("unsure", ((parse_card("2H"), LEAST_SURE - 0.01),))
    assert lines(session, asked) == {"2H": "card 2H"}


def test_unsure_card_is_asked_without_what_can_not_be_any_more() -> None:
    session = session_after(*CASINO, "bet P 10", "card 9C KD", "call P")
    now = session.seconds()
    session.seconds = lambda: now + 10  # long after the posts were typed
    asked = unchanged_by(session, card_event("", candidates="6C:0.6 9C:0.3 6S:0.1"))
    assert isinstance(asked, Question)
    assert [str(card) for card, _sure in asked.candidates] == ["6C", "6S"]
    assert lines(session, asked) == {"6C": "card 6C", "6S": "card 6S"}
    assert session.answer(asked.number, parse_card("6C")).accepted
    assert (session.log.log[-1].line, session.snapshot.questions) == ("card 6C", ())


def test_unsure_card_of_a_hand_goes_behind_those_shown() -> None:
    session = session_after(*POOL, 'bet "Anna K." 5', "card 7H")
    assert isinstance(session.receive(card_event("2C")), Notice)
    asked = unchanged_by(session, card_event("", candidates="8H:0.7 2C:0.2"))
    assert isinstance(asked, Question)
    assert lines(session, asked) == {"8H": 'show "Anna K." 2C 8H'}


def test_card_that_is_not_due_is_asked_and_may_be_burned() -> None:
    """RULES.md 1.9: a card that is not due counts as unseen."""
    session = session_after(*CASINO)
    asked = unchanged_by(session, card_event("2H"))
    assert isinstance(asked, Question)
    assert (asked.kind, lines(session, asked)) == ("unexpected", {"2H": "burn 2H"})
    session = session_after(*CASINO, "bet P 10", "card 2H KS")
    asked = unchanged_by(session, card_event("3H"))
    assert isinstance(asked, Question)
    assert (asked.kind, lines(session, asked)) == ("unexpected", {"3H": ""})


def test_card_in_another_zone_than_the_due_one_is_asked() -> None:
    session = session_after(*CASINO, "bet P 10")
    asked = unchanged_by(session, card_event("2H", zone="hand"))
    assert isinstance(asked, Question)
    assert asked.kind == "unexpected"
    assert isinstance(session.receive(card_event("2H", zone="posts")), Outcome)


def test_card_the_rules_refuse_is_asked_with_the_reason() -> None:
    """A shoe with one card left: the second post is not there."""
    session = session_after("game casino-red-dog decks=1 cut=0", "seat P 100")
    ranks = "23456789TJQKA"
    session.submit("burn A")
    for rank in ranks:
        for _ in range(3 if rank == "A" else 4):
            session.submit(f"burn {rank}")
    assert session.snapshot.cards_left == 0
    session.submit("bet P 10")
    asked = unchanged_by(session, card_event("2H"))
    assert isinstance(asked, Notice)


# --- answers that come late -------------------------------------------------------------------------------


def unsure_of(session: TableSession, candidates: str) -> Question:
    asked = session.receive(card_event("", candidates=candidates))
    assert isinstance(asked, Question)
    return asked


def shoe_card(text: str) -> SourceEvent:
    return SourceEvent(EventKind.CARD, "serial:shoe", 1.0, card=parse_card(text), is_shoe=True)


def test_question_is_settled_when_another_source_names_the_card() -> None:
    """A camera in doubt, a shoe that is sure: one card lies there, and it is booked once."""
    session = session_after("game casino-red-dog", "seat P 100", "bet P 10")
    asked = unsure_of(session, "9S:0.6 6S:0.4")
    assert isinstance(session.receive(shoe_card("9S")), Outcome)
    assert session.snapshot.questions == ()
    late = session.answer(asked.number, parse_card("9S"))
    assert (late.accepted, late.message) == (False, "That question is settled; nothing was booked.")
    assert [str(card.card) for card in session.snapshot.board] == ["9S"]


@pytest.mark.parametrize("said", ["card 9S", "card 9", "  CARD 9s"])
def test_camera_that_grows_sure_after_the_dealer_said_the_card_books_no_second_one(said: str) -> None:
    session = session_after("game casino-red-dog", "seat P 100", "bet P 10")
    unsure_of(session, "9S:0.6 6S:0.4")
    assert session.submit(said).accepted
    sure = SourceEvent(EventKind.CARD, SOURCE, 9.0, card=parse_card("9S"), confidence=0.99, code=ANSWERS)
    assert isinstance(unchanged_by(session, sure), Notice)


def test_camera_that_grows_sure_after_the_dealer_chose_the_card_books_no_second_one() -> None:
    session = session_after("game casino-red-dog", "seat P 100", "bet P 10")
    asked = unsure_of(session, "9S:0.6 6S:0.4")
    assert session.answer(asked.number, parse_card("9S")).accepted
    sure = SourceEvent(EventKind.CARD, SOURCE, 9.0, card=parse_card("9S"), confidence=0.99, code=ANSWERS)
    assert isinstance(unchanged_by(session, sure), Notice)


def test_typed_card_that_the_camera_sees_too_is_one_card() -> None:
    session = session_after("game casino-red-dog", "seat P 100", "bet P 10", "card QH")
    assert isinstance(unchanged_by(session, card_event("QH")), Notice)


def test_card_seen_too_early_is_the_due_one_once_a_card_is_due() -> None:
    session = session_after(*POOL)
    asked = session.receive(card_event("7H"))
    assert isinstance(asked, Question)
    assert lines(session, asked) == {"7H": "burn 7H"}
    session.submit('bet "Anna K." 5')
    assert lines(session, asked) == {"7H": "card 7H"}
    assert session.answer(asked.number, parse_card("7H")).accepted
    assert session.log.log[-1].line == "card 7H"


def test_bet_between_leaves_a_question_open_and_the_dealer_may_wave_it_away() -> None:
    session = session_after(*POOL)
    asked = session.receive(card_event("7H"))
    assert isinstance(asked, Question)
    session.submit("note nobody touched it")
    assert [one.number for one in session.snapshot.questions] == [asked.number]
    assert session.dismiss(asked.number).questions == ()


def test_questions_about_cards_end_with_the_round_and_with_a_shuffle() -> None:
    session = session_after(*CASINO, "bet P 10")
    unsure_of(session, "9S:0.6 6S:0.4")
    session.submit("shuffle")
    assert session.snapshot.questions == ()
    session.submit("card 2H KS")
    session.receive(card_event("3H"))
    session.submit("void")
    assert session.snapshot.questions == ()


def test_undo_lets_the_card_be_seen_again_by_every_source() -> None:
    session = session_after("game casino-red-dog", "seat P 100", "bet P 10")
    session.receive(shoe_card("9S"))
    session.submit("undo")
    assert isinstance(session.receive(card_event("9S")), Outcome)


# --- noted --------------------------------------------------------------------------------------------------


def test_card_seen_already_is_a_notice() -> None:
    """Case B013: a second sighting gives a notice, no event."""
    session = session_after(*CASINO, "bet P 10", "card 2H")
    found = unchanged_by(session, card_event("2H"))
    assert isinstance(found, Notice)
    assert found.text == "2♥ already dealt"
    session.submit("card KS")
    assert isinstance(unchanged_by(session, card_event("2H")), Notice)
    repeated = SourceEvent(EventKind.REPEATED, SOURCE, 2.0, card=parse_card("KS"))
    assert isinstance(unchanged_by(session, repeated), Notice)


def test_card_freed_by_undo_may_be_seen_again() -> None:
    """Case B123."""
    session = session_after(*CASINO, "bet P 10")
    session.receive(card_event("2H"))
    session.submit("undo")
    assert isinstance(session.receive(card_event("2H")), Outcome)


def test_card_face_down_is_counted_and_never_named() -> None:
    """TABLE_TALK.md: counted, never named."""
    session = session_after(*POOL)
    found = unchanged_by(session, card_event(""))
    assert isinstance(found, Notice)
    assert found.text == "A card passed face down and was counted."


@pytest.mark.parametrize(
    ("kind", "asked"),
    [
        (EventKind.GAP, True),
        (EventKind.JOINED, True),
        (EventKind.REBOOT, True),
        (EventKind.CONFLICT, True),
        (EventKind.DOWN, False),
        (EventKind.UP, False),
        (EventKind.STALE, False),
        (EventKind.CUT, False),
        (EventKind.EMPTY, False),
        (EventKind.LID, False),
        (EventKind.BACK, False),
        (EventKind.FAULT, False),
    ],
)
def test_trouble_is_asked_where_a_card_may_be_missing_and_noted_else(kind: EventKind, asked: bool) -> None:
    session = session_after(*CASINO, "bet P 10")
    found = unchanged_by(session, SourceEvent(kind, SOURCE, 1.0, note="a fault"))
    assert isinstance(found, Question if asked else Notice)
    assert found.text.startswith(f"{SOURCE}: ")


@pytest.mark.parametrize(
    ("kind", "note", "expected"),
    [
        (EventKind.DOWN, "no such file", "lost. Type the cards. No such file."),
        (EventKind.DOWN, "No such file.", "lost. Type the cards. No such file."),
        (EventKind.DOWN, "", "lost. Type the cards."),
        (
            EventKind.EMPTY,
            "the shoe is empty",
            "the shoe is empty. Shuffle. By the count 52 cards should be left: count the discards.",
        ),
        (EventKind.UP, "\x1b[2Jred\u202e", "works. [2Jred."),
        (EventKind.FAULT, "wrong speed", "wrong speed"),
    ],
)
def test_trouble_says_why_in_the_words_of_the_source(kind: EventKind, note: str, expected: str) -> None:
    found = unchanged_by(session_after(*CASINO), SourceEvent(kind, SOURCE, 1.0, note=note))
    assert found.text == f"{SOURCE}: {expected}"


def test_at_the_cut_card_the_count_says_what_is_left_where_every_card_is_shown() -> None:
    cut = SourceEvent(EventKind.CUT, SOURCE, 1.0)
    seen = session_after("game casino-red-dog decks=1", "seat P 100", "bet P 10", "card QH", "card KH")
    assert unchanged_by(seen, cut).text.endswith(
        "the cut card is out. Shuffle after this round. By the count 50 cards are left behind it."
    )
    hands = session_after("game red-dog-pool ante=5", "seat A 100", "seat B 100")
    for kind in (EventKind.CUT, EventKind.EMPTY):
        assert "count" not in unchanged_by(hands, SourceEvent(kind, SOURCE, 1.0)).text


def test_a_source_that_could_not_be_opened_was_not_lost() -> None:
    why = "A camera source has no option fsp. Known options: fps, zone."
    found = unchanged_by(
        session_after(*CASINO), SourceEvent(EventKind.DOWN, SOURCE, 1.0, code="BadSource", note=why)
    )
    assert found.text == f"{SOURCE}: can't be used now. Type the cards. {why}"


@pytest.mark.parametrize("kind", [EventKind.UNREADABLE, EventKind.TAG_UNKNOWN])
def test_unread_card_is_asked_only_where_a_card_is_due(kind: EventKind) -> None:
    due = session_after(*CASINO, "bet P 10")
    assert isinstance(unchanged_by(due, SourceEvent(kind, SOURCE, 1.0)), Question)
    assert isinstance(unchanged_by(session_after(*CASINO), SourceEvent(kind, SOURCE, 1.0)), Notice)


# --- hands shown card by card -------------------------------------------------------------------------------


def test_hand_shown_card_by_card_is_settled_when_it_wins_or_is_whole() -> None:
    session = session_after(*POOL, 'bet "Anna K." 5', "card 7H")
    found = unchanged_by(session, card_event("2C"))
    assert isinstance(found, Notice)
    assert found.text == "2♣: no winner yet, show more (1 of 3)"
    assert isinstance(unchanged_by(session, card_event("2C")), Notice)
    outcome = session.receive(card_event("8H"))
    assert isinstance(outcome, Outcome)
    assert session.log.log[-1].line == 'show "Anna K." 2C 8H'
    for line in ("bet B 5", "card 9S"):
        session.submit(line)
    for text in ("3C", "4C"):
        assert isinstance(unchanged_by(session, card_event(text)), Notice)
    session.receive(card_event("5C"))
    assert session.log.log[-1].line == "show B 3C 4C 5C"
    assert not session.snapshot.in_round


def test_cards_of_a_hand_are_forgotten_when_another_line_comes_between() -> None:
    session = session_after(*POOL, 'bet "Anna K." 5', "card 7H")
    session.receive(card_event("2C"))
    session.submit("note a wrong hand was lifted")
    session.receive(card_event("3C"))
    session.receive(card_event("8H"))
    assert session.log.log[-1].line == 'show "Anna K." 3C 8H'


SHOWING = (*POOL, 'bet "Anna K." 5', "card 7H")


def test_the_cards_beside_a_winning_one_are_no_early_cards() -> None:
    """Three cards of one hand in one look: the second wins, so the third has nothing to say."""
    session = session_after(*SHOWING)
    first = session.receive(card_event("2C"))
    assert isinstance(first, Notice)
    assert "show more (1 of " in first.text
    assert isinstance(session.receive(card_event("KH")), Outcome)
    assert session.log.log[-1].line == 'show "Anna K." 2C KH'
    rest = unchanged_by(session, card_event("5D"))
    assert isinstance(rest, Notice)
    assert rest.text == "5♦ was shown too."
    assert isinstance(unchanged_by(session, card_event("", candidates="9S:0.6 6S:0.4")), Notice)


def test_a_card_where_hands_are_shown_is_never_taken_for_a_turned_one() -> None:
    session = session_after(*POOL, 'bet "Anna K." 5')
    assert isinstance(unchanged_by(session, card_event("KH", zone="hand")), Notice)
    assert isinstance(session.receive(card_event("7H", zone="posts")), Outcome)
    assert session.log.log[-1].line == "card 7H"


def test_another_source_that_sees_a_card_after_a_hand_was_shown_is_asked_about() -> None:
    session = session_after(*SHOWING)
    assert isinstance(session.receive(card_event("KH")), Outcome)
    assert isinstance(unchanged_by(session, shoe_card("5D")), Question)


RAKE = (
    *("game rake", "seat A 200", "seat B 50", "seat C 200", "dealer A", "round", "dealt"),
    *("bet B 40", "raise C 100", "call A"),
)


def seen_again(text: str, zone: str) -> SourceEvent:
    """A camera knows a card of the market when it sees it in a hand."""
    return SourceEvent(EventKind.REPEATED, SOURCE, 9.0, card=parse_card(text), zone=zone, code="seen-again")


def test_a_market_and_five_card_hands_come_from_a_camera() -> None:
    """RAK-04, with every card seen: three in the market, then five at once for each player."""
    session = session_after(*RAKE)
    for card in ("QD", "9D", "KH"):
        assert isinstance(session.receive(card_event(card, zone="third")), Outcome), card
    for line in ("take B QD", "take C 9D", "take A KH", "check C", "bet A 50", "call C"):
        assert session.submit(line).accepted, line
    for line in ("take B closed", "take C closed", "take A closed", "check C", "check A"):
        assert session.submit(line).accepted, line
    for hand in ("QS QH 4D QD 7C", "9S 9C 2H 9D TD", "KD 8H 3C KH 6C"):
        for card in hand.split():
            again = card in ("QD", "9D", "KH")
            event = seen_again(card, "hand") if again else card_event(card, zone="hand")
            last = session.receive(event)
            assert isinstance(last, Outcome) == (card == hand.split()[-1]), card
        assert session.log.log[-1].line.split(maxsplit=2)[2] == hand
    assert {seat.name: seat.stack for seat in session.snapshot.seats} == {"A": 40, "B": 150, "C": 260}
    assert session.snapshot.questions == ()


def test_a_turned_card_seen_again_is_no_card_of_the_hand() -> None:
    session = session_after(*SHOWING)
    again = unchanged_by(session, seen_again("7H", "hand"))
    assert isinstance(again, Notice)
    assert again.text == "7♥ already dealt"
    assert isinstance(session.receive(card_event("KH", zone="hand")), Outcome)
    assert session.log.log[-1].line == 'show "Anna K." KH'


def test_answered_card_keeps_the_report_and_the_tag_it_came_from() -> None:
    """After a restart the shoe sends its last report again, and the card still lies on the reader."""
    session = session_after(*CASINO, "bet P 5", "card 2c", "card 9c")
    event = replace(card_event("5h"), report="SHOE-01/7A3C/0003", named_by="0406B902")
    asked = session.receive(event)
    assert isinstance(asked, Question)
    assert session.submit("call P").accepted
    assert session.answer(asked.number, parse_card("5h")).accepted
    assert session.log.dealt_tags() == {"0406B902"}
    again = TableSession(session.store, "2026-11-28-1", fixed_clock)
    assert again.submit("bet P 5").accepted
    assert isinstance(again.receive(event), Notice)
