"""What the console needs of the card sources: who reads them, what they are called, and their lamps in words.

Devices load in the threads of their sources; nothing heavy is imported here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Protocol

from assistant.console.view import Lamp
from assistant.i18n import _

if TYPE_CHECKING:
    from assistant.table.intake import SourceState
    from drivers.base import CardSource, Sight, SourceEvent
    from drivers.spec import SourceSpec


class CardIntake(Protocol):
    """What the console needs of `assistant.table.intake.Intake`."""

    def start(self) -> None:
        """Start every source."""

    def add(self, source: str | CardSource) -> None:
        """Take another source in."""

    def remove(self, name: str) -> bool:
        """Let a source go, without waiting for it."""

    def is_leaving(self, name: str) -> bool:
        """Whether a source that was let go still holds its device."""

    def learn(self, name: str, tag: str, card: str, deck: str = "") -> None:
        """Tell a source which card a tag is that no deck knew; without a name, tell every one.

        An empty card takes that back, and then `deck` is the deck that had taken the tag in.
        """

    def recall(self, tags: Mapping[str, str]) -> None:
        """Tell every source, and those to come, which cards the tags are that were named tonight."""

    def stop(self, timeout_s: float = ...) -> None:
        """Stop every source."""

    def states(self) -> tuple[SourceState, ...]:
        """Every source as it stands."""

    def deals_from(self, decks: int, dealt: Collection[str] = ()) -> None:
        """Hear how many decks lie in the shoe and which tags were dealt, also for sources to come."""

    def shuffled(self, decks: int, kind: str = "") -> None:
        """Hear that the table shuffled; only the sources of a kind where one is named."""

    def sight(self) -> Sight | None:
        """What a camera sees now."""

    def hold_still(self) -> None:
        """Ask the cameras to hold focus and exposure."""

    def recalibrated(self) -> None:
        """Tell the cameras that a calibration was saved anew."""


IntakeFactory = Callable[
    [tuple["str | CardSource", ...], Callable[["SourceEvent"], None], Callable[[], bool], Callable[[], bool]],
    CardIntake,
]


def open_intake(
    sources: tuple[str | CardSource, ...],
    deliver: Callable[[SourceEvent], None],
    face_up_due: Callable[[], bool],
    deals_face_down: Callable[[], bool],
    opener: Callable[[str | SourceSpec], CardSource] | None = None,
) -> CardIntake:
    """Make the usual intake; device libraries load in the threads of their sources."""
    from assistant.table.intake import Intake
    from drivers.registry import open_source

    return Intake(
        sources,
        deliver,
        face_up_due=face_up_due,
        deals_face_down=deals_face_down,
        opener=opener or open_source,
    )


def source_name(text: str) -> str:
    """The name a source has in its events; the text itself where it is none."""
    from drivers.base import DriverError
    from drivers.spec import split_source

    try:
        return split_source(text).name
    except DriverError:
        return text


def is_of_camera(event: SourceEvent) -> bool:
    """Whether a camera says that it sees a card."""
    from drivers.base import EventKind

    says_card = event.event in (EventKind.CARD, EventKind.UNSURE, EventKind.REPEATED)
    return says_card and event.source.partition(":")[0] == "camera"


def waits(source: str) -> bool:
    """Whether a source shows a card as soon as one is due: a simulated shoe, a recording told to wait."""
    kind, _mark, options = source.partition(":")
    return kind == "simulated" or ",wait" in options


def lamp_of(source: SourceState) -> Lamp:
    """A source's state as a word a dealer reads at a glance."""
    words = {
        "opening": _("opening"),
        "up": _("ok"),
        "stale": _("silent"),
        "down": _("LOST"),
        "ended": _("ended"),
    }
    state = str(source.lamp.value)
    kind = source.name.partition(":")[0]
    name = kind if kind in ("serial", "camera", "simulated", "replay") else source.name
    able = source.capabilities
    is_weak = able is not None and able.is_shoe and not able.exactly_once
    return Lamp(
        # nothing but the deck's own count would show a card that such a shoe reads wrong or not at all
        _("weak {name}").format(name=name) if is_weak else name,
        words[state],
        state == "down",
    )
