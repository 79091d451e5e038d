"""The end of a round: lines that waited for it are entered, each as one of its own (`later`)."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.errors import Refusal
from assistant.i18n import _
from assistant.store.base import StoreError
from assistant.table.later import LATER, NONE, OF_THIS_ROUND
from assistant.table.night_log import NightLog, Origin, Step
from assistant.table.speech import told_of, wording_of


@dataclass(frozen=True, slots=True)
class Entered:
    """What came of the lines that waited.

    Attributes:
        steps: The lines that were accepted.
        not_done: What to say of those that were not: a chair or a name waits on, money does not.
    """

    steps: tuple[Step, ...] = ()
    not_done: str = ""

    def told(self) -> tuple[str, ...]:
        """What they ask the dealer to pay and collect."""
        return tuple(told for step in self.steps for told in told_of(step, wording_of(self.steps[-1].after)))


NOTHING = Entered()


def is_left_over(log: NightLog) -> bool:
    """Whether the power failed between the round's last line and what waited for it, or amid that."""
    last = log.log[-1] if log.log else None
    if last is None or last.travelled:
        return False
    return (last.before.in_round and not last.after.in_round) or last.origin.source == LATER


def enter_what_waits(log: NightLog) -> Entered:
    """Enter the lines that wait, if no round is being played.

    What is refused waits on; but a cash-out or a buy-in of this round would take what somebody buys in with
    later: it waits no longer, and that is said.
    """
    steps: list[Step] = []
    not_done: list[str] = []
    for line in log.night.later if not log.night.in_round else ():
        try:
            try:
                step = log.submit(line, origin=Origin(LATER)).step
            except Refusal as refusal:
                not_done.append(_refused(log, line, refusal))
            else:
                steps += [step] if step is not None else []
        except StoreError as error:
            not_done.append(str(error))
            break
    return Entered(tuple(steps), " ".join(not_done)) if steps or not_done else NOTHING


def _refused(log: NightLog, line: str, refusal: Refusal) -> str:
    """What becomes of a line that was refused, in words.

    Raises:
        StoreError: The disk refused to note that it waits no longer.
    """
    why = wording_of(log.night).refusal(refusal)
    said = _("Not done after the round: {line}. {why}").format(line=line, why=why)
    if line.split(maxsplit=1)[0] not in OF_THIS_ROUND:
        return f"{said} {_('It waits on; to forget what waits: later none.')}"
    log.submit(f"{LATER} {NONE} {line}", origin=Origin(LATER))
    return f"{said} {_('It waits no longer.')}"
