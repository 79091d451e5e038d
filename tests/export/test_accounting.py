"""hledger and beancount check what we export, and find the balances of the slip."""

import csv
import io
import re
import shutil
import subprocess
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest
from beancount import loader
from beancount.core import data

from assistant.export.accounts import person
from assistant.export.beancount import ledger
from assistant.export.book import Book
from assistant.export.hledger import journal
from assistant.money import format_amount
from tests.export.nights import SCENARIO_1, UNLUCKY

HLEDGER = shutil.which("hledger")
needs_hledger = pytest.mark.skipif(HLEDGER is None, reason="hledger is not installed (Debian: hledger)")
Play = Callable[[str], Book]


def run_hledger(folder: Path, book: Book, *words: str) -> str:
    path = folder / "night.journal"
    path.write_text("".join(f"{line}\n" for line in journal(book)), encoding="utf-8")
    assert HLEDGER is not None
    environment = {"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        [HLEDGER, "-f", str(path), *words],
        capture_output=True,
        encoding="utf-8",
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def load_beancount(folder: Path, book: Book) -> list[data.Directive]:
    path = folder / "night.beancount"
    path.write_text("".join(f"{line}\n" for line in ledger(book)), encoding="utf-8")
    entries, errors, _options = loader.load_file(str(path))
    assert not errors, errors
    return entries


@needs_hledger
def test_hledger_checks_every_night_strictly(book: Book, tmp_path: Path) -> None:
    """Scenario 32."""
    run_hledger(tmp_path, book, "check", "-s", "ordereddates")


def test_bean_check_passes_every_night(book: Book, tmp_path: Path) -> None:
    """Scenario 32."""
    assert load_beancount(tmp_path, book)


def pockets(book: Book) -> dict[str, int]:
    """What each player's pocket holds: the result of the night once everything is cashed."""
    return {one.player: one.net for one in book.results if not one.is_node and one.net}


@needs_hledger
def test_hledger_finds_the_balances_of_the_slip(book: Book, tmp_path: Path) -> None:
    if not any(entry.verb == "close" for entry in book.entries):
        pytest.skip("the night goes on: chips are on the table")
    text = run_hledger(tmp_path, book, "balance", "Money:owner", "--flat", "-N", "-O", "csv")
    rows = list(csv.reader(io.StringIO(text)))[1:]
    found = {row[0].split(":")[2].split("-")[0]: row[1].split()[0] for row in rows}
    assert found == {player: format_amount(net, book.currency) for player, net in pockets(book).items()}


def test_beancount_finds_the_balances_of_the_slip(book: Book, tmp_path: Path) -> None:
    if not any(entry.verb == "close" for entry in book.entries):
        pytest.skip("the night goes on: chips are on the table")
    found: dict[str, Decimal] = {}
    for entry in load_beancount(tmp_path, book):
        for posting in entry.postings if isinstance(entry, data.Transaction) else ():
            root, _colon, name = posting.account.rpartition(":")
            if root == "Equity:Money:Owner" and posting.units is not None:
                player = name.split("-")[0].lower()
                found[player] = found.get(player, Decimal(0)) + (posting.units.number or 0)
    written = {player: str(amount) for player, amount in found.items() if amount}
    assert written == {player: format_amount(net, book.currency) for player, net in pockets(book).items()}


@needs_hledger
def test_unlucky_names_and_notes_break_no_journal(play: Play, tmp_path: Path) -> None:
    """Scenario 28: colons, semicolons, quotes, signs of formulas, wide letters, a superscript digit."""
    book = play(UNLUCKY)
    run_hledger(tmp_path, book, "check", "-s")
    accounts = run_hledger(tmp_path, book, "accounts", "Chips:stack").splitlines()
    assert "Chips:stack:p2-HYPERLINK-1" in accounts
    assert "Chips:stack:p5-x-y" in accounts
    described = run_hledger(tmp_path, book, "descriptions").splitlines()
    assert 'seat "Bob[/], |x" 100' in described


def test_names_and_lines_are_harmless_also_where_no_checker_is_at_hand(play: Play) -> None:
    assert person("p5", {"p5": "²x:y  ; z"}) == "p5-x-y-z"
    assert person("p4", {"p4": "李雷 👍"}) == "p4-李雷"
    assert person("p6", {"p6": "👍"}) == "p6"
    lines = list(journal(play(UNLUCKY)))
    told = [line for line in lines if re.match(r"2026-11-28 \(\d+\) ", line)]
    assert '2026-11-28 (3) seat "Bob[/], |x" 100' in told
    assert not any(";" in line for line in told)
    assert not any(char in line for line in lines for char in "\x1b\r\t")


def test_last_transaction_asserts_what_every_account_holds(play: Play) -> None:
    lines = list(journal(play("game casino-red-dog\nseat A 100\nseat B 50\n")))
    last = lines[lines.index("2026-11-28 (3) what every account holds") + 1 :]
    assert "    Chips:stack:p1-A  0 CHIP = 100 CHIP" in last
    assert "    Chips:rack  0 CHIP = -150 CHIP" in last
    assert "    Money:due:p2-B  0 MONEY = 50 MONEY" in last


def test_unlucky_names_and_notes_break_no_beancount_file(play: Play, tmp_path: Path) -> None:
    entries = load_beancount(tmp_path, play(UNLUCKY))
    told = [entry.narration for entry in entries if isinstance(entry, data.Transaction)]
    assert told[0] == 'seat "Bob[/]; |x" 100'
    assert 'seat "Tom \\"T\\" O\'Neil\\\\" 12,50' in told


def test_scenario_1_has_the_balances_of_the_slip(play: Play, tmp_path: Path) -> None:
    """Scenario 32: nets +22, -9, -59, +46, an empty box and a full rack."""
    lines = list(ledger(play(SCENARIO_1)))
    balances = {line.split()[2]: line.split()[3] for line in lines if " balance " in line}
    owners = [balances[f"Equity:Money:Owner:P{number}-{name}"] for number, name in enumerate("ABCD", 1)]
    assert owners == ["22", "-9", "-59", "46"]
    assert (balances["Assets:Chips:Rack"], balances["Equity:Chips:Chipset"]) == ("2600", "-2600")
    assert balances["Assets:Money:Cashbox"] == "0"
    assert load_beancount(tmp_path, play(SCENARIO_1))


def test_a_line_that_was_taken_back_is_there_twice(play: Play, tmp_path: Path) -> None:
    book = play("game red-dog-pool\nseat A 100\nseat B 100\nbuy A 1000\nundo\nbuy A 100\nclose\n")
    transactions = [one for one in load_beancount(tmp_path, book) if isinstance(one, data.Transaction)]
    assert [one.narration for one in transactions[2:5]] == ["buy A 1000", "undo", "buy A 100"]
    assert transactions[3].meta["reverses"] == "4"
    lines = list(journal(book))
    assert any(re.fullmatch(r"    ; \d\d\.\d\d\.\d\d, reverses 4", line) for line in lines)


def test_everything_is_dated_by_the_start_of_the_night(play: Play) -> None:
    """A15: the last entries are made after midnight."""
    book = play("game red-dog-pool\nseat A 100\nseat B 100\n" + "buy A 1\n" * 300 + "close\n")
    assert book.entries[-1].at.date() > book.day
    dates = {line[:10] for line in journal(book) if line[:4] == "2026"}
    assert dates == {"2026-11-28"}


def test_an_amount_that_went_astray_does_not_pass(play: Play, tmp_path: Path) -> None:
    """The checkers do check: one unit more in one posting, and the file is refused."""
    book = play("game red-dog-pool\nseat A 100\nseat B 100\nclose\n")
    lines = [line.replace("-100 CHIP", "-101 CHIP", 1) for line in ledger(book)]
    path = tmp_path / "night.beancount"
    path.write_text("\n".join(lines), encoding="utf-8")
    assert loader.load_file(str(path))[1]
