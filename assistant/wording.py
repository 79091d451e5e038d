"""What is said of a night: sentences with their gaps filled, names, cards, amounts, what to pay and collect.

The sentences themselves stand in `assistant.sentences`; here they meet the facts, in the dealer's language.
"""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from assistant.cards import Card
from assistant.errors import Refusal
from assistant.games.base import BetSettled, Event, Mispaid, OddsLine, Prompt, RoundOpened, Shuffled
from assistant.holdings import POOL, Holdings, Move
from assistant.i18n import _
from assistant.ledger import events as ledger
from assistant.ledger.chipset import Denominations, break_down, write_chips
from assistant.ledger.events import LedgerEvent
from assistant.ledger.nodes import BOX, CARRIED, HOUSE
from assistant.money import CHIPS, Amount, Currency, format_amount
from assistant.money_wording import ForeignCash, accepted_text, told_back, told_money
from assistant.sentences import (
    ANNOUNCEMENTS,
    CATEGORIES,
    COMMON_CHIPS,
    DECK_NAMES,
    DUTIES,
    EXACT_DUTIES,
    FIELDS,
    GAME_NAMES,
    ODDS,
    REFUSALS,
    ROLES,
)
from assistant.talk import printable


class _Sentences(string.Formatter):
    """Fills the gaps of a sentence; a gap says what it holds: ``{player:name}``, ``{high:money}``."""

    def __init__(self, wording: Wording) -> None:
        self._wording = wording

    def format_field(self, value: object, format_spec: str) -> str:
        """Write one fact."""
        wording = self._wording
        match format_spec:
            case "name":
                return wording.name(str(value))
            case "money" | "signed" if isinstance(value, int):
                return format_amount(value, wording.currency, sign=format_spec == "signed")
            case "names" if isinstance(value, tuple):
                return ", ".join(wording.name(str(one)) for one in value)
            case "moneys" if isinstance(value, tuple):
                return ", ".join(format_amount(amount, wording.currency) for amount in value)
            case "cash" | "cash-signed" if isinstance(value, int):
                return wording.cash(value, sign=format_spec == "cash-signed")
            case "cashes" if isinstance(value, tuple):
                return ", ".join(wording.cash(amount) for amount in value)
            case "card" if isinstance(value, Card):
                return wording.card(value)
            case "cards" if isinstance(value, tuple):
                return ", ".join(wording.card(card) for card in value) or "-"
            case "why" if isinstance(value, Refusal):  # what to do then is said by the sentence around it
                return wording.refusal(value).partition(". ")[0].removesuffix(".") + "."
            case "percent" if isinstance(value, Fraction):
                return f"{float(value):.1%}".replace("%", "\u00a0%")
            case "edge" if isinstance(value, Fraction):
                return f"{float(value):+.1%}".replace("%", "\u00a0%").replace("-", "−")
            case "odds":
                return _("even") if value == 1 else _("{odds} to 1").format(odds=value)
            case _:
                return printable(str(value))

    def get_value(self, key: int | str, args: Sequence[object], kwargs: Mapping[str, object]) -> object:
        """A fact, or dots where it is missing: a sentence with a hole is better than none."""
        return kwargs.get(str(key), "…")


@dataclass(frozen=True)
class Wording:
    """Makes sentences for one night: it knows what people are called and what amounts are counted in.

    A game of another package gives its own sentence where ours give the key of one.

    Attributes:
        chipset: The set of chips, so that a payout says which to give; empty where none is known.
        cash_currency: What money is counted in, where chips are counted in chips.
        chip: What a chip is worth in money.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    currency: Currency = CHIPS
    deck_names: str = ""
    chipset: Denominations = ()
    cash_currency: Currency | None = None
    chip: Amount = 1

    def card(self, card: Card) -> str:
        """A card as the game calls it: ``K♥``, in Rake ``Duke of Wings``."""
        names = DECK_NAMES.get(self.deck_names)
        if names is None or card.suit is None:
            return card.face
        rank = names.get(card.rank.letter)
        label = _(rank) if rank else card.rank.label
        return _("{rank} of {suit}").format(rank=label, suit=_(names[card.suit.value]))

    def name(self, player: str) -> str:
        """A player's name, or the name of a node of the settlement."""
        nodes = {
            HOUSE: _("house"),
            CARRIED: _("carried"),
            POOL: _("pool"),
            BOX: _("box"),
            "rack": _("rack"),
        }
        return self.names.get(player) or nodes.get(player, player)

    def money(self, amount: Amount) -> str:
        """An amount of chips, without a unit."""
        return format_amount(amount, self.currency)

    def cash(self, amount: Amount, *, sign: bool = False) -> str:
        """An amount of money; with its code where chips are counted in chips: ``20.00 EUR``."""
        if self.cash_currency is None:
            return format_amount(amount, self.currency, sign=sign)
        return f"{format_amount(amount, self.cash_currency, sign=sign)} {self.cash_currency.code}"

    def chips_worth(self, amount: Amount) -> str:
        """An amount of chips with what it is worth, where chips are counted in chips: ``80 (20.00 EUR)``."""
        shown = self.money(amount)
        return shown if self.cash_currency is None else f"{shown} ({self.cash(amount * self.chip)})"

    def payout_of(self, amount: Amount) -> str:
        """An amount with the chips it is paid in, where the set is known: ``55 (2x25 + 1x5)``."""
        chips = break_down(amount, self.chipset)
        return f"{self.money(amount)} ({write_chips(chips, self.currency)})" if chips else self.money(amount)

    def fill(self, sentence: str, facts: Mapping[str, object]) -> str:
        """A sentence in the dealer's language with its gaps filled."""
        return _Sentences(self).vformat(_(sentence), (), facts)

    def refusal(self, refusal: Refusal) -> str:
        """What was found, what is legal, what to do."""
        own = refusal.reason if " " in refusal.reason else None
        sentence = REFUSALS.get(refusal.reason) or own or REFUSALS.get(refusal.code) or refusal.code
        return self.fill(sentence, refusal.facts)

    def duty(self, prompt: Prompt) -> str:
        """What the dealer does now."""
        low, high = prompt.facts.get("low"), prompt.facts.get("high")
        exact = EXACT_DUTIES.get(prompt.do) if low == high else None
        return self.fill(exact or DUTIES.get(prompt.do, prompt.do), prompt.facts)

    def announcement(self, prompt: Prompt) -> str:
        """What the dealer says aloud; empty for nothing."""
        return self.fill(ANNOUNCEMENTS.get(prompt.say, prompt.say), prompt.facts) if prompt.say else ""

    def odds(self, lines: Sequence[OddsLine]) -> tuple[str, ...]:
        """The odds of the moment, one line each."""
        found = lines or [OddsLine("none")]
        return tuple(self.fill(ODDS.get(line.key, line.key), line.facts) for line in found)

    def role(self, role: str) -> str:
        """What a card on the table is there for."""
        return _(ROLES.get(role, role))

    def game(self, name: str) -> str:
        """A game's name as a person says it."""
        return _(GAME_NAMES.get(name, name))

    def taken_back(self, number: int, line: str, time: str) -> str:
        """An entry of the night that was undone, for the slip."""
        return _("#{number} {line}: taken back ({time})").format(number=number, line=line, time=time)

    def reversed_by(self, number: int, line: str, by: int, reason: str, time: str) -> str:
        """An entry of the night and the one that reversed it, for the slip."""
        text = _("#{number} {line}: reversed by #{by}, {reason} ({time})")
        return text.format(number=number, line=line, by=by, reason=printable(reason), time=time)

    def corrected(self, number: int, line: str, time: str) -> str:
        """An entry of the night that set another right, for the slip."""
        return _("#{number} {line} ({time})").format(number=number, line=line, time=time)

    def common_chips(self, name: str) -> str:
        """What the chips are called that everybody bets against."""
        return _(COMMON_CHIPS.get(name, name))

    def field(self, name: str) -> str:
        """A field of the casino layout, as printed on it."""
        return _(FIELDS.get(name, name))

    def payout(self, odds: int | None) -> str:
        """The payout printed under a field."""
        return _("Tie") if odds is None else _("{odds} to 1").format(odds=odds)

    @property
    def unit(self) -> str:
        """What amounts are counted in."""
        return self.currency.code or _("chips")

    def told(self, events: Sequence[Event | LedgerEvent]) -> tuple[str, ...]:
        """What an accepted line asks the dealer to say, pay and collect, in the order in which it happened.

        The bets of one card are settled losers first, then winners; what follows (a pool that is filled
        again) comes after them, as the chips do.
        """
        lines: list[str] = []
        settled: list[BetSettled] = []
        for event in events:
            if isinstance(event, BetSettled):
                settled.append(event)
                continue
            told = self._told(event)
            if told:
                lines += (*self._settled(settled), *told)
                settled = []
        return (*lines, *self._settled(settled))

    def travelled(
        self,
        back: bool,
        lines: Sequence[str],
        changes: Mapping[str, Amount],
        paid: Sequence[Move],
        foreign: Sequence[ForeignCash] = (),
    ) -> tuple[str, ...]:
        """What taking lines back, or putting them back, asks the dealer to do.

        Args:
            back: Whether they were taken back.
            lines: The lines, in the order in which they were gone through.
            changes: Place -> chips more or less there now.
            paid: The money that moves with it.
            foreign: Cash of another currency that goes with it.
        """
        sentence = _("Taken back: {lines}") if back else _("Put back: {lines}")
        first = sentence.format(lines=printable("; ".join(lines)))
        return (first, *told_back(changes, paid, self, foreign, is_undo=back))

    def _settled(self, events: Sequence[BetSettled]) -> tuple[str, ...]:
        lost = [
            f"{self.name(event.player)} {self.money(event.stake)}"
            for event in events
            if event.result == "lose"
        ]
        won = [
            f"{self.name(event.player)} {self.payout_of(event.paid)}"
            for event in events
            if event.result == "win"
        ]
        back = [
            f"{self.name(event.player)} {self.money(event.stake)}"
            for event in events
            if event.result == "push"
        ]
        lines = []
        if lost:
            lines.append(_("COLLECT from {who}").format(who=", ".join(lost)))
        if won:
            lines.append(_("PAY {who}, and give the bet back").format(who=", ".join(won)))
        if back:
            lines.append(_("PUSH: give back {who}").format(who=", ".join(back)))
        return tuple(lines)

    def _told(self, event: Event | LedgerEvent) -> tuple[str, ...]:
        from assistant.games import (
            acey_table,
            acts,
            banking,
            casino_table,
            hands,
            polish_table,
            rake_table,
            turns,
        )
        from assistant.games.hand_ranks import HAND_SIZE, hand_value

        name, money = self.name, self.money
        match event:
            case RoundOpened() if event.moves:
                return (self._antes(event),)
            case casino_table.MarkerPlaced():
                return (self._marker(event),)
            case casino_table.HouseBanked():
                return self._differences(event)
            case casino_table.BetRaised():
                return (
                    _("{name} raises by {amount}").format(
                        name=name(event.player), amount=money(event.amount)
                    ),
                )
            case hands.HandsDealt() if event.moves:
                who = ", ".join(
                    f"{name(move.target.partition(':')[2])} {money(move.amount)}" for move in event.moves
                )
                return (_("GIVE BACK the ante: {who}").format(who=who),)
            case acts.PoolRefilled():
                each = event.moves[0].amount
                who = ", ".join(name(player) for player in event.payers)
                return (_("COLLECT {each} each for the empty pool: {who}").format(each=money(each), who=who),)
            case turns.HandFolded() if event.fine:
                return (
                    _("COLLECT {fine} from {name}").format(name=name(event.player), fine=money(event.fine)),
                )
            case acts.PoolDivided():
                who = ", ".join(f"{name(player)} {money(share)}" for player, share in event.shares)
                return (_("DIVIDE the pool: {who}").format(who=who),)
            case Shuffled() if event.missing:
                names = ", ".join(self.card(card) for card in event.missing)
                return (_("NOT SEEN of the old deck: {cards}").format(cards=names),)
            case turns.TargetMissed():
                return (_("VOID: no target is left, every chip goes back"), *self._differences(event))
            case polish_table.StitchAnnounced():
                return (_("STITCH: the last deal of this bank"),)
            case (
                rake_table.Wagered()
                | rake_table.StreetClosed()
                | rake_table.PotWon()
                | rake_table.AceOfSkulls()
            ):
                return self._told_rake(event)
            case rake_table.HandShown() if len(event.cards) == HAND_SIZE:
                category = _(CATEGORIES[hand_value(event.cards).category])
                return (_("{name}: {hand}").format(name=name(event.player), hand=category),)
            case acey_table.PostsPaid():
                return self._posts_paid(event)
            case acey_table.PostsRedealt():
                return (_("DEAL the posts again"),)
            case banking.BankPutUp():
                return (_("BANK of {amount}").format(amount=money(event.amount)),)
            case banking.BankReturned():
                if not event.amount:
                    return (_("The bank is BROKEN"),)
                return (
                    _("GIVE BACK the bank: {name} {amount}").format(
                        name=name(event.player), amount=money(event.amount)
                    ),
                )
            case Mispaid():
                return (
                    _("NOTED: payment of {amount}, {name}").format(
                        name=name(event.player), amount=money(event.amount)
                    ),
                )
            case LedgerEvent():
                return self._told_ledger(event)
            case _:
                return self._told_correction(event)

    def _antes(self, event: Event) -> str:
        """One amount for all, or each by name where somebody is all-in with less."""
        amounts = {move.amount for move in event.moves}
        if len(amounts) == 1:
            sentence = _("COLLECT the ante of {each} from {count} players")
            return sentence.format(each=self.money(amounts.pop()), count=len(event.moves))
        who = ", ".join(
            f"{self.name(move.source.partition(':')[2])} {self.money(move.amount)}" for move in event.moves
        )
        return _("COLLECT the antes: {who}").format(who=who)

    def _marker(self, event: Event) -> str:
        from assistant.games import casino_table

        assert isinstance(event, casino_table.MarkerPlaced)
        if event.field == "Cons":
            return _("MARKER on Cons. Say: consecutive, a tie")
        if event.field == "Pair":
            return _("MARKER on Pair")
        if event.field == "3 of a kind":
            return _("MARKER to 3 of a kind. Say: three of a kind, 11 to 1")
        return _("MARKER on {field}").format(field=event.field)

    def _told_rake(self, event: Event) -> tuple[str, ...]:
        from assistant.games import rake_table

        match event:
            case rake_table.Wagered():
                sentence = _("{name}: {amount} in all")
                return (sentence.format(name=self.name(event.player), amount=self.money(event.total)),)
            case rake_table.StreetClosed() if event.player:
                sentence = _("GIVE BACK {amount} that nobody called: {name}")
                return (sentence.format(name=self.name(event.player), amount=self.money(event.returned)),)
            case rake_table.PotWon():
                contested = (
                    _("PAY from the side pot: {name} {amount}")
                    if event.side
                    else _("PAY from the pot: {name} {amount}")
                )
                sentence = contested if event.contested else _("GIVE BACK the side pot: {name} {amount}")
                amount = self.payout_of(event.amount)
                return (sentence.format(name=self.name(event.player), amount=amount),)
            case rake_table.AceOfSkulls():
                sentence = (
                    _("The Ace of Skulls WINS for {name}")
                    if event.wins
                    else _("The Ace of Skulls LOSES for {name}")
                )
                return (sentence.format(name=self.name(event.player)),)
            case _:
                return ()

    def _posts_paid(self, event: Event) -> tuple[str, ...]:
        from assistant.games import acey_table

        assert isinstance(event, acey_table.PostsPaid)
        sentence = {
            "bonus": _("PAY {amount} from the pot to {name}: a pair"),
            "lose": _("COLLECT {amount} from {name}: neighbours"),
        }.get(event.result, _("NO BET: these posts end the turn of {name}"))
        write = self.payout_of if event.result == "bonus" else self.money
        return (sentence.format(amount=write(event.amount), name=self.name(event.player)),)

    def _told_correction(self, event: Event) -> tuple[str, ...]:
        from assistant.games.base import Corrected

        if not isinstance(event, Corrected) or not event.moves:
            return ()
        back = event.moves[0].source.startswith("stack:")
        sentence = _("COLLECT back {amount} from {name}") if back else _("PAY {amount} more to {name}")
        amount = self.money(event.amount) if back else self.payout_of(event.amount)
        return (sentence.format(amount=amount, name=self.name(event.player)),)

    def _told_ledger(self, event: LedgerEvent) -> tuple[str, ...]:
        name = self.name
        match event:
            case ledger.PoolShared():
                who = ", ".join(f"{name(player)} {self.payout_of(share)}" for player, share in event.shares)
                return (_("SHARE the pool: {who}").format(who=who),)
            case ledger.GameChosen():
                return self._differences(event)  # bets that were on the layout go back
            case ledger.AceFound():
                return (_("DEALER: {name}").format(name=name(event.player)),)
            case ledger.ChangeQueued():
                return (_("NOTED for the end of the round: {name}").format(name=name(event.player)),)
            case ledger.RoundVoided():
                return (_("VOID: every chip goes back"), *self._differences(event))
            case ledger.CardFixed():
                first = _("CORRECTION: {old} was {new}").format(
                    old=self.card(event.old), new=self.card(event.new)
                )
                return (first, *self._differences(event))
            case ledger.DifferenceAccepted():
                return (_("ACCEPTED: {who}").format(who=accepted_text(event, self)),)
            case ledger.NightClosed():
                return (_("CLOSED: cash out every stack and settle"),)
            case _:
                return told_money(event, self)

    def _differences(self, event: Event | LedgerEvent) -> tuple[str, ...]:
        nothing = Holdings()
        return self.differences(nothing.difference(nothing.moved(event.moves)))

    def differences(self, changes: Mapping[str, Amount]) -> tuple[str, ...]:
        """What to pay and to collect so that the chips lie where they should.

        Args:
            changes: Place -> chips more or less there; only what lies in front of players is told.
        """
        lines = []
        for place, amount in sorted(
            changes.items(), key=lambda change: change[1] > 0
        ):  # first take, then give
            player = place.removeprefix("stack:")
            if player == place or not amount:
                continue
            sentence = _("PAY {amount} to {name}") if amount > 0 else _("COLLECT {amount} from {name}")
            shown = self.payout_of(amount) if amount > 0 else self.money(-amount)
            lines.append(sentence.format(amount=shown, name=self.name(player)))
        return tuple(lines)
