"""What a night's store promises, the entries it keeps, and what can go wrong with it.

A night is a list of entries that only grows. Each entry has a header, a body, postings that sum to zero, and
a seal: the SHA-256 of all that and of the seal before it. The seal of the last entry is the night's head;
printed on paper it proves later that nothing was altered or cut off.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from assistant.errors import AssistantError
from assistant.i18n import _
from assistant.ledger.accounts import Posting

NO_HASH = "0" * 64


class StoreError(AssistantError):
    """A night could not be opened, read or written."""


class NightInUse(StoreError):
    """Another window has the night open.

    Attributes:
        pid: Its process id, None when unknown.
        host: Its computer; empty when unknown.
    """

    def __init__(self, name: str, pid: int | None = None, host: str = "") -> None:
        holder = _("process {pid} on {host}").format(pid=pid, host=host) if pid else _("another program")
        message = _("Night {name} is open in another window ({holder}).").format(name=name, holder=holder)
        super().__init__(message, _("Go on in that window, or close it first."))
        self.pid = pid
        self.host = host


class NoSuchNight(StoreError):
    """There is no night of that name."""


class NightTooNew(StoreError):
    """The night was written by a later version of the program."""


class ForeignFile(StoreError):
    """The file is a database of another program; it was left as it was."""


class NotANight(StoreError):
    """The file is empty or something else than a night; it was left as it was."""


class OtherCopy(StoreError):
    """A file that a copy should replace holds what this night doesn't; it was left as it was."""


class NightDamaged(StoreError):
    """The night's file is broken; it was left as it was."""


class NotWritable(StoreError):
    """The file or its folder cannot be written to."""


class NotSaved(StoreError):
    """The disk refused an entry; the night is as it was before it."""

    def __init__(self, message: str = "", hint: str = "") -> None:
        super().__init__(
            message or _("not saved - the disk reported an error"),
            hint or _("Check the disk and enter it again."),
        )


class DiskFull(NotSaved):
    """There was no room for an entry; the night is as it was before it."""

    def __init__(self) -> None:
        StoreError.__init__(self, _("not saved - disk full"), _("Free some space and enter it again."))


class FileGone(NotSaved):
    """The night's file was moved, deleted or put away while it was open: what is added to it nobody finds."""

    def __init__(self, name: str) -> None:
        message = _("not saved - the file of night {name} is gone from its folder").format(name=name)
        hint = _("Put it back (or its disk), or quit and start again; the entries before are in the copy.")
        super().__init__(message, hint)


class BadEntry(StoreError):
    """An entry can't be kept: a value JSON has no form for, a time without a zone, a huge amount."""


class UnknownEvent(StoreError):
    """An entry holds an event this program cannot read."""


@dataclass(frozen=True, slots=True)
class NewEntry:
    """An act of the dealer, ready to be kept.

    Attributes:
        key: Idempotency key, made when the act began; a second Enter or a retry with it changes nothing.
        at: When it was entered; with its zone.
        operator: Who entered it.
        said_at: When it happened at the table, where it was entered late.
        reverses: Sequence numbers of earlier entries that it takes back.
        kind: What it is, e.g. the table-talk verb; for readers of the log.
        body: JSON values only; numbers of money are whole.
        postings: What moves; chips and money each sum to zero. May be empty.
    """

    key: str
    at: datetime
    operator: str
    said_at: datetime | None
    reverses: tuple[int, ...]
    kind: str
    body: Mapping[str, object]
    postings: tuple[Posting, ...] = ()


class Entry(NamedTuple):
    """An entry as it was kept; the fields of `NewEntry` and its place in the chain.

    Attributes:
        seq: 1 for the first entry, without gaps.
        version: Codec version of the body.
        prev: Seal of the entry before, `NO_HASH` for the first.
        hash: SHA-256 over all other fields, 64 hex digits.
    """

    seq: int
    key: str
    at: datetime
    operator: str
    said_at: datetime | None
    reverses: tuple[int, ...]
    kind: str
    body: Mapping[str, object]
    postings: tuple[Posting, ...]
    version: int
    prev: str
    hash: str


@dataclass(frozen=True, slots=True)
class Verification:
    """What a check of the whole night found.

    Attributes:
        entries: Entries found.
        head: Seal of the last entry, `NO_HASH` where there is none.
        ok: Whether everything is as it was written.
        first_bad: The first entry that isn't, None when all are or when the file itself is broken.
        reason: Empty, or one of ``file`` (broken file, or its guards are gone), ``gap``, ``unreadable``,
            ``prev``, ``hash``, ``unbalanced``; beside a copy or a slip also ``cut`` (entries at the end are
            missing) and ``differs``.
    """

    entries: int
    head: str
    ok: bool
    first_bad: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class FolderWarning:
    """Something about a folder that the dealer should know before the first hand.

    Attributes:
        code: ``network`` or ``synced``.
        folder: The folder.
        detail: File system type, or the service that copies the folder elsewhere.
    """

    code: str
    folder: Path
    detail: str


@dataclass(frozen=True, slots=True)
class CopyState:
    """How the second copy of a night stands.

    Attributes:
        folder: Where it lies.
        behind: Entries booked that it doesn't have yet.
        backed_up: Entries of the last copy of the night's file that was made there.
        trouble: Why it can't be written; empty when it can.
        path: The copy's file.
    """

    folder: Path
    behind: int
    backed_up: int
    trouble: str
    path: Path


@dataclass(frozen=True, slots=True)
class Damage:
    """What is wrong with a night that can only be looked at.

    Attributes:
        name: The night.
        found: What the check found.
        left: Entries that prove each other, with those that only a copy has.
        in_file: How many of them the night's own file has.
        rest: Entries behind them that can be read but not proved.
        others: Entries that a copy tells in another way.
    """

    name: str
    found: Verification
    left: int
    in_file: int
    rest: int
    others: int


class NightStore(ABC):
    """An append-only night. Used from one thread, the one that opened it."""

    warnings: tuple[FolderWarning, ...] = ()
    damage: Damage | None = None

    @property
    def copy(self) -> CopyState | None:
        """How its second copy stands, None where there is none; may be asked from any thread."""
        return None

    def checkpoint(self) -> None:  # noqa: B027 - a store without a second copy has nothing to do
        """Hear that this is a moment worth a checked copy: a count, the end of the night."""

    @abstractmethod
    def append(self, new: NewEntry) -> Entry:
        """Keep an entry; once this returns a power cut cannot take it away.

        A key that was used before returns the entry it made then, and nothing is written.

        Raises:
            NotSaved: The disk refused it (`DiskFull`: for want of room); nothing has changed.
            NotWritable: The night was opened for reading, or its folder no longer lets us write.
            Unbalanced: The postings make or lose chips or money.
            BadEntry: The entry has no lasting form.
        """

    @abstractmethod
    def entries(self) -> Iterator[Entry]:
        """Yield all entries in order.

        Raises:
            NightDamaged: The file or an entry can't be read.
        """

    @property
    @abstractmethod
    def head(self) -> tuple[int, str]:
        """Sequence number and seal of the last entry; (0, `NO_HASH`) for an empty night."""

    @abstractmethod
    def hash_at(self, seq: int) -> str | None:
        """Return the seal of an entry, None where there is none (a slip that names it shows a cut tail)."""

    @abstractmethod
    def verify(self) -> Verification:
        """Check every entry from the first to the last."""

    @abstractmethod
    def backup(self, path: Path) -> None:
        """Write a checked copy to `path`, replacing an older one only once the copy is proved good.

        Raises:
            OtherCopy: What lies there holds entries that this night doesn't.
            StoreError: No copy was made.
        """

    @abstractmethod
    def close(self) -> None:
        """Give the night back; closing twice does nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
