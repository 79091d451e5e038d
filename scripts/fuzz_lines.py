"""Random lines of table talk, legal and illegal mixed: nothing may break, get lost or differ.

    python scripts/fuzz_lines.py rake --lines 200000 --seed 1

After every line: a refused one has changed nothing; chips are conserved and no place but the house is below
zero; everything the dealer is told can be said; and what `legal_actions` offers is what `decide` accepts. At
the end of a night the entries play back to the same night.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from assistant.cards import FULL_DECK, Card
from assistant.errors import Refusal
from assistant.games.base import HAND, Choice, Game
from assistant.games.hands import HandsState
from assistant.games.rake_table import RakeState
from assistant.games.variants import all_games, game_named
from assistant.money import format_amount
from assistant.store.memory import MemoryNight
from assistant.table.night import Night
from assistant.table.night_log import NightLog
from assistant.table.record import night_record
from assistant.table.speech import wording_of

NAMES = ("A", "B", "C", "D", "E")
NIGHT_LINES = 250
LEGAL_SHARE = 0.7
MISTAKES = ("paid-in", "overpaid", "underpaid", "correct")
# Verbs whose choice says everything about the line, so that what is not offered must be refused.
EXACT = (
    *("round", "dealt", "bank", "keep", "stitch", "retire", "shuffle", "fold", "pass", "check", "call"),
    *("bet", "raise", "won", "lost", "ace", "take", "correct", "overpaid", "underpaid", "rebet"),
)


class Broken(AssertionError):
    """Something that must hold did not."""


@dataclass
class Walk:
    """A night of random lines.

    Attributes:
        game: Name of the game.
        seed: The same seed makes the same night.
        codes: How often each refusal came.
    """

    game: str
    seed: int
    codes: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.store = MemoryNight()
        self.log = NightLog(self.store)
        self.submit(self._game_line())
        for name in NAMES[:4]:
            self.submit(f"seat {name} {self.random.choice((3, 12, 40, 100, 250))}")

    @property
    def night(self) -> Night:
        """The night at this moment."""
        return self.log.night

    def run(self, lines: int) -> None:
        """Submit so many lines, check what must hold, and play the night back."""
        for _ in range(lines):
            legal = self.random.random() < LEGAL_SHARE
            self.submit(self.legal_line() if legal else self.any_line())
            if self.random.random() < 0.25:
                self.check_offers()
        if NightLog(self.store).night != self.night:
            raise Broken(f"seed {self.seed}: the entries do not play back to the night")

    def submit(self, line: str) -> bool:
        """Take a line and check what must hold afterwards; return whether it was accepted."""
        before = self.night
        try:
            step = self.log.submit(line).step
        except Refusal as refusal:
            self.codes[refusal.code] += 1
            self._say(wording_of(before).refusal(refusal))
            if self.night is not before:
                raise Broken(f"seed {self.seed}: {line!r} was refused and changed something") from refusal
            return False
        except Exception as error:
            raise Broken(f"seed {self.seed}: {line!r} after {self.last_lines()}") from error
        self._check(line)
        if step is not None:
            for told in wording_of(self.night).told(step.events):
                self._say(told)
        return True

    def _say(self, sentence: str) -> None:
        if "…" in sentence:
            raise Broken(f"seed {self.seed}: a fact is missing in {sentence!r}, after {self.last_lines()}")

    def last_lines(self, count: int = 12) -> str:
        """The latest accepted lines, to see what happened."""
        return "; ".join(step.line for step in self.log.log[-count:])

    def _check(self, line: str) -> None:
        night, game = self.night, self.night.game
        record = night_record(night)
        amounts = [record[name] for name in ("stacks", "bets", "cashed_out")]
        total = sum(sum(one.values()) for one in amounts if isinstance(one, dict))
        total += sum(int(str(record[name])) for name in ("pool", "bank", "house"))
        bought = record["bought_in"]
        assert isinstance(bought, dict)
        if total != sum(bought.values()) + int(str(record["carried_in"])):
            raise Broken(f"seed {self.seed}: {line!r} created or lost chips")
        for place, amount in night.chips.places.items():
            if amount < 0 and not place.startswith(("in:", "carried", "missing", "house")):
                raise Broken(f"seed {self.seed}: {line!r} left {amount} at {place}")
        if game is None:
            return
        pots = game.pots(night.state)
        if pots and sum(amount for amount, _ in pots) != night.chips.at("pool"):
            raise Broken(f"seed {self.seed}: {line!r} left pots that are not the pool")
        prompt = game.prompt(night.state)
        self._say(wording_of(night).duty(prompt))
        self._say(wording_of(night).announcement(prompt))

    # -- lines --------------------------------------------------------------------------------------------

    def _game_line(self) -> str:
        named = [option for option in game_named(self.game).options if len(option.values) > 1]
        chosen = [option for option in named if self.random.random() < 0.3]
        words = [f"game {self.game}", *(f"{one.name}={self.random.choice(one.values)}" for one in chosen)]
        return " ".join(words)

    def _unseen(self) -> list[Card]:
        free = [card for card in FULL_DECK if self.night.table.shoe.can_show(card)]
        self.random.shuffle(free)
        return free

    def legal_line(self) -> str:
        """A line the prompt offers, with cards that may still come."""
        night, game = self.night, self.night.game
        if game is None:
            return self._game_line()
        prompt = game.prompt(night.state)
        offers = list(prompt.choices)
        if not night.in_round and self.random.random() < 0.2:
            return f"buy {self.random.choice(NAMES[:4])} {self.random.choice((5, 20, 60))}"
        if prompt.due is not None and self.random.random() < 0.9:
            offers = [offer for offer in offers if offer.verb in ("card", "show")] or offers
        if night.in_round:
            offers = [offer for offer in offers if offer.verb != "burn"] or offers
        return self.line_for(self.random.choice(offers)) if offers else "void"

    def line_for(self, offer: Choice) -> str:
        """Write an offer as a line."""
        night = self.night
        words = [offer.verb, *([night.names()[offer.player]] if offer.player else [])]
        if offer.low is not None and (offer.verb != "house" or self.random.random() < 0.5):
            high = offer.high if offer.high is not None else offer.low + 9
            amount = self.random.choice((offer.low, high, self.random.randint(offer.low, high)))
            words.append(format_amount(amount, night.currency))
        if offer.words:
            words.append(self.random.choice(offer.words))
        cards = self._unseen()
        if offer.verb in ("card", "burn"):
            assert night.game is not None
            due = night.game.prompt(night.state).due
            count = self.random.choice((due.low, due.low, due.high)) if due and offer.verb == "card" else 1
            words += [str(card) for card in cards[:count]]
        elif offer.verb == "show" and offer.player:
            words += self._hand(offer.player, cards)
        return " ".join(words)

    def _hand(self, player: str, cards: Sequence[Card]) -> list[str]:
        state, game = self.night.state, self.night.game
        assert game is not None
        if isinstance(state, RakeState):
            due = game.prompt(state).due
            known = state.cards_of(player)
            size = due.high if due and due.role == HAND else 3 + (player in state.drawn)
            size += state.phase == "DRAW2" and not (due and due.role == HAND)
            return [str(card) for card in (*known, *cards)[:size]]
        assert isinstance(state, HandsState)
        return [str(card) for card in cards[: state.hand(player).cards]]

    def any_line(self) -> str:
        """Any line at all; most are refused."""
        pick = self.random.choice
        player = pick(NAMES)
        amount = pick((0, 1, 2, 5, 5, 10, 25, 100, 1000))
        card, other = pick(FULL_DECK), pick(FULL_DECK)
        game = game_named(self.game)
        verb = pick(sorted(game.verbs))
        return pick(
            (
                f"{verb} {player} {amount}",
                f"{verb} {player}",
                f"{verb}",
                f"{verb} {player} {card}",
                f"{verb} {card} {other}",
                f"dealt {player} {pick(range(8))}",
                f"bet {player} {amount} {pick(('higher', 'lower'))}",
                f"take {player} {pick(('closed', card))}",
                f"{pick(MISTAKES)} {player} {amount}",
                f"seat {player} {amount}",
                f"{pick(('buy', 'cashout'))} {player} {amount}",
                f"{pick(('sitout', 'back', 'leave', 'dealer'))} {player}",
                f"fix {card} {other}",
                f"fix {pick(self.night.table.shoe.seen or (card,))} {other}",
                pick(("void", "undo", "undo 3", "redo", "shuffle", "share", f"carry {amount}", "round")),
                f"count {player} {amount}",
                f"accept {pick(('equal', 'winners', 'losers', player))}",
                f"move {player} after={pick(NAMES)}",
            )
        )

    # -- what is offered is what is accepted --------------------------------------------------------------

    def check_offers(self) -> None:
        """`decide` accepts exactly what `legal_actions` lists."""
        night, game = self.night, self.night.game
        if game is None or night.closed:
            return
        offers = game.legal_actions(night.state)
        for offer in offers:
            line = self.line_for(offer)
            if not self._would_accept(line) and not (offer.verb == "card" and self._would_accept_one(line)):
                raise Broken(f"seed {self.seed}: {line!r} was offered and refused, after {self.last_lines()}")
        for line in self._not_offered(game, offers):
            if self._would_accept(line):
                raise Broken(f"seed {self.seed}: {line!r} was accepted unoffered, after {self.last_lines()}")

    def _would_accept(self, line: str) -> bool:
        from assistant.table.acts import decide
        from assistant.talk import split_line

        command = split_line(line)
        assert command is not None
        try:
            decide(self.night, command)
        except Refusal:
            return False
        return True

    def _would_accept_one(self, line: str) -> bool:
        """Whether the first card is accepted alone: what comes next may depend on it (an ace first)."""
        return self._would_accept(" ".join(line.split()[:2]))

    def _not_offered(self, game: Game, offers: Sequence[Choice]) -> Iterator[str]:
        """Lines that no offer covers: other verbs and players, and amounts next to the ends."""
        names = self.night.names()
        verbs = [verb for verb in EXACT if verb in game.verbs or verb == "shuffle"]
        for verb in verbs:
            mine = [offer for offer in offers if offer.verb == verb]
            alone = verb in ("round", "dealt", "keep", "stitch", "retire", "shuffle", "bank")
            for player in (None,) if alone else self.night.table.players:
                yield from self._beside(verb, player, names.get(player or "", ""), mine)

    def _beside(self, verb: str, player: str | None, name: str, mine: Sequence[Choice]) -> Iterator[str]:
        offers = [offer for offer in mine if offer.player == player]
        start = f"{verb} {name}".strip()
        if verb in ("bet", "raise", "bank", "overpaid", "underpaid"):
            ends = {0, 1, 5, 40}
            for offer in offers:
                ends |= {(offer.low or 1) - 1, (offer.high + 1) if offer.high is not None else 0}
            for amount in sorted(ends):
                if any(_covers(offer, amount) for offer in offers):
                    continue
                yield f"{start} {amount}"
                if self.game.startswith("acey") and verb == "bet":
                    yield f"{start} {amount} higher"
        elif not offers:
            tail = {"ace": " high", "take": " closed"}.get(verb, "")
            yield start + tail


def _covers(offer: Choice, amount: int) -> bool:
    if offer.low is None:
        return True
    return offer.low <= amount and (offer.high is None or amount <= offer.high)


def walk_game(game: str, lines: int, seed: int) -> Counter[str]:
    """Walk nights until so many lines were submitted; return how often each refusal came."""
    codes: Counter[str] = Counter()
    for night in range(max(lines // NIGHT_LINES, 1)):
        walk = Walk(game, seed * 100_000 + night, codes)
        walk.run(min(lines, NIGHT_LINES))
    return codes


def main() -> int:
    """Walk the games that were named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=[game.name for game in all_games()])
    parser.add_argument("--lines", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for game in options.games:
        codes = walk_game(game, options.lines, options.seed)
        refused = sum(codes.values())
        print(f"{game}: {options.lines} lines, seed {options.seed}, refused {refused}", flush=True)
        print("  " + "  ".join(f"{code} {count}" for code, count in codes.most_common()))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
