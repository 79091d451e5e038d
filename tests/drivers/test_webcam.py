"""Pictures and films as a card source: cards come once, groups are kept. A stand-in reads the pictures."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from drivers.base import DriverMissing, DriverNotFound, EventKind
from drivers.webcam import WebcamSource

np = pytest.importorskip("numpy")
cv2 = pytest.importorskip("cv2", exc_type=ImportError, reason="OpenCV can't be loaded here")

from calibration.frames import Image  # noqa: E402

from .cameras_for_tests import (  # noqa: E402
    PATIENCE_S,
    Stripes,
    picture,
    read_all,
    short,
)


@pytest.fixture
def folder(tmp_path: Path) -> Callable[..., Path]:
    def make(*pictures: Image) -> Path:
        for number, image in enumerate(pictures):
            cv2.imwrite(str(tmp_path / f"{number:02}.png"), image)
        return tmp_path

    return make


def test_cards_of_one_picture_share_a_group_and_bear_the_zone(folder: Callable[..., Path]) -> None:
    path = folder(picture("4S", "9D"), picture("4S", "9D", "7C"))
    events = read_all(WebcamSource(str(path), zone="board", reader=Stripes))
    assert short(events) == [("card", "4S", 1), ("card", "9D", 1), ("card", "7C", 2)]
    assert {event.zone for event in events} == {"board"}
    assert all(event.crop is not None and event.confidence == 0.99 for event in events)


def test_a_card_that_is_not_certain_is_asked_about_with_candidates_and_crop(
    folder: Callable[..., Path],
) -> None:
    (event,) = read_all(WebcamSource(str(folder(picture("6S?"))), reader=Stripes))
    assert event.event is EventKind.UNSURE
    assert event.card is None
    assert [str(candidate.card) for candidate in event.candidates] == ["6S"]
    assert event.crop is not None
    assert event.code == "close"


def test_a_card_seen_again_in_one_deck_is_a_notice_and_after_a_shuffle_a_card(
    folder: Callable[..., Path],
) -> None:
    path = folder(picture("7H"), picture(), picture("7H"))
    events = read_all(WebcamSource(str(path), reader=Stripes))
    assert short(events) == [("card", "7H", 1), ("tag-repeated", "7H", 2)]
    events = read_all(WebcamSource(str(path), decks=2, reader=Stripes))
    assert short(events) == [("card", "7H", 1), ("card", "7H", 2)]


def test_a_shuffle_lets_every_card_come_again(folder: Callable[..., Path]) -> None:
    path = folder(picture("7H"), picture("2C"), picture("7H"))
    with WebcamSource(str(path), pace_s=0.001, reader=Stripes) as source:
        before = [source.read(PATIENCE_S), source.read(PATIENCE_S)]
        source.shuffled(1)
        after = source.read(PATIENCE_S)
    assert short([event for event in (*before, after) if event]) == [
        ("card", "7H", 1),
        ("card", "2C", 2),
        ("card", "7H", 3),
    ]


def test_pictures_can_wait_for_the_table(folder: Callable[..., Path]) -> None:
    due = [False]
    with WebcamSource(str(folder(picture("7H"))), waits=True, reader=Stripes) as source:
        source.face_up_due = lambda: due[0]
        assert source.read(0.2) is None
        due[0] = True
        event = source.read(PATIENCE_S)
    assert event is not None
    assert str(event.card) == "7H"


def test_a_film_counts_a_card_after_five_equal_frames(folder: Callable[..., Path]) -> None:
    path = folder(*[picture("7H", noise=n) for n in range(8)])
    (event,) = read_all(WebcamSource(str(path), fps=30.0, reader=Stripes))
    assert str(event.card) == "7H"
    assert event.time_s == pytest.approx(4 / 30)


def test_cards_that_become_certain_almost_together_were_one_look(folder: Callable[..., Path]) -> None:
    def frame(n: int) -> Image:
        cards = ["7H"] + ["KD"] * (n >= 2) + ["2C"] * (n >= 20)
        return picture(*cards, noise=n)

    path = folder(*[frame(n) for n in range(26)])
    events = read_all(WebcamSource(str(path), fps=30.0, reader=Stripes))
    assert short(events) == [("card", "7H", 1), ("card", "KD", 1), ("card", "2C", 2)]


def test_a_single_picture_is_a_source_too(folder: Callable[..., Path]) -> None:
    path = folder(picture("QH", "2C"))
    assert short(read_all(WebcamSource(str(path / "00.png"), reader=Stripes))) == [
        ("card", "QH", 1),
        ("card", "2C", 1),
    ]


def test_face_down_cards_that_a_camera_sees_are_counted_and_not_named(folder: Callable[..., Path]) -> None:
    path = folder(picture("QH", "6S?"))
    events = read_all(WebcamSource(str(path), is_face_down=True, reader=Stripes))
    assert [event.is_face_down for event in events] == [True, True]
    assert all(event.crop is None and event.candidates == () for event in events)


def test_an_unreadable_picture_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"no picture")
    for address in (tmp_path, tmp_path / "a.png", tmp_path / "nowhere.mp4"):
        with pytest.raises(DriverNotFound) as caught:
            WebcamSource(str(address), reader=Stripes).open()
        assert str(tmp_path) in caught.value.message


def test_real_photographs_give_cards_that_lie_there_or_questions(shared: Path, tmp_path: Path) -> None:
    """The packaged reader on photographs of single cards: some are named, none is named wrong."""
    labels = {
        row["file"]: row for row in csv.DictReader((shared / "cards" / "labels.csv").open(encoding="utf-8"))
    }
    single = [name for name, row in sorted(labels.items()) if row["n_cards"] == "1"][::12]
    named = 0
    for name in single:
        source = WebcamSource(str(shared / "cards" / "images" / name))
        try:
            source.open()
        except DriverMissing as error:
            pytest.skip(f"the reader's weights are absent: {error.message}")
        events = read_all(source)
        for event in events:
            assert event.event in (EventKind.CARD, EventKind.UNSURE)
            assert event.card is None or str(event.card) == labels[name]["cards"], name
            named += event.card is not None
    assert named >= len(single) // 3
