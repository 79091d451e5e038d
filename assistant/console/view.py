"""What the screen shows at one moment: the table and what the console adds to it, as one frozen value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assistant.console.rows import Rows

if TYPE_CHECKING:
    from assistant.table.snapshot import TableSnapshot

ACT, STOP = "act", "stop"
SIGNS = {ACT: "▶", STOP: "!"}


@dataclass(frozen=True)
class Said:
    """A sentence for the dealer that is not the duty: a refusal, a doubt, a notice.

    Attributes:
        text: The sentence.
        stops: Whether it says that something was not booked.
    """

    text: str
    stops: bool = False


@dataclass(frozen=True)
class Lamp:
    """A card source as a word: its name, its state, and whether the dealer must type for it now."""

    name: str
    state: str
    is_lost: bool = False


@dataclass(frozen=True)
class Strip:
    """One entry of the key strip."""

    key: str
    label: str


@dataclass(frozen=True)
class PanelView:
    """A question or list that stands where the log is.

    Attributes:
        title: What the bar says while it is open; empty leaves the duty.
        rows: What it shows for a width and height.
        stops: Whether play stops until it is answered.
    """

    title: str
    rows: Callable[[int, int], Rows]
    stops: bool = False


@dataclass(frozen=True)
class View:
    """Everything the table screen paints.

    Attributes:
        snapshot: The table; None while the night is being opened.
        duty: What the bar says.
        usual: What Enter does, for the bar's right end.
        told: What to pay and collect, until the next act.
        said: A refusal or notice.
        prompt: What the entry line asks for.
        entry: The typed line.
        cursor: Place of the cursor in it.
        reading: What the typed line means.
        is_read: Whether it can be booked.
        selected: The seat chips are taken for.
        hint: What can be typed now, while nothing is.
    """

    snapshot: TableSnapshot | None
    duty: str
    usual: str = ""
    told: tuple[str, ...] = ()
    said: Said | None = None
    prompt: str = ""
    entry: str = ""
    cursor: int = 0
    reading: str = ""
    is_read: bool = False
    hint: str = ""
    selected: str | None = None
    lamps: tuple[Lamp, ...] = ()
    clock: str = ""
    strip: tuple[Strip, ...] = ()
    panel: PanelView | None = None

    @property
    def kind(self) -> str:
        """What the bar's sign and colour say: act, or stop and look."""
        if self.panel is not None and self.panel.stops:
            return STOP
        if self.said is not None and self.said.stops:
            return STOP
        return ACT
