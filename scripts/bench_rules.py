#!/usr/bin/env python3
"""How fast the rules are, as ratios measured in one run.

    ./scripts/bench_rules.py [ROUNDS]

- rules: casino rounds decided by the game itself, against a bare loop that only draws the
  cards and looks the payout up (the floor);
- night: what a round costs through the whole table (talk, rules, ledger, entries) late in a night, against
  early; 1.0 is a cost that does not grow.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from assistant.cards import FULL_DECK, Card, Shoe
from assistant.games.acts import Call
from assistant.games.base import (
    Action,
    Bet,
    Shuffle,
    TurnCards,
    run,
)
from assistant.games.card_table import Seat, Table
from assistant.games.casino import CasinoRedDog
from assistant.games.casino_table import CasinoState, Phase, spread_of
from assistant.games.paytables import CASINO_PAIR_ODDS, casino_odds
from assistant.games.variants import build_game
from assistant.holdings import Holdings, Move, bought_by, stack_of
from assistant.money import CHIPS
from assistant.store.memory import MemoryNight
from assistant.table.night_log import NightLog

SAMPLE = 200


def floor_s(draws: Sequence[tuple[Card, Card, Card]]) -> float:
    """Seconds to draw the cards and look the payout up, and nothing else."""
    began_s, net = time.perf_counter(), 0
    for first, second, third in draws:
        spread = spread_of(first, second)
        if spread == -1:
            net += CASINO_PAIR_ODDS if third.rank is first.rank else 0
        elif spread:
            low, high = sorted((first.rank, second.rank))
            net += casino_odds(spread) if low < third.rank < high else -1
    assert isinstance(net, int)
    return time.perf_counter() - began_s


def rules_s(draws: Sequence[tuple[Card, Card, Card]]) -> float:
    """Seconds to play the same rounds by the rules: bet, cards, decision, settlement."""
    game = build_game("casino-red-dog", {"decks": "8"}, CHIPS)
    assert isinstance(game, CasinoRedDog)
    chips = Holdings().moved([Move(bought_by("a"), stack_of("a"), 10**9)])
    state: CasinoState = game.start(Table((Seat("a"),), None, chips, Shoe(8)))

    def do(state: CasinoState, action: Action) -> CasinoState:
        return run(game, state, game.decide(state, action))

    began_s = time.perf_counter()
    for number, (first, second, third) in enumerate(draws):
        if number % 2 == 0:
            state = do(state, Shuffle())
        state = do(do(state, Bet("a", 10)), TurnCards((first, second)))
        if state.phase == Phase.DECISION:
            state = do(state, Call("a"))
        if game.in_round(state):
            state = do(state, TurnCards((third,)))
    return time.perf_counter() - began_s


def rounds_s(log: NightLog, rounds: int) -> float:
    """Seconds for so many rounds through the whole table."""
    began_s = time.perf_counter()
    for _ in range(rounds):
        for line in ("bet A 5", "card 4 J", "call A", "card 9", "shuffle"):
            log.submit(line)
    return time.perf_counter() - began_s


def main() -> int:
    """Measure and print."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    dice = random.Random(1)
    draws = [(one, two, three) for one, two, three in (dice.sample(FULL_DECK, 3) for _ in range(rounds))]
    floor, rules = floor_s(draws), rules_s(draws)
    print(f"rules: {rounds / rules:.0f} rounds a second, {rules / floor:.0f} times the floor", flush=True)
    log = NightLog(MemoryNight())
    for line in ("game casino-red-dog", f"seat A {10**8}"):
        log.submit(line)
    rounds_s(log, 10)
    early = rounds_s(log, SAMPLE)
    rounds_s(log, max(rounds - 2 * SAMPLE, 0))
    late = rounds_s(log, SAMPLE)
    print(f"night: round {rounds} costs {late / early:.2f} times round 10")
    return 0


if __name__ == "__main__":
    sys.exit(main())
