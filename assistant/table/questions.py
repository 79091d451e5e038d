"""What card sources ask the dealer: the questions that are open, and what answers or settles them.

The line that an answer books is made at the moment of the answer, from what the table expects then; a
question whose card has been booked meanwhile is settled and gone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from assistant.cards import Card
from assistant.i18n import _
from drivers.base import EventKind, SourceEvent

UNSURE, UNEXPECTED, TROUBLE = "unsure", "unexpected", "trouble"
_CARD_PASSED = frozenset({EventKind.UNREADABLE, EventKind.TAG_UNKNOWN})


@dataclass(frozen=True)
class Question:
    """A card source said something that must be asked; nothing was booked.

    Attributes:
        number: Names the question for the answer; never used twice.
        kind: ``unsure`` (which card is it?), ``unexpected`` (a card nobody waited for) or ``trouble``.
        text: The question.
        candidates: Possible cards and how sure the source is of each, the likeliest first.
        event: What the source said: its name, zone, crop.
    """

    number: int
    kind: str
    text: str
    candidates: tuple[tuple[Card, float], ...]
    event: SourceEvent

    @property
    def wants_card(self) -> bool:
        """Whether a card passed that nobody could name, so that the next one typed is the answer."""
        return self.kind == TROUBLE and self.event.event in _CARD_PASSED


@dataclass
class OpenQuestions:
    """The open questions, the oldest first."""

    _open: list[Question] = field(default_factory=list)
    _asked: int = 0

    def __iter__(self) -> Iterator[Question]:
        return iter(tuple(self._open))

    def ask(
        self, kind: str, text: str, candidates: tuple[tuple[Card, float], ...], event: SourceEvent
    ) -> Question:
        """Open a question."""
        self._asked += 1
        question = Question(self._asked, kind, text, candidates, event)
        self._open.append(question)
        return question

    def numbered(self, number: int) -> Question | None:
        """The open question of a number; None when it is settled."""
        return next((one for one in self._open if one.number == number), None)

    @property
    def numbers(self) -> tuple[int, ...]:
        """Their numbers."""
        return tuple(one.number for one in self._open)

    def count(self, kind: str) -> int:
        """Open questions of a kind."""
        return sum(one.kind == kind for one in self._open)

    def close(self, number: int) -> None:
        """The question needs no answer any more."""
        self._open = [one for one in self._open if one.number != number]

    def booked(self, cards: Iterable[Card]) -> None:
        """Cards were booked: what was in doubt is one of them; so is an early card of that name."""
        said = tuple(cards)
        self._open = [one for one in self._open if one.kind == TROUBLE or not _is_about(one, said)]

    def forget_cards(self) -> None:
        """The cards were shuffled or the round is over: what lay there lies there no more."""
        self._open = [one for one in self._open if one.kind == TROUBLE]


def unsure_text(code: str) -> str:
    """The question about a card that can't be named; a lamp on both its indices is no riddle to the dealer.

    Args:
        code: Why, as the source says it.
    """
    if code == "glare":
        return _("Glare on the card: tilt it, or type it. Nothing has been booked.")
    return _("Which card is it? Nothing has been booked.")


def _is_about(question: Question, cards: tuple[Card, ...]) -> bool:
    """Whether a booked card answers the question; a rank alone stands for every suit."""
    if question.kind == UNSURE:
        return True
    asked = [card for card, _sure in question.candidates]
    return any(
        one.rank is other.rank and (one.suit is other.suit or None in (one.suit, other.suit))
        for one in asked
        for other in cards
    )
