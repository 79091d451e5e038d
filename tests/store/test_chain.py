"""The chain of seals: each way in which rows can be wrong, also with seals that fit."""

import hashlib
from datetime import UTC, datetime

import pytest

from assistant.ledger.accounts import chips
from assistant.store.base import NO_HASH, BadEntry, NewEntry, NightDamaged, Verification
from assistant.store.chain import Row, canonical_json, check_chain, read_row, read_sealed, seal_entry

AT = datetime(2026, 11, 28, 17, 31, tzinfo=UTC)


def rows(count: int = 3) -> list[Row]:
    found: list[Row] = []
    for seq in range(1, count + 1):
        postings = (chips("rack", -seq), chips("stack:p1", seq))
        new = NewEntry(f"k{seq}", AT, "host", None, (), "buy", {"amount": seq}, postings)
        found.append(seal_entry(new, seq, 1, found[-1].hash if found else NO_HASH))
    return found


def resealed(row: Row) -> Row:
    return row._replace(hash=row.seal())


def test_sound_rows() -> None:
    assert check_chain(rows()) == Verification(3, rows()[-1].hash, True)
    assert check_chain([]) == Verification(0, NO_HASH, True)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"seq": 3}, "gap"),
        ({"prev": NO_HASH}, "prev"),
        ({"body": '{"amount":9}'}, "hash"),
        ({"postings": (("rack", "C", -9), ("stack:p1", "C", 9))}, "hash"),
    ],
)
def test_changed_row_is_named(change: dict[str, object], reason: str) -> None:
    first, second, third = rows()
    found = check_chain([first, second._replace(**change), third])  # type: ignore[arg-type]
    assert (found.ok, found.first_bad, found.reason) == (False, 2, reason)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"body": "{"}, "unreadable"),
        ({"body": "[]"}, "unreadable"),
        ({"at": "yesterday"}, "unreadable"),
        ({"reverses": "5"}, "unreadable"),
        ({"body": b"{}"}, "unreadable"),
        ({"postings": (("rack", "C", -9), ("stack:p1", "C", 8))}, "unbalanced"),
        ({"postings": (("rack", "Z", -9), ("stack:p1", "Z", 9))}, "unbalanced"),
    ],
)
def test_row_that_was_sealed_anew_must_still_make_sense(change: dict[str, object], reason: str) -> None:
    first, second, _third = rows()
    changed = second._replace(**change)  # type: ignore[arg-type]
    if change.get("body") != b"{}":
        changed = resealed(changed)
    found = check_chain([first, changed])
    assert (found.ok, found.first_bad, found.reason) == (False, 2, reason)


@pytest.mark.parametrize(
    "change", [{"body": "[]"}, {"body": "{"}, {"at": ""}, {"said_at": "x"}, {"reverses": "5"}]
)
def test_unreadable_row_is_said_to_be_damaged_at_its_number(change: dict[str, object]) -> None:
    with pytest.raises(NightDamaged, match="at entry 2"):
        read_row(rows()[1]._replace(**change))  # type: ignore[arg-type]


def test_night_begun_anew_is_a_chain_of_its_own() -> None:
    """Why the head is printed on paper: a chain written anew from the start is sound in itself."""
    other = [resealed(rows(1)[0]._replace(operator="someone else"))]
    assert check_chain(other).ok
    assert check_chain(other).head != rows(1)[0].hash


def test_canonical_json_has_one_form() -> None:
    assert canonical_json({"b": [1, 0.5, None, True], "a": "Ж\n"}) == '{"a":"Ж\\n","b":[1,0.5,null,true]}'
    for wrong in (float("inf"), {1: 2, "a": 3}, object(), "\udc80"):
        with pytest.raises(BadEntry):
            canonical_json(wrong)


ODD = ["5", "x", True, False, 5.0, 1e22, float("inf"), None, [5], {}, b"5", 2**70, "\ud800"]


@pytest.mark.parametrize("odd", ODD, ids=repr)
@pytest.mark.parametrize("name", ["seq", "key", "said_at", "version", "body", "prev", "amount", "account"])
def test_what_is_read_from_a_hurt_file_is_sealed_as_it_always_was(name: str, odd: object) -> None:
    row = rows(1)[0]
    if name in ("amount", "account"):
        account, commodity, amount = row.postings[0]
        line = (odd, commodity, amount) if name == "account" else (account, commodity, odd)
        row = row._replace(postings=(line, row.postings[1]))  # type: ignore[arg-type]
    else:
        row = row._replace(**{name: odd})  # type: ignore[arg-type]
    header = [row.seq, row.key, row.at, row.operator, row.said_at, row.reverses]
    fields = [*header, row.version, row.kind, row.body, row.prev, row.postings]
    try:
        expected = hashlib.sha256(canonical_json(fields).encode()).hexdigest()
    except BadEntry:
        with pytest.raises(BadEntry):
            row.seal()
    else:
        assert row.seal() == expected


@pytest.mark.parametrize("amount", ["5", True, 5.0, None, [5]])
def test_line_with_an_amount_that_is_no_whole_number_is_passed_over(amount: object) -> None:
    row = rows(1)[0]
    header = [row.seq, row.key, row.at, row.operator, row.said_at, row.reverses]
    lines = [["rack", "C", amount], ["stack:p1", "C", amount]]
    text = canonical_json([*header, row.version, row.kind, row.body, row.prev, lines]).encode()
    assert read_sealed(text, hashlib.sha256(text).hexdigest()) is None
