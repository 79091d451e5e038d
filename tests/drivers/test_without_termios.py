"""T15 as far as it goes without Windows: fake ports, socket:// and rfc2217:// do without termios and ptys."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

SUITE = (
    "test_serial_port.py",
    "test_serial_links.py",
    "test_serial_cases.py",
    "test_oslp.py",
    "test_link.py",
)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows runs these tests themselves")
def test_the_serial_suite_is_green_without_termios(repository: Path) -> None:
    folder = repository / "tests" / "drivers"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "without_termios", "-p", "no:cacheprovider"]
    path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [*command, "--no-header", *(str(folder / name) for name in SUITE)],
        cwd=repository,
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    found = re.search(r"(\d+) passed", done.stdout)
    assert found
    assert int(found[1]) >= 60
