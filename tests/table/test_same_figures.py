"""B157: the net of each player is one figure, wherever it is read."""

import csv
import io
import random

import pypdfium2 as pdfium

from assistant.export.csv_files import BOM, players, write_csv
from assistant.money import format_amount
from assistant.slips.escpos import Paper, print_slip
from assistant.slips.pdf import settlement_pdf
from assistant.slips.text import render
from assistant.store.memory import MemoryNight
from assistant.table.courses import stack_chart
from assistant.table.night_book import night_book
from assistant.table.session import TableSession
from assistant.table.settling import settlement_slip

NAMES = ("Ann", "Boris", "Cem", "Жанна", "Ёлка", "Fay", "Gus", "Hal", "Ida")
ENTRIES = 61


def played() -> TableSession:
    """A night of 9 players and 61 entries, random with seed 3, in euros."""
    chance = random.Random(3)
    session = TableSession(MemoryNight(), "2026-11-28-1")
    lines = ["night x currency=EUR", "game casino-red-dog max=1000"]
    lines += [f"seat {name} {chance.randint(1, 9999) / 100:.2f}" for name in NAMES]
    for line in lines:
        assert session.submit(line).accepted, line
    while session.snapshot.entries < ENTRIES - 1:
        kind, who = chance.choice(("buy", "cashout", "lend")), chance.choice(NAMES)
        other = f" {chance.choice(NAMES)}" if kind == "lend" else ""
        session.submit(f"{kind} {who}{other} {chance.randint(1, 5000) / 100:.2f}")
    assert session.submit("close").accepted
    return session


def test_net_of_each_player_is_the_same_everywhere() -> None:
    session = played()
    assert session.snapshot.entries == ENTRIES
    log = session.log
    slip = settlement_slip(log, session.name)
    nets = {row.name: format_amount(row.net, slip.currency, sign=True) for row in slip.players}
    assert set(nets) == set(NAMES)
    assert sum(row.net for row in slip.players) == 0
    text = render(slip, 80)
    receipt = print_slip(slip, Paper(48)).decode("cp866")
    document = pdfium.PdfDocument(settlement_pdf(slip, stack_chart(log)))
    pdf = "\n".join(page.get_textpage().get_text_bounded() for page in document)
    written = write_csv(players(night_book(log, session.name)))
    table = list(csv.DictReader(io.StringIO(written.removeprefix(BOM))))
    for name, net in nets.items():
        for lines in (text, receipt, pdf):
            line = next(line.split() for line in lines.splitlines() if line.startswith(f"{name} "))
            assert net in line, (name, net, line)
        row = next(row for row in table if row["player"] == name)
        assert row["net"] == net.removeprefix("+")
