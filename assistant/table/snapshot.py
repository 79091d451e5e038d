"""What screens see of the running table: frozen values, words already in the dealer's language.

A screen renders a `TableSnapshot` and posts lines of table talk; it holds no rule and no sum.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from assistant.cards import Card
from assistant.games.base import CardsDue, Choice, Prompt, Shown
from assistant.holdings import HOUSE
from assistant.i18n import _, language, pgettext
from assistant.money import CHIPS, Amount, Currency
from assistant.table.closing import house_unbacked, plan_of
from assistant.table.money_view import MoneyView, money_view
from assistant.table.night import Night
from assistant.table.night_log import TYPED, NightLog, Origin, Step
from assistant.table.reversing import reversed_entries
from assistant.table.speech import told_of
from assistant.wording import Wording


@dataclass(frozen=True, slots=True)
class SeatView:
    """One chair.

    Attributes:
        player: The player's id; stable over the night.
        name: As first written (or renamed). User text: never markup.
        stack: Chips in front of them.
        bet: Chips on the layout.
        net: Stack, bets and cash-outs less buy-ins.
        is_turn: Whether their decision is awaited.
        takes_part: Whether they are in the round being played, or between rounds have chips for the next.
        note: Short words such as "sits out", "folded", "leaves after this round"; empty for none.
        brief_note: The same in one word or two, for a place where the note has no room.
        result: What the last round brought them; None before there was one.
        counted: Chips counted in front of them, while the count holds.
    """

    player: str
    name: str
    stack: Amount
    bet: Amount
    net: Amount
    is_dealer: bool = False
    is_turn: bool = False
    plays: bool = True
    takes_part: bool = True
    note: str = ""
    brief_note: str = ""
    result: Amount | None = None
    counted: Amount | None = None


@dataclass(frozen=True, slots=True)
class BoardCard:
    """A card face up, what it is there for, and where its reading came from.

    Attributes:
        role: ``post third turned burned exposed hand passed shared market taken tie-break``.
        role_label: The role in the dealer's language.
        name: What the game calls the card, where not as usual ("Duke of Wings").
        source: ``typed`` or the source's name.
        confidence: 0..1; 1 for typed cards.
    """

    card: Card
    role: str
    role_label: str
    player: str | None = None
    source: str = "typed"
    confidence: float = 1.0
    name: str = ""


@dataclass(frozen=True, slots=True)
class LayoutField:
    """A field of the casino layout: its label, the payout printed under it, and whether the marker stands on
    it."""

    name: str
    label: str
    payout: str
    marked: bool = False


@dataclass(frozen=True, slots=True)
class LogLine:
    """An accepted line for the log: its entry number, local time, words, and what came of it.

    Attributes:
        state: ``done``, or ``undone`` for a line that was taken back (struck through, never removed).
        origin: ``typed`` or the source's name.
        is_reversed: Whether a counter-entry took it back.
    """

    number: int
    time: str
    text: str
    told: tuple[str, ...] = ()
    state: str = "done"
    origin: str = "typed"
    is_reversed: bool = False


@dataclass(frozen=True, slots=True)
class QuestionView:
    """A question of a card source that is open.

    Attributes:
        number: Names it for the answer.
        kind: ``unsure``, ``unexpected`` or ``trouble``.
        candidates: Card, how sure the source is, and the line an answer books at this moment (empty: none).
        crop: (H, W, 3) uint8 BGR picture of the card, where there is one.
        tag: The tag that no deck in play knows, where that is the question.
        wants_card: Whether the next card typed is the answer.
    """

    number: int
    kind: str
    text: str
    source: str
    candidates: tuple[tuple[Card, float, str], ...] = ()
    crop: object | None = field(default=None, compare=False, repr=False)
    tag: str = ""
    wants_card: bool = False


@dataclass(frozen=True, slots=True)
class TransferView:
    """One payment of the settlement, with names."""

    payer: str
    payee: str
    amount: Amount


@dataclass(frozen=True, slots=True)
class TableSnapshot:
    """Everything the console shows of the table at one moment.

    Attributes:
        duty: One line: what the dealer does now. Starts with a verb.
        say: What to announce aloud; empty for nothing.
        told: What the last accepted line asks the dealer to pay, collect or announce.
        choices: What is legal now; the keys follow from it.
        due: The cards that a source may deliver now.
        currency: What chips are counted in; dues, cash and payments are in `money_currency`.
        unit: Name of what amounts are counted in ("chips", "EUR").
        pool: Chips in the pool, the pot or the bank.
        pool_label: "pool", "pot" or "bank"; empty where everybody plays against the house.
        cards_left: Cards still to come off the deck or shoe in use; those in hidden hands are not among them.
        entries: Entries in the night file; `head` is the first twelve digits of the chain's head.
        conserved: Whether all chips add up (they must; shown so that it can be seen).
        shuffles: Rises with every fresh deck or shoe.
        house_unbacked: What the casino's house won or lost while nobody banked it.
        house_gain: What the house has won or lost since this banker took over; without one, in all.
        house_float: What the banker put up for the house; no part of the gain.
        deals_face_down: Whether the game has hidden hands, so that a shoe names a card only when one is due.
        questions: What card sources ask, the oldest first.
        money: Accounts, box, rack, count and plan.
        odds: The exact odds of the moment; None while they are switched off.
        later: Lines that wait for the end of the round.
        chip: What a chip is worth, where chips are counted in chips; else 0.
        is_strict: Whether a placed bet stays as it was typed in this house.
        undo_stops: Whether the last line is such a bet, so that ``undo`` would be refused.
        reminder: What should not be forgotten before the first round; empty for nothing.
        redoes: Whether lines were just taken back, so that ``redo`` puts them back.
        mispaid: Whose last payment can still be called wrong, and which way; nobody else's can.
    """

    night: str
    currency: Currency
    unit: str
    game: str | None
    game_label: str
    rules: tuple[tuple[str, str], ...]
    phase: str
    round_number: int
    in_round: bool
    closed: bool
    seats: tuple[SeatView, ...]
    duty: str
    say: str
    told: tuple[str, ...]
    choices: tuple[Choice, ...]
    due: CardsDue | None
    board: tuple[BoardCard, ...]
    layout: tuple[LayoutField, ...]
    pool: Amount
    pool_label: str
    banker: str | None
    decks: int
    cards_left: int
    shuffle_due: bool
    log: tuple[LogLine, ...]
    settlement: tuple[TransferView, ...] = ()
    carried: Amount = 0
    entries: int = 0
    head: str = ""
    conserved: bool = True
    shuffles: int = 0
    deals_face_down: bool = False
    house_unbacked: Amount = 0
    house_gain: Amount = 0
    house_float: Amount = 0
    questions: tuple[QuestionView, ...] = ()
    money: MoneyView = field(default_factory=MoneyView)
    odds: tuple[str, ...] | None = None
    later: tuple[str, ...] = ()
    money_currency: Currency = CHIPS
    chip: Amount = 0
    is_strict: bool = False
    undo_stops: bool = False
    reminder: str = ""
    redoes: bool = False
    mispaid: tuple[Choice, ...] = ()


# --- taking a snapshot --------------------------------------------------------------------------------------

LOG_LINES = 60


class LogLines:
    """The words of the log's last lines, made once: most stay as they are from one snapshot to the next."""

    def __init__(self) -> None:
        self._spoken: tuple[Wording, str] | None = None
        self._known: dict[int, LogLine] = {}

    def of(self, steps: Sequence[Step], wording: Wording) -> tuple[LogLine, ...]:
        """Return the lines of these steps; those of others are forgotten."""
        spoken = (wording, language())
        known = self._known if spoken == self._spoken else {}
        reversed_ = reversed_entries(steps)
        lines = {}
        for step in steps:
            line, is_reversed = known.get(step.seq), step.seq in reversed_
            is_same = line is not None and (line.state == "undone") == step.undone
            line = line if line is not None and is_same else _log_line(step, wording)
            lines[step.seq] = (
                line if line.is_reversed == is_reversed else replace(line, is_reversed=is_reversed)
            )
        self._spoken, self._known = spoken, lines
        return tuple(lines.values())


def take_snapshot(
    log: NightLog,
    last: Step | None,
    prompt: Prompt,
    wording: Wording,
    name: str,
    origins: Sequence[Origin],
    questions: tuple[QuestionView, ...] = (),
    log_lines: LogLines | None = None,
    *,
    with_odds: bool = False,
) -> TableSnapshot:
    """Return what screens see of a night now.

    Args:
        log: The night and the lines that led to it.
        last: The last accepted line; what it asks the dealer to do stays on the screen.
        prompt: What the table waits for.
        wording: Makes the sentences.
        name: What the night is called unless a line named it.
        origins: Where the cards on the board came from, in their order.
        questions: What card sources ask.
        log_lines: The words of the log's lines as far as they were made before.
        with_odds: Whether to work the odds of the moment out.
    """
    night = log.night
    seq, head = log.store.head
    house_float = night.table.float_ if night.table.has_float else 0
    common = night.game.common_chips if night.game is not None else None
    return TableSnapshot(
        night=night.name or name,
        currency=night.currency,
        unit=wording.unit,
        game=night.game_name or None,
        game_label=wording.game(night.game_name) if night.game_name else "",
        rules=_house_rules(night),
        phase="CLOSED" if night.closed else night.state.phase,
        round_number=len(night.rounds),
        in_round=night.in_round,
        closed=night.closed,
        seats=_seats(night),
        duty=wording.duty(prompt),
        say=wording.announcement(prompt),
        told=_told(last, wording),
        choices=prompt.choices,
        due=prompt.due,
        board=_board(night.state.board, origins, wording),
        layout=_layout(night, wording),
        pool=night.chips.at(common[1]) if common else 0,
        pool_label=wording.common_chips(common[0]) if common else "",
        house_unbacked=house_unbacked(night),
        house_gain=night.chips.at(HOUSE)
        - house_float
        - (night.table.house_base if night.table.banker else 0),
        house_float=house_float,
        banker=night.names().get(night.table.banker or ""),
        decks=night.table.shoe.decks,
        cards_left=night.game.cards_left(night.state) if night.game else night.table.shoe.cards_left,
        shuffle_due=night.game is not None and night.game.shuffle_due(night.state),
        log=(log_lines or LogLines()).of(log.log[-LOG_LINES:], wording),
        settlement=_settlement(night, wording),
        carried=night.carried,
        entries=seq,
        head=head[:12],
        conserved=night.chips.total() == 0,
        shuffles=night.table.shoe.shuffles,
        deals_face_down=night.game is not None and night.game.deals_face_down,
        questions=questions,
        money=money_view(log, wording),
        later=night.later,
        odds=wording.odds(night.game.odds(night.state) if night.game else ()) if with_odds else None,
        money_currency=night.money,
        chip=night.chip if night.has_chip_value else 0,
        is_strict=log.strict,
        undo_stops=log.undo_stops,
        redoes=log.redoes,
        mispaid=_mispaid(night),
    )


def _mispaid(night: Night) -> tuple[Choice, ...]:
    if night.game is None or night.closed:
        return ()
    verbs = ("overpaid", "underpaid", "correct")
    return tuple(choice for choice in night.game.unasked(night.state) if choice.verb in verbs)


def _house_rules(night: Night) -> tuple[tuple[str, str], ...]:
    """The house rules that differ from the game's own."""
    defaults = {option.name: option.default for option in night.game.options} if night.game else {}
    return tuple((name, value) for name, value in night.options if value != defaults.get(name))


def _told(last: Step | None, wording: Wording) -> tuple[str, ...]:
    return told_of(last, wording) if last else ()


def _seats(night: Night) -> tuple[SeatView, ...]:
    turn = night.game.turn(night.state) if night.game and not night.closed else None
    results = _last_results(night)
    counted = {count.player: count.amount for count in night.standing_counts()}
    notes = {seat.player: _seat_note(night, seat.player, seat.plays) for seat in night.table.seats}
    return tuple(
        SeatView(
            player=seat.player,
            name=night.person(seat.player).name,
            stack=night.chips.stack(seat.player),
            bet=night.chips.bet(seat.player),
            net=night.net(seat.player),
            is_dealer=seat.player == night.dealer,
            is_turn=seat.player == turn,
            plays=seat.plays,
            takes_part=seat.plays and _takes_part(night, seat.player),
            note=notes[seat.player][0],
            brief_note=notes[seat.player][1],
            result=results.get(seat.player),
            counted=counted.get(seat.player),
        )
        for seat in night.table.seats
    )


def _seat_note(night: Night, player: str, plays: bool) -> tuple[str, str]:
    """The note of a seat, and a brief one."""
    queued = night.person(player).queued
    if queued:
        return {
            "leave": (_("leaves after this round"), pgettext("seat", "leaving")),
            "sitout": (_("sits out after this round"), pgettext("seat", "out next")),
            "back": (_("plays again after this round"), pgettext("seat", "back next")),
        }[queued]
    if night.game is not None and player in night.game.folded(night.state):
        return _("folded"), _("folded")
    if night.table.banker == player:
        return _("banks the game"), pgettext("seat", "banks")
    if not plays:
        return _("sits out"), _("sits out")
    if _takes_part(night, player):
        return "", ""
    if night.chips.stack(player):
        return _("not in this round"), pgettext("seat", "watches")
    return _("no chips"), _("no chips")


def _takes_part(night: Night, player: str) -> bool:
    """Whether a player was dealt in or, where nobody is, has chips or banks; after the close all do."""
    dealt_in = night.game.players_of_round(night.state) if night.game is not None else ()
    if dealt_in:
        return player in dealt_in
    has_chips = night.chips.stack(player) or night.chips.bet(player)
    return night.closed or bool(has_chips) or night.table.banker == player


def _last_results(night: Night) -> dict[str, Amount]:
    """What the last finished round brought each player."""
    last = night.rounds.last
    if last is None or last.end is None or last.voided:
        return {}
    before, after = last.start.table.chips, last.end.table.chips
    return {
        player: after.stack(player) - before.stack(player) - before.bet(player)
        for player in last.end.table.players
    }


def _board(board: Sequence[Shown], origins: Sequence[Origin], wording: Wording) -> tuple[BoardCard, ...]:
    known = (*origins, *(TYPED for _shown in board))
    return tuple(
        BoardCard(
            shown.card,
            shown.role,
            wording.role(shown.role),
            shown.player,
            origin.source,
            origin.confidence,
            wording.card(shown.card) if wording.deck_names else "",
        )
        for shown, origin in zip(board, known, strict=False)
    )


def _layout(night: Night, wording: Wording) -> tuple[LayoutField, ...]:
    if night.game is None:
        return ()
    marked = night.game.marker(night.state)
    return tuple(
        LayoutField(name, wording.field(name), wording.payout(odds), name == marked)
        for name, odds in night.game.layout()
    )


def _log_line(step: Step, wording: Wording) -> LogLine:
    state = "undone" if step.undone else "done"
    time = step.at.strftime("%H:%M:%S")
    return LogLine(step.seq, time, step.line, told_of(step, wording), state, step.origin.source)


def _settlement(night: Night, wording: Wording) -> tuple[TransferView, ...]:
    if not night.closed:
        return ()
    return tuple(
        TransferView(wording.name(one.payer), wording.name(one.payee), one.amount)
        for one in plan_of(night).lines
    )
