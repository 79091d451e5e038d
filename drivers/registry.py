"""Names of card sources -> the class that drives them, imported only when asked for.

Other packages add a source through the entry point group ``tableside.sources``: name = "module:Class".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path

from drivers.base import BadSource, CardSource, DriverError, DriverMissing, Found
from drivers.link import SavedCursor
from drivers.spec import SourceSpec, split_source

ENTRY_POINT_GROUP = "tableside.sources"

SOURCES = {
    "manual": "drivers.manual:ManualSource",
    "simulated": "drivers.simulated:SimulatedSource",
    "replay": "drivers.replay:ReplaySource",
    "serial": "drivers.serial_port:SerialSource",
    "camera": "drivers.webcam:WebcamSource",
}


def known_sources() -> dict[str, str]:
    """Return kind -> "module:Class" of everything installed; the own sources cannot be replaced."""
    found = {point.name.lower(): point.value for point in entry_points(group=ENTRY_POINT_GROUP)}
    return found | SOURCES


def parse_source(text: str) -> SourceSpec:
    """Read ``kind:address,option=value``.

    Raises:
        BadSource: Not a source, or an unknown kind; the known ones are named.
    """
    spec = split_source(text)
    _place_of(spec.kind)
    return spec


def open_source(
    source: str | SourceSpec, *, house: Path | None = None, cursors: tuple[SavedCursor, ...] = ()
) -> CardSource:
    """Build a source from what a person typed; the device itself is opened by the source's `open`.

    Args:
        source: As typed, or taken apart.
        house: The house folder, where decks lie; None for the platform's own.
        cursors: Where the shoes were read up to when the program last stopped.

    Raises:
        BadSource: Unknown kind or option, or a value out of range.
        DriverMissing: The library this kind needs is absent or does not load.
    """
    spec = parse_source(source) if isinstance(source, str) else source
    return _driver(spec.kind).from_spec(
        replace(spec, house=house or spec.house, cursors=cursors or spec.cursors)
    )


def detect() -> tuple[Found, ...]:
    """List what is attached, opening no device; a kind whose library is absent is listed with the reason."""
    found: list[Found] = []
    for kind in known_sources():
        try:
            found.extend(_driver(kind).detect())
        except DriverError as error:
            found.append(Found(kind, kind, usable=False, why=error.message, remedy=error.hint))
    return tuple(found)


def kinds_of(found: Iterable[Found]) -> set[str]:
    """Return which of ``camera`` and ``reader`` are among listed devices, usable or not.

    A serial port that is not on USB is there on most computers and is hardly ever a shoe.
    """
    cameras = {"camera" for one in found if one.source.startswith("camera")}
    readers = {"reader" for one in found if one.source.startswith("serial") and not one.is_unlikely}
    return cameras | readers


def find(port: str) -> Iterator[Found]:
    """Listen at a serial port, which the dealer has chosen, for speed and format; sends nothing.

    Yields:
        What was found at each speed that made sense, the likeliest last; nothing where nothing did.

    Raises:
        DriverError: The port can't be opened.
    """
    return _driver("serial").find(port)


def _place_of(kind: str) -> str:
    """Where a kind's class is; other packages are looked through only for a kind that is not our own."""
    place = SOURCES.get(kind) or known_sources().get(kind)
    if place is None:
        known = ", ".join(sorted(known_sources()))
        raise BadSource(f"There is no kind of source called {kind!r}.", f"Known kinds: {known}.")
    return place


def _driver(kind: str) -> type[CardSource]:
    module_name, _, class_name = _place_of(kind).partition(":")
    try:
        driver = getattr(import_module(module_name), class_name)
    except ImportError as error:
        raise DriverMissing(
            f"The {kind} source can't be loaded: {error}.",
            "Type the cards meanwhile; ./scripts/run installs anew.",
        ) from error
    if not (isinstance(driver, type) and issubclass(driver, CardSource)):
        raise DriverMissing(
            f"{module_name}:{class_name} is not a card source.", "Remove or update that package."
        )
    return driver
