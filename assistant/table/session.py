"""The running table for a screen: a line or a card goes in, what came of it and a new snapshot come out.

Used from one thread. Whatever a card source says is booked only when the table expects it and it is certain;
else it becomes a question or a notice, and nothing is booked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from assistant.cards import Card
from assistant.errors import Refusal
from assistant.games.base import HAND, CardsDue, CardTurned, Prompt
from assistant.i18n import _
from assistant.slips.text import render_settlement
from assistant.store.base import NightStore, StoreError
from assistant.table.night import Night
from assistant.table.night_log import Clock, NightLog, Origin, Step, local_now
from assistant.table.settling import settlement_slip
from assistant.table.snapshot import TableSnapshot, take_snapshot
from assistant.table.speech import wording_of
from assistant.table.zones import expects, line_for
from assistant.talk import quote
from assistant.wording import Wording
from drivers.base import EventKind, SourceEvent
from drivers.cursors import BookedReports

NOT_SAVED = "NOT_SAVED"
SURE_ENOUGH = 0.98
"""A source's confidence from which a card is booked without asking; below it the dealer is asked."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a line.

    Attributes:
        code: Refusal code, or ``NOT_SAVED``; empty when accepted.
        message: What was found, what is legal, what to do.
        told: What the dealer is asked to pay, collect or announce.
        duplicate: The same entry was sent twice; nothing was done again.
    """

    accepted: bool
    snapshot: TableSnapshot
    code: str = ""
    message: str = ""
    told: tuple[str, ...] = ()
    duplicate: bool = False


@dataclass(frozen=True)
class Question:
    """A card source said something that must be asked; nothing was booked.

    Attributes:
        kind: ``unsure``, ``unexpected`` or ``trouble``.
        candidates: Possible cards, the likeliest first; cards that can't be any more are left out.
        line_for: Card -> the line that books it.
    """

    kind: str
    text: str
    candidates: tuple[tuple[Card, float], ...]
    line_for: Mapping[str, str]
    event: SourceEvent


@dataclass(frozen=True)
class Notice:
    """Worth one line in the status; no answer is needed."""

    text: str
    event: SourceEvent


@dataclass
class TableSession:
    """A night that is played: its log, the snapshot of the moment, and the cards shown so far.

    Args:
        store: The night's store, open; what it holds is played back first.
        name: What the night is called until a line names it.
        clock: The time, with its zone.
    """

    store: NightStore
    name: str = ""
    clock: Clock = local_now
    _partial: tuple[Card, ...] = ()
    _last: Step | None = None
    _sightings: dict[Card, Origin] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.log = NightLog(self.store, self.clock)
        self._last = self.log.log[-1] if self.log.log else None
        self._reports = BookedReports(step.origin.report for step in self.log.log)
        self._remember_sightings(self._live_steps())
        self.snapshot = self._take()

    @property
    def night(self) -> Night:
        """The night at this moment."""
        return self.log.night

    @property
    def face_up_due(self) -> bool:
        """Whether the table expects a face-up card now."""
        return self._prompt().due is not None

    def submit(self, line: str, *, key: str = "", origin: str = "typed", confidence: float = 1.0) -> Outcome:
        """Take one line; once this returns with `accepted` it is durable. Never raises for what was typed."""
        if line.split(" ", 1)[0].lower() == "show":
            self._partial = ()
        return self._submit(line, key, Origin(origin, confidence))

    def _submit(self, line: str, key: str, origin: Origin) -> Outcome:
        try:
            accepted = self.log.submit(line, key=key, origin=origin)
        except Refusal as refusal:
            return Outcome(False, self.snapshot, refusal.code, self._wording().refusal(refusal))
        except StoreError as error:
            return Outcome(False, self.snapshot, NOT_SAVED, str(error))
        if accepted.step is not None and not accepted.duplicate:
            self._last = accepted.step
            self._partial = ()
            self._reports.add(origin.report)
            self._remember_sightings([accepted.step] if accepted.step.events else self._live_steps())
            self.snapshot = self._take()
        return Outcome(True, self.snapshot, told=self.snapshot.told, duplicate=accepted.duplicate)

    # -- card sources -------------------------------------------------------------------------------------

    def receive(self, event: SourceEvent) -> Outcome | Question | Notice:
        """Take what a card source says."""
        if event.event is EventKind.CARD:
            return self._card(event)
        if event.event is EventKind.UNSURE:
            return self._unsure(event)
        if event.event is EventKind.REPEATED and event.card is not None:
            return Notice(_("{card} already dealt").format(card=event.card.face), event)
        if event.event in (EventKind.UNREADABLE, EventKind.TAG_UNKNOWN):
            due = self._prompt().due
            text = _("A card was not read. Type it.") if due else _("A card was not read.")
            return Question("trouble", text, (), {}, event) if due else Notice(text, event)
        if event.asks_the_dealer:
            return Question(
                "trouble",
                _("{source}: {note}").format(source=event.source, note=_trouble(event)),
                (),
                {},
                event,
            )
        return Notice(_("{source}: {note}").format(source=event.source, note=_trouble(event)), event)

    def _card(self, event: SourceEvent) -> Outcome | Question | Notice:
        due = self._prompt().due
        if event.card is None:
            return Notice(_("A card passed face down and was counted."), event)
        if event.report in self._reports:
            # the program stopped before it had noted that; in a shoe of several decks it would count twice
            return Notice(_("{card} was booked before.").format(card=event.card.face), event)
        if event.confidence is not None and event.confidence < SURE_ENOUGH:
            return self._unsure(event)
        if due is None or not expects(due, event.zone):
            return self._unexpected(event)
        cards = (*self._partial, event.card) if due.role == HAND else (event.card,)
        line = line_for(due, cards, self._player_word(due))
        origin = Origin(event.source, 1.0 if event.confidence is None else event.confidence, event.report)
        partial, outcome = cards, self._submit(line, "", origin)
        if outcome.accepted or outcome.code == NOT_SAVED:
            return outcome
        if outcome.code == "E_DUPLICATE_CARD":
            return Notice(_("{card} already dealt").format(card=event.card.face), event)
        if outcome.code == "E_HAND" and due.role == HAND and len(partial) < due.high:
            self._partial = partial
            shown = " ".join(card.face for card in partial)
            text = _("{shown}: no winner yet, show more ({count} of {all})")
            return Notice(text.format(shown=shown, count=len(partial), all=due.high), event)
        return self._unexpected(event, outcome.message)

    def _unexpected(self, event: SourceEvent, why: str = "") -> Question | Notice:
        assert event.card is not None
        if not why and not self.night.table.shoe.can_show(event.card):
            return Notice(_("{card} already dealt").format(card=event.card.face), event)
        lines = {}
        if any(choice.verb == "burn" for choice in self._prompt().choices):
            lines[str(event.card)] = f"burn {event.card}".removesuffix("?")
        text = _("{card} was seen, and no card is due. Nothing is booked.").format(card=event.card.face)
        if why:
            text = _("{card} was seen. {why}").format(card=event.card.face, why=why)
        return Question("unexpected", text, ((event.card, event.confidence or 1.0),), lines, event)

    def _unsure(self, event: SourceEvent) -> Question:
        due = self._prompt().due
        readings = [(one.card, one.confidence) for one in event.candidates]
        if not readings and event.card is not None:
            readings = [(event.card, event.confidence or 0.0)]
        shoe, shown = self.night.table.shoe, self._partial
        possible = tuple((card, sure) for card, sure in readings if shoe.can_show(card) and card not in shown)
        lines = {}
        if due is not None and expects(due, event.zone):
            for card, _sure in possible:
                cards = (*self._partial, card) if due.role == HAND else (card,)
                lines[str(card)] = line_for(due, cards, self._player_word(due))
        return Question("unsure", _("Which card is it? Nothing has been booked."), possible, lines, event)

    # -- what screens see ---------------------------------------------------------------------------------

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the dealer should know about the folder of the night before the first round."""
        texts = {
            "network": _("The night lies on a network disk ({detail}); a lost connection may cost entries."),
            "synced": _("The night lies in a folder that {detail} copies; it may be damaged while open."),
        }
        return tuple(texts[one.code].format(detail=one.detail) for one in self.store.warnings)

    def slip(self, width: int) -> str:
        """The settlement slip, or before the night is closed how it stands now."""
        return render_settlement(settlement_slip(self.log, self.name), width)

    def close(self) -> None:
        """Close the night's file; what was booked stays."""
        self.store.close()

    def _prompt(self) -> Prompt:
        night = self.night
        if night.closed:
            return Prompt("closed")
        if night.game is None:
            return Prompt("no_game")
        if not night.table.players:
            return Prompt("no_players")
        return night.game.prompt(night.state)

    def _wording(self) -> Wording:
        return wording_of(self.night)

    def _player_word(self, due: CardsDue) -> str:
        return quote(self.night.names()[due.player]) if due.player else ""

    def _live_steps(self) -> list[Step]:
        return [step for step in self.log.log if not step.undone]

    def _remember_sightings(self, steps: Iterable[Step]) -> None:
        """Where the cards on the board came from; a typed card is certain."""
        for step in steps:
            for event in step.events:
                if isinstance(event, CardTurned):
                    self._sightings[event.card] = step.origin
        on_board = {shown.card for shown in self.night.state.board}
        self._sightings = {card: origin for card, origin in self._sightings.items() if card in on_board}

    def _take(self) -> TableSnapshot:
        return take_snapshot(
            self.log, self._last, self._prompt(), self._wording(), self.name, self._sightings
        )


def _trouble(event: SourceEvent) -> str:
    words: dict[EventKind, str] = {
        EventKind.GAP: _("cards passed unseen. Type them, or count the discards."),
        EventKind.JOINED: _("connected in the middle; earlier cards are unknown."),
        EventKind.REBOOT: _("started anew. Check the last card on the table."),
        EventKind.CONFLICT: _("two readings contradict each other. Type the card."),
        EventKind.CUT: _("the cut card is out. Shuffle after this round."),
        EventKind.EMPTY: _("the shoe is empty. Shuffle."),
        EventKind.DOWN: _("lost. Type the cards."),
        EventKind.STALE: _("connected, but silent. Type the cards if none come."),
        EventKind.UP: _("works."),
        EventKind.BACK: _("a card was pushed back."),
        EventKind.LID: _("the lid was moved."),
    }
    return words.get(event.event) or event.note or event.event.value
