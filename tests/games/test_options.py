"""House rules as they are typed (RULES.md 2.1 and 7.1), and the games by name."""

from fractions import Fraction

import pytest

from assistant.errors import Refusal
from assistant.games import options
from assistant.games.base import (
    Action,
    Game,
    Option,
)
from assistant.games.card_table import Table
from assistant.games.casino_table import CasinoRules
from assistant.games.pool import PoolRules
from assistant.games.variants import build_game, game_named, is_game_verb
from assistant.money import CHIPS, Currency

EURO = Currency("EUR", 2)


def code(option: Option, text: str, currency: Currency = CHIPS) -> str:
    with pytest.raises(Refusal) as caught:
        option.read(text, currency)
    return caught.value.code


def test_defaults_of_the_pool_game() -> None:
    """RULES.md 2.1, the column "default"."""
    assert build_game("red-dog-pool", {}, CHIPS).rules == PoolRules(
        ante=5,
        hand="auto",
        burn=False,
        burn_when="after-bet",
        fold_fine=5,
        short_pool="cap",
        reante_by="all",
        pool_limit=0,
        division="whole",
        odd_chips="stay",
        skip_ante_at=0,
        short_hand_fold="free",
        void_ante="keep",
        reveal_win="winning-card",
        blind=False,
        verify="word",
        referee=False,
        first_dealer="first-ace",
    )


def test_defaults_of_the_casino_game() -> None:
    """RULES.md 7.1, the column "default"."""
    assert build_game("CASINO-red-dog", {}, CHIPS).rules == CasinoRules(
        decks=6,
        shuffle="cut-card",
        cut=Fraction(1, 4),
        raise_="double",
        raise_short="deny",
        min=1,
        max=500,
        rebet="ante",
        chips=(1, 5, 25, 100, 500),
        house="infinite",
    )


def test_amounts_are_money_and_defaults_whole_units_on_a_night_with_a_currency() -> None:
    """TABLE_TALK.md, "Amounts": in lists the mark is a point."""
    rules = build_game("casino-red-dog", {"chips": "0.50,2.5,1", "min": "0,5"}, EURO).rules
    assert isinstance(rules, CasinoRules)
    assert (rules.chips, rules.min, rules.max) == ((50, 100, 250), 50, 50000)
    pool = build_game("red-dog-pool", {"ante": "0.25"}, EURO).rules
    assert isinstance(pool, PoolRules)
    assert (pool.ante, pool.fold_fine) == (25, 25)


def test_words_and_flags_ignore_case_and_know_their_values() -> None:
    word, flag = options.words("w", "cap", "reante"), options.flag("f", default=True)
    assert (word.read("ReAnte", CHIPS), flag.read("OFF", CHIPS), flag.read("yes", CHIPS)) == (
        "reante",
        False,
        True,
    )
    assert (code(word, "maybe"), code(flag, "maybe"), flag.default) == ("E_OPTION", "E_OPTION", "true")


def test_numbers_have_their_range() -> None:
    whole = options.whole("n", 6, 1, 8)
    assert [whole.read(text, CHIPS) for text in ("1", "8", "08")] == [1, 8, 8]
    assert {code(whole, text) for text in ("0", "9", "-1", "1.0", "x", "", "٣", "0000000001")} == {"E_OPTION"}


def test_amounts_have_their_least_and_what_is_none_is_no_amount() -> None:
    """A value out of range is E_OPTION, a word that is no amount E_AMOUNT."""
    amount = options.amount("a", "ante", 1, "ante")
    assert (amount.read("ANTE", CHIPS), amount.read("1", CHIPS)) == ("ante", 1)
    assert (code(amount, "0"), code(amount, "x"), code(amount, "1,234", EURO)) == (
        "E_OPTION",
        "E_AMOUNT",
        "E_AMOUNT",
    )


def test_chips_are_different_amounts_above_nothing() -> None:
    chips = options.amounts("chips", "1,5")
    assert chips.read("25,5,1", CHIPS) == (1, 5, 25)
    assert [code(chips, text) for text in ("5,5", "0,5", "5,", "x")] == [
        "E_OPTION",
        "E_OPTION",
        "E_AMOUNT",
        "E_AMOUNT",
    ]


def test_cut_is_a_part_of_the_shoe() -> None:
    share = options.share("cut", "0.25")
    assert [share.read(text, CHIPS) for text in ("0.25", ".5", "0,125", "0")] == [
        Fraction(1, 4),
        Fraction(1, 2),
        Fraction(1, 8),
        0,
    ]
    assert {code(share, text) for text in ("1", "1.5", "-0.1", "1/4", "x", "", "1e-99999999", "٠.٢")} == {
        "E_OPTION"
    }


def test_smallest_bet_may_be_the_largest_and_not_above_it() -> None:
    build_game("casino-red-dog", {"min": "5", "max": "5"}, CHIPS)
    with pytest.raises(Refusal) as caught:
        build_game("casino-red-dog", {"min": "6", "max": "5"}, CHIPS)
    assert caught.value.code == "E_CONFIG"


def test_unknown_names_list_the_known_ones() -> None:
    with pytest.raises(Refusal) as caught:
        build_game("red-dog-pool", {"colour": "red"}, CHIPS)
    assert (caught.value.code, "burn_when" in str(caught.value.facts["known"])) == ("E_OPTION", True)
    with pytest.raises(Refusal) as caught:
        game_named("snap")
    assert (caught.value.code, "casino-red-dog" in str(caught.value.facts["known"])) == ("E_OPTION", True)


def test_games_are_equal_by_name_and_rules() -> None:
    pool, burn = build_game("red-dog-pool", {"burn": "true"}, CHIPS), build_game("red-dog-burn", {}, CHIPS)
    assert pool != burn
    assert pool == build_game("red-dog-pool", {"burn": "on"}, CHIPS)
    assert len({pool, build_game("red-dog-pool", {"burn": "on"}, CHIPS), burn}) == 2
    assert pool != "red-dog-pool"


def test_verbs_belong_to_games() -> None:
    assert is_game_verb("place")
    assert not is_game_verb("seat")


def test_a_game_says_by_default_that_it_has_no_layout_and_nothing_unasked() -> None:
    game = build_game("red-dog-pool", {}, CHIPS)
    state = game.start(Table())
    assert (game.layout(), game.marker(state), game.shuffle_due(state)) == ((), None, False)
    assert Game.unasked(game, state) == ()
    assert state.table.from_left_of("nobody") == ()
    with pytest.raises(Refusal):
        game.decide(state, Action())
