"""The console's own memory beside the table: messages, the chosen seat, when Enter counts.

No Textual here: what a key means at a moment can be tested without a screen.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from assistant.console import confirm
from assistant.console.desk import new_key
from assistant.console.sizes import LastAmounts
from assistant.console.typed_words import as_typed
from assistant.console.view import Said
from assistant.i18n import _
from assistant.started import as_started

if TYPE_CHECKING:
    from assistant.console.reading import Reading
    from assistant.table.session import Outcome
    from assistant.table.snapshot import TableSnapshot

STALE_S = 0.25
"""A confirm counts only after the table has looked like this for so long, if a card source changed it."""
REPEAT_S = 0.12
"""Enter again within this time is the keyboard repeating, not the dealer."""
HELD_BACKSPACE_S = 1.0
"""Backspace again within this time is being held; the first repeat of a held key may come late."""
UNDO_KEYS = frozenset({"u", "г", "backspace"})
ENDING_VERBS = frozenset(
    {"card", "show", "won", "lost", "fold", "call", "raise", "check", "pass", "take", "retire"}
)


@dataclass
class TableState:
    """What the console remembers between two keys.

    Attributes:
        clock: Seconds, monotonic.
        snapshot: The table as last seen; None while the night is being opened.
        said: A refusal or notice, until the next accepted line.
        selected: The seat chips are being taken for (casino).
        deals: Whether a simulated shoe was told to deal.
        live: Whether the camera's picture stands where the log is.
        replaced_line: An entry that was not taken, or is only proposed: the next character begins a new line,
            an edit key mends it.
        is_russian_layout: Whether a letter of a Russian keyboard layout was pressed.
        is_led: Whether Enter led to this screen, so that it leads on to the next step; a key of its own was
            pressed to come back.
        refusal: Code of the refusal that was said last.
        is_word_unknown: Whether the last line was refused because its first word is none; help shows them.
    """

    clock: Callable[[], float] = time.monotonic
    snapshot: TableSnapshot | None = None
    said: Said | None = None
    selected: str | None = None
    last_amounts: LastAmounts = field(default_factory=LastAmounts)
    deals: bool = False
    live: bool = False
    key: str = field(default_factory=new_key)
    asked: str = ""
    replaced_line: str = ""
    is_russian_layout: bool = False
    is_led: bool = False
    refusal: str = ""
    is_word_unknown: bool = False
    _changed_by_source_s: float = float("-inf")
    _enter_s: float = float("-inf")
    _enter_was_last: bool = False
    _key: str = ""
    _key_s: float = float("-inf")
    _is_held: bool = False
    _undo_asked: bool = False

    def saw(self, snapshot: TableSnapshot, *, by_source: bool = False) -> None:
        """Take in a new state of the table."""
        before, self.snapshot = self.snapshot, snapshot
        if by_source:
            self._changed_by_source_s = self.clock()
        if not snapshot.due or snapshot.in_round != (before is not None and before.in_round):
            self.deals = False
        self._choose(before, snapshot)

    def accepted(self, outcome: Outcome, *, by_source: bool = False) -> None:
        """Take in an accepted line; a new entry gets a new key."""
        self.said = Said(outcome.message) if outcome.message else None
        self.is_word_unknown = False
        self.asked = self.replaced_line = ""
        self.key = new_key()
        self.saw(outcome.snapshot, by_source=by_source)

    def refused(self, outcome: Outcome) -> None:
        """Take in a refusal: nothing has changed, the line stays for mending."""
        self.say(outcome.message or outcome.code, stops=True)
        self.refusal = outcome.code
        self.is_word_unknown = outcome.code == "E_VERB"
        self.asked = ""
        self.key = new_key()

    def say(self, text: str, *, stops: bool = False) -> None:
        """Show a sentence until the next accepted line."""
        self.said = Said(as_typed(as_started(text)), stops)
        self.is_word_unknown = False

    def withdraw(self, *, moved: bool = False) -> None:
        """The line has changed, or it is for another seat (`moved`): what was asked about it is true no more.

        Where only the seat is another, an amount typed now still stands instead of the line.
        """
        if self.asked:
            self.replaced_line = self.asked if moved else self.replaced_line
            self.asked, self.said = "", None

    def pressed(self, key: str, character: str | None = None) -> None:
        """Note a key that was not Enter."""
        self.is_russian_layout |= character is not None and "\u0400" <= character <= "\u04ff"
        self._enter_was_last = False
        now = self.clock()
        held_s = HELD_BACKSPACE_S if key == "backspace" else REPEAT_S
        self._is_held = key == self._key and now - self._key_s < held_s
        self._key, self._key_s = key, now
        if key not in UNDO_KEYS:
            self._undo_asked = False

    def undo_counts(self) -> bool:
        """Whether this key may take the last line back.

        A Backspace that was held to empty the line must not go on to undo; and what would open a settled
        round again is asked for once.
        """
        if self._is_held:
            return False
        if self._undo_asked or not self._would_reopen():
            self._undo_asked = False
            return True
        self._undo_asked = True
        self.say(_("The round is settled. The same key once more takes its last line back all the same."))
        return False

    def _would_reopen(self) -> bool:
        """Whether the last line that stands ended a round."""
        snapshot = self.snapshot
        if snapshot is None or snapshot.in_round or not snapshot.board:
            return False
        verbs = [line.text.split(maxsplit=1)[0].lower() for line in snapshot.log if line.state == "done"]
        standing = [verb for verb in verbs if verb not in ("undo", "redo", "note")]
        return bool(standing) and standing[-1] in ENDING_VERBS

    def enter_counts(self) -> bool:
        """Whether this Enter is the dealer's answer to what is on the screen now."""
        now = self.clock()
        repeated = self._enter_was_last and now - self._enter_s < REPEAT_S
        self._enter_s, self._enter_was_last = now, True
        if repeated:
            return False
        if now - self._changed_by_source_s < STALE_S:
            self.say(_("The table changed as you pressed the key. Look, then press it again."), stops=True)
            return False
        return True

    def remember(self, reading: Reading) -> None:
        """Remember the amount of a booked line, for the next size check."""
        if self.snapshot is not None:
            self.last_amounts.remember(reading, self.snapshot)

    def select(self, step: int) -> None:
        """Choose the next (or the one before) seat to take chips for; the cards come after the last."""
        if self.snapshot is not None and confirm.takes_chips(self.snapshot):
            self.selected = confirm.next_bettor(self.snapshot, self.selected, step)

    def select_number(self, number: int) -> None:
        """Choose a seat by its number."""
        if self.snapshot is None or not 1 <= number <= len(self.snapshot.seats):
            return
        player = self.snapshot.seats[number - 1].player
        if player in confirm.bettors(self.snapshot):
            self.selected = player

    def bet_taken(self, player: str | None) -> None:
        """Go on to the next seat without chips, after chips were put out for one."""
        if self.snapshot is not None and player is not None and player == self.selected:
            self.selected = confirm.next_without_bet(self.snapshot, player)

    def _choose(self, before: TableSnapshot | None, snapshot: TableSnapshot) -> None:
        if not confirm.takes_chips(snapshot):
            self.selected = None
        elif (
            before is None
            or not confirm.takes_chips(before)
            or (self.selected is not None and self.selected not in confirm.bettors(snapshot))
        ):
            self.selected = confirm.next_without_bet(snapshot, None)
        else:
            self.selected = _bet_gone(before, snapshot) or self.selected


def _bet_gone(before: TableSnapshot, snapshot: TableSnapshot) -> str | None:
    """Whose bet was taken back: the next amount is theirs, not that of the seat the mark had moved on to.

    Where all bets have gone, the first seat begins anew.
    """
    earlier = {seat.player: seat.bet for seat in before.seats}
    gone = [seat.player for seat in snapshot.seats if seat.bet < earlier.get(seat.player, 0)]
    if gone and not any(seat.bet for seat in snapshot.seats):
        return confirm.next_without_bet(snapshot, None) if len(gone) > 1 else gone[0]
    return gone[0] if len(gone) == 1 else None
