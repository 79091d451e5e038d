"""What a message tells the dealer to type is what starts the program here."""

import argparse
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from assistant import started
from assistant.cli import _build_parser
from assistant.started import as_started, command


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("See: tableside recover 2026-11-28-1", "See: ./scripts/run recover 2026-11-28-1"),
        ("`tableside nights` lists them.", "`./scripts/run nights` lists them."),
        ("Go on in a new night: tableside --new.", "Go on in a new night: ./scripts/run --new."),
        ("copies = /media/stick/tableside recover", "copies = /media/stick/tableside recover"),
        ("tableside: Night x is open.", "tableside: Night x is open."),
        ("the tableside printer", "the tableside printer"),
    ],
)
def test_a_message_names_the_command_that_started_the_program(
    monkeypatch: pytest.MonkeyPatch, text: str, shown: str
) -> None:
    monkeypatch.setenv("TABLESIDE_COMMAND", "./scripts/run")
    assert as_started(text) == shown


@pytest.mark.parametrize(
    ("called", "wanted"),
    [
        ("/usr/bin/tableside", "tableside"),
        ("/srv/tableside/assistant/__main__.py", "python3 -m assistant"),
        ("/srv/lib/python3.11/site-packages/pytest/__main__.py", "tableside"),
    ],
)
def test_without_a_launcher_the_way_it_was_called_counts(
    monkeypatch: pytest.MonkeyPatch, called: str, wanted: str
) -> None:
    monkeypatch.delenv("TABLESIDE_COMMAND", raising=False)
    monkeypatch.setattr(sys, "argv", [called])
    monkeypatch.setattr(sys, "executable", "/usr/bin/python3")
    assert command() == wanted


def test_every_command_of_the_program_is_known() -> None:
    actions = [a for a in _build_parser()._actions if isinstance(a, argparse._SubParsersAction)]
    assert {name for action in actions for name in action.choices} == started.COMMANDS


def test_a_remedy_on_the_command_line_can_be_typed_as_it_stands(repository: Path, tmp_path: Path) -> None:
    """Started by ``scripts/run`` there is no command ``tableside``."""
    variables = {**os.environ, "TABLESIDE_COMMAND": "./scripts/run"}
    told = subprocess.run(
        [sys.executable, "-m", "assistant", "--house", str(tmp_path), "verify", "2020-01-01-1"],
        cwd=repository,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )
    wanted = f"`./scripts/run --house {shlex.quote(str(tmp_path))} nights` lists"  # in the same house
    assert (told.returncode, wanted in told.stderr) == (2, True), told.stderr
