"""Options that stand before a command or behind it mean the same; one that a command can't use is refused."""

from pathlib import Path

import pytest

from assistant.cli import main
from assistant.i18n import language

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A house with one closed night."""
    script = tmp_path / "closed.talk"
    script.write_text("game casino-red-dog\nseat Anna 100\nseat Boris 50\nclose\n", encoding="utf-8")
    assert main(["replay", str(script), "--into", str(tmp_path / "house")]) == 0
    return tmp_path / "house"


def out(capsys: Captured, *arguments: str | Path) -> str:
    capsys.readouterr()
    assert main([str(argument) for argument in arguments]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(
    "command", [("season",), ("export", "NIGHT"), ("export", "NIGHT", "--slip", "rules")]
)
def test_language_before_a_command_counts_as_behind_it(
    capsys: Captured, house: Path, command: tuple[str, ...]
) -> None:
    (night,) = (path.stem for path in (house / "nights").glob("*.night"))
    words = [night if word == "NIGHT" else word for word in command]
    before = out(capsys, "--language", "ru", "--house", house, *words)
    behind = out(capsys, *words, "--house", house, "--language", "ru")
    assert before == behind
    assert before != out(capsys, *words, "--house", house)
    assert any("а" <= letter <= "я" for letter in before)
    assert language() == "en"  # spoken for the command, not for ever


def test_the_one_behind_the_command_counts_where_both_are_given(capsys: Captured, house: Path) -> None:
    text = out(
        capsys, "--language", "en", "--house", "/nowhere", "season", "--house", house, "--language", "ru"
    )
    assert text == out(capsys, "--language", "ru", "--house", house, "season")


def test_refusals_of_a_file_are_in_the_language_and_json_is_english(capsys: Captured, tmp_path: Path) -> None:
    script = tmp_path / "night.talk"
    script.write_text("round\n", encoding="utf-8")
    assert "Игра не выбрана" in out(capsys, "--language", "ru", "replay", script)
    assert "Игра не выбрана" in out(capsys, "replay", script, "--language", "ru")
    assert "No game has been chosen." in out(capsys, "--language", "ru", "replay", script, "--json")
    assert "No game has been chosen." in out(capsys, "--language", "ru", "replay", script, "--trace")


EVERY = "replay odds simulate listen sources read export print import settle nights verify backup recover"
EVERY_COMMAND = [(word,) for word in (*EVERY.split(), "season", "people")]
CALIBRATIONS = [("calibrate", what) for what in ("camera", "deck", "shoe")]


@pytest.mark.parametrize("command", [*EVERY_COMMAND, *CALIBRATIONS], ids=" ".join)
def test_every_command_takes_house_and_language_in_both_places(
    capsys: Captured, command: tuple[str, ...]
) -> None:
    shared = ["--house", "here", "--language", "ru"]
    for words in ([*shared, *command, "--help"], [*command, *shared, "--help"]):
        with pytest.raises(SystemExit) as ended:
            main(words)
        assert ended.value.code == 0
        assert "--house FOLDER" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("given", "command", "says"),
    [
        (["--source", "camera:0"], ["nights"], "nights takes no --source: it is for the console."),
        (["--source", "camera:0"], ["listen", "simulated:seed=7"], "listen takes no --source"),
        (["--night", "1"], ["export", "2"], "export takes no --night: it is for the console."),
        (["--new"], ["season"], "season takes no --new: it is for the console."),
        (
            ["--copies", "c"],
            ["odds", "casino-red-dog"],
            "odds takes no --copies: it is for the console and for commands that read stored nights.",
        ),
    ],
)
def test_an_option_that_a_command_cannot_use_is_refused_not_ignored(
    capsys: Captured, given: list[str], command: list[str], says: str
) -> None:
    assert main(given + command) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"tableside: {says}")


def test_copies_count_before_and_behind_the_commands_that_know_them(capsys: Captured, house: Path) -> None:
    (night,) = (house / "nights").glob("*.night")
    copies = house.parent / "copies"
    (copies / "x").mkdir(parents=True)
    night.unlink()
    for words in (["--copies", copies, "recover"], ["recover", "--copies", copies]):
        assert main([str(word) for word in [*words, night.stem, "--house", house]]) == 2
        assert f"no copy in {copies}" in capsys.readouterr().err
