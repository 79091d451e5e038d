"""``kind:address,option=value`` as table talk has it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from drivers.base import BadSource
from drivers.registry import open_source, parse_source


@pytest.mark.parametrize(
    ("text", "kind", "address", "options"),
    [
        ("simulated:seed=7", "simulated", "", {"seed": "7"}),
        ("simulated", "simulated", "", {}),
        ("replay:night one.jsonl", "replay", "night one.jsonl", {}),
        (
            "serial:/dev/ttyUSB0,format=oslp,baud=115200",
            "serial",
            "/dev/ttyUSB0",
            {"format": "oslp", "baud": "115200"},
        ),
        ("serial:COM3,format=plain", "serial", "COM3", {"format": "plain"}),
        (
            "serial:socket://127.0.0.1:7777,format=oslp",
            "serial",
            "socket://127.0.0.1:7777",
            {"format": "oslp"},
        ),
        ("camera:0", "camera", "0", {}),
        ("camera:C:\\cards\\a, b.mp4,fps=3", "camera", "C:\\cards\\a, b.mp4", {"fps": "3"}),
        ("camera:http://phone:8080/video?a=1,b=2", "camera", "http://phone:8080/video?a=1,b=2", {}),
    ],
)
def test_a_source_is_kind_address_and_options(
    text: str, kind: str, address: str, options: dict[str, str]
) -> None:
    spec = parse_source(text)
    assert (spec.kind, spec.address, dict(spec.options)) == (kind, address, options)


def test_blanks_and_a_line_end_around_a_port_are_trimmed() -> None:
    assert parse_source(" serial: /dev/ttyUSB0\n").address == "/dev/ttyUSB0"


def test_the_name_never_shows_a_password_or_control_signs() -> None:
    assert parse_source("camera:http://u:secret@phone:8080/v").name == "camera:http://phone:8080/v"
    assert parse_source("replay:a\x1b]0;x\x07b").name == "replay:a?]0;x?b"


def test_an_unknown_kind_names_the_known_ones() -> None:
    with pytest.raises(BadSource) as caught:
        parse_source("telepathy:1")
    assert "telepathy" in caught.value.message
    assert "camera, manual, replay, serial, simulated" in caught.value.hint


@pytest.mark.parametrize("text", ["", "   ", ":0", "serial:/dev/ttyUSB0,baud=1,baud=2"])
def test_what_is_no_source_is_refused(text: str) -> None:
    with pytest.raises(BadSource):
        parse_source(text)


def test_importing_registry_and_intake_loads_no_device_library() -> None:
    code = (
        "import sys, drivers, drivers.registry, assistant.table.intake\n"
        "print([m for m in ('cv2', 'serial', 'textual', 'numpy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_an_unknown_option_names_the_known_ones() -> None:
    with pytest.raises(BadSource) as caught:
        open_source("simulated:sead=7")
    assert "sead" in caught.value.message
    assert "seed" in caught.value.hint
