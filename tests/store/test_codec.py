"""Events to JSON and back."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, IntEnum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.cards import FULL_DECK, Card, Rank, Suit
from assistant.store.base import BadEntry, NightTooNew, UnknownEvent
from assistant.store.chain import canonical_json
from assistant.store.codec import CODEC_VERSION, Body, Codec


class Outcome(Enum):
    WON = "won"
    LOST = "lost"


class Size(IntEnum):
    SMALL = 1
    LARGE = 2


@dataclass(frozen=True, slots=True)
class Place:
    name: str
    size: Size = Size.SMALL


@dataclass(frozen=True, slots=True)
class Dealt:
    card: Card
    maybe: Card | None
    cards: tuple[Card, ...]
    outcome: Outcome
    amounts: Mapping[str, int]
    place: Place
    places: tuple[Place, ...] = ()
    confidence: float = 1.0
    is_open: bool = False
    suits: frozenset[str] = frozenset()
    by_card: Mapping[str, Card] = field(default_factory=dict)
    pair: tuple[str, int] = ("", 0)


@dataclass(frozen=True, slots=True)
class Shuffled:
    decks: int


@dataclass(frozen=True, slots=True)
class Act:
    line: str
    events: tuple[Dealt | Shuffled, ...]
    first: Dealt | Shuffled | None = None
    anything: object = None


CODEC = Codec([Dealt, Shuffled, Act])
NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
CARDS = st.one_of(st.sampled_from(FULL_DECK), st.builds(Card, st.sampled_from(list(Rank))))
WHOLE = st.integers(-(2**53), 2**53)
PLACES = st.builds(Place, NAMES, st.sampled_from(list(Size)))
DEALT = st.builds(
    Dealt,
    card=CARDS,
    maybe=st.none() | CARDS,
    cards=st.lists(CARDS, max_size=4).map(tuple),
    outcome=st.sampled_from(list(Outcome)),
    amounts=st.dictionaries(NAMES, WHOLE, max_size=3),
    place=PLACES,
    places=st.lists(PLACES, max_size=2).map(tuple),
    confidence=st.floats(0, 1),
    is_open=st.booleans(),
    suits=st.frozensets(NAMES, max_size=3),
    by_card=st.dictionaries(NAMES, CARDS, max_size=2),
    pair=st.tuples(NAMES, WHOLE),
)
EVENTS = st.one_of(DEALT, st.builds(Shuffled, WHOLE))
ACTS = st.builds(
    Act,
    line=NAMES,
    events=st.lists(EVENTS, max_size=3).map(tuple),
    first=st.none() | EVENTS,
    anything=st.none() | EVENTS | WHOLE | NAMES,
)


@given(st.one_of(ACTS, EVENTS))
def test_event_comes_back_from_the_text_that_is_stored(event: object) -> None:
    text = canonical_json(CODEC.encode(event))
    back = CODEC.decode(json.loads(text))
    assert back == event
    assert type(back) is type(event)
    assert canonical_json(CODEC.encode(back)) == text


def test_form_of_an_event() -> None:
    """What lies in old nights; a change here needs a new version and a reader."""
    event = Dealt(
        Card(Rank.QUEEN, Suit.HEARTS),
        Card(Rank.TEN),
        (),
        Outcome.WON,
        {"p1": 5},
        Place("Ann", Size.LARGE),
        suits=frozenset("SH"),
    )
    assert CODEC.encode(Act("bet Ann 5", (Shuffled(1),), event)) == {
        "type": "Act",
        "line": "bet Ann 5",
        "events": [{"type": "Shuffled", "decks": 1}],
        "first": {
            "type": "Dealt",
            "card": "QH",
            "maybe": "T?",
            "cards": [],
            "outcome": "won",
            "amounts": {"p1": 5},
            "place": {"name": "Ann", "size": 2},
            "places": [],
            "confidence": 1.0,
            "is_open": False,
            "suits": ["H", "S"],
            "by_card": {},
            "pair": ["", 0],
        },
        "anything": None,
    }


@pytest.mark.parametrize("decks", ["1", 1.0, True, None, [1]])
def test_amounts_are_never_made_out_of_something_else(decks: object) -> None:
    with pytest.raises(BadEntry):
        CODEC.decode({"type": "Shuffled", "decks": decks})


@pytest.mark.parametrize(
    "change", [{"outcome": "drawn"}, {"place": {"name": "", "size": 3}}, {"amounts": {"p": "5"}}]
)
def test_values_that_their_type_does_not_have_are_refused(change: Body) -> None:
    body = CODEC.encode(Dealt(Card(Rank.TWO), None, (), Outcome.WON, {}, Place("")))
    with pytest.raises(BadEntry):
        CODEC.decode({**body, **change})


@pytest.mark.parametrize("body", [{"type": "Shuffled"}, {"type": "Shuffled", "decks": 1, "extra": 2}])
def test_missing_and_unknown_fields_are_refused(body: Body) -> None:
    with pytest.raises(BadEntry):
        CODEC.decode(body)


@pytest.mark.parametrize("text", ["", "Q", "10H", "qh", "QX", "XH", "TH?", "ТH"])
def test_cards_of_the_log_have_one_form(text: str) -> None:
    body = CODEC.encode(Dealt(Card(Rank.TWO), None, (), Outcome.WON, {}, Place("")))
    with pytest.raises(BadEntry):
        CODEC.decode({**body, "card": text})


def test_unknown_event_is_named() -> None:
    for body in ({"type": "Teleported"}, {"decks": 1}, {"type": 7}):
        with pytest.raises(UnknownEvent, match="known are Act, Dealt, Shuffled"):
            CODEC.decode(body)
    with pytest.raises(UnknownEvent, match="Place"):
        CODEC.encode(Place("x"))
    with pytest.raises(UnknownEvent, match="Teleported"):
        CODEC.decode({"type": "Act", "line": "", "events": [{"type": "Teleported"}]})


def test_event_of_another_class_with_the_same_name_is_refused() -> None:
    other = type("Shuffled", (Shuffled,), {})
    with pytest.raises(UnknownEvent):
        CODEC.encode(other(1))


def test_types_that_could_be_confused_are_refused() -> None:
    @dataclass(frozen=True)
    class Typed:
        type: str

    same_name = type("Shuffled", (), {"__dataclass_fields__": {}})
    for types in ([Typed], [Outcome], [Shuffled, same_name]):
        with pytest.raises(ValueError):
            Codec(types)


def test_entry_of_a_newer_version_is_refused() -> None:
    with pytest.raises(NightTooNew):
        CODEC.decode({"type": "Shuffled", "decks": 1}, CODEC_VERSION + 1)


def test_readers_of_old_versions_are_run_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    def rename(body: Body) -> Body:
        return {"decks" if name == "packs" else name: value for name, value in body.items()}

    def count_from_one(body: Body) -> Body:
        return {**body, "decks": body["decks"] + 1}

    monkeypatch.setattr("assistant.store.codec.CODEC_VERSION", 3)
    codec = Codec([Shuffled], {1: rename, 2: count_from_one})
    assert codec.decode({"type": "Shuffled", "packs": 1}, 1) == Shuffled(2)
    assert codec.decode({"type": "Shuffled", "decks": 1}, 2) == Shuffled(2)
    assert codec.decode({"type": "Shuffled", "decks": 1}, 3) == Shuffled(1)
