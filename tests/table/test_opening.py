"""Which night is opened, and how: sound, damaged, cut off, with its copy, from the house's own settings."""

import shutil
import sqlite3
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from assistant.cli import main
from assistant.config import House, house_folder
from assistant.errors import AssistantError
from assistant.store.base import ForeignFile, NightDamaged, NightTooNew, NotANight
from assistant.store.log_file import read_log
from assistant.store.mirror import Mirror
from assistant.store.nights import prepare, start_night
from assistant.store.salvage import Trust, TwoWays
from assistant.store.sqlite import open_night
from assistant.table.night_book import night_book
from assistant.table.opening import open_tonight, recover_night
from assistant.table.settling import settlement_slip

LINES = (
    "game red-dog-pool ante=5 hand=3",
    "seat Anna 100",
    "seat Boris 100",
    "round",
    "dealt",
    "bet Boris 5",
)


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path / "house")


@pytest.fixture
def path(house: House) -> Path:
    """A night in the middle of a round, with its copy."""
    session = open_tonight(house)
    for line in LINES:
        assert session.submit(line).accepted, line
    session.close()
    return house.nights / f"{session.name}.night"


def alter(path: Path, old: bytes = b"seat Anna 100", new: bytes = b"seat Anna 900") -> None:
    data = path.read_bytes()
    assert data.count(old) == 1
    path.write_bytes(data.replace(old, new))


def cut(path: Path, keep: int) -> None:
    with closing(sqlite3.connect(path)) as connection:
        triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _sql in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("DELETE FROM posting WHERE seq > ?", (keep,))
        connection.execute("DELETE FROM entry WHERE seq > ?", (keep,))
        for _name, sql in triggers:
            connection.execute(sql)
        connection.commit()


def test_night_goes_on_where_it_was_and_is_copied(house: House, path: Path) -> None:
    session = open_tonight(house)
    assert (session.snapshot.entries, session.damage) == (6, None)
    assert session.copy is not None
    session.submit("note hello")
    session.close()
    assert [row.seq for row in read_log(house.copies / f"{path.stem}.jsonl")] == [1, 2, 3, 4, 5, 6, 7]
    with open_night(house.copies / path.name) as copy:
        assert copy.verify().entries == 7


@pytest.mark.parametrize("line", ["count Boris 90", "note hello"])
def test_count_has_the_whole_night_copied_and_checked_at_once(
    house: House, path: Path, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And nothing else has: a note is only added to the log beside the night."""
    weighed: list[int] = []
    back_up = Mirror._back_up

    def backing_up(mirror: Mirror) -> None:
        entries = len(mirror._rows)
        back_up(mirror)
        weighed.append(entries)

    monkeypatch.setattr(Mirror, "_back_up", backing_up)
    session = open_tonight(house)
    assert session.copy is not None
    session.submit("void")
    session.submit(line)
    wanted = 8 if line.startswith("count") else 0
    end = time.monotonic() + 20
    while (8 not in weighed or session.copy.backed_up < wanted) and time.monotonic() < end:
        time.sleep(0.01)
    assert 8 in weighed  # with all entries there it was decided whether the night is copied
    assert session.copy.backed_up == wanted
    session.close()
    assert path.exists()


def test_altered_night_is_opened_for_reading_with_what_the_copy_has(house: House, path: Path) -> None:
    """Scenario 24."""
    alter(path)
    before = path.read_bytes()
    session = open_tonight(house)
    damage = session.damage
    assert damage is not None
    assert (damage.found.first_bad, damage.left, damage.in_file, damage.others) == (2, 6, 5, 0)
    refused = session.submit("note hello")
    assert (refused.accepted, refused.code) == (False, "NOT_SAVED")
    assert "open for reading only" in refused.message
    assert "NOT VERIFIED" in session.slip(80)
    assert session.snapshot.seats[0].stack == 95
    session.close()
    assert path.read_bytes() == before


def test_recovered_night_goes_on_in_the_same_round(house: House, path: Path) -> None:
    alter(path)
    assert recover_night(house, path.stem).entries == 6
    session = open_tonight(house)
    assert (session.damage, session.snapshot.in_round, session.snapshot.entries) == (None, True, 6)
    assert "NOT VERIFIED" not in session.slip(80)
    session.close()


def test_cut_off_end_is_found_without_a_slip_and_brought_back(house: House, path: Path) -> None:
    """The chain of the shorter file is sound; only its copy knows better."""
    cut(path, 4)
    with open_night(path, read_only=True) as night:
        assert night.verify().ok
    session = open_tonight(house)
    damage = session.damage
    assert damage is not None
    assert (damage.found.reason, damage.found.first_bad, damage.left) == ("cut", 5, 6)
    session.close()
    recover_night(house, path.stem)
    session = open_tonight(house)
    assert (session.damage, session.snapshot.entries) == (None, 6)
    session.close()


@pytest.mark.parametrize("trust", [Trust.FILE, Trust.COPY])
def test_rewritten_night_is_found_by_its_copy_and_the_table_chooses(
    house: House, path: Path, trust: Trust, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every seal of the new chain is right, and it is longer; it is not the one that was copied."""
    cut(path, 4)
    aside = house.copies.rename(house.folder / "aside")
    session = open_tonight(house)
    for line in ("note forged", "note too", "note long"):
        session.submit(line)
    session.close()
    shutil.rmtree(house.copies)
    aside.rename(house.copies)
    session = open_tonight(house)
    damage = session.damage
    assert damage is not None
    assert (damage.found.reason, damage.found.first_bad) == ("differs", 5)
    assert (damage.left, damage.others) == (7, 2)
    session.close()
    with pytest.raises(TwoWays, match="differ in 2 entries"):
        recover_night(house, path.stem)
    recover = ["recover", path.stem, "--house", str(house.folder)]
    assert main(recover) == 4
    said = capsys.readouterr().err
    assert "--trust file, or --trust copy" in said
    assert "To do it" not in said  # as it was typed it would be refused
    assert main([*recover, "--trust", trust.value]) == 4
    assert capsys.readouterr().err.rstrip().endswith(f"recover {path.stem} --trust {trust.value} --yes")
    if trust is Trust.FILE:
        entries, last = 7, "note long"
    else:
        entries, last = 6, "bet Boris 5"
    assert recover_night(house, path.stem, trust).entries == entries
    session = open_tonight(house)
    assert (session.damage, session.snapshot.log[-1].text) == (None, last)
    session.close()


def test_night_after_one_that_was_deleted_is_sound_and_has_a_name_of_its_own(
    house: House, path: Path
) -> None:
    path.unlink()
    session = open_tonight(house)
    assert session.name.endswith("-2")
    session.close()
    session = open_tonight(house)
    assert (session.damage, session.snapshot.entries) == (None, 0)
    session.close()


def test_cut_off_end_is_found_by_the_second_copy_where_another_night_has_the_first(
    house: House, path: Path, tmp_path: Path
) -> None:
    """An older file that is put back is never played on: its copy would fork."""
    other = open_tonight(House(tmp_path / "other"))
    other.submit("seat Vera 50")
    other.close()
    first = house.copies / f"{path.stem}.jsonl"
    first.rename(house.copies / f"{path.stem}_2.jsonl")
    shutil.copy(tmp_path / "other" / "copies" / f"{other.name}.jsonl", first)
    (house.copies / path.name).unlink()
    session = open_tonight(house)
    assert (session.damage, session.snapshot.entries) == (None, 6)
    session.close()
    cut(path, 4)
    session = open_tonight(house)
    assert session.damage is not None
    assert (session.damage.found.reason, session.damage.found.first_bad, session.damage.left) == ("cut", 5, 6)
    session.close()
    assert not (house.copies / f"{path.stem}_3.jsonl").exists()


@pytest.mark.parametrize("content", [b"", b"garbage" * 1000])
def test_destroyed_file_is_read_from_its_copy(house: House, path: Path, content: bytes) -> None:
    path.write_bytes(content)
    session = open_tonight(house)
    assert session.damage is not None
    assert (session.damage.left, session.damage.in_file) == (6, 0)
    session.close()
    assert path.read_bytes() == content


def test_destroyed_file_without_a_copy_says_so(house: House, path: Path) -> None:
    shutil.rmtree(house.copies)
    whole = path.read_bytes()
    path.write_bytes(b"garbage" * 1000)
    with pytest.raises(NotANight, match="is not a night's file"):
        open_tonight(house)
    path.write_bytes(b"")
    with pytest.raises(NotANight, match="is empty"):
        open_tonight(house)
    path.write_bytes(b"SQLite format 3\0" + whole[16:100] + b"\xff" * 8000)
    with pytest.raises(NightDamaged, match="is damaged"):
        open_tonight(house)


def test_altered_night_without_a_copy_shows_what_comes_before(house: House, path: Path) -> None:
    shutil.rmtree(house.copies)
    alter(path)
    session = open_tonight(house)
    assert session.damage is not None
    assert (session.damage.left, session.damage.rest) == (1, 5)
    session.close()


def test_other_programs_file_and_newer_night_are_refused_by_what_they_are(house: House, path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 9")
    with pytest.raises(NightTooNew, match="newer version"):
        open_tonight(house)
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE songs (name)")
    with pytest.raises(ForeignFile, match="another program"):
        open_tonight(house)


def test_new_night_can_begin_beside_a_damaged_one(house: House, path: Path) -> None:
    alter(path)
    session = open_tonight(house, new=True)
    assert (session.damage, session.snapshot.entries) == (None, 0)
    assert session.name != path.stem
    session.close()


# --- the folder of the copies -------------------------------------------------------------------------------


def test_copies_lie_where_house_toml_or_the_command_line_says(tmp_path: Path) -> None:
    assert house_folder(tmp_path).copies == tmp_path / "copies"
    (tmp_path / "house.toml").write_text('copies = "stick"\n')
    assert house_folder(tmp_path).copies == tmp_path / "stick"
    assert house_folder(tmp_path, tmp_path / "other").copies == tmp_path / "other"


def test_copies_do_not_lie_among_the_nights_of_any_house(tmp_path: Path) -> None:
    """There the copy's file would have the night's own name, and put the night itself aside."""
    own, other = prepare(House(tmp_path / "own")), prepare(House(tmp_path / "other"))
    for nights in (own.nights, other.nights):
        with pytest.raises(AssistantError, match="can't lie among the nights of a house"):
            house_folder(own.folder, nights)
    (own.folder / "house.toml").write_text('copies = "nights"\n')
    with pytest.raises(AssistantError, match="can't lie among the nights of a house"):
        house_folder(own.folder)


@pytest.mark.parametrize("text", ["copies = 5", 'copies = ""', "copies = ", "\x00", 'copies = "a\\u0000"'])
def test_wrong_house_toml_is_named_with_what_to_write(tmp_path: Path, text: str) -> None:
    (tmp_path / "house.toml").write_text(text)
    with pytest.raises(AssistantError, match=r"house\.toml"):
        house_folder(tmp_path)


def test_new_night_says_what_pool_the_one_before_left_until_the_first_round(house: House) -> None:
    """The pool was forgotten: nothing asked for it, and the antes of the first round made another one."""
    pool = ("game red-dog-pool", "seat Anna 50", "seat Boris 50")
    first = open_tonight(house)
    for line in (*pool, "round", "dealt", "fold Boris", "fold Anna", "close pool=carry"):
        assert first.submit(line).accepted, line
    first.close()
    reminder = f"Night {first.name} left a pool of 20: “carry 20” brings it in, in a game with a pool."
    second = open_tonight(house)
    assert second.warnings[0] == reminder
    assert [second.submit(line).snapshot.reminder for line in pool] == ["", "", reminder]
    second.close()
    again = open_tonight(house)  # the program was restarted before anything was played
    to_pay = f"Night {first.name}: 20 is still to be paid. To go on with it: tableside --night {first.name}"
    assert (again.name, again.warnings) == (second.name, (reminder, to_pay))
    assert again.snapshot.reminder == reminder
    assert again.submit("carry 20").snapshot.reminder == ""
    assert again.warnings == (to_pay,)
    assert again.submit("round").accepted
    assert not again.warnings
    again.close()


def test_a_pool_that_is_left_aside_is_not_asked_for_once_a_round_is_open(house: House) -> None:
    pool = ("game red-dog-pool", "seat Anna 50", "seat Boris 50")
    first = open_tonight(house)
    for line in (*pool, "round", "dealt", "fold Boris", "fold Anna", "close pool=carry"):
        assert first.submit(line).accepted, line
    first.close()
    second = open_tonight(house)
    reminders = [bool(second.submit(line).snapshot.reminder) for line in (*pool, "round", "dealt", "undo 2")]
    assert reminders == [False, False, True, False, False, True]
    second.close()


def test_new_night_says_what_the_one_before_left_to_be_paid(house: House) -> None:
    first = open_tonight(house)
    for line in ("night N currency=EUR", "seat Anna 50", "seat Boris 50", "expense Anna 53.76", "close"):
        assert first.submit(line).accepted, line
    first.close()
    second = open_tonight(house)
    assert second.warnings == (
        f"Night {first.name}: 26.88 is still to be paid. To go on with it: tableside --night {first.name}",
    )
    second.close()
    looked_in_again = open_tonight(house)
    assert (looked_in_again.name, looked_in_again.warnings) == (second.name, second.warnings)
    for line in ("game red-dog-pool", "seat Anna 50", "seat Boris 50", "round"):
        assert looked_in_again.submit(line).accepted, line
    assert looked_in_again.warnings == ()
    looked_in_again.close()
    begun = open_tonight(house)
    assert begun.warnings == ()
    begun.close()
    (house.nights / f"{second.name}.night").unlink()
    again = open_tonight(house, night=first.name)
    assert again.submit("pay 1").accepted
    again.close()
    third = open_tonight(house)
    assert third.warnings == ()
    third.close()


def test_a_night_that_was_left_in_a_round_is_spoken_of_when_a_later_one_is_opened(
    house: House, path: Path
) -> None:
    """``--new`` leaves it, and every start after that until it is closed goes to the later one."""
    left = (
        f"Night {path.stem} is in the middle of round 1. To go on with it: tableside --night {path.stem}",
    )
    for new in (True, False):
        later = open_tonight(house, new=new)
        assert (later.name != path.stem, later.warnings) == (True, left)
        later.close()
    later = open_tonight(house)
    assert later.submit("close").accepted
    later.close()
    third = open_tonight(house)
    assert third.warnings == left
    third.close()
    old = open_tonight(house, night=path.stem)
    assert old.submit("void").accepted
    old.close()
    third = open_tonight(house)
    assert third.warnings == (
        f"Night {path.stem} was not closed. To go on with it: tableside --night {path.stem}",
    )
    third.close()
    old = open_tonight(house, night=path.stem)
    assert old.submit("close").accepted
    old.close()
    third = open_tonight(house)
    assert third.warnings == ()
    third.close()


def test_a_night_that_another_window_has_is_not_spoken_of(house: House, path: Path) -> None:
    other = open_tonight(house)
    assert other.name == path.stem
    later = open_tonight(house, new=True)
    assert later.warnings == ()
    later.close()
    other.close()


# --- a night in which nothing has begun -------------------------------------------------------------------

FRIDAY = datetime(2026, 11, 27, 20, 0, tzinfo=UTC)
MONDAY = datetime(2026, 11, 30, 19, 30, tzinfo=UTC)


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_night_that_was_only_looked_at_is_dated_by_the_day_it_begins(house: House) -> None:
    """Looking in on Friday gave Monday's evening Friday's date."""
    open_tonight(house, clock=lambda: FRIDAY).close()
    session = open_tonight(house, clock=lambda: MONDAY)
    assert (session.name, session.damage) == ("2026-11-30-1", None)
    assert session.submit("seat Anna 100").accepted
    session.close()
    assert names_in(house.nights) == ["2026-11-30-1.night"]
    assert open_tonight(house, clock=lambda: MONDAY + timedelta(days=1)).name == "2026-11-30-1"


@pytest.mark.parametrize("left", ["2026-11-30-1.night-wal", "2026-11-30-1.night-entries"])
def test_night_is_not_dated_by_a_day_of_which_another_night_was_left(house: House, left: str) -> None:
    """What a deleted night left beside its name would be played into the one that gets it."""
    open_tonight(house, clock=lambda: FRIDAY).close()
    (house.nights / left).write_bytes(b"of a night whose file was deleted")
    session = open_tonight(house, clock=lambda: MONDAY)
    assert (session.name, session.damage) == ("2026-11-27-1", None)
    session.close()
    assert (house.nights / left).read_bytes() == b"of a night whose file was deleted"


def test_copies_under_the_first_date_stay_whoevers_they_are(house: House) -> None:
    session = open_tonight(house, clock=lambda: FRIDAY)
    assert session.submit("note nobody is here").accepted
    session.close()
    before = {name: (house.copies / name).read_bytes() for name in names_in(house.copies)}
    open_tonight(house, clock=lambda: MONDAY).close()
    assert {name: (house.copies / name).read_bytes() for name in before} == before


def test_what_was_typed_before_anybody_sat_comes_along_to_the_day_the_night_begins(house: House) -> None:
    typed = ('night "At Anna\'s" currency=EUR', "game red-dog-pool ante=2", "note Boris comes late")
    session = open_tonight(house, clock=lambda: FRIDAY)
    for line in (*typed, "seat Anna 100", "undo"):
        assert session.submit(line).accepted, line
    session.close()
    session = open_tonight(house, clock=lambda: MONDAY)
    assert session.name == "2026-11-30-1"
    assert [step.line for step in session.log.log] == [*typed, "seat Anna 100", "undo"]
    assert session.submit("seat Boris 50").accepted
    assert (settlement_slip(session.log, session.name).opened, night_book(session.log, session.name).day) == (
        "19:30",
        MONDAY.date(),
    )
    session.close()
    assert names_in(house.nights) == ["2026-11-30-1.night"]
    assert {"2026-11-30-1.night", "2026-11-30-1.jsonl"} <= set(names_in(house.copies))
    again = open_tonight(house, clock=lambda: MONDAY)
    assert (again.damage, again.snapshot.entries) == (None, 6)
    again.close()


def test_night_at_which_somebody_sits_keeps_its_date(house: House) -> None:
    session = open_tonight(house, clock=lambda: FRIDAY)
    assert session.submit("seat Anna").accepted
    session.close()
    session = open_tonight(house, clock=lambda: MONDAY)
    assert session.name == "2026-11-27-1"
    session.close()


def test_night_that_is_asked_for_by_name_keeps_its_name(house: House) -> None:
    open_tonight(house, clock=lambda: FRIDAY).close()
    session = open_tonight(house, night="2026-11-27-1", clock=lambda: MONDAY)
    assert session.name == "2026-11-27-1"
    session.close()


def test_empty_night_that_cannot_be_moved_is_played_under_its_old_date(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_tonight(house, clock=lambda: FRIDAY).close()

    def refuse(_path: Path, _to: Path) -> None:
        raise PermissionError("read-only")

    monkeypatch.setattr("assistant.store.nights.os.link", refuse)
    session = open_tonight(house, clock=lambda: MONDAY)
    assert (session.name, session.submit("seat Anna 100").accepted) == ("2026-11-27-1", True)
    session.close()


def test_empty_night_does_not_take_the_name_of_a_night_of_that_day(house: House) -> None:
    first = open_tonight(house, clock=lambda: MONDAY)
    for line in ("seat Anna 50", "close"):
        assert first.submit(line).accepted, line
    first.close()
    start_night(house, FRIDAY.date() + timedelta(days=4)).close()  # the clock was wrong for a moment
    second = open_tonight(house, clock=lambda: MONDAY)
    assert second.name == "2026-11-30-2"
    second.close()
    assert names_in(house.nights) == ["2026-11-30-1.night", "2026-11-30-2.night"]
