"""The lasting form of an entry, the same in every store, and the chain of seals over it.

A row holds text and whole numbers only, exactly as they are stored, so that the seal covers what lies on the
disk and not what some later version reads out of it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from json.encoder import encode_basestring as _quoted
from typing import NamedTuple

from assistant.errors import AssistantError
from assistant.i18n import _
from assistant.ledger.accounts import Posting, check_balanced
from assistant.store.base import NO_HASH, BadEntry, Entry, NewEntry, NightDamaged, StoreError, Verification

MAX_AMOUNT = 2**53
"""No posting reaches it: far over any night, far under what a 64-bit sum overflows at."""
_WRITER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
_IN_C = getattr(json.encoder, "c_make_encoder", None)
_MADE = _IN_C and _IN_C(None, _WRITER.default, _quoted, None, ":", ",", True, False, False)
"""The encoder that `JSONEncoder.encode` makes anew for each value; None where Python has none in C."""
_READ = json.JSONDecoder().raw_decode
_NONE_REVERSED = "[]"


class Row(NamedTuple):
    """An entry in the form it is kept and sealed in: text and whole numbers only."""

    seq: int
    key: str
    at: str
    operator: str
    said_at: str | None
    reverses: str
    version: int
    kind: str
    body: str
    prev: str
    hash: str = ""
    postings: tuple[tuple[str, str, int], ...] = ()

    def seal(self) -> str:
        """Return the SHA-256 of everything but the seal itself."""
        header = (self.seq, self.key, self.at, self.operator, self.said_at, self.reverses)
        text = _sealed_bytes(*header, self.version, self.kind, self.body, self.prev, self.postings)
        return hashlib.sha256(text).hexdigest()

    @property
    def is_sealed(self) -> bool:
        """Whether the entry is as it was sealed."""
        try:
            return self.seal() == self.hash
        except BadEntry:
            return False


def _write_json(value: object) -> str:
    return _WRITER.encode(value) if _MADE is None or isinstance(value, str) else "".join(_MADE(value, 0))


def canonical_json(value: object) -> str:
    """Return the one way to write a JSON value: sorted names, no blanks, no NaN.

    Raises:
        BadEntry: JSON has no form for it.
    """
    try:
        text = _write_json(value)
        text.encode("utf-8")  # what has no bytes isn't kept
    except (TypeError, ValueError, RecursionError) as error:
        raise _no_json(error) from error
    return text


def seal_entry(new: NewEntry, seq: int, version: int, prev: str) -> Row:
    """Return the lasting form of an entry at its place in the chain.

    Raises:
        BadEntry: A field has no lasting form.
        Unbalanced: The postings make or lose chips or money.
    """
    return sealed(new, seq, version, prev)[0]


def sealed(new: NewEntry, seq: int, version: int, prev: str) -> tuple[Row, bytes]:
    """Return what `seal_entry` does, and the bytes that were sealed.

    Raises:
        BadEntry: A field has no lasting form.
        Unbalanced: The postings make or lose chips or money.
    """
    postings = tuple([_plain_posting(posting) for posting in new.postings])
    check_balanced(new.postings)
    for seq_back in new.reverses:
        _check_int("reverses", seq_back)
        if not 0 < seq_back < seq:
            raise BadEntry(f"Entry {seq} cannot reverse entry {seq_back}; only earlier ones can be reversed.")
    key, kind = _text("key", new.key), _text("kind", new.kind)
    operator = _text("operator", new.operator, may_be_empty=True)
    at = _moment("at", new.at)
    said_at = None if new.said_at is None else _moment("said_at", new.said_at)
    reverses = canonical_json(list(new.reverses)) if new.reverses else _NONE_REVERSED
    try:
        body = _write_json(_body(new.body))  # whether it has bytes, the whole is asked below
    except (TypeError, ValueError, RecursionError) as error:
        raise _no_json(error) from error
    header = (seq, key, at, operator, said_at, reverses, version, kind, body, prev)
    text = _sealed_bytes(*header, postings)
    return Row(*header, hashlib.sha256(text).hexdigest(), postings), text


def read_sealed(text: bytes, seal: str) -> Row | None:
    """Return the row that bytes were sealed of; None where they are of none, or the seal isn't theirs."""
    try:
        *header, lines = json.loads(text)
        seq, key, at, operator, said_at, reverses, version, kind, body, prev = header
        postings = tuple((account, commodity, amount) for account, commodity, amount in lines)
    except (ValueError, TypeError, RecursionError):
        return None
    numbers = (seq, version, *(amount for _, _, amount in postings))
    texts = (
        key,
        at,
        operator,
        said_at or "",
        reverses,
        kind,
        body,
        prev,
        *(name for line in postings for name in line[:2]),
    )
    if not all(type(number) is int and abs(number) < MAX_AMOUNT for number in numbers):
        return None
    if not all(isinstance(one, str) for one in texts):
        return None
    row = Row(seq, key, at, operator, said_at, reverses, version, kind, body, prev, seal, postings)
    return row if row.is_sealed else None


def read_row(row: Row, postings: tuple[Posting, ...] | None = None) -> Entry:
    """Return the entry of a lasting form.

    Args:
        row: The lasting form.
        postings: Its own, where they are at hand.

    Raises:
        NightDamaged: It isn't one.
    """
    try:
        body, end = _READ(row.body)
        reverses = (
            ()
            if row.reverses == _NONE_REVERSED
            else tuple(int(number) for number in json.loads(row.reverses))
        )
        at = datetime.fromisoformat(row.at)
        said_at = None if row.said_at is None else datetime.fromisoformat(row.said_at)
    except (ValueError, TypeError) as error:
        raise damaged(row.seq) from error
    if not isinstance(body, dict) or end != len(row.body):
        raise damaged(row.seq)
    if postings is None:
        postings = tuple(map(Posting._make, row.postings))
    return Entry(
        row.seq,
        row.key,
        at,
        row.operator,
        said_at,
        reverses,
        row.kind,
        body,
        postings,
        row.version,
        row.prev,
        row.hash,
    )


def check_chain(rows: Iterable[Row], sound: list[Entry] | None = None) -> Verification:
    """Check rows in the order of the night: numbers, seals, balance and readability.

    Args:
        rows: The night.
        sound: Takes the entries that were read on the way, up to the first bad one.
    """
    seq, head = 0, NO_HASH
    for row in rows:
        seq += 1
        found = _what_is_wrong(row, seq, head)
        if isinstance(found, str):
            return Verification(seq, row.hash, False, seq, found)
        if sound is not None:
            sound.append(found)
        head = row.hash
    return Verification(seq, head, True)


def damaged(seq: int) -> NightDamaged:
    """Return the error for an entry that can't be read."""
    message = _("The night's file is damaged at entry {seq}.").format(seq=seq)
    return NightDamaged(message, _("Take the latest backup; nothing was changed here."))


def _what_is_wrong(row: Row, seq: int, prev: str) -> str | Entry:
    """Return what is wrong with a row, or the entry it holds."""
    if row.seq != seq:
        return "gap"
    if row.prev != prev:
        return "prev"
    try:
        if row.seal() != row.hash:
            return "hash"
        entry = read_row(row)
        check_balanced(entry.postings)
    except StoreError:
        return "unreadable"
    except AssistantError:
        return "unbalanced"
    return entry


def _sealed_bytes(
    seq: int,
    key: str,
    at: str,
    operator: str,
    said_at: str | None,
    reverses: str,
    version: int,
    kind: str,
    body: str,
    prev: str,
    postings: tuple[tuple[str, str, int], ...],
) -> bytes:
    """Return what the seal covers: the canonical JSON of all fields but the seal itself, in their order.

    Written by hand: every entry waits for it, and all of a night are sealed again when it is opened. What a
    hurt or foreign file holds instead of text and whole numbers is left to the slower way.
    """
    q = _quoted
    try:
        lines = ",".join(
            [
                f"[{q(account)},{q(commodity)},{amount if type(amount) is int else _number(amount)}]"
                for account, commodity, amount in postings
            ]
        )
        late = "null" if said_at is None else q(said_at)
        first = seq if type(seq) is int else _number(seq)
        entered = f"{first},{q(key)},{q(at)},{q(operator)},{late},{q(reverses)}"
        codec = version if type(version) is int else _number(version)
        return f"[{entered},{codec},{q(kind)},{q(body)},{q(prev)},[{lines}]]".encode()
    except TypeError:
        header = (seq, key, at, operator, said_at, reverses, version, kind, body, prev)
        return canonical_json((*header, postings)).encode()
    except ValueError as error:
        raise _no_json(error) from error


def _number(value: object) -> str:
    raise TypeError(f"{value!r} is no whole number")


def _no_json(error: Exception) -> BadEntry:
    return BadEntry(f"An entry cannot be written as JSON: {error}.")


def _body(body: object) -> object:
    if type(body) is dict:
        return body
    if not isinstance(body, Mapping):
        raise BadEntry(f"The body of an entry is a {type(body).__name__}; it must be a mapping.")
    return dict(body)


def _text(name: str, value: object, *, may_be_empty: bool = False) -> str:
    """Refuse what a typed database would silently turn into text, or cut at a NUL."""
    if not isinstance(value, str) or "\0" in value or not (value or may_be_empty):
        raise BadEntry(f"{name} of an entry is {value!r}; it must be text.")
    return value


def _moment(name: str, value: object) -> str:
    if not isinstance(value, datetime) or value.utcoffset() is None:
        raise BadEntry(f"{name} of an entry is {value!r}; it must be a time with its zone.")
    return value.isoformat(timespec="microseconds")


def _check_int(name: str, value: object) -> None:
    if type(value) is not int or not -MAX_AMOUNT < value < MAX_AMOUNT:
        raise BadEntry(f"{name} of an entry is {value!r}; it must be a whole number below 2^53.")


def _plain_posting(posting: Posting) -> tuple[str, str, int]:
    _check_int("amount", posting.amount)
    return _text("account", posting.account), posting.commodity, posting.amount
