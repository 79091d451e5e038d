"""Kinds of sources: our own, those of other packages, and what is attached."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from drivers.base import CardSource, DriverMissing, Found
from drivers.port_list import PERMISSION_REMEDY, Port, found_ports, holder_of
from drivers.registry import SOURCES, detect, known_sources, open_source

PLUG_IN = """
from drivers.simulated import SimulatedSource
class Crystal(SimulatedSource):
    pass
NOTHING = 3
"""


@pytest.fixture
def plug_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another package that offers sources."""
    (tmp_path / "crystal_ball.py").write_text(PLUG_IN, "utf-8")
    about = tmp_path / "crystal_ball-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: crystal-ball\nVersion: 1.0\n", "utf-8")
    (about / "entry_points.txt").write_text(
        "[tableside.sources]\ncrystal = crystal_ball:Crystal\nbroken = no_such_module:X\n"
        "odd = crystal_ball:NOTHING\nserial = crystal_ball:Crystal\n",
        "utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.usefixtures("plug_in")
def test_another_package_adds_a_kind_and_replaces_none() -> None:
    assert known_sources() | SOURCES == known_sources()
    made = open_source("crystal:seed=7")
    assert isinstance(made, CardSource)
    assert type(made).__name__ == "Crystal"
    assert type(open_source("serial:COM3")).__name__ == "SerialSource"


@pytest.mark.usefixtures("plug_in")
@pytest.mark.parametrize("kind", ["broken", "odd"])
def test_a_package_that_does_not_load_is_named_and_hurts_no_other(kind: str) -> None:
    with pytest.raises(DriverMissing):
        open_source(f"{kind}:1")
    assert any(found.source == kind and not found.usable for found in detect())


def test_looking_for_devices_loads_no_camera_library() -> None:
    code = "import sys, drivers.registry as r; r.detect(); print('cv2' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.skipif(
    sys.platform == "win32", reason="Windows tells no permission of a port before it is opened"
)
def test_a_port_without_permission_is_listed_with_the_exact_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """cases.csv B044."""
    monkeypatch.setattr(os, "access", lambda *_: False)
    (found,) = found_ports([Port(str(tmp_path / "ttyUSB0"), "USB2.0-Serial", 0x1A86, 0x7523)])
    assert not found.usable
    assert found.label == "CH340 adapter, USB2.0-Serial"
    assert found.remedy == PERMISSION_REMEDY
    assert "sudo usermod -aG dialout $USER" in str(found)
    assert "not found" not in str(found)


def test_usb_ports_come_first_and_labels_carry_no_control_signs(tmp_path: Path) -> None:
    shoe, built_in = tmp_path / "a", tmp_path / "b"
    shoe.touch()
    built_in.touch()
    found = found_ports([Port(str(built_in), "n/a"), Port(str(shoe), "Shoe\x1b[2J", 1, 2)])
    assert [one.source for one in found] == [f"serial:{shoe}", f"serial:{built_in}"]
    assert found[0].label == "Shoe?[2J"
    assert "not on USB" in found[1].label


def test_who_has_a_port_open_is_named() -> None:
    if sys.platform != "linux":
        pytest.skip("only Linux tells who has a port open")
    master, slave = os.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", "import sys; print(1, flush=True); sys.stdin.read()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        pass_fds=[slave],
    ) as other:
        assert other.stdout is not None
        other.stdout.readline()
        assert f"process {other.pid}" in holder_of(os.ttyname(slave))
        other.communicate()
    os.close(master)
    os.close(slave)


def test_a_found_device_is_one_line() -> None:
    assert str(Found("camera:0", "HD cam")) == "camera:0  HD cam"
    found = Found("camera:0", "HD cam", usable=False, why="no permission", remedy="Log in again.")
    assert str(found) == "camera:0  HD cam: no permission. Log in again."
