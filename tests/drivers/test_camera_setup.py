"""A calibrated camera: zones, what lies outside them, age and drift; found by itself or by name."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

np = pytest.importorskip("numpy")
cv2 = pytest.importorskip("cv2", exc_type=ImportError, reason="OpenCV can't be loaded here")

from assistant.cards import parse_card  # noqa: E402
from calibration.area import PLANS, Area  # noqa: E402
from calibration.deck import CardLook, DeckProfile  # noqa: E402
from calibration.deck_files import save_deck_looks  # noqa: E402
from calibration.frames import Image  # noqa: E402
from calibration.profile import CameraProfile, save_profile  # noqa: E402
from calibration.quality import reference_of  # noqa: E402
from calibration.recogniser import Reading, SeenCard  # noqa: E402
from drivers.base import BadSource, DriverNotFound, EventKind  # noqa: E402
from drivers.camera_list import lasting_address  # noqa: E402
from drivers.camera_setup import CameraSettings, find_settings, is_same_camera  # noqa: E402
from drivers.registry import open_source  # noqa: E402
from drivers.spec import split_source  # noqa: E402
from drivers.webcam import WebcamSource  # noqa: E402
from table_pictures import posts_and_third, shown_hand, table_picture  # noqa: E402

MADE = datetime(2026, 11, 28, 20, 15, tzinfo=UTC)
SIZE = (1280, 720)


def profile(**changes: object) -> CameraProfile:
    made = CameraProfile("table", "camera:http://phone:8080/video", MADE, SIZE, Area(), PLANS["table"])
    return replace(made, **changes)  # type: ignore[arg-type]


class Fixed:
    """Reads the same cards in every picture: left post, third, hand, and one outside the cloth."""

    def read(self, image: Image, before: Sequence[Image] = (), /) -> Reading:
        places = {"5H": (300, 250), "7D": (640, 250), "KC": (640, 600), "2S": (40, 250)}
        cards = tuple(self._seen(card, x, y) for card, (x, y) in places.items())
        return Reading(cards if image.mean() > 50 else (), ())

    def _seen(self, card: str, x: float, y: float) -> SeenCard:
        outline = ((x - 50, y - 70), (x + 50, y - 70), (x + 50, y + 70), (x - 50, y + 70))
        crop = np.zeros((4, 3, 3), np.uint8)
        return SeenCard(parse_card(card), 0.99, ((parse_card(card), 0.99),), outline, crop)


def test_cards_bear_their_zone_and_those_outside_all_zones_are_no_news(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "0.png"), np.full((720, 1280, 3), 90, np.uint8))
    area = Area(((0.1, 0.1), (0.9, 0.1), (0.9, 0.95), (0.1, 0.95)))
    settings = CameraSettings(profile(area=area))
    with WebcamSource(str(tmp_path), settings=settings, reader=Fixed) as source:
        events = []
        while not source.has_ended:
            event = source.read(0.2)
            events += [event] if event is not None else []
    assert [(str(event.card), event.zone) for event in events] == [
        ("5H", "posts"),
        ("7D", "third"),
        ("KC", "hand"),
    ]


def test_the_profile_made_with_a_camera_is_found_by_itself(tmp_path: Path) -> None:
    save_profile(tmp_path / "cameras", profile(name="old", made=MADE - timedelta(days=2)))
    save_profile(tmp_path / "cameras", profile(name="new"))
    save_profile(
        tmp_path / "cameras", profile(name="other", source="camera:3", made=MADE + timedelta(days=2))
    )
    spec = replace(split_source("camera:http://phone:8080/video"), house=tmp_path)
    assert find_settings(spec).name == "new"
    assert find_settings(spec, "other").name == "other"
    with pytest.raises(BadSource, match="nowhere") as caught:
        find_settings(spec, "nowhere")
    assert "new, old, other" in caught.value.hint
    assert find_settings(replace(spec, house=None)).profile is None


@pytest.mark.parametrize(
    ("source", "address", "same"),
    [
        ("camera:0", "0", True),
        ("camera:0", "/dev/video0", True),
        ("camera:0", "", True),
        ("camera:0", "1", False),
        ("camera:http://phone:8080/video", "http://phone:8080/video", True),
        ("camera:http://phone:8080/video", "http://me:secret@phone:8080/video", True),
        ("camera:http://phone:8080/video", "0", False),
    ],
)
def test_a_camera_is_the_same_however_it_is_written(source: str, address: str, same: bool) -> None:
    assert is_same_camera(source, address) is same


def test_a_damaged_profile_is_said_and_the_camera_works_without_it(tmp_path: Path) -> None:
    path = save_profile(tmp_path / "cameras", profile())
    path.write_text("version = ]", encoding="utf-8")
    settings = find_settings(replace(split_source("camera:http://phone:8080/video"), house=tmp_path))
    assert settings.profile is None
    (event,) = settings.remarks("camera")
    assert event.event is EventKind.FAULT
    assert "damaged" in event.note


def test_an_old_calibration_is_said_at_the_start_and_a_fresh_one_is_not() -> None:
    fresh = CameraSettings(profile(), now=MADE + timedelta(days=30))
    assert fresh.remarks("camera") == []
    (event,) = replace(fresh, now=MADE + timedelta(days=31)).remarks("camera")
    assert (event.event, event.code) == (EventKind.FAULT, "old-profile")
    assert "31 days" in event.note


def test_a_deck_that_was_shown_long_ago_is_said_at_the_start() -> None:
    shown = CameraSettings(deck=DeckProfile("blue"), deck_made=MADE, now=MADE + timedelta(days=180))
    assert shown.remarks("camera") == []
    (event,) = replace(shown, now=MADE + timedelta(days=181)).remarks("camera")
    assert (event.code, "deck blue was shown 181 days ago" in event.note) == ("old-deck", True)


def test_what_is_said_at_the_start_comes_after_the_first_picture() -> None:
    """The bar shows the last notice; that the camera works is the least of it."""
    images = [np.random.default_rng(n).integers(60, 90, (90, 160, 3)).astype(np.uint8) for n in range(60)]

    class Still:
        def read(self) -> Image | None:
            threading.Event().wait(0.01)
            return images.pop() if images else None

        def close(self) -> None: ...

    settings = CameraSettings(profile(picture=(160, 90), zones=()), now=MADE + timedelta(days=99))
    with WebcamSource("0", settings=settings, open_camera=Still, reader=Fixed) as source:
        codes = [event.code for _ in range(2) if (event := source.read(5.0)) is not None]
    assert codes == ["picture", "old-profile"]


def test_a_camera_that_was_moved_since_is_said_at_the_start() -> None:
    rng = np.random.default_rng(3)
    table = cv2.resize(
        rng.integers(40, 200, (9, 16, 3)).astype(np.uint8), SIZE, interpolation=cv2.INTER_CUBIC
    )
    settings = CameraSettings(profile(reference=reference_of(table)))
    assert settings.drift("camera", table, 1.0) == []
    (event,) = settings.drift("camera", np.roll(table, 80, axis=1), 1.0)
    assert event.code == "moved"
    (shape,) = [one for one in settings.drift("camera", table[:, :960], 1.0) if one.code == "other-shape"]
    assert "960x720, calibrated at 1280x720" in shape.note


def test_a_night_without_calibration_works_and_says_nothing_of_zones(tmp_path: Path) -> None:
    source = open_source(f"camera:{tmp_path}", house=tmp_path)
    assert isinstance(source, WebcamSource)
    settings = find_settings(replace(split_source("camera:0"), house=tmp_path))
    assert settings.remarks("camera") == []
    assert settings.drift("camera", np.zeros((720, 1280, 3), np.uint8), 0.0) == []
    assert settings.zone_of(((0.0, 0.0),) * 4, np.zeros((720, 1280, 3), np.uint8)) is None


def test_a_saved_camera_is_found_by_its_link_whatever_its_number_and_never_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """cases.csv B031: the phone's camera and the built-in one change places with the next start."""
    link = tmp_path / "usb-A-video-index0"
    link.symlink_to("/dev/video2")
    monkeypatch.setattr("drivers.camera_list.BY_ID", tmp_path)
    assert lasting_address("2") == str(link)
    assert lasting_address("1") == "1"
    assert lasting_address("http://phone:8080/video") == "http://phone:8080/video"
    with pytest.raises(DriverNotFound, match="usb-B") as caught:
        WebcamSource("/dev/v4l/by-id/usb-B-video-index0", reader=Fixed).open()
    assert caught.value.hint


def test_a_calibration_saved_while_the_camera_runs_counts_from_then_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("drivers.camera_setup.CameraSettings.recogniser", lambda self: Fixed())
    folder = tmp_path / "pictures"
    folder.mkdir()
    for number, level in enumerate((20, 90)):
        cv2.imwrite(str(folder / f"{number}.png"), np.full((720, 1280, 3), level, np.uint8))
    with open_source(f"camera:{folder}", house=tmp_path) as source:
        assert source.read(0.0) is None, "nothing lies in the first picture"
        sight = source.sight()
        assert sight is not None
        assert (sight.profile, sight.source) == ("", f"camera:{folder}")
        made = profile(name="new", source=sight.source, zones=PLANS["board-hand"], reference=None)
        save_profile(tmp_path / "cameras", made)
        source.recalibrated()
        events = [event for _ in range(6) if (event := source.read(0.2)) is not None]
    assert [(str(event.card), event.zone) for event in events] == [
        ("2S", "board"),
        ("5H", "board"),
        ("7D", "board"),
        ("KC", "hand"),
    ]


def test_the_packaged_reader_takes_the_measured_surface_and_every_card_its_zone(tmp_path: Path) -> None:
    """The drawn cards are 200 px tall, so the picture is 569 x 320 mm; a tile of another size is no card."""
    picture = table_picture((*posts_and_third("5H", "9S", "7D"), *shown_hand("2C", "KH")))
    cv2.rectangle(picture, (40, 500), (340, 700), (240, 240, 240), -1)
    cv2.imwrite(str(tmp_path / "0.png"), picture)
    settings = CameraSettings(profile(area=Area(width_mm=569.0, height_mm=320.0)))
    with WebcamSource(str(tmp_path), settings=settings) as source:
        events = []
        while not source.has_ended:
            event = source.read(0.5)
            events += [event] if event is not None else []
    assert sorted((str(event.card), event.zone) for event in events) == [
        ("2C", "hand"),
        ("5H", "posts"),
        ("7D", "third"),
        ("9S", "posts"),
        ("KH", "hand"),
    ]
    assert len({event.group for event in events}) == 1, "five cards in one look"


@pytest.mark.parametrize(("name", "said"), [("ZZ-1.jpg", "no card"), ("2C-1.jpg", "no picture")])
def test_a_deck_folder_mended_by_hand_is_said_and_does_not_end_the_camera(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, said: str
) -> None:
    monkeypatch.setattr("drivers.camera_setup.CameraSettings.recogniser", lambda self: Fixed())
    look = CardLook(parse_card("QH"), np.full((320, 224, 3), 200, np.uint8))
    place = save_deck_looks(tmp_path / "decks" / "blue", DeckProfile("blue", (look,)), MADE)
    folder = tmp_path / "pictures"
    folder.mkdir()
    cv2.imwrite(str(folder / "0.png"), np.full((720, 1280, 3), 20, np.uint8))
    with open_source(f"camera:{folder},deck=blue", house=tmp_path) as source:
        if name.startswith("ZZ"):
            shutil.copy(place / "QH-1.jpg", place / name)
        else:
            (place / name).write_bytes(b"torn")
        source.recalibrated()
        events = [event for _ in range(6) if (event := source.read(0.2)) is not None]
    (fault,) = [event for event in events if event.event is EventKind.FAULT]
    assert name in fault.note
    assert said in fault.note
    with pytest.raises(BadSource, match=name):
        open_source(f"camera:{folder},deck=blue", house=tmp_path).open()
