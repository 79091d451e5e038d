"""What counted in a night besides chips, one phrase each, for the slip.

Without it nobody could see on paper why somebody with a net of zero has to pay, or what was paid already.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from assistant.i18n import _
from assistant.ledger import events as ledger
from assistant.ledger.events import LedgerEvent
from assistant.ledger.exchange import Foreign
from assistant.money import Amount, format_amount
from assistant.money_wording import foreign_text
from assistant.slips.layout import plain
from assistant.slips.phrases import partner
from assistant.table.night import Night
from assistant.table.night_log import NightLog
from assistant.table.results import besides_the_game, costs_and_tips, standing_events
from assistant.table.speech import missing_phrases, wording_of

Pair = tuple[str, str]


def besides(log: NightLog, names: Mapping[str, str]) -> tuple[str, ...]:
    """Return the phrases: cash at the box, shared costs, tips, and what was paid before the plan in force.

    Entries that were taken back or reversed are left out; what was entered instead of them counts.

    Args:
        names: What people and nodes are called on the slip, by id.
    """
    phrases = _Phrases(log.night, names)
    return (
        *phrases.of(list(standing_events(log))),
        *phrases.in_all(costs_and_tips(log), besides_the_game(log)),
    )


class _Phrases:
    def __init__(self, night: Night, names: Mapping[str, str]) -> None:
        self._night, self._names = night, names

    def of(self, events: list[LedgerEvent]) -> Iterator[str]:
        bought: Counter[str] = Counter()
        cashed: Counter[str] = Counter()
        floats: Counter[str] = Counter()
        tips: Counter[Pair] = Counter()
        paid: Counter[Pair] = Counter()
        chip = self._night.chip
        foreign, transfers = [], Counter[str]()
        costs = []
        for event in events:
            match event:
                case ledger.BoughtIn() if event.how == ledger.CASH:
                    bought[event.player] += event.amount * chip
                    if event.foreign is not None:
                        foreign.append(self._foreign(event.player, event.foreign))
                case ledger.BoughtIn() if event.how == ledger.TRANSFER:
                    transfers[event.player] += event.amount * chip
                case ledger.CashedOut() | ledger.PlayerLeft():
                    cashed[event.player] += event.cash
                case ledger.FloatPutIn():
                    floats[event.player] += event.amount
                case ledger.Tipped():
                    tips[event.player, event.to] += event.amount * chip
                case ledger.Paid() if not event.plan:
                    paid[event.payer, event.payee] += event.amount
                case ledger.ExpenseShared():
                    costs.append(self._cost(event))
        if who := self._people(bought):
            yield _("Bought for cash: {who}").format(who=who)
        if foreign:
            yield _("Of that in other money: {what}").format(what=", ".join(foreign))
        if who := self._people(transfers):
            yield _("Paid to the cashier by transfer: {who}").format(who=who)
        if who := self._people(cashed):
            yield _("Cashed out in cash: {who}").format(who=who)
        if who := self._people(floats):
            yield _("Put into the cash box: {who}").format(who=who)
        yield from costs
        if who := self._pairs(tips):
            yield _("Tips: {who}").format(who=who)
        if who := self._pairs(paid):
            yield _("Paid before the close: {who}").format(who=who)
        yield from missing_phrases(self._night, wording_of(self._night))
        for plan in self._night.books.replaced:
            lines = {(line.payer, line.payee): line.paid for line in plan.lines}
            if who := self._pairs(lines):
                yield _("Paid under plan {number}: {who}").format(number=plan.number, who=who)

    def in_all(self, costs: Mapping[str, Amount], besides: Mapping[str, Amount]) -> Iterator[str]:
        """What the night came to for those to whom it was more than the game and its rounding."""
        night = self._night
        results = {who: night.net(who) * night.chip + besides.get(who, 0) for who in costs}
        who = ", ".join(
            f"{self._name(one)} {format_amount(amount, night.money, sign=True)}"
            for one, amount in results.items()
        )
        if who:
            yield _("Net with costs, tips and rounding: {who}").format(who=who)

    def _cost(self, event: ledger.ExpenseShared) -> str:
        what = plain(event.what)
        text = _("Shared cost {amount} ({what}), paid by {name}: {who}") if what else ""
        text = text or _("Shared cost {amount}, paid by {name}: {who}")
        who = self._people(dict(event.shares))
        return text.format(amount=self._money(event.amount), what=what, name=self._name(event.payer), who=who)

    def _people(self, amounts: Mapping[str, Amount]) -> str:
        return ", ".join(f"{self._name(who)} {self._money(one)}" for who, one in amounts.items() if one)

    def _pairs(self, amounts: Mapping[Pair, Amount]) -> str:
        return ", ".join(
            f"{self._name(payer)} -> {self._name(payee)} {self._money(one)}"
            for (payer, payee), one in amounts.items()
            if one
        )

    def _foreign(self, who: str, cash: Foreign) -> str:
        text = _("{name} {amount} at {rate} = {value}")
        facts = {"amount": foreign_text(cash), "rate": cash.rate, "value": self._money(cash.value)}
        return text.format(name=self._name(who), **facts)

    def _name(self, who: str) -> str:
        return partner(self._names.get(who, who))

    def _money(self, amount: Amount) -> str:
        return format_amount(amount, self._night.money)
