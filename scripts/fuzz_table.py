#!/usr/bin/env python3
"""Throws random lines, legal and illegal ones, at nights and checks what must always hold.

    ./scripts/fuzz_table.py [LINES] [--seed N] [--game NAME]

The tests use the same generator and checks on a few lines. A failure names the seed of its night.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from assistant.cards import FULL_DECK, Card
from assistant.errors import Refusal
from assistant.games.base import Choice, Prompt
from assistant.games.hands import HandsState
from assistant.games.rake_table import RakeState
from assistant.games.variants import all_games
from assistant.money import format_amount
from assistant.store.memory import MemoryNight
from assistant.table.night import Night
from assistant.table.night_log import NightLog
from assistant.table.record import night_record
from assistant.table.snapshot import take_snapshot
from assistant.table.speech import wording_of
from assistant.talk import quote

NAMES = ("Anna", "Борис", "[/b] {0} %s", '"O\'Neil" #1', "=1+1", "李雷")
LINES_A_NIGHT = 250
RULES = {
    "casino-red-dog": (
        "decks=1",
        "decks=2 raise=up-to raise_short=all-in",
        "decks=1 shuffle=every-round rebet=total max=50 chips=5,20",
        "raise_short=all-in min=2 cut=0",
    ),
    "red-dog-pool": (
        "hand=3",
        "ante=7 hand=5 short_pool=reante pool_limit=30 odd_chips=left-of-dealer",
        "short_pool=reante reante_by=remaining skip_ante_at=20 void_ante=refund verify=strict",
        "pool_limit=10 division=excess fold_fine=0 short_hand_fold=fine reveal_win=hand",
    ),
    "red-dog-burn": ("hand=3", "burn_when=before-bet void_ante=refund pool_limit=25"),
    "red-dog-bank": (
        "hand=3",
        "hand=3 bank_deals=3 bet_min=5 pass_fine=2 verify=strict",
        "bank_min=20 banker_hand=on burn=true",
        "hand=3 burn=true burn_when=before-bet reveal_win=hand",
    ),
    "six-spot-red-dog": (
        "",
        "target=common hand=5 short_pool=reante",
        "six_limit=3 verify=strict pool_limit=20 void_ante=refund",
        "funding=bank bank_deals=2 pass_fine=1",
        "funding=bank target=common banker_hand=on",
    ),
    "polish-red-dog": (
        "stake=20",
        "stake=20 burn=false no_bets=redeal stitch_factor=2 bet_min=3",
        "stake=30 hand_mode=shared",
        "stake=15 pays=1",
    ),
    "acey-deucey-pot": (
        "",
        "pair=redeal consecutive=redeal lap_limit=half on_empty=reante",
        "pair=bonus consecutive=lose cover=bet max_laps=2",
        "ace=high pair=pass post_mult=1 decks=2",
    ),
    "rake": (
        "",
        "market=seated min_bet=1 tie=split",
        "ante=20 kickers=strict show_all_in=on aos=off",
        "two_pair=above-trips quads_lady_high=on show_all_in=on",
    ),
}
"""House rules to try; a game that isn't here is tried with its defaults."""


# --- lines --------------------------------------------------------------------------------------------------


def prompt_of(night: Night) -> Prompt | None:
    """What the night's game waits for."""
    return night.game.prompt(night.state) if night.game is not None and not night.closed else None


def choices_of(night: Night) -> tuple[Choice, ...]:
    """What the night's game accepts now."""
    return night.game.legal_actions(night.state) if night.game is not None and not night.closed else ()


def unseen(night: Night) -> list[Card]:
    """Cards that may turn up next."""
    return [card for card in FULL_DECK if night.table.shoe.can_show(card)]


def say(night: Night, choice: Choice, amount: int | None = None, cards: tuple[Card, ...] = ()) -> str:
    """The line that says a choice."""
    words = [choice.verb]
    if choice.player is not None:
        words.append(quote(night.names()[choice.player]))
    if amount is not None:
        words.append(format_amount(amount, night.currency))
    return " ".join([*words, *map(str, cards)])


def whole_hand(night: Night, choice: Choice, free: Sequence[Card]) -> tuple[Card, ...]:
    """A hand that may be shown: as many cards as were dealt, those among them that everybody saw."""
    state, prompt = night.state, prompt_of(night)
    assert choice.player is not None
    if isinstance(state, HandsState):
        return tuple(free[: state.hand(choice.player).cards])
    due = prompt.due.high if prompt and prompt.due else 0
    if not isinstance(state, RakeState):
        return tuple(free[:due])
    held = 3 + (state.phase == "DRAW2") + (choice.player in state.drawn)
    known = state.cards_of(choice.player)
    return (*known, *free)[: due or held]


def legal_line(night: Night, dice: random.Random) -> str:
    """A line the game accepts (cards may turn out not to be there); a game first where there is none."""
    choices = choices_of(night)
    if not choices:
        return game_line(dice) if night.game is None else f"seat {quote(dice.choice(NAMES))} 100"
    prompt = prompt_of(night)
    if prompt and prompt.choices and dice.random() < 0.8:  # mistakes and rare acts are many; play goes on
        choices = prompt.choices
    due = prompt.due if prompt else None
    wanted = [choice for choice in choices if due and choice.verb in ("card", "show")]
    choice = dice.choice(wanted) if wanted and dice.random() < 0.7 else dice.choice(choices)
    if choice.low is not None:
        high = choice.low + 50 if choice.high is None else choice.high
        line = say(night, choice, dice.choice([choice.low, high, dice.randint(choice.low, high)]))
        return f"{line} {dice.choice(choice.words)}" if choice.words else line
    if choice.words:
        return f"{say(night, choice)} {dice.choice(choice.words)}"
    if choice.verb == "show" and dice.random() < 0.8:
        free = unseen(night)
        return say(night, choice, cards=whole_hand(night, choice, dice.sample(free, len(free))))
    if choice.verb in ("card", "burn", "show"):
        count = dice.randint(due.low, due.high) if due and choice.verb != "burn" else 1
        if choice.verb == "show" and due and dice.random() < 0.6:
            count = due.high
        free = unseen(night)
        return say(night, choice, cards=tuple(dice.sample(free, min(count, len(free)))))
    return say(night, choice)


def game_line(dice: random.Random, games: Sequence[str] = ()) -> str:
    """Some game with some of its house rules."""
    name = dice.choice(games or [game.name for game in all_games()])
    return f"game {name} {dice.choice(RULES.get(name, ('',)))}".rstrip()


def any_line(night: Night, dice: random.Random) -> str:
    """A line that may make sense or not."""
    return dice.choice(_FORMS)(night, dice)


def _who(dice: random.Random) -> str:
    return quote(dice.choice(NAMES))


def _amount(dice: random.Random) -> str:
    return str(dice.choice([0, 1, 2, 3, 5, 5, 5, 10, 10, 25, 50, 100, 1000, "1,5", "x"]))


def _card(night: Night, dice: random.Random) -> str:
    seen = night.table.shoe.seen
    return str(dice.choice(seen) if seen and dice.random() < 0.4 else dice.choice(FULL_DECK))


def _fix(night: Night, dice: random.Random) -> str:
    said = [card for one in night.rounds for act in one.acts for card in getattr(act.action, "cards", ())]
    old = dice.choice(said) if said and dice.random() < 0.8 else dice.choice(FULL_DECK)
    line = f"fix {old} {dice.choice(FULL_DECK)}".replace("?", "")
    if dice.random() < 0.3:
        line += f" round={dice.randint(0, len(night.rounds) + 1)}"
    return line + (f" nth={dice.randint(0, 2)}" if dice.random() < 0.2 else "")


def _again(dice: random.Random) -> str:
    return dice.choice(["", "", f" amount={_amount(dice)}", " as=cash", " as=iou"])


Form = Callable[[Night, random.Random], str]
_VERB_AND_PLAYER = (
    *("cashout", "sitout", "back", "leave", "dealer", "fold", "won", "lost", "remove", "clear"),
    *("rebet", "call", "raise", "correct", "house", "pass", "check"),
)
_VERB_AND_AMOUNT = (
    "bet",
    "place",
    "raise",
    "house",
    "paid-in",
    "overpaid",
    "underpaid",
    "buy",
    "seat",
    "later buy",
    "later seat",
    "count",
    "iou",
    "float",
    "tip",
    "expense",
)
_WORDS = (
    *("round", "dealt", "void", "share", "shuffle", "redo", "undo", "undo", "undo 2", "undo 5", "redo 2"),
    *(
        "bank",
        "bank 20",
        "keep",
        "stitch",
        "retire",
        "note it's late",
        "later none",
        "# nothing",
        "",
        "close now",
        "accept equal",
        "accept winners",
        "accept losers",
    ),
    *(
        'bet "open',
        "tip to=Host",
        "rack 300x1 200x5 80x25 40x100",
        "cashier Host buys=cash",
        "count box 50",
        "count pool 5",
        "settle hub Anna",
        "settle players unit=5",
        "shuffle decks=2",
        "night Late",
        "snap",
        "game snap",
        "void it was a misdeal",
    ),
)
_FORMS: tuple[Form, ...] = (
    *(lambda night, dice, verb=verb: f"{verb} {_who(dice)}" for verb in _VERB_AND_PLAYER),
    *(lambda night, dice, verb=verb: f"{verb} {_who(dice)} {_amount(dice)}" for verb in _VERB_AND_AMOUNT),
    *(lambda night, dice, line=line: line for line in _WORDS),
    *[_fix] * 6,
    lambda night, dice: f"card {_card(night, dice)}",
    lambda night, dice: f"card {_card(night, dice)} {_card(night, dice)}",
    lambda night, dice: f"show {_who(dice)} {_card(night, dice)}",
    lambda night, dice: f"burn {_card(night, dice)}",
    lambda night, dice: f"first {_card(night, dice)} {_card(night, dice)} AS",
    lambda night, dice: f"dealt {_who(dice)} {dice.randint(0, 7)}",
    lambda night, dice: f"take {_who(dice)} {dice.choice(['closed', _card(night, dice)])}",
    lambda night, dice: f"ace {_who(dice)} {dice.choice(['high', 'low'])}",
    lambda night, dice: f"bet {_who(dice)} {_amount(dice)} {dice.choice(['higher', 'lower'])}",
    lambda night, dice: f"carry {_amount(dice)}",
    lambda night, dice: f"accept {_who(dice)} found later",
    lambda night, dice: f"lend {_who(dice)} {_who(dice)} {_amount(dice)}",
    lambda night, dice: f"buy {_who(dice)} {_amount(dice)} {dice.choice(['cash', 'iou'])}",
    lambda night, dice: f"cashout {_who(dice)} {_amount(dice)} cash",
    lambda night, dice: f"pay {_who(dice)} box {_amount(dice)}",
    lambda night, dice: f"pay box {_who(dice)} {_amount(dice)}",
    lambda night, dice: f"change {_who(dice)} {dice.choice(['5x5', '10x1', '1x25'])}",
    *[lambda night, dice: f"reverse {dice.randint(1, night.lines + 9)} a slip{_again(dice)}"] * 3,
    lambda night, dice: f"move {_who(dice)} after={_who(dice)}",
    lambda night, dice: f"rename {_who(dice)} {_who(dice)}",
    lambda night, dice: f"seat {_who(dice)} 50 after={_who(dice)}",
    lambda night, dice: game_line(dice),
)


# --- what must hold -----------------------------------------------------------------------------------------


class Broken(AssertionError):
    """Something that must always hold does not."""


@dataclass
class Trial:
    """One night that random lines are thrown at; every line is checked."""

    seed: int
    games: tuple[str, ...] = ()
    store: MemoryNight = field(default_factory=MemoryNight)
    refused: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.dice = random.Random(self.seed)
        self.log = NightLog(self.store)
        start = ["night Fuzz currency=EUR"] if self.dice.random() < 0.2 else []
        names = NAMES[: self.dice.randint(2, 4)]
        seats = [f"seat {quote(name)} {self.dice.choice([20, 60, 100, 500])}" for name in names]
        for line in [*start, *seats, game_line(self.dice, self.games)]:
            self.submit(line)

    def run(self, lines: int, legal: float = 0.7) -> None:
        """Throw some lines, a part of them legal; check the night as a whole at the end."""
        for _ in range(lines):
            line_of = legal_line if self.dice.random() < legal else any_line
            line = line_of(self.log.night, self.dice)
            if not (self.games and line.startswith("game ")):
                self.submit(line)
        self.submit(self.dice.choice(["close", "close pool=carry", "note no close"]))
        self.check_replay()

    def submit(self, line: str) -> bool:
        """Submit one line; say whether it was accepted."""
        before, entries = self.log.night, self.log.entries
        try:
            accepted = self.log.submit(line)
        except Refusal as refusal:
            self.refused[refusal.code] += 1
            self._must(self.log.night is before and self.log.entries == entries, line, "refused, yet changed")
            self._must_say([wording_of(before).refusal(refusal)], line)
            return False
        except Exception as error:
            raise Broken(f"seed {self.seed}: {line!r}: {error!r}") from error
        if accepted.step is not None:
            self._check(line)
            if not line.startswith(("undo", "redo")) and self.dice.random() < 0.2:
                self._check_undo(line, before)
        return accepted.step is not None

    def check_replay(self) -> None:
        """The log played back makes an equal night, and the entries are as they were written."""
        self._must(NightLog(self.store).night == self.log.night, "replay", "another night")
        self._must(self.store.verify().ok, "verify", "the chain is broken")

    def _check(self, line: str) -> None:
        night = self.log.night
        self._must(night.chips.total() == 0, line, "chips were made or lost")
        self._must(night.books.money.total() == 0, line, "money was made or lost")
        self._must(night.books.box >= 0, line, "the box holds less than nothing")
        rack = (*night.books.rack, *night.books.in_circulation)
        self._must(all(count > 0 for _value, count in rack), line, "the rack has too few chips")
        if night.closed:
            self._must(sum(night.receivables().values()) == 0, line, "nets do not balance")
        for place, amount in night.chips.places.items():
            outside = place.startswith("in:") or place in ("carried", "missing", "house")
            self._must(amount >= 0 or outside, line, f"{place} is {amount}")
        record: dict[str, Any] = json.loads(json.dumps(night_record(night)))
        self._must(always(record) == 0, line, f"off by {always(record)}")
        self._must(sum(record["bets"].values()) == sum(map(night.chips.bet, night.names())), line, "bets")
        pots = sum(pot["amount"] for pot in record["pots"])
        self._must(not pots or pots == record["pool"], line, "the pots are not the pool")
        wording = wording_of(night)
        prompt = prompt_of(night) or Prompt("closed")
        told = wording.told(self.log.log[-1].events)
        self._must_say([wording.duty(prompt), wording.announcement(prompt) or "-", *told], line)
        take_snapshot(self.log, self.log.log[-1], prompt, wording, "night", ())

    def _check_undo(self, line: str, before: Night) -> None:
        after = self.log.night
        if after.closed:
            return
        self.log.submit("undo")
        self._must(self.log.night == before, line, "undo does not restore")
        self.log.submit("redo")
        self._must(self.log.night == after, line, "redo does not restore")

    def _must_say(self, sentences: Sequence[str], line: str) -> None:
        """Nothing is said with a hole in it."""
        for sentence in sentences:
            self._must(bool(sentence) and "…" not in sentence, line, f"said {sentence!r}")

    def _must(self, holds: bool, line: str, what: str) -> None:
        if not holds:
            said = "\n".join(step.line for step in self.log.log[-12:])
            raise Broken(f"seed {self.seed}, {line!r}: {what}\nlast lines:\n{said}")


def always(record: dict[str, Any]) -> int:
    """The sum that is zero at every moment (TABLE_TALK.md, "Always")."""
    return int(
        sum(record["stacks"].values())
        + sum(record["bets"].values())
        + record["pool"]
        + record["bank"]
        + record["house"]
        + sum(record["cashed_out"].values())
        - sum(record["bought_in"].values())
        - record["carried_in"]
    )


def main() -> int:
    """Throw lines until there were enough; print seeds and progress."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("lines", nargs="?", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--game", action="append", default=[], help="only this game; else all, changing")
    options = parser.parse_args()
    refused: Counter[str] = Counter()
    accepted = thrown = 0
    began_s = time.monotonic()
    nights = max(1, options.lines // LINES_A_NIGHT)
    print(f"{nights} nights of {LINES_A_NIGHT} lines, seeds from {options.seed}", flush=True)
    for number in range(nights):
        trial = Trial(options.seed + number, tuple(options.game))
        trial.run(LINES_A_NIGHT)
        refused += trial.refused
        accepted += trial.log.entries
        thrown += LINES_A_NIGHT
        if number % 40 == 39 or number == nights - 1:
            took_s = time.monotonic() - began_s
            print(
                f"{thrown} lines, {accepted} entries, {took_s:.0f} s, next seed {trial.seed + 1}", flush=True
            )
    print("refused: " + ", ".join(f"{code} {count}" for code, count in sorted(refused.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
