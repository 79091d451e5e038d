"""Recorded cards at any speed: the same codecs and the same events as when they were live."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path
from typing import Self

from drivers.base import Capabilities, CardSource, SourceEvent, conceal
from drivers.codecs.base import Codec
from drivers.codecs.formats import FORMATS
from drivers.naming import TagNamer
from drivers.naming_options import read_namer
from drivers.recording import BadRecording, Row, read_recording
from drivers.spec import SourceSpec

LAST_WAIT_S = 1.5
"""Recorded time that passes after the last row, so that what was still missing is said."""


class ReplaySource(CardSource):
    """Plays a recording.

    Args:
        path: ``.jsonl`` or ``.hex``.
        speed: 1 as it was, 10 ten times as fast, 0 at once. The events keep their recorded times.
        format: Codec of the bytes where the file does not say.
        is_face_down: Whether the recorded shoe read cards that were dealt face down too.
        namer: Turns recorded tags into cards; None where no deck was chosen.
    """

    def __init__(
        self,
        path: Path,
        *,
        speed: float = 1.0,
        format: str = "",
        is_face_down: bool = False,
        namer: TagNamer | None = None,
        name: str = "",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._path = path
        self._speed = speed
        self._format = format
        self._is_face_down = is_face_down
        self._namer = namer or TagNamer()
        self._name = name or f"replay:{path}"
        self._clock = clock
        self._codec: Codec | None = None
        self._rows: deque[Row] = deque()
        self._pending: deque[SourceEvent] = deque()
        self._last_s = 0.0
        self._opened_s = 0.0
        self._closed = threading.Event()
        self._is_over = False

    @classmethod
    def from_spec(cls, spec: SourceSpec) -> Self:
        """Build from ``replay:FILE,speed=…,format=…``."""
        options = spec.reader()
        format = options.text("format", "", tuple(FORMATS))
        source = cls(
            Path(spec.address),
            speed=options.number("speed", 1.0, 0.0, 10_000.0),
            format=format,
            is_face_down=options.flag("facedown"),
            namer=read_namer(options, format, spec.house),
            name=spec.name,
        )
        options.done()
        return source

    @property
    def name(self) -> str:
        """The file's name."""
        return self._name

    @property
    def capabilities(self) -> Capabilities:
        """What the recorded format can do."""
        found = self._codec.capabilities if self._codec else Capabilities()
        names = found.names_cards or self._namer.has_decks
        return replace(found, names_cards=names, sees_face_down=self._is_face_down)

    @property
    def has_ended(self) -> bool:
        """Whether the recording is over."""
        return self._is_over and not self._pending

    def open(self) -> None:
        """Read the file and start from its beginning."""
        recording = read_recording(self._path)
        format = self._format or recording.codec or "plain"
        if format not in FORMATS:
            raise BadRecording(f"{self._path}: there is no format {format!r}.", "Give it: format=plain.")
        self._codec = FORMATS[format].make(self._name)
        self._codec.opened(0.0)
        self._rows = deque(recording.rows)
        self._pending.clear()
        self._last_s = 0.0
        self._is_over = False
        self._closed.clear()
        self._opened_s = self._clock()

    def read(self, timeout_s: float) -> SourceEvent | None:
        """Return the next event when its time has come."""
        deadline_s = self._clock() + timeout_s
        while not self._pending and not self._closed.is_set() and not self._is_over:
            due_s = self._due_s()
            now_s = self._clock()
            if due_s > now_s:
                self._closed.wait(max(0.0, min(due_s, deadline_s) - now_s))
                if self._clock() < due_s:
                    return None
            self._play()
        return self._pending.popleft() if self._pending and not self._closed.is_set() else None

    def learn(self, tag: str, card: str, deck: str = "") -> None:
        """The tag is this card from now on."""
        self._namer.learn(tag, card, deck)

    def recall(self, tag: str, card: str) -> None:
        """The tag is this card, as was said before."""
        self._namer.recall(tag, card)

    def deals_from(self, decks: int, dealt: Collection[str] = ()) -> None:
        """A tag of several decks comes once a shoe."""
        self._namer.deals_from(decks, dealt)

    def shuffled(self, decks: int) -> None:
        """Every recorded tag may come again."""
        self._namer.shuffled(decks)

    def close(self) -> None:
        """Stop playing."""
        self._closed.set()

    def _due_s(self) -> float:
        if not self._speed or not self._rows:
            return self._opened_s
        return self._opened_s + self._rows[0].time_s / self._speed

    def _play(self) -> None:
        assert self._codec is not None
        if not self._rows:
            self._is_over = True
            end_s = self._last_s + LAST_WAIT_S
            self._say(self._namer.name(self._codec.tick(end_s) + self._codec.lost(end_s), end_s))
            self._say(self._namer.tick(end_s + LAST_WAIT_S))
            return
        row = self._rows.popleft()
        self._last_s = row.time_s
        if row.event is not None:
            self._say(self._namer.name([replace(row.event, source=self._name)], row.time_s))
        else:
            events = self._codec.tick(row.time_s) + self._codec.feed(row.data, row.time_s)
            self._say(self._namer.name(events, row.time_s))

    def _say(self, events: list[SourceEvent]) -> None:
        self._pending.extend(events if self.may_name_cards() else map(conceal, events))
