"""Receipts, counts and rules sheets as a night gives them."""

from datetime import UTC, datetime, timedelta

import pytest

from assistant.games.variants import all_games
from assistant.i18n import speaking
from assistant.money import Currency
from assistant.rules_wording import PAYS, POINTS, pays_of, points_of
from assistant.slips.content import BuyInSlip, CountRow, Denomination
from assistant.slips.text import WIDTHS, render
from assistant.store.memory import MemoryNight
from assistant.table.night_log import NightLog
from assistant.table.papers import NoSuchSlip, buy_in_slip, count_slip, rules_slip
from assistant.table.settling import settlement_slip


def played(text: str) -> NightLog:
    """A night that begins at 20:00, a minute a line."""
    minutes = iter(range(10_000))
    log = NightLog(
        MemoryNight(), lambda: datetime(2026, 11, 28, 20, tzinfo=UTC) + timedelta(minutes=next(minutes))
    )
    for line in text.splitlines():
        log.submit(line)
    return log


def test_receipt_of_the_last_buy_in() -> None:
    log = played("game rake\nseat Boris 50\nseat Ann 10\nbuy Boris 100 cash\n")
    assert buy_in_slip(log, "2026-11-28-1") == BuyInSlip(
        night="2026-11-28-1",
        time="20:03",
        player="Boris",
        amount=100,
        bought_in=150,
        entry=4,
        head=log.store.head[1],
        how="cash",
    )


def test_receipt_of_an_earlier_buy_in_shows_what_was_bought_until_then() -> None:
    log = played("night x currency=EUR\nseat Boris 50\nbuy Boris 100\n")
    slip = buy_in_slip(log, "2026-11-28-1", 2)
    assert (slip.amount, slip.bought_in, slip.entry, slip.night) == (5000, 5000, 2, "x")
    assert slip.head == log.store.hash_at(2)
    assert slip.currency == Currency("EUR", 2)


def test_receipt_always_says_whether_it_was_paid() -> None:
    """LEDGER.md 8.5: where the line doesn't say, it is on an IOU."""
    log = played("seat Zoya 100\nbuy Zoya 20 cash\ncashier Host buys=cash\nbuy Zoya 30\n")
    assert [buy_in_slip(log, "x", entry).how for entry in (1, 2, 4)] == ["iou", "cash", "cash"]
    assert f"Zoya, on IOU{'100':>30}\n" in render(buy_in_slip(log, "x", 1), 42)


def test_buy_in_that_was_taken_back_has_no_receipt() -> None:
    log = played("seat Boris 50\nbuy Boris 1000\nundo\n")
    assert buy_in_slip(log, "x").entry == 1
    with pytest.raises(NoSuchSlip, match="Entry 2 is no buy-in"):
        buy_in_slip(log, "x", 2)
    with pytest.raises(NoSuchSlip, match="no buy-in"):
        buy_in_slip(played("note x\n"), "x")


def test_buy_in_that_was_reversed_has_no_receipt() -> None:
    log = played("seat Boris 50\nbuy Boris 1000\nreverse 2 typed 1000 for 100\n")
    assert buy_in_slip(log, "x").entry == 1
    with pytest.raises(NoSuchSlip, match="Entry 2 was reversed by entry 3"):
        buy_in_slip(log, "x", 2)
    log.submit("undo")
    assert buy_in_slip(log, "x", 2).amount == 1000


def test_reversal_with_the_right_amount_is_what_the_receipt_shows() -> None:
    log = played("seat Boris 50\nbuy Boris 1000\nreverse 2 typed 1000 for 100 amount=100\n")
    slip = buy_in_slip(log, "x")
    assert (slip.entry, slip.amount, slip.bought_in) == (3, 100, 150)


COUNTED = "game rake\nseat A 180\nseat B 120\ncount A 160\n"


def test_count_that_goes_on_shows_who_was_not_counted() -> None:
    slip = count_slip(played(COUNTED), "x")
    assert slip.rows == (CountRow("A", 180, 160), CountRow("B", 120, None))
    assert (slip.time, slip.policy, slip.difference) == ("20:03", "", -20)


def test_accepted_difference_shows_policy_shares_and_reason() -> None:
    """Negative is what somebody bears, as on the slip; the count stays after the stacks were set right."""
    slip = count_slip(played(f"{COUNTED}count B 120\naccept equal not found\n"), "x")
    assert slip.rows == (CountRow("A", 180, 160), CountRow("B", 120, 120))
    assert (slip.policy, slip.reason, slip.difference) == ("equal", "not found", -20)
    assert slip.shares == (("A", -10), ("B", -10))
    assert slip.entries == 6


def test_acceptance_that_was_reversed_is_on_no_slip() -> None:
    """The chips were found: nobody bears anything, and no difference stands on paper."""
    log = played(f"{COUNTED}count B 120\naccept equal not found\nreverse 6 under the sofa\n")
    with pytest.raises(NoSuchSlip):
        count_slip(log, "x")
    assert settlement_slip(log, "x").count is None


def test_player_who_bears_it_is_named() -> None:
    slip = count_slip(played(f"{COUNTED}accept B\n"), "x")
    assert slip.policy == "B"
    assert "Accepted: borne by B\n" in render(slip, 42)


RACK = """rack 100x1 100x5 40x25 10x100
seat A 200 chips=8x25
seat B 100 chips=4x25
count A 7x25
count B 4x25
"""


def test_chips_of_each_value_are_compared_once_the_rack_was_counted_too() -> None:
    """LEDGER.md 8.5: 25s: 40 in the set, 39 found."""
    assert count_slip(played(RACK), "x").denominations == ()
    slip = count_slip(played(f"{RACK}count rack 100x1 100x5 28x25 10x100\n"), "x")
    assert slip.denominations == (
        Denomination(100, 10, 10),
        Denomination(25, 40, 39),
        Denomination(5, 100, 100),
        Denomination(1, 100, 100),
    )
    assert "Chips of 25: set 40, found 39\n" in render(slip, 42)
    assert "Chips of 5:" not in render(slip, 42)


def test_nobody_counted() -> None:
    with pytest.raises(NoSuchSlip, match="Nobody counted"):
        count_slip(played("seat A 100\n"), "x")


def test_rules_of_the_game_with_the_house_rules_that_were_changed() -> None:
    slip = rules_slip(played("game red-dog-pool ante=10 verify=strict\n"), "x")
    assert slip.game == "Pool Red Dog"
    assert dict(slip.options)["ante"] == "10"
    assert slip.changed == {"ante", "verify"}
    assert "referee" not in dict(slip.options)
    assert slip.payouts == (("beats the card", "1 to 1"), ("does not", "the bet is lost"))
    with pytest.raises(NoSuchSlip, match="No game"):
        rules_slip(played("seat A 5\n"), "x")


OPEN = "game red-dog-pool\nseat Ann 100\nseat Bob 200\nround\ndealt\nbet Bob 8\n"


@pytest.mark.parametrize("width", [80, 42])
def test_slip_of_an_open_night_says_what_would_be_and_not_what_was(width: int) -> None:
    """In the middle of a round it said "Cashed out", "Who pays whom" and "Carried pool"."""
    text = render(settlement_slip(played(OPEN), "x"), width)
    for untrue in ("Cashed out", " Out", "Who pays whom", "Carried"):
        assert untrue not in text
    assert "Who would pay whom now" in text
    assert ["Pool", "+10"] in [line.split() for line in text.splitlines()]
    with speaking("ru"):
        assert "Выдано" not in render(settlement_slip(played(OPEN), "x"), width)


def test_slip_of_a_closed_night_says_what_was() -> None:
    text = render(settlement_slip(played(f"{OPEN}void\nclose\n"), "x"), 80)
    assert ("Cashed out" in text, "Who pays whom" in text) == (True, True)


def test_rules_say_what_a_bank_with_a_float_has() -> None:
    """They said `house infinite`, and a bet was refused as more than the bank can pay."""
    log = played("night N currency=EUR\ngame casino-red-dog\nseat Ann 100\nseat Bob 200\n")
    log.submit("house Bob 150")
    assert dict(rules_slip(log, "x").options)["house"] == "150.00, put up by Bob"
    log.submit("house Bob")
    assert dict(rules_slip(log, "x").options)["house"] == "infinite"


@pytest.mark.parametrize("game", [game.name for game in all_games()])
def test_every_game_has_its_rules_in_both_languages(game: str) -> None:
    assert len(points_of(game)) >= 4
    assert game in PAYS or game == "rake"
    with speaking("ru"):
        told = (*points_of(game), *(part for pair in pays_of(game) for part in pair))
        for width in WIDTHS:
            render(rules_slip(played(f"game {game}\n"), "x"), width).encode("cp866")
    assert not {*POINTS[game], *(part for pair in PAYS.get(game, ()) for part in pair)} & set(told)


def test_slip_while_a_bank_is_up_sums_to_zero() -> None:
    """The dealer asks how it stands in the middle of a deal: the bank is nobody's just then."""
    log = played("game red-dog-bank\nseat A 100\nseat B 100\ndealer A\nround\nbank 20\n")
    slip = settlement_slip(log, "x")
    assert [(row.name, row.net) for row in slip.players] == [("A", -20), ("B", 0)]
    assert [(row.node, row.net) for row in slip.nodes] == [("carried", 20)]


def test_slip_of_a_cash_night_says_what_is_still_to_settle() -> None:
    """Scenario 2 as far as the slip goes: bought in cash and on IOU, cashed out unpaid."""
    log = played(
        "game casino-red-dog\ncashier Host\nseat A\nseat B\n"
        "buy A 100 cash\nbuy B 100 cash\nbuy B 100 iou\nclose\n"
    )
    slip = settlement_slip(log, "x")
    assert [(row.name, row.net, row.settles) for row in slip.players] == [("A", 0, 100), ("B", 0, 100)]
    assert [(row.node, row.net, row.settles) for row in slip.nodes] == [("box", 0, -200)]
    text = render(slip, 80)
    assert "To settle" in text
    assert [line.split() for line in text.splitlines() if line.startswith(("A ", "Cash box", "Total"))] == [
        ["A", "100", "100", "0", "+100"],
        ["Cash", "box", "0", "-200"],
        ["Total", "300", "300", "0", "0"],
    ]


def test_corrections_say_what_was_reversed_by_which_entry_and_why() -> None:
    """As drawn in LEDGER.md 8.1: buy-in, Boris, 1000: reversed, typed 1000 for 100."""
    log = played("seat Boris 50\nbuy Boris 1000\nreverse 2 typed 1000 for 100\nbuy Boris 100\n")
    assert settlement_slip(log, "x").corrections == (
        "#2 buy-in, Boris, 1000: reversed by #3, typed 1000 for 100 (20:02)",
    )
    with speaking("ru"):
        assert settlement_slip(log, "x").corrections == (
            "№2 закуп, Boris, 1000: сторно №3, typed 1000 for 100 (20:02)",
        )


def test_corrections_name_what_stands_instead_and_everybody_concerned() -> None:
    log = played(
        "seat Ann 50\nseat Bo 50\nlend Ann Bo 20\nreverse 3 changed their minds\n"
        "buy Ann 30\nreverse 5 it was 15 amount=15\nbuy Bo 7\nundo\nnote x\nundo\n"
    )
    assert settlement_slip(log, "x").corrections == (
        "#3 loan, Ann, Bo, 20: reversed by #4, changed their minds (20:03)",
        "#5 buy-in, Ann, 30: reversed by #6, it was 15 (20:05); instead: buy-in, Ann, 15",
        "#7 buy-in, Bo, 7: taken back (20:06)",
    )


def test_corrections_are_said_in_words_and_not_as_they_were_typed() -> None:
    """Who bears what of an accepted difference stands on the settlement too, the box's lack included."""
    log = played(
        "game red-dog-pool\nseat Ann 50 cash\nseat Bo 50 cash\nround\nvoid two cards exposed\n"
        "count Ann 47\ncount box 98\naccept equal not found agreed=all\nbuy Bo 7\nundo\n"
    )
    assert settlement_slip(log, "x").corrections == (
        "#5 round 1 called off: two cards exposed (20:04)",
        "#8 difference, shared equally: Bo -2, Ann -1, box -2; of the cash box: Bo -1, Ann -1; not found; "
        "agreed: Ann, Bo (20:07)",
        "#9 buy-in, Bo, 7: taken back (20:08)",
    )
    with speaking("ru"):
        assert settlement_slip(log, "x").corrections == (
            "№5 раунд 1 отменён: two cards exposed (20:04)",
            "№8 разница, поровну на всех: Bo -2, Ann -1, касса -2; из кассы: Bo -1, Ann -1; not found; "
            "согласны: Ann, Bo (20:07)",
            "№9 закуп, Bo, 7: отменено (20:08)",
        )


def test_correction_that_was_taken_back_is_said_in_words_too() -> None:
    log = played(
        "game red-dog-pool\nseat Ann 50\nseat Bo 50\ncount Ann 47\naccept Ann lost\nundo\nround\nundo\n"
    )
    with speaking("ru"):
        assert settlement_slip(log, "x").corrections == (
            "№5 разница: Ann -3; lost: отменено (20:04)",
            "№7 раунд: отменено (20:06)",
        )
