"""A tag or code -> its card, for the decks in play; and which tags are too alike to trust once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from drivers.codecs.formats import FORMATS
from drivers.decks import BadDeck, Deck, load_deck, load_decks, read_tags

NEAR_TWIN_BITS = 2
"""Tags of different cards that differ by so few bits on the wire are near-twins (SHOE_PROTOCOL.md 6) ..."""
NEAR_TWIN_BYTES = 1
"""... and so are those that differ in one byte: a damaged byte may be any other."""
BETWEEN_DECKS = "+"
"""Parts the names of several decks in play: ``deck=Blue+Red``."""


@dataclass(frozen=True, slots=True)
class Twin:
    """Two tags of different cards that damage could turn into each other."""

    tag: str
    other: str
    card: str
    other_card: str
    bits: int


def tag_format(name: str) -> str:
    """Return a format's name if its devices read tags or codes.

    Raises:
        BadDeck: They do not, or there is no such format; those that do are named.
    """
    known = FORMATS.get(name)
    if known is None or known.wire is None:
        able = ", ".join(f"format={one}" for one, format in FORMATS.items() if format.wire)
        raise BadDeck("A deck is enrolled through a reader of tags or bar codes.", f"Say which kind: {able}.")
    return name


def near_twins(tags: Mapping[str, str], format: str, bits: int = NEAR_TWIN_BITS) -> tuple[Twin, ...]:
    """Return the pairs of different cards' tags within `bits` or one byte on the wire, the nearest first."""
    wire = FORMATS[format].wire
    if wire is None or FORMATS[format].is_printed:
        return ()
    known = [(tag, wire(tag)) for tag in sorted(tags)]
    found = []
    for index, (tag, sent) in enumerate(known):
        for other, other_sent in known[index + 1 :]:
            if len(sent) != len(other_sent) or tags[tag] == tags[other]:
                continue
            distance = (int.from_bytes(sent) ^ int.from_bytes(other_sent)).bit_count()
            if distance <= bits or _bytes_apart(sent, other_sent) <= NEAR_TWIN_BYTES:
                found.append(Twin(tag, other, tags[tag], tags[other], distance))
    return tuple(sorted(found, key=lambda twin: (twin.bits, twin.tag)))


def _bytes_apart(sent: bytes, other: bytes) -> int:
    return sum(one != another for one, another in zip(sent, other, strict=True))


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a tag.

    Attributes:
        card: Card word; a joker is XR or XB.
        deck: Deck it belongs to.
        in_play: Whether that deck is in play.
    """

    card: str
    deck: str
    in_play: bool


class DeckMap:
    """The decks in play, and the other decks of the house by name.

    Args:
        decks: In play.
        others: Not in play; their tags are recognised and not booked.
        format: Format the tags come in, which says what near-twins are.

    Raises:
        BadDeck: Two decks in play say different cards of one tag.
    """

    def __init__(self, decks: Iterable[Deck] = (), others: Iterable[Deck] = (), format: str = "") -> None:
        self.decks = tuple(decks)
        self._known: dict[str, Known] = {}
        self._learnt: dict[str, Known | None] = {}
        for deck in self.decks:
            for tag, card in deck.tags.items():
                known = self._known.setdefault(tag, Known(card, deck.name, in_play=True))
                if known.card != card:
                    raise BadDeck(
                        f"Tag {tag} is {known.card} in deck {known.deck} and {card} in deck {deck.name}.",
                        "Play with one of them, or enrol one anew.",
                    )
        cards = {tag: known.card for tag, known in self._known.items()}
        twins = near_twins(cards, format) if format else ()
        self._twins: dict[str, set[str]] = {}
        for twin in twins:
            self._twins.setdefault(twin.tag, set()).add(twin.other_card)
            self._twins.setdefault(twin.other, set()).add(twin.card)
        flagged = frozenset().union(*(deck.confirm_twice for deck in self.decks))
        self.confirm_twice = flagged | self._twins.keys()
        for deck in others:
            for tag, card in deck.tags.items():
                self._known.setdefault(tag, Known(card, deck.name, in_play=False))

    def __bool__(self) -> bool:
        return bool(self.decks)

    def learn(self, tag: str, card: str, deck: str = "") -> None:
        """Take a tag for a card until the program ends; an empty card takes that back.

        Args:
            tag: The tag.
            card: Card word, or empty.
            deck: The deck that had taken the tag in and loses it again: what it said of it counts no more.
        """
        if card:
            self._learnt.setdefault(tag, self._known.get(tag))
            self._known[tag] = Known(card, "", in_play=True)
            return
        before = self._learnt.pop(tag, None) if tag in self._learnt else self._known.get(tag)
        if before is None or (deck and before.deck == deck):
            self._known.pop(tag, None)
        else:
            self._known[tag] = before

    def recall(self, tag: str, card: str) -> None:
        """Take a tag for a card as was said before, unless a deck in play says which card it is."""
        known = self._known.get(tag)
        if known is None or not known.in_play or tag in self._learnt:
            self.learn(tag, card)

    def find(self, tag: str) -> Known | None:
        """Return what a tag is; None for one that was never enrolled."""
        return self._known.get(tag)

    def twins_of(self, tag: str) -> tuple[str, ...]:
        """Return the cards whose tags could have been read as this one."""
        return tuple(sorted(self._twins.get(tag, ())))

    def is_printed_code(self, tag: str) -> bool:
        """Whether several decks in play hold this very code, so that it names no single card of cardboard."""
        return sum(tag in deck.tags for deck in self.decks) > 1


def open_decks(folder: Path, names: str, file: str, format: str) -> DeckMap:
    """Return the map for ``deck=NAME+NAME`` and ``map=FILE``.

    Args:
        folder: Where the house keeps its decks.
        names: Names of the decks in play; may be empty.
        file: A tag list used as one more deck; may be empty.
        format: Format the tags come in.

    Raises:
        BadDeck: There is no such deck or file, or they contradict each other.
    """
    chosen = [load_deck(folder, name) for name in names.split(BETWEEN_DECKS) if name.strip()]
    if file:
        path = Path(file).expanduser()
        chosen.append(Deck(path.stem, read_tags(path)))
    if not chosen:
        return DeckMap()
    in_play = {deck.name for deck in chosen}
    others = [deck for deck in load_decks(folder) if deck.name not in in_play]
    return DeckMap(chosen, others, format)
