"""The language of the house is spoken by the commands as well as by the console."""

from pathlib import Path

import pytest

from assistant.cli import main


@pytest.fixture
def russian(tmp_path: Path) -> Path:
    (tmp_path / "house.toml").write_text('language = "ru"\n', encoding="utf-8")
    return tmp_path


def test_commands_speak_the_language_of_the_house(russian: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--house", str(russian), "nights"]) == 0
    assert capsys.readouterr().out == f"В {russian} вечеров нет.\n"
    assert main(["season", "--house", str(russian), "--output", "x"]) != 0
    assert "вечер" in capsys.readouterr().err


def test_the_language_that_is_typed_counts_instead(russian: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--house", str(russian), "--language", "en", "nights"]) == 0
    assert capsys.readouterr().out.startswith("No nights in ")


def test_a_wrong_house_file_is_told_by_whoever_reads_it_alone(
    russian: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (russian / "house.toml").write_text("language = 7", encoding="utf-8")
    assert main(["--house", str(russian), "nights"]) == 0
    assert capsys.readouterr().out.startswith("No nights in ")
