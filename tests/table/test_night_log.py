"""The log of a night: lines accepted, taken back, put back and played back (TABLE_TALK.md `undo`, `redo`)."""

import pytest

from assistant.errors import Refusal
from assistant.store.base import NightDamaged
from assistant.store.memory import MemoryNight
from assistant.table.night_log import NightLog, Origin
from assistant.table.record import night_record

START = ("game red-dog-pool hand=3", "seat A 100", "seat B 100", "dealer A")


def log_after(*lines: str) -> NightLog:
    log = NightLog(MemoryNight())
    for line in lines:
        log.submit(line)
    return log


def code(log: NightLog, line: str) -> str:
    before, entries = log.night, log.entries
    with pytest.raises(Refusal) as caught:
        log.submit(line)
    assert (log.night is before, log.entries) == (True, entries)
    return caught.value.code


def test_undo_takes_lines_back_over_games_and_rounds_and_redo_puts_them_back() -> None:
    log = log_after(*START)
    moments = [log.night]
    for line in ("round", "dealt", "bet B 10", "card 7H", "won B", "fold A", "share", "game casino-red-dog"):
        log.submit(line)
        moments.append(log.night)
    log.submit("bet A 5")
    log.submit("undo 9")
    assert log.night == moments[0]
    log.submit("redo 3")
    assert log.night == moments[3]
    log.submit("REDO 5")
    assert log.night == moments[8]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("undo 5", "E_UNDO"),
        ("undo 0", "E_ARGS"),
        ("undo -1", "E_ARGS"),
        ("undo one", "E_ARGS"),
        ("undo 1 2", "E_ARGS"),
        ("redo", "E_UNDO"),
    ],
)
def test_undo_of_more_than_there_is(line: str, expected: str) -> None:
    """TABLE_TALK.md: more lines than there are: E_UNDO."""
    assert code(log_after(*START), line) == expected


def test_new_line_after_undo_leaves_nothing_to_redo_and_a_refused_one_does() -> None:
    """Case B120; a refused line changes nothing, so what was undone can still come back."""
    log = log_after(*START, "undo")
    assert code(log, "snap") == "E_VERB"
    log.submit("redo")
    log.submit("undo")
    log.submit("note something else")
    assert code(log, "redo") == "E_UNDO"


def test_note_counts_as_a_line_and_a_comment_does_not() -> None:
    log = log_after(*START, "note hello", "# nothing", "")
    assert log.entries == 5
    log.submit("undo")
    log.submit("undo")
    assert night_record(log.night)["dealer"] == "A"  # the first seated, as before `dealer A`
    assert log.night.table.dealer is None


def test_log_keeps_what_was_undone_and_the_entry_names_it() -> None:
    log = log_after(*START, "undo 2")
    assert [(step.line, step.undone) for step in log.log[-3:]] == [
        ("seat B 100", True),
        ("dealer A", True),
        ("undo 2", False),
    ]
    last = list(log.store.entries())[-1]
    assert (last.kind, last.reverses) == ("undo", (4, 3))
    assert sum(posting.amount for posting in last.postings if posting.commodity == "C") == 0
    assert {(one.account, one.amount) for one in last.postings if one.commodity == "C"} == {
        ("rack", 100),
        ("stack:p2", -100),
    }


def test_key_used_before_books_nothing_even_after_a_restart() -> None:
    store = MemoryNight()
    log = NightLog(store)
    log.submit("seat A 100", key="k1")
    for found in (log, NightLog(store)):
        assert found.submit("seat A 100", key="k1").duplicate
        assert list(night_record(found.night)["stacks"]) == ["A"]  # type: ignore[call-overload]


def test_origin_is_kept_with_the_entry() -> None:
    store = MemoryNight()
    log = NightLog(store)
    log.submit("note x", origin=Origin("camera:0", 0.987654321))
    assert NightLog(store).log[-1].origin == Origin("camera:0", 0.987654)


def test_line_holds_no_control_characters_when_it_is_kept() -> None:
    """User text is never an escape sequence: neither in the log nor in an export."""
    log = log_after("note \x1b[31mred\x07 bell\nnext", "seat A 5 # \x1b]0;title\x07")
    assert [step.line for step in log.log] == ["note  [31mred  bell next", "seat A 5 #  ]0;title"]
    for entry in log.store.entries():
        assert str(entry.body["line"]).isprintable()


def test_entries_that_do_not_lead_to_their_postings_are_damage() -> None:
    """The booked chips and the replayed ones must agree."""
    log = log_after(*START)
    entries = list(log.store.entries())

    class Altered(MemoryNight):
        def entries(self):  # type: ignore[no-untyped-def]
            yield entries[1]._replace(postings=())

    with pytest.raises(NightDamaged, match="Entry 2"):
        NightLog(Altered())


def test_same_lines_make_the_same_night() -> None:
    lines = (*START, "round", "dealt", "bet B 10", "card 7H", "won B", "undo 2", "card 8H", "fix 8H 7H")
    assert log_after(*lines).night == log_after(*lines).night
