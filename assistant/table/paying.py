"""Money that is paid: IOUs and cash-outs that are due while the night goes on, lines of the plan after it."""

from __future__ import annotations

from assistant.errors import Refusal
from assistant.holdings import Move
from assistant.ledger import events as ledger
from assistant.ledger.accounts import CASHBOX, due_of
from assistant.ledger.nodes import BOX
from assistant.ledger.plan import FrozenPlan, Line
from assistant.money import Amount
from assistant.table.checks import anybody, box_has, positive, said_at, somebody_or_node
from assistant.table.night import Night
from assistant.talk import Words, printable, same_person


def pay(night: Night, words: Words) -> tuple[ledger.Paid]:
    """``pay FROM TO AMOUNT [METHOD]``, or for a line of the plan ``pay NUMBER [AMOUNT] [METHOD]``."""
    words.take_options("at")
    plan = night.books.plan
    if plan is not None and _is_line_number(night, words):
        line = _numbered(plan, words)
        amount = (
            positive(words.money_amount()) if words.more and words.words[0].text[:1].isdigit() else line.open
        )
        return (_paid_line(night, plan, line, amount, words),)
    payer, payee = somebody_or_node(night, words.text()), somebody_or_node(night, words.text())
    if payer == payee:
        raise Refusal("E_PLAYER", "pay_self", {"player": payer})
    amount = positive(words.money_amount())
    if plan is None:
        return (_paid_now(night, payer, payee, amount, words),)
    found = plan.line(payer, payee)
    if found is None:
        raise Refusal("E_PAY", "pay_no_line", {"payer": payer, "payee": payee})
    return (_paid_line(night, plan, found, amount, words),)


def payment(payer: str, payee: str, amount: Amount) -> Move:
    """The money of a payment: the payer owes less, the payee is owed less."""
    return Move(_account(payer), _account(payee), amount)


def _account(who: str) -> str:
    return CASHBOX if who == BOX else due_of(who)


def _is_line_number(night: Night, words: Words) -> bool:
    """Whether the first word is the number of a line; a player of that name has the first say."""
    first = words.words[0].text if words.more else ""
    return first.isascii() and first.isdigit() and same_person(first) not in anybody(night)


def _numbered(plan: FrozenPlan, words: Words) -> Line:
    number = words.number()
    if not 1 <= number <= len(plan.lines):
        raise Refusal("E_PAY", "pay_no_number", {"found": number, "lines": len(plan.lines)})
    return plan.lines[number - 1]


def _method(words: Words) -> str:
    method = printable(" ".join(word.text for word in words.words))
    words.words = []
    return method


def _paid_line(night: Night, plan: FrozenPlan, line: Line, amount: Amount, words: Words) -> ledger.Paid:
    method = _method(words)
    if not line.open:
        raise Refusal("E_PAY", "pay_done", {"payer": line.payer, "payee": line.payee})
    if amount > line.open:
        facts = {"payer": line.payer, "payee": line.payee, "found": amount, "open": line.open}
        raise Refusal("E_PAY", "", facts)
    if line.payer == BOX:
        box_has(night, amount)
    return ledger.Paid(
        line.payer,
        line.payee,
        amount,
        plan.number,
        method,
        paid=(payment(line.payer, line.payee, amount),),
        said=said_at(words),
    )


def _paid_now(night: Night, payer: str, payee: str, amount: Amount, words: Words) -> ledger.Paid:
    """An IOU is paid into the box, or a cash-out that is due out of it; never more than that."""
    method = _method(words)
    if BOX not in (payer, payee):
        raise Refusal("E_PHASE", "pay_before_plan", {})
    player = payee if payer == BOX else payer
    if player not in night.names():
        raise Refusal("E_PHASE", "pay_before_plan", {})
    due = night.due(player)
    most = -due if payer == BOX else due
    if amount > most:
        reason = "pay_nothing_due" if most <= 0 else "pay_over_due"
        raise Refusal("E_PAY", reason, {"player": player, "found": amount, "open": max(0, most)})
    if payer == BOX:
        box_has(night, amount)
    move = payment(payer, payee, amount)
    return ledger.Paid(payer, payee, amount, method=method, paid=(move,), said=said_at(words))
