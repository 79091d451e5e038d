"""A strict house offers nothing that would give a placed bet back; the keys that would say why they don't."""

from tests.console.conftest import TALL, Open

BET = ["game casino-red-dog", "seat Anna 100", "seat Boris 100", "bet Anna 50"]


async def test_no_chip_is_offered_to_be_taken_off(open_console: Open) -> None:
    async with open_console(BET, size=TALL) as free:
        assert [word for word in ("chip off", "clear", "undo", "wrong") if word in free.area("keys")] == [
            "undo",
            "wrong",
        ]
        await free.press("shift+tab")
        assert "Del chip off" in free.area("keys")
        assert "Z clear" in free.area("keys")
    async with open_console(BET, size=TALL, strict=True) as dealer:
        await dealer.press("shift+tab")
        assert dealer.app.state.selected == dealer.seat("Anna").player
        for word in ("chip off", "clear", "undo", "wrong"):
            assert word not in dealer.area("keys")
        await dealer.press("delete", "z")
        assert "That key has nothing to do now." in dealer.area("bar")
        assert dealer.lines == BET


async def test_undo_is_offered_for_what_is_no_bet(open_console: Open) -> None:
    async with open_console([*BET, "card 2H 9S"], strict=True) as dealer:
        assert "U undo" in dealer.area("keys")
        assert "wrong" not in dealer.area("keys")
        await dealer.press("u")
        assert dealer.lines[-2:] == ["[card 2H 9S]", "undo"]
        assert "undo" not in dealer.area("keys")
        await dealer.press("u")
        assert "a placed bet stays as it was typed: bet Anna 50." in " ".join(dealer.area("bar").split())
        await dealer.press("f4")
        assert "undo" not in dealer.area("keys")


async def test_a_wrong_card_says_at_once_that_no_round_is_worked_out_again(open_console: Open) -> None:
    async with open_console([*BET, "card 2H 9S"], strict=True) as dealer:
        await dealer.press("w")
        assert "In this house no round is worked out again. Call it off with" in dealer.area("bar")
        assert "WHICH CARD IS WRONG?" not in "\n".join(dealer.screen)


async def test_a_player_with_a_bet_out_is_not_offered_to_leave_with_it(open_console: Open) -> None:
    async with open_console(BET, strict=True) as dealer:
        await dealer.press("f4", "enter")
        anna = dealer.area("body")
        assert "buy in more" in anna
        for gives_back in ("sits out", "leaves, cashed out", "leaves, paid in cash", "banks the casino game"):
            assert gives_back not in anna
        await dealer.press("escape", "down", "enter")
        assert "leaves, cashed out" in dealer.area("body")
    async with open_console([*BET, "card 2H 9S"], strict=True) as dealer:
        await dealer.press("f4", "enter")
        assert "leaves, cashed out" in dealer.area("body")  # it waits for the round's end


async def test_a_night_that_goes_on_offers_what_this_house_allows(open_console: Open) -> None:
    async with open_console([*BET, "card 2H 9S"], resumed=True, strict=True) as dealer:
        panel = dealer.area("panel")
        assert "the last line did not happen" in panel
        assert "a card differs" not in panel
    async with open_console(BET, resumed=True, strict=True) as dealer:
        assert "the last line did not happen" not in dealer.area("panel")
        assert "undo" not in dealer.area("keys")


async def test_a_close_that_would_give_bets_back_is_not_offered(open_console: Open) -> None:
    async with open_console(BET, strict=True) as dealer:
        for key in ("enter", "c"):
            await dealer.press("f6", key)
            assert "C close" not in dealer.area("keys")
            assert "CLOSE THE NIGHT?" not in "\n".join(dealer.screen)
            assert "in this house they stay: play the round first (F2)" in " ".join(
                dealer.area("bar").split()
            )
            await dealer.press("f2")
    async with open_console([*BET, "card 2H", "void misdeal"], strict=True) as dealer:
        await dealer.press("f6", "c")
        assert "CLOSE THE NIGHT?" in dealer.area("bar")
