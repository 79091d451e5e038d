"""A season in a minute: seeded rounds of any game, dealt by simple players through the lines of table talk.

There is no second implementation of anything: every card and bet is a line that `NightLog` books. What the
players win is compared with the exact odds.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt

from assistant.cards import FULL_DECK, Card, Rank
from assistant.errors import AssistantError, Refusal
from assistant.games.acey_deucey import AceyDeucey
from assistant.games.acey_table import AceyDeuceyState
from assistant.games.base import HAND, BetSettled, CardsDue, CardTurned, Choice, Game, RoundClosed, Shuffled
from assistant.games.hand_odds import chance_of_hand, polish_punter, random_hand
from assistant.games.hands import HandsDealt, HandsState
from assistant.games.odds import RAISE_FROM, acey_odds, casino_odds_of, full_shoe
from assistant.games.rake_table import CardTaken
from assistant.games.variants import build_game
from assistant.money import CHIPS
from assistant.store.memory import MemoryNight
from assistant.table.night import Night
from assistant.table.night_log import NightLog, Step

ROUNDS_A_NIGHT = 500
NIGHTS_A_PLAYBACK = 20
"""Every so many nights, from the first on, the log is played back and must make the same night."""
ENOUGH_CHIPS, BUY_IN = 400, 1000
CASINO_BET = 10
CARDS_A_ROUND = 4  # casino: three, and the first of the next round, which is drawn before the shuffle is seen
CONFIDENCE = 1.959964  # standard errors to each side of a 95 % interval
MOST_ERRORS_OFF = 4

Progress = Callable[[int], None]
"""Told the rounds played so far."""


class SimulationFailed(AssistantError):
    """Something that must always hold did not; the seed is in the message."""


@dataclass(frozen=True, slots=True)
class Scene:
    """How a game is played in a simulation.

    Attributes:
        options: House rules.
        players: How many sit at the table.
        first: Lines before the first round.
        measure: What is measured, for the report.
        exact: Its exact value; None where each bet has its own or there is none.
    """

    options: Mapping[str, str]
    players: int
    measure: str
    exact: Fraction | None
    first: Sequence[str] = ()


def scene_of(game: str) -> Scene:
    """Return how a game is simulated, chosen so that its exact value holds for every round.

    The casino shoe is shuffled for every round, since a cut card lets short rounds fall more often on rich
    shoes; a bank is so large that it never breaks in the middle of a deal.
    """
    four = 4
    match game:
        case "casino-red-dog":
            exact = casino_odds_of(full_shoe(6)).ev
            return Scene({"shuffle": "every-round"}, 1, "won per unit of the opening bet", exact)
        case "red-dog-pool":
            return Scene({}, four, "bets won", random_hand(5))
        case "red-dog-burn":
            return Scene({}, four, "bets won", random_hand(5))
        case "red-dog-bank":
            return Scene({}, four, "bets won", random_hand(5))
        case "six-spot-red-dog":
            return Scene({}, four, "bets won", chance_of_hand(FULL_DECK, 3, Rank.SIX))
        case "polish-red-dog":
            return Scene({}, four, "bets won", polish_punter())
        case "acey-deucey-pot":
            pot = ("carry 1000000",)
            return Scene({"ante": "1"}, four, "won per unit bet, above its own exact value", Fraction(0), pot)
        case _:
            return Scene({}, four, "pots won by the first player", None)


@dataclass(frozen=True, slots=True)
class Simulated:
    """What came of a simulation.

    Attributes:
        rounds: Rounds played (Acey-Deucey: bets).
        lines: Lines of table talk booked.
        mean: Of the measure, a round.
        error: Its standard error.
    """

    game: str
    seed: int
    rounds: int
    lines: int
    measure: str
    mean: float
    error: float
    exact: Fraction | None

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the mean."""
        return self.mean - CONFIDENCE * self.error, self.mean + CONFIDENCE * self.error

    @property
    def errors_off(self) -> float | None:
        """How many standard errors the mean lies from the exact value."""
        if self.exact is None or not self.error:
            return None
        return (self.mean - float(self.exact)) / self.error

    @property
    def agrees(self) -> bool:
        """Whether the mean is within four standard errors of the exact value, where there is one."""
        return self.errors_off is None or abs(self.errors_off) <= MOST_ERRORS_OFF


@dataclass
class _Samples:
    """One number a round, kept as sums."""

    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, value: float) -> None:
        self.count += 1
        self.total += value
        self.squares += value * value

    @property
    def mean(self) -> float:
        return self.total / self.count if self.count else 0.0

    @property
    def error(self) -> float:
        if self.count < 2:
            return 0.0
        variance = (self.squares - self.total * self.mean) / (self.count - 1)
        return sqrt(max(variance, 0.0) / self.count)


@dataclass
class _Evening:
    """One night: the cards as they really lie, and players who know only their own hands."""

    scene: Scene
    game: str
    random: random.Random
    samples: _Samples
    stock: list[Card] = field(default_factory=list)
    hands: dict[str, list[Card]] = field(default_factory=dict)
    settled: list[BetSettled] = field(default_factory=list)
    bet: int = 1
    expected: Fraction = Fraction(0)
    rounds: int = 0
    lines: int = 0

    def __post_init__(self) -> None:
        self.store = MemoryNight()
        self.log = NightLog(self.store, operator="simulation")
        options = " ".join(f"{name}={value}" for name, value in self.scene.options.items())
        self.submit(f"game {self.game} {options}")
        self._shuffle(self.rules.decks)
        for number in range(self.scene.players):
            self.submit(f"seat {'ABCDEFGHIJ'[number]} {BUY_IN}")
        for line in self.scene.first:
            self.submit(line)

    @property
    def night(self) -> Night:
        """The night at this moment."""
        return self.log.night

    @property
    def rules(self) -> Game:
        """The game."""
        assert self.night.game is not None
        return self.night.game

    # -- the round ----------------------------------------------------------------------------------------

    def play(self, rounds: int) -> None:
        """Play so many rounds."""
        wanted = self.rounds + rounds
        while self.rounds < wanted:
            self.submit(self._next_line())

    def submit(self, line: str) -> None:
        """Book a line; a simple player never says anything that is refused."""
        try:
            step = self.log.submit(line).step
        except Refusal as refusal:
            raise SimulationFailed(
                f"{line!r} was refused with {refusal.code} after {self._last()}."
            ) from refusal
        self.lines += 1
        if step is not None:
            self._after(step)
        if self.night.chips.total():
            raise SimulationFailed(f"{line!r} made or lost {self.night.chips.total()} chips.")
        for place, amount in self.night.chips.places.items():
            if amount < 0 and not place.startswith(("in:", "carried", "house")):
                raise SimulationFailed(f"{line!r} left {amount} at {place}.")

    def _last(self) -> str:
        return "; ".join(step.line for step in self.log.log[-8:])

    def _after(self, step: Step) -> None:
        for place, event in enumerate(step.events):
            match event:
                case Shuffled():
                    later = [one.card for one in step.events[place:] if isinstance(one, CardTurned)]
                    self._shuffle(event.decks, [*event.keep, *later, *self._unplayed(event)])
                case HandsDealt():
                    self._deal(event)
                case CardTaken():
                    card = event.card or self.stock.pop()
                    self.hands[event.player].append(card)
                case BetSettled():
                    self.settled.append(event)
                    if self.game == "acey-deucey-pot":
                        self._count_bet(event)
                case RoundClosed() if self.game != "acey-deucey-pot":
                    self._count_round()
                case _:
                    pass

    def _unplayed(self, event: Shuffled) -> list[Card]:
        state = self.night.state
        if not event.in_round or not isinstance(state, HandsState):
            return []
        return [card for hand in state.to_act for card in self.hands[hand.player]]

    def _shuffle(self, decks: int, out: Sequence[Card] = ()) -> None:
        """A fresh deck without the cards that are out: on the table, and in unplayed hands."""
        deck = list(FULL_DECK) * decks
        for card in out:
            deck.remove(card)
        if decks > 1:
            self.stock = self.random.sample(deck, CARDS_A_ROUND)  # quicker than shuffling a whole shoe
        else:
            self.random.shuffle(deck)
            self.stock = deck

    def _deal(self, event: HandsDealt) -> None:
        self.hands = {player: [self.stock.pop() for _ in range(count)] for player, count in event.counts}

    def _count_round(self) -> None:
        self.rounds += 1
        bets, self.settled = self.settled, []
        if self.game == "casino-red-dog":
            self.samples.add(sum(map(_net, bets)) / CASINO_BET)
        elif self.game == "rake":
            last = self.night.rounds.last
            assert last is not None
            before = last.start.table.chips.stack("p1")
            self.samples.add(float(self.night.chips.stack("p1") > before))
        elif bets:
            self.samples.add(sum(bet.result == "win" for bet in bets) / len(bets))

    def _count_bet(self, event: BetSettled) -> None:
        self.rounds += 1
        self.samples.add(_net(event) / self.bet - float(self.expected))

    # -- what is said next --------------------------------------------------------------------------------

    def _next_line(self) -> str:
        prompt = self.rules.prompt(self.night.state)
        if not self.night.in_round and (poor := self._poor()):
            return f"buy {poor} {BUY_IN}"
        offers = {offer.verb: offer for offer in prompt.choices}
        if prompt.due is not None and not ({"bet", "place"} & offers.keys() and not self._has_bet()):
            return self._cards(prompt.due)
        for verb in ("shuffle", "round", "dealt"):
            if verb in offers and (verb != "shuffle" or not {"round", "bet", "card"} & offers.keys()):
                return verb
        return self._say(offers)

    def _poor(self) -> str | None:
        chips = self.night.chips
        names = self.night.names()
        poor = (player for player in self.night.table.players if chips.stack(player) < ENOUGH_CHIPS)
        return next((names[player] for player in poor if not chips.bet(player)), None)

    def _has_bet(self) -> bool:
        return any(self.night.chips.bet(player) for player in self.night.table.players)

    def _cards(self, due: CardsDue) -> str:
        if due.role == HAND and due.player is not None:
            cards = self.hands[due.player]
            return f"show {self.night.names()[due.player]} {' '.join(map(str, cards))}"
        return f"card {self.stock.pop()}"

    def _say(self, offers: Mapping[str, Choice]) -> str:
        names = self.night.names()
        for verb, say in _SAYINGS.items():
            if verb in offers:
                offer = offers[verb]
                who = names[offer.player] if offer.player else ""
                return say(self, offer, who, offers)
        raise SimulationFailed(f"Nobody knows what to do after {self._last()}.")

    def bet_line(self, offer: Choice, who: str) -> str:
        """The smallest bet; in the casino ten; in Acey-Deucey the better side, and its value is kept."""
        if self.game == "casino-red-dog":
            return f"bet {who} {CASINO_BET}"
        side = ""
        state = self.night.state
        if isinstance(state, AceyDeuceyState):
            assert isinstance(self.rules, AceyDeucey)
            left = self.night.table.shoe.unseen_by_rank()
            rules = self.rules.house_rules
            first, second = state.posts
            odds = acey_odds(left, first, second, rules.post_mult, rules.triple_mult)
            self.bet, self.expected = offer.low or 1, odds.ev
            side = {"": "", "lower": " lower"}.get(odds.side, " higher")
        return f"bet {who} {offer.low}{side}"


def _net(event: BetSettled) -> int:
    return {"win": event.paid, "lose": -event.stake}.get(event.result, 0)


Saying = Callable[["_Evening", Choice, str, Mapping[str, Choice]], str]


def _decide_raise(evening: _Evening, offer: Choice, who: str, offers: Mapping[str, Choice]) -> str:
    """Casino: raise from spread 7 on. Rake: mostly call, sometimes raise or fold."""
    if evening.game == "casino-red-dog":
        first, second = evening.night.state.cards("post")
        return f"raise {who}" if abs(first.rank - second.rank) - 1 >= RAISE_FROM else f"call {who}"
    return _decide_rake(evening, offer, who, offers)


def _decide_rake(evening: _Evening, offer: Choice, who: str, offers: Mapping[str, Choice]) -> str:
    luck = evening.random.random()
    raising = offers.get("bet") or offers.get("raise")
    if luck < 0.15 and raising is not None:
        return f"{raising.verb} {who} {raising.low}"
    if luck > 0.92 and "call" in offers:
        return f"fold {who}"
    return f"{'check' if 'check' in offers else 'call'} {who}"


def _take(evening: _Evening, offer: Choice, who: str, offers: Mapping[str, Choice]) -> str:
    return f"take {who} {evening.random.choice(offer.words)}"


def _put_up(evening: _Evening, offer: Choice, who: str, offers: Mapping[str, Choice]) -> str:
    return "bank" if offer.low is None else f"bank {min(offer.high or 0, ENOUGH_CHIPS // 2)}"


# What simple players say, by the first of these verbs that is offered.
_SAYINGS: Mapping[str, Saying] = {
    "bank": _put_up,
    "retire": lambda evening, offer, who, offers: "retire",
    "ace": lambda evening, offer, who, offers: f"ace {who} low",
    "take": _take,
    "check": _decide_rake,
    "call": _decide_raise,
    "bet": lambda evening, offer, who, offers: evening.bet_line(offer, who),
    "pass": lambda evening, offer, who, offers: f"pass {who}",
}


def simulate(game: str, rounds: int, seed: int, progress: Progress | None = None) -> Simulated:
    """Play rounds of a game and compare what came of them with the exact odds.

    Args:
        game: Its name.
        rounds: How many.
        seed: The same seed plays the same season.
        progress: Told how many rounds are played, after every night.

    Raises:
        SimulationFailed: A line was refused, chips went below zero, or a night did not play back.
        Refusal: E_OPTION for a game there is not.
    """
    build_game(game, {}, CHIPS)
    scene, samples = scene_of(game), _Samples()
    source = random.Random(seed)
    played = lines = nights = 0
    while played < rounds:
        evening = _Evening(scene, game, source, samples)
        evening.play(min(ROUNDS_A_NIGHT, rounds - played))
        nights += 1
        if nights % NIGHTS_A_PLAYBACK == 1 and NightLog(evening.store).night != evening.night:
            raise SimulationFailed(f"With seed {seed} night {nights} does not play back to itself.")
        played, lines = played + evening.rounds, lines + evening.lines
        if progress is not None:
            progress(min(played, rounds))
    return Simulated(game, seed, played, lines, scene.measure, samples.mean, samples.error, scene.exact)
