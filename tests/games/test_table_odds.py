"""The odds of the moment at a table, against counts of their own (RULES.md 7.6, 8, 10)."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from assistant.cards import FULL_DECK, Card, Rank, Shoe, parse_card
from assistant.games.base import OddsLine
from assistant.games.hand_odds import (
    chance_of_hand,
    polish_bank_edge,
    random_hand,
    six_spot_mean,
    six_spot_target,
)
from assistant.games.odds import casino_odds_of, full_shoe
from assistant.games.table_odds import (
    acey_posts,
    bank_bet,
    casino_posts,
    casino_round,
    next_card,
    turned_card,
)
from assistant.store.memory import MemoryNight
from assistant.table.night_log import NightLog
from assistant.wording import Wording

FEW = tuple(parse_card(word) for word in "2H 9H KH 3S AS 7C TD".split())


def rest_of(cards: Sequence[Card]) -> Shoe:
    """A deck in which only these are unseen."""
    return Shoe().see([card for card in FULL_DECK if card not in cards])


def counted(unseen: Sequence[Card], size: int, limit: Rank = Rank.ACE) -> Fraction:
    """Chance to win over all hands, each against every target that is left for it, one by one."""
    chances = []
    for hand in combinations(unseen, size):
        targets = [card for card in unseen if card not in hand and card.rank <= limit]
        if targets:
            wins = sum(any(card.beats(turned) for card in hand) for turned in targets)
            chances.append(Fraction(wins, len(targets)))
    return sum(chances, Fraction(0)) / len(chances)


def fact(lines: tuple[OddsLine, ...], key: str, name: str) -> Any:
    return next(line.facts[name] for line in lines if line.key == key)


def after(*lines: str) -> tuple[OddsLine, ...]:
    night = NightLog(MemoryNight())
    for line in lines:
        night.submit(line)
    assert night.night.game is not None
    return night.night.game.odds(night.night.state)


def test_full_deck_gives_the_figures_of_the_rules() -> None:
    for size in (3, 4, 5):
        assert fact(next_card(Shoe(), size), "next_card", "chance") == random_hand(size)
    assert fact(bank_bet(Shoe(), 3, 2), "bet", "edge") == -polish_bank_edge()


def test_turned_card_is_out_and_the_hand_is_one_of_the_rest() -> None:
    turned = parse_card("4H")
    lines = turned_card(Shoe().see([turned]), turned, 3)
    assert fact(lines, "beats", "chance") == six_spot_target(Rank.FOUR)
    assert (fact(lines, "beats", "higher"), fact(lines, "beats", "unseen")) == (10, 51)


def test_depleted_deck_agrees_with_a_count_of_every_hand() -> None:
    for size in (1, 2, 3):
        assert chance_of_hand(FEW, size) == counted(FEW, size)
        assert chance_of_hand(FEW, size, Rank.SEVEN) == counted(FEW, size, Rank.SEVEN)
    assert chance_of_hand(FEW[:3], 2, Rank.TWO) == counted(FEW[:3], 2, Rank.TWO)
    turned = parse_card("8H")
    lines = turned_card(rest_of(FEW), turned, 2)  # the eight of hearts was turned long ago
    hands = list(combinations(FEW, 2))
    won = sum(any(card.beats(turned) for card in hand) for hand in hands)
    assert fact(lines, "beats", "chance") == Fraction(won, len(hands))


def test_six_spot_hand_is_dealt_before_its_target_and_so_wins_less_than_the_mean_over_targets() -> None:
    """A hand of low cards takes targets away, but meets one all the same (RULES.md 10.4 has the mean)."""
    exact = fact(next_card(Shoe(), 3, Rank.SIX), "next_target", "chance")
    assert exact == Fraction(2583571, 5353725)  # 0.482574
    assert round(float(six_spot_mean()), 6) == 0.486194
    one = chance_of_hand(FULL_DECK, 1, Rank.SIX)
    assert one == counted(FULL_DECK, 1, Rank.SIX)


def test_nothing_is_said_where_the_cards_do_not_suffice() -> None:
    assert next_card(rest_of(FEW), 7) == ()
    assert next_card(rest_of([card for card in FEW if card.rank > Rank.SIX]), 3, Rank.SIX) == ()
    assert casino_round(dict.fromkeys(Rank, 0)) == ()


def test_casino_posts_count_the_cards_between_and_judge_the_raise() -> None:
    left = full_shoe(6) | {Rank.TWO: 23, Rank.TEN: 23}
    lines = casino_posts(left, Rank.TWO, Rank.TEN)
    assert (fact(lines, "between", "wins"), fact(lines, "between", "unseen")) == (168, 310)
    assert fact(lines, "raise", "edge") == Fraction(26, 310)
    lines = casino_posts(full_shoe(6), Rank.TWO, Rank.NINE)
    assert fact(lines, "no_raise", "edge") == Fraction(2 * 144, 312) - 1
    assert fact(casino_posts({**left, Rank.TWO: 22}, Rank.TWO, Rank.TWO), "third", "wins") == 22
    assert casino_posts(left, Rank.TWO, Rank.THREE) == ()


def test_casino_round_names_where_this_shoe_asks_for_another_decision() -> None:
    rich = full_shoe(1) | {Rank.TWO: 0, Rank.THREE: 1, Rank.FOUR: 1}
    odds, lines = casino_odds_of(rich), casino_round(rich)
    assert fact(lines, "round", "edge") == odds.ev_optimal
    named = [(line.key, line.facts["edge"]) for line in lines if line.key in ("also_raise", "only_call")]
    assert named == [
        ("also_raise" if posts.edge > 0 else "only_call", posts.edge) for posts in odds.deviations[:4]
    ]
    assert named


def test_acey_deucey_posts_are_priced_by_the_house_rules() -> None:
    lines = acey_posts(full_shoe() | {Rank.TWO: 3, Rank.TEN: 3}, (2, 10), (2, 3))
    facts = {name: fact(lines, "posts", name) for name in ("wins", "lose", "post", "unseen")}
    assert facts == {"wins": 28, "lose": 16, "post": 6, "unseen": 50}
    assert fact(lines, "bet", "edge") == 0
    lines = acey_posts(full_shoe() | {Rank.TWO: 3, Rank.TEN: 3}, (2, 10), (1, 3))
    assert fact(lines, "bet", "edge") == Fraction(28 - 16 - 6, 50)


def test_moment_of_a_table_says_what_matters_now() -> None:
    table = ["seat A 100", "seat B 100", "seat C 100", "dealer A"]
    pool = ["game red-dog-pool hand=5", *table, "round", "dealt"]
    assert fact(after(*pool), "next_card", "chance") == random_hand(5)
    assert fact(after(*pool, "bet B 5", "card 7H"), "beats", "turned") == parse_card("7H")
    assert [line.key for line in after("game six-spot-red-dog", *table, "round", "dealt")] == ["next_target"]
    polish = ["game polish-red-dog", *table, "round", "bank", "dealt"]
    assert [line.key for line in after(*polish)] == ["next_card", "bet"]
    acey = ["game acey-deucey-pot", *table, "round", "card 7C 7D"]
    assert after(*acey)[0].key == "posts_higher"
    assert after("game rake", *table, "round", "dealt") == ()


def test_shoe_that_is_shuffled_for_every_round_is_full_for_the_next() -> None:
    lines = [
        "game casino-red-dog decks=1 shuffle=every-round",
        "seat P 200",
        "bet P 10",
        "card 2H 4S",
        "call P",
    ]
    full = casino_odds_of(full_shoe(1)).ev_optimal
    assert fact(after(*lines, "card 3D"), "round", "edge") == full


def test_sentences_are_read_at_a_glance() -> None:
    says = Wording().odds(after("game casino-red-dog", "seat P 200", "bet P 10", "card 2H TC"))
    assert says == ("Between: 54.2\u00a0%, 168 of 310 cards", "RAISE pays: +8.4\u00a0% of the raise")
    assert Wording().odds(()) == ("There are no exact odds for this moment",)
