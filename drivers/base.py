"""What every card source is and says: CardSource, its events, Capabilities, and the DriverError tree.

The words of the events are those of ``tableside listen`` (table talk, "Commands a script can rely on") and of
SHOE_PROTOCOL.md chapter 3. Nothing here imports a device library.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import TracebackType
from typing import TYPE_CHECKING, ClassVar, Self

from assistant.cards import Card
from assistant.errors import AssistantError

if TYPE_CHECKING:
    from calibration.frames import Image
    from calibration.recogniser.reading import SeenCard
    from drivers.spec import SourceSpec


class DriverError(AssistantError):
    """A card source or printer can't be used as asked.

    Attributes:
        can_retry: Whether trying again later can help without the dealer changing what was asked for.
    """

    can_retry: ClassVar[bool] = False


class BadSource(DriverError):
    """What was typed does not describe a source: unknown kind or option, a value out of range."""


class DriverMissing(DriverError):
    """The library the device needs is not installed or does not load; `hint` names the package."""


class DriverNotFound(DriverError):
    """There is no such port, camera or file (now)."""

    can_retry = True


class DriverDenied(DriverError):
    """The device is there, and the system does not let this user open it."""

    can_retry = True


class DriverBusy(DriverError):
    """The device is there and another program holds it."""

    can_retry = True


class DriverOpenFailed(DriverError):
    """The device is there and opening it failed for a reason of its own."""

    can_retry = True


class DriverLost(DriverError):
    """The device was open and is gone."""

    can_retry = True


class EventKind(StrEnum):
    """What a source can say; the value is the word in ``tableside listen``."""

    CARD = "card"
    """A card was seen; `card` None means it was counted face down and is not to be named."""
    UNSURE = "unsure"
    """A card lies there, and its name is not certain; see `candidates`."""
    UNREADABLE = "unreadable"
    """A card passed and was not identified."""
    BACK = "back"
    """The last card was pushed back into the shoe."""
    TAG_UNKNOWN = "tag-unknown"
    """A tag or code was read that no enrolled deck knows."""
    REPEATED = "tag-repeated"
    """The same card or tag was reported again and is not counted again: a notice."""
    GAP = "gap"
    """Cards passed that were not reported: `seq` is the first, `count` how many."""
    JOINED = "joined"
    """First contact with a shoe that counts; cards before `seq` are unknown."""
    REBOOT = "reboot"
    """The shoe started anew; what it held in memory is lost."""
    CONFLICT = "conflict"
    """Two reports contradict each other."""
    CUT = "cut"
    """The cut card was reached."""
    EMPTY = "empty"
    """The shoe is empty."""
    LID = "lid"
    """The lid was opened or closed; see `code`."""
    UP = "up"
    """The source works (again)."""
    STALE = "stale"
    """The source is connected and silent, or shows nothing of use."""
    DOWN = "down"
    """The source is lost; cards are typed until it is back."""
    FAULT = "fault"
    """Something is wrong that the dealer should know: a device's own fault, wrong speed, too much at once."""


ASK_THE_DEALER = frozenset(
    {
        EventKind.UNREADABLE,
        EventKind.GAP,
        EventKind.JOINED,
        EventKind.REBOOT,
        EventKind.CONFLICT,
    }
)
"""Events that stop automatic play until the dealer has said what happened (SHOE_PROTOCOL.md chapter 3)."""


ANSWERS = "answers"
"""`code` of a CARD that its source was UNSURE of before: it answers that question, it is no second card."""


class Integrity(StrEnum):
    """How a device protects what it sends."""

    CRC16 = "crc16"
    XOR8 = "xor8"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a source can and cannot do; the console shows weak ones as weak.

    Attributes:
        names_cards: It says which card it was, not only that there was one.
        detects_misses: A card that passed unread is reported.
        exactly_once: Cards are numbered, so none comes twice or is missing unnoticed.
        can_resend: A lost report can be asked for again.
        sees_face_down: It reads cards that lie face down too; these are counted, never named.
        is_shoe: Cards pass it on their way out, so it and another shoe never see the same card.
        integrity: The check on each report.
    """

    names_cards: bool = True
    detects_misses: bool = False
    exactly_once: bool = False
    can_resend: bool = False
    sees_face_down: bool = False
    is_shoe: bool = False
    integrity: Integrity = Integrity.NONE


@dataclass(frozen=True, slots=True)
class Candidate:
    """One possible reading of a card and how sure the reader is of it (0..1)."""

    card: Card
    confidence: float


@dataclass(frozen=True, slots=True)
class SourceEvent:
    """One thing a card source said.

    Attributes:
        event: What happened.
        source: Name of the source, as a person chose it: ``serial:/dev/ttyUSB0``.
        time_s: Seconds since the source was opened.
        card: The card; None where it has no name.
        zone: Part of the table it was seen in; the table maps a zone to what it expects there.
        group: Cards seen together in one look share it; None for cards that come singly.
        confidence: 0..1; None where the device does not weigh what it says.
        candidates: Possible readings, the likeliest first.
        seq: The device's own number of the report.
        count: For GAP, how many reports are missing.
        code: Stable word for what `note` says, for `assistant.wording`.
        tag: The tag or bar code that was read, where the device reads these; a deck map turns it into a card.
        note: One English sentence or phrase; never raw device bytes.
        crop: (H, W, 3) uint8 BGR picture of the card, where there is one.
        integrity: The check this very report passed.
        report: The numbered report it comes from, for good: device, its start and number, as
            ``SHOE-01/7A3C/0005``; empty where the device does not number its reports for good.
        named_by: The tag that named the card; of several decks it comes once a shoe.
        is_shoe: Whether it comes from a shoe, which sees every card that leaves it; the intake says so.
    """

    event: EventKind
    source: str
    time_s: float
    card: Card | None = None
    zone: str | None = None
    group: int | None = None
    confidence: float | None = None
    candidates: tuple[Candidate, ...] = ()
    seq: int | None = None
    count: int | None = None
    code: str = ""
    tag: str = ""
    note: str = ""
    crop: object | None = field(default=None, compare=False, repr=False)
    integrity: Integrity = Integrity.NONE
    report: str = ""
    named_by: str = ""
    is_shoe: bool = False

    @property
    def is_face_down(self) -> bool:
        """Whether a card was counted and must not be named."""
        return self.event is EventKind.CARD and self.card is None

    @property
    def asks_the_dealer(self) -> bool:
        """Whether automatic play stops until the dealer has said what happened.

        A shoe joined at its first report has none behind it, so there is nothing to ask.
        """
        is_fresh = self.event is EventKind.JOINED and self.seq == 1
        return self.event in ASK_THE_DEALER and not is_fresh


def as_record(event: SourceEvent) -> dict[str, object]:
    """Return the event as ``tableside listen --json`` prints it: these nine keys in this order."""
    return {
        "event": event.event.value,
        "card": str(event.card) if event.card else None,
        "source": event.source,
        "zone": event.zone,
        "confidence": None if event.confidence is None else round(event.confidence, 6),
        "candidates": [
            {"card": str(candidate.card), "confidence": round(candidate.confidence, 6)}
            for candidate in event.candidates
        ],
        "seq": event.seq,
        "time_s": round(event.time_s, 3),
        "note": event.note,
    }


_NAMING = frozenset({EventKind.CARD, EventKind.UNSURE, EventKind.TAG_UNKNOWN})


def conceal(event: SourceEvent) -> SourceEvent:
    """Return the event without anything that tells which card it was.

    A named, unsure or tagged card becomes a counted one (CARD without `card`); other events lose card,
    candidates, tag, crop and the wording that could name it.
    """
    nameless = replace(event, card=None, candidates=(), confidence=None, tag="", named_by="", crop=None)
    if event.event in _NAMING or event.code == "joker":
        return replace(nameless, event=EventKind.CARD, code="face-down", note="face down: counted, not named")
    if event.event in (EventKind.REPEATED, EventKind.CONFLICT, EventKind.UNREADABLE):
        return replace(nameless, note=event.code)
    return nameless


@dataclass(frozen=True, slots=True)
class Found:
    """A device that `detect` saw without opening it.

    Attributes:
        source: What to type to use it: ``serial:/dev/ttyUSB0``.
        label: What is attached, as the system names it.
        usable: Whether it could be opened now, as far as can be told without opening it.
        why: Why it can't be used; empty when it can.
        remedy: What to do about that, exactly.
        is_unlikely: Whether it is hardly ever what is looked for: a serial port that is not on USB.
    """

    source: str
    label: str
    usable: bool = True
    why: str = ""
    remedy: str = ""
    is_unlikely: bool = False

    def __str__(self) -> str:
        head = f"{self.source}  {self.label}"
        return head if self.usable else f"{head}: {self.why}. {self.remedy}".rstrip()


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """What a camera sees at this moment; references only, so that keeping it costs nothing.

    Attributes:
        image: (H, W, 3) uint8, BGR; never written to.
        time_s: Seconds since the source was opened.
        number: Counts the pictures that were read.
        sent: How many pictures the camera has sent, read or not.
        cards: What was read in the last picture that was read, sure and unsure.
        profile: Name of the camera's calibration; empty without one.
        held: What the driver holds still: ``focus exposure wb_temperature`` and their values.
        asked_px: Width and height that were asked of the device; None where nothing was.
        source: Name of the camera, as it is typed.
    """

    image: Image = field(repr=False)
    time_s: float
    number: int
    cards: tuple[SeenCard, ...] = ()
    profile: str = ""
    held: Mapping[str, float] = field(default_factory=dict)
    asked_px: tuple[int, int] | None = None
    source: str = ""
    sent: int = 0


class CardSource(ABC):
    """A place cards come from: keyboard, shoe, camera, recording.

    One thread opens, reads and closes a source; `close` may be called from any thread and may be called
    twice. Once open, trouble is told by events (DOWN, STALE, FAULT) and `read` raises nothing; a source that
    can come back comes back by itself and says UP.

    Attributes:
        face_up_due: Whether the table expects a face-up card now; the intake sets it before `open`. A source
            that sees cards face down names one only when this says so; a simulated shoe deals only then.
    """

    face_up_due: Callable[[], bool] | None = None

    @classmethod
    @abstractmethod
    def from_spec(cls, spec: SourceSpec) -> Self:
        """Build the source from what a person typed; opens nothing.

        Raises:
            BadSource: An option is unknown or its value is out of range; the known ones are named.
        """

    @classmethod
    def detect(cls) -> tuple[Found, ...]:
        """List the devices of this kind that are attached, opening none."""
        return ()

    @classmethod
    def find(cls, address: str) -> Iterator[Found]:
        """Listen at a device that a person chose, to find out how it is to be read; sends nothing.

        Raises:
            DriverError: It can't be opened.
        """
        raise BadSource(
            "Only serial ports are searched by listening.", "Write: tableside sources --find PORT."
        )

    @property
    @abstractmethod
    def name(self) -> str:
        """The name in every event, as a person chose it."""

    @property
    @abstractmethod
    def capabilities(self) -> Capabilities:
        """What this source can do; may grow more exact after the device has introduced itself."""

    @property
    def has_ended(self) -> bool:
        """Whether nothing will come any more (a recording is over)."""
        return False

    @abstractmethod
    def open(self) -> None:
        """Get ready to read.

        Raises:
            DriverError: The first attempt failed; the source is closed.
        """

    @abstractmethod
    def read(self, timeout_s: float) -> SourceEvent | None:
        """Return the next event, or None after at most about `timeout_s` seconds without one."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the device; a closed source may be opened again."""

    def deals_from(self, decks: int, dealt: Collection[str] = ()) -> None:  # noqa: B027 - as below
        """Hear how many decks lie in the shoe that is dealt from, and which tags of it were dealt already."""

    def shuffled(self, decks: int) -> None:  # noqa: B027 - most sources have nothing to do
        """Hear that the table shuffled: the next card comes from a fresh shoe of `decks` decks."""

    def sight(self) -> Sight | None:
        """What it sees now, for a live view; None for what sees nothing. May be called from any thread."""
        return None

    def hold_still(self) -> None:  # noqa: B027 - most sources have nothing to hold
        """Ask that focus and exposure stay as they are; `Sight.held` says what came of it."""

    def recalibrated(self) -> None:  # noqa: B027 - most sources have no calibration
        """Hear that the house's calibrations were saved anew; may be called from any thread."""

    def learn(self, tag: str, card: str, deck: str = "") -> None:  # noqa: B027 - only readers of tags learn
        """Hear which card a tag is that no deck knew: ``AS``; an empty card takes that back, and then `deck`
        is the deck that had taken it in."""

    def recall(self, tag: str, card: str) -> None:  # noqa: B027 - as above
        """Hear which card a tag is, as was said before; its card need not have been dealt in this shoe. What
        a deck in play says counts more."""

    def may_name_cards(self) -> bool:
        """Whether a card seen now may be named."""
        if not self.capabilities.sees_face_down:
            return True
        return self.face_up_due is not None and self.face_up_due()

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
