"""The running table for a screen: a line or a card goes in, what came of it and a new snapshot come out.

Used from one thread. Whatever a card source says is booked only when the table expects it and it is certain;
else it becomes a question or a notice, and nothing is booked.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from assistant.cards import Card
from assistant.errors import Refusal
from assistant.games.base import (
    HAND,
    CardsDue,
    CardTurned,
    Choice,
    Prompt,
    RoundClosed,
    RoundOpened,
    Shuffled,
)
from assistant.holdings import CARRIED
from assistant.i18n import _
from assistant.ledger import events as ledger
from assistant.slips.chart import Chart
from assistant.slips.content import Slip
from assistant.slips.text import render
from assistant.store.base import CopyState, Damage, NightStore, StoreError
from assistant.table.asked import QuestionFile
from assistant.table.census import census_words
from assistant.table.counting import COUNTING
from assistant.table.duplicates import DuplicateFilter
from assistant.table.night import Night
from assistant.table.night_log import GIVE_BACK, Clock, NightLog, Origin, Step, local_now
from assistant.table.printing import slip_of
from assistant.table.questions import TROUBLE, UNEXPECTED, UNSURE, OpenQuestions, Question, unsure_text
from assistant.table.round_end import NOTHING, Entered, enter_what_waits, is_left_over
from assistant.table.settling import settlement_slip
from assistant.table.snapshot import LogLines, QuestionView, TableSnapshot, take_snapshot
from assistant.table.source_words import not_read, trouble
from assistant.table.speech import wording_of
from assistant.table.why import Reason, reasons_for
from assistant.table.zones import ZONE_WORDS, expects, is_left_of_a_hand, line_for
from assistant.talk import quote
from assistant.wording import Wording
from drivers.base import EventKind, SourceEvent
from drivers.cursors import BookedReports

NOT_SAVED = "NOT_SAVED"
MOST_EARLY = 5
"""So many cards that come too early are asked about; more of them are a shoe that runs empty."""
MOST_TROUBLES = 20
"""So many troubles are asked about; a device that floods the table must not bury the dealer."""
SHOWN_S = 4.0
"""What a camera still sees of a hand so long after it was shown is the rest of that hand, no early card."""
WORTH_A_COPY = (ledger.Counted, ledger.DifferenceAccepted, ledger.NightClosed)
"""After these the whole night is copied and checked, not only added to."""
LEAST_SURE = 0.85
"""No source may call a card certain below this; each has a threshold of its own above it."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a line.

    Attributes:
        code: Refusal code, or ``NOT_SAVED``; empty when accepted.
        message: What was found, what is legal, what to do.
        duplicate: The same entry was sent twice; nothing was done again.
    """

    accepted: bool
    snapshot: TableSnapshot
    code: str = ""
    message: str = ""
    duplicate: bool = False


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
        seconds: Seconds that only run forward, to tell what was seen at the same time.
        asked: Where open questions are kept for the next start; None keeps them nowhere.
        shows_odds: Whether snapshots have the odds of the moment.
        left_open: Which earlier night was left in play, in a sentence; empty for none.
        left_to_pay: What the last night left to be paid, in a sentence; said until a round is played.
        left_pool: The pool it left, and how to bring it in; said again until the first round.
        strict: Whether a placed bet stays as it was typed; only a void round takes it back.
    """

    store: NightStore
    name: str = ""
    clock: Clock = local_now
    seconds: Callable[[], float] = time.monotonic
    asked: QuestionFile | None = None
    shows_odds: bool = False
    left_open: str = ""
    left_to_pay: str = ""
    left_pool: str = ""
    strict: bool = False
    _partial: tuple[Card, ...] = ()
    _last: Step | None = None
    _entered: Entered = NOTHING
    _shown_by: tuple[str, float] = ("", 0.0)

    def __post_init__(self) -> None:
        self.log = NightLog(self.store, self.clock, strict=self.strict)
        self._filter = DuplicateFilter()
        self._questions = OpenQuestions()
        self._log_lines = LogLines()
        self._last = self.log.log[-1] if self.log.log else None
        self._reports = BookedReports(step.origin.report for step in self.log.log)
        self._kept: tuple[int, ...] = ()
        self._ask_again()
        if self.night.later and self.store.damage is None and is_left_over(self.log):
            self._entered = enter_what_waits(self.log)
        self.snapshot = self._take()

    @property
    def night(self) -> Night:
        """The night at this moment."""
        return self.log.night

    def submit(self, line: str, *, key: str = "", origin: str = "typed", confidence: float = 1.0) -> Outcome:
        """Take one line; once this returns with `accepted` it is durable. Never raises for what was typed."""
        return self._submit(line, key, Origin(origin, confidence), by_dealer=origin == "typed")

    def refuses(self, line: str) -> bool:
        """Whether the rules refuse a line as the table is now; nothing is booked."""
        try:
            self.log.check(line)
        except Refusal:
            return True
        return False

    def _submit(self, line: str, key: str, origin: Origin, *, by_dealer: bool) -> Outcome:
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
            if any(isinstance(event, WORTH_A_COPY) for event in accepted.step.events):
                self.store.checkpoint()
            self._settle(accepted.step, by_dealer=by_dealer)
            is_over = accepted.step.before.in_round and not accepted.step.travelled
            self._entered = enter_what_waits(self.log) if is_over else NOTHING
            self.snapshot = self._take()
            return Outcome(True, self.snapshot, message=self._entered.not_done)
        return Outcome(True, self.snapshot, duplicate=accepted.duplicate)

    def _settle(self, step: Step, *, by_dealer: bool) -> None:
        """Whoever asked about a booked card has an answer now; after a shuffle any card may come again."""
        fresh = not step.events or any(isinstance(event, Shuffled) for event in step.events)
        if fresh or step.before.table.shoe.shuffles != step.after.table.shoe.shuffles:
            self._filter.forget()
            self._questions.forget_cards()
        cards = [event.card for event in step.events if isinstance(event, CardTurned)]
        for card in cards:
            self._filter.booked(card, self.seconds(), by_dealer=by_dealer)
        if cards:
            self._questions.booked(cards)
        if any(isinstance(event, RoundClosed | ledger.RoundVoided) for event in step.events):
            self._questions.forget_cards()

    def show_odds(self, wanted: bool) -> TableSnapshot:
        """Switch the odds of the moment on or off."""
        self.shows_odds = wanted
        self.snapshot = self._take()
        return self.snapshot

    # -- card sources -------------------------------------------------------------------------------------

    def receive(self, event: SourceEvent) -> Outcome | Question | Notice:
        """Take what a card source says."""
        event = self._filter.sift(_doubted(event), self.seconds(), by_shoe=event.is_shoe)
        answer = self._receive(event)
        if isinstance(answer, Question):
            self.snapshot = self._take()
        return answer

    def _receive(self, event: SourceEvent) -> Outcome | Question | Notice:
        if event.event is EventKind.CARD:
            return self._card(event)
        if event.event is EventKind.UNSURE:
            return self._unsure(event)
        if event.event is EventKind.REPEATED and event.card is not None:
            if self._is_of_hand(event):
                return self._card(replace(event, event=EventKind.CARD))
            return Notice(_("{card} already dealt").format(card=event.card.face), event)
        if event.event in (EventKind.UNREADABLE, EventKind.TAG_UNKNOWN):
            if self._prompt().due is None or self._questions.count(TROUBLE) >= MOST_TROUBLES:
                return Notice(_("A card was not read."), event)
            return self._questions.ask(TROUBLE, not_read(event), (), event)
        found = f"{trouble(event)} {census_words(event.event, self.night)}".rstrip()
        text = _("{source}: {note}").format(source=event.source, note=found)
        return self._questions.ask(TROUBLE, text, (), event) if event.asks_the_dealer else Notice(text, event)

    def _card(self, event: SourceEvent) -> Outcome | Question | Notice:
        due = self._prompt().due
        if event.card is None:
            return Notice(_("A card passed face down and was counted."), event)
        if self._is_rest_of_hand(event, due):
            return Notice(_("{card} was shown too.").format(card=event.card.face), event)
        if event.report in self._reports:
            # the program stopped before it had noted that; in a shoe of several decks it would count twice
            return Notice(_("{card} was booked before.").format(card=event.card.face), event)
        if due is None or not expects(due, event.zone):
            return self._unexpected(event, self._misplaced(due, event.zone))
        cards = (*self._partial, event.card) if due.role == HAND else (event.card,)
        line = line_for(due, cards, self._player_word(due))
        origin = Origin(
            event.source, 1.0 if event.confidence is None else event.confidence, event.report, event.named_by
        )
        outcome = self._submit(line, "", origin, by_dealer=False)
        if outcome.accepted and due.role == HAND:
            self._shown_by = (event.source, self.seconds())
        if outcome.accepted or outcome.code == NOT_SAVED:
            return outcome
        if outcome.code == "E_DUPLICATE_CARD":
            return Notice(_("{card} already dealt").format(card=event.card.face), event)
        if outcome.code == "E_HAND" and due.role == HAND and len(cards) < due.high:
            return self._show_more(event, cards, due)
        return self._unexpected(event, outcome.message)

    def _is_of_hand(self, event: SourceEvent) -> bool:
        """Whether a card that was seen before may be one of the hand that is due: taken from the market, say.

        The rules know which hand it can be in; a source only knows that it saw it twice.
        """
        due = self._prompt().due
        is_due = due is not None and due.role == HAND and expects(due, event.zone)
        return is_due and event.card not in self._partial

    def _is_rest_of_hand(self, event: SourceEvent, due: CardsDue | None) -> bool:
        """Whether a hand was shown and booked, and this is another card of it: nothing to book.

        A winning card settles a hand before the camera has named the cards beside it.
        """
        if self.snapshot.deals_face_down and is_left_of_a_hand(due, event.zone):
            return True
        source, shown_s = self._shown_by
        return due is None and source == event.source and self.seconds() - shown_s <= SHOWN_S

    def _misplaced(self, due: CardsDue | None, zone: str | None) -> str:
        """Why a card in this zone is not the one that is due; empty when none is."""
        if due is None or zone is None or zone not in ZONE_WORDS:
            return ""
        where, duty = _(ZONE_WORDS[zone]), self.snapshot.duty.rstrip(".")
        return _("It lies {where}, and now: {duty}. Nothing is booked.").format(where=where, duty=duty)

    def _show_more(self, event: SourceEvent, cards: tuple[Card, ...], due: CardsDue) -> Notice:
        """A part of a hand was seen and does not win yet: it is kept until the rest is shown."""
        self._partial = cards
        shown = " ".join(card.face for card in cards)
        text = _("{shown}: no winner yet, show more ({count} of {all})")
        return Notice(text.format(shown=shown, count=len(cards), all=due.high), event)

    def _unexpected(self, event: SourceEvent, why: str = "") -> Question | Notice:
        assert event.card is not None
        if not why and not self.night.table.shoe.can_show(event.card):
            return Notice(_("{card} already dealt").format(card=event.card.face), event)
        text = _("{card} was seen, and no card is due. Nothing is booked.").format(card=event.card.face)
        if why:
            text = _("{card} was seen. {why}").format(card=event.card.face, why=why)
        if self._questions.count(UNEXPECTED) >= MOST_EARLY:
            return Notice(
                _("Cards come that nobody waits for, {card} too. Stop the shoe.").format(
                    card=event.card.face
                ),
                event,
            )
        return self._questions.ask(UNEXPECTED, text, ((event.card, event.confidence or 1.0),), event)

    def _unsure(self, event: SourceEvent) -> Question | Notice:
        if self._is_rest_of_hand(event, self._prompt().due):
            return Notice(_("A card of the shown hand can't be named; it isn't needed."), event)
        readings = [(one.card, one.confidence) for one in event.candidates]
        if not readings and event.card is not None:
            readings = [(event.card, event.confidence or 0.0)]
        shoe, shown = self.night.table.shoe, self._partial
        possible = tuple((card, sure) for card, sure in readings if shoe.can_show(card) and card not in shown)
        return self._questions.ask(UNSURE, unsure_text(event.code), possible, event)

    # -- answers ------------------------------------------------------------------------------------------

    def answer(self, number: int, card: Card, *, key: str = "") -> Outcome:
        """The dealer says which card a question was about; it is booked as what the table expects now."""
        question = self._questions.numbered(number)
        if question is None:
            return Outcome(
                False, self.snapshot, "E_PHASE", _("That question is settled; nothing was booked.")
            )
        line = self._line_of(question, card)
        if not line:
            text = _("No card is due now; nothing was booked.")
            return Outcome(False, self.snapshot, "E_PHASE", text)
        asked = question.event
        origin = Origin(asked.source, report=asked.report, tag=asked.tag or asked.named_by)
        outcome = self._submit(line, key, origin, by_dealer=True)
        if outcome.accepted:
            self.dismiss(number)
            return Outcome(True, self.snapshot, duplicate=outcome.duplicate)
        return outcome

    def dismiss(self, number: int) -> TableSnapshot:
        """The dealer says that a question needs no answer: no card, or one that is put back."""
        self._questions.close(number)
        self.snapshot = self._take()
        return self.snapshot

    def _line_of(self, question: Question, card: Card) -> str:
        """The line that an answer books now; empty when the card has no place at this moment."""
        prompt = self._prompt()
        if prompt.due is not None:  # the dealer's word counts, wherever the card lies
            cards = (*self._partial, card) if prompt.due.role == HAND else (card,)
            return line_for(prompt.due, cards, self._player_word(prompt.due))
        burns = any(choice.verb == "burn" for choice in self._choices(prompt))
        return f"burn {card}".removesuffix("?") if burns else ""

    def _choices(self, prompt: Prompt) -> tuple[Choice, ...]:
        night = self.night
        return night.game.legal_actions(night.state) if night.game and not night.closed else prompt.choices

    def _question_views(self) -> tuple[QuestionView, ...]:
        return tuple(
            QuestionView(
                number=one.number,
                kind=one.kind,
                text=one.text,
                source=one.event.source,
                candidates=tuple((card, sure, self._line_of(one, card)) for card, sure in one.candidates),
                crop=one.event.crop,
                tag=one.event.tag,
                wants_card=one.wants_card,
            )
            for one in self._questions
        )

    def _ask_again(self) -> None:
        """Ask what was open when the program last stopped, unless it was booked in its last moment."""
        if self.asked is None or self.night.closed:
            return
        for one in self.asked.of_night(self.name):
            if one.event.report not in self._reports:
                self._questions.ask(one.kind, one.text, one.candidates, one.event)
        self._kept = self._questions.numbers

    def _keep_questions(self) -> None:
        if self.asked is not None and self._questions.numbers != self._kept:
            self._kept = self._questions.numbers
            self.asked.keep(self.name, self._questions)

    # -- what screens see ---------------------------------------------------------------------------------

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the dealer should know before the first round: about the folder of the night, and the night
        before."""
        texts = {
            "network": _("The night lies on a network disk ({detail}); a lost connection may cost entries."),
            "synced": _("The night lies in a folder that {detail} copies; it may be damaged while open."),
        }
        found = tuple(texts[one.code].format(detail=one.detail) for one in self.store.warnings)
        pool = self.left_pool if self.waits_for_pool else ""
        to_pay = "" if len(self.night.rounds) else self.left_to_pay
        return (*found, *filter(None, (pool, to_pay, self.left_open)))

    def follows(self, left_open: str, left_pool: str = "", left_to_pay: str = "") -> None:
        """Hear what nights before have left: in play, in the pool of the last, and to be paid of it."""
        self.left_open, self.left_pool, self.left_to_pay = left_open, left_pool, left_to_pay
        self.snapshot = self._take()

    @property
    def waits_for_pool(self) -> bool:
        """Whether a pool of an earlier night may still come in: nothing was played, and none was brought."""
        night = self.night
        return not (night.closed or len(night.rounds) or night.chips.at(CARRIED))

    def _pool_to_carry(self) -> str:
        """The reminder of a pool, once a round of it could be opened; before that the line is refused."""
        if not self.left_pool or not self.waits_for_pool:
            return ""
        night = self.night
        has_pool = night.game is not None and night.game.has_pool
        return (
            self.left_pool if has_pool and any(one.verb == "round" for one in self._prompt().choices) else ""
        )

    @property
    def damage(self) -> Damage | None:
        """What is wrong with the night when it can only be looked at."""
        return self.store.damage

    @property
    def copy(self) -> CopyState | None:
        """How the night's second copy stands; may be asked from any thread."""
        return self.store.copy

    def paper(self, kind: str, entry: int | None = None) -> Slip:
        """A slip of the night, of a kind of `assistant.slips.content.KINDS`; of a buy-in, which entry's.

        Raises:
            NoSuchSlip: There is nothing to print.
        """
        return slip_of(self.log, self.name, kind, entry)

    def pdf(self) -> bytes:
        """The settlement with the chart of the stacks, as a PDF."""
        from assistant.slips.pdf import settlement_pdf

        return settlement_pdf(settlement_slip(self.log, self.name), self.chart())

    def chart(self) -> Chart:
        """Everybody's stack over the night."""
        from assistant.table.courses import stack_chart

        return stack_chart(self.log)

    def slip(self, width: int) -> str:
        """The settlement slip, or before the night is closed how it stands now."""
        return render(settlement_slip(self.log, self.name), width)

    def reasons(self, who: str) -> tuple[Reason, ...]:
        """The entries that make up what a player or a node of the settlement gets or gives."""
        return reasons_for(self.log, who)

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
        if night.counting:
            return Prompt(COUNTING)
        prompt = night.game.prompt(night.state)
        if not self.strict:
            return prompt
        return replace(prompt, choices=tuple(one for one in prompt.choices if one.verb not in GIVE_BACK))

    def _wording(self) -> Wording:
        return wording_of(self.night)

    def _player_word(self, due: CardsDue) -> str:
        return quote(self.night.names()[due.player]) if due.player else ""

    def _origins(self) -> tuple[Origin, ...]:
        """Where the cards on the board came from, in their order."""
        origins: list[Origin] = []
        for step in self.log.round_steps():
            for event in step.events:
                if isinstance(event, RoundOpened):
                    origins = []
                elif isinstance(event, CardTurned):
                    origins.append(step.origin)
        return tuple(origins)

    def _take(self) -> TableSnapshot:
        self._keep_questions()
        snapshot = take_snapshot(
            self.log,
            self._last,
            self._prompt(),
            self._wording(),
            self.name,
            self._origins(),
            self._question_views(),
            self._log_lines,
            with_odds=self.shows_odds,
        )
        if reminder := self._pool_to_carry():
            snapshot = replace(snapshot, reminder=reminder)
        if not self._entered.steps:
            return snapshot
        return replace(snapshot, told=(*snapshot.told, *self._entered.told()))


def _doubted(event: SourceEvent) -> SourceEvent:
    """A card that its source is not sure enough of is asked for like one it is unsure of."""
    doubtful = event.confidence is not None and event.confidence < LEAST_SURE
    return replace(event, event=EventKind.UNSURE) if event.event is EventKind.CARD and doubtful else event
