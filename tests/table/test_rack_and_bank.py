"""What lies in the rack where the house plays from it, the count of a bank with a float of its own, and chips
that are too many."""

import pytest

from assistant.slips.text import render
from assistant.table.closing import plan_of
from assistant.table.money_view import money_view
from assistant.table.night_log import NightLog
from assistant.table.papers import count_slip
from assistant.table.posting import balances_of
from assistant.table.reconciling import comparison_of
from assistant.table.settling import settlement_slip
from assistant.table.speech import wording_of
from tests.table.talking import code, dues, message, nets, played, stacks, submit, told

POOL = "game red-dog-pool"
CASINO = ("game casino-red-dog decks=8 max=1000", "shuffle")
SET = "rack 100x1 60x5 20x25"


def played_for(player: str, bet: int, third: str) -> tuple[str, ...]:
    """A round of one player on 2 and 9: KD loses, 5D wins the bet."""
    return f"bet {player} {bet}", "card 2H 9S", f"call {player}", f"card {third}"


def both_lose_30() -> NightLog:
    """100 chips of 1, all of them sold; 60 lie in the rack again, for the house won them."""
    lines = [*played_for("Ann", 30, "KD"), *played_for("Bob", 30, "KC")]
    return played(*CASINO, "rack 100x1", "seat Ann 50", "seat Bob 50", *lines)


def ann_wins_20(*lines: str) -> NightLog:
    return played(*CASINO, SET, "seat Ann 100", "seat Bob 100", *played_for("Ann", 20, "5D"), *lines)


def host_banks(*lines: str) -> NightLog:
    """Host puts up 150 and loses 10 of them to Ann."""
    seats = ("seat Host 150", "seat Ann 100", "house Host 150")
    return played(*CASINO, SET, *seats, *played_for("Ann", 10, "5D"), *lines)


def test_what_the_house_won_is_sold_again() -> None:
    log = both_lose_30()
    assert log.night.in_rack == 60
    log.submit("buy Ann 30")
    assert (told(log), log.night.in_rack) == (("GIVE 30 to Ann",), 30)
    assert (code(log, "buy Ann 31"), code(log, "buy Bob 31 chips=31x1")) == ("E_RACK", "E_RACK")
    assert message(log, "buy Ann 31") == (
        "The rack can't make up 31; it holds 30. Let somebody cash out or lend first."
    )
    log.submit("buy Bob 30 chips=30x1")
    assert (told(log), log.night.in_rack) == (("GIVE 30 to Bob: 30x1",), 0)
    balances = balances_of(log.night)
    assert (balances.at("rack"), balances.at("house")) == (-60, 60)  # two accounts, one place


def test_chips_no_set_makes_up_are_not_sold_from_what_the_house_won() -> None:
    log = played(*CASINO, "rack 4x25 2x10", "seat Ann 100", "seat Bob 20", *played_for("Ann", 50, "KD"))
    assert log.night.in_rack == 50
    assert message(log, "buy Bob 30") == "The rack can't make up 30; it can make up: 25, 35."
    log.submit("buy Bob 25")
    assert (told(log), log.night.in_rack) == (("GIVE 25 to Bob",), 25)


def test_what_the_house_lost_is_not_expected_in_the_rack() -> None:
    log = ann_wins_20()
    assert (log.night.in_rack, log.night.rack_chips) == (680, None)
    submit(log, "count rack 680", "count Ann 120", "count Bob 100", "close")
    assert log.night.in_rack == 900
    assert "Rack: counted 680, ledger 680: agrees" in render(settlement_slip(log, "n"), 48)


def test_rack_counted_by_denomination_says_what_it_holds_until_the_house_plays_on() -> None:
    log = ann_wins_20("count rack 12x25 56x5 100x1", "count Ann 4x25 4x5", "count Bob 4x25")
    assert log.night.rack_chips == ((25, 12), (5, 56), (1, 100))
    assert comparison_of(log.night).short_colours == ()
    assert len(comparison_of(log.night).colours) == 3
    submit(log, *played_for("Bob", 5, "KD"))
    assert log.night.in_rack == 685
    assert log.night.rack_chips is None
    view = money_view(log, wording_of(log.night))
    assert (view.rack, view.rack_worth) == ((), 685)


def test_rack_counted_by_its_sum_alone_lacks_no_colour() -> None:
    log = played(SET, "seat Ann 100", "count Ann 4x25", "count rack 800")
    assert comparison_of(log.night).colours == ()


def test_difference_of_a_rack_the_house_plays_from_is_accepted_to_the_chip() -> None:
    log = ann_wins_20("count rack 675")
    assert code(log, "close") == "E_COUNT"
    log.submit("accept equal dropped")
    assert (told(log), log.night.in_rack) == (("ACCEPTED: rack -5",), 675)
    submit(log, "count rack 675", "count Ann 120", "count Bob 100", "close")


def test_player_who_banks_without_a_float_pays_from_the_rack_too() -> None:
    seats = ("seat Host 100", "seat Ann 100", "house Host")
    log = played(*CASINO, SET, *seats, *played_for("Ann", 20, "5D"))
    assert log.night.in_rack == 680
    submit(log, "house Ann")
    assert (log.night.in_rack, nets(log)) == (680, {"Host": -20, "Ann": 20})


def test_set_is_counted_anew_once_the_house_has_all_the_chips_that_were_sold() -> None:
    log = both_lose_30()
    assert code(log, "rack 90x1") == "E_PHASE"
    submit(log, "cashout Ann", "cashout Bob", "rack 90x1")
    assert log.night.rack_chips == ((1, 90),)


def test_reversed_cash_out_takes_from_the_rack_what_the_sum_covers() -> None:
    log = both_lose_30()
    log.submit("cashout Ann 20")
    number = log.log[-1].seq
    log.submit(f"reverse {number} typed wrong")
    assert (log.night.in_rack, stacks(log)) == (60, {"Ann": 20, "Bob": 20})


def test_chips_are_changed_for_those_the_house_may_have_won() -> None:
    log = played(*CASINO, "rack 4x25 50x1", "seat Ann 100", "seat Bob 50", *played_for("Ann", 25, "KD"))
    assert message(log, "change Bob 25x1") == "The rack has too few chips for 25; it holds 25. Choose others."
    log.submit("change Bob 25x1 for 1x25")
    assert log.night.in_rack == 25
    assert code(log, "change Ann 50x1 for 2x25") == "E_RACK"


# --- a bank with a float ------------------------------------------------------------------------------------


def test_bank_with_a_float_is_counted_apart_from_its_banker_and_from_the_rack() -> None:
    log = host_banks()
    assert (log.night.bank_float, log.night.in_rack) == (140, 650)
    submit(log, "count Host 0", "count Ann 110", "count house 140")
    rows = [(row.who, row.ledger, row.counted) for row in comparison_of(log.night).rows]
    assert rows[-1] == ("house", 140, 140)
    log.submit("close")
    assert nets(log) == {"Host": -10, "Ann": 10}
    assert "House                      140      140        0" in render(count_slip(log, "n"), 48)


def test_bank_that_was_counted_and_differs_holds_the_close() -> None:
    log = host_banks("count house 135")
    assert code(log, "close") == "E_COUNT"
    assert message(log, "close").startswith("house: counted 135, ledger 140, difference -5.")
    log.submit("accept equal dropped")
    assert (told(log), log.night.bank_float) == (("ACCEPTED: house -5",), 135)
    log.submit("close")
    assert nets(log) == {"Host": -15, "Ann": 10}
    assert "house -5" in render(settlement_slip(log, "n"), 80)
    assert sum(log.night.receivables().values()) == 0


def test_bank_that_nobody_counted_holds_up_nothing() -> None:
    log = host_banks("count start confirm=off", "count Host 0", "count Ann 110", "count rack 650", "close")
    assert log.night.closed


def test_banker_does_not_confirm_the_bank() -> None:
    log = host_banks("count house 140")
    assert code(log, "confirm house by=Host") == "E_COUNT"
    log.submit("confirm house")
    assert told(log) == ("CONFIRMED house: by Ann",)


@pytest.mark.parametrize("lines", [(), ("house Host",)])
def test_house_without_a_float_has_nothing_of_its_own_to_count(lines: tuple[str, ...]) -> None:
    log = played(*CASINO, SET, "seat Host 150", "seat Ann 100", *lines)
    assert code(log, "count house 5") == "E_PLAYER"
    assert "what it wins and loses lies in the rack" in message(log, "count house 5")


# --- surplus chips ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("policy", "received"),
    [
        ("equal", {"Ann": 2, "Bob": 2, "Cem": 2}),
        ("Bob", {"Ann": 0, "Bob": 6, "Cem": 0}),
        ("count", {"Ann": 6, "Bob": 0, "Cem": 0}),
    ],
)
@pytest.mark.parametrize("how", ["iou", "cash"])
def test_surplus_chips_are_received_and_paid_to_nobody(
    policy: str, received: dict[str, int], how: str
) -> None:
    """TABLE_TALK.md, `accept`: surplus chips are received. Nobody paid for them, so they bring no money."""
    seats = [f"seat {name} 100 {how}" for name in ("Ann", "Bob", "Cem")]
    log = played(POOL, *seats, "count Ann 106", f"accept {policy} nobody knows")
    assert nets(log) == received
    number = log.log[-1].seq
    log.submit("close")
    plan = plan_of(log.night)
    paid = {"Ann", "Bob", "Cem"} if how == "cash" else set()
    assert {(log.night.names().get(one.payee), one.payer, one.amount) for one in plan.lines} == {
        (name, "box", 100) for name in paid
    }
    assert "Surplus chips: nobody pays 6 until it is known where they came from" in (
        settlement_slip(log, "n").besides
    )
    assert sum(log.night.receivables().values()) == 0
    log.submit(f"reverse {number} Ann bought 6")
    assert log.night.books.money.at("held") == 0
    assert nets(log) == {"Ann": 0, "Bob": 0, "Cem": 0}


def test_surplus_chips_can_be_cashed_by_nobody_at_the_others_cost() -> None:
    log = played(POOL, "seat Ann 100 cash", "seat Bob 100 cash", "count Ann 106", "accept count")
    submit(log, "cashout Ann cash", "cashout Bob cash")
    assert (log.night.books.box, dues(log)) == (0, {"Ann": 0, "Bob": 0})


ANTES = ("dealer Ann", "round", "dealt", "fold Bob", "fold Ann")
POOL_OF_TWENTY = (POOL, "seat Ann 100", "seat Bob 100", *ANTES)


@pytest.mark.parametrize("policy", ["count", "equal", "open"])
def test_surplus_chips_of_the_pool_are_shared_with_it_and_paid_by_nobody(policy: str) -> None:
    """The plan had "missing chips" as payer, which nobody can ask for money."""
    log = played(*POOL_OF_TWENTY, "count pool 24", f"accept {policy} nobody knows")
    log.submit("close")
    assert (nets(log), plan_of(log.night).lines) == ({"Ann": 2, "Bob": 2}, ())
    slip = settlement_slip(log, "n")
    assert "Surplus chips: nobody pays 4 until it is known where they came from" in slip.besides
    assert "Surplus chips" in render(slip, 80)
    assert "Missing chips" not in render(slip, 80)
    assert sum(log.night.receivables().values()) == 0


def test_surplus_chips_of_the_pool_that_are_explained_owe_nobody_anything() -> None:
    log = played(*POOL_OF_TWENTY, "count pool 24", "accept count")
    log.submit(f"reverse {log.log[-1].seq} Ann bought 4")
    assert (log.night.books.money.at("held"), dues(log)) == (0, {"Ann": 100, "Bob": 100})


def test_surplus_chips_of_a_bank_are_the_bankers_and_paid_by_nobody() -> None:
    log = played(
        *CASINO, "seat Host 150", "seat Ann 100", "house Host 100", "count house 110", "accept count"
    )
    log.submit("close")
    assert (nets(log), plan_of(log.night).lines) == ({"Host": 10, "Ann": 0}, ())
    assert "Surplus chips: nobody pays 10 until it is known where they came from" in (
        settlement_slip(log, "n").besides
    )


def test_a_surplus_and_a_loss_behind_it_are_both_explained() -> None:
    """Bob pays his loss into the box, and the slip said nothing of it but that nobody pays the surplus."""
    log = played(POOL, "seat Ann 100", "seat Bob 100", "count Ann 104", "accept count")
    submit(log, "count Bob 96", "accept Bob", "close")
    assert [(one.payer, one.payee, one.amount) for one in plan_of(log.night).lines] == [("p2", "box", 4)]
    assert settlement_slip(log, "n").besides[:2] == (
        "Surplus chips: nobody pays 4 until it is known where they came from",
        "Missing chips: 4 stay in the cash box until they are found",
    )


def test_a_difference_held_open_does_not_hide_what_the_pool_lacks() -> None:
    log = played(*POOL_OF_TWENTY, "count pool 16", "accept count", "count Ann 93", "accept open", "close")
    assert settlement_slip(log, "n").besides[:2] == (
        "Difference of 3 held open: nobody bears it until it is found",
        "Missing chips: 4 stay in the cash box until they are found",
    )


def test_chips_that_were_missing_and_are_found_are_paid_from_the_box() -> None:
    """What was borne lies in the box: only what is found beyond it nobody pays."""
    log = played(POOL, "seat Ann 100", "seat Bob 100", "count Ann 80", "accept equal")
    submit(log, "count Ann 116", "accept Ann found them")
    assert nets(log) == {"Ann": 16, "Bob": -10}
    log.submit("close")
    assert [(one.payer, one.payee, one.amount) for one in plan_of(log.night).lines] == [("p2", "p1", 10)]


@pytest.mark.parametrize(
    ("found", "policy", "said"),
    [
        (81, "count", "Ann: net -19, of it +1 not paid, so -20 is settled"),
        (81, "open", "Ann: net -19, of it +1 not paid, so -20 is settled"),
        (79, "open", "Ann: net -21, of it -1 not paid, so -20 is settled"),
        (81, "Bob", "Bob: net +21, of it +1 not paid, so +20 is settled"),
    ],
)
def test_a_net_beside_another_payment_is_said_to_hold_what_nobody_pays(
    found: int, policy: str, said: str
) -> None:
    """A net of -19 stood beside a payment of 20, and nothing said that they agree."""
    lost = ("house Bob", "bet Ann 20", "card 2H 9S", "call Ann", "card KD")
    log = played(*CASINO, "seat Ann 100", "seat Bob 100", *lost)
    submit(log, "count start confirm=off", f"count Ann {found}", "count Bob 100", f"accept {policy}", "close")
    plan = money_view(log, wording_of(log.night)).plan
    assert plan is not None
    assert [(one.payer, one.payee, one.amount) for one in plan.lines] == [("Ann", "Bob", 20)]
    assert plan.missing.endswith(said)
