"""The betting of a street: checks, bets, raises to a total, all-in, when it closes (RULES.md 9.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from assistant.games.base import Choice, IllegalAction
from assistant.money import Amount


@dataclass(frozen=True, slots=True)
class Street:
    """A round of betting as it stands.

    Attributes:
        players: Everybody dealt in, from the dealer's left.
        still_in: Those who have not folded, same order.
        stacks: Chips in front of each.
        bets: What each has bet in this round.
        acted: Who has acted since the last full bet or raise; a check counts.
        last: Who acted last; None at the beginning.
        least: The smallest bet and the smallest raise.
    """

    players: tuple[str, ...]
    still_in: tuple[str, ...]
    stacks: Mapping[str, Amount]
    bets: Mapping[str, Amount]
    acted: tuple[str, ...]
    last: str | None
    least: Amount

    @property
    def current(self) -> Amount:
        """The highest total."""
        return max((self.bets.get(player, 0) for player in self.players), default=0)

    def own(self, player: str) -> Amount:
        """What a player has bet in this round."""
        return self.bets.get(player, 0)

    def _must_act(self, player: str) -> bool:
        if player not in self.still_in or not self.stacks[player]:
            return False
        return player not in self.acted or self.own(player) < self.current

    @property
    def is_closed(self) -> bool:
        """Whether everybody with chips has acted and matched the highest total.

        With at most one player who has chips and faces no bet there is nothing to bet about.
        """
        if len(self.still_in) < 2:
            return True
        with_chips = [player for player in self.still_in if self.stacks[player]]
        if len(with_chips) < 2 and all(self.own(player) >= self.current for player in with_chips):
            return True
        return not any(self._must_act(player) for player in self.players)

    @property
    def actor(self) -> str | None:
        """Whose turn it is."""
        if self.is_closed:
            return None
        start = self.players.index(self.last) + 1 if self.last in self.players else 0
        order = self.players[start:] + self.players[:start]
        return next((player for player in order if self._must_act(player)), None)

    def can_raise(self, player: str) -> bool:
        """Whether the betting is open for a player: an incomplete raise doesn't re-open it."""
        return player not in self.acted

    # -- checking what is said ----------------------------------------------------------------------------

    def check_check(self, player: str) -> None:
        """Refuse a check while a bet has to be answered."""
        if self.own(player) < self.current:
            raise IllegalAction("E_CHECK", "", {"player": player, "bet": self.current})

    def check_call(self, player: str) -> Amount:
        """Return what a call costs."""
        if self.own(player) == self.current:
            raise IllegalAction("E_NO_BET", "", {"player": player})
        return min(self.current - self.own(player), self.stacks[player])

    def check_bet(self, player: str, amount: Amount) -> None:
        """Refuse a bet after a bet, and one that is too small or above the stack."""
        if self.current:
            raise IllegalAction("E_BET_EXISTS", "", {"player": player, "bet": self.current})
        stack = self.stacks[player]
        facts = {"player": player, "found": amount, "low": min(self.least, stack), "stack": stack}
        if amount < min(self.least, stack):
            raise IllegalAction("E_BET_LOW", "", facts)
        if amount > stack:
            raise IllegalAction("E_STACK", "", facts)

    def check_raise(self, player: str, total: Amount) -> None:
        """Refuse a raise of nothing, one that is not open, and one that is too small or above the stack."""
        if not self.current:
            raise IllegalAction("E_NO_BET", "", {"player": player})
        if not self.can_raise(player):
            raise IllegalAction("E_NO_REOPEN", "", {"player": player})
        most = self.own(player) + self.stacks[player]
        low = min(self.current + self.least, max(most, self.current + 1))
        facts = {"player": player, "found": total, "low": low, "stack": most}
        if total < low:
            raise IllegalAction("E_BET_LOW", "raise_low" if low <= most else "no_raise_left", facts)
        if total > most:
            raise IllegalAction("E_STACK", "raise_stack", facts)

    def is_full(self, total: Amount) -> bool:
        """Whether a bet or raise to a total is a full one, which gives everybody else a new turn."""
        return total - self.current >= self.least

    def choices(self) -> tuple[Choice, ...]:
        """What the player whose turn it is may do."""
        player = self.actor
        if player is None:
            return ()
        stack, own = self.stacks[player], self.own(player)
        answer = Choice("check", player) if own == self.current else Choice("call", player)
        found = [answer, Choice("fold", player)]
        if not self.current:
            found.append(Choice("bet", player, min(self.least, stack), stack))
        elif self.can_raise(player) and own + stack > self.current:
            most = own + stack
            found.append(Choice("raise", player, min(self.current + self.least, most), most))
        return tuple(found)
