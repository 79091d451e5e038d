"""Serial shoes on a device path, COM port, pty, ``socket://`` or ``rfc2217://``; what reads through pyserial.

The thread that reads is the only one that opens and closes; what a dying port can raise is SHOE_PROTOCOL.md
chapter 2, and one tuple covers it.
"""

from __future__ import annotations

import errno
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from typing import Final, Protocol, Self

import serial
from serial.tools import list_ports

from assistant.i18n import _
from drivers.base import (
    BadSource,
    Capabilities,
    CardSource,
    DriverBusy,
    DriverDenied,
    DriverError,
    DriverLost,
    DriverNotFound,
    DriverOpenFailed,
    EventKind,
    Found,
    SourceEvent,
    conceal,
)
from drivers.codecs.base import Codec
from drivers.codecs.formats import FORMATS
from drivers.codecs.oslp import OslpCodec
from drivers.link import SavedCursor
from drivers.naming import TagNamer
from drivers.naming_options import read_namer
from drivers.port_finder import search
from drivers.port_list import (
    BUSY_REMEDY,
    PERMISSION_REMEDY,
    Port,
    found_ports,
    holder_of,
    the_only_usb_port,
    where_now,
)
from drivers.spec import SourceSpec

if sys.platform == "win32":
    _TERMINAL: tuple[type[Exception], ...] = ()
else:
    import termios

    _TERMINAL = (termios.error,)

DEAD: Final[tuple[type[Exception], ...]] = (OSError, *_TERMINAL, TypeError, AttributeError, ValueError)
"""All that pyserial raises when a port dies under it (SHOE_PROTOCOL.md 2); SerialException is an OSError."""
READ_TIMEOUT_S = 0.2
MOST_BYTES = 4096
"""Taken from the port at once, so that a flood is worked off in bounded pieces."""
FIRST_REOPEN_S = 0.05
LISTING_S = 0.25
"""Between two looks through the system's list of ports for a USB device that is away."""
LAST_REOPEN_S = 2.5
MOST_REOPENS_A_MINUTE = 30


class OpenPort(Protocol):
    """What is used of an open port; each of it may raise any of `DEAD`."""

    baudrate: int
    """Speed; may be changed while the port is open."""

    @property
    def in_waiting(self) -> int:
        """Bytes that can be read without waiting."""
        ...

    def read(self, size: int, /) -> bytes:
        """Return up to `size` bytes, fewer when the time-out ends."""
        ...

    def write(self, data: bytes, /) -> int | None:
        """Send bytes."""
        ...

    def close(self) -> None:
        """Let go of the port."""
        ...


def open_port(address: str, baud: int) -> OpenPort:
    """Open a port exclusively, with a read time-out; raises what pyserial raises."""
    # pyserial's rfc2217 refuses a write time-out; its socket has one of five seconds
    write_s = None if address.lower().startswith("rfc2217:") else READ_TIMEOUT_S
    port: OpenPort = serial.serial_for_url(
        address, baudrate=baud, timeout=READ_TIMEOUT_S, write_timeout=write_s, exclusive=True
    )
    return port


def listed_ports() -> tuple[Port, ...]:
    """Return the system's ports, opening none."""
    return tuple(
        Port(
            device=found.device,
            label=found.description or "",
            vid=found.vid,
            pid=found.pid,
            serial_number=found.serial_number,
            location=found.location,
        )
        for found in list_ports.comports()
    )


class SerialSource(CardSource):
    """A shoe or reader on a serial line.

    Args:
        address: Device path, ``COMn`` or pyserial URL; empty for the only USB port.
        format: A word of `FORMATS`.
        baud: Speed; None for the format's usual one.
        is_face_down: Whether the shoe reads cards that are dealt face down too.
        replies: Whether an OSLP shoe may be answered (PING, ACK, NAK). Nothing else is ever sent.
        namer: Turns tags into cards; None where no deck was chosen.
        cursors: Where numbered shoes were read up to when the program last stopped.
        zone: Zone of all its cards.
        clock: Seconds, monotonic.
        opener: Opens a port; tests put a faulty one here.
        ports: Lists ports.
    """

    def __init__(
        self,
        address: str,
        *,
        format: str = "plain",  # the word a person types
        baud: int | None = None,
        is_face_down: bool = False,
        replies: bool = True,
        namer: TagNamer | None = None,
        cursors: tuple[SavedCursor, ...] = (),
        zone: str | None = None,
        name: str = "",
        clock: Callable[[], float] = time.monotonic,
        opener: Callable[[str, int], OpenPort] = open_port,
        ports: Callable[[], tuple[Port, ...]] = listed_ports,
    ) -> None:
        self._address = address
        self._name = name or f"serial:{address}"
        self._codec: Codec = (
            OslpCodec(self._name, replies=replies, cursors=cursors)
            if format == "oslp"
            else FORMATS[format].make(self._name)
        )
        self._namer = namer or TagNamer()
        self._baud = baud or FORMATS[format].baud
        self._is_face_down = is_face_down
        self._zone = zone
        self._clock = clock
        self._opener = opener
        self._ports = ports
        self._port: OpenPort | None = None
        self._device = address
        self._identity: Port | None = None
        self._owner: int | None = None
        self._stop = threading.Event()
        self._pending: deque[SourceEvent] = deque()
        self._opened_s = clock()
        self._reopen_at_s = 0.0
        self._reopen_wait_s = FIRST_REOPEN_S
        self._attempts: deque[float] = deque(maxlen=MOST_REOPENS_A_MINUTE)

    @classmethod
    def from_spec(cls, spec: SourceSpec) -> Self:
        """Build from ``serial:PORT,format=…,baud=…,deck=…``; the tag lists of the decks are read here."""
        options = spec.reader()
        format = options.text("format", "plain", tuple(FORMATS))
        source = cls(
            spec.address,
            format=format,
            baud=options.whole("baud", 0, 50, 4_000_000) or None,
            is_face_down=options.flag("facedown"),
            replies=options.flag("reply", default=True),
            namer=read_namer(options, format, spec.house),
            cursors=spec.cursors,
            zone=options.text("zone") or None,
            name=spec.name,
        )
        options.done()
        return source

    @classmethod
    def detect(cls) -> tuple[Found, ...]:
        """List the ports with what is attached and why one can't be used."""
        return found_ports(listed_ports())

    @classmethod
    def find(cls, address: str) -> Iterator[Found]:
        """Listen at the port at the usual speeds, with every format's decoder; sends nothing.

        Raises:
            DriverError: The port can't be opened or dies meanwhile.
        """
        device = address.removeprefix("serial:")
        try:
            port = open_port(device, 115200)
        except DEAD as error:
            raise explain(device, error, listed_ports()) from error
        try:
            yield from search(port, device)
        except DEAD as error:
            raise DriverLost(
                f"{device} was lost while listening.", "Reseat the cable and try again."
            ) from error
        finally:
            port.close()

    @property
    def name(self) -> str:
        """The port as it was chosen, also when the device has moved to another one since."""
        return self._name

    @property
    def capabilities(self) -> Capabilities:
        """What the format can do, and the shoe has said of itself."""
        able = self._codec.capabilities
        names = able.names_cards or self._namer.has_decks
        return replace(able, names_cards=names, sees_face_down=self._is_face_down)

    @property
    def codec(self) -> Codec:
        """The codec, for its counters."""
        return self._codec

    def open(self) -> None:
        """Open the port; the calling thread reads and closes it from now on.

        Raises:
            DriverError: Absent, forbidden, in use or not a port; the hint says what to do.
        """
        self._stop.clear()
        self._owner = threading.get_ident()
        self._opened_s = self._clock()
        ports = self._ports()
        if self._address in ("", "auto"):
            self._device = the_only_usb_port(ports)
        try:
            self._port = self._opener(self._device, self._baud)
        except DEAD as error:
            raise explain(self._device, error, ports) from error
        self._identity = next((port for port in ports if port.device == self._device and port.is_usb), None)
        self._up("port-open", "the port is open; the shoe may need some seconds to start")

    def read(self, timeout_s: float) -> SourceEvent | None:
        """Return the next event; a lost port says DOWN once and is opened again by and by."""
        deadline_s = self._clock() + timeout_s
        while True:
            if self._stop.is_set():
                self._release()
                return None
            if self._pending:
                return self._pending.popleft()
            if self._port is not None:
                self._read_port(self._port)
            else:
                self._try_reopen(deadline_s)
            if not self._pending and self._clock() >= deadline_s:
                return None

    def deals_from(self, decks: int, dealt: Collection[str] = ()) -> None:
        """A tag of several decks comes once a shoe."""
        self._namer.deals_from(decks, dealt)

    def shuffled(self, decks: int) -> None:
        """Every tag may come again."""
        self._namer.shuffled(decks)

    def learn(self, tag: str, card: str, deck: str = "") -> None:
        """The tag is this card from now on."""
        self._namer.learn(tag, card, deck)

    def recall(self, tag: str, card: str) -> None:
        """The tag is this card, as was said before."""
        self._namer.recall(tag, card)

    def close(self) -> None:
        """Let go of the port: at once in the thread that reads, else when that next looks."""
        self._stop.set()
        if self._owner in (None, threading.get_ident()):
            self._release()

    def _read_port(self, port: OpenPort) -> None:
        death: BaseException | None = None
        data = b""
        try:
            data = port.read(min(port.in_waiting, MOST_BYTES) or 1)
            if len(data) == 1 and (more := port.in_waiting):  # the first byte of what has just come
                data += port.read(min(more, MOST_BYTES - 1))
        except DEAD as error:
            death = error
        now_s = self._clock() - self._opened_s
        events = self._codec.feed(data, now_s) if data else []
        self._say(self._namer.name(events + self._codec.tick(now_s), now_s))
        answer = self._codec.outbox()
        if death is not None:
            self._lost(death)
        elif answer:
            self._send(port, answer)

    def _send(self, port: OpenPort, answer: bytes) -> None:
        try:
            port.write(answer)
        except serial.SerialTimeoutException:
            return  # the shoe repeats what is not acknowledged; a stuck line shows as silence
        except DEAD as error:
            self._lost(error)

    def _lost(self, error: BaseException) -> None:
        now_s = self._clock() - self._opened_s
        self._say(self._namer.name(self._codec.lost(now_s), now_s))
        self._release()
        note, code = "the port is gone; cards are typed until it is back: reseat the cable", "lost"
        if "returned no data" in str(error) and where_now(self._device, self._identity, self._ports()):
            note, code = "the port was cut off, or another program reads from it", "stolen"
        self._say([SourceEvent(EventKind.DOWN, self._name, now_s, code=code, note=note)])
        self._reopen_wait_s = FIRST_REOPEN_S
        self._reopen_at_s = self._clock() + self._reopen_wait_s

    def _try_reopen(self, deadline_s: float) -> None:
        now_s = self._clock()
        if now_s < self._reopen_at_s:
            self._stop.wait(min(self._reopen_at_s, max(deadline_s, now_s)) - now_s)
            return
        self._reopen_wait_s = min(self._reopen_wait_s * 2, LAST_REOPEN_S)
        self._reopen_at_s = now_s + self._reopen_wait_s
        device = where_now(self._device, self._identity, self._ports() if self._identity else ())
        if device is None:
            # looking costs little, so a port that comes back is found at once however long it was away
            self._reopen_at_s = now_s + (LISTING_S if self._identity else FIRST_REOPEN_S)
            return
        if len(self._attempts) == MOST_REOPENS_A_MINUTE and now_s < self._attempts[0] + 60:
            self._reopen_at_s = self._attempts[0] + 60
            return
        self._attempts.append(now_s)
        try:
            self._port = self._opener(device, self._baud)
        except DEAD:
            return
        self._device = device
        self._up("port-back", "the port is back")

    def _up(self, code: str, note: str) -> None:
        now_s = self._clock() - self._opened_s
        self._codec.opened(now_s)
        self._say([SourceEvent(EventKind.UP, self._name, now_s, code=code, note=note)])

    def _say(self, events: list[SourceEvent]) -> None:
        if not events:
            return
        if not self.may_name_cards():
            events = [conceal(event) for event in events]
        self._pending.extend(replace(event, zone=self._zone) if self._zone else event for event in events)

    def _release(self) -> None:
        port, self._port = self._port, None
        if port is not None:
            try:
                port.close()
            except DEAD:
                return  # a dead port has nothing left to close


def explain(device: str, error: BaseException, ports: tuple[Port, ...] = ()) -> DriverError:
    """Return the error a dealer understands for what pyserial raised at opening."""
    number = getattr(error, "errno", None)
    text = str(error)
    if isinstance(error, ValueError) and number is None:
        return BadSource(
            f"{device} is not a serial port: {text}.", "Write serial:/dev/ttyUSB0 or serial:COM3."
        )
    is_windows_busy = "PermissionError(13" in text
    if is_windows_busy or number in (errno.EAGAIN, errno.EBUSY):
        holder = holder_of(device) or "another program"
        return DriverBusy(f"{device} is in use by {holder}.", _(BUSY_REMEDY))
    if number in (errno.EACCES, errno.EPERM):
        return DriverDenied(f"No permission for {device}.", _(PERMISSION_REMEDY))
    if number in (errno.ENOENT, errno.ENODEV, errno.ENXIO) or "FileNotFoundError" in text:
        names = ", ".join(f"serial:{port.device}" for port in ports if port.is_usb)
        hint = f"Plugged in now: {names}." if names else "Plug the shoe in; no USB serial port is there now."
        return DriverNotFound(f"There is no port {device}.", hint)
    if "://" in device:
        return DriverNotFound(
            f"Nobody answers at {device}.", "Check the address, and that the shoe's server runs."
        )
    return DriverOpenFailed(f"{device} can't be opened: {text}.", "Reseat the cable and try again.")
