"""Open questions outlive the program's own crash: they are asked again, and settled ones are not."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from assistant.cards import parse_card
from assistant.config import House
from assistant.store.memory import MemoryNight
from assistant.table.asked import QuestionFile
from assistant.table.opening import open_tonight
from assistant.table.questions import Question
from assistant.table.session import TableSession
from drivers.base import Candidate, EventKind, SourceEvent

CASINO = ("game casino-red-dog decks=8", "seat Anna 100", "bet Anna 10")
TAG = SourceEvent(
    EventKind.TAG_UNKNOWN, "reader", 1.0, tag="0406B9020A5481", code="unknown", note="at reader 1"
)
DOUBT = SourceEvent(
    EventKind.UNSURE,
    "camera:0",
    2.0,
    zone="third",
    candidates=(Candidate(parse_card("6H"), 0.6), Candidate(parse_card("8H"), 0.3)),
)
KILLED = """
import os, signal, sys
from pathlib import Path
from assistant.config import House
from assistant.table.opening import open_tonight
from drivers.base import EventKind, SourceEvent

session = open_tonight(House(Path(sys.argv[1])))
for line in ("game casino-red-dog decks=8", "seat Anna 100", "bet Anna 10"):
    assert session.submit(line).accepted
session.receive(SourceEvent(EventKind.TAG_UNKNOWN, "reader", 1.0, tag="0406B9020A5481", code="unknown"))
session.receive(SourceEvent(EventKind.UNREADABLE, "shoe", 2.0, report="SHOE/7A3C/0005"))
os.kill(os.getpid(), signal.SIGKILL)
"""


def opened(store: MemoryNight, path: Path) -> TableSession:
    return TableSession(store, "2026-11-28-1", asked=QuestionFile(path))


def asked(session: TableSession) -> list[str]:
    return [one.text for one in session.snapshot.questions]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_after_a_kill_the_same_questions_are_asked_again(tmp_path: Path, repository: Path) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], cwd=repository, check=False)
    assert done.returncode == -signal.SIGKILL
    session = open_tonight(House(tmp_path))
    assert asked(session) == [
        "Tag 0406B9020A5481 belongs to no deck. Which card is it?",
        "A card was not read. Type it.",
    ]
    assert session.snapshot.questions[0].tag == "0406B9020A5481"
    first, second = (one.number for one in session.snapshot.questions)
    assert session.answer(first, parse_card("4S")).accepted
    session.dismiss(second)
    session.close()
    again = open_tonight(House(tmp_path))
    assert asked(again) == []
    assert [str(one.card) for one in again.snapshot.board] == ["4S"]
    again.close()


def test_a_doubt_comes_back_with_its_candidates_and_zone(tmp_path: Path) -> None:
    store = MemoryNight()
    session = opened(store, tmp_path / "asked.json")
    for line in CASINO:
        session.submit(line)
    assert isinstance(session.receive(DOUBT), Question)
    resumed = opened(store, tmp_path / "asked.json")
    (question,) = resumed.snapshot.questions
    assert [(str(card), sure) for card, sure, _line in question.candidates] == [("6H", 0.6), ("8H", 0.3)]
    assert [one.event.zone for one in resumed._questions] == ["third"]


def test_a_report_that_was_booked_in_the_last_moment_is_not_asked_about_again(tmp_path: Path) -> None:
    store = MemoryNight()
    session = opened(store, tmp_path / "asked.json")
    for line in CASINO[:2]:
        session.submit(line)
    early = SourceEvent(EventKind.CARD, "shoe", 1.0, card=parse_card("4S"), report="SHOE/7A3C/0005")
    assert isinstance(session.receive(early), Question)
    kept = (tmp_path / "asked.json").read_text("utf-8")
    session.submit(CASINO[2])
    session.receive(early)
    (tmp_path / "asked.json").write_text(kept, "utf-8")  # the program died before it wrote that down
    assert asked(opened(store, tmp_path / "asked.json")) == []


def test_questions_of_another_night_and_of_a_broken_file_are_none(tmp_path: Path) -> None:
    path = tmp_path / "asked.json"
    session = opened(MemoryNight(), path)
    for line in CASINO:
        session.submit(line)
    session.receive(TAG)
    assert len(QuestionFile(path).of_night("2026-11-28-1")) == 1
    assert QuestionFile(path).of_night("2026-11-29-1") == ()
    content = json.loads(path.read_text("utf-8"))
    for broken in ("{", "[]", json.dumps(content | {"questions": [{}]}), json.dumps(content | {"format": 2})):
        path.write_text(broken, "utf-8")
        assert QuestionFile(path).of_night("2026-11-28-1") == ()


def test_a_disk_that_is_full_does_not_stop_the_table(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    session = opened(MemoryNight(), tmp_path / "file" / "asked.json")
    for line in CASINO:
        session.submit(line)
    assert isinstance(session.receive(TAG), Question)
    assert "open questions can't be kept" in caplog.text


def test_glare_on_a_card_is_said_with_what_helps() -> None:
    session = TableSession(MemoryNight(), "2026-11-28-1")
    for line in CASINO:
        assert session.submit(line).accepted
    session.receive(SourceEvent(EventKind.UNSURE, "camera:0", 1.0, code="glare"))
    assert asked(session) == ["Glare on the card: tilt it, or type it. Nothing has been booked."]
