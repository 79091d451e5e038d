"""Each guard of the file refuses its attack, and the attack passes once that guard is taken away."""

import re
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from assistant.ledger.accounts import chips
from assistant.store.base import NewEntry
from assistant.store.night_file import make_file, settings
from assistant.store.sqlite import create_night, open_night

HASH = "f" * 64
ROW = "(seq, key, at, operator, said_at, reverses, version, kind, body, prev, hash)"


def values(seq: int, key: str, prev: str) -> str:
    return f"({seq}, '{key}', '2026', 'x', NULL, '[]', 1, 'x', '{{}}', '{prev}', '{HASH}')"


HEAD = "(SELECT hash FROM entry WHERE seq = 3)"
NEXT = f"INSERT INTO entry {ROW} SELECT 4, 'k4', '2026', 'x', NULL, '[]', 1, 'x', '{{}}', {HEAD}, '{HASH}'"
POSTING = "INSERT INTO posting (seq, line, account, commodity, amount) VALUES "

# attack: (guards that stand in its way, statements, what is said)
ATTACKS: dict[str, tuple[tuple[str, ...], tuple[str, ...], str]] = {
    "update an entry": (("entry_stays",), ("UPDATE entry SET kind = 'y' WHERE seq = 2",), "append-only"),
    "update a posting": (
        ("posting_stays",),
        ("UPDATE posting SET account = 'z' WHERE seq = 2",),
        "append-only",
    ),
    "upsert": (
        ("entry_stays", "entry_is_next", "entry_continues_chain"),
        (f"INSERT INTO entry {ROW} VALUES {values(3, 'k9', HASH)} ON CONFLICT DO UPDATE SET kind = 'y'",),
        "append-only|seq must be next|prev must be the seal before",
    ),
    "delete the last entry": (
        ("entry_remains", "posting_remains"),
        ("DELETE FROM posting WHERE seq = 3", "DELETE FROM entry WHERE seq = 3"),
        "append-only",
    ),
    "replace an entry by its number": (
        ("entry_is_next", "entry_remains", "entry_continues_chain"),
        (f"INSERT OR REPLACE INTO entry {ROW} VALUES {values(2, 'k9', HASH)}",),
        "seq must be next|prev must be",
    ),
    "replace an entry by its key": (
        ("PRAGMA recursive_triggers = ON", "PRAGMA foreign_keys = ON"),
        (NEXT.replace("INSERT", "INSERT OR REPLACE").replace("'k4'", "'k1'"),),
        "append-only|FOREIGN KEY",
    ),
    "leave a gap": (
        ("entry_is_next", "entry_continues_chain"),
        (f"INSERT INTO entry {ROW} VALUES {values(5, 'k5', '0' * 64)}",),
        "seq must be next|prev must be",
    ),
    "break the chain": (
        ("entry_continues_chain",),
        (f"INSERT INTO entry {ROW} VALUES {values(4, 'k4', HASH)}",),
        "prev must be the seal before",
    ),
    "add an unbalanced entry": (
        ("entry_is_balanced",),
        (POSTING + "(4, 1, 'rack', 'C', -5), (4, 2, 'rack', 'M', 5)", NEXT),
        "postings must sum to zero",
    ),
    "add a posting late": (
        ("posting_is_in_time",),
        (POSTING + "(2, 3, 'rack', 'C', -5)",),
        "entry is sealed",
    ),
    "add postings without an entry": (
        ("PRAGMA foreign_keys = ON",),
        (POSTING + "(9, 1, 'rack', 'C', -5)",),
        "FOREIGN KEY",
    ),
    "put text where an amount belongs": (
        ("STRICT",),
        (POSTING + "(4, 1, 'r', 'C', '5x')", NEXT),
        "cannot store TEXT",
    ),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A night of three entries."""
    path = tmp_path / "n.night"
    with create_night(path) as night:
        for number in (1, 2, 3):
            postings = (chips("rack", -5), chips("stack:p1", 5))
            night.append(NewEntry(f"k{number}", datetime.now(UTC), "host", None, (), "buy", {}, postings))
    return path


def attack(path: Path, statements: tuple[str, ...], without: tuple[str, ...] = ()) -> None:
    """Run SQL with the night's own settings but not its authorizer; some guards can be taken away first."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for guard in without:
            if not guard.startswith("PRAGMA"):
                connection.execute(f"DROP TRIGGER {guard}")
        for setting in settings(journal="WAL"):
            if setting not in without:
                connection.execute(setting)
        connection.execute("BEGIN IMMEDIATE")
        for statement in statements:
            connection.execute(statement)
        connection.execute("COMMIT")


TRIGGERS_AND_SETTINGS = {name: value for name, value in ATTACKS.items() if "STRICT" not in value[0][0]}


@pytest.mark.parametrize("name", ATTACKS)
def test_guards_refuse(path: Path, name: str) -> None:
    _guards, statements, message = ATTACKS[name]
    with pytest.raises(sqlite3.Error) as refused:
        attack(path, statements)
    assert re.search(message, str(refused.value))
    with open_night(path) as night:
        assert (night.verify().ok, night.head[0]) == (True, 3)


@pytest.mark.parametrize("name", TRIGGERS_AND_SETTINGS)
def test_attack_passes_without_its_guards_and_is_then_found(path: Path, name: str) -> None:
    """So each guard is needed, and what a tool without them does still shows."""
    guards, statements, _message = ATTACKS[name]
    attack(path, statements, without=guards)
    with open_night(path, read_only=True) as night:
        assert not night.verify().ok


@pytest.mark.parametrize(
    ("name", "guard"),
    [
        (name, guard)
        for name, value in TRIGGERS_AND_SETTINGS.items()
        if len(value[0]) == 1
        for guard in value[0]
    ],
)
def test_only_guard_against_an_attack(path: Path, name: str, guard: str) -> None:
    attack(path, ATTACKS[name][1], without=(guard,))


def test_every_trigger_and_setting_has_its_attack(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        triggers = {
            row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        }
    attacked = {guard for guards, _statements, _message in ATTACKS.values() for guard in guards}
    assert triggers <= attacked
    assert {"PRAGMA foreign_keys = ON", "PRAGMA recursive_triggers = ON"} <= attacked


def test_tables_are_strict(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        tables = connection.execute(
            "SELECT name, strict FROM pragma_table_list WHERE schema = 'main'"
        ).fetchall()
    assert dict(tables)["entry"] == dict(tables)["posting"] == 1


DENIED = (
    "UPDATE entry SET kind = 'y'",
    "DELETE FROM entry",
    "DELETE FROM posting",
    "DROP TRIGGER entry_stays",
    "DROP TABLE posting",
    "ALTER TABLE entry RENAME TO other",
    "ALTER TABLE entry ADD COLUMN extra TEXT",
    "CREATE TABLE extra (x)",
    "CREATE TRIGGER sly AFTER INSERT ON entry BEGIN SELECT 1; END",
    "CREATE TEMP TRIGGER sly AFTER INSERT ON entry BEGIN SELECT 1; END",
    "CREATE INDEX extra ON entry (kind)",
    "ATTACH ':memory:' AS other",
    "PRAGMA recursive_triggers = OFF",
    "PRAGMA foreign_keys = OFF",
    "PRAGMA synchronous = OFF",
    "PRAGMA writable_schema = ON",
    "PRAGMA user_version = 9",
    "INSERT INTO sqlite_master VALUES ('table', 'x', 'x', 0, '')",
    "VACUUM",
    "REINDEX",
    "SAVEPOINT x",
)


@pytest.mark.parametrize("statement", DENIED)
def test_programs_own_connection_may_only_add(path: Path, statement: str) -> None:
    with open_night(path) as night:
        with pytest.raises(
            sqlite3.DatabaseError, match=r"not authorized|may not be modified|prohibited|authorization denied"
        ):
            night._connection.execute(statement)
        assert night.verify().ok


@pytest.mark.parametrize("trigger", ["entry_stays", "entry_is_balanced", "posting_is_in_time"])
def test_missing_guard_is_found_by_verify(path: Path, trigger: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"DROP TRIGGER {trigger}")
    with open_night(path) as night:
        found = night.verify()
        assert (found.ok, found.first_bad, found.reason) == (False, None, "file")


EDITS = {
    "amount doubled": ("UPDATE posting SET amount = amount * 2 WHERE seq = 2", 2, "hash"),
    "account changed": ("UPDATE posting SET account = 'stack:p2' WHERE seq = 2 AND line = 2", 2, "hash"),
    "posting added": (POSTING + "(2, 3, 'pool', 'C', 0)", 2, "hash"),
    "body changed": ("UPDATE entry SET body = '{\"amount\":6}' WHERE seq = 2", 2, "hash"),
    "body reformatted": ("UPDATE entry SET body = '{ }' WHERE seq = 2", 2, "hash"),
    "time changed": ("UPDATE entry SET at = '2026-01-01T00:00:00+00:00' WHERE seq = 1", 1, "hash"),
    "entry removed": ("DELETE FROM entry WHERE seq = 2", 2, "gap"),
    "seal changed": (f"UPDATE entry SET hash = '{HASH}' WHERE seq = 3", 3, "hash"),
    "link changed": (f"UPDATE entry SET prev = '{HASH}' WHERE seq = 3", 3, "prev"),
}


@pytest.mark.parametrize("name", EDITS)
def test_edit_by_another_tool_is_found_at_its_entry(path: Path, name: str) -> None:
    """Scenario 24: the chain names the first bad entry."""
    statement, seq, reason = EDITS[name]
    with closing(sqlite3.connect(path)) as connection:
        sealed = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for trigger, _sql in sealed:
            connection.execute(f"DROP TRIGGER {trigger}")
        connection.execute(statement)
        for _trigger, sql in sealed:
            connection.execute(sql)
        connection.commit()
    with open_night(path) as night:
        found = night.verify()
    assert (found.ok, found.first_bad, found.reason) == (False, seq, reason)


def test_cut_tail_is_found_with_a_printed_slip_only(path: Path) -> None:
    """Scenario 24: without the slip the shorter chain is sound."""
    with open_night(path) as night:
        seq, head = night.head
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TRIGGER entry_remains")
        connection.execute("DROP TRIGGER posting_remains")
        connection.execute("DELETE FROM posting WHERE seq = 3")
        connection.execute("DELETE FROM entry WHERE seq = 3")
        connection.commit()
    with open_night(path) as night:
        assert night.hash_at(seq) is None
        assert night.hash_at(seq) != head


def test_make_file_leaves_a_sound_empty_night(tmp_path: Path) -> None:
    make_file(tmp_path / "m.night")
    with open_night(tmp_path / "m.night") as night:
        assert night.verify().ok
