"""Build the wheel and start it from an empty environment, as somebody who installs it would."""

import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("assistant", "drivers", "calibration")
BUILD_NEEDS = (*PACKAGES, "pyproject.toml", "README.md", "LICENSE")
NOT_SHIPPED = {".pyc", ".po", ".pot"}
TALK = """\
game casino-red-dog
seat "Anna K." 100
bet "Anna K." 10
card 5h 9d
raise "Anna K."
card 7c
close
"""
WON_NET = 40  # 5 to 9 is a spread of 3, paid two to one on the doubled bet of 20


class WheelProblem(Exception):
    """The wheel is not what it should be."""


def check_wheel() -> None:
    """Build, install and start it, with this Python's own packages and no network.

    Raises:
        WheelProblem: A step failed, a file is missing from the wheel, or the program did not do its work.
    """
    with tempfile.TemporaryDirectory(prefix="tableside-wheel-") as name:
        folder = Path(name)
        wheel = _build(folder)
        _compare(wheel)
        python = _install(folder / "empty", wheel)
        _start(python, folder)


def _build(folder: Path) -> Path:
    # From a copy: a build leaves folders behind, and takes deleted modules from those of earlier builds.
    source = folder / "source"
    source.mkdir()
    for name in BUILD_NEEDS:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
        elif (ROOT / name).exists():
            shutil.copy(ROOT / name, source)
    pip = [sys.executable, "-m", "pip", "wheel", "--disable-pip-version-check", "--no-index", "--no-deps"]
    _run([*pip, "--no-build-isolation", "--wheel-dir", str(folder), str(source)], folder)
    return next(folder.glob("*.whl"))


def _compare(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        shipped = set(archive.namelist())
    here = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and path.suffix not in NOT_SHIPPED and not _explains_a_folder(path)
    }
    if missing := sorted(here - shipped):
        raise WheelProblem(
            f"missing from the wheel (see package-data in pyproject.toml): {', '.join(missing)}"
        )


def _explains_a_folder(path: Path) -> bool:
    return path.name == "README.md"


def _install(environment: Path, wheel: Path) -> Path:
    _run([sys.executable, "-m", "venv", "--without-pip", str(environment)], wheel.parent)
    python = environment / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--disable-pip-version-check"]
    _run([*pip, "--no-index", "--no-deps", str(wheel)], wheel.parent)
    # The packages it needs are borrowed. A path added this way brings none of its own .pth files, so the
    # checkout stays out of reach.
    borrowed = _ask(sys.executable, "site_packages", wheel.parent)
    (Path(_ask(str(python), "site_packages", wheel.parent)) / "borrowed.pth").write_text(
        borrowed + "\n", "utf-8"
    )
    if not _ask(str(python), "origin", wheel.parent).startswith(str(environment.resolve())):
        raise WheelProblem("the program started is not the one from the wheel")
    return python


def _ask(python: str, what: str, folder: Path) -> str:
    questions = {
        "site_packages": "import sysconfig; print(sysconfig.get_path('purelib'))",
        "origin": "import assistant, pathlib; print(pathlib.Path(assistant.__file__).resolve())",
    }
    return _run([python, "-P", "-c", questions[what]], folder).strip()


def _start(python: Path, folder: Path) -> None:
    command = python.with_name("tableside.exe" if sys.platform == "win32" else "tableside")
    version = _run([str(command), "--version"], folder)
    if not version.strip():
        raise WheelProblem("`tableside --version` says nothing")
    talk = folder / "night.talk"
    talk.write_text(TALK, encoding="utf-8")
    final = json.loads(_run([str(command), "replay", str(talk), "--json", "--strict"], folder))
    if (final["phase"], final["nets"]) != ("CLOSED", {"Anna K.": WON_NET}):
        raise WheelProblem(f"the replay of a small night ended with {final}")
    print(f"{version.strip()}: the wheel starts and replays a night", flush=True)


def _run(command: list[str], folder: Path) -> str:
    result = subprocess.run(
        command, check=False, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8"
    )
    if result.returncode:
        raise WheelProblem(f"$ {' '.join(command)}\n{result.stdout}{result.stderr}(exit {result.returncode})")
    return result.stdout


if __name__ == "__main__":
    try:
        check_wheel()
    except WheelProblem as problem:
        sys.exit(str(problem))
