"""The rules of each game in a few sentences, for the sheet that lies on the table; the manual says more.

What a house rule changes is not said in words here: the sheet lists the house rules in force below.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from assistant.i18n import N_, _, language, pgettext

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


def rule_label(name: str) -> str:
    """Return what a house rule is called at the table; table talk has its own word. A game of a package of
    its own may have others, which keep their words."""
    labels = {
        "ante": pgettext("house rule", "ante"),
        "hand": pgettext("house rule", "hand"),
        "burn": pgettext("house rule", "burn"),
        "burn_when": pgettext("house rule", "when to burn"),
        "fold_fine": pgettext("house rule", "fine for a fold"),
        "short_pool": pgettext("house rule", "short pool"),
        "reante_by": pgettext("house rule", "who antes again"),
        "pool_limit": pgettext("house rule", "limit of the pool"),
        "division": pgettext("house rule", "division"),
        "odd_chips": pgettext("house rule", "odd chips"),
        "skip_ante_at": pgettext("house rule", "no ante from"),
        "short_hand_fold": pgettext("house rule", "short hand folds"),
        "void_ante": pgettext("house rule", "ante of no hand"),
        "reveal_win": pgettext("house rule", "the winner shows"),
        "blind": pgettext("house rule", "blind bets"),
        "verify": pgettext("house rule", "verify"),
        "referee": pgettext("house rule", "referee"),
        "first_dealer": pgettext("house rule", "first dealer"),
        "decks": pgettext("house rule", "decks"),
        "shuffle": pgettext("house rule", "shuffle"),
        "cut": pgettext("house rule", "cut"),
        "raise": pgettext("house rule", "raise"),
        "raise_short": pgettext("house rule", "short raise"),
        "min": pgettext("house rule", "min"),
        "max": pgettext("house rule", "max"),
        "rebet": pgettext("house rule", "rebet"),
        "chips": pgettext("house rule", "chips"),
        "house": pgettext("house rule", "house"),
        "bank_min": pgettext("house rule", "smallest bank"),
        "bet_min": pgettext("house rule", "smallest bet"),
        "pass_fine": pgettext("house rule", "fine for a pass"),
        "banker_hand": pgettext("house rule", "banker's hand"),
        "bank_deals": pgettext("house rule", "deals of a bank"),
        "six_limit": pgettext("house rule", "highest target"),
        "target": pgettext("house rule", "target"),
        "funding": pgettext("house rule", "funding"),
        "stake": pgettext("house rule", "stake"),
        "pays": pgettext("house rule", "pays"),
        "hand_mode": pgettext("house rule", "whose three cards"),
        "stitch_factor": pgettext("house rule", "growth to stitch"),
        "no_bets": pgettext("house rule", "nobody bets"),
        "pair": pgettext("house rule", "pair"),
        "pair_bonus": pgettext("house rule", "bonus for a pair"),
        "consecutive": pgettext("house rule", "consecutive"),
        "post_mult": pgettext("house rule", "price of a post"),
        "triple_mult": pgettext("house rule", "price of a triple"),
        "ace": pgettext("house rule", "ace"),
        "lap_limit": pgettext("house rule", "first lap"),
        "on_empty": pgettext("house rule", "empty pot"),
        "cover": pgettext("house rule", "cover"),
        "max_laps": pgettext("house rule", "laps without bets"),
        "min_bet": pgettext("house rule", "least bet"),
        "market": pgettext("house rule", "market"),
        "kickers": pgettext("house rule", "kickers"),
        "tie": pgettext("house rule", "tie"),
        "aos": pgettext("house rule", "Ace of Skulls"),
        "two_pair": pgettext("house rule", "two pair"),
        "quads_lady_high": pgettext("house rule", "four ladies high"),
        "show_all_in": pgettext("house rule", "all-in hands open"),
    }
    return labels.get(name, name)


def value_label(value: str) -> str:
    """Return what the value of a house rule is called at the table; numbers and what a game of a package of
    its own may have stay as they are."""
    return _value_labels(language()).get(value, value)


@cache
def _value_labels(_language: str) -> dict[str, str]:
    return {
        "above-trips": pgettext("house rule value", "above trips"),
        "active": pgettext("house rule value", "active"),
        "after-bet": pgettext("house rule value", "after the bet"),
        "all": pgettext("house rule value", "all"),
        "all-in": pgettext("house rule value", "all-in"),
        "ante": pgettext("house rule value", "ante"),
        "auto": pgettext("house rule value", "auto"),
        "bank": pgettext("house rule value", "bank"),
        "before-bet": pgettext("house rule value", "before the bet"),
        "below-trips": pgettext("house rule value", "below trips"),
        "bet": pgettext("house rule value", "bet"),
        "bonus": pgettext("house rule value", "bonus"),
        "call-first": pgettext("house rule value", "called first"),
        "cap": pgettext("house rule value", "cap"),
        "common": pgettext("house rule value", "common"),
        "cut-card": pgettext("house rule value", "at the cut card"),
        "deny": pgettext("house rule value", "deny"),
        "double": pgettext("house rule value", "double"),
        "draw": pgettext("house rule value", "draw"),
        "end-round": pgettext("house rule value", "the end"),
        "every-round": pgettext("house rule value", "every round"),
        "excess": pgettext("house rule value", "excess"),
        "false": pgettext("house rule value", "no"),
        "fine": pgettext("house rule value", "fine"),
        "first-ace": pgettext("house rule value", "first ace"),
        "free": pgettext("house rule value", "free"),
        "full": pgettext("house rule value", "full"),
        "half": pgettext("house rule value", "half"),
        "hand": pgettext("house rule value", "hand"),
        "hi-lo": pgettext("house rule value", "higher or lower"),
        "high": pgettext("house rule value", "high"),
        "high-card": pgettext("house rule value", "high card"),
        "infinite": pgettext("house rule value", "infinite"),
        "keep": pgettext("house rule value", "keep"),
        "left-of-dealer": pgettext("house rule value", "left of the dealer"),
        "lose": pgettext("house rule value", "lose"),
        "pass": pgettext("house rule value", "pass"),
        "per-punter": pgettext("house rule value", "each their own"),
        "per-turn": pgettext("house rule value", "one a turn"),
        "pool": pgettext("house rule value", "pool"),
        "pot": pgettext("house rule value", "pot"),
        "random": pgettext("house rule value", "random"),
        "reante": pgettext("house rule value", "new ante"),
        "redeal": pgettext("house rule value", "redeal"),
        "refund": pgettext("house rule value", "refund"),
        "remaining": pgettext("house rule value", "remaining"),
        "seat0": pgettext("house rule value", "seat 1"),
        "seated": pgettext("house rule value", "seated"),
        "shared": pgettext("house rule value", "shared"),
        "split": pgettext("house rule value", "split"),
        "stay": pgettext("house rule value", "stay"),
        "strict": pgettext("house rule value", "strict"),
        "total": pgettext("house rule value", "total"),
        "true": pgettext("house rule value", "yes"),
        "up-to": pgettext("house rule value", "at most"),
        "whole": pgettext("house rule value", "whole"),
        "winning-card": pgettext("house rule value", "winning card"),
        "word": pgettext("house rule value", "word"),
    }


def float_label(amount: str, banker: str) -> str:
    """Return what the house has, where somebody banks it with a float: no rule of the game says that."""
    return _("{amount}, put up by {name}").format(amount=amount, name=banker)


def value_typed(text: str, values: Sequence[str]) -> str:
    """Return the value that a text calls as the dealer's language does, else the text."""
    meant = {value_label(value).casefold(): value for value in values}
    return meant.get(" ".join(text.split()).casefold(), text)


def points_of(game: str) -> tuple[str, ...]:
    """Return how a game is played, in the dealer's language."""
    return tuple(map(_, POINTS.get(game, ())))


def pays_of(game: str) -> tuple[tuple[str, str], ...]:
    """Return what pays how much, in the dealer's language."""
    return tuple((_(what), _(pays)) for what, pays in PAYS.get(game, ()))
