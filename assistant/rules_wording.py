"""The rules of each game in a few sentences, for the sheet that lies on the table; the manual says more.

What a house rule changes is not said in words here: the sheet lists the house rules in force below.
"""

from __future__ import annotations

from collections.abc import Mapping

from assistant.i18n import N_, _

_POOL = (
    N_("Everybody pays the ante into the pool and gets a hand face down."),
    N_("In turn each bets, from the ante up to the pool, or throws the hand in for the fine."),
    N_("A card is turned. A card of the same suit that is higher beats it; the ace is the highest."),
    N_("Who beats it wins the bet from the pool; who does not pays it into the pool."),
    N_("A bet on the table cannot be changed."),
)

POINTS: Mapping[str, tuple[str, ...]] = {
    "red-dog-pool": _POOL,
    "red-dog-burn": (
        *_POOL,
        N_("Before the card that settles a bet the top card is burned, face up."),
    ),
    "red-dog-bank": (
        N_("The dealer puts up the bank and gets no cards; the others get a hand face down."),
        N_("In turn each bets at most what is in the bank, or passes."),
        N_("A card is turned. A card of the same suit that is higher beats it; the ace is the highest."),
        N_("Who beats it wins the bet from the bank; who does not pays it into the bank."),
        N_("The bank is broken: the deal is over. Afterwards the bank passes to the left."),
    ),
    "six-spot-red-dog": (
        N_("Everybody pays the ante into the pool and gets three cards face down. Nobody looks."),
        N_("Cards are turned until one of rank six or lower lies there: the target."),
        N_("In turn each bets unseen, from the ante up to the pool, or throws the hand in for the fine."),
        N_("A card of the suit of the target that is higher wins the bet from the pool, else it is lost."),
    ),
    "polish-red-dog": (
        N_("The banker puts up the agreed bank. The others get three cards face down. Nobody looks."),
        N_("In turn each bets or passes; all bets together are at most half the bank."),
        N_("One card is burned, the next is the bank card. Everybody who bet shows three cards."),
        N_("Lost bets go into the bank first; then the winners are paid from it."),
        N_("Once the bank has grown to three times its start, the banker retires or plays one last deal."),
    ),
    "casino-red-dog": (
        N_("Two cards are turned. Does the third fall strictly between them? Suits do not matter."),
        N_("Neighbours are a tie. On a pair a third card is turned: three of a kind pay, else a tie."),
        N_("Otherwise each may raise by as much as was bet, or call; then the third card is turned."),
        N_("Equal to one of the two, or outside: bet and raise are lost."),
    ),
    "acey-deucey-pot": (
        N_("Everybody pays the ante into the pot. Two cards, the posts, are turned for one player."),
        N_("The player bets, from the ante up to the pot, or passes. The stack must cover the worst case."),
        N_("An ace as first post is called low or high; as second post it is high."),
        N_("On a pair the player bets that the third card is higher, or lower. Neighbours: no bet."),
    ),
    "rake": (
        N_("Everybody pays the ante and gets three cards face down. First betting."),
        N_("A market is laid out, one open and one closed card for each player still in."),
        N_("Twice each takes one card from it, open or closed, and there is betting after each draw."),
        N_("The best five cards take the pot. Suits Full beats a Run; a Rake is a Run in one suit."),
        N_("The holder of the Ace of Skulls wins with Three of a Kind or better that scores it, else loses."),
    ),
}
"""How a game is played, by its name."""

_EVEN = (
    (N_("beats the card"), N_("1 to 1")),
    (N_("does not"), N_("the bet is lost")),
)

PAYS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "red-dog-pool": _EVEN,
    "red-dog-burn": _EVEN,
    "red-dog-bank": _EVEN,
    "six-spot-red-dog": _EVEN,
    "polish-red-dog": ((N_("beats the card"), N_("2 to 1")), (N_("does not"), N_("the bet is lost"))),
    "casino-red-dog": (
        (N_("spread 1"), N_("5 to 1")),
        (N_("spread 2"), N_("4 to 1")),
        (N_("spread 3"), N_("2 to 1")),
        (N_("spread 4 to 11"), N_("1 to 1")),
        (N_("three of a kind"), N_("11 to 1")),
        (N_("neighbours, pair"), N_("tie")),
    ),
    "acey-deucey-pot": (
        (N_("between the posts"), N_("wins the bet")),
        (N_("outside"), N_("pays the bet")),
        (N_("equal to a post"), N_("pays twice")),
        (N_("third of a pair"), N_("pays three times")),
    ),
}
"""What pays how much, by a game's name."""

QUIET = frozenset({"verify", "referee", "first_dealer"})
"""House rules that change nothing for the players; a sheet shows them only where they were changed."""


def points_of(game: str) -> tuple[str, ...]:
    """Return how a game is played, in the dealer's language."""
    return tuple(map(_, POINTS.get(game, ())))


def pays_of(game: str) -> tuple[tuple[str, str], ...]:
    """Return what pays how much, in the dealer's language."""
    return tuple((_(what), _(pays)) for what, pays in PAYS.get(game, ()))
