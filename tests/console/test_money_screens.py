"""The ledger and the end of the night by keys: accounts, reversals, a blind count, payments, and why."""

from collections.abc import Callable
from typing import Any

import pytest

Open = Callable[..., Any]
SET = "rack 100x1 100x5 40x25 10x100"
CASINO = "game casino-red-dog decks=8 max=1000"


def lost(loser: str, amount: int, winner: str) -> list[str]:
    """A bet of casino Red Dog that the winner banks."""
    bet = ["shuffle", f"house {winner}", f"bet {loser} {amount}", "card 2H 9S"]
    return [*bet, f"call {loser}", "card KD", f"house {winner}"]


async def test_the_ledger_shows_accounts_box_rack_and_the_entries(open_console: Open) -> None:
    lines = [SET, "cashier Nina buys=cash", "seat Anna 100", "seat Boris 100 iou", "lend Anna Boris 20"]
    async with open_console(lines) as dealer:
        await dealer.press("f11")
        body = dealer.area("body")
        assert "LEDGER" in dealer.area("bar")
        assert "Anna                              100        20        80         0       -20" in body
        assert "Boris                             120         0       120         0      +120" in body
        assert "Nina                guest" in body
        assert "box 100  ·  cashier: Nina  ·  rack 2400" in body
        assert body.index("#5 ") < body.index("#4 ") < body.index("#1 ")


async def test_entries_are_looked_for_by_what_is_typed(open_console: Open) -> None:
    async with open_console(["seat Anna 100", "seat Boris 50", "buy Anna 20", "undo"]) as dealer:
        await dealer.press("f11")
        await dealer.type("boris")
        assert ("#2 " in dealer.area("body"), "#1 " in dealer.area("body")) == (True, False)
        assert "1 entry" in dealer.area("entry")
        await dealer.press("escape")
        await dealer.type("undone")
        assert ("#3 " in dealer.area("body"), "#2 " in dealer.area("body")) == (True, False)
        assert dealer.lines[-1] == "undo"


async def test_entries_are_looked_for_through_the_whole_night(open_console: Open) -> None:
    """The snapshot holds the last sixty; the second entry of seventy is found, and marked once reversed."""
    notes = [f"note {number}" for number in range(68)]
    async with open_console(["seat Anna 100", "seat Boris 1000", *notes]) as dealer:
        await dealer.press("f11")
        await dealer.type("boris")
        assert "1 entry" in dealer.area("entry")
        assert "#2 " in dealer.area("body")
        assert "seat Boris 1000" in dealer.area("body")
        await dealer.press("enter", "1")
        await dealer.line("typed for Carl")
        assert dealer.lines[-1] == "reverse 2 typed for Carl"
        await dealer.type("reversed")
        marked = [line for line in dealer.area("body").splitlines() if line.rstrip().endswith("reversed")]
        assert [line.split()[0] for line in marked] == ["#2"]
        await dealer.press("escape")
        await dealer.type("seat")
        await dealer.press("down", "down")
        assert "▶ #1 " in dealer.area("body")
        await dealer.press("enter")
        assert "#1: seat Anna 100" in dealer.area("bar")


async def test_what_was_counted_and_accepted_is_not_asked_for_again(open_console: Open) -> None:
    """The box, which nobody counted, is not called accepted."""
    lines = ["seat Anna 100 cash", "seat Boris 100", "count Anna 80", "count Boris 100", "accept equal lost"]
    async with open_console([*lines, "note found nothing"]) as dealer:
        await dealer.press("f6")
        box = next(line.split() for line in dealer.area("body").splitlines() if "cash box" in line)
        assert box[-1] == "-"
        rows = [line.split() for line in dealer.area("body").splitlines() if "accepted" in line]
        assert [row[-1] for row in rows[:2]] == ["accepted", "accepted"]
        assert "Counted and accepted by entry 5; no chips have moved since." in dealer.area("body")
        await dealer.press("f4")
        await dealer.line("Carl 50")
        await dealer.press("f6")
        assert "accepted" not in dealer.area("body")


async def test_every_place_that_was_counted_and_accepted_says_so(open_console: Open) -> None:
    """Pool, house and box stood there as if nobody had counted them, and the bar still said COUNT."""
    lines = [CASINO, "seat Anna 100 cash", "seat Boris 100", "house Boris 50", "count start confirm=off"]
    counts = ["count Anna 97", "count Boris 50", "count house 50", "count box 100"]
    async with open_console([*lines, *counts, "accept open"]) as dealer:
        await dealer.press("f6")
        assert dealer.area("body").count("accepted") == 4 + len(["Counted and accepted by entry"])
        assert not [line for line in dealer.area("body").splitlines() if line.rstrip().endswith(" -")]
        assert "CLOSE the night" in dealer.area("bar")
        assert "COUNT" not in dealer.area("bar")


async def test_a_confirmed_count_is_not_written_over_without_a_question(open_console: Open) -> None:
    lines = [CASINO, "seat Anna 100", "seat Boris 80", "count start", "count Anna 100 by=Boris"]
    async with open_console(lines) as dealer:
        await dealer.press("f6", "up")
        await dealer.line("90")
        assert dealer.lines[-1] == lines[-1]
        asked = "Anna: 100 is counted, and Boris confirmed it. Enter once more counts 90 instead."
        assert asked in " ".join(dealer.area("bar").split())
        await dealer.press("down")
        await dealer.line("80")
        assert dealer.lines[-1] == "count Boris 80", "what was asked about Anna was not for Boris"
        await dealer.press("up")
        await dealer.line("100")
        assert dealer.lines[-1] == "count Anna 100", "the same figure stays confirmed"
        assert "✓ 100" in dealer.area("body")
        await dealer.press("up")
        await dealer.line("95")
        await dealer.press("enter")
        assert dealer.lines[-1] == "count Anna 95"


LOST_30 = ["bet Anna 30", "card 2H 9S", "call Anna", "card KD"]


async def test_house_that_nobody_holds_has_its_row_in_the_ledger(open_console: Open) -> None:
    """Its chips were seen nowhere: the players' nets didn't come to zero."""
    async with open_console([CASINO, "seat Anna 100", "seat Boris 100", *LOST_30]) as dealer:
        await dealer.press("f11")
        row = next(line for line in dealer.area("body").splitlines() if line.strip().startswith("house"))
        assert row.split() == ["house", "30", "+30", "-30"]
        await dealer.press("down", "down", "enter")
        assert "pays into the box" not in dealer.area("body")
        await dealer.press("1")
        assert "house gets 30" in dealer.area("body")
        await dealer.press("escape", "down", "enter", "1")
        assert "house gets 30" in dealer.area("body")


async def test_dues_of_the_ledger_add_up_with_the_houses(open_console: Open) -> None:
    """The row said -30 less than WHY: what is missing in the box is the house's to bear."""
    lines = [
        CASINO,
        "seat Anna 100 cash",
        "seat Boris 100",
        "bet Anna 30",
        "card 2H 9S",
        "call Anna",
        "card 5D",
    ]
    counts = ["count Anna 130", "count Boris 100", "count box 95"]
    async with open_console([*lines, "count start confirm=off", *counts, "accept open", "close"]) as dealer:
        await dealer.press("f11")
        row = next(line for line in dealer.area("body").splitlines() if line.strip().startswith("house"))
        assert row.split() == ["house", "-30", "-30", "+35"]
        money = dealer.snapshot.money
        assert money.house is not None
        assert sum(one.due for one in (*money.accounts, money.house)) == -money.box
        await dealer.press("down", "down", "enter", "1")
        assert "house gives 35" in dealer.area("body")


async def test_bank_with_a_float_has_its_row_in_the_ledger_with_who_holds_it(open_console: Open) -> None:
    lines = [CASINO, "seat Anna 100", "seat Boris 100", "house Boris 50"]
    async with open_console(lines) as dealer:
        await dealer.press("f11")
        row = next(line for line in dealer.area("body").splitlines() if line.strip().startswith("house"))
        assert row.split() == ["house", "(Boris)", "50"]


async def test_without_chips_in_the_house_it_has_no_row(open_console: Open) -> None:
    async with open_console([CASINO, "seat Anna 100", "seat Boris 100"]) as dealer:
        await dealer.press("f11")
        assert not [line for line in dealer.area("body").splitlines() if line.strip().startswith("house")]


async def test_undo_at_the_count_says_that_no_chips_move_for_an_accepted_difference(
    open_console: Open,
) -> None:
    """The screen said nothing, and the table asked to pay out chips that nobody had taken."""
    async with open_console(
        ["seat Anna 100", "seat Boris 100", "count Anna 94", "count Boris 100"]
    ) as dealer:
        await dealer.press("f6", "a")
        await dealer.line("5")
        assert dealer.lines[-1] == "accept open"
        for key in ("u", "f2"):
            await dealer.press(key)
            assert "Taken back: accept open" in dealer.area("bar")
            assert "NO CHIPS MOVE" in dealer.area("bar")
            assert "PAY" not in dealer.area("bar")


async def test_an_entry_is_reversed_with_a_reason(open_console: Open) -> None:
    async with open_console(["seat Anna 100", "buy Anna 1000"]) as dealer:
        await dealer.press("f11", "tab", "enter", "2")
        assert ":reverse 2 amount=" in dealer.area("entry")
        await dealer.line("100 typed 1000 for 100")
        assert dealer.lines[-1] == "reverse 2 amount=100 typed 1000 for 100"
        assert dealer.seat("Anna").stack == 200
        await dealer.press("enter", "1")
        await dealer.line("once more")
        assert "is a reversal itself" in dealer.area("bar")


async def test_the_menu_of_an_entry_offers_only_what_can_be_done_with_it(open_console: Open) -> None:
    lines = ["seat Anna 100 cash", "seat Boris 100", "cashout Anna 20 cash", "lend Anna Boris 30"]
    async with open_console([*lines, "pay Boris box 10", "leave Boris"]) as dealer:
        await dealer.press("f11", "tab")
        for amount, iou, due in (
            (False, False, True),  # the leave
            (False, False, False),  # the payment
            (False, False, False),  # the loan
            (True, False, True),  # the cash-out
            (True, True, False),  # the buy-in
        ):
            await dealer.press("enter")
            body = dealer.area("body")
            assert "reverse it" in body
            assert ("another amount" in body, "on an IOU" in body, "leave it due" in body) == (
                amount,
                iou,
                due,
            )
            await dealer.press("escape", "down")
        await dealer.press("enter", "2", "enter")
        assert "Type the right amount and why" in dealer.area("bar")


async def test_a_reversed_entry_is_marked_and_found(open_console: Open) -> None:
    async with open_console(
        ["seat Anna 100", "seat Boris 50", "buy Anna 20", "reverse 3 never paid"]
    ) as dealer:
        await dealer.press("f11")
        lines = dealer.area("body").splitlines()
        assert [line for line in lines if "#3 " in line and line.rstrip().endswith("reversed")]
        assert not [line for line in lines if "#1 " in line and "reversed" in line]
        await dealer.press("tab")
        await dealer.type("reversed")
        assert "#3 " in dealer.area("body")
        assert "#1 " not in dealer.area("body")


async def test_an_iou_is_paid_from_the_account(open_console: Open) -> None:
    async with open_console(["seat Anna 100", "seat Boris 100"]) as dealer:
        await dealer.press("f11", "down", "enter", "2")
        await dealer.line("60")
        assert dealer.lines[-1] == "pay Boris box 60"
        assert "+40" in dealer.area("body")


async def test_why_somebody_owes_what_they_owe(open_console: Open) -> None:
    async with open_console(["seat Anna 100", "seat Boris 100", "expense Anna 31 pizza"]) as dealer:
        await dealer.press("f11", "down", "enter", "1")
        body = dealer.area("body")
        assert "Boris gives 115" in body
        assert "expense Anna 31 pizza" in body
        await dealer.press("escape")
        assert "LEDGER" in dealer.area("bar")


async def test_the_count_is_blind_until_every_stack_is_counted(open_console: Open) -> None:
    async with open_console([CASINO, "seat Anna 100", "seat Boris 80"]) as dealer:
        await dealer.press("f6")
        assert ("100" in dealer.area("body"), "ledger" in dealer.area("body")) == (False, False)
        await dealer.line("90")
        assert "100" not in dealer.area("body")
        await dealer.press("l")
        assert "100" in dealer.area("body")
        await dealer.press("l")
        await dealer.line("90")
        body = dealer.area("body")
        assert "COMPARE" in dealer.area("bar")
        assert ("-10 !" in body, "+10 !" in body) == (True, True)
        assert "Two stacks differ by 10: Anna, Boris" in body


async def test_chips_are_counted_by_colour_and_the_missing_one_is_named(open_console: Open) -> None:
    lines = [SET, CASINO, 'seat Anna 100 chips="4x25"', 'seat Boris 100 chips="20x5"']
    async with open_console(lines) as dealer:
        await dealer.press("f6")
        await dealer.line("3x25", "20x5")
        assert dealer.lines[-3:] == ["count start", "count Anna 3x25", "count Boris 20x5"]
        assert "Counted blind" in dealer.area("body")  # the chip may lie in the rack: that is counted too
        await dealer.line("100x1 80x5 36x25 10x100")
        body = dealer.area("body")
        assert "Chips of 25: set 40, found 39" in body
        assert "One chip of 25 is missing" in body
        await dealer.press("a", "4", "enter")
        assert dealer.lines[-1] == "accept count"
        assert dealer.seat("Anna").stack == 75


async def test_payments_are_marked_one_by_one(open_console: Open) -> None:
    lines = [CASINO, *(f"seat {name} 100" for name in ("Anna", "Boris", "Vera"))]
    async with open_console(
        [*lines, *lost("Anna", 30, "Vera"), *lost("Boris", 20, "Vera"), "close"]
    ) as dealer:
        await dealer.press("f6")
        assert "2 payments, fewer are not possible" in dealer.area("body")
        await dealer.line("10")
        assert dealer.lines[-1] == "pay 1 10"
        assert "open 20" in dealer.area("body")
        await dealer.line("21")
        assert "only 20 is open, not 21" in dealer.area("bar")
        await dealer.press("escape", "down", "m", "enter")
        assert dealer.lines[-1] == "pay 2 20"
        await dealer.press("up", "m", "enter")
        assert "Everything is paid." in dealer.area("body")
        await dealer.press("m")
        assert "Anna to Vera: that line is paid already." in dealer.area("bar")
        assert "PAID?" not in dealer.area("bar")
        await dealer.press("w")
        assert "Anna is even" in dealer.area("body")


async def test_a_player_called_like_a_line_of_the_plan_is_paid_by_name(open_console: Open) -> None:
    lines = [CASINO, "seat 1 100", "seat Boris 100", *lost("1", 30, "Boris"), "close"]
    async with open_console(lines) as dealer:
        await dealer.press("f6", "m", "enter")
        assert dealer.lines[-1] == "pay 1 Boris 30"
        assert "Everything is paid." in dealer.area("body")


async def test_the_mark_of_the_count_stays_with_its_player(open_console: Open) -> None:
    """Anna goes while Boris is marked: the next number is Boris's, not Vera's."""
    seats = [f"seat {name} 100" for name in ("Anna", "Boris", "Vera")]
    async with open_console([CASINO, *seats]) as dealer:
        await dealer.press("f6", "down")
        await dealer.line(":leave Anna")
        await dealer.line("100")
        assert dealer.lines[-1] == "count Boris 100"


async def test_the_mark_of_a_count_that_goes_on_is_where_it_was_left(open_console: Open) -> None:
    """It was on the first row again: the next number was written over a count that was confirmed."""
    seats = [f"seat {name} 100" for name in ("Anna", "Boris", "Vera")]
    async with open_console([CASINO, *seats]) as dealer:
        await dealer.press("f6")
        await dealer.line("90", "100")
        await dealer.press("f2", "f6")
        await dealer.line("110")
        assert dealer.lines[-1] == "count Vera 110"


async def test_the_mark_goes_on_from_a_recount_to_the_next_row_that_differs(open_console: Open) -> None:
    """It went back to the first: after Boris, counted again, the next number was Anna's."""
    seats = [f"seat {name} 100" for name in ("Anna", "Boris", "Vera", "Gleb")]
    async with open_console([CASINO, *seats]) as dealer:
        await dealer.press("f6")
        await dealer.line("90", "80", "100", "130")
        marked = [line for line in dealer.area("body").splitlines() if "▶" in line]
        assert "Anna" in marked[0], "the last was counted: on to the first that differs"
        await dealer.press("down")
        await dealer.line("80", "130", "90")
        assert dealer.lines[-3:] == ["count Boris 80", "count Gleb 130", "count Anna 90"]
        await dealer.line("100", "130", "100", "130")
        assert dealer.lines[-3:] == ["count Gleb 130", "count Anna 100", "count Gleb 130"]
        marked = [line for line in dealer.area("body").splitlines() if "▶" in line]
        assert "Gleb" in marked[0], "nothing else differs"


async def test_a_closed_table_offers_what_it_can_still_do(open_console: Open) -> None:
    async with open_console([CASINO, "seat Anna 100", "seat Boris 100"], size=(160, 40)) as dealer:
        assert [word for word in ("undo", "redo") if word in dealer.area("keys")] == ["undo"]
        await dealer.press("u")
        assert [word for word in ("undo", "redo") if word in dealer.area("keys")] == ["undo", "redo"]
    async with open_console([CASINO, "seat Anna 100", "close"], size=(160, 40)) as dealer:
        shown = dealer.area("seats")
        assert "The night is closed: F6 shows who pays whom." in shown
        assert "Nobody is seated" not in shown
        assert [word for word in ("undo", "redo", "wrong", "misdeal") if word in dealer.area("keys")] == []


async def test_lists_that_do_not_fit_say_how_many_more_there_are(open_console: Open) -> None:
    """Eighteen payments on a small screen: whoever pays the last four would not be called."""
    names = [f"Player{number}" for number in range(1, 20)]
    seats = [f"seat {name} 100" for name in names]
    async with open_console([CASINO, *seats, "expense Player1 190", "close"]) as dealer:
        await dealer.press("f6")
        assert "18 payments" in dealer.area("body")
        assert "↓ 6 more" in dealer.area("body")
        await dealer.press(*["down"] * 17)
        assert "↑ 6 more" in dealer.area("body")
        assert "↓" not in dealer.area("body")
        await dealer.press("escape", "f11")
        assert "↓ 11 more" in dealer.area("body")  # eight of nineteen: no undo key on a closed night


async def test_how_it_is_settled_is_chosen_before_the_close(open_console: Open) -> None:
    lines = [CASINO, *(f"seat {name} 100" for name in ("Anna", "Boris", "Vera"))]
    async with open_console([*lines, *lost("Anna", 30, "Vera"), *lost("Boris", 20, "Vera")]) as dealer:
        await dealer.press("f6", "h", "2", "enter")
        assert dealer.lines[-1] == "settle cashier"
        await dealer.press("h", "4")
        assert ":settle players unit=" in dealer.area("entry")
        await dealer.press("escape", "c", "1", "enter")
        assert "everybody settles with the cashier: 3 payments" in dealer.area("body")


async def test_closed_night_is_opened_again_from_the_menu_with_a_reason(open_console: Open) -> None:
    async with open_console([CASINO, "seat Anna 100"]) as dealer:
        await dealer.press("f6", "c")
        body = "\n".join(dealer.screen)
        assert "close: everybody is cashed out; opened again only with a reason" in body
        assert "can't be taken back" not in body
        assert "1⏎ do it" in dealer.area("keys")
        await dealer.press("1", "enter", "n", "8")
        assert dealer.area("entry").count(":reopen ") == 1
        await dealer.line("one more round")
        assert dealer.lines[-1] == "reopen one more round"
        assert (dealer.snapshot.closed, dealer.seat("Anna").stack) == (False, 100)


async def test_enter_that_is_held_books_one_buy_in(open_console: Open) -> None:
    """cases.csv B154: pressed twice within 80 ms, and held down for two seconds."""
    async with open_console(["seat Anna"]) as dealer:
        await dealer.press("f4")
        await dealer.type("100")
        await dealer.press("enter")
        await dealer.press("enter", after_s=0.08)
        await dealer.press(*["enter"] * 60, after_s=0.03)
        assert [line for line in dealer.lines if line.startswith("buy")] == ["buy Anna 100"]


async def test_an_amount_five_times_the_last_one_is_asked_for_again(open_console: Open) -> None:
    async with open_console(["game red-dog-pool"]) as dealer:
        await dealer.press("f4")
        await dealer.line("Anna 100", "1000")
        assert dealer.lines[-1] == "seat Anna 100"
        assert "more than five times the last one (100)" in dealer.area("bar")
        await dealer.press("enter")
        assert dealer.lines[-1] == "buy Anna 1000"


async def test_names_are_text_in_the_ledger_too(open_console: Open) -> None:
    lines = ["seat [/] 100", "seat [red]Mallory[/] 50", "expense [/] 31 [b]", "close"]
    async with open_console(lines) as dealer:
        await dealer.press("f11")
        assert "[red]Mallory[/]" in dealer.area("body")
        await dealer.press("enter", "1")
        assert "[/] gets" in dealer.area("body")
        await dealer.press("escape", "f6")
        assert "[red]Mallory[/]" in dealer.area("body")
        await dealer.press("w")
        assert "[b]" in dealer.area("body")


async def test_a_buy_in_is_paid_in_cash_by_a_word(open_console: Open) -> None:
    async with open_console() as dealer:
        await dealer.press("f4")
        await dealer.line("Anna K. 100 cash", "50 cash", "Boris 30")
        assert dealer.lines == ['seat "Anna K." 100 cash', 'buy "Anna K." 50 cash', "seat Boris 30"]
        assert dealer.snapshot.money.box == 150


async def test_the_count_goes_on_to_the_pool_and_never_back_to_a_stack_that_was_counted(
    open_console: Open,
) -> None:
    pool = ["game red-dog-pool ante=5", "seat Anna 100", "seat Boris 100", "round", "dealt"]
    async with open_console([*pool, "fold Boris", "fold Anna"]) as dealer:
        await dealer.press("f6")
        await dealer.line("88", "90", "20")
        assert dealer.lines[-3:] == ["count Anna 88", "count Boris 90", "count pool 20"]
        await dealer.line("90")  # and then to what differs
        assert dealer.lines[-1] == "count Anna 90"


async def test_a_count_is_taken_back_by_its_key(open_console: Open) -> None:
    async with open_console([CASINO, "seat Anna 100"]) as dealer:
        await dealer.press("f6")
        await dealer.line("90")
        await dealer.press("u")
        assert dealer.lines[-2:] == ["[count Anna 90]", "undo"]
        await dealer.press("u")
        assert dealer.lines[-4:] == ["[count start]", "[count Anna 90]", "undo", "undo"]
        await dealer.press("e", "backspace")
        assert dealer.lines[-1] == "undo"
        assert dealer.snapshot.seats == ()


async def test_the_first_count_stops_the_bets_and_a_neighbour_confirms_each(open_console: Open) -> None:
    lines = [CASINO, *(f"seat {name} 100" for name in ("Anna", "Boris", "Vera"))]
    async with open_console(lines) as dealer:
        await dealer.press("f6")
        await dealer.line("100")
        assert dealer.lines[-2:] == ["count start", "count Anna 100"]
        assert "not confirmed: Y" in dealer.area("body")
        await dealer.press("y")
        assert dealer.lines[-1] == "confirm Anna"
        assert "confirmed by Boris" in dealer.area("body")
        await dealer.line("100", "100")
        assert "CONFIRM: a neighbour looks at each count, then Y" in dealer.area("bar")
        await dealer.press("c", "1", "enter")
        assert not dealer.snapshot.closed
        assert "Nobody confirmed yet: Boris, Vera." in dealer.area("bar")
        await dealer.press("н", "y")
        assert dealer.lines[-2:] == ["confirm Vera", "confirm Boris"]
        await dealer.press("y")
        assert "No count waits to be confirmed." in dealer.area("bar")
        await dealer.press("f2")
        assert "COUNT the chips: no bets or buy-ins until the count ends" in dealer.area("bar")
        assert "go on counting" in dealer.area("bar")
        await dealer.line(":buy Anna 20")
        assert "The count goes on" in dealer.area("bar")
        await dealer.press("escape", "enter", "c", "1", "enter")
        assert dealer.snapshot.closed


async def test_the_count_is_begun_and_left_off_by_a_key(open_console: Open) -> None:
    async with open_console([CASINO, "seat Anna 100", "seat Boris 100", "seat Vera 100"]) as dealer:
        await dealer.press("f6", "b", "2", "enter")
        assert dealer.lines[-1] == "count start confirm=off"
        await dealer.line("100")
        assert "not confirmed: Y" not in dealer.area("body")
        await dealer.press("b", "1", "enter")
        assert dealer.lines[-1] == "count stop"
        await dealer.press("b")
        assert "BEGIN THE COUNT? No bets or buy-ins until it ends" in dealer.area("bar")


async def test_seats_take_money_with_its_code_and_cash_of_another_currency(open_console: Open) -> None:
    async with open_console(["night Friday currency=EUR chip=0.25", CASINO, "cashier Host"]) as dealer:
        await dealer.press("f4")
        await dealer.line(":float Host 20", "Anna 20EUR cash", "Boris for=50usd rate=0.92")
        await dealer.line("Vera 40 transfer", "1,000.50 Bob", "Gleb 40 for=20USD rate=0.917")
        assert "GIVE BACK 8.34 EUR as change: Gleb" in dealer.area("bar")
        assert dealer.lines[-5:] == [
            "seat Anna 20EUR cash",
            "seat Boris for=50usd rate=0.92",
            "seat Vera 40 transfer",
            'seat "1,000.50 Bob"',
            "seat Gleb 40 for=20USD rate=0.917",
        ]
        await dealer.press("up", "up", "up")
        await dealer.line("2.50eur iou", "20 for=10USD rate=0.92")
        assert dealer.lines[-2:] == ["buy Boris 2.50eur iou", "buy Boris 20 for=10USD rate=0.92"]
        assert [(seat.name, seat.stack) for seat in dealer.snapshot.seats] == [
            ("Anna", 80),
            ("Boris", 184 + 10 + 20),
            ("Vera", 40),
            ("1,000.50 Bob", 0),
            ("Gleb", 40),
        ]
        await dealer.line("1001")
        assert "1001 is more than five times the last one (20)" in dealer.area("bar")
        await dealer.press("escape")
        await dealer.line(":float Host 101")
        assert "101.00 is more than five times the last one (20.00)" in dealer.area("bar")
        await dealer.press("escape", "escape", "e")
        assert "1 chip = 0.25 EUR" in dealer.area("body")


async def test_a_bank_with_a_float_has_a_row_of_its_own_in_the_count(open_console: Open) -> None:
    """Host put 150 into the bank: they are not in front of Host, nor in the rack."""
    lines = [CASINO, SET, "seat Host 200", "seat Anna 100", "house Host 150", "count house 145"]
    async with open_console([*lines, "count Host 50", "count Anna 100"]) as dealer:
        await dealer.press("f6")
        rows = [line.split() for line in dealer.area("body").splitlines()]
        assert next(row for row in rows if "(Host)" in row) == ["house", "(Host)", "150", "145", "-5", "!"]
        assert [row[0] for row in rows if row].index("rack") > [row[0] for row in rows if row].index("house")


async def test_the_colons_key_of_a_russian_layout_begins_table_talk_at_the_count(open_console: Open) -> None:
    """No name is typed there, so Ж is free; it did nothing but stand in the line."""
    async with open_console([CASINO, "seat Anna 100"], language="ru") as dealer:
        await dealer.press("f6")
        await dealer.line("Жnote ok")
        assert dealer.lines[-1] == "note ok"


async def test_the_box_says_what_lies_in_it_of_which_money(open_console: Open) -> None:
    """Euros and dollars stood there as one sum, which nobody can count."""
    lines = ["night N currency=EUR", "seat Anna 100 cash", "seat Boris for=50USD rate=0.92"]
    lines.append("buy Anna for=20USD rate=0.90")
    async with open_console(lines) as dealer:
        await dealer.press("e")
        assert "box 164.00 (100.00 + 70.00 USD)" in dealer.area("body")
        await dealer.press("f6")
        assert "cash box (70.00 USD=64.00)" in dealer.area("body")
        await dealer.press("f2", "u", "e")
        assert "box 146.00 (100.00 + 50.00 USD)" in dealer.area("body")
        await dealer.line(":reverse 3 never came")
        assert "box 100.00  " in dealer.area("body")
        assert "USD" not in dealer.area("body").splitlines()[3]


async def test_opening_again_says_that_a_shared_pool_stays_shared(open_console: Open) -> None:
    pool = ["game red-dog-pool", "seat Anna 100", "seat Boris 100", "dealer Anna", "round", "dealt"]
    async with open_console([*pool, "fold Boris", "fold Anna", "close", "reopen once more"]) as dealer:
        assert "A pool that the close has shared stays shared" in dealer.area("bar")
    async with open_console([*pool, "fold Boris", "fold Anna", "close pool=carry", "reopen more"]) as dealer:
        assert "stays shared" not in dealer.area("bar")


async def test_one_entry_that_is_found_is_one(open_console: Open) -> None:
    async with open_console(["seat Anna 100"]) as dealer:
        await dealer.press("e")
        await dealer.press(*"#1")
        assert "1 entry" in "\n".join(dealer.screen)


@pytest.mark.parametrize("key", ["v", "e", "f11"])
async def test_escape_leads_back_to_the_payments_from_the_season_and_the_ledger(
    open_console: Open, key: str
) -> None:
    """It led to the table, and the payment that was marked was the first one again."""
    lines = ["game red-dog-pool", "seat Anna 100", "seat Boris 100", "seat Carl 100"]
    lost_both = [CASINO, *lost("Boris", 10, "Anna"), *lost("Carl", 20, "Anna")]
    async with open_console([*lines, *lost_both, "close"]) as dealer:
        await dealer.press("f6", "down")
        marked = next(line for line in dealer.screen if "▶ 2" in line)
        await dealer.press(key)
        assert "SETTLE" not in dealer.area("bar")
        await dealer.press("escape")
        assert "SETTLE: who pays whom" in dealer.area("bar")
        assert marked in dealer.screen
        await dealer.press(key, "f1", "escape", "escape")
        assert "SETTLE: who pays whom" in dealer.area("bar")
        await dealer.press(key, "f2")
        assert dealer.app.screen is dealer.app.table
        await dealer.press("f6", key, "f6")
        assert "SETTLE: who pays whom" in dealer.area("bar")
        await dealer.press("escape")
        assert dealer.app.screen is dealer.app.table


async def test_the_mark_is_on_the_row_that_y_confirms(open_console: Open) -> None:
    """Y confirmed the next one while the mark stood on the one before."""
    async with open_console([CASINO, *(f"seat {name} 100" for name in ("Anna", "Boris", "Vera"))]) as dealer:
        await dealer.press("f6")
        await dealer.line("100", "100")
        rows = dealer.area("body").splitlines()
        beside = [line.split()[1] for line in rows if line.rstrip().endswith("not confirmed: Y")]
        assert beside == ["Boris"], "while it is counted on, the Y stands where the key works"
        assert any("Anna" in line and line.rstrip().endswith("not confirmed") for line in rows)
        await dealer.line("100")

        def marked() -> str:
            row = next(line for line in dealer.area("body").splitlines() if "▶" in line)
            return str(row.split()[2])

        for name in ("Vera", "Anna", "Boris"):
            assert marked() == name
            await dealer.press("y")
            assert dealer.lines[-1] == f"confirm {name}"


async def test_y_elsewhere_shows_first_what_it_confirms(open_console: Open) -> None:
    async with open_console([CASINO, *(f"seat {name} 100" for name in ("Anna", "Boris", "Vera"))]) as dealer:
        await dealer.press("f6")
        await dealer.line("100", "100", "100")
        await dealer.press("y", "down", "down", "down", "y")
        assert dealer.lines[-1] == "confirm Vera"
        assert "Boris: 100 is counted. Y once more confirms it." in dealer.area("bar")
        await dealer.press("y")
        assert dealer.lines[-1] == "confirm Boris"


async def test_a_recount_stays_with_whom_is_counted(open_console: Open) -> None:
    """The mark jumped to the cash box, and what Anna had next was the box's."""
    seats = ["seat Anna 100 cash", *(f"seat {name} 100" for name in ("Boris", "Vera"))]
    async with open_console([CASINO, *seats, "count start confirm=off"]) as dealer:
        await dealer.press("f6")
        await dealer.line("90", "100", "100")
        assert any("▶" in line and "cash box" in line for line in dealer.area("body").splitlines())
        await dealer.press("up", "up", "up")
        await dealer.line("95")
        assert dealer.lines[-1] == "count Anna 95"
        await dealer.line("100")
        assert dealer.lines[-1] == "count Anna 100"
