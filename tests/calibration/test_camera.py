"""Setting a camera up: the sheet gives area and scale, the verdict says what to mend, drift is noticed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from calibration.camera import CameraSetup
from calibration.errors import ProfileUnreadable
from calibration.frames import Frame
from calibration.profile import load_profile, profiles_in, save_profile
from calibration.quality import Finding, Measures, Severity, drift, is_usable, reference_of
from calibration.sheet import draw_sheet, find_sheet
from tests.calibration.conftest import SHEET_AT, SIZE, Draw

MADE = datetime(2026, 11, 28, 20, 15, tzinfo=UTC)


def setup_on(table: Draw, count: int = 4, **options: object) -> CameraSetup:
    setup = CameraSetup()
    for n in range(count):
        setup.add(Frame(table(seed=n, **options), n / 15, n))
    return setup


def codes(setup: CameraSetup) -> list[str]:
    return [finding.code for finding in setup.findings()]


def test_the_sheet_gives_the_surface_and_how_large_a_card_is(table: Draw) -> None:
    setup = setup_on(table, sheet=True)
    assert setup.found_by == "sheet"
    assert setup.area.width_mm == pytest.approx(608, abs=25)
    found = find_sheet(table(sheet=True))
    assert found is not None
    for (x, y), drawn in zip(found.corners, SHEET_AT, strict=True):
        assert (x * SIZE[0], y * SIZE[1]) == pytest.approx(drawn, abs=3)
    # the sheet is 252 mm wide, some 330 px in the picture: a card of 88.9 mm is about 110 px high there
    assert 75 < setup.card_px < 100
    assert codes(setup) == ["card_small"], "at the far edge of the area"


def test_a_table_without_a_sheet_is_the_whole_picture(table: Draw) -> None:
    setup = setup_on(table)
    assert setup.found_by == ""
    assert setup.area.corners == ((0, 0), (1, 0), (1, 1), (0, 1))
    assert codes(setup) == ["card_unknown"]


def test_tapped_corners_win_over_the_sheet(table: Draw) -> None:
    setup = setup_on(table, sheet=True)
    corners = ((0.2, 0.3), (0.8, 0.3), (0.9, 0.9), (0.1, 0.9))
    setup.tap(corners)
    assert (setup.found_by, setup.area.corners) == ("corners", corners)
    setup.forget_corners()
    assert setup.found_by == "sheet"


@pytest.mark.parametrize(
    ("light", "code"),
    [(0.2, "too_dark"), (0.55, "dim"), (1.0, None), (2.3, "light_cloth"), (3.6, "too_bright")],
)
def test_light_is_judged(table: Draw, light: float, code: str | None) -> None:
    found = [one for one in codes(setup_on(table, light=light)) if one not in ("card_unknown", "glare")]
    assert found == ([code] if code else [])


def test_glare_is_found_where_it_is(table: Draw) -> None:
    (finding,) = [one for one in setup_on(table, glare=(320, 540)).findings() if one.code == "glare"]
    assert finding.place == pytest.approx((0.25, 0.75), abs=0.03)


def test_a_blurred_sheet_cannot_be_read_with(table: Draw) -> None:
    assert not is_usable(setup_on(table, sheet=True, blur=2.0).findings())
    assert is_usable(setup_on(table, sheet=True).findings())


def test_light_that_pumps_and_focus_that_hunts_are_named(table: Draw) -> None:
    pumping, hunting = CameraSetup(), CameraSetup()
    for n in range(10):
        pumping.add(Frame(table(seed=n, light=1.0 + 0.25 * (n % 2)), n / 15, n))
        hunting.add(Frame(table(seed=0, sheet=True, blur=0.8 + 5 * (n % 2)), n / 15, n))
    assert "pumping" in codes(pumping)
    assert "hunting" in codes(hunting)


def test_a_slow_and_a_frozen_camera_are_named(table: Draw) -> None:
    slow, frozen = CameraSetup(), CameraSetup()
    picture = table()
    for n in range(20):
        slow.add(Frame(table(seed=n), n / 3, n))
        frozen.add(Frame(picture, n / 15, n))
    assert "slow" in codes(slow)
    assert frozen.findings()[0].code == "frozen"
    assert frozen.findings()[0].severity is Severity.USELESS


def test_a_camera_that_sends_enough_is_not_slow_because_few_pictures_are_looked_at(table: Draw) -> None:
    setup = CameraSetup()
    for n in range(5):
        setup.add(Frame(table(seed=n), n * 0.6, 9 * n))
    assert "slow" not in codes(setup)


def test_another_size_than_asked_for_is_said(table: Draw) -> None:
    setup = CameraSetup(wanted=(1920, 1080))
    setup.add(Frame(table(), 0.0, 0))
    assert "other_size" in codes(setup)


def test_the_verdict_holds_while_another_thread_looks_at_a_picture(
    table: Draw, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The console asks for it while the next picture is being measured."""
    setup = setup_on(table)

    def judge_slowly(measures: Sequence[Measures], *_: object) -> tuple[Finding, ...]:
        seen = []
        for one in measures:
            setup.add(Frame(table(seed=9), 1.0, 9))
            seen.append(one)
        return (Finding("dim", Severity.MEND, len(seen)),)

    monkeypatch.setattr("calibration.camera.judge", judge_slowly)
    assert [finding.value for finding in setup.findings()] == [4]


def test_the_verdict_rests_on_the_last_thirty_pictures(table: Draw, monkeypatch: pytest.MonkeyPatch) -> None:
    setup = setup_on(table, 32)
    monkeypatch.setattr(
        "calibration.camera.judge", lambda measures, *_: (Finding("dim", Severity.MEND, len(measures)),)
    )
    assert [finding.value for finding in setup.findings()] == [30]


# --- the saved profile --------------------------------------------------------------------------------------


def test_a_profile_comes_back_as_it_was_saved(table: Draw, tmp_path: Path) -> None:
    setup = setup_on(table, sheet=True)
    profile = setup.profile("Küche 2", 'camera:/dev/v4l/by-id/usb-"A"', MADE, {"focus": 20.0})
    path = save_profile(tmp_path / "cameras", profile)
    loaded = load_profile(path)
    assert loaded.name == "Küche 2"
    assert loaded.source == profile.source
    assert loaded.made == MADE
    assert loaded.zones == profile.zones
    assert loaded.controls == {"focus": 20.0}
    assert loaded.problems == ("card_small",)
    assert np.array(loaded.area.corners) == pytest.approx(np.array(profile.area.corners), abs=1e-4)
    assert loaded.reference is not None
    assert profiles_in(tmp_path / "cameras") == [path]
    assert loaded.age_days(MADE + timedelta(days=45, hours=5)) == 45


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (("version = 1", "version = 9"), "version 9"),
        (("version = 1", "version = ]"), "damaged"),
        (("made = ", "maid = "), "'made'"),
        (("box = [0.000, 0.000, 0.360", "box = [0.500, 0.000, 0.360"), "box of zone posts"),
        (("corners = [[", "corners = [[5.0], ["), "damaged"),
    ],
)
def test_a_damaged_profile_says_what_is_wrong(
    table: Draw, tmp_path: Path, change: tuple[str, str], named: str
) -> None:
    path = save_profile(tmp_path, setup_on(table, 1).profile("a", "camera:0", MADE))
    text = path.read_text(encoding="utf-8")
    assert change[0] in text
    path.write_text(text.replace(*change), encoding="utf-8")
    with pytest.raises(ProfileUnreadable, match=named) as caught:
        load_profile(path)
    assert caught.value.hint


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".toml", "x" * 60, "a\nb"])
def test_a_name_that_is_no_file_name_is_refused(table: Draw, tmp_path: Path, name: str) -> None:
    with pytest.raises(ProfileUnreadable):
        save_profile(tmp_path, setup_on(table, 1).profile(name, "camera:0", MADE))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("source", ["camera:/dev/カメラ", "camera:/dev/\U0001f4f7", 'camera:a\x7f"\\\t'])
def test_a_source_in_any_letters_comes_back(table: Draw, tmp_path: Path, source: str) -> None:
    path = save_profile(tmp_path, setup_on(table, 1).profile("a", source, MADE))
    assert load_profile(path).source == source


def test_a_source_that_is_no_text_is_refused_in_words(table: Draw, tmp_path: Path) -> None:
    with pytest.raises(ProfileUnreadable, match="can't be written"):
        save_profile(tmp_path, setup_on(table, 1).profile("a", "camera:/dev/\udcff", MADE))


def test_a_disk_that_refuses_leaves_the_profile_and_its_picture_as_they_were(
    table: Draw, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = save_profile(tmp_path, setup_on(table, 1).profile("a", "camera:0", MADE))
    before = {file: file.read_bytes() for file in (path, path.with_suffix(".png"))}
    synced: list[int] = []

    def full_at_the_second(descriptor: int) -> None:
        synced.append(descriptor)
        if len(synced) == 2:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr("calibration.syncing.os.fsync", full_at_the_second)
    with pytest.raises(ProfileUnreadable, match="No space left"):
        save_profile(tmp_path, setup_on(table, 1, light=0.5).profile("a", "camera:1", MADE))
    assert {file: file.read_bytes() for file in before} == before


def test_a_picture_is_not_replaced_before_the_profile_it_belongs_to(
    table: Draw, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replaced: list[str] = []
    monkeypatch.setattr(
        "calibration.profile.os.replace", lambda _part, path: replaced.append(Path(path).name)
    )
    save_profile(tmp_path, setup_on(table, 1).profile("a", "camera:0", MADE))
    assert replaced == ["a.toml", "a.png"]


# --- drift ------------------------------------------------------------------------------------------------


def test_the_same_table_has_not_drifted_even_with_cards_on_it(table: Draw) -> None:
    reference = reference_of(table())
    tonight = table(seed=9)
    tonight[400:600, 500:640] = 240
    tonight[400:600, 700:840] = 240
    assert drift(reference, tonight) == ()


@pytest.mark.parametrize(("cards", "across"), [(2, 60), (6, 30)])
def test_cards_that_lie_elsewhere_than_at_calibration_are_no_knock(
    table: Draw, cards: int, across: int
) -> None:
    """They make a correlation jump by more than a fiftieth of the picture; the table itself didn't move."""
    then, tonight = table(), table(seed=9)
    for n in range(cards):
        left = 150 + 160 * n
        then[180:280, left : left + 70] = 240
        tonight[180:280, left + across : left + across + 70] = 240
    assert drift(reference_of(then), tonight) == ()


def test_a_camera_that_was_knocked_is_noticed(table: Draw) -> None:
    (finding,) = drift(reference_of(table()), table(seed=9, shift=(60, 20)))
    assert finding.code == "moved"
    assert finding.value == pytest.approx(0.049, abs=0.01)


def test_other_light_is_noticed_and_is_no_movement(table: Draw) -> None:
    assert [one.code for one in drift(reference_of(table()), table(seed=9, light=0.4))] == ["light_changed"]


def test_the_printed_sheet_is_a_pdf_of_true_size() -> None:
    page = draw_sheet("a4")
    assert page.startswith(b"%PDF-1.4")
    assert b"/MediaBox [0 0 841.89 595.28]" in page
    assert b"/MediaBox [0 0 792.00 612.00]" in draw_sheet("letter")
