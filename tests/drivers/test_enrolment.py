"""Enrolment: every single card that is missed, doubled or swapped in either pass is caught (T14)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from drivers.decks import expected_cards
from drivers.enrolment import Answer, Enrolment, Pass, Said

CARDS = expected_cards()
TAG = {card: f"{number:010X}" for number, card in enumerate(expected_cards(2), 0x62E3086CE0)}
TRUTH = {TAG[card]: card for card in CARDS}


def draw(enrolment: Enrolment, cards: Sequence[str], start_s: float = 0.0) -> list[Answer]:
    """Draw cards at one a second and a bit, each read three times as readers do."""
    return [
        enrolment.read(TAG[card], start_s + number * 1.5 + repeat * 0.1)
        for number, card in enumerate(cards)
        for repeat in range(3)
    ]


def enrol(first: Sequence[str], second: Sequence[str]) -> tuple[Enrolment, bool]:
    """Go through both passes without looking; a first pass that ends early is finished by skipping."""
    enrolment = Enrolment()
    stopped = any(answer.stops for answer in draw(enrolment, first))
    while enrolment.now is Pass.FILL and enrolment.expected:
        enrolment.skip()
    stopped |= any(answer.stops for answer in draw(enrolment, second, 1000.0))
    return enrolment, stopped


def test_a_deck_drawn_in_order_and_backwards_is_enrolled() -> None:
    enrolment, stopped = enrol(CARDS, CARDS[::-1])
    assert not stopped
    assert enrolment.now is Pass.DONE
    assert dict(enrolment.tags) == TRUTH


def skipped(cards: Sequence[str], at: int) -> list[str]:
    return [*cards[:at], *cards[at + 1 :]]


def doubled(cards: Sequence[str], at: int) -> list[str]:
    return [*cards[: at + 1], cards[at], *cards[at + 1 :]]


def swapped(cards: Sequence[str], at: int) -> list[str]:
    other = (at + 1) % len(cards)
    changed = list(cards)
    changed[at], changed[other] = changed[other], changed[at]
    return changed


@pytest.mark.parametrize("mistake", [skipped, doubled, swapped])
@pytest.mark.parametrize("which", ["first", "second"])
def test_every_single_mistake_in_either_pass_is_caught(mistake: object, which: str) -> None:
    """T14: 52 places, three mistakes, two passes. A deck is never called enrolled while a tag is wrong."""
    assert callable(mistake)
    caught = 0
    for at in range(52):
        first, second = CARDS, CARDS[::-1]
        first = tuple(mistake(first, at)) if which == "first" else first
        second = tuple(mistake(second, at)) if which == "second" else second
        enrolment, stopped = enrol(first, second)
        is_wrong = dict(enrolment.tags) != TRUTH
        caught += stopped or enrolment.now is not Pass.DONE
        assert not (is_wrong and enrolment.now is Pass.DONE and not stopped)
        # the last card read once more when all is done changes nothing any more
        assert stopped or enrolment.now is not Pass.DONE or (mistake is doubled and at == 51 and not is_wrong)
    assert caught >= 51


def test_a_first_card_that_was_missed_is_found_left_over_in_the_end() -> None:
    """Every tag would be one card off, and each found where the first pass put it."""
    enrolment, stopped = enrol(CARDS[1:], CARDS[:0:-1])
    assert not stopped
    assert enrolment.now is Pass.LEFT
    assert enrolment.read(TAG["AS"], 9000.0).said is Said.UNKNOWN
    assert enrolment.go_to("AS").said is Said.MOVED
    assert not enrolment.tags


def test_a_card_read_again_within_a_second_is_the_same_card() -> None:
    enrolment = Enrolment()
    assert enrolment.read("AA", 0.0) == Answer(Said.TAKEN, "AS", tag="AA")
    assert enrolment.read("AA", 0.9).said is Said.SAME
    assert enrolment.read("AA", 1.8).said is Said.SAME
    assert enrolment.read("AA", 3.0) == Answer(Said.USED, "2S", "AS", "AA")


def test_a_tag_that_is_used_stops_and_shows_both_cards() -> None:
    enrolment = Enrolment()
    draw(enrolment, CARDS[:5])
    answer = enrolment.read(TAG["2S"], 100.0)
    assert (answer.said, answer.card, answer.other) == (Said.USED, "6S", "2S")
    assert enrolment.expected == "6S"


def test_undo_skip_and_going_to_a_card() -> None:
    enrolment = Enrolment(jokers=1)
    draw(enrolment, CARDS[:5])
    assert enrolment.undo() == Answer(Said.UNDONE, "5S", tag=TAG["5S"])
    assert enrolment.skip() == Answer(Said.SKIPPED, "5S")
    assert enrolment.expected == "6S"
    assert enrolment.go_to("2S") == Answer(Said.MOVED, "2S")
    assert dict(enrolment.tags) == {TAG["AS"]: "AS"}
    assert enrolment.go_to("KC").said is Said.NOTHING
    assert enrolment.go_to("ZZ").said is Said.NOTHING
    draw(enrolment, [*CARDS[1:4], *CARDS[5:]], 50.0)
    assert enrolment.expected == "KC"


def test_a_torn_sticker_is_left_out_backwards_too_and_reported() -> None:
    enrolment = Enrolment(jokers=2)
    for number, card in enumerate(expected_cards(2)):
        if card == "7H":
            enrolment.skip()
        else:
            enrolment.read(TAG[card], number * 1.5)
    assert enrolment.now is Pass.CHECK
    back = [card for card in expected_cards(2)[::-1] if card != "7H"]
    assert back[0] == enrolment.expected == "XB"
    draw(enrolment, back, 500.0)
    assert enrolment.expected is None
    assert enrolment.finish().said is Said.TURNED
    assert enrolment.finish().said is Said.NOTHING
    report = enrolment.report("stxetx")
    assert (report.tags, report.missing) == (53, ("7H",))
    deck = enrolment.deck("Blue", format="stxetx", back="blue", created="2026-11-28T21:14:00+00:00")
    assert deck.missing == ("7H",)
    assert deck.tags[TAG["XB"]] == "XB"


def test_after_a_disagreement_the_check_goes_on_where_it_was_or_the_first_pass_from_a_card() -> None:
    enrolment = Enrolment()
    draw(enrolment, CARDS)
    assert enrolment.read(TAG["QC"], 100.0) == Answer(Said.WRONG, "KC", "QC", TAG["QC"])
    assert enrolment.read(TAG["KC"], 102.0).said is Said.SEEN
    assert enrolment.go_to("TC").said is Said.MOVED
    assert (enrolment.now, enrolment.expected) == (Pass.FILL, "TC")
    draw(enrolment, CARDS[-4:], 200.0)
    draw(enrolment, CARDS[::-1], 300.0)
    assert enrolment.now is Pass.DONE


def test_a_second_sticker_a_card_is_enrolled_in_the_same_order() -> None:
    enrolment = Enrolment(stickers=2)
    draw(enrolment, CARDS)
    draw(enrolment, CARDS[::-1], 200.0)
    assert (enrolment.now, enrolment.expected) == (Pass.FILL, "AS")
    for number, card in enumerate(CARDS):
        assert not enrolment.read(f"EE{TAG[card]}", 400.0 + number * 1.5).stops
    for number, card in enumerate(CARDS[::-1]):
        sticker = TAG[card] if number % 2 else f"EE{TAG[card]}"
        assert not enrolment.read(sticker, 600.0 + number * 1.5).stops
    assert enrolment.now is Pass.DONE
    assert len(enrolment.tags) == 104
    assert set(enrolment.tags.values()) == set(CARDS)


def test_near_twins_are_flagged_to_be_confirmed_twice() -> None:
    enrolment, _ = enrol(CARDS, CARDS[::-1])
    deck = enrolment.deck("Blue", format="stxetx")
    assert {"62E3086CE0", "62E3086CE1"} <= deck.confirm_twice
    assert enrolment.report("oslp").twins == ()
