"""What the formats that send tags and bar codes share: an event a visit, and a quiet one for each repeat."""

from __future__ import annotations

from typing import ClassVar

from drivers.base import EventKind, Integrity, SourceEvent
from drivers.codecs.base import Codec
from drivers.presence import Presence

SAME_VISIT = "same-visit"
"""`code` of a REPEATED for a tag that still lies there; `drivers.naming` keeps it from the table."""


class TagCodec(Codec):
    """A codec whose device names no cards, only tags.

    Attributes:
        hold_s: A tag not read for longer than this had gone away.
    """

    integrity: ClassVar[Integrity] = Integrity.NONE
    hold_s: ClassVar[float]

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self._presence = Presence(self.hold_s)

    def _tag(self, tag: str, time_s: float, note: str = "", seq: int | None = None) -> SourceEvent:
        self._good_line()
        is_new = self._presence.comes(tag, time_s)
        self.counters.repeats += not is_new
        return SourceEvent(
            EventKind.TAG_UNKNOWN if is_new else EventKind.REPEATED,
            self.source,
            time_s,
            seq=seq,
            code="" if is_new else SAME_VISIT,
            tag=tag,
            note=note,
            integrity=self.integrity,
        )
