"""What the house knows of a camera when it is opened: its calibration, and the deck that was shown to it.

Nothing here stops a night: a camera without calibration works, only without zones, and asks more.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from drivers.base import BadSource, EventKind, SourceEvent
from drivers.camera_list import device_number

if TYPE_CHECKING:
    from calibration.deck import DeckProfile
    from calibration.frames import Image
    from calibration.profile import CameraProfile
    from calibration.recogniser import Reading, Recogniser
    from calibration.recogniser.reading import Outline
    from drivers.spec import SourceSpec

CAMERAS, DECKS = "cameras", "decks"
"""Folders of a house."""
OLD_DECK_DAYS = 180
"""Cards get dirty and worn; a deck is shown in three minutes (days)."""
DRIFT_NOTES = {
    "moved": "the camera sees the table from elsewhere than when it was calibrated: calibrate it again",
    "other_view": "the camera doesn't see the table it was calibrated for: calibrate it again",
    "light_changed": "the light is not as it was at calibration; if cards are asked about, calibrate again",
}


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """A camera's calibration and the deck in use; both may be absent.

    Attributes:
        profile: The calibration.
        deck: The deck that was shown.
        deck_made: When the deck was shown.
        trouble: Why a calibration that is there can't be used.
        now: When the camera is opened.
    """

    profile: CameraProfile | None = None
    deck: DeckProfile | None = None
    deck_made: datetime | None = None
    trouble: str = ""
    now: datetime | None = None

    @property
    def name(self) -> str:
        """The calibration's name; empty without one."""
        return self.profile.name if self.profile is not None else ""

    @property
    def controls(self) -> Mapping[str, float]:
        """What is held still, and at which value."""
        return self.profile.controls if self.profile is not None else {}

    def recogniser(self) -> Recogniser:
        """Make the reader of this camera's pictures."""
        from calibration.recogniser import Recogniser

        profile = self.profile
        surface = profile.area.surface(profile.picture) if profile is not None else None
        return Recogniser(deck=self.deck, surface=surface)

    def zone_of(self, outline: Outline, image: Image | None) -> str | None:
        """Return the zone in which a card lies; None outside all of them, or where there are none."""
        from calibration.area import zone_at

        if self.profile is None or not self.profile.zones or image is None:
            return None
        x = sum(point[0] for point in outline) / 4 / image.shape[1]
        y = sum(point[1] for point in outline) / 4 / image.shape[0]
        return zone_at(self.profile.zones, *self.profile.area.place_of(x, y))

    def within_zones(self, reading: Reading, image: Image) -> Reading:
        """Leave out what lies outside all zones: discards, players' own cards."""
        if self.profile is None or not self.profile.zones:
            return reading
        cards = tuple(seen for seen in reading.cards if self.zone_of(seen.outline, image))
        unsure = tuple(seen for seen in reading.unsure if self.zone_of(seen.outline, image))
        reason = reading.reason or ("" if cards or unsure else "off_zones")
        return replace(reading, cards=cards, unsure=unsure, reason=reason)

    def remarks(self, source: str) -> list[SourceEvent]:
        """What is to be said before the first picture: a calibration that is old or can't be used."""
        notes = []
        if self.deck is not None and self.deck_made is not None and self.now is not None:
            days = (self.now - self.deck_made).days
            if days > OLD_DECK_DAYS:
                note = f"deck {self.deck.name} was shown {days} days ago: cards wear; show it again"
                notes.append(("old-deck", note))
        if self.trouble:
            notes.append(("no-profile", self.trouble))
        elif self.profile is not None and self.now is not None:
            from calibration.profile import OLD_DAYS

            days = self.profile.age_days(self.now)
            if days > OLD_DAYS:
                note = f"calibrated {days} days ago; calibrate again if the table, lamp or camera has moved"
                notes.append(("old-profile", note))
        return [SourceEvent(EventKind.FAULT, source, 0.0, code=code, note=note) for code, note in notes]

    def drift(self, source: str, image: Image, time_s: float) -> list[SourceEvent]:
        """Compare the table with how it was at calibration."""
        profile = self.profile
        if profile is None:
            return []
        found = []
        ratio = profile.picture[0] / profile.picture[1]
        if abs(image.shape[1] / image.shape[0] - ratio) > 0.02 * ratio:
            note = (
                f"the picture is {image.shape[1]}x{image.shape[0]}, calibrated at "
                f"{profile.picture[0]}x{profile.picture[1]}: the zones may be off; calibrate again"
            )
            found.append(SourceEvent(EventKind.FAULT, source, time_s, code="other-shape", note=note))
        if profile.reference is not None:
            from calibration.quality import drift

            found += [
                SourceEvent(EventKind.FAULT, source, time_s, code=one.code, note=DRIFT_NOTES[one.code])
                for one in drift(profile.reference, image)
            ]
        return found


NO_SETUP = CameraSettings()


def find_settings(spec: SourceSpec, profile: str = "", deck: str = "") -> CameraSettings:
    """Find the calibration of a camera in the house: the one that was named, else the one made with it.

    Raises:
        BadSource: The profile or the deck that was named isn't there or is damaged.
    """
    if spec.house is None:
        if profile or deck:
            raise BadSource(
                "There is no house folder to look for profiles in.", "Leave profile and deck out."
            )
        return NO_SETUP
    now = datetime.now().astimezone()
    found = CameraSettings(now=now)
    if deck:
        from calibration.deck_files import shown_at

        folder = spec.house / DECKS / deck
        found = replace(found, deck=_deck(folder), deck_made=shown_at(folder))
    if profile:
        return replace(found, profile=_named(spec.house / CAMERAS, profile))
    return _made_with(spec, found)


def _named(folder: Path, name: str) -> CameraProfile:
    from calibration.errors import ProfileUnreadable
    from calibration.profile import checked_profile_name, load_profile, profiles_in

    try:
        return load_profile(folder / f"{checked_profile_name(name)}.toml")
    except ProfileUnreadable as error:
        known = ", ".join(path.stem for path in profiles_in(folder))
        raise BadSource(error.message, f"Known profiles: {known}." if known else error.hint) from error


def _made_with(spec: SourceSpec, found: CameraSettings) -> CameraSettings:
    """The newest profile that was made with this camera; a damaged one is said, not silently left out."""
    folder = spec.house / CAMERAS if spec.house is not None else Path()
    if not folder.is_dir():
        return found
    from calibration.errors import ProfileUnreadable
    from calibration.profile import load_profile, profiles_in

    fitting, trouble = [], ""
    for path in profiles_in(folder):
        try:
            profile = load_profile(path)
        except ProfileUnreadable as error:
            trouble = str(error)
            continue
        if is_same_camera(profile.source, spec.address):
            fitting.append(profile)
    if not fitting:
        return replace(found, trouble=trouble)
    return replace(found, profile=max(fitting, key=lambda one: one.made))


def is_same_camera(source: str, address: str) -> bool:
    """Whether a profile's source is the camera at an address, however each of them is written."""
    kept = source.partition(":")[2].strip()
    numbers = device_number(kept), device_number(address or "0")
    return kept == public_address(address) if None in numbers else numbers[0] == numbers[1]


def public_address(address: str) -> str:
    """Return an address without a name and password in it: these are kept in no file."""
    return re.sub(r"(?<=://)[^/@\s]*@", "", address)


def _deck(folder: Path) -> DeckProfile:
    from calibration.deck_files import load_deck_looks
    from calibration.errors import ProfileUnreadable

    try:
        return load_deck_looks(folder)
    except ProfileUnreadable as error:
        raise BadSource(error.message, error.hint) from error
