"""Live view, camera and deck screens: what the camera sees reaches the screen, calibrations the house."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("cv2", exc_type=ImportError, reason="OpenCV can't be loaded here")

from assistant.cards import parse_card  # noqa: E402
from assistant.console.screens.deck import DeckScreen  # noqa: E402
from assistant.table.intake import Lamp, SourceState  # noqa: E402
from calibration.deck_files import load_deck_looks  # noqa: E402
from calibration.profile import load_profile  # noqa: E402
from calibration.recogniser.reading import SeenCard  # noqa: E402
from drivers.base import Candidate, EventKind, Sight, SourceEvent  # noqa: E402
from table_pictures import posts_and_third, table_picture  # noqa: E402
from tests.console.conftest import LOW, TALL, Dealer, Open  # noqa: E402

CASINO = ["game casino-red-dog decks=1", "seat Anna 100", "seat Boris 100"]
PICTURE = table_picture(posts_and_third("5H", "9S"))


def seen(card: str, x: float, y: float, reason: str = "") -> SeenCard:
    outline = ((x - 70, y - 100), (x + 70, y - 100), (x + 70, y + 100), (x - 70, y + 100))
    named = parse_card(card)
    return SeenCard(named, 0.99, ((named, 0.9),), outline, np.full((320, 224, 3), 200, np.uint8), reason)


def sight(number: int, *cards: SeenCard, **changes: object) -> Sight:
    options: dict[str, object] = {"source": "camera:0", "asked_px": (1280, 720), **changes}
    return Sight(PICTURE, number / 10, number, cards, **options)  # type: ignore[arg-type]


async def shows(dealer: Dealer, words: str, area: str = "") -> None:
    """Wait until an area (or the screen) shows some words: pictures come by a timer."""
    text = ""
    for _glance in range(400):
        text = dealer.area(area) if area else "\n".join(dealer.screen)
        if words in text:
            return
        await dealer.pilot.pause(0.05)
    raise AssertionError(f"{words!r} is not in\n{text}")


@pytest.mark.parametrize("size", [LOW, TALL])
async def test_the_live_view_shows_the_picture_with_names_and_goes_away(
    open_console: Open, size: tuple[int, int]
) -> None:
    async with open_console([*CASINO, "bet Anna 10"], size=size) as dealer:
        assert dealer.intake is not None
        dealer.intake.seen = sight(1, seen("5H", 330, 260), seen("9S", 950, 265, "low_confidence"))
        await dealer.press("ctrl+l")
        await shows(dealer, " 5♥ ", "live")
        picture = dealer.area("live")
        assert picture.count("▀") > 400
        assert " ? " in picture, "a card that isn't sure has no name"
        assert dealer.app.table.live_area.display
        await dealer.line("4h")
        assert dealer.lines[-1] == "card 4H", "play goes on under the picture"
        await dealer.press("ctrl+l")
        await dealer.pilot.pause()
        assert not dealer.app.table.live_area.display
        assert dealer.app.table._live_timer is None, "switched off it costs nothing"


async def test_without_a_camera_the_live_view_says_so(open_console: Open) -> None:
    async with open_console(CASINO) as dealer:
        await dealer.press("ctrl+l")
        await shows(dealer, "No camera shows a picture", "live")


async def test_a_question_comes_before_the_live_view(open_console: Open) -> None:
    async with open_console([*CASINO, "bet Anna 10"]) as dealer:
        assert dealer.intake is not None
        dealer.intake.seen = sight(1)
        await dealer.press("ctrl+l")
        candidates = (Candidate(parse_card("KS"), 0.62),)
        await dealer.source_says(SourceEvent(EventKind.UNSURE, "camera:0", 2.0, candidates=candidates))
        assert dealer.app.table.panel_area.display
        assert not dealer.app.table.live_area.display


async def test_the_keys_of_the_camera_show_only_with_a_camera(open_console: Open) -> None:
    async with open_console(CASINO, size=TALL) as dealer:
        assert dealer.intake is not None
        assert "camera view" not in dealer.area("keys")
        dealer.intake.shown = (SourceState("camera:0", Lamp.UP, "", 0, None),)
        dealer.app.repaint()
        assert "^L camera view" in dealer.area("keys")


@pytest.mark.parametrize("size", [LOW, TALL])
async def test_a_camera_is_calibrated_in_the_console_and_saved(
    open_console: Open, tmp_path: Path, size: tuple[int, int]
) -> None:
    options: dict[str, object] = {"house": tmp_path}
    async with open_console(CASINO, size=size, app_options=options) as dealer:
        assert dealer.intake is not None
        dealer.intake.seen = sight(1, seen("5H", 330, 260), held=MappingProxyType({"focus": 20.0}))
        await dealer.press("ctrl+k")
        await shows(dealer, "CAMERA: GOOD", "bar")
        assert "picture 1280x720, smallest card 200 px" in dealer.area("body")
        assert "the whole picture" in dealer.area("body")
        assert "held: focus" in dealer.area("body")
        assert dealer.area("live").count("▀") > 250

        await dealer.press("2")
        assert "CORNER 1 of 4" in dealer.area("bar")
        await dealer.press("right", "down", "shift+down", "enter", "enter", "enter", "enter")
        await shows(dealer, "the four corners you set", "body")
        await dealer.press("3")
        await shows(dealer, "turned cards above, hands below", "body")
        await dealer.press("5", "6")
        await shows(dealer, "true size")
        assert "hold" in dealer.intake.heard
        assert (tmp_path / "cameras" / "sheet-a4.pdf").read_bytes().startswith(b"%PDF")

        await dealer.line("kitchen")
        await shows(dealer, "it counts from now on")
        profile = load_profile(tmp_path / "cameras" / "kitchen.toml")
        assert profile.source == "camera:0"
        assert profile.area.corners[0] == pytest.approx((0.12, 0.125))
        assert [zone.name for zone in profile.zones] == ["board", "hand"]
        assert profile.controls == {"focus": 20.0}
        assert "recalibrated" in dealer.intake.heard


async def test_corners_that_enclose_nothing_are_refused_in_words(open_console: Open, tmp_path: Path) -> None:
    async with open_console(CASINO, app_options={"house": tmp_path}) as dealer:
        assert dealer.intake is not None
        dealer.intake.seen = sight(1)
        await dealer.press("ctrl+k")
        await shows(dealer, "CAMERA: ", "bar")
        await shows(dealer, "surface:", "body")
        await dealer.press("2", *["right"] * 45, "enter", *["left"] * 45, after_s=0.2)
        await dealer.press("enter", "enter", "enter")
        await shows(dealer, "enclose no")


async def test_a_deck_is_shown_in_the_console_and_saved(
    open_console: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.console.screens.deck._judge", lambda showing: ())
    async with open_console(CASINO, size=TALL, app_options={"house": tmp_path}) as dealer:
        assert dealer.intake is not None
        await dealer.press("ctrl+k", "7")
        screen = dealer.app.screen
        assert isinstance(screen, DeckScreen)
        for number in range(3):
            screen.take(sight(number, seen("5H", 330, 260), seen("9S", 950, 265)))
        await shows(dealer, "2 of 52 seen, 52 to see again", "bar")
        for number in range(3, 9):
            screen.take(sight(number, seen("AH", 640, 260, "corner_hidden")))
        await shows(dealer, "WHICH CARD IS IT?", "bar")
        assert "corner hidden" in dealer.area("body")
        await dealer.line("zz")
        await shows(dealer, "Not a card: zz")
        await dealer.press("escape")
        await dealer.line("qh")
        await shows(dealer, "3 of 52 seen", "bar")
        await dealer.line("blue")
        await shows(dealer, "0 cards will be asked")
        looks = load_deck_looks(tmp_path / "decks" / "blue").looks
        assert sorted(str(look.card) for look in looks) == ["5H", "9S", "QH"]


def camera_says(kind: EventKind, card: str) -> SourceEvent:
    named = parse_card(card)
    is_sure = kind is not EventKind.UNSURE
    candidates = () if is_sure else (Candidate(named, 0.6),)
    return SourceEvent(kind, "camera:0", 1.0, card=named if is_sure else None, candidates=candidates)


async def test_cards_laid_down_to_show_a_deck_are_not_dealt(open_console: Open) -> None:
    async with open_console([*CASINO, "bet Anna 10"], sources=("camera:0",)) as dealer:
        assert dealer.intake is not None
        assert dealer.snapshot.due is not None
        assert dealer.snapshot.due.role == "post"
        await dealer.press("ctrl+k", "7")
        assert isinstance(dealer.app.screen, DeckScreen)
        await dealer.press("f1")
        await dealer.source_says(camera_says(EventKind.CARD, "5h"))
        await dealer.press("escape")
        assert isinstance(dealer.app.screen, DeckScreen), "out of the help, back to the deck"
        await dealer.source_says(camera_says(EventKind.UNSURE, "9s"))
        await dealer.source_says(camera_says(EventKind.REPEATED, "5h"))
        assert dealer.lines[-1] == "bet Anna 10"
        assert dealer.snapshot.questions == ()
        await dealer.source_says(SourceEvent(EventKind.CARD, "serial:X", 2.0, card=parse_card("4d")))
        assert dealer.lines[-1] == "card 4D", "a shoe deals on"
        assert "shuffled 1 camera" not in dealer.intake.heard

        await dealer.press("escape")
        await dealer.pilot.pause()
        assert dealer.intake.heard[-1] == "shuffled 1 camera", "the camera may see these cards again"
        await dealer.source_says(camera_says(EventKind.CARD, "5h"))
        assert dealer.lines[-1] == "card 5H"


async def test_a_deck_screen_that_was_only_looked_at_forgets_no_card(open_console: Open) -> None:
    async with open_console([*CASINO, "bet Anna 10"], sources=("camera:0",)) as dealer:
        assert dealer.intake is not None
        await dealer.press("ctrl+k", "7", "escape")
        await dealer.pilot.pause()
        assert not isinstance(dealer.app.screen, DeckScreen)
        assert not any(word.startswith("shuffled") for word in dealer.intake.heard)


async def test_a_picture_that_cannot_be_judged_is_said_and_the_console_goes_on(
    open_console: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise ValueError("no such colour")

    async with open_console([*CASINO, "bet Anna 10"]) as dealer:
        assert dealer.intake is not None
        monkeypatch.setattr("calibration.camera.measure", refuse)
        dealer.intake.seen = sight(1)
        await dealer.press("ctrl+k")
        await shows(dealer, "The picture can't be judged: no such colour")
        await dealer.press("escape")
        await dealer.line("4h")
        assert dealer.lines[-1] == "card 4H"


async def test_a_sheet_that_cannot_be_written_leaves_the_one_before(
    open_console: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet = tmp_path / "cameras" / "sheet-a4.pdf"
    sheet.parent.mkdir()
    sheet.write_bytes(b"before")
    monkeypatch.setattr("drivers.printer.os.fsync", disk_full)
    async with open_console(CASINO, app_options={"house": tmp_path}) as dealer:
        await dealer.press("ctrl+k", "6")
        await shows(dealer, "The sheet was not written")
    assert [path.name for path in sheet.parent.iterdir()] == ["sheet-a4.pdf"]
    assert sheet.read_bytes() == b"before"


def disk_full(_: int) -> None:
    raise OSError(28, "No space left on device")
