"""The log of a night as text: one sealed entry a line, so that a night can be rebuilt from it.

Such a file is only ever added to. Its last line may be torn by a power cut and then counts for nothing; every
other line proves itself by its seal and the seal before it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from assistant.store.base import NO_HASH, Entry
from assistant.store.chain import Row, canonical_json

LOG_SUFFIX = ".jsonl"
_TEXT = ("key", "at", "operator", "kind", "prev", "hash")
_TAIL_BYTES = 1 << 16


class NotALine(ValueError):
    """A line of a log that holds no entry."""


def row_of(entry: Entry) -> Row:
    """Return the lasting form of an entry that was read from a store."""
    return Row(
        seq=entry.seq,
        key=entry.key,
        at=entry.at.isoformat(timespec="microseconds"),
        operator=entry.operator,
        said_at=None if entry.said_at is None else entry.said_at.isoformat(timespec="microseconds"),
        reverses=canonical_json(list(entry.reverses)),
        version=entry.version,
        kind=entry.kind,
        body=canonical_json(dict(entry.body)),
        prev=entry.prev,
        hash=entry.hash,
        postings=tuple((line.account, line.commodity, line.amount) for line in entry.postings),
    )


def line_of(row: Row) -> str:
    """Return an entry as one line of the log, without the line's end."""
    record = {
        "seq": row.seq,
        "key": row.key,
        "at": row.at,
        "operator": row.operator,
        "said_at": row.said_at,
        "kind": row.kind,
        "reverses": json.loads(row.reverses),
        "version": row.version,
        "body": json.loads(row.body),
        "postings": row.postings,
        "prev": row.prev,
        "hash": row.hash,
    }
    return canonical_json(record)


def read_line(line: str | bytes) -> Row:
    """Return the entry of a line; whether its seal is right is another question.

    Raises:
        NotALine: It holds none.
    """
    try:
        record = json.loads(line)
        texts = {name: record[name] for name in _TEXT}
        said_at, seq, version = record["said_at"], record["seq"], record["version"]
        postings = tuple((account, commodity, amount) for account, commodity, amount in record["postings"])
        reverses, body = canonical_json(record["reverses"]), canonical_json(record["body"])
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise NotALine(str(error)) from error
    is_text = all(isinstance(text, str) for text in (*texts.values(), *(said_at,) * (said_at is not None)))
    if not is_text or type(seq) is not int or type(version) is not int:
        raise NotALine("a field has the wrong type")
    return Row(
        seq=seq,
        said_at=said_at,
        reverses=reverses,
        version=version,
        body=body,
        postings=postings,
        **texts,
    )


def sound_rows(rows: Iterable[Row]) -> list[Row]:
    """Return the rows from the first on as far as each continues the chain."""
    kept: list[Row] = []
    head = NO_HASH
    for row in rows:
        if row.seq != len(kept) + 1 or row.prev != head or not row.is_sealed:
            break
        kept.append(row)
        head = row.hash
    return kept


def logs_of(folder: Path, name: str) -> list[Path]:
    """Return the logs in a folder that are called as a night is: ``NAME.jsonl``, then ``NAME_2.jsonl``."""
    return sorted({*folder.glob(f"{name}{LOG_SUFFIX}"), *folder.glob(f"{name}_*{LOG_SUFFIX}")})


def read_log(path: Path) -> list[Row]:
    """Return every entry that can be read from a log, in the order of the file; bad lines are left out.

    Raises:
        OSError: The file can't be read.
    """
    rows = []
    for line in _whole_lines(path.read_bytes()):
        try:
            rows.append(read_line(line))
        except NotALine:
            continue
    return rows


class Standing(Enum):
    """How a log stands to the night it should mirror."""

    MISSING = "missing"
    BEHIND = "behind"
    """It holds the night's first entries, or all of them."""
    AHEAD = "ahead"
    """It holds all of the night's entries, and more."""
    DIFFERS = "differs"
    """It begins as the night does and goes on in another way: one of the two was rewritten."""
    SPOILT = "spoilt"
    """It begins as the night does; then comes a line that is no entry."""
    FOREIGN = "foreign"
    """It is another night's, or no log."""


@dataclass(frozen=True, slots=True)
class Compared:
    """What a comparison found.

    Attributes:
        standing: How the log stands to the night.
        entries: Entries of the log that can be relied on; where it differs, those that are the same.
        size_bytes: Length of its whole lines; what follows is a torn one.
    """

    standing: Standing
    entries: int = 0
    size_bytes: int = 0


def compare(path: Path, rows: Sequence[Row]) -> Compared:
    """Compare a log with the night's entries; usually by its last line alone, for seals cover all before.

    Raises:
        OSError: The file can't be read.
    """
    try:
        size = path.stat().st_size
    except FileNotFoundError:
        return Compared(Standing.MISSING)
    with path.open("rb") as file:
        file.seek(max(0, size - _TAIL_BYTES))
        tail = file.read()
    end = tail.rfind(b"\n") + 1
    try:
        last = read_line(tail[tail.rfind(b"\n", 0, end - 1) + 1 : end]) if end else None
    except NotALine:
        last = None
    if last is not None and 0 < last.seq <= len(rows) and rows[last.seq - 1].hash == last.hash:
        return Compared(Standing.BEHIND, last.seq, size - len(tail) + end)
    return _compare_slowly(path, rows)


def _compare_slowly(path: Path, rows: Sequence[Row]) -> Compared:
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1
    found = sound_rows(read_log(path))
    same = sum(one.hash == other.hash for one, other in zip(found, rows, strict=False))
    if not found:
        return Compared(Standing.FOREIGN) if whole else Compared(Standing.BEHIND)
    if not same and rows:
        return Compared(Standing.FOREIGN)
    if same == len(rows) and len(found) > same:
        return Compared(Standing.AHEAD, len(found), whole)
    if same < len(found):
        return Compared(Standing.DIFFERS, same, whole)
    return Compared(Standing.SPOILT if same < data.count(b"\n") else Standing.BEHIND, same, whole)


def _whole_lines(data: bytes) -> list[bytes]:
    """The lines that have an end."""
    return data.split(b"\n")[:-1]
