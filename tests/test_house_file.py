"""What a house says in its house.toml once, so that nobody types it every evening."""

from pathlib import Path
from typing import Any

import pytest

import assistant.console.app as console
from assistant.cli import main
from assistant.config import House
from assistant.errors import AssistantError
from assistant.i18n import language


def house(folder: Path, text: str) -> House:
    (folder / "house.toml").write_text(text, encoding="utf-8")
    return House(folder)


@pytest.mark.parametrize(
    ("text", "spoken", "sources"),
    [
        ("", None, ()),
        ('language = "ru"', "ru", ()),
        ('sources = ["camera:0", "serial:/dev/ttyACM0"]', None, ("camera:0", "serial:/dev/ttyACM0")),
    ],
)
def test_language_and_sources_of_the_house(
    text: str, spoken: str | None, sources: tuple[str, ...], tmp_path: Path
) -> None:
    found = house(tmp_path, text)
    assert (found.language, found.sources) == (spoken, sources)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('language = "de"', 'language is \'de\'. Write language = "en" or language = "ru".'),
        ("language = 1", "language is 1."),
        ('sources = "camera:0"', "sources is 'camera:0'. Write a list, such as sources = [\"camera:0\"]."),
        ('sources = [""]', "sources is ['']."),
    ],
)
def test_what_it_can_not_be_is_said_with_what_it_can(text: str, says: str, tmp_path: Path) -> None:
    found = house(tmp_path, text)
    with pytest.raises(AssistantError) as refused:
        _ = found.language, found.sources
    assert says in str(refused.value)


@pytest.mark.parametrize(
    ("typed", "spoken", "sources"),
    [
        ((), "ru", ("camera:0",)),
        (("--language", "en"), "en", ("camera:0",)),
        (("--source", "camera:1"), "ru", ("camera:1",)),
    ],
)
def test_console_takes_what_the_house_says_unless_something_else_is_typed(
    typed: tuple[str, ...],
    spoken: str,
    sources: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house(tmp_path, 'language = "ru"\nsources = ["camera:0"]')
    seen: list[tuple[str, str, tuple[str, ...]]] = []

    def run(_open: object, **given: Any) -> int:
        seen.append((language(), given["language"], given["sources"]))
        return 0

    monkeypatch.setattr(console, "run_console", run)
    assert main(["--house", str(tmp_path), *typed]) == 0
    assert seen == [(spoken, spoken, sources)]


def test_a_source_of_the_house_that_is_none_is_told_with_its_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    house(tmp_path, 'sources = ["camra:0"]')
    assert main(["--house", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert "house.toml, sources: " in said
    assert "camra" in said
