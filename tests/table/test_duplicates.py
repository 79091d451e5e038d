"""One card is one card, whoever saw it (CONSOLE.md 10.7, SHOE_PROTOCOL.md 7)."""

from assistant.cards import parse_card
from assistant.table.duplicates import DuplicateFilter
from drivers.base import ANSWERS, Candidate, EventKind, SourceEvent


def test_camera_and_shoe_that_see_one_card_within_three_seconds_count_it_once() -> None:
    """CONSOLE.md 10.7."""
    sift = DuplicateFilter().sift
    shoe = SourceEvent(EventKind.CARD, "shoe", 0.0, card=parse_card("9S"))
    camera = SourceEvent(EventKind.CARD, "camera", 0.0, card=parse_card("9S"))
    assert sift(shoe, 10.0) is shoe
    notice = sift(camera, 12.9)
    assert (notice.event, notice.note) == (EventKind.REPEATED, "named by shoe just before")
    assert sift(camera, 20.0) is camera


def test_two_shoes_never_see_one_card() -> None:
    """SHOE_PROTOCOL.md 7: two shoes are never merged."""
    sift = DuplicateFilter().sift
    one = SourceEvent(EventKind.CARD, "shoe 1", 0.0, card=parse_card("9S"))
    two = SourceEvent(EventKind.CARD, "shoe 2", 0.0, card=parse_card("9S"))
    assert sift(one, 1.0, by_shoe=True) is one
    assert sift(two, 1.5, by_shoe=True) is two


def test_two_copies_seen_by_both_sources_are_two_cards() -> None:
    sift = DuplicateFilter().sift
    shoe = SourceEvent(EventKind.CARD, "shoe", 0.0, card=parse_card("9S"))
    camera = SourceEvent(EventKind.CARD, "camera", 0.0, card=parse_card("9S"))
    order = [sift(event, at).event for event, at in ((shoe, 0.0), (shoe, 0.9), (camera, 1.0), (camera, 1.5))]
    assert order == [EventKind.CARD, EventKind.CARD, EventKind.REPEATED, EventKind.REPEATED]


def test_a_second_copy_that_only_the_camera_sees_is_a_second_card() -> None:
    sift = DuplicateFilter().sift
    shoe = SourceEvent(EventKind.CARD, "shoe", 0.0, card=parse_card("9S"))
    camera = SourceEvent(EventKind.CARD, "camera", 0.0, card=parse_card("9S"))
    order = [sift(event, at).event for event, at in ((shoe, 0.0), (camera, 1.0), (camera, 1.5))]
    assert order == [EventKind.CARD, EventKind.REPEATED, EventKind.CARD]


def unsure(*cards: str) -> SourceEvent:
    candidates = tuple(Candidate(parse_card(card), 0.5) for card in cards)
    return SourceEvent(EventKind.UNSURE, "camera", 0.0, candidates=candidates)


def answer(card: str) -> SourceEvent:
    return SourceEvent(EventKind.CARD, "camera", 0.0, card=parse_card(card), code=ANSWERS)


def test_a_camera_that_grows_sure_after_the_dealer_answered_books_no_second_card() -> None:
    sifter = DuplicateFilter()
    assert sifter.sift(unsure("6S", "9S"), 1.0).event is EventKind.UNSURE
    sifter.booked(parse_card("6S"), 2.0, by_dealer=True)
    assert sifter.sift(answer("6S"), 60.0).event is EventKind.REPEATED


def test_a_camera_that_grows_sure_of_another_card_than_was_said_is_a_conflict() -> None:
    sifter = DuplicateFilter()
    sifter.sift(unsure("6S", "9S"), 1.0)
    sifter.booked(parse_card("6S"), 2.0, by_dealer=True)
    found = sifter.sift(answer("9S"), 60.0)
    assert (found.event, found.note) == (EventKind.CONFLICT, "now reads 9♠, which is not what was said")


def test_a_camera_that_grows_sure_before_the_dealer_answers_names_the_card_once() -> None:
    sifter = DuplicateFilter()
    sifter.sift(unsure("6S", "9S"), 1.0)
    assert sifter.sift(answer("9S"), 4.0).event is EventKind.CARD
    assert sifter.sift(answer("9S"), 9.0).event is EventKind.CONFLICT


def test_no_question_is_asked_about_a_card_the_shoe_has_just_named() -> None:
    sifter = DuplicateFilter()
    sifter.sift(SourceEvent(EventKind.CARD, "shoe", 0.0, card=parse_card("9S")), 1.0)
    assert sifter.sift(unsure("6S", "9S"), 2.0).event is EventKind.REPEATED
    assert sifter.sift(answer("9S"), 9.0).event is EventKind.REPEATED
    assert sifter.sift(unsure("6S", "9S"), 9.5).event is EventKind.UNSURE


def test_a_bare_rank_that_was_typed_covers_the_card_the_camera_sees() -> None:
    sifter = DuplicateFilter()
    sifter.booked(parse_card("Q", bare_rank=True), 1.0, by_dealer=True)
    camera = SourceEvent(EventKind.CARD, "camera", 0.0, card=parse_card("QH"))
    assert sifter.sift(camera, 2.0).event is EventKind.REPEATED


def test_card_another_source_named_answers_the_question_of_the_camera() -> None:
    sifter = DuplicateFilter()
    sifter.sift(unsure("6S", "9S"), 1.0)
    sifter.sift(SourceEvent(EventKind.CARD, "shoe", 0.0, card=parse_card("9S")), 2.0)
    sifter.booked(parse_card("9S"), 2.0, by_dealer=False)
    assert sifter.sift(answer("9S"), 60.0).event is EventKind.REPEATED
