"""Casino Red Dog by its rules (RULES.md 7)."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from assistant.cards import Card, Rank, parse_card
from assistant.games.acts import Call, Called, Raise
from assistant.games.base import (
    Bet,
    BetSettled,
    CardTurned,
    Correct,
    ExposeCard,
    Mispay,
    RoundClosed,
    RoundOpened,
    Shuffle,
    Shuffled,
    TurnCards,
)
from assistant.games.card_table import Seat
from assistant.games.casino_table import (
    BankHouse,
    CasinoState,
    ClearSpot,
    MarkerPlaced,
    PlaceChip,
    Rebet,
    RemovePile,
    field_of,
    spread_of,
)
from assistant.holdings import Move, bet_of, bought_by, stack_of
from tests.games.casino_play import Playing, cards

# --- 7.5 money ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("posts", "third", "raises", "returned"),
    [
        ("KH QD", "", False, 10),  # Cons: 10 back
        ("8H 8S", "KD", False, 10),  # Pair without a match: 10 back
        ("8H 8S", "8D", False, 120),  # three of a kind: 12a
        ("6H 8C", "7D", False, 60),  # spread 1: 6t
        ("6H 8C", "7D", True, 120),
        ("6H 9C", "7D", False, 50),  # spread 2: 5t
        ("6H 9C", "7D", True, 100),
        ("6H TC", "7D", False, 30),  # spread 3: 3t
        ("6H TC", "7D", True, 60),
        ("6H JC", "7D", False, 20),  # spread 4: 2t
        ("6H JC", "7D", True, 40),
        ("2H AC", "9D", False, 20),  # spread 11, ace high only
        ("2H AC", "9D", True, 40),
        ("6H 8C", "8D", False, 0),  # equal to one of the two
        ("6H 8C", "6D", True, 0),
        ("6H 8C", "9D", False, 0),  # outside
        ("6H 8C", "9D", True, 0),
    ],
)
def test_bet_of_ten_returns(posts: str, third: str, raises: bool, returned: int) -> None:
    """RULES.md 7.5, the column "example a = 10", whichever of the two cards comes first."""
    for order in (posts, " ".join(reversed(posts.split()))):
        table = Playing(100)
        table.do(Bet("P", 10))
        table.cards(order)
        staked = 10
        if table.state.phase == "DECISION":
            table.do(Raise("P") if raises else Call("P"))
            staked = 20 if raises else 10
        if third:
            assert table.stack() == 100 - staked
            table.cards(third)
        assert table.stack() == 100 - staked + returned
        assert table.house == staked - returned


def test_pair_then_third_of_rank_pays_eleven_to_one() -> None:
    """RULES.md 7.4 and 7.5: no decision on a pair, the marker moves to 3 of a kind."""
    table = Playing(100)
    table.do(Bet("P", 15))
    assert table.cards("8H 8C")[-1] == MarkerPlaced("Pair", -1)
    eight = parse_card("8D")
    assert table.cards("8D") == (
        CardTurned(eight, "third"),
        MarkerPlaced("3 of a kind", -1),
        BetSettled(
            "P",
            "win",
            15,
            165,
            moves=(Move(bet_of("P"), stack_of("P"), 15), Move("house", stack_of("P"), 165)),
        ),
        RoundClosed(),
    )
    assert table.game.marker(table.state) == "3 of a kind"


@pytest.mark.parametrize(
    ("cards_", "spread", "field"),
    [
        ("KH AD", 0, "Cons"),
        ("2H AD", 11, "4-11"),
        ("AH 2D", 11, "4-11"),
        ("6H QD", 5, "4-11"),
        ("6H TD", 3, "3"),
        ("6H 9D", 2, "2"),
        ("6H 8D", 1, "1"),
        ("6H 6D", -1, "Pair"),
    ],
)
def test_spread_counts_the_ranks_between_and_aces_are_high(cards_: str, spread: int, field: str) -> None:
    """RULES.md 7.5, 11 (C05, C07): 6 and queen are spread 5; ace and two are not consecutive."""
    first, second = (parse_card(word) for word in cards_.split())
    assert spread_of(first, second) == spread
    assert field_of(spread) == field


def test_layout_is_the_arc_with_its_payouts() -> None:
    """RULES.md 7.3: 5, 4, 2, 1 to 1, Tie, Tie, 11 to 1."""
    assert Playing(1).game.layout() == (
        ("1", 5),
        ("2", 4),
        ("3", 2),
        ("4-11", 1),
        ("Cons", None),
        ("Pair", None),
        ("3 of a kind", 11),
    )


def test_casino_cases(shared: Path) -> None:
    """cases/casino_red_dog.json: net and handed back, row by row."""
    rows = json.loads((shared / "cases" / "casino_red_dog.json").read_text(encoding="utf-8"))
    assert len(rows) == 9
    for row in rows:
        table = Playing(1000)
        table.do(Bet("P", row["bet"]))
        table.cards(f"{row['first']} {row['second']}")
        if table.state.phase == "DECISION":
            table.do(Raise("P") if row["raise_"] else Call("P"))
        if row["third"]:
            table.cards(row["third"])
        assert not table.game.in_round(table.state), row["id"]
        assert table.stack() - 1000 == row["net"] == row["handed_back"] - row["bet"], row["id"]


# --- 7.2 chips ----------------------------------------------------------------------------------------------


def test_spot_is_a_stack_of_piles_last_in_first_out() -> None:
    """RULES.md 7.2: `remove` takes the top; TABLE_TALK.md: a bet is one pile."""
    table = Playing(100)
    table.do(PlaceChip("P", 25), PlaceChip("P", 5), Bet("P", 7), RemovePile("P"))
    assert table.stack() == 70
    table.do(RemovePile("P"), RemovePile("P"))
    assert table.stack() == 100
    assert table.refusal(RemovePile("P")) == "E_EMPTY"
    assert table.do(ClearSpot("P")) == ()
    table.do(PlaceChip("P", 25), PlaceChip("P", 1), ClearSpot("P"))
    assert (table.stack(), table.state.spots) == (100, ())


def test_place_checks_chip_then_limit_then_stack() -> None:
    """RULES.md 1.5: casino `place` checks E_CHIP, E_LIMIT, E_STACK."""
    table = Playing(10, max="50")
    assert table.refusal(PlaceChip("P", 99)) == "E_CHIP"
    assert table.refusal(PlaceChip("P", 0)) == "E_CHIP"
    assert table.refusal(PlaceChip("P", 100)) == "E_LIMIT"
    assert table.refusal(PlaceChip("P", 25)) == "E_STACK"
    assert table.refusal(Bet("P", 51)) == "E_LIMIT"
    assert table.refusal(Bet("P", 11)) == "E_STACK"
    assert table.refusal(Bet("P", 0)) == "E_BET_LOW"


def test_rebet_checks_in_order() -> None:
    """RULES.md 1.5: E_NO_REBET, E_BET_PRESENT, E_LIMIT, E_STACK."""
    table = Playing(100, max="50")
    assert table.refusal(Rebet("P")) == "E_NO_REBET"
    table.do(Bet("P", 50), cards("2H KS"), Raise("P"), cards("KD"))
    assert table.refusal(Rebet("P")) == "E_STACK"
    table = Playing(200, 100, max="50")
    table.do(Bet("P", 50), cards("2H KS"), Call("P"), cards("KD"), Bet("P", 1))
    assert table.refusal(Rebet("P")) == "E_BET_PRESENT"
    table.do(ClearSpot("P"), BankHouse("Q", 100))
    assert table.refusal(Rebet("P")) == "E_LIMIT"


def test_rebet_puts_the_same_piles_down_in_order_and_not_the_raise() -> None:
    """RULES.md 7.2, 11 (C10): the opening chips; `rebet=total` adds the raise as a pile."""
    for rule, stack in (("ante", 70), ("total", 40)):
        table = Playing(100, rebet=rule)
        table.do(PlaceChip("P", 25), PlaceChip("P", 5), cards("2H KS"), Raise("P"), cards("9D"))
        table.do(Mispay("paid-in", "P", table.stack() - 100))
        table.do(Rebet("P"))
        assert table.stack() == stack
        if rule == "ante":
            table.do(RemovePile("P"))
            assert table.stack() == 75


def test_minimum_is_checked_at_the_first_card() -> None:
    """RULES.md 1.9: the two first cards are refused while no legal bet stands, and stay unseen."""
    table = Playing(100, 100, min="5")
    assert table.refusal(cards("2H 4S")) == "E_BET_LOW"
    table.do(Bet("P", 5), Bet("Q", 4))
    assert table.refusal(cards("2H 4S")) == "E_BET_LOW"
    assert table.state.table.shoe.seen == ()
    table.do(Bet("Q", 1))
    table.cards("2H")
    assert table.game.in_round(table.state)
    assert table.refusal(Bet("P", 5)) == "E_PHASE"
    table.cards("4S")
    assert table.state.phase == "DECISION"


def test_no_chip_moves_between_the_first_card_and_the_settlement() -> None:
    table = Playing(100, 100)
    table.do(Bet("P", 5), cards("2H 4S"))
    chips = [Bet("P", 1), PlaceChip("Q", 5), RemovePile("P"), ClearSpot("P"), Rebet("P"), BankHouse("Q")]
    others = [ExposeCard(parse_card("9C")), cards("3D"), Shuffle()]
    assert {table.refusal(action) for action in [*chips, *others]} == {"E_PHASE"}
    table.do(Call("P"))
    assert table.refusal(Call("P")) == "E_PHASE"


# --- 7.4 decisions ------------------------------------------------------------------------------------------


def test_decisions_go_in_seat_order_whoever_bet_first() -> None:
    """RULES.md 7.4: seats with a bet, in seat order; all see the same third card."""
    table = Playing(100, 100, 100)
    table.do(Bet("R", 10), Bet("P", 20))
    opened = table.cards("6H 8C")[0]
    assert opened == RoundOpened(players=("P", "R"))
    assert table.game.turn(table.state) == "P"
    assert [table.refusal(Call("R")), table.refusal(Call("Q")), table.refusal(Raise("Q"))] == ["E_TURN"] * 3
    assert table.do(Call("P")) == (Called("P"),)
    table.do(Raise("R"), cards("7D"))
    assert (table.stack("P"), table.stack("Q"), table.stack("R")) == (200, 100, 200)
    assert table.house == -200


def test_raise_is_exactly_the_bet() -> None:
    """RULES.md 7.1, 1.5: `raise=double`; another amount is E_RAISE, zero E_BET_LOW."""
    table = Playing(100)
    table.do(Bet("P", 10), cards("2H KS"))
    assert [table.refusal(Raise("P", amount)) for amount in (9, 11, 0)] == ["E_RAISE", "E_RAISE", "E_BET_LOW"]
    table.do(Raise("P", 10))
    assert table.stack() == 80


def test_raise_up_to_takes_any_amount_to_the_bet() -> None:
    table = Playing(100, raise_="up-to")
    table.do(Bet("P", 10), cards("2H KS"))
    assert [table.refusal(Raise("P", amount)) for amount in (11, 0)] == ["E_RAISE", "E_BET_LOW"]
    table.do(Raise("P", 3))
    assert table.stack() == 87
    table.cards("9D")
    assert table.stack() == 113


@pytest.mark.parametrize(
    ("raise_", "short", "amount", "expected"),
    [
        ("double", "deny", None, "E_STACK"),
        ("double", "deny", 50, "E_STACK"),
        ("double", "deny", 20, "E_RAISE"),
        ("double", "all-in", None, 20),
        ("double", "all-in", 20, 20),
        ("double", "all-in", 19, "E_RAISE"),
        ("double", "all-in", 50, "E_STACK"),
        ("double", "all-in", 51, "E_RAISE"),
        ("up-to", "deny", None, "E_STACK"),
        ("up-to", "deny", 20, 20),
        ("up-to", "deny", 21, "E_STACK"),
        ("up-to", "all-in", None, 20),
        ("up-to", "all-in", 5, 5),
        ("up-to", "all-in", 50, "E_STACK"),
        ("up-to", "all-in", 51, "E_RAISE"),
    ],
)
def test_raise_with_twenty_left_behind_a_bet_of_fifty(
    raise_: str, short: str, amount: int | None, expected: int | str
) -> None:
    """RULES.md 7.1 `raise_short`, 1.5: above the ante is E_RAISE, more than the stack E_STACK."""
    table = Playing(70, raise_=raise_, raise_short=short)
    table.do(Bet("P", 50), cards("2H KS"))
    if isinstance(expected, str):
        assert table.refusal(Raise("P", amount)) == expected
    else:
        table.do(Raise("P", amount))
        assert table.stack() == 20 - expected


def test_nothing_left_can_not_be_raised() -> None:
    table = Playing(50, raise_short="all-in")
    table.do(Bet("P", 50), cards("2H KS"))
    assert table.refusal(Raise("P")) == "E_STACK"
    assert [choice.verb for choice in table.game.legal_actions(table.state)] == ["call"]


@pytest.mark.parametrize(
    ("stack", "raise_", "short", "do", "say"),
    [
        (50, "double", "deny", "skip_raise_empty", "say_spread_only"),
        (50, "up-to", "all-in", "skip_raise_empty", "say_spread_only"),
        (70, "double", "deny", "skip_raise_short", "say_spread_only"),
        (70, "double", "all-in", "ask_raise_rest", "say_spread"),
        (70, "up-to", "deny", "ask_raise_up_to", "say_spread"),
        (100, "double", "deny", "ask_raise", "say_spread"),
        (100, "up-to", "deny", "ask_raise_up_to", "say_spread"),
    ],
)
def test_a_raise_is_asked_for_only_as_far_as_the_chips_go(
    stack: int, raise_: str, short: str, do: str, say: str
) -> None:
    """Behind a bet of fifty; the dealer called out "raise?" to somebody with nothing left."""
    table = Playing(stack, raise_=raise_, raise_short=short)
    table.do(Bet("P", 50), cards("2H KS"))
    prompt = table.game.prompt(table.state)
    assert (prompt.do, prompt.say) == (do, say)
    asked = [choice for choice in prompt.choices if choice.verb == "raise"]
    assert bool(asked) == (not do.startswith("skip"))
    assert not asked or prompt.facts["high"] == asked[0].high


# --- players ------------------------------------------------------------------------------------------------


def test_eight_players_are_too_many_for_the_first_chip() -> None:
    """RULES.md 7, TABLE_TALK.md `E_CONFIG`: at the first chip."""
    table = Playing(*[100] * 8)
    assert table.refusal(PlaceChip("P", 5)) == "E_CONFIG"
    table.do(BankHouse("W"))
    table.do(PlaceChip("P", 5))


def test_eighth_spot_is_one_too_many() -> None:
    """A player who sat down after the first chip is still the eighth."""
    table = Playing(*[100] * 7)
    table.do(*(Bet(player, 5) for player in "PQRSTUV"))
    late = replace(
        table.state.table,
        seats=(*table.state.table.seats, Seat("W")),
        chips=table.state.table.chips.moved([Move(bought_by("W"), stack_of("W"), 50)]),
    )
    table.state = replace(table.state, table=late)
    assert table.refusal(Bet("W", 5)) == "E_CONFIG"
    table.do(ClearSpot("P"), Bet("W", 5))
    assert table.refusal(Bet("P", 5)) == "E_CONFIG"


# --- the shoe -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("decks", [1, 6])
def test_shuffle_is_due_once_a_quarter_is_left(decks: int) -> None:
    """RULES.md 7.1 `cut`: six decks, when 78 or fewer cards remain."""
    table = Playing(100, decks=decks)
    every = [Card(rank) for rank in Rank for _ in range(4 * decks)]
    for card in every[: 39 * decks - 1]:
        table.do(ExposeCard(card))
    assert not table.game.shuffle_due(table.state)
    table.do(ExposeCard(every[39 * decks - 1]))
    assert table.state.table.shoe.cards_left == 13 * decks
    assert table.game.shuffle_due(table.state)
    assert table.do(Shuffle()) == (Shuffled(decks),)
    assert not table.game.shuffle_due(table.state)


def test_fresh_shoe_for_every_round_comes_with_the_first_card() -> None:
    """RULES.md 1.9: `shuffle=every-round` is automatic; what was seen may come again."""
    table = Playing(100, shuffle="every-round")
    for _ in range(3):
        table.do(Bet("P", 1), cards("2H KS"), Call("P"), cards("9D"))
        assert table.state.table.shoe.cards_left == 49


def test_card_burned_before_a_fresh_shoe_is_dealt_stays_seen() -> None:
    """RULES.md 7.7: a card exposed before the deal is burned; it is of the shoe that is dealt then."""
    table = Playing(100, shuffle="every-round")
    table.do(Bet("P", 1), cards("2H KS"), Call("P"), cards("9D"))
    table.do(Bet("P", 1), ExposeCard(parse_card("9D")), ExposeCard(parse_card("3C")))
    assert table.refusal(cards("3C 4C")) == "E_DUPLICATE_CARD"
    table.cards("2H KS")
    assert table.state.table.shoe.cards_left == 48


def test_exposed_card_must_be_one_that_can_be_there() -> None:
    table = Playing(100)
    table.do(ExposeCard(parse_card("9D")))
    assert table.refusal(ExposeCard(parse_card("9D"))) == "E_DUPLICATE_CARD"


def test_used_up_shoe_is_shuffled_in_the_round_and_the_posts_stay_out() -> None:
    """TABLE_TALK.md `shuffle`: in a round when the stock is used up; a card from it is E_NO_CARDS."""
    table = Playing(100)
    deck = [Card(rank) for rank in Rank for _ in range(4)]
    ace_and_two = [deck[0], deck[51]]
    for card in deck[1:51]:
        table.do(ExposeCard(card))
    table.do(Bet("P", 10), TurnCards(tuple(ace_and_two)))
    assert table.state.table.shoe.cards_left == 0
    assert "shuffle" in {choice.verb for choice in table.game.legal_actions(table.state)}
    table.do(Call("P"))
    assert table.refusal(cards("9")) == "E_NO_CARDS"
    assert table.game.prompt(table.state).do == "stock_empty"
    assert table.game.prompt(table.state).facts == {"discards": 50}
    table.do(Shuffle())
    assert table.state.table.shoe.cards_left == 50
    assert table.refusal(Shuffle()) == "E_PHASE"
    table.cards("9")
    assert table.stack() == 110


def test_shuffle_between_rounds_may_change_the_number_of_decks() -> None:
    table = Playing(100)
    table.do(Shuffle(4))
    assert table.state.table.shoe.cards_left == 208
    table.do(Shuffle())
    assert table.state.table.shoe.decks == 4


def test_void_round_returns_the_bets_and_the_cards_stay_seen() -> None:
    """RULES.md 7.7, TABLE_TALK.md `void`: casino, the bets to the stacks."""
    table = Playing(100, 50)
    table.do(Bet("P", 10), Bet("Q", 5))
    start = table.state
    table.do(cards("2H KS"), Raise("P"))
    voided = table.game.void(table.state, start)
    assert isinstance(voided, CasinoState)
    assert (voided.table.chips.stack("P"), voided.table.chips.stack("Q")) == (100, 50)
    assert (voided.spots, voided.phase, table.game.marker(voided)) == ((), "BETTING", None)
    assert len(voided.table.shoe.seen) == 2


# --- 1.8 wrong payments -------------------------------------------------------------------------------------


def test_wrong_payment_is_mended_until_the_next_chip() -> None:
    """TABLE_TALK.md, irregularities: in the other games until the next round's first card or bet."""
    table = Playing(100)
    assert table.refusal(Mispay("overpaid", "P", 5)) == "E_LATE"
    table.do(Bet("P", 10), cards("6H 8C"), Call("P"), cards("7D"), Mispay("overpaid", "P", 5))
    assert (table.stack(), table.house) == (155, -55)
    table.do(Correct("P"))
    assert (table.stack(), table.house) == (150, -50)
    assert table.refusal(Correct("P")) == "E_LATE"
    table.do(Mispay("underpaid", "P", 20), Bet("P", 10))
    assert table.refusal(Correct("P")) == "E_LATE"
    assert (table.stack(), table.house) == (120, -30)


def test_paid_in_by_mistake_is_never_returned() -> None:
    """RULES.md 1.8: any time; never returned."""
    table = Playing(100)
    table.do(Mispay("paid-in", "P", 5))
    assert table.refusal(Correct("P")) == "E_LATE"
    assert table.refusal(Mispay("paid-in", "P", 96)) == "E_STACK"
    assert table.refusal(Mispay("paid-in", "P", 0)) == "E_BET_LOW"


def test_float_pays_no_mistake_it_does_not_hold() -> None:
    table = Playing(100, 30)
    table.do(BankHouse("Q", 22), Bet("P", 2), cards("6H 8C"), Call("P"), cards("7D"))
    assert table.house == 12
    assert table.refusal(Mispay("overpaid", "P", 13)) == "E_POOL"
    table.do(Mispay("overpaid", "P", 12))
    assert table.house == 0
