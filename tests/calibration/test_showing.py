"""Showing a deck: two looks a card, in any order, several at once; doubtful ones are asked about."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from assistant.cards import parse_card
from calibration.deck import ALL_CARDS, CardLook, DeckProfile
from calibration.deck_files import is_shown, load_deck_looks, save_deck_looks, shown_at
from calibration.errors import ProfileUnreadable
from calibration.recogniser.reading import SeenCard
from calibration.showing import ASK_READINGS, DeckShowing

MADE = datetime(2026, 11, 28, 20, 15, tzinfo=UTC)


def lying(card: str, x: float = 100, reason: str = "") -> SeenCard:
    outline = ((x, 0.0), (x + 70, 0.0), (x + 70, 100.0), (x, 100.0))
    named = parse_card(card)
    return SeenCard(named, 0.6 if reason else 0.99, ((named, 0.9),), outline, crop(card), reason)


def crop(card: str) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.full((320, 224, 3), ALL_CARDS.index(parse_card(card)) * 4, np.uint8)


def showing(*cards: str) -> DeckShowing:
    return DeckShowing(DeckProfile("blue", cards=tuple(parse_card(card) for card in cards)))


def looks(made: DeckShowing) -> list[str]:
    return [str(look.card) for look in made.deck.looks]


def test_a_card_that_lies_still_is_one_look_however_long_it_lies() -> None:
    made = showing("QH", "2C")
    for _ in range(6):
        made.add([lying("QH")])
    assert looks(made) == ["QH"]
    assert [str(card) for card in made.deck.missing()] == ["2C"]
    assert made.seen == 1


def test_a_second_look_is_one_after_it_was_moved_or_laid_down_again() -> None:
    made = showing("QH")
    for x in (100, 100, 104, 300, 300):
        made.add([lying("QH", x)])
    assert looks(made) == ["QH", "QH"]
    assert made.is_done
    for reading in ([], [], [lying("QH")], [lying("QH")]):
        made.add(reading)
    assert looks(made) == ["QH", "QH"], "two are enough"


def test_several_cards_at_once_and_a_reading_that_flickers() -> None:
    made = showing("QH", "2C", "7D")
    made.add([lying("QH", 0), lying("2C", 200)])
    made.add([lying("QH", 0)])
    made.add([lying("QH", 0), lying("2C", 200), lying("7D", 400)])
    made.add([lying("QH", 0), lying("2C", 200), lying("7D", 400)])
    assert sorted(looks(made)) == ["2C", "7D", "QH"]


def test_a_card_that_cannot_be_named_is_asked_about_and_the_dealers_word_is_kept() -> None:
    made = showing("QH")
    for _ in range(ASK_READINGS - 1):
        made.add([lying("AH", reason="corner_hidden")])
    assert made.asked is None, "it may still be put down"
    made.add([lying("AH", reason="corner_hidden")])
    assert made.asked is not None
    made.name(parse_card("QH"))
    assert (looks(made), made.asked, dict(made.doubts)) == (["QH"], None, {"corner_hidden": 1})
    made.add([lying("AH", reason="corner_hidden")])
    assert made.asked is None, "this card has its name"


def test_a_question_goes_when_the_card_does_or_when_it_is_read_after_all() -> None:
    made = showing("QH")
    for _ in range(ASK_READINGS):
        made.add([lying("QH", reason="low_confidence")])
    made.add([])
    made.add([])
    assert made.asked is None
    for _ in range(ASK_READINGS):
        made.add([lying("QH", reason="low_confidence")])
    assert made.asked is not None
    made.add([lying("QH")])
    assert (made.asked, looks(made)) == (None, ["QH"])


def test_a_joker_is_kept_as_a_look_of_no_card() -> None:
    made = showing("QH")
    for _ in range(ASK_READINGS):
        made.add([lying("AH", reason="no_index")])
    made.name(None)
    assert [look.card for look in made.deck.looks] == [None]
    assert made.seen == 0


# --- the files ------------------------------------------------------------------------------------------


def test_a_deck_comes_back_as_it_was_saved(tmp_path: Path) -> None:
    cards = tuple(parse_card(card) for card in ("QH", "2C"))
    taken = (CardLook(cards[0], crop("QH")), CardLook(cards[0], crop("QH")), CardLook(None, crop("2C")))
    save_deck_looks(tmp_path / "blue", DeckProfile("blue", taken, cards), MADE)
    loaded = load_deck_looks(tmp_path / "blue")
    assert (loaded.name, loaded.cards) == ("blue", cards)
    assert [str(look.card) for look in loaded.looks] == ["QH", "QH", "None"]
    assert np.abs(loaded.looks[0].crop.astype(int) - crop("QH")).max() <= 2, "as near as JPEG is"
    assert shown_at(tmp_path / "blue") == MADE
    save_deck_looks(tmp_path / "blue", DeckProfile("blue", taken[:1], cards), MADE)
    assert len(load_deck_looks(tmp_path / "blue").looks) == 1
    assert (tmp_path / "blue" / "looks.bak").is_dir(), "the showing before is kept"


def test_a_deck_that_was_not_shown_or_is_damaged_says_so(tmp_path: Path) -> None:
    with pytest.raises(ProfileUnreadable, match="not shown"):
        load_deck_looks(tmp_path / "blue")
    assert shown_at(tmp_path / "blue") is None
    save_deck_looks(tmp_path / "blue", DeckProfile("blue"), MADE)
    (tmp_path / "blue" / "looks" / "looks.toml").write_text("cards = [", encoding="utf-8")
    with pytest.raises(ProfileUnreadable, match=r"looks\.toml is damaged") as caught:
        load_deck_looks(tmp_path / "blue")
    assert caught.value.hint


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("ZZ-1.jpg", None, r"ZZ-1\.jpg is named after no card"),
        ("2C-7.jpg", b"torn", r"2C-7\.jpg is no picture"),
    ],
)
def test_a_picture_put_in_by_hand_that_is_none_of_a_card_is_named(
    tmp_path: Path, name: str, content: bytes | None, said: str
) -> None:
    queen = parse_card("QH")
    place = save_deck_looks(tmp_path / "blue", DeckProfile("blue", (CardLook(queen, crop("QH")),)), MADE)
    (place / name).write_bytes((place / "QH-1.jpg").read_bytes() if content is None else content)
    with pytest.raises(ProfileUnreadable, match=said) as caught:
        load_deck_looks(tmp_path / "blue")
    assert "elete it" in caught.value.hint


def test_a_deck_whose_pictures_were_being_replaced_is_the_one_before(tmp_path: Path) -> None:
    """The power was cut after the old pictures were put aside and before the new ones took their place."""
    queen = CardLook(parse_card("QH"), crop("QH"))
    folder = tmp_path / "blue"
    save_deck_looks(folder, DeckProfile("blue", (queen,)), MADE)
    (folder / "looks").rename(folder / "looks.bak")
    assert [str(look.card) for look in load_deck_looks(folder).looks] == ["QH"]
    assert shown_at(folder) == MADE
    assert is_shown(folder)
    save_deck_looks(folder, DeckProfile("blue", (queen, queen)), MADE)
    assert len(load_deck_looks(folder).looks) == 2


def test_a_disk_that_refuses_leaves_the_pictures_of_a_deck_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    queen = CardLook(parse_card("QH"), crop("QH"))
    save_deck_looks(tmp_path / "blue", DeckProfile("blue", (queen, queen)), MADE)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("calibration.syncing.os.fsync", full)
    with pytest.raises(ProfileUnreadable, match="No space left"):
        save_deck_looks(tmp_path / "blue", DeckProfile("blue", (queen,)), MADE)
    assert len(load_deck_looks(tmp_path / "blue").looks) == 2
