"""Enrolling a deck as a dealer sees it: tags and typed words in, lines to read out; no device, no screen."""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Callable

from assistant.cards import parse_card
from assistant.errors import Refusal
from assistant.i18n import _
from drivers.base import CardSource, EventKind, SourceEvent
from drivers.deckmap import Twin
from drivers.decks import JOKERS, card_of
from drivers.enrolment import Answer, Enrolment, Pass, Report, Said

GLANCE_S = 0.1
"""Longest wait for a tag before the keyboard is looked at."""
MOST_PAIRS = 20
"""Pairs of near-twins that are read out; all of them are kept with the deck."""
NONE_LEFT = frozenset({"n", "none"})
UNDO, SKIP, GO = frozenset({"u", "undo"}), frozenset({"s", "skip"}), frozenset({"g", "go"})
QUIT = frozenset({"q", "quit"})


def face(word: str) -> str:
    """A card word as a person reads it: ``10♥``, ``red joker``."""
    card = card_of(word)
    if card is not None:
        return card.face
    return _("red joker") if word == JOKERS[0] else _("black joker")


class EnrolmentDesk:
    """Leads a dealer through the passes of one deck.

    Args:
        enrolment: The deck being enrolled.
        format: Format of its tags, for the report.
    """

    def __init__(self, enrolment: Enrolment, format: str) -> None:
        self.enrolment = enrolment
        self.format = format
        self.has_quit = False
        self._twins: tuple[Twin, ...] = ()
        self._looked_at = 0
        self.has_stopped = False
        """Whether the dealer must look at the cards before the next one is drawn."""

    @property
    def is_done(self) -> bool:
        """Whether every pass is over."""
        return self.enrolment.now is Pass.DONE

    def opening(self) -> list[str]:
        """What to do with the deck, and the first card."""
        return [
            _("Sort the deck: spades from the ace to the king, hearts, diamonds, clubs, jokers."),
            _("Draw one card after the other over the reader. Beside it you may type and press Enter:"),
            _("u takes the last card back, s skips a torn sticker, g 7h goes back to a card, q stops."),
            *self._next(),
        ]

    def heard(self, event: SourceEvent) -> list[str]:
        """What a source said."""
        if event.event is EventKind.TAG_UNKNOWN and event.tag:
            return self._told(self.enrolment.read(event.tag, event.time_s))
        if event.event in (EventKind.DOWN, EventKind.STALE, EventKind.UP) and event.note:
            return [_("The reader: {note}.").format(note=event.note)]
        if event.event is EventKind.CARD:
            return [_("This source names cards by itself; nothing needs to be enrolled.")]
        if event.asks_the_dealer:
            return [_("A card was not read. Draw {card} again.").format(card=self._expected())]
        return []

    def typed(self, text: str) -> list[str]:
        """What the dealer typed."""
        verb, _blank, rest = text.strip().lower().partition(" ")
        if not verb:
            return self._next()
        if verb in QUIT:
            self.has_quit = True
            return []
        if verb in UNDO:
            return self._told(self.enrolment.undo())
        if verb in NONE_LEFT:
            return self._told(self.enrolment.finish())
        if verb in SKIP:
            return self._told(self.enrolment.skip())
        if verb in GO:
            return self._told(self.enrolment.go_to(_card_word(rest)))
        return [_("u takes back, s skips, g 7h goes back to a card, q stops.")]

    def report(self) -> list[str]:
        """What was enrolled, what is missing and what is too alike."""
        found = self.enrolment.report(self.format)
        lines = [_("{count} tags enrolled.").format(count=found.tags)]
        if found.missing:
            names = " ".join(face(card) for card in found.missing)
            lines.append(_("Without a tag, to be typed at the table: {cards}.").format(cards=names))
        return [*lines, *_twin_lines(found)]

    def twins(self) -> tuple[Twin, ...]:
        """Pairs of tags, so far, that are too alike to be trusted once."""
        if len(self.enrolment.tags) != self._looked_at:
            self._looked_at = len(self.enrolment.tags)
            self._twins = self.enrolment.report(self.format).twins
        return self._twins

    def _told(self, answer: Answer) -> list[str]:
        if answer.said is not Said.SAME:
            self.has_stopped = answer.stops
        card, other = (face(word) if word else "" for word in (answer.card, answer.other))
        match answer.said:
            case Said.SAME:
                return []
            case Said.USED:
                text = _("STOP: this tag is {other} already; {card} was expected. Compare the two cards.")
                return [text.format(other=other, card=card), *self._next()]
            case Said.WRONG:
                text = _(
                    "STOP: this is {other}, and {card} was expected. One was missed, doubled or swapped."
                )
                return [text.format(other=other, card=card), *self._repair(answer)]
            case Said.UNKNOWN:
                if not card:
                    return [_("STOP: this card was missed in the first pass. Type g as, and draw all anew.")]
                text = _("STOP: this card was not drawn in the first pass; {card} was expected.")
                return [text.format(card=card), *self._repair(answer)]
            case Said.NOTHING:
                return [_("That is not possible now.")]
            case Said.TURNED:
                return self._next()
            case Said.SKIPPED:
                return [_("{card} has no tag.").format(card=card), *self._next()]
        return self._next()

    def _repair(self, answer: Answer) -> list[str]:
        return [
            _("Put it back and draw {card}; or type g {word} and draw from there on in order again.").format(
                card=face(answer.card), word=(answer.other or answer.card).lower()
            )
        ]

    def _next(self) -> list[str]:
        at, count = self.enrolment.progress
        if self.enrolment.now is Pass.DONE:
            return [_("All cards are where they were. The deck is enrolled.")]
        if self.enrolment.now is Pass.LEFT:
            text = _("Is a card left over that was not drawn? Draw it over the reader. If none is, type n.")
            return [text]
        if self.enrolment.now is Pass.CHECK:
            if at == 0:
                text = _("Now the same deck backwards, last card first. Begin with {card}.")
                return [text.format(card=self._expected())]
            return [_("{at}/{count} back. Next: {card}").format(at=at, count=count, card=self._expected())]
        return [_("{at}/{count}. Draw {card}").format(at=at, count=count, card=self._expected())]

    def _expected(self) -> str:
        expected = self.enrolment.expected
        return face(expected) if expected else ""


class Keyboard:
    """Lines a dealer types while cards are drawn, read on a thread of its own."""

    def __init__(self) -> None:
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        threading.Thread(target=self._read, name="keyboard", daemon=True).start()

    def line(self) -> str | None:
        """The next line that was typed; None when there is none."""
        try:
            return self._lines.get_nowait()
        except queue.Empty:
            return None

    def _read(self) -> None:
        for line in sys.stdin:
            self._lines.put(line)


def enrol(
    source: CardSource, desk: EnrolmentDesk, keyboard: Keyboard, say: Callable[[list[str]], None]
) -> None:
    """Go through the passes until the deck is enrolled, the dealer stops or the source ends.

    Raises:
        DriverError: The source can't be opened.
    """
    with source:
        say(desk.opening())
        while not desk.is_done and not desk.has_quit:
            typed = keyboard.line()
            if typed is not None:
                say(desk.typed(typed))
                continue
            event = source.read(GLANCE_S)
            if event is not None:
                say(desk.heard(event))
            elif source.has_ended:
                return


def _twin_lines(report: Report) -> list[str]:
    if not report.twins:
        return []
    pairs = ", ".join(f"{face(twin.card)}/{face(twin.other_card)}" for twin in report.twins[:MOST_PAIRS])
    if len(report.twins) > MOST_PAIRS:
        pairs += _(" and {count} more").format(count=len(report.twins) - MOST_PAIRS)
    return [
        _("Tags so alike that damage could turn one into the other: {pairs}.").format(pairs=pairs),
        _("At the table they count when read twice; a card read only once is asked about."),
    ]


def _card_word(text: str) -> str:
    if text.strip().upper() in JOKERS:
        return text.strip().upper()
    try:
        return str(parse_card(text))
    except Refusal:
        return ""
