"""Lines that belong to no game: people, the pool, counts, the end of the night (TABLE_TALK.md, "Verbs")."""

from typing import Any

import pytest

from assistant.errors import Refusal
from assistant.table.night_log import NightLog
from assistant.table.record import night_record
from assistant.table.speech import wording_of
from tests.table.talking import code, played

POOL = ["game red-dog-pool hand=3", "seat A 50", "seat B 50", "seat C 50", "dealer A"]
CASINO = ["game casino-red-dog decks=1", "seat A 50", "seat B 50"]


def record(log: NightLog) -> dict[str, Any]:
    return night_record(log.night)


def stacks(log: NightLog) -> dict[str, int]:
    found: dict[str, int] = record(log)["stacks"]
    return found


# --- the night and the game ---------------------------------------------------------------------------------


def test_night_comes_first_and_may_be_called_pool() -> None:
    assert played("night Pool currency=eur language=RU").night.name == "Pool"
    assert code(played("note hello"), "night Late") == "E_PHASE"
    log = played("note hello", "undo", "night Early")
    assert log.night.name == "Early"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("night", "E_ARGS"),
        ("night N currency=euro", "E_OPTION"),
        ("night N language=de", "E_OPTION"),
        ("night N colour=red", "E_OPTION"),
        ("night a b", "E_ARGS"),
        ("game", "E_ARGS"),
        ("game snap", "E_OPTION"),
        ("game red-dog-pool ante=0", "E_OPTION"),
        ("game red-dog-pool ante=ten", "E_AMOUNT"),
        ("game red-dog-pool hand=6", "E_OPTION"),
        ("game casino-red-dog decks=9", "E_OPTION"),
        ("game casino-red-dog cut=1e-99999999", "E_OPTION"),
        ("game casino-red-dog min=6 max=5", "E_CONFIG"),
        ("game casino-red-dog chips=5,5", "E_OPTION"),
        ("game casino-red-dog now", "E_ARGS"),
        ("round", "E_PHASE"),
        ("shuffle", "E_PHASE"),
        ("snap", "E_VERB"),
        ("reverse 3", "E_REVERSE"),
        ("first AS", "E_PLAYERS"),
        ("shuffle decks=9", "E_OPTION"),
        ("shuffle decks=0", "E_OPTION"),
    ],
)
def test_refusals_before_anything_is_played(line: str, expected: str) -> None:
    """TABLE_TALK.md, "Refusals": what cannot be read first; E_CONFIG at `game` for impossible values."""
    assert code(played(), line) == expected


def test_what_cannot_be_read_is_refused_before_the_moment_is() -> None:
    """TABLE_TALK.md, "Refusals": first what cannot be read, then E_PHASE and the others."""
    log = played(*POOL, "round", "dealt")
    lines = {
        "game red-dog-pool ante=no": "E_AMOUNT",
        "seat a 5": "E_PLAYER",
        "seat D 0": "E_AMOUNT",
        "seat D 5 after=X": "E_PLAYER",
        "seat D 5": "E_PHASE",
        "buy A 0": "E_AMOUNT",
        "buy A 5": "E_PHASE",
        "rename A pool": "E_PLAYER",
        "rename A Z": "E_PHASE",
        "move A": "E_ARGS",
        "move A after=A": "E_PLAYER",
        "move A after=B": "E_PHASE",
        "dealer B": "E_PHASE",
        "first 2H 3H": "E_CARD",
        "first AH": "E_PHASE",
        "carry 5": "E_PHASE",
        "share": "E_PHASE",
        "count A 5": "E_PHASE",
        "accept equal": "E_PHASE",
        "close pool=keep": "E_OPTION",
        "close": "E_PHASE",
        "night N": "E_PHASE",
    }
    assert {line: code(log, line) for line in lines} == lines


def test_another_games_verb_is_the_wrong_moment() -> None:
    """TABLE_TALK.md, "Refusals": another game's verb is E_PHASE."""
    assert code(played(*POOL), "place A 5") == "E_PHASE"
    assert code(played(*POOL), "house A 5") == "E_PHASE"
    assert code(played(*CASINO), "dealt") == "E_PHASE"
    assert code(played(*CASINO), "round") == "E_PHASE"


def test_game_without_a_pool_waits_for_share() -> None:
    log = played(*POOL, "carry 7")
    assert code(log, "game casino-red-dog") == "E_POOL"
    log.submit("game red-dog-burn")
    assert record(log)["pool"] == 7
    log.submit("share")
    assert stacks(log) == {"A": 52, "B": 53, "C": 52}
    assert code(log, "share") == "E_POOL"
    log.submit("game casino-red-dog")
    assert code(log, "carry 5") == "E_POOL"


def test_chips_on_the_layout_go_back_when_another_game_is_chosen() -> None:
    log = played(*CASINO, "bet A 10", "game red-dog-pool")
    assert (stacks(log), record(log)["bets"]) == ({"A": 50, "B": 50}, {})
    log.submit("game casino-red-dog")
    assert code(log, "card 2H 4S") == "E_BET_LOW"


def test_defaults_are_whole_currency_units() -> None:
    """TABLE_TALK.md, "Amounts": an ante of 5 is 5.00 on a night in euros."""
    log = played("night N currency=EUR", "game red-dog-pool", "seat A 20", "seat B 20", "round")
    assert (record(log)["pool"], stacks(log)) == (1000, {"A": 1500, "B": 1500})


def test_same_game_again_keeps_the_shoe_and_another_takes_a_fresh_one() -> None:
    log = played(*CASINO, "bet A 10", "card 2H 4S", "call A", "card 3D", "game casino-red-dog decks=1 max=5")
    assert record(log)["cards_left"] == 49
    log.submit("game casino-red-dog decks=2")
    assert record(log)["cards_left"] == 104


# --- people -------------------------------------------------------------------------------------------------


def test_seats_are_clockwise_and_after_names_the_right_neighbour() -> None:
    log = played("seat A", "seat B", "seat C after=A", "move B after=A", "rename C Z")
    assert list(stacks(log)) == ["A", "B", "Z"]


def test_moving_changes_whose_decision_comes_first() -> None:
    """RULES.md 7.4: seats with a bet decide in seat order, also when somebody moved after betting."""
    log = played(*CASINO, "bet A 5", "bet B 5", "move A after=B", "card 2H 9S")
    assert record(log)["turn"] == "B"
    assert code(log, "call A") == "E_TURN"


def test_who_leaves_is_cashed_out_and_the_same_person_later() -> None:
    """TABLE_TALK.md, `leave`: seat again later is the same person."""
    log = played(*POOL, "leave B", "seat b 20")
    assert list(stacks(log).items()) == [("A", 50), ("C", 50), ("B", 20)]
    found = record(log)
    assert (found["bought_in"]["B"], found["cashed_out"], found["nets"]["B"]) == (70, {"B": 50}, 0)


def test_names_are_one_person_each() -> None:
    log = played("seat Анна 5", "seat Bob 5", "leave Bob")
    assert code(log, "seat АННА 5") == "E_PLAYER"
    assert code(log, "seat Aннa 5") == "E_PLAYER"
    assert code(log, "rename анна BOB") == "E_PLAYER"
    log.submit("rename анна АННА")
    assert list(stacks(log)) == ["АННА"]


@pytest.mark.parametrize("change", ["sitout B", "leave B"])
def test_what_is_said_in_a_round_takes_effect_when_it_is_over(change: str) -> None:
    log = played(*POOL, "round", "dealt", change)
    assert stacks(log)["B"] == 45
    for line in ("fold B", "fold C", "fold A"):
        log.submit(line)
    active = [log.night.names()[player] for player in log.night.table.active]
    assert active == ["A", "C"]


def test_back_said_in_a_round_brings_the_player_into_the_next() -> None:
    """TABLE_TALK.md, `back`: any moment; takes effect between rounds."""
    log = played(*POOL, "sitout C", "round", "dealt", "back C", "fold B", "fold A", "round")
    assert stacks(log) == {"A": 35, "B": 35, "C": 45}


@pytest.mark.parametrize("change", ["sitout", "leave"])
def test_back_takes_back_what_was_said_in_the_round(change: str) -> None:
    log = played(*POOL, "round", "dealt", f"{change} B", "back B", "fold B", "fold C", "fold A")
    assert len(log.night.table.active) == 3


def test_the_last_word_counts_for_the_end_of_the_round() -> None:
    log = played(*POOL, "sitout C", "round", "dealt", "back C", "leave C", "sitout B", "fold B", "fold A")
    assert list(stacks(log)) == ["A", "B"]
    assert [seat.plays for seat in log.night.table.seats] == [True, False]


def test_void_round_lets_go_of_who_wanted_to_leave() -> None:
    log = played(*POOL, "round", "dealt", "leave B", "void")
    assert stacks(log) == {"A": 50, "C": 50}
    assert record(log)["cashed_out"] == {"B": 50}


def test_chips_on_the_layout_go_with_who_sits_out_or_leaves() -> None:
    log = played(*CASINO, "bet A 10", "bet B 10", "sitout A", "leave B")
    assert (stacks(log), record(log)["bets"], record(log)["cashed_out"]) == ({"A": 50}, {}, {"B": 50})
    assert code(log, "bet A 5") == "E_PLAYER"
    assert code(log, "card 2H 4S") == "E_BET_LOW"


def test_dealer_role_passes_left_when_the_dealer_leaves() -> None:
    log = played(*POOL, "dealer C", "leave C")
    assert record(log)["dealer"] == "A"
    assert record(played(*POOL, "dealer A", "leave B"))["dealer"] == "A"
    log.submit("leave A")
    assert record(log)["dealer"] == "B"


def test_buying_waits_for_chips_on_the_layout() -> None:
    """TABLE_TALK.md, `buy`: between rounds (casino: no chips of theirs on the layout)."""
    log = played(*CASINO, "bet A 10")
    assert [code(log, "buy A 5"), code(log, "cashout A")] == ["E_PHASE", "E_PHASE"]
    log.submit("buy B 5")
    log.submit("cashout B 50")
    assert code(log, "cashout B 6") == "E_STACK"
    log.submit("cashout B")
    assert stacks(log) == {"A": 40, "B": 0}


@pytest.mark.parametrize(
    ("cards", "dealer"),
    [("7H KD 2C AS", "A"), ("AS", "A"), ("4C 9D QH 2S AD", "B"), ("2C AH AD", "B"), ("10h дб т♥ тт", "")],
)
def test_first_ace_finds_the_dealer(cards: str, dealer: str) -> None:
    """RULES.md 1.2: the first ace at index k makes seat k mod n the dealer."""
    log = played(*POOL)
    if dealer:
        log.submit(f"first {cards}")
        assert record(log)["dealer"] == dealer
    else:
        assert code(log, f"first {cards}") == "E_CARD"


def test_cards_dealt_for_the_first_ace_go_back_and_may_not_repeat() -> None:
    log = played(*POOL, "first 7H AS")
    assert record(log)["seen"] == []
    assert code(log, "first 7H 7H AS") == "E_DUPLICATE_CARD"
    casino = played(*CASINO)
    casino.submit("first 7 7 A")
    assert code(casino, "first 7 7 7 7 7 A") == "E_DUPLICATE_CARD"


# --- counts and the end -------------------------------------------------------------------------------------


def test_count_lapses_for_good_when_the_stack_changes() -> None:
    """TABLE_TALK.md, `count`: lapses when P's stack changes, also where it comes to the same again."""
    log = played(*POOL, "count A 45", "buy A 5", "cashout A 5")
    assert code(log, "accept equal") == "E_COUNT"
    log.submit("close")


def test_count_of_who_left_holds_nothing_open() -> None:
    log = played("game red-dog-pool", "seat A", "count A 5", "leave A")
    assert code(log, "accept losers") == "E_COUNT"
    log.submit("close")


def test_count_that_differs_holds_the_night_open() -> None:
    log = played(*POOL, "count A 45", "count B 55")
    assert code(log, "close") == "E_COUNT"
    log.submit("accept equal")
    assert stacks(log) == {"A": 50, "B": 50, "C": 50}
    log.submit("close")


def test_surplus_is_received_and_missing_chips_are_borne() -> None:
    """TABLE_TALK.md, `accept`: equally, odd chips from the dealer's left."""
    log = played(*POOL, "count A 57", "accept EQUAL found two")
    assert (stacks(log), record(log)["house"]) == ({"A": 52, "B": 53, "C": 52}, -7)
    log.submit("count C 47")
    log.submit("accept c it was mine")
    assert (stacks(log), record(log)["house"]) == ({"A": 52, "B": 53, "C": 47}, -2)
    log.submit("close")
    assert sum(record(log)["nets"].values()) == 2


def test_nobody_bears_more_than_they_have() -> None:
    log = played(*POOL, "cashout B", "count A 20")
    assert code(log, "accept equal") == "E_STACK"
    assert code(log, "accept B") == "E_STACK"
    assert code(log, "accept winners") == "E_COUNT"
    assert code(log, "accept everybody") == "E_ARGS"
    log.submit("accept C")
    assert stacks(log) == {"A": 50, "B": 0, "C": 20}


def test_close_shares_the_pool_or_carries_it_out() -> None:
    shared = played(*POOL, "carry 10", "close")
    assert record(shared)["nets"] == {"A": 3, "B": 4, "C": 3}
    assert record(shared)["settlement"] == [
        {"from": "carried", "to": "A", "amount": 3},
        {"from": "carried", "to": "B", "amount": 4},
        {"from": "carried", "to": "C", "amount": 3},
    ]
    carried = played(*POOL, "paid-in A 10", "close pool=CARRY")
    found = record(carried)
    assert (found["pool"], found["nets"]) == (10, {"A": -10, "B": 0, "C": 0})
    assert found["settlement"] == [{"from": "A", "to": "carried", "amount": 10}]


def said(log: NightLog, line: str) -> str:
    """The sentence with which a line is refused."""
    with pytest.raises(Refusal) as refused:
        log.submit(line)
    return f"{refused.value.code} {wording_of(log.night).refusal(refused.value)}"


def test_pool_without_anybody_seated_is_neither_shared_nor_carried_unasked() -> None:
    log = played("game red-dog-pool", "carry 10")
    assert said(log, "share") == (
        "E_POOL The pool holds 10, and nobody is seated to share it. Seat somebody first."
    )
    for line in ("close", "close pool=share"):
        assert said(log, line).startswith("E_POOL The pool holds 10")
        assert "“close pool=carry”" in said(log, line)
    log.submit("close pool=carry")
    assert record(log)["pool"] == 10


def test_empty_pool_needs_nobody_to_close() -> None:
    log = played("game red-dog-pool")
    assert said(log, "share") == "E_POOL There is nothing in the pool to share."
    log.submit("close")


def test_who_cant_bear_the_missing_chips_is_told_so_and_not_to_bet_less() -> None:
    log = played(*POOL, "cashout B", "count A 20")
    assert said(log, "accept B") == (
        "E_STACK B has only 0 and can't bear 30 of what is missing. Count again, or share it another way."
    )


@pytest.mark.parametrize("game", ["red-dog-pool", "acey-deucey-pot", "rake"])
def test_players_who_sit_out_are_called_back_and_not_asked_to_buy_in(game: str) -> None:
    log = played(f"game {game}", "seat A 50", "seat B 50", "sitout A")
    prompt = log.night.game.prompt(log.night.state) if log.night.game else None
    assert prompt is not None
    assert wording_of(log.night).duty(prompt).startswith("CALL BACK who sits out: 1 more can pay")
    assert said(log, "round").endswith("1, and 1 more who sit out. Call them back with “back”.")
    log.submit("cashout A")
    prompt = log.night.game.prompt(log.night.state) if log.night.game else None
    assert prompt is not None
    assert prompt.do == "need_players"


def test_carried_in_and_out_again_leaves_nothing_to_settle() -> None:
    found = record(played(*POOL, "carry 10", "close pool=carry"))
    assert (found["carried_in"], found["pool"], found["settlement"]) == (10, 10, [])


def test_closed_night_takes_no_more_lines() -> None:
    log = played(*POOL, "close")
    lines = {
        "undo": "E_UNDO",
        "redo": "E_UNDO",
        "round": "E_PHASE",
        "seat D": "E_PHASE",
        "game casino-red-dog": "E_PHASE",
        "note x": "E_PHASE",
        "void": "E_PHASE",
        "close": "E_PHASE",
        "fix 2H 3H": "E_PHASE",
        "share": "E_PHASE",
        "shuffle": "E_PHASE",
    }
    assert {line: code(log, line) for line in lines} == lines
    found = record(log)
    assert (found["phase"], found["stacks"], found["dealer"], found["turn"]) == ("CLOSED", {}, None, None)


# --- who banks the casino game ------------------------------------------------------------------------------


def test_float_leaves_the_stack_and_limits_all_bets_together() -> None:
    """LEDGER.md scenario 11: float 500 covers 45 (45 x 11 = 495); with 550 a bet of 50 is accepted."""
    log = played("game casino-red-dog", "seat R 600", "seat P 100", "seat Q 100", "house R 500")
    assert (stacks(log)["R"], record(log)["house"]) == (100, 500)
    assert code(log, "bet P 46") == "E_LIMIT"
    log.submit("bet P 40")
    assert code(log, "bet Q 6") == "E_LIMIT"
    log.submit("bet Q 5")
    log.submit("clear Q")
    log.submit("house R 550")
    assert (stacks(log)["R"], record(log)["house"]) == (50, 550)
    log.submit("bet P 10")


def test_float_has_to_be_there_and_more_than_nothing() -> None:
    log = played(*CASINO)
    assert [code(log, "house A 51"), code(log, "house A 0"), code(log, "house X")] == [
        "E_STACK",
        "E_BET_LOW",
        "E_PLAYER",
    ]


def test_who_sits_out_does_not_bank() -> None:
    assert code(played(*CASINO, "sitout A"), "house A 5") == "E_PLAYER"


def test_player_gone_is_nobody_to_the_table() -> None:
    log = played(*CASINO, "close")
    assert [code(log, line) for line in ("sitout A", "leave A")] == ["E_PLAYER", "E_PLAYER"]


def test_bankers_own_bets_go_back_when_they_take_over() -> None:
    log = played(*CASINO, "bet A 10", "house A 50")
    assert (stacks(log), record(log)["bets"], record(log)["house"]) == ({"A": 0, "B": 50}, {}, 50)
    assert code(log, "bet A 5") == "E_PLAYER"
    assert code(log, "rebet A") == "E_PLAYER"


def test_banker_who_leaves_takes_the_result_along() -> None:
    log = played(*CASINO, "house A 44", "bet B 4", "card 2H 4S", "call B", "card KD", "leave A")
    assert (stacks(log), record(log)["house"], record(log)["cashed_out"]) == ({"B": 46}, 0, {"A": 54})


def test_earlier_result_of_the_house_is_not_the_bankers() -> None:
    log = played(*CASINO, "bet B 10", "card 2H 4S", "call B", "card 3D", "house A", "bet B 10")
    for line in ("card 5H 8S", "call B", "card KD", "close"):
        log.submit(line)
    found = record(log)
    assert (found["house"], found["nets"]) == (-50, {"A": 10, "B": 40})
