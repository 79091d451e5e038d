"""Recordings of a card source, as JSON lines or hex, read and written.

The first line of a ``.jsonl`` recording is ``{"format": "tableside-recording", "version": 1, "source": "…",
"codec": "oslp"}``; each other line is ``{"t": 1.25, "bytes": "41480A"}`` or ``{"t": 1.25, "event": {…}}``,
where `t` is seconds since the start. A ``.hex`` file holds bytes only: a line is what came at once, ``@1.25``
before it says when, ``#`` begins a remark.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Self, TextIO, cast

from assistant.cards import Card, parse_card
from assistant.errors import Refusal
from drivers.base import (
    Candidate,
    Capabilities,
    CardSource,
    DriverError,
    DriverNotFound,
    EventKind,
    SourceEvent,
    as_record,
)
from drivers.spec import SourceSpec

FORMAT = "tableside-recording"
VERSION = 1
_HEX_LINE = re.compile(r"(?:@([0-9]+(?:\.[0-9]+)?)\s+)?((?:[0-9A-Fa-f]{2}\s*)+)")


class BadRecording(DriverError):
    """A file is no recording, or one of its lines can't be read; file and line are named."""


@dataclass(frozen=True, slots=True)
class Row:
    """What came at one time: bytes, or an event."""

    time_s: float
    data: bytes = b""
    event: SourceEvent | None = None


@dataclass(frozen=True, slots=True)
class Recording:
    """A recording in memory.

    Attributes:
        source: Name of the source it was made of; empty for a ``.hex`` file.
        codec: Format of its bytes; empty where it holds none, or nothing says.
        rows: In order of time.
    """

    source: str
    codec: str
    rows: tuple[Row, ...]


def read_recording(path: Path) -> Recording:
    """Read a recording whole.

    Raises:
        DriverNotFound: No such file.
        BadRecording: Not a recording.
    """
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError as error:
        raise DriverNotFound(f"There is no recording {path}.", "Check the path.") from error
    except (OSError, UnicodeDecodeError) as error:
        raise BadRecording(
            f"{path} can't be read as a recording: {error}.", "Give a .jsonl or .hex file."
        ) from error
    return _read_hex(path, text) if path.suffix.lower() == ".hex" else _read_jsonl(path, text)


def _read_hex(path: Path, text: str) -> Recording:
    rows: list[Row] = []
    time_s = 0.0
    for number, line in enumerate(text.splitlines(), 1):
        content = line.partition("#")[0].strip()
        found = _HEX_LINE.fullmatch(content)
        if found:
            time_s = float(found[1]) if found[1] else time_s
            rows.append(Row(time_s, bytes.fromhex(found[2])))
        elif content:
            raise BadRecording(f"{path}, line {number}: these are not hex bytes.", "Write them as 41 48 0A.")
    return Recording("", "", tuple(rows))


def _read_jsonl(path: Path, text: str) -> Recording:
    header: dict[str, object] | None = None
    rows: list[Row] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            content = json.loads(line)
            if not isinstance(content, dict):
                raise ValueError("not an object")
            if header is None:
                header = _checked_header(content)
            else:
                rows.append(_row(content))
        except (ValueError, KeyError, TypeError, Refusal) as error:
            raise BadRecording(
                f"{path}, line {number}: not a line of a recording.", "Record it anew, or remove the line."
            ) from error
    if header is None:
        raise BadRecording(f"{path} is empty.", "Give a recording in .jsonl or .hex form.")
    return Recording(str(header.get("source", "")), str(header.get("codec") or ""), tuple(rows))


def _checked_header(content: dict[str, object]) -> dict[str, object]:
    if content.get("format") != FORMAT or content.get("version") != VERSION:
        raise ValueError("unknown format or version")
    return content


def _row(content: dict[str, object]) -> Row:
    time_s = float(cast(float, content["t"]))
    if "bytes" in content:
        return Row(time_s, bytes.fromhex(str(content["bytes"])))
    return Row(time_s, event=_event(cast("dict[str, object]", content["event"]), time_s))


def _event(record: dict[str, object], time_s: float) -> SourceEvent:
    candidates = cast("list[dict[str, object]]", record.get("candidates") or [])
    return SourceEvent(
        EventKind(str(record["event"])),
        str(record.get("source", "")),
        time_s,
        card=_card(record.get("card")),
        zone=_text(record.get("zone")),
        group=_whole(record.get("group")),
        confidence=_share(record.get("confidence")),
        candidates=tuple(
            Candidate(parse_card(str(one["card"])), float(cast(float, one["confidence"])))
            for one in candidates
        ),
        seq=_whole(record.get("seq")),
        count=_whole(record.get("count")),
        code=str(record.get("code", "")),
        tag=str(record.get("tag", "")),
        note=str(record.get("note", "")),
    )


def _card(value: object) -> Card | None:
    return None if value is None else parse_card(str(value).rstrip("?"), bare_rank=True)


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _whole(value: object) -> int | None:
    return None if value is None else int(cast(int, value))


def _share(value: object) -> float | None:
    return None if value is None else float(cast(float, value))


class RecordingWriter:
    """Writes a recording line by line, so that a crash costs at most the last one."""

    def __init__(self, stream: TextIO, source: str, codec: str = "") -> None:
        self._stream = stream
        self._write({"format": FORMAT, "version": VERSION, "source": source, "codec": codec})

    def bytes(self, time_s: float, data: bytes) -> None:
        """Add bytes as they arrived."""
        self._write({"t": round(time_s, 4), "bytes": data.hex().upper()})

    def event(self, event: SourceEvent) -> None:
        """Add an event; its crop is not kept."""
        more = {"group": event.group, "count": event.count, "code": event.code, "tag": event.tag}
        record = as_record(event) | {name: value for name, value in more.items() if value not in (None, "")}
        self._write({"t": record.pop("time_s"), "event": record})

    def _write(self, content: dict[str, object]) -> None:
        self._stream.write(json.dumps(content, ensure_ascii=False) + "\n")
        self._stream.flush()


class RecordedSource(CardSource):
    """Another source whose events are also written to a recording, after face-down cards lost their names."""

    def __init__(self, inner: CardSource, writer: RecordingWriter) -> None:
        self._inner = inner
        self._writer = writer

    @classmethod
    def from_spec(cls, spec: SourceSpec) -> Self:
        """Not for typing: a recording is made of another source."""
        raise NotImplementedError

    @property
    def name(self) -> str:
        """The recorded source's."""
        return self._inner.name

    @property
    def capabilities(self) -> Capabilities:
        """The recorded source's."""
        return self._inner.capabilities

    @property
    def has_ended(self) -> bool:
        """Whether the recorded source has."""
        return self._inner.has_ended

    def open(self) -> None:
        """Open the recorded source."""
        self._inner.face_up_due = self.face_up_due
        self._inner.open()

    def read(self, timeout_s: float) -> SourceEvent | None:
        """Read an event and write it down."""
        event = self._inner.read(timeout_s)
        if event is not None:
            self._writer.event(event)
        return event

    def close(self) -> None:
        """Close the recorded source; the stream stays the caller's."""
        self._inner.close()

    def deals_from(self, decks: int, dealt: Collection[str] = ()) -> None:
        """Pass it on."""
        self._inner.deals_from(decks, dealt)

    def shuffled(self, decks: int) -> None:
        """Pass a shuffle on."""
        self._inner.shuffled(decks)
