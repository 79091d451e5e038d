"""Scenarios 1 and 5 to 11 of LEDGER.md chapter 9: rounds, pool and bank, with their exact figures."""

import pytest

from assistant.ledger.accounts import CHIPSET, RACK, owner_of
from assistant.ledger.balances import is_sound
from assistant.money import share_equally
from assistant.table.posting import balances_of
from assistant.table.record import night_record
from tests.table.scenario_play import ACEY, BANK, SET, pool
from tests.table.talking import code, message, nets, played, stacks, submit


def test_1_night_in_cash_ends_with_an_empty_box_and_a_full_rack() -> None:
    log = played(SET, ACEY, *(f"seat {name} 100 cash" for name in "ABCD"), "dealer D", "round")
    assert (pool(log), log.night.books.box) == (20, 400)
    for line in ("card 3H JS", "bet A 20", "card 7D"):
        log.submit(line)
    assert pool(log) == 0
    for line in ("dealer D", "round", "card 2C 4C", "pass A", "card 3D JC", "bet B 10", "card KD"):
        log.submit(line)
    for line in ("card 5D TC", "bet C 30", "card TD"):
        log.submit(line)
    assert (stacks(log), pool(log)) == ({"A": 110, "B": 80, "C": 30, "D": 90}, 90)
    for line in ("card 2H QS", "bet D 45", "card 8H"):
        log.submit(line)
    assert pool(log) == 45
    for player, posts in zip("ABCD", ("2S 9S", "4S 9H", "5S 9D", "6S 9C"), strict=True):
        log.submit(f"card {posts}")
        log.submit(f"pass {player}")
    assert stacks(log) == {"A": 122, "B": 91, "C": 41, "D": 146}  # the pool: 12, 11, 11, 11
    for name in "ABCD":
        log.submit(f"cashout {name} cash")
    assert nets(log) == {"A": 22, "B": -9, "C": -59, "D": 46}
    assert log.night.books.box == 0
    assert log.night.books.rack == ((100, 10), (25, 40), (5, 100), (1, 100))
    balances = balances_of(log.night)
    assert (balances.at(CHIPSET), balances.at(RACK), is_sound(balances)) == (-2600, 2600, True)
    assert [balances.at(owner_of(f"p{seat}"), "M") for seat in (1, 2, 3, 4)] == [22, -9, -59, 46]


def test_5_post_pays_double() -> None:
    log = played(
        "game acey-deucey-pot ante=20", *(f"seat {name} 200" for name in "ABCD"), "dealer D", "round"
    )
    submit(log, "card AD", "ace A low", "card 3D")
    assert (stacks(log)["A"], pool(log)) == (180, 80)
    submit(log, "bet A 80", "card 3H")
    assert (stacks(log)["A"], pool(log)) == (20, 240)


def test_6_stack_covers_the_worst_case_or_the_shortfall_is_forgiven() -> None:
    start = [*(f"seat {name} 100" for name in "ABCD"), "dealer D", "round", "card 3H JS"]
    log = played("game acey-deucey-pot ante=20", *start)
    assert (stacks(log)["A"], pool(log)) == (80, 80)
    assert code(log, "bet A 60") == "E_BET_HIGH"
    assert "20 to 40" in message(log, "bet A 60")
    log = played("game acey-deucey-pot ante=20 cover=bet", *start)
    submit(log, "bet A 60", "card 3D")
    assert (stacks(log)["A"], pool(log)) == (0, 160)


def test_7_bet_over_the_pool_or_the_stack_is_refused_and_nothing_is_written() -> None:
    log = played("game red-dog-pool ante=5 hand=3", "seat A 100", "seat B 100", "dealer B", "round", "dealt")
    assert (stacks(log)["A"], pool(log)) == (95, 10)
    assert (code(log, "bet A 15"), code(log, "bet A 96")) == ("E_BET_HIGH", "E_STACK")
    assert "5 to 10" in message(log, "bet A 15")
    assert "only 95, not 96" in message(log, "bet A 96")


def test_8_bet_of_the_whole_pool_forces_the_next_ante() -> None:
    log = played(ACEY, *(f"seat {name} 100" for name in "ABCDEF"), "dealer F", "round", "card 3H JS")
    submit(log, "bet A 30", "card 7D")
    assert (pool(log), stacks(log)["A"], log.night.in_round) == (0, 125, False)
    log.submit("round")
    assert (pool(log), stacks(log)["A"]) == (30, 120)


def test_9_pool_is_shared_with_odd_chips_from_the_dealers_left() -> None:
    assert list(share_equally(47, "BCDEFA").values()) == [8, 8, 8, 8, 8, 7]
    log = played(ACEY, *(f"seat {name} 10" for name in "ABCDEF"), "dealer A", "carry 47", "share")
    assert stacks(log) == {"A": 17, "B": 18, "C": 18, "D": 18, "E": 18, "F": 18}
    # 52 in chips of 5 for B C D A: 15 15 10 10, and 2 left over that are carried
    log = played(ACEY, *(f"seat {name} 10" for name in "ABCD"), "dealer A", "carry 52", "share unit=5")
    assert (stacks(log), pool(log)) == ({"A": 20, "B": 25, "C": 25, "D": 20}, 2)
    log.submit("close pool=carry")
    assert night_record(log.night)["settlement"] == [
        {"from": "carried", "to": "A", "amount": 10},
        {"from": "carried", "to": "B", "amount": 15},
        {"from": "carried", "to": "C", "amount": 15},
        {"from": "carried", "to": "D", "amount": 10},
    ]


@pytest.mark.parametrize(
    ("posts", "third", "after"),
    [
        ("2H 4S", "3D", (200, 400)),
        ("2H 5S", "3D", (180, 420)),
        ("2H 6S", "3D", (140, 460)),
        ("2H 9S", "3D", (120, 480)),
        ("2H 2S", "2D", (320, 280)),
    ],
)
def test_10_bank_pays_by_the_spread(posts: str, third: str, after: tuple[int, int]) -> None:
    log = played(BANK, "seat A 100", "seat Karl 500", "house Karl 500", "bet A 20", f"card {posts}")
    if not posts.endswith("2S"):
        log.submit("call A")
    log.submit(f"card {third}")
    assert (log.night.chips.stack("p1"), log.night.chips.at("house")) == after
    if after == (320, 280):
        submit(log, "shuffle", "bet A 20", "card 6H 7S")  # neighbours: a push
        assert (log.night.chips.stack("p1"), log.night.chips.at("house")) == (320, 280)
        submit(log, "bet A 20", "card 8H QS", "raise A", "card AD")
        assert (log.night.chips.stack("p1"), log.night.chips.at("house")) == (280, 320)


def test_11_float_limits_the_bets() -> None:
    log = played(BANK, "seat A 1000", "seat Karl 1000", "house Karl 500")
    assert code(log, "bet A 50") == "E_LIMIT"
    assert "45" in message(log, "bet A 50")
    log = played(BANK, "seat A 1000", "seat Karl 1000", "house Karl 550", "bet A 50")
    assert log.night.chips.bet("p1") == 50
