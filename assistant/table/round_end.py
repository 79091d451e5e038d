"""The end of a round: lines that waited for it are entered, each as one of its own (`later`)."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.errors import Refusal
from assistant.i18n import _
from assistant.store.base import StoreError
from assistant.table.later import LATER
from assistant.table.night_log import NightLog, Origin, Step
from assistant.table.speech import told_of, wording_of


@dataclass(frozen=True, slots=True)
class Entered:
    """What came of the lines that waited.

    Attributes:
        steps: The lines that were accepted.
        not_done: What to say of those that were not; they wait on.
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
    """Enter the lines that wait, if no round is being played; nothing that waits is lost by a refusal."""
    steps: list[Step] = []
    not_done: list[str] = []
    for line in log.night.later if not log.night.in_round else ():
        try:
            step = log.submit(line, origin=Origin(LATER)).step
        except Refusal as refusal:
            why = wording_of(log.night).refusal(refusal)
            not_done.append(_("Not done after the round: {line}. {why}").format(line=line, why=why))
            if refusal.code == "E_PLAYER":  # a name that is taken is so the next time too
                not_done.append(_("It waits on; to forget what waits: later none."))
        except StoreError as error:
            not_done.append(str(error))
            break
        else:
            steps += [step] if step is not None else []
    return Entered(tuple(steps), " ".join(not_done)) if steps or not_done else NOTHING
