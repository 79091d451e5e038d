"""What a dealer stumbled over in an evening at 80x24: a stray key, a wrong seat, chips nobody spoke of."""

from collections.abc import Callable
from typing import Any

Open = Callable[..., Any]
CASINO = ["game casino-red-dog", "seat Anna 100", "seat Boris 100", "seat Vera 100"]


async def test_a_stray_key_that_opens_the_games_and_enter_leave_the_bets_where_they_are(
    open_console: Open,
) -> None:
    """O is the screen of games; Enter there used to choose the same game anew, and the bets went back."""
    lines = [*CASINO, "bet Anna 10", "bet Boris 25"]
    async with open_console(lines) as dealer:
        await dealer.press("o", "enter")
        assert dealer.lines == lines
        assert dealer.seat("Boris").bet == 25
        assert dealer.app.screen is dealer.app.table


async def test_a_rule_that_was_changed_is_still_booked(open_console: Open) -> None:
    async with open_console(["game casino-red-dog max=200", "seat Anna 100"]) as dealer:
        await dealer.press("f5", "enter")
        assert dealer.lines[0] == "game casino-red-dog max=200"
        assert len(dealer.lines) == 2
        await dealer.press("f5", "down", "left", "enter")
        assert dealer.lines[-1] == "game casino-red-dog decks=5 max=200"


async def test_bets_that_go_back_with_another_game_are_said(open_console: Open) -> None:
    async with open_console([*CASINO, "bet Anna 10", "bet Boris 25"]) as dealer:
        await dealer.press("f5", "left", "left", "enter")
        assert "PAY 10 to Anna" in dealer.area("bar")
        assert "PAY 25 to Boris" in dealer.area("bar")


async def test_the_amount_after_a_bet_was_taken_back_is_for_the_same_seat(open_console: Open) -> None:
    """The mark had gone on to the next seat: the right amount would have been taken from there."""
    async with open_console(CASINO) as dealer:
        await dealer.line("10")
        await dealer.press("u")
        await dealer.line("15")
        assert dealer.lines[-1] == "bet Anna 15"
        await dealer.line("25")
        await dealer.press("backspace")
        assert " chips for Boris>" in dealer.area("entry")


async def test_the_first_seat_is_chosen_again_when_all_bets_have_gone_back(open_console: Open) -> None:
    async with open_console([*CASINO, "bet Anna 10", "bet Boris 25"]) as dealer:
        await dealer.press("tab")
        await dealer.line(":game casino-red-dog max=200")
        assert " chips for Anna>" in dealer.area("entry")


async def test_an_arrow_moves_the_mark_of_an_amount_that_is_typed_and_it_is_asked_for_anew(
    open_console: Open,
) -> None:
    """The arrow did nothing, and Anna got the chips that were meant for Vera."""
    async with open_console(CASINO) as dealer:
        await dealer.press("f4")
        await dealer.line("50")
        assert "Anna buys in 50?" in dealer.area("bar")
        await dealer.press("down", "down")
        assert "Vera buys in 50" in dealer.area("entry")
        assert "Anna buys in" not in dealer.area("bar")
        await dealer.press("enter")
        assert dealer.lines == CASINO
        assert "Vera buys in 50?" in dealer.area("bar")
        await dealer.press("enter")
        assert dealer.lines[-1] == "buy Vera 50"
        await dealer.line("60")
        await dealer.press("up")
        await dealer.type("70")
        assert "Boris buys in 70" in dealer.area("entry"), "an amount typed now stands instead"


async def test_an_arrow_moves_the_mark_of_a_count_that_is_typed(open_console: Open) -> None:
    async with open_console(CASINO) as dealer:
        await dealer.press("f6")
        await dealer.type("90")
        await dealer.press("down", "enter")
        assert dealer.lines[-1] == "count Boris 90"


async def test_an_amount_proposed_for_one_payment_does_not_stay_for_another(open_console: Open) -> None:
    spent = ["expense Anna 90", "expense Boris 30"]
    async with open_console([*CASINO, *spent, "close"]) as dealer:
        await dealer.press("f6", "m")
        assert "counted>" not in dealer.area("entry")
        await dealer.press("down")
        assert "paid> " in dealer.area("entry")
        assert not dealer.app.screen.typed.text


async def test_up_and_down_choose_the_seat_that_chips_are_taken_for(open_console: Open) -> None:
    """Up wrote the last bet into the line, one Enter from being booked again."""
    async with open_console(CASINO) as dealer:
        await dealer.line("10")
        assert " chips for Boris>" in dealer.area("entry")
        await dealer.press("down")
        assert " chips for Vera>" in dealer.area("entry")
        await dealer.press("up", "up")
        assert " chips for Anna>" in dealer.area("entry")
        await dealer.type("5")
        await dealer.press("down", "enter")
        assert dealer.lines[-1] == "bet Boris 5"


async def test_up_after_a_colon_brings_an_earlier_line_back_while_chips_are_taken(open_console: Open) -> None:
    async with open_console(CASINO) as dealer:
        await dealer.line(":note one")
        await dealer.type(":")
        await dealer.press("up")
        assert ":note one" in dealer.area("entry")


async def test_who_has_folded_is_marked_at_the_table(open_console: Open) -> None:
    lines = ["game rake", *(f"seat {name} 100" for name in ("Anna", "Boris", "Vera")), "dealer Anna", "round"]
    async with open_console([*lines, "dealt", "bet Boris 10", "fold Vera"]) as dealer:
        assert "folded" in dealer.area("seats")
        await dealer.press("n")
        assert dealer.seat("Vera").note == "folded"


async def test_what_waits_is_said_once(open_console: Open) -> None:
    lines = ["game red-dog-pool", "seat Anna 100", "seat Boris 100", "round", "dealt", "later seat Vera 50"]
    async with open_console(lines) as dealer:
        assert dealer.area("bar").count("seat Vera 50") == 1


async def test_how_to_seat_somebody_fits_the_small_screen(open_console: Open) -> None:
    async with open_console(["game casino-red-dog"]) as dealer:
        await dealer.press("f4")
        assert "Type a name and a buy-in, then Enter: Anna 100" in "\n".join(dealer.screen)


async def test_in_a_round_the_end_of_the_night_says_what_comes_first(open_console: Open) -> None:
    """The bar said COUNT and Enter offered the close, both of which a round refuses."""
    lines = ["game red-dog-pool", "seat Anna 100", "seat Boris 100", "round", "dealt"]
    async with open_console(lines) as dealer:
        await dealer.press("f6")
        assert "ASK Boris: bet 5 to 10, or fold" in dealer.area("bar")
        await dealer.press("enter")
        assert "CLOSE THE NIGHT?" not in dealer.area("bar")
        assert "A round is open. Finish it first, or call it off: F2, then M." in dealer.area("bar")
        await dealer.press("f2", "f", "f", "f6")
        assert "COUNT the chips, then close the night" in dealer.area("bar")


async def test_a_wrong_payment_is_proposed_for_whoever_was_paid(open_console: Open) -> None:
    """Boris bet and was paid; Vera's turn had come, and M proposed her, whom nobody had paid."""
    names = ("Anna", "Boris", "Vera")
    lines = ["game red-dog-pool", *(f"seat {name} 100" for name in names), "dealer Anna", "round", "dealt"]
    async with open_console([*lines, "bet Boris 5", "card 7H", "won Boris"]) as dealer:
        assert "ASK Vera" in dealer.area("bar")
        await dealer.press("m", "4")
        assert ":overpaid Boris " in dealer.area("entry")
        await dealer.line("3")
        assert dealer.lines[-1] == "overpaid Boris 3"
        await dealer.press("m", "6", "enter")
        assert dealer.lines[-1] == "correct Boris"


async def test_a_wrong_payment_names_nobody_where_nobody_or_several_were_paid(open_console: Open) -> None:
    lines = [*CASINO, "bet Anna 10", "bet Boris 10", "card 2H 3S"]
    async with open_console(CASINO) as dealer:
        await dealer.press("m", "3")
        assert dealer.area("entry").split("→")[0].rstrip().endswith(":overpaid")
    async with open_console(lines) as dealer:
        await dealer.press("m", "3")
        assert ":overpaid Anna" not in dealer.area("entry")
        await dealer.line("Boris 5")
        assert dealer.lines[-1] == "overpaid Boris 5"


async def test_u_at_a_refused_line_takes_that_line_away_and_nothing_that_was_booked(
    open_console: Open,
) -> None:
    """It undid the line before as well, which had nothing wrong with it."""
    lines = [*CASINO, "bet Anna 10"]
    async with open_console(lines) as dealer:
        await dealer.line("501")
        assert "501" in dealer.area("entry")
        await dealer.press("u")
        assert dealer.lines == lines
        assert "501" not in dealer.area("entry")
        assert "it was not booked" in dealer.area("bar")
        await dealer.press("u")
        assert dealer.lines[-2:] == ["[bet Anna 10]", "undo"]


async def test_u_at_a_refused_count_leaves_the_count_before(open_console: Open) -> None:
    async with open_console([*CASINO, "count start"]) as dealer:
        await dealer.press("f6")
        await dealer.line("100", "1.2.3")
        await dealer.press("u")
        assert dealer.lines[-1] == "count Anna 100"
        await dealer.press("u")
        assert dealer.lines[-1] == "undo"


async def test_what_the_rules_refuse_is_refused_before_anything_is_asked_about_it(open_console: Open) -> None:
    """150 was first said to be more than the stack, and after another Enter it was out of range."""
    lines = ["game red-dog-pool", "seat Anna 100", "seat Boris 100", "dealer Anna", "round", "dealt"]
    lines += ["bet Boris 5", "card 2H", "won Boris"]
    async with open_console([*lines]) as dealer:
        await dealer.line("150")
        assert "Enter once more" not in dealer.area("bar")
        assert "Anna has only 95, not 150" in dealer.area("bar")
    async with open_console(CASINO) as dealer:
        await dealer.line("5", "5", "150")
        assert "Enter once more" not in dealer.area("bar")
        assert "Vera has only 100" in dealer.area("bar")


async def test_what_is_out_of_range_says_so_before_enter(open_console: Open) -> None:
    """The line read "bet Boris 150" as if Enter would book it."""
    lines = ["game red-dog-pool", "seat Anna 100", "seat Boris 100", "dealer Anna", "round", "dealt"]
    async with open_console(lines) as dealer:
        await dealer.type("150")
        assert "bet Boris 150? allowed: 5-10" in dealer.area("entry")
        await dealer.press("escape")
        await dealer.type("10")
        assert "bet Boris 10" in dealer.area("entry")
        assert "allowed" not in dealer.area("entry")
    pair = ["game acey-deucey-pot", "seat Anna 100", "seat Boris 100", "round", "card 5H 5D"]
    async with open_console(pair) as dealer:
        await dealer.type("50h")
        assert "bet Boris 50 higher? allowed: 5-10" in dealer.area("entry")


async def test_a_buy_in_that_is_refused_is_not_asked_about(open_console: Open) -> None:
    async with open_console([*CASINO]) as dealer:
        await dealer.press("f4")
        await dealer.line("Ulla 100", "Anna 9000")  # she sits there already
        assert "Enter once more" not in "\n".join(dealer.screen)
        assert "already" in dealer.area("bar")
