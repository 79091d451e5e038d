"""Whether an amount is so far from the last one of its kind that it is asked for once more (LEDGER.md,
"Decisions")."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from assistant.console.reading import NOTHING, Reading, asks_again
from assistant.errors import AssistantError
from assistant.i18n import _
from assistant.money import format_amount
from assistant.talk import Words, split_line

if TYPE_CHECKING:
    from assistant.table.snapshot import TableSnapshot

BUYING = frozenset({"seat", "buy", "iou", "float", "lend", "expense"})
"""Verbs whose amounts are of one kind: what is far more than the last one is asked for once more."""
PAID = frozenset({"float", "expense"})
BETTING = frozenset({"bet", "raise"})
"""Their amounts are of a kind each; what was typed without a colon has its amount read already."""
IN_MONEY = "cash"
"""Where chips have a value, what is paid is no amount of chips: a kind of its own."""
MOST_KEPT = 60
"""Of each kind and game, so many: more than anybody takes back one after another."""


@dataclass(frozen=True, slots=True)
class _Booked:
    kind: str
    amount: int
    entry: int
    game: str | None


@dataclass
class LastAmounts:
    """The amounts that were booked here, to compare the next ones with."""

    _booked: list[_Booked] = field(default_factory=list)

    def remember(self, reading: Reading, snapshot: TableSnapshot) -> None:
        """Remember the amount of the line that was booked last."""
        if reading.amount is not None:
            entry = snapshot.log[-1].number if snapshot.log else 0
            kept = _Booked(reading.verb, reading.amount, entry, snapshot.game)
            alike = [one for one in self._booked if (one.kind, one.game) == (kept.kind, kept.game)]
            if len(alike) >= MOST_KEPT:
                self._booked.remove(alike[0])
            self._booked.append(kept)

    def last(self, kind: str, snapshot: TableSnapshot) -> int | None:
        """The last amount of a kind that stands; a bet of another game is no measure for this one's."""
        gone = {line.number for line in snapshot.log if line.state != "done" or line.is_reversed}
        for one in reversed(self._booked):
            is_of_game = kind not in BETTING or one.game == snapshot.game
            if one.kind == kind and is_of_game and one.entry not in gone:
                return one.amount
        return None


def sized(reading: Reading, snapshot: TableSnapshot) -> Reading:
    """The kind and the amount of a line of table talk, where it brings chips or money in or is a bet."""
    if reading.verb not in BUYING | BETTING or (reading.verb in BETTING and reading.amount is not None):
        return NOTHING
    kind = IN_MONEY if snapshot.chip and reading.verb in PAID else "buy"
    kind = reading.verb if reading.verb in BETTING else kind
    for word in _words_with_amount(reading):
        try:
            return Reading(verb=kind, amount=_amount(word, kind, snapshot))
        except AssistantError:
            continue
    return NOTHING


def _words_with_amount(reading: Reading) -> list[str]:
    """Where to look for the amount, the likeliest first: behind the name, which may be a number. It is the
    last number there, but of an expense the first: behind that stands what was paid for."""
    try:
        command = split_line(reading.line)
    except AssistantError:
        return []
    words = [word.text for word in command.words] if command else []
    if reading.verb in BUYING:
        words = words[1:]
    return words if reading.verb == "expense" else words[::-1]


def far_more(reading: Reading, last_amounts: LastAmounts, snapshot: TableSnapshot) -> bool:
    """Whether an amount is far more than the last one of its kind."""
    return asks_again(reading, last_amounts.last(reading.verb, snapshot))


def far_more_text(reading: Reading, last_amounts: LastAmounts, snapshot: TableSnapshot) -> str:
    """What Enter once more books."""
    unit = snapshot.money_currency if reading.verb == IN_MONEY else snapshot.currency
    text = _("{amount} is more than five times the last one ({last}). Enter once more books it.")
    last = format_amount(last_amounts.last(reading.verb, snapshot) or 0, unit)
    return text.format(amount=format_amount(reading.amount or 0, unit), last=last)


def _amount(word: str, kind: str, snapshot: TableSnapshot) -> int:
    """An amount of chips, or of money where it is paid and chips have a value."""
    money = snapshot.money_currency if snapshot.chip else None
    words = Words([], currency=snapshot.currency, money=money, chip=snapshot.chip)
    return words.money_in(word) if kind == IN_MONEY else words.chips_in(word)
