"""Cards in both alphabets, and what a shoe can still show (TABLE_TALK.md "Cards", RULES.md 1.3)."""

import csv
import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assistant.cards import CARDS_A_DECK, FULL_DECK, Card, Rank, Shoe, Suit, parse_card
from assistant.errors import Refusal

LATIN_SUITS = {Suit.CLUBS: "c", Suit.DIAMONDS: "d", Suit.HEARTS: "h", Suit.SPADES: "s"}
RUSSIAN_SUITS = {Suit.CLUBS: "т", Suit.DIAMONDS: "б", Suit.HEARTS: "ч", Suit.SPADES: "п"}
RUSSIAN_RANKS = {Rank.TEN: "10", Rank.JACK: "В", Rank.QUEEN: "Д", Rank.KING: "К", Rank.ACE: "Т"}
LAYOUT = str.maketrans("qjkatshdc", "йолфеырвс")


def read(text: str, *, bare_rank: bool = False) -> str:
    return str(parse_card(text, bare_rank=bare_rank))


def refusal(text: str, *, bare_rank: bool = False) -> Refusal:
    with pytest.raises(Refusal) as caught:
        parse_card(text, bare_rank=bare_rank)
    assert caught.value.code == "E_CARD"
    return caught.value


@pytest.mark.parametrize("card", FULL_DECK, ids=str)
def test_every_card_reads_in_every_alphabet_and_layout(card: Card) -> None:
    """TABLE_TALK.md, "Cards": any case, either first in Latin and signs; Russian; layouts."""
    assert card.suit is not None
    latin, sign = LATIN_SUITS[card.suit], card.suit.sign
    ranks = {card.rank.letter, card.rank.letter.lower(), card.rank.label}
    russian = RUSSIAN_RANKS.get(card.rank, card.rank.letter) + RUSSIAN_SUITS[card.suit]
    typed = {f"{rank}{suit}" for rank in ranks for suit in (latin, latin.upper(), sign)}
    typed |= {f"{suit}{rank}" for rank in ranks for suit in (latin, latin.upper(), sign)}
    typed |= {russian, russian.upper(), russian.lower(), f"{card.rank.label}{sign}\ufe0f"}
    typed.add(f"{card.rank.letter}{latin}".lower().translate(LAYOUT))
    assert {read(text) for text in typed} == {str(card)}


def test_latin_t_is_ten_and_cyrillic_t_the_ace_with_a_cyrillic_suit() -> None:
    assert read("Th") == "TH"
    assert read("тч") == "AH"
    assert read("тт") == "AC"
    assert read("вп") == "JS"


@pytest.mark.parametrize("text", ["Тh", "Т♥", "Т"])
def test_cyrillic_t_alone_is_asked_with_both_readings(text: str) -> None:
    """TABLE_TALK.md, "Cards": two alphabets in one card are E_CARD, with the readings named."""
    found = refusal(text, bare_rank=True)
    assert found.reason == "card_ambiguous"
    suit = "?" if text == "Т" else "H"
    assert found.facts["readings"] == f"T{suit} / A{suit}"


@pytest.mark.parametrize(
    ("text", "readings"),
    [("Аh", "AH"), ("Кd", "KD"), ("Дh", "QH"), ("Вs", "JS"), ("еч", "TH"), ("jч", "JH"), ("йч", "QH")],
)
def test_two_alphabets_in_one_card_are_refused_with_the_reading_named(text: str, readings: str) -> None:
    found = refusal(text)
    assert (found.reason, found.facts["readings"]) == ("card_ambiguous", readings)


@pytest.mark.parametrize(
    "text", ["7ſ", "ᲅч", "ᲂр", "７h", "K\u212a", "1h", "0h", "11h", "h", "", "чД", "♥Д", "7h;"]
)
def test_lookalikes_and_halves_are_no_cards(text: str) -> None:
    """Letters that only turn into ours in capitals (long s) are look-alikes; suit first is Latin."""
    refusal(text)


def test_bare_rank_is_a_card_only_where_suits_do_not_matter() -> None:
    assert refusal("Q").reason == "card_without_suit"
    assert refusal("10").reason == "card_without_suit"
    assert [read(text, bare_rank=True) for text in ("Q", "10", "t", "Д", "7")] == [
        "Q?",
        "T?",
        "T?",
        "Q?",
        "7?",
    ]


@given(st.text(max_size=4))
@example("\ufe0f")
def test_any_text_is_one_card_or_refused(text: str) -> None:
    code, card = "", None
    try:
        card = parse_card(text, bare_rank=True)
    except Refusal as refused:
        code = refused.code
    assert code == "E_CARD" or parse_card(str(card).removesuffix("?"), bare_rank=True) == card


def test_card_entry_cases(shared: Path) -> None:
    """Each row of cases/card_entry.tsv: the card, or a refusal that names what was possible."""
    with (shared / "cases" / "card_entry.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert len(rows) == 38
    wrong = {row["input_json"]: row["expected"] for row in rows if not _agrees(row)}
    assert wrong == {}


def _agrees(row: dict[str, str]) -> bool:
    text, allowed = json.loads(row["input_json"]), row["expected"].split("|")
    try:
        found = read(text).capitalize()
    except Refusal as refused:
        asks = [item for item in allowed if item.startswith("ASK")]
        if asks:
            readings = str(refused.facts["readings"]).split(" / ")
            return [card.capitalize() for card in readings] == asks[0][4:-1].split(",")
        return bool({"REJECT", "RANK_ONLY"} & set(allowed))
    return found in [card.capitalize() for card in allowed]


def test_beats_needs_the_suit_and_a_higher_rank() -> None:
    """RULES.md 1.3: equal suits and a higher rank; the ace is high."""
    king = Card(Rank.KING, Suit.HEARTS)
    assert king.beats(Card(Rank.SEVEN, Suit.HEARTS))
    assert not king.beats(Card(Rank.SEVEN, Suit.SPADES))
    assert not king.beats(king)
    assert Card(Rank.ACE, Suit.HEARTS).beats(king)
    assert not Card(Rank.ACE).beats(Card(Rank.TWO))


def test_pairs_of_cards_in_which_one_beats_the_other() -> None:
    """Four suits of 13 ranks: 4 x 78 ordered pairs (RULES.md 10.4 counts with these)."""
    assert sum(one.beats(other) for one in FULL_DECK for other in FULL_DECK) == 312


@pytest.mark.parametrize("decks", [1, 2, 8])
def test_shoe_shows_each_card_once_a_deck_and_then_is_used_up(decks: int) -> None:
    shoe = Shoe(decks)
    for _ in range(decks):
        shoe = shoe.see(FULL_DECK)
    assert shoe.cards_left == 0
    with pytest.raises(Refusal) as caught:
        shoe.see([FULL_DECK[0]])
    assert caught.value.code == "E_NO_CARDS"


def test_card_seen_as_often_as_the_shoe_holds_it_is_a_duplicate() -> None:
    queen = Card(Rank.QUEEN, Suit.HEARTS)
    shoe = Shoe(2).see([queen, queen])
    with pytest.raises(Refusal) as caught:
        shoe.see([queen])
    assert (caught.value.code, caught.value.facts["decks"]) == ("E_DUPLICATE_CARD", 2)
    assert shoe.shuffled().see([queen]).cards_left == 2 * CARDS_A_DECK - 1


def test_bare_ranks_are_counted_by_rank() -> None:
    """TABLE_TALK.md, "Cards": a card of unknown suit is counted by rank; one deck has four queens."""
    shoe = Shoe(1).see([Card(Rank.QUEEN)] * 3 + [Card(Rank.QUEEN, Suit.HEARTS)])
    assert not shoe.can_show(Card(Rank.QUEEN, Suit.SPADES))
    assert not shoe.can_show(Card(Rank.QUEEN))
    assert shoe.unseen_by_rank()[Rank.QUEEN] == 0
    assert shoe.unseen_by_rank()[Rank.KING] == 4
