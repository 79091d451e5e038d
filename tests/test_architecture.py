"""The import directions of the style guide, as far as they show at run time or in the project's files."""

import ast
import importlib.metadata
import json
import pkgutil
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

PACKAGES = ("assistant", "drivers", "calibration")
HEAVY = ("cv2", "serial", "textual")
CAMERA_AND_WIRE = ("cv2", "serial")
PAPER = ("reportlab", "PIL", "usb", "anyascii")

IMPORT_AND_LIST = """
import importlib, json, sys
for name in sys.argv[1:]:
    importlib.import_module(name)
print(json.dumps(sorted(sys.modules)))
"""


def modules_under(repository: Path, package: str) -> list[str]:
    """The package and every module in it."""
    found = pkgutil.walk_packages([str(repository / package.replace(".", "/"))], f"{package}.", onerror=None)
    return [package, *sorted(module.name for module in found)]


def loaded_by(repository: Path, *names: str) -> set[str]:
    """What a fresh Python has loaded after importing these modules."""
    command = [sys.executable, "-c", IMPORT_AND_LIST, *names]
    result = subprocess.run(command, check=True, cwd=repository, stdout=subprocess.PIPE, encoding="utf-8")
    return set(json.loads(result.stdout))


@pytest.fixture(scope="module")
def project(repository: Path) -> dict[str, Any]:
    return tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("package", ["assistant.games", "assistant.ledger", "assistant.table"])
def test_rules_ledger_and_table_load_no_camera_no_wire_and_no_screen(repository: Path, package: str) -> None:
    names = modules_under(repository, package)
    assert len(names) > 1, f"{package} has no module yet"
    assert loaded_by(repository, *names).isdisjoint(HEAVY)


@pytest.mark.parametrize(
    "module", ["drivers.registry", "assistant.store", "assistant.wording", "assistant.talk"]
)
def test_what_the_table_stands_on_loads_no_camera_no_wire_and_no_screen(
    repository: Path, module: str
) -> None:
    assert loaded_by(repository, module).isdisjoint(HEAVY)


@pytest.mark.parametrize("module", ["assistant.__main__", "assistant.cli"])
def test_starting_the_program_loads_no_camera_and_no_wire(repository: Path, module: str) -> None:
    assert loaded_by(repository, module).isdisjoint(CAMERA_AND_WIRE)


def test_the_console_starts_without_what_only_paper_needs(repository: Path) -> None:
    loaded = loaded_by(repository, "assistant.cli", "assistant.console.app", "assistant.table.opening")
    assert loaded.isdisjoint(PAPER)


def test_every_package_that_is_imported_is_declared(repository: Path, project: dict[str, Any]) -> None:
    """The test environment has more packages than the program may count on."""
    declared = {re.split(r"[^\w.-]", line)[0].lower() for line in project["project"]["dependencies"]}
    providers = importlib.metadata.packages_distributions()
    own = {*PACKAGES, *sys.stdlib_module_names}
    undeclared = {
        f"{path.relative_to(repository)}: {name}"
        for path, name in imported_names(repository)
        if name not in own
        and declared.isdisjoint(provider.lower() for provider in providers.get(name, [name]))
    }
    assert not undeclared


def imported_names(repository: Path) -> Iterator[tuple[Path, str]]:
    """Each file of the program with the first part of every name it imports."""
    for path in (path for package in PACKAGES for path in (repository / package).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from ((path, alias.name.partition(".")[0]) for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                yield path, node.module.partition(".")[0]


def test_the_import_contracts_leave_out_no_module_there_is(repository: Path) -> None:
    """A module not yet written stands in brackets or after "coming modules:"; once written it must count."""
    text = (repository / "pyproject.toml").read_text(encoding="utf-8").partition("[tool.importlinter]")[2]
    left_out = set(re.findall(r"\((assistant[\w.]*|drivers[\w.]*|calibration[\w.]*)\)", text))
    for line in re.findall(r"# coming modules: (.*)", text):
        left_out |= set(line.split(", "))
    written = {name for name in left_out if is_written(repository, name)}
    assert not written


def is_written(repository: Path, name: str) -> bool:
    """Whether there is such a module or package."""
    path = repository / name.replace(".", "/")
    return path.with_suffix(".py").exists() or (path / "__init__.py").exists()


def test_the_three_packages_say_that_they_are_typed(repository: Path) -> None:
    assert all((repository / package / "py.typed").exists() for package in PACKAGES)
