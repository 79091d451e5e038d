"""Enrolled decks on the disk, and what a tag is: near-twins, other decks, unknown tags, two stickers."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

import pytest

from assistant.cards import parse_card
from drivers.base import ANSWERS, EventKind, Integrity, SourceEvent
from drivers.codecs.formats import FORMATS
from drivers.codecs.stxetx import checksum
from drivers.codecs.tags import SAME_VISIT
from drivers.deckmap import DeckMap, Known, near_twins, open_decks
from drivers.decks import (
    BadDeck,
    Deck,
    card_of,
    change_tag,
    checked_name,
    expected_cards,
    load_deck,
    load_decks,
    read_tags,
    save_deck,
    tags_csv,
)
from drivers.naming import TagNamer

BLUE = {"0406B9020A5481": "AS", "04576C020A5481": "AS", "92256FEB": "KD", "040999020A5480": "XR"}


@pytest.fixture
def decks(tmp_path: Path) -> Path:
    return tmp_path / "decks"


# --- on the disk --------------------------------------------------------------------------------------------


def test_a_deck_comes_back_as_it_was_saved(decks: Path) -> None:
    deck = Deck(
        "Blue #2", BLUE, "uidline", 'dark "blue"', "2026-11-28T21:14:00+00:00", 1, frozenset({"92256FEB"})
    )
    save_deck(decks, deck)
    assert load_deck(decks, "Blue #2") == deck
    assert load_decks(decks) == (deck,)


def test_the_tag_list_is_a_table_that_opens_in_a_spreadsheet(decks: Path) -> None:
    place = save_deck(decks, Deck("Blue", BLUE))
    assert (place / "tags.csv").read_text("utf-8") == (
        "card,uid_hex,tag_no\nKD,92256FEB,1\nAS,0406B9020A5481,1\nAS,04576C020A5481,2\nXR,040999020A5480,1\n"
    )


def test_a_code_that_begins_like_a_formula_is_quoted_and_comes_back(decks: Path) -> None:
    deck = Deck("Codes", {"=1+1": "AS", "-7": "KD", "1010": "2S"})
    save_deck(decks, deck)
    assert "'=1+1" in (decks / "Codes" / "tags.csv").read_text("utf-8")
    assert load_deck(decks, "Codes").tags == deck.tags


def test_the_version_before_stays_beside_and_what_others_keep_in_the_file_stays(decks: Path) -> None:
    place = save_deck(decks, Deck("Blue", {"92256FEB": "KD"}))
    with (place / "deck.toml").open("a", encoding="utf-8") as file:
        file.write("\n[camera]\nprototypes = 52\n")
    save_deck(decks, Deck("Blue", {"92256FEB": "QD"}))
    assert read_tags(place / "tags.csv.bak") == {"92256FEB": "KD"}
    about = tomllib.loads((place / "deck.toml").read_text("utf-8"))
    assert about["camera"] == {"prototypes": 52}
    assert sorted(path.name for path in place.iterdir()) == [
        "deck.toml",
        "deck.toml.bak",
        "tags.csv",
        "tags.csv.bak",
    ]


def test_a_disk_that_refuses_leaves_the_deck_as_it_was(decks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_deck(decks, Deck("Blue", BLUE))

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BadDeck, match="No space"):
        save_deck(decks, Deck("Blue", {"92256FEB": "QD"}))
    assert load_deck(decks, "Blue").tags == BLUE


@pytest.mark.parametrize(
    "name", ["", "..", "a/b", "a\\b", "CON", "x" * 61, "a+b", "a,b", "a\x1b[31m", ".hidden"]
)
def test_a_name_that_can_not_be_a_folder_is_refused(name: str) -> None:
    with pytest.raises(BadDeck):
        checked_name(name)


def test_a_deck_that_is_not_there_names_those_that_are(decks: Path) -> None:
    save_deck(decks, Deck("Blue", BLUE))
    with pytest.raises(BadDeck) as caught:
        load_deck(decks, "Green")
    assert "Blue" in caught.value.hint


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("uid_hex\n04\n", "not a tag list"),
        ("card,uid_hex\nAS\n", "line 2"),
        ("card,uid_hex\nAS,0406\nZZ,0407\n", "line 3"),
        ("card,uid_hex\nAS,04G6\n", "line 2"),
        ("card,uid_hex\nAS,0406\nKD,0406\n", "AS further up"),
        ("card,uid_hex\n", "holds no tags"),
        ("", "not a tag list"),
    ],
)
def test_a_tag_list_is_read_whole_or_not_at_all(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "tags.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(BadDeck, match=problem):
        read_tags(path)


def test_lists_of_other_programs_are_read(tmp_path: Path, shared: Path) -> None:
    samples = shared / "shoe" / "samples"
    real = read_tags(samples / "real_deck_ntag_uids.csv")
    assert len(real) == 108
    assert sorted(set(real.values())) == sorted(expected_cards(2))
    assert read_tags(samples / "barcode_pretty_dealer_map.csv")["2100"] == "TH"
    spreadsheet = tmp_path / "bom.csv"
    spreadsheet.write_text("\ufeffcard,uid,note\n10♥,04 06 b9 02,torn\nJoker1,04 06 b9 03,\n", "utf-8")
    assert read_tags(spreadsheet) == {"0406B902": "TH", "0406B903": "XR"}


def test_a_sorted_deck_begins_with_the_ace_of_spades_and_ends_with_the_jokers() -> None:
    cards = expected_cards(2)
    assert (cards[0], cards[12], cards[13], cards[51], cards[52:]) == ("AS", "KS", "AH", "KC", ("XR", "XB"))
    assert len(set(cards)) == 54
    assert card_of("XB") is None
    assert card_of("TC") == parse_card("TC")


# --- what a tag is ------------------------------------------------------------------------------------------


def test_the_near_twins_of_the_real_deck(shared: Path) -> None:
    """SHOE_PROTOCOL.md 1: five pairs differ by one bit on the wire, 19 by at most two, 18 more by a byte."""
    tags = read_tags(shared / "shoe" / "samples" / "real_deck_ntag_uids.csv")
    twins = near_twins(tags, "uidline")
    assert len([twin for twin in twins if twin.bits <= 2]) == 19
    one_byte = [twin for twin in twins if twin.bits > 2]
    assert len(one_byte) == 18
    assert frozenset(("7S", "KD")) in {frozenset((twin.card, twin.other_card)) for twin in one_byte}
    pairs = {frozenset((twin.card, twin.other_card)) for twin in twins if twin.bits == 1}
    assert len([twin for twin in twins if twin.bits == 1]) == 5
    assert frozenset(("4S", "5S")) in pairs
    assert frozenset(("7S", "KH")) in pairs
    assert near_twins(tags, "oslp") == ()


def test_a_format_that_names_cards_has_no_twins_and_a_check_sets_tags_apart() -> None:
    tags = {"62E3086CE4": "AS", "62E3086CE5": "2S"}
    assert [twin.bits for twin in near_twins(tags, "uidline")] == [1]
    assert checksum("62E3086CE4") ^ checksum("62E3086CE5") == 1
    assert [twin.bits for twin in near_twins(tags, "stxetx")] == [2]
    assert near_twins(tags, "plain") == ()
    assert near_twins({"1010": "AS", "1020": "2S"}, "barcode") == (), "a scanner reads a code once"


def test_two_decks_in_play_must_not_contradict_each_other(decks: Path) -> None:
    save_deck(decks, Deck("Blue", {"92256FEB": "KD"}))
    save_deck(decks, Deck("Red", {"92256FEB": "QD"}))
    with pytest.raises(BadDeck, match="KD in deck Blue and QD in deck Red"):
        open_decks(decks, "Blue+Red", "", "uidline")


def tag(uid: str, time_s: float = 0.0, *, again: bool = False, checked: bool = False) -> SourceEvent:
    return SourceEvent(
        EventKind.REPEATED if again else EventKind.TAG_UNKNOWN,
        "reader",
        time_s,
        code=SAME_VISIT if again else "",
        tag=uid,
        integrity=Integrity.CRC16 if checked else Integrity.NONE,
    )


def short(events: list[SourceEvent]) -> list[str]:
    return [f"{event.event.value} {event.card or event.code}" for event in events]


def test_an_enrolled_tag_is_its_card_and_both_its_stickers_are(decks: Path) -> None:
    save_deck(decks, Deck("Blue", BLUE))
    namer = TagNamer(open_decks(decks, "Blue", "", "uidline"))
    events = namer.name([tag("0406B9020A5481"), tag("04576C020A5481"), tag("040999020A5480")], 0.0)
    assert short(events) == ["card AS", "card AS", "unreadable joker"]
    assert {event.tag for event in events} == {""}


def test_a_tag_that_is_learnt_is_its_card_until_that_is_taken_back(decks: Path) -> None:
    save_deck(decks, Deck("Blue", BLUE))
    save_deck(decks, Deck("Red", {"11223344": "KD"}))
    namer = TagNamer(open_decks(decks, "Blue", "", "uidline"))
    assert short(namer.name([tag("AABBCCDD"), tag("11223344", 1.0)], 1.0)) == [
        "tag-unknown unknown",
        "tag-unknown other-deck",
    ]
    namer.learn("AABBCCDD", "7C")
    namer.learn("11223344", "KD")
    namer.shuffled(2)
    assert short(namer.name([tag("AABBCCDD", 5.0), tag("11223344", 6.0)], 6.0)) == ["card 7C", "card KD"]
    namer.learn("AABBCCDD", "")
    namer.learn("11223344", "")
    namer.shuffled(2)
    assert short(namer.name([tag("AABBCCDD", 9.0), tag("11223344", 9.0)], 9.0)) == [
        "tag-unknown unknown",
        "tag-unknown other-deck",
    ]


def test_a_tag_is_taken_into_a_deck_and_out_of_it_and_never_over_another_card(decks: Path) -> None:
    save_deck(decks, Deck("Blue", {"92256FEB": "KD"}, format="uidline", back="navy"))
    assert change_tag(decks, "Blue", "AABBCCDD", "7C").tags["AABBCCDD"] == "7C"
    found = load_deck(decks, "Blue")
    assert (dict(found.tags), found.back, found.format) == (
        {"92256FEB": "KD", "AABBCCDD": "7C"},
        "navy",
        "uidline",
    )
    with pytest.raises(BadDeck, match="Tag 92256FEB is KD in deck Blue"):
        change_tag(decks, "Blue", "92256FEB", "7C")
    assert dict(change_tag(decks, "Blue", "AABBCCDD", "").tags) == {"92256FEB": "KD"}


def test_an_unknown_tag_and_one_of_a_deck_that_is_not_in_play_are_asked_about(decks: Path) -> None:
    save_deck(decks, Deck("Blue", BLUE))
    save_deck(decks, Deck("Red", {"DEADBEEF": "2C"}))
    namer = TagNamer(open_decks(decks, "Blue", "", "uidline"))
    events = namer.name([tag("DEADBEEF"), tag("00000000")], 0.0)
    assert short(events) == ["tag-unknown other-deck", "tag-unknown unknown"]
    assert "Red" in events[0].note
    assert "2C" not in repr(events[0])
    both = TagNamer(open_decks(decks, "Blue+Red", "", "uidline"))
    assert short(both.name([tag("DEADBEEF")], 0.0)) == ["card 2C"]


TWINS = Deck("Twins", {"04F4AA02": "4S", "04F4AA03": "5S", "92256FEB": "KD"})


def twin_namer(format: str = "uidline") -> TagNamer:
    return TagNamer(DeckMap([TWINS], (), format))


def test_a_near_twin_counts_when_it_was_read_twice() -> None:
    namer = twin_namer()
    assert namer.name([tag("04F4AA02")], 0.0) == []
    assert short(namer.name([tag("04F4AA02", again=True)], 0.1)) == ["card 4S"]
    assert namer.name([tag("04F4AA02", again=True)], 0.2) == []
    assert short(namer.name([tag("92256FEB")], 1.0)) == ["card KD"]


def test_a_near_twin_read_once_is_asked_about_with_both_cards_and_a_late_reading_answers() -> None:
    namer = twin_namer()
    namer.name([tag("04F4AA02")], 0.0)
    assert namer.tick(0.39) == []
    events = namer.tick(0.41)
    assert short(events) == ["unsure near-twin"]
    assert [str(one.card) for one in events[0].candidates] == ["4S", "5S"]
    late = namer.name([tag("04F4AA02", again=True)], 0.6)
    assert [(str(event.card), event.code) for event in late] == [("4S", ANSWERS)]


def test_the_next_card_waits_for_no_second_reading_of_the_one_before() -> None:
    namer = twin_namer()
    namer.name([tag("04F4AA02")], 0.0)
    assert short(namer.name([tag("92256FEB")], 0.1)) == ["unsure near-twin", "card KD"]


def test_a_checked_report_needs_no_second_reading() -> None:
    assert short(twin_namer().name([tag("04F4AA02", checked=True)], 0.0)) == ["card 4S"]


def test_of_one_deck_the_table_itself_judges_a_card_that_returns() -> None:
    """cases.csv B123: a card that was undone is accepted the second time."""
    namer = twin_namer()
    assert short(namer.name([tag("92256FEB")], 0.0) + namer.name([tag("92256FEB")], 5.0)) == [
        "card KD",
        "card KD",
    ]


def test_in_a_shoe_of_several_decks_one_tag_is_one_card_until_it_is_shuffled() -> None:
    namer = twin_namer()
    namer.shuffled(6)
    first = namer.name([tag("92256FEB")], 0.0)
    still = namer.name([tag("92256FEB")], 5.0)
    namer.name([tag("04F4AA02"), tag("04F4AA02", again=True)], 6.0)
    back = namer.name([tag("92256FEB")], 9.0)
    assert short(first + still + back) == ["card KD", "tag-repeated KD", "conflict KD"]
    namer.shuffled(6)
    assert short(namer.name([tag("92256FEB")], 20.0)) == ["card KD"]


def test_the_same_printed_code_again_in_a_shoe_of_two_decks_is_asked_about() -> None:
    codes = Deck("Codes", {"1010": "AS", "1020": "2S"})
    namer = TagNamer(DeckMap([codes], (), "barcode"), is_code=True)
    namer.shuffled(2)
    events = namer.name([tag("1010")], 0.0) + namer.name([tag("1010")], 1.0)
    events += namer.name([tag("1020")], 2.0) + namer.name([tag("1010")], 3.0)
    assert short(events) == ["card AS", "unsure same-code", "card 2S", "card AS"]


def test_tags_without_a_deck_stay_tags_and_a_lying_tag_says_nothing_more() -> None:
    namer = TagNamer()
    assert short(namer.name([tag("92256FEB"), tag("92256FEB", again=True)], 0.0)) == ["tag-unknown unknown"]


def test_a_deck_exports_every_card_once_a_sticker() -> None:
    rows = tags_csv(Deck("Blue", {f"{number:08X}": card for number, card in enumerate(expected_cards(2))}))
    assert len(rows.splitlines()) == 55


@pytest.mark.parametrize("format", [name for name, one in FORMATS.items() if one.wire])
def test_every_format_with_tags_says_how_they_look_on_the_wire(format: str) -> None:
    wire = FORMATS[format].wire
    assert wire is not None
    assert wire("0406B90281") != wire("0406B90282")


def test_a_deck_in_play_wins_over_what_was_named_tonight() -> None:
    """Another reader's deck, or the deck as it was enrolled since, says what its tags are."""
    decks = DeckMap([Deck("Red", {"92256FEB": "KD"})], [Deck("Green", {"11223344": "AS"})])
    namer = TagNamer(decks)
    for tag, card in (("92256FEB", "QH"), ("11223344", "2C"), ("AABBCCDD", "3C")):
        namer.recall(tag, card)
    assert [decks.find(tag) for tag in ("92256FEB", "11223344", "AABBCCDD")] == [
        Known("KD", "Red", in_play=True),
        Known("2C", "", in_play=True),
        Known("3C", "", in_play=True),
    ]
    namer.recall("AABBCCDD", "4C")
    assert decks.find("AABBCCDD") == Known("4C", "", in_play=True)
    namer.learn("92256FEB", "")
    assert decks.find("92256FEB") == Known("KD", "Red", in_play=True)


@pytest.mark.parametrize("in_play", [True, False])
def test_what_is_taken_back_is_forgotten_where_the_deck_that_took_it_in_still_has_it(in_play: bool) -> None:
    """After a restart the deck as it was read says the card of a tag that was named by mistake."""
    blue, red = Deck("Blue", {"92256FEB": "QH"}), Deck("Red", {"11223344": "KD"})
    decks = DeckMap([blue, red] if in_play else [red], [] if in_play else [blue])
    namer = TagNamer(decks)
    namer.recall("92256FEB", "QH")
    namer.learn("92256FEB", "", "Blue")
    namer.learn("11223344", "", "Blue")
    assert decks.find("92256FEB") is None
    assert decks.find("11223344") == Known("KD", "Red", in_play=True)
