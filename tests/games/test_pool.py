"""Pool Red Dog and its burn version by their rules (RULES.md 2 and 3)."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from assistant.cards import Card, parse_card
from assistant.errors import Refusal
from assistant.games.acts import DealHands, Fold, OpenRound, PlayersDropped, PoolDivided, PoolRefilled, Show
from assistant.games.base import (
    Action,
    Bet,
    BetSettled,
    CardTurned,
    Correct,
    Event,
    ExposeCard,
    Mispay,
    RoundClosed,
    Seat,
    Shuffle,
    Table,
    TurnCards,
    run,
)
from assistant.games.hands import best_answer
from assistant.games.pool import PoolRedDog, PoolState
from assistant.games.turns import Declare
from assistant.games.variants import build_game
from assistant.holdings import Holdings, Move, bet_of, bought_by, stack_of
from assistant.money import CHIPS

NAMES = "ABCDEFGHIJK"


def cards(text: str) -> tuple[Card, ...]:
    return tuple(parse_card(word) for word in text.split())


Play = Callable[[str], dict[str, Any]]


class Playing:
    """A pool table in a test: players A, B, C … with their stacks; A deals first."""

    def __init__(self, *stacks: int, pool: int = 0, name: str = "red-dog-pool", **rules: str) -> None:
        game = build_game(name, {"hand": "3"} | rules, CHIPS)
        assert isinstance(game, PoolRedDog)
        self.game = game
        names = NAMES[: len(stacks)]
        moves = [
            Move(bought_by(name), stack_of(name), stack) for name, stack in zip(names, stacks, strict=True)
        ]
        chips = Holdings().moved([*moves, Move("carried", "pool", pool)])
        self.state = game.start(Table(tuple(Seat(name) for name in names), "A", chips))

    def do(self, *actions: Action) -> tuple[Event, ...]:
        """Carry out actions; return the events of the last one."""
        events: tuple[Event, ...] = ()
        for action in actions:
            events = self.game.decide(self.state, action)
            state = run(self.game, self.state, events)
            assert isinstance(state, PoolState)
            assert state.table.chips.total() == 0
            self.state = state
        return events

    def deal(self, *exceptions: tuple[str, int]) -> tuple[Event, ...]:
        return self.do(OpenRound(), DealHands(exceptions))

    def bet(self, player: str, amount: int, turned: str, *, wins: bool) -> tuple[Event, ...]:
        return self.do(Bet(player, amount), TurnCards(cards(turned)), Declare(player, wins))

    def refusal(self, action: Action) -> str:
        with pytest.raises(Refusal) as caught:
            self.game.decide(self.state, action)
        return caught.value.code

    @property
    def stacks(self) -> list[int]:
        return [self.state.table.chips.stack(player) for player in self.state.table.players]

    @property
    def pool(self) -> int:
        return self.state.pool


# --- 2.3 money ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("wins", "stack", "pool"), [(True, 105, 5), (False, 85, 25)])
def test_bet_of_ten_against_a_pool_of_fifteen(wins: bool, stack: int, pool: int) -> None:
    """RULES.md 2.3: win, stack 105 and pool 5; lose, stack 85 and pool 25."""
    table = Playing(100, 100, 100)
    table.deal()
    assert (table.stacks, table.pool) == ([95, 95, 95], 15)
    table.bet("B", 10, "7H", wins=wins)
    assert (table.stacks[1], table.pool) == (stack, pool)


@pytest.mark.parametrize(
    ("pool", "stack", "low", "high"),
    [(15, 95, 5, 15), (3, 95, 3, 3), (15, 3, 3, 3), (15, 5, 5, 5), (2, 1, 1, 1)],
)
def test_limits_follow_ante_pool_and_stack(pool: int, stack: int, low: int, high: int) -> None:
    """RULES.md 2.3: lo = min(A, pool, stack), hi = min(pool, stack)."""
    table = Playing(stack, stack, pool=pool, skip_ante_at="1")
    table.deal()
    assert table.game.limits(table.state) == (low, high)
    if low > 1:
        assert table.refusal(Bet("B", low - 1)) == "E_BET_LOW"
    assert table.refusal(Bet("B", 0)) == "E_BET_LOW"
    assert table.refusal(Bet("B", high + 1)) == ("E_STACK" if high + 1 > stack else "E_BET_HIGH")
    table.do(Bet("B", high))


def test_bet_equal_to_pool_and_stack_is_inclusive() -> None:
    """Case B113: limits are inclusive."""
    table = Playing(25, 25, pool=10)
    table.deal()
    table.bet("B", 20, "7H", wins=True)
    assert (table.stacks, table.pool) == ([20 - 5, 40 - 5], 10)  # the pool was emptied: both ante again


@pytest.mark.parametrize(
    ("pool", "rules", "shares", "left"),
    [
        (70, {"pool_limit": "50"}, [17, 17, 17, 17], 2),
        (50, {"pool_limit": "50"}, [0, 0, 0, 0], 50),
        (51, {"pool_limit": "50"}, [12, 12, 12, 12], 3),
        (70, {}, [0, 0, 0, 0], 70),
        (70, {"pool_limit": "50", "odd_chips": "left-of-dealer"}, [17, 18, 18, 17], 0),
        (71, {"pool_limit": "50", "division": "excess"}, [5, 5, 5, 5], 51),
        (73, {"pool_limit": "50", "division": "excess", "odd_chips": "left-of-dealer"}, [5, 6, 6, 6], 50),
        (52, {"pool_limit": "50", "division": "excess"}, [0, 0, 0, 0], 52),
    ],
)
def test_pool_over_its_limit_is_divided(
    pool: int, rules: dict[str, str], shares: list[int], left: int
) -> None:
    """RULES.md 2.3, 2.1: strictly over; whole or excess; odd chips stay or go from the dealer's left."""
    table = Playing(100, 100, 100, 100, pool=pool - 20, fold_fine="0", **rules)
    table.deal()
    events = table.do(Fold("B"), Fold("C"), Fold("D"), Fold("A"))
    assert isinstance(events[-1], RoundClosed)
    assert [stack - 95 for stack in table.stacks] == shares
    assert table.pool == left
    assert any(isinstance(event, PoolDivided) for event in events) == any(shares)


@pytest.mark.parametrize(("void_ante", "shares"), [("keep", [20, 20, 20]), ("refund", [27, 27, 5])])
def test_void_hand_has_a_share_unless_its_ante_was_returned(void_ante: str, shares: list[int]) -> None:
    """RULES.md 2.3: m counts who anted, void hands included, unless their ante was refunded."""
    table = Playing(100, 100, 100, pool=45, fold_fine="0", pool_limit="20", void_ante=void_ante)
    table.deal(("C", 4))
    table.do(Fold("B"), Fold("A"))
    assert [stack - 95 for stack in table.stacks] == shares


def test_no_ante_is_returned_where_none_was_paid() -> None:
    """RULES.md 2.1 `void_ante=refund`: what he paid is returned; with a rich pool he paid nothing."""
    table = Playing(100, 100, pool=50, skip_ante_at="50", void_ante="refund")
    table.deal(("B", 0))
    assert (table.stacks, table.pool) == ([100, 100], 50)


def test_pool_cases(shared: Path) -> None:
    """cases/pool_red_dog.json, with the ante as the smallest bet (RULES.md wins over the cases' bet of 1)."""
    rows = json.loads((shared / "cases" / "pool_red_dog.json").read_text(encoding="utf-8"))
    assert len(rows) == 5
    for row in rows:
        count = str(len(row["hand"]))
        table = Playing(100, 100, pool=row["pool"] - 2, hand=count, ante="1", verify="strict")
        table.deal()
        table.do(Bet("B", row["bet"]), TurnCards(cards(row["turned"])))
        pool = table.pool
        settled = table.do(Show("B", cards(" ".join(row["hand"]))))
        result = next(event for event in settled if isinstance(event, BetSettled))
        net = -row["bet"] if result.result == "lose" else result.paid
        assert (result.result, net) == (row["result"], row["net"]), row["id"]
        assert pool - net == row["pool_after"], row["id"]
        assert any(isinstance(event, PoolRefilled) for event in settled) == row["re_ante"], row["id"]


# --- 2.2 the round ------------------------------------------------------------------------------------------


def test_codes_in_order_while_nobody_and_while_a_bet_is_awaited() -> None:
    """RULES.md 1.5: E_PHASE, E_BET_FIXED, E_TURN, E_BET_LOW, E_STACK, E_BET_HIGH."""
    table = Playing(100, 100, 100)
    assert [table.refusal(action) for action in (Bet("B", 5), Fold("B"), DealHands())] == ["E_PHASE"] * 3
    table.do(OpenRound())
    assert [table.refusal(action) for action in (Bet("B", 5), Fold("B"), OpenRound())] == ["E_PHASE"] * 3
    table.do(DealHands())
    assert [table.refusal(action) for action in (Bet("C", 5), Fold("A"))] == ["E_TURN", "E_TURN"]
    assert table.refusal(TurnCards(cards("7H"))) == "E_PHASE"
    assert table.refusal(Show("B", cards("7H"))) == "E_PHASE"
    table.do(Bet("B", 5))
    assert [table.refusal(action) for action in (Bet("B", 6), Fold("B"))] == ["E_BET_FIXED", "E_BET_FIXED"]
    assert [table.refusal(action) for action in (Bet("C", 5), Fold("C"))] == ["E_TURN", "E_TURN"]
    assert table.refusal(Declare("B", won=True)) == "E_PHASE"
    table.do(TurnCards(cards("7H")))
    assert table.refusal(TurnCards(cards("8H"))) == "E_PHASE"
    assert table.refusal(Show("C", cards("9H"))) == "E_TURN"
    assert table.refusal(Declare("C", won=True)) == "E_TURN"


def test_who_cannot_pay_the_ante_sits_the_round_out() -> None:
    table = Playing(100, 4, 5)
    table.do(OpenRound())
    assert (table.stacks, table.pool) == ([95, 4, 0], 10)
    assert table.state.players == ("C", "A")
    # C paid the whole stack: no chips, no turn
    assert PlayersDropped(("C",)) in table.do(DealHands())
    assert table.state.bettor == "A"


def test_fewer_than_two_can_pay() -> None:
    """RULES.md 1.6: no round; E_PLAYERS."""
    table = Playing(100, 4)
    assert table.refusal(OpenRound()) == "E_PLAYERS"
    assert table.game.prompt(table.state).do == "need_players"
    assert "round" not in {choice.verb for choice in table.game.legal_actions(table.state)}


@pytest.mark.parametrize(("fine", "expected"), [("ante", 5), ("0", 0), ("9", 9)])
def test_fold_pays_the_fine_into_the_pool(fine: str, expected: int) -> None:
    """RULES.md 2.1 `fold_fine`."""
    table = Playing(100, 100, fold_fine=fine)
    table.deal()
    table.do(Fold("B"))
    assert (table.stacks[1], table.pool) == (95 - expected, 10 + expected)


def test_fine_is_at_most_the_stack() -> None:
    table = Playing(100, 8, fold_fine="9")
    table.deal()
    table.do(Fold("B"))
    assert (table.stacks, table.pool) == ([95, 0], 13)


@pytest.mark.parametrize(("rule", "fine"), [("free", 0), ("fine", 5)])
def test_short_hand_may_be_thrown_in(rule: str, fine: int) -> None:
    """RULES.md 2.4 (2), 2.1 `short_hand_fold`."""
    table = Playing(100, 100, short_hand_fold=rule)
    table.deal(("B", 2))
    table.do(Fold("B"))
    assert table.stacks[1] == 95 - fine


def test_short_hand_may_also_bet_and_shows_as_many_as_it_has() -> None:
    """RULES.md 1.9: a short hand is whole with as many cards as were dealt."""
    table = Playing(100, 100)
    table.deal(("B", 2))
    table.do(Bet("B", 5), TurnCards(cards("7H")))
    assert table.refusal(Show("B", cards("2C"))) == "E_HAND"
    assert table.refusal(Show("B", cards("2C 3C 4C"))) == "E_HAND"
    table.do(Show("B", cards("2C 3C")))
    assert table.stacks[1] == 90


@pytest.mark.parametrize("count", [0, 4])
def test_void_hand_has_no_turn_and_pays_no_second_ante(count: int) -> None:
    """RULES.md 2.4 (1): no cards or too many; exempt from re-antes."""
    table = Playing(100, 100, 100)
    table.deal(("B", count))
    assert table.state.bettor == "C"
    events = table.bet("C", 15, "7H", wins=True)
    assert PoolRefilled(("C", "A"), moves=_antes("C", "A")) in events
    assert table.stacks == [90, 95, 105]


def _antes(*players: str) -> tuple[Move, ...]:
    return tuple(Move(stack_of(player), "pool", 5) for player in players)


def test_only_void_hands_end_the_round_at_once() -> None:
    table = Playing(100, 100)
    events = table.deal(("A", 0), ("B", 0))
    assert isinstance(events[-1], RoundClosed)
    assert (table.stacks, table.pool) == ([95, 95], 10)


def test_more_cards_than_a_deck_has_can_not_have_been_dealt() -> None:
    table = Playing(100, 100)
    table.do(OpenRound())
    assert table.refusal(DealHands((("A", 50),))) == "E_CONFIG"
    assert table.refusal(DealHands((("X", 3),))) == "E_PLAYER"


# --- the empty pool -----------------------------------------------------------------------------------------


def test_emptied_pool_is_filled_by_everybody_who_acted_or_not() -> None:
    """RULES.md 2.2 REPLENISH, A04: every valid hand with the ante pays; who cannot and is to act is out."""
    table = Playing(5 + 4, 100, 5 + 5, 100)
    table.deal()
    events = table.bet("B", 20, "7H", wins=True)
    assert PoolRefilled(("B", "C", "D"), ("A",), moves=_antes("B", "C", "D")) in events
    # C's last chips went into the pool, so C has no turn either
    assert PlayersDropped(("C",)) in events
    assert (table.stacks, table.pool, table.state.bettor) == ([4, 110, 0, 90], 15, "D")


def test_only_those_still_to_act_fill_it_by_house_rule() -> None:
    """RULES.md 2.1 `reante_by=remaining`."""
    table = Playing(100, 100, 100, reante_by="remaining")
    table.deal()
    table.bet("B", 15, "7H", wins=True)
    assert (table.stacks, table.pool) == ([90, 110, 90], 10)


def test_pool_below_the_ante_caps_the_bet_or_is_filled() -> None:
    """RULES.md 2.1 `short_pool`, A03."""
    for rule, pool, stacks in (("cap", 2, [95, 108, 95]), ("reante", 17, [90, 103, 90])):
        table = Playing(100, 100, 100, short_pool=rule)
        table.deal()
        table.bet("B", 13, "7H", wins=True)
        assert (table.pool, table.stacks) == (pool, stacks)


def test_nobody_can_fill_a_short_pool() -> None:
    """RULES.md 2.2: who cannot pay is dropped; the round ends with them, and what lies there stays."""
    table = Playing(4, 4, pool=3, skip_ante_at="3", short_pool="reante")
    events = table.deal()
    assert events[-2:] == (PlayersDropped(("B", "A")), RoundClosed("B"))
    assert (table.stacks, table.pool) == ([4, 4], 3)


def test_pool_emptied_by_a_mistaken_payment_leaves_nothing_to_bet() -> None:
    """RULES.md 1.5: amounts must be at least 1, otherwise E_BET_LOW."""
    table = Playing(100, 100, 100)
    table.deal()
    table.bet("B", 10, "7H", wins=True)
    table.do(Mispay("overpaid", "B", 5))
    assert table.pool == 0
    assert [table.refusal(Bet("C", 0)), table.refusal(Bet("C", 1))] == ["E_BET_LOW", "E_BET_HIGH"]
    assert "bet" not in {choice.verb for choice in table.game.legal_actions(table.state)}
    table.do(Correct("B"), Bet("C", 5))


def test_pool_emptied_by_the_last_bettor_stays_empty_until_the_next_round() -> None:
    """RULES.md 2.5: nobody is left to act, so there is no re-ante."""
    table = Playing(100, 100, fold_fine="0")
    table.deal()
    table.do(Fold("B"))
    events = table.bet("A", 10, "7H", wins=True)
    assert not any(isinstance(event, PoolRefilled) for event in events)
    assert (table.stacks, table.pool, table.state.phase) == ([105, 95], 0, "ANTE")


def test_rich_pool_needs_no_antes_and_everybody_with_chips_plays() -> None:
    """RULES.md 2.1 `skip_ante_at`."""
    table = Playing(100, 1, 0, pool=30, skip_ante_at="30")
    table.do(OpenRound())
    assert (table.stacks, table.state.players) == ([100, 1, 0], ("B", "A"))
    table = Playing(100, 1, 100, pool=29, skip_ante_at="30")
    table.do(OpenRound())
    assert (table.stacks, table.state.players) == ([95, 1, 95], ("C", "A"))


# --- the deal -----------------------------------------------------------------------------------------------


def test_deal_passes_left_and_over_who_cannot_pay() -> None:
    """RULES.md 2.5: one seat left; on in ANTE to the next seat that pays."""
    table = Playing(100, 4, 100, fold_fine="0")
    table.deal()
    table.do(Fold("C"), Fold("A"))
    assert table.state.table.dealer == "B"
    table.do(OpenRound())
    assert (table.state.table.dealer, table.state.players) == ("C", ("A", "C"))


@pytest.mark.parametrize(
    ("name", "players", "hand", "size"),
    [
        ("red-dog-pool", 2, "auto", 5),
        ("red-dog-pool", 8, "auto", 5),
        ("red-dog-pool", 9, "auto", 4),
        ("red-dog-pool", 10, "auto", 4),
        ("red-dog-pool", 11, "auto", None),
        ("red-dog-pool", 9, "5", None),
        ("red-dog-pool", 10, "4", 4),
        ("red-dog-burn", 7, "auto", 5),
        ("red-dog-burn", 8, "auto", 4),
        ("red-dog-burn", 9, "auto", 3),
        ("red-dog-burn", 10, "auto", 3),
        ("red-dog-burn", 8, "4", 4),
        ("red-dog-burn", 9, "4", None),
        ("red-dog-burn", 9, "3", 3),
        ("red-dog-burn", 7, "5", 5),
        ("red-dog-burn", 8, "5", None),
    ],
)
def test_deck_capacity(name: str, players: int, hand: str, size: int | None) -> None:
    """RULES.md 2.1 and 3, deck capacity: n*h + n*(1+burn) <= 52, at most ten players; E_CONFIG at `round`."""
    table = Playing(*[100] * players, name=name, hand=hand)
    if size is None:
        assert table.refusal(OpenRound()) == "E_CONFIG"
        assert table.game.prompt(table.state).do == "too_many_hands"
    else:
        table.do(OpenRound())
        assert table.game.hand_size(players) == size


@pytest.mark.parametrize(
    ("name", "players", "hand", "needed", "most"),
    [
        ("red-dog-pool", 9, "5", 54, 8),
        ("red-dog-burn", 9, "4", 54, 8),
        ("red-dog-burn", 8, "5", 56, 7),
        ("red-dog-pool", 11, "auto", 55, 10),
    ],
)
def test_too_many_players_are_told_how_many_cards_are_needed_and_how_many_can_play(
    name: str, players: int, hand: str, needed: int, most: int
) -> None:
    table = Playing(*[100] * players, name=name, hand=hand)
    facts = table.game.prompt(table.state).facts
    assert (facts["players"], facts["needed"], facts["most"]) == (players, needed, most)


# --- cards speak --------------------------------------------------------------------------------------------


def test_lowest_card_that_beats_the_turned_one_is_the_answer() -> None:
    """RULES.md 11 (A15)."""
    hand = cards("AH 9H KS 8D")
    assert best_answer(hand, parse_card("7H")) == parse_card("9H")
    assert best_answer(hand, parse_card("9D")) is None


@pytest.mark.parametrize(
    ("reveal", "shown", "expected"),
    [
        ("winning-card", "KH", 105),
        ("winning-card", "2C KH", 105),
        ("winning-card", "2C KH 3D", 105),
        ("winning-card", "2C 3D", "E_HAND"),
        ("winning-card", "2C 3D 4D", 85),
        ("winning-card", "2C 3D 4D KH", "E_HAND"),
        ("winning-card", "7H", "E_DUPLICATE_CARD"),
        ("winning-card", "KH KH", "E_DUPLICATE_CARD"),
        ("hand", "KH", "E_HAND"),
        ("hand", "2C KH", "E_HAND"),
        ("hand", "2C KH 3D", 105),
    ],
)
def test_what_is_shown_settles_the_bet(reveal: str, shown: str, expected: int | str) -> None:
    """RULES.md 1.9, "Cards speak", and `reveal_win`."""
    table = Playing(100, 100, 100, reveal_win=reveal)
    table.deal()
    table.do(Bet("B", 10), TurnCards(cards("7H")))
    if isinstance(expected, str):
        assert table.refusal(Show("B", cards(shown))) == expected
    else:
        table.do(Show("B", cards(shown)))
        assert table.stacks[1] == expected


def test_dealers_word_counts_unless_the_rule_is_strict() -> None:
    """RULES.md 1.9 `verify`."""
    table = Playing(100, 100, verify="strict")
    table.deal()
    table.do(Bet("B", 5), TurnCards(cards("7H")))
    assert table.refusal(Declare("B", won=True)) == "E_HAND"
    assert not {"won", "lost"} & {choice.verb for choice in table.game.legal_actions(table.state)}


# --- burn and exposed cards ---------------------------------------------------------------------------------


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


# --- 1.4 the stock runs out ---------------------------------------------------------------------------------


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


# --- 1.8 wrong payments -------------------------------------------------------------------------------------


def test_window_stays_open_over_a_fold_and_closes_with_the_next_card() -> None:
    """RULES.md 1.8: closes when the card for the next bettor is turned; a fold does not close it."""
    table = Playing(100, 100, 100, 100)
    table.deal()
    assert table.refusal(Mispay("overpaid", "B", 1)) == "E_LATE"
    table.bet("B", 10, "7H", wins=True)
    table.do(Mispay("overpaid", "B", 4), Fold("C"), Bet("D", 5), Correct("B"))
    assert (table.stacks[1], table.pool) == (105, 15)
    assert table.refusal(Correct("B")) == "E_LATE"
    table.do(Mispay("underpaid", "B", 3), TurnCards(cards("8H")))
    assert table.refusal(Correct("B")) == "E_LATE"
    assert table.stacks[1] == 102


def test_burned_card_does_not_close_the_window() -> None:
    table = Playing(100, 100, 100, name="red-dog-burn")
    table.deal()
    table.bet("B", 10, "2C 7H", wins=True)
    table.do(Bet("C", 5), TurnCards(cards("3C")), Mispay("underpaid", "B", 1))
    table.do(TurnCards(cards("4C")))
    assert table.refusal(Correct("B")) == "E_LATE"


def test_last_window_of_a_round_closes_with_the_next_deal() -> None:
    """RULES.md 1.8: after the last turn it closes when the next cards are dealt, not with `round`."""
    table = Playing(100, 100, fold_fine="0")
    table.deal()
    table.do(Fold("B"))
    table.bet("A", 5, "7H", wins=True)
    table.do(Mispay("underpaid", "A", 2), OpenRound(), Correct("A"), Mispay("overpaid", "A", 1))
    table.do(DealHands())
    assert table.refusal(Correct("A")) == "E_LATE"


def test_calling_off_a_dealt_round_does_not_open_the_window_again() -> None:
    table = Playing(100, 100, fold_fine="0")
    table.deal()
    table.do(Fold("B"))
    table.bet("A", 5, "7H", wins=True)
    table.do(Mispay("underpaid", "A", 2))
    start = table.state
    table.do(OpenRound())
    assert table.game.void(table.state, start).window == ("A",)
    table.do(DealHands())
    assert table.game.void(table.state, start).window == ()


def test_chips_that_would_pay_the_bet_on_the_table_are_spoken_for() -> None:
    """RULES.md 1.8, A30: neither input takes the pool below the standing bet."""
    table = Playing(100, 100, 100)
    table.deal()
    table.bet("B", 5, "7H", wins=True)
    table.do(Mispay("underpaid", "B", 4), Bet("C", 12))
    assert table.pool == 14
    assert table.refusal(Mispay("overpaid", "B", 3)) == "E_POOL"
    table.do(Correct("B"))
    assert (table.pool, table.stacks[1]) == (12, 98)


def test_correction_moves_at_most_what_the_player_still_has() -> None:
    table = Playing(100, 15)
    table.deal()
    table.bet("B", 5, "7H", wins=True)
    table.do(Mispay("overpaid", "B", 5))
    assert (table.stacks, table.pool) == ([95, 20], 0)
    table.do(Mispay("paid-in", "B", 18), Correct("B"))
    assert (table.stacks, table.pool) == ([95, 0], 20)


def test_wrong_payment_codes() -> None:
    table = Playing(100, 100, 100)
    table.deal()
    table.bet("B", 5, "7H", wins=True)
    assert [table.refusal(Mispay(kind, "B", 0)) for kind in ("paid-in", "overpaid", "underpaid")] == [
        "E_BET_LOW"
    ] * 3
    assert table.refusal(Mispay("overpaid", "B", 11)) == "E_POOL"
    assert table.refusal(Mispay("underpaid", "B", 101)) == "E_STACK"
    assert table.refusal(Mispay("paid-in", "C", 96)) == "E_STACK"
    assert table.refusal(Mispay("overpaid", "C", 1)) == "E_LATE"


def test_bet_lies_beside_the_pool_until_it_is_settled() -> None:
    table = Playing(100, 100)
    table.deal()
    table.do(Bet("B", 7), TurnCards(cards("7H")))
    assert (table.pool, table.state.table.chips.at(bet_of("B"))) == (10, 7)


def test_pool_that_a_wrong_payment_emptied_is_said_to_be_empty(play: Play) -> None:
    lines = "game red-dog-pool ante=5 hand=3\nseat A 50\nseat B 50\ndealer A\nround\ndealt\nbet B 5\n"
    emptied = play(lines + "card 7H\nwon B\noverpaid B 5\nbet A 1")
    assert (emptied["do"], emptied["pool"], emptied["codes"]) == ("fold_empty", 0, ["E_BET_HIGH"])
    assert "Take the wrong payment back" in emptied["refused"][0]["message"]


def test_more_cards_than_are_due_are_counted_for_the_dealer(play: Play) -> None:
    done = play(
        "game red-dog-pool ante=5 hand=3\nseat A 50\nseat B 50\ndealer A\nround\ndealt\nbet B 5\n"
        "card 2C 3C 4C"
    )
    assert done["codes"] == ["E_PHASE"]
    assert done["refused"][0]["message"] == "3 cards are too many now: 1 can be turned. None was booked."


def test_misdeal_told_after_the_hands_are_out_says_how_to_get_back(play: Play) -> None:
    done = play("game red-dog-pool hand=3\nseat A 50\nseat B 50\nround\ndealt\ndealt B 4")
    assert "say who had how many" in done["refused"][0]["message"]


def test_burn_game_is_played_with_the_burn(play: Play) -> None:
    assert play("game red-dog-burn burn=false")["codes"] == ["E_OPTION"]
    assert play("game red-dog-burn burn=on")["codes"] == []


def test_ante_of_a_void_hand_goes_back_only_as_far_as_the_pool_reaches(play: Play) -> None:
    """Found by random lines: a wrong payment had taken the chips that were to go back."""
    table = "game red-dog-pool ante=5 hand=3 void_ante=refund\nseat A 50\nseat B 50\ndealer A\n"
    first = "round\ndealt\nbet B 5\ncard 7H\nwon B\nfold A\n"
    done = play(table + first + "round\noverpaid B 12\ndealt B 0 A 0")
    assert (done["codes"], done["pool"]) == ([], 0)
    assert sum(done["stacks"].values()) == 100
