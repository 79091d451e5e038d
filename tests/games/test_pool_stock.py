"""Pool Red Dog: burned and exposed cards, and the stock that runs out (RULES.md 1.4 and 3)."""

from dataclasses import replace

from assistant.cards import parse_card
from assistant.games.acts import DealHands, Fold, OpenRound, Show
from assistant.games.base import (
    Bet,
    CardTurned,
    Correct,
    ExposeCard,
    Mispay,
    Shuffle,
    TurnCards,
)
from assistant.games.turns import Declare
from assistant.games.variants import build_game
from assistant.money import CHIPS
from tests.games.pool_play import Play, Playing, cards


def test_card_is_burned_before_every_settling_card() -> None:
    """RULES.md 3: burn, then the settling card; a fold consumes none."""
    table = Playing(100, 100, 100, name="red-dog-burn")
    table.deal()
    table.do(Fold("B"))
    assert table.state.table.shoe.seen == ()
    events = table.do(Bet("C", 5), TurnCards(cards("2C 7H")))
    assert events == (
        CardTurned(parse_card("2C"), "burned", "C"),
        CardTurned(parse_card("7H"), "turned", "C"),
    )
    assert table.refusal(TurnCards(cards("3C"))) == "E_PHASE"


def test_burn_before_the_bet_opens_every_turn() -> None:
    """RULES.md 3, 1.5: before a first burn is seen every bet and fold is E_PHASE."""
    table = Playing(100, 100, name="red-dog-burn", burn_when="before-bet")
    table.deal()
    assert table.game.turn(table.state) is None
    for player in "AB":
        assert [table.refusal(Bet(player, 5)), table.refusal(Fold(player))] == ["E_PHASE", "E_PHASE"]
    table.do(TurnCards(cards("2C")))
    assert table.game.turn(table.state) == "B"
    assert table.refusal(Bet("A", 5)) == "E_TURN"
    table.do(Fold("B"))
    assert table.game.turn(table.state) is None
    table.do(TurnCards(cards("3C")), Bet("A", 5), TurnCards(cards("4C")), Declare("A", won=False))
    assert len(table.state.table.shoe.seen) == 3


def test_pool_with_burn_is_the_burn_game() -> None:
    pool = build_game("red-dog-pool", {"burn": "on"}, CHIPS)
    burn = build_game("red-dog-burn", {}, CHIPS)
    assert pool.rules == burn.rules


def test_exposed_card_comes_on_top_of_the_burn_and_only_where_a_deck_is_in_use() -> None:
    """RULES.md 2.4 (3), TABLE_TALK.md `burn`: from `dealt` to the round's end, else E_PHASE."""
    table = Playing(100, 100, name="red-dog-burn")
    seven = ExposeCard(parse_card("7H"))
    assert table.refusal(seven) == "E_PHASE"
    table.do(OpenRound())
    assert table.refusal(seven) == "E_PHASE"
    table.do(DealHands(), seven)
    assert table.refusal(seven) == "E_DUPLICATE_CARD"
    table.do(Bet("B", 5), ExposeCard(parse_card("8H")), TurnCards(cards("9H")))
    table.do(ExposeCard(parse_card("TH")), TurnCards(cards("JH")))
    assert table.state.turned == parse_card("JH")


def used_up() -> Playing:
    """Two players with hands of 5 and every card of the stock exposed."""
    table = Playing(100, 100, hand="5")
    table.deal()
    suits = "CDH"
    deck = cards(" ".join(f"{rank}{suit}" for suit in suits for rank in "23456789TJQKA") + " 2S 3S 4S")
    table.do(*(ExposeCard(card) for card in deck))
    assert table.state.stock == 0
    return table


def test_used_up_stock_gives_no_card_until_the_discards_are_shuffled() -> None:
    """RULES.md 1.4: the discards become the stock; unplayed hands are not touched."""
    table = used_up()
    assert table.refusal(ExposeCard(parse_card("5S"))) == "E_NO_CARDS"
    table.do(Bet("B", 5))
    assert table.refusal(TurnCards(cards("5S"))) == "E_NO_CARDS"
    assert table.game.prompt(table.state).do == "stock_empty"
    table.do(Shuffle())
    assert (table.state.stock, table.state.discards) == (42, 0)
    assert table.refusal(Shuffle()) == "E_PHASE"
    table.do(TurnCards(cards("2C")))
    assert table.state.stock == 41


def test_shuffle_while_a_card_waits_to_be_beaten_keeps_it_out() -> None:
    table = Playing(100, 100, hand="5")
    table.deal()
    deck = cards(" ".join(f"{rank}{suit}" for suit in "CDH" for rank in "23456789TJQKA") + " 2S 3S")
    table.do(*(ExposeCard(card) for card in deck), Bet("B", 5), TurnCards(cards("4S")), Shuffle())
    assert table.state.table.shoe.seen == cards("4S")
    table.do(Show("B", cards("AS")))
    assert table.stacks[1] == 100


def test_neither_stock_nor_discards_is_no_cards() -> None:
    """RULES.md 1.4: if that is empty too, E_NO_CARDS; the round can only be called off."""
    table = Playing(100, 100)
    table.deal(("A", 3), ("B", 3))
    table.state = replace(table.state, stock=0)
    table.do(Bet("B", 5))
    assert table.refusal(Shuffle()) == "E_NO_CARDS"
    assert table.game.prompt(table.state).do == "no_cards"
    assert not {"shuffle", "card", "burn"} & {choice.verb for choice in table.game.legal_actions(table.state)}


def test_shuffle_waits_for_the_stock_to_be_used_up() -> None:
    table = Playing(100, 100)
    table.do(Shuffle())
    table.do(OpenRound())
    assert table.refusal(Shuffle()) == "E_PHASE"
    table.do(DealHands())
    assert table.refusal(Shuffle()) == "E_PHASE"
    assert table.refusal(Shuffle(2)) == "E_OPTION"


def test_burned_card_does_not_close_the_window() -> None:
    table = Playing(100, 100, 100, name="red-dog-burn")
    table.deal()
    table.bet("B", 10, "2C 7H", wins=True)
    table.do(Bet("C", 5), TurnCards(cards("3C")), Mispay("underpaid", "B", 1))
    table.do(TurnCards(cards("4C")))
    assert table.refusal(Correct("B")) == "E_LATE"


def test_burn_game_is_played_with_the_burn(play: Play) -> None:
    assert play("game red-dog-burn burn=false")["codes"] == ["E_OPTION"]
    assert play("game red-dog-burn burn=on")["codes"] == []
