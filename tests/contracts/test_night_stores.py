"""What every NightStore must do; run over all of them."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from assistant.ledger.accounts import Posting, Unbalanced, chips, money
from assistant.store.base import NO_HASH, BadEntry, Entry, NewEntry, NightStore, OtherCopy
from assistant.store.codec import CODEC_VERSION
from assistant.store.memory import MemoryNight
from assistant.store.sqlite import create_night, open_night

Opener = Callable[[], NightStore]
AT = datetime(2026, 11, 28, 20, 31, 5, 123456, tzinfo=timezone(timedelta(hours=3)))


def buy_in(key: str = "k1", amount: int = 100) -> NewEntry:
    postings = (chips("rack", -amount), chips("stack:p1", amount), money("owner:p1", -amount))
    return NewEntry(
        key, AT, "host", None, (), "buy", {"amount": amount}, (*postings, money("cashbox", amount))
    )


@pytest.fixture(params=["memory", "sqlite"])
def night(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[NightStore]:
    makers: dict[str, Opener] = {"memory": MemoryNight, "sqlite": lambda: create_night(tmp_path / "n.night")}
    with makers[request.param]() as store:
        yield store


def test_new_night_is_empty_and_sound(night: NightStore) -> None:
    assert night.head == (0, NO_HASH)
    assert list(night.entries()) == []
    assert (night.verify().ok, night.verify().entries) == (True, 0)


def test_entry_comes_back_as_it_was_given(night: NightStore) -> None:
    given = NewEntry(
        "k1",
        AT,
        "Анна",
        AT - timedelta(minutes=5),
        (),
        "buy",
        {"who": "Ёлка\n'\"", "n": [1, None, True, 0.5]},
    )
    kept = night.append(replace(given, postings=(chips("rack", -5), chips("stack:p1", 5))))
    expected = Entry(
        seq=1,
        key="k1",
        at=given.at,
        operator="Анна",
        said_at=given.said_at,
        reverses=(),
        kind="buy",
        body=given.body,
        postings=(Posting("rack", "C", -5), Posting("stack:p1", "C", 5)),
        version=CODEC_VERSION,
        prev=NO_HASH,
        hash=kept.hash,
    )
    assert [kept, *night.entries()] == [expected, expected]
    assert kept.at.utcoffset() == timedelta(hours=3)


def test_entries_form_a_chain(night: NightStore) -> None:
    first, second = night.append(buy_in("k1")), night.append(buy_in("k2"))
    assert (first.seq, second.seq, second.prev) == (1, 2, first.hash)
    assert len({first.hash, second.hash, NO_HASH}) == 3
    assert night.head == (2, second.hash)
    assert [night.hash_at(seq) for seq in (0, 1, 2, 3)] == [None, first.hash, second.hash, None]
    assert (night.verify().ok, night.verify().entries, night.verify().head) == (True, 2, second.hash)


def test_every_field_is_part_of_the_seal(tmp_path: Path) -> None:
    given = replace(buy_in(), reverses=())
    variants = [
        given,
        replace(given, key="other"),
        replace(given, at=AT + timedelta(microseconds=1)),
        replace(given, operator="guest"),
        replace(given, said_at=AT),
        replace(given, kind="cashout"),
        replace(given, body={"amount": 101}),
        replace(given, postings=given.postings[::-1]),
        replace(given, postings=()),
    ]
    assert len({MemoryNight().append(variant).hash for variant in variants}) == len(variants)


def test_same_key_again_returns_the_first_entry_and_writes_nothing(night: NightStore) -> None:
    first = night.append(buy_in("k1", 100))
    assert night.append(buy_in("k1", 100)) == first
    assert night.append(buy_in("k1", 250)) == first
    assert (night.head, len(list(night.entries()))) == ((1, first.hash), 1)


def test_entries_can_be_added_while_the_night_is_read(night: NightStore) -> None:
    night.append(buy_in("k1"))
    reading = night.entries()
    assert next(reading).seq == 1
    night.append(buy_in("k2"))
    assert list(reading) == []


def test_entry_without_postings_is_kept(night: NightStore) -> None:
    assert night.append(NewEntry("k1", AT, "", None, (), "note", {"text": ""})).postings == ()
    assert night.verify().ok


def test_reversal_names_earlier_entries_only(night: NightStore) -> None:
    night.append(buy_in("k1"))
    night.append(buy_in("k2"))
    assert night.append(replace(buy_in("k3"), reverses=(1, 2))).reverses == (1, 2)
    for wrong in (0, 4, 5, -1):
        with pytest.raises(BadEntry):
            night.append(replace(buy_in("k4"), reverses=(wrong,)))


@pytest.mark.parametrize(
    "postings",
    [
        (chips("rack", -5),),
        (chips("rack", -5), chips("pool", 4)),
        (chips("rack", -5), money("cashbox", 5)),
        (Posting("rack", "X", -5), Posting("pool", "X", 5)),
    ],
)
def test_unbalanced_entry_is_refused_and_nothing_is_written(
    night: NightStore, postings: tuple[Posting, ...]
) -> None:
    with pytest.raises(Unbalanced):
        night.append(replace(buy_in(), postings=postings))
    assert night.head == (0, NO_HASH)


@pytest.mark.parametrize(
    "change",
    [
        {"key": ""},
        {"key": "a\0b"},
        {"at": datetime(2026, 11, 28, 20, 31)},  # noqa: DTZ001 - that is the point
        {"at": "2026-11-28T20:31:00+03:00"},
        {"said_at": datetime(2026, 11, 28, 20, 31)},  # noqa: DTZ001
        {"operator": 7},
        {"kind": ""},
        {"body": {"x": float("nan")}},
        {"body": {"x": {1, 2}}},
        {"body": {"x": "\ud800"}},
        {"body": [1]},
        {"postings": (Posting("rack", "C", "-5"), Posting("pool", "C", "5"))},  # type: ignore[arg-type]
        {"postings": (Posting("rack", "C", -1.5), Posting("pool", "C", 1.5))},  # type: ignore[arg-type]
        {"postings": (Posting("rack", "C", True), Posting("pool", "C", -1))},
        {"postings": (Posting("rack", "C", -(2**53)), Posting("pool", "C", 2**53))},
        {"postings": (Posting("", "C", -5), Posting("pool", "C", 5))},
    ],
)
def test_what_has_no_lasting_form_is_refused_and_nothing_is_written(
    night: NightStore, change: dict[str, object]
) -> None:
    with pytest.raises(BadEntry):
        night.append(replace(buy_in(), **change))  # type: ignore[arg-type]
    assert night.head == (0, NO_HASH)
    assert night.append(buy_in()).seq == 1


def test_backup_is_a_night_with_the_same_head(night: NightStore, tmp_path: Path) -> None:
    for number in range(5):
        night.append(buy_in(f"k{number}"))
    copy_path = tmp_path / "stick" / "copy.night"
    copy_path.parent.mkdir()
    night.backup(copy_path)
    night.append(buy_in("later"))
    night.backup(copy_path)
    with open_night(copy_path) as copy:
        assert (copy.head, copy.verify().ok) == (night.head, True)
        assert list(copy.entries()) == list(night.entries())
        assert copy.append(buy_in("on the copy")).seq == 7
    assert [path.name for path in copy_path.parent.iterdir()] == ["copy.night"]


def test_backup_replaces_no_copy_that_holds_what_the_night_does_not(
    night: NightStore, tmp_path: Path
) -> None:
    """Another night of the same name from another house, this night told another way, or its end."""
    for number in range(3):
        night.append(buy_in(f"k{number}"))
    copy = tmp_path / "2026-11-28-1.night"
    night.backup(copy)
    with open_night(copy) as longer:
        longer.append(buy_in("k3"))
    ahead = copy.read_bytes()
    with pytest.raises(OtherCopy, match="has 4 entries, this night only the first 3 of them"):
        night.backup(copy)
    assert copy.read_bytes() == ahead
    night.append(buy_in("k4"))
    with pytest.raises(OtherCopy, match="tells this night in another way"):
        night.backup(copy)
    assert copy.read_bytes() == ahead
    other = MemoryNight()
    other.append(buy_in("other"))
    with pytest.raises(OtherCopy, match=r"holds another night \(4 entries\)"):
        other.backup(copy)
    assert copy.read_bytes() == ahead


def test_backup_says_of_a_damaged_copy_that_the_copy_is_damaged(night: NightStore, tmp_path: Path) -> None:
    """Said as of the night itself, the dealer would go looking for the latest backup of a sound night."""
    for number in range(200):
        night.append(buy_in(f"k{number}"))
    copy = tmp_path / "2026-11-28-1.night"
    night.backup(copy)
    damaged = copy.read_bytes()[: 4096 * 2] + b"\xff" * (copy.stat().st_size - 4096 * 2)
    copy.write_bytes(damaged)
    with pytest.raises(OtherCopy) as error:
        night.backup(copy)
    assert str(error.value).startswith(f"{copy} is damaged, and no backup is written over it.")
    assert error.value.hint == "It was left as it is; choose another folder, or a name: FOLDER/NAME.night."
    assert copy.read_bytes() == damaged


def test_both_stores_seal_alike(tmp_path: Path) -> None:
    with create_night(tmp_path / "n.night") as on_disk:
        in_memory = MemoryNight()
        for number in range(3):
            new = replace(buy_in(f"k{number}"), body={"b": 1, "a": ["Ж", number]})
            assert on_disk.append(new) == in_memory.append(new)


def test_closing_twice_does_nothing(night: NightStore) -> None:
    night.append(replace(buy_in(), at=datetime.now(UTC)))
    night.close()
    night.close()
