"""From what was seen of a card to its name, or to the reason why it can't be named safely.

Confidence of a network isn't correctness: on an unknown index style it can be sure and wrong. So a card is
named only when both corners say the same or the middle proves it, and neither middle nor ink contradicts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from assistant.cards import Card, Rank, Suit
from calibration.recogniser.prototypes import AGREE_LEAD, AGREE_LEAST, TWIN_SUITS, Likeness
from calibration.recogniser.strip import Strip

RANKS = tuple(Rank)
SUITS = (Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES)
NO_RANK, NO_SUIT = len(RANKS), len(SUITS)
COURTS = (Rank.JACK, Rank.QUEEN, Rank.KING)
BODY_OF_RANK = {Rank.ACE: 0} | {Rank(n): n - 1 for n in range(2, 11)} | dict.fromkeys(COURTS, 10)
NO_BODY = 11

RANK_SURE = 0.90
SUIT_SURE = 0.97
"""Least certainty of a named card's rank and suit. Of what two networks say together of drawn and free cards
on tables, at 0.94 a queen and kings of clubs, at 0.951 a two of clubs were named spades."""
COURT_SURE = 0.99
"""Least certainty of a court's rank, which no pips prove: a soft K of a German deck was called J at 0.97, the
V of a French jack in an italic hand a K at 0.979 by both networks together (at 0.992 by one alone)."""
COURT_NEARLY = 0.95
"""Share of a court's rank in both corners from which five of eight pictures in a row name it (`confirm.py`).
Of 117 such courts of decks that weren't shown (`scripts/deal_rendered.py`, seed 208) one picture would have
named none wrong, of 43 from 0.90 on one. The K and the V told above would pass in one picture; whether in
five of eight wasn't tried. Made with the queen of a video (0.95 to 0.98) before the eyes."""
NEARLY_SURE = "nearly_sure"
"""The reason of such a reading."""
SUIT_SURE_ALONE = 0.99
"""The same of a court's or an ace's suit that the middle doesn't share: a queen of clubs was called spades by
both corners at 0.97, by her own pips at 0.38."""
CORNER_HALF = 0.50
"""Share from which a corner, or the middle, says something at all."""
CORNER_WITH_PROOF = 0.50
"""Least share in both corners where the middle proves what they say. From 0.30 on one card in a hundred more
was named, and a soft six of clubs 77 px high was called spades, by corners and pips alike."""
CORNER_ALONE = 0.90
"""Least share of a single readable corner where the other shows nothing; the middle must prove it."""
SILENT = 0.90
"""Share of nothing, or of the same, from which the other corner doesn't speak against it."""
RANK_PROOF = 0.90
"""Share from which the middle of the card proves the rank of an index that is none too clear."""
SUIT_PROOF = 0.98
"""The same of the suit, and only from two to ten: a lone pip is often ornamented, a court's mostly hidden. A
seven of clubs, soft and small, was called spades by corners at 0.91 and by pips at 0.968."""
SUIT_RIVAL = 0.20
"""Share of the other suit of that colour in both corners from which pips prove none: the blue ten of spades
again, clubs by the pips at 0.981, spades having 0.28 and 0.36 of the corners."""
BODY_VETO = 0.05
"""A body that gives the index's rank or suit less contradicts (VISION.md: wrong ones score below 0.025)."""
PIPS_VETO = 0.50
"""The same of the suit by the pips of two to ten: a drawn four of clubs, 88 px high, was called spades by
both corners at 0.98, by the pips at 0.24 only. Costs one card in four hundred."""
PIPS_WAVER = 0.12
"""Share of the other suit of that colour from which pips don't let the deck's own pictures name two to ten:
soft clubs 80 to 90 px high were nearer to the sharp pictures of spades, their pips clubs at 0.14 to 0.46."""
CORNERS_WAVER = 0.025
"""The same of both corners, of courts and aces too: a king and a ten of clubs, 71 and 100 px high and soft,
were nearest to their deck's spades, clubs having 0.05 and 0.027 of both corners. Costs one in fifteen."""
CORNER_WAVERS = 0.20
"""The same of either corner: a jack of clubs, 78 px high and soft, was nearest to its deck's spades (by 0.873
and 0.106), clubs having 0.023 of one corner and 0.269 of the other."""
INDEX_ALONE = 0.99
"""Least share of rank and of suit, in every network and look, of the one index that names a card of a shown
deck alone: of 3,098 cards of unknown fonts none was named wrong from here on, but both networks called the
jacks of one more font fives, at 0.999 in every look. So of other decks the middle must agree as well."""
PIPS_ALONE, SUIT_ALONE = 0.95, 0.98
"""The same of a deck that wasn't shown: of two to ten and aces, whose pips must agree, and of the suit, which
they hardly tell; courts need INDEX_ALONE. On 540 drawn tables in 600 fonts 256 cards that lay under others
were named so, none wrong (without the pips 339), and of 326 from 0.90 on none either."""
STRIP_SEEN = 0.10
"""Least share of the middle that must show for it to say anything. This and what follows was chosen on the
same tables (`scripts/deal_overlapped.py`): with the name of a clear index the middle agrees in 75 of 100; it
would with 7 of 100 courts called a number (8 called a five), 7 numbers called a court, 11 tens called a two,
17 called a five; but with 56 called an eight: of such the index alone tells."""
FIGURE_PRINTED, FIGURE_FOREIGN = 0.08, 0.05
"""Least share that a court's figure has printed, and printed in another colour than its index."""
PIPS_PRINTED, PIPS_FOREIGN = 0.30, 0.05
"""The most that pips have printed, and in another colour."""
MISFIT = 0.6
"""Pips that may be missing or too many: less than one."""
ORNAMENT_RANK = 0.95
"""Least share in both corners of an ace of spades whose middle is like nothing known, as its maker's mark
often is. Drawn and free, 72 to 200 px high, soft and dark: of 164 aces of clubs with such a middle none had
spades from 0.90 on, of 270 queens and fours of spades with one none was called an ace from 0.50 on."""
FACE_SHARE = 0.50
"""Least share of something printed, in a corner or in the middle, for an outline to be a card's face."""
RED_INK = 0.22
"""Redness from which ink is red: 99 % of 241 red indices drawn in warm, cold, dim and glaring light."""
BLACK_INK = 0.18
"""Redness up to which ink isn't red: all of 251 black indices drawn so."""
BLUE_INK = -0.15
"""Redness up to which ink is blue or green rather than black: all of 26 drawn so. Of a deck that wasn't shown
such pips prove no suit: a blue ten of spades, 75 px high, was called clubs, by its pips at 0.99, by its
corners at 0.73."""
COLOURED_INK = 0.40
"""Chroma from which ink that isn't red is surely blue or green: 99 in 100 of 591 black indices drawn in any
light, veil and focus lie below. Nearly half of the blue and green ones do too; those are told by the suit's
shape, which the networks learn in exchanged colours.

Decks differ in what they print so: blue diamonds in one are blue spades in the next, and the suit's shape
alone is too little (such spades were called diamonds at 0.99). Only the deck's own pictures settle it."""
OWN_PLAIN = ((0.85, 0.10), (0.95, 0.05))
"""Likeness and lead, one pair or the other, from which the deck's own pictures name a card by themselves."""
OWN_LIKE = ((0.88, 0.06),)
"""The same where both corners say that card too, each by half. By a best guess of less a jack of diamonds,
85 px high and soft, was called its deck's king (by 0.884 and 0.065; K had 0.44 and 0.42 of the corners). Of
1,439 cards of fifteen decks, in any light and down to 70 px, the nearest of a wrong one was like it by 0.871
at most, those with such a lead by 0.62."""
OWN_SHARP = ((0.93, 0.15), (0.95, 0.10))
"""Likeness and lead, one pair or the other, from which a suit that wavers in corners or pips doesn't keep the
deck's own pictures from naming the card: what is as like its picture as that isn't soft. The soft clubs that
were nearest to spades were like them by 0.87, 0.88 and 0.918 (by 0.114 more than to another card). Without
this 53 of 1,493 cards on felt were asked about, in decks whose clubs and spades the networks hardly tell.
Neither does the ink's colour: a likeness counts the deck's own inks, and red for black costs 0.18 of it.
So like its picture must be what shows the networks nothing of a card: dark blue tiles were named the queen of
clubs of a deck without indices, whose cloak fills hers, at 0.88 and 0.142."""
OWN_NO_TWIN = ((0.94, 0.13), (0.96, 0.07))
"""The same for the suit alone: likeness, and how much less like it is to the same rank in the other suit of
that colour. Clubs that were most like spades lay up to 0.21 nearer to them, but were like them by 0.918 at
most; of 15 cards on felt of 1,459 that weren't read four are named by it (chosen on them)."""
SMALL_PX = 100.0
"""Long side below which only a sharp picture of the deck names a card by itself, and nothing settles a suit
that wavers. Two fours of clubs 91 and 94 px high, whose clubs look like spades to the eye, were called so,
one by a likeness of 0.949 and 0.224, one by pips at 0.982; a blue six of spades, 89 px high, was called its
deck's six of diamonds, by 0.871 and 0.145."""
SMALL_TWIN_LEAD = 0.13
"""How much less like a small card must be to its twin at least: a nine of clubs, 79 px high, was called
spades by corners at 0.97 and by pips at 0.971, its deck's nine of spades nearer by 0.07. Costs 3 of 1,094
small ones."""
OWN_DOUBT = 0.02
"""What is left to doubt of a card named so, for each part it is unlike its picture."""
MOST_UNSURE, MOST_NEARLY = 0.5, 0.6
"""The most confidence of a reading that isn't sure, so that of several outlines a sure one goes first."""
MAX_CANDIDATES = 5
MIN_CANDIDATE_SHARE = 0.02

Shares: TypeAlias = npt.NDArray[np.float32]
Candidates: TypeAlias = tuple[tuple[Card, float], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What was seen of one card; all shares sum to 1 along their last axis.

    Attributes:
        ranks: (2, 14), both corners; `RANKS`, then none.
        suits: (2, 5), both corners; `SUITS`, then none.
        body: (12,), the middle: ace, two to ten, court, none.
        body_suit: (5,), the middle's suit.
        redness: How red the index is printed, see `ink.ink_redness`; None without ink.
        chroma: How coloured that ink is, red or not, see `ink.ink_chroma`.
        own: What the deck's own prototypes say; None when the deck wasn't shown before.
        least: (2, 14) and (2, 5), the least that any network and look gives each rank and suit; what they say
            isn't spread over the classes. Without it no card is named by one index.
        corner_inks: Redness and chroma of each corner by itself; None without ink.
        strip: What shows of the middle beside an index whose opposite is hidden, of a deck that wasn't shown;
            without it no card of such a deck is named by one index.
        is_covered: Whether another card is known to lie on it.
        long_px: Its long side in the picture.
    """

    ranks: Shares
    suits: Shares
    body: Shares
    body_suit: Shares
    redness: float | None
    chroma: float = 0.0
    own: Likeness | None = None
    least: tuple[Shares, Shares] | None = None
    corner_inks: tuple[tuple[float, float] | None, tuple[float, float] | None] = (None, None)
    strip: Strip | None = None
    is_covered: bool = False
    long_px: float = math.inf


@dataclass(frozen=True, slots=True)
class Named:
    """What one flat card was read as.

    Attributes:
        card: Best guess; None when not even that.
        confidence: 0 to 1.
        candidates: Best first with their shares, at most five.
        reason: Empty when sure, else why not.
        is_face: Whether it looks like a card's face at all.
    """

    card: Card | None
    confidence: float
    candidates: Candidates
    reason: str
    is_face: bool


def judge(seen: Evidence) -> Named:
    """Name a card, or say why it can't be named safely."""
    blank = min(
        float(seen.ranks[:, NO_RANK].min()), float(seen.suits[:, NO_SUIT].min()), float(seen.body[NO_BODY])
    )
    own = seen.own
    candidates = _candidates(seen)
    is_blank = 1 - blank < FACE_SHARE
    if own is not None and _is_plain(seen, own, candidates):
        return _by_own_deck(seen, own, candidates, is_blank=is_blank)
    if is_blank or not candidates:
        return Named(None, 0.0, (), "no_face", False)
    best = candidates[0][0]
    assert best.suit is not None
    rank, suit = RANKS.index(best.rank), SUITS.index(best.suit)
    of_rank = _certainty(seen.ranks[:, rank], seen.ranks[:, NO_RANK], _rank_proof(seen, best.rank))
    of_suit = _certainty(seen.suits[:, suit], seen.suits[:, NO_SUIT], _suit_proof(seen, best.rank, suit))
    is_sure = of_rank >= _sure_of_rank(best.rank) and of_suit >= _sure_of_suit(seen, best, suit)
    reason = _veto(seen, best, suit) if is_sure else _doubt(seen)
    if reason == "low_confidence" and _is_nearly_sure(seen, best, of_rank, of_suit):
        reason = NEARLY_SURE
    if reason == "corner_hidden":
        alone = _by_one_index(seen)
        if alone is not None:
            return Named(alone[0], alone[1], candidates, "", True)
    most = MOST_NEARLY if reason == NEARLY_SURE else MOST_UNSURE if reason else 1.0
    return Named(best, min(of_rank * of_suit, most), candidates, reason, True)


def _is_nearly_sure(seen: Evidence, best: Card, of_rank: float, of_suit: float) -> bool:
    """Whether only the letter of a court of a deck that wasn't shown lacks a little."""
    assert best.suit is not None
    suit = SUITS.index(best.suit)
    is_near = seen.own is None and best.rank in COURTS and of_rank >= COURT_NEARLY
    return is_near and of_suit >= _sure_of_suit(seen, best, suit) and not _veto(seen, best, suit)


def _sure_of_rank(rank: Rank) -> float:
    return COURT_SURE if rank in COURTS else RANK_SURE


def _sure_of_suit(seen: Evidence, best: Card, suit: int) -> float:
    if best.rank <= Rank.TEN:
        return SUIT_SURE
    return SUIT_SURE_ALONE if _share_of_middle(seen, suit) < PIPS_VETO else SUIT_SURE


def _is_plain(seen: Evidence, own: Likeness, candidates: Candidates) -> bool:
    """Whether the deck's own pictures name the card even where its index is of a kind never learned."""
    if seen.long_px < SMALL_PX:
        return _reaches(own, OWN_SHARP)
    if _reaches(own, OWN_PLAIN):
        return True
    is_guess = bool(candidates) and candidates[0][0] == own.card
    return is_guess and _reaches(own, OWN_LIKE) and _both_corners_say(seen, candidates[0][0])


def _both_corners_say(seen: Evidence, card: Card) -> bool:
    """Whether each corner gives a card's rank and suit at least half."""
    assert card.suit is not None
    rank, suit = seen.ranks[:, RANKS.index(card.rank)], seen.suits[:, SUITS.index(card.suit)]
    return min(float(rank.min()), float(suit.min())) >= CORNER_HALF


def _reaches(own: Likeness, pairs: tuple[tuple[float, float], ...]) -> bool:
    """Whether likeness and lead are both as large as those of one of the pairs."""
    return any(own.share >= least and own.lead >= lead for least, lead in pairs)


def _by_own_deck(seen: Evidence, own: Likeness, guesses: Candidates, *, is_blank: bool) -> Named:
    """Name a card that is plainly one of the deck's, unless what is known of cards in general contradicts.

    Where neither index nor middle is like any card's (`is_blank`), only a sharp picture is enough.
    """
    card = own.card
    if card is None:
        return Named(None, 0.0, (), "no_face", False)  # the back, a joker
    candidates = ((card, own.share), *(pair for pair in guesses if pair[0] != card))[:MAX_CANDIDATES]
    is_sharp = _reaches(own, OWN_SHARP)
    reason = "" if own.is_safe else "unsafe_in_deck"
    if not reason and _says_another(seen, card):
        reason = "deck_disagrees"
    if not reason and is_blank and not is_sharp:
        reason = "no_index"
    is_settled = seen.long_px >= SMALL_PX and (is_sharp or _is_far_from_twin(own))
    if not reason and not is_settled and _suit_wavers(seen, card):
        reason = "body_suit_disagrees"
    if not reason and not is_sharp and seen.redness is not None and not _ink_agrees(card, seen.redness):
        reason = "ink_disagrees"
    confidence = min(0.9999, 1 - (1 - own.share) * OWN_DOUBT)
    return Named(card, min(confidence, MOST_UNSURE) if reason else confidence, candidates, reason, True)


def _is_far_from_twin(own: Likeness) -> bool:
    """Whether the deck's own pictures alone settle which suit of that colour it is."""
    return own.twin_lead is not None and _reaches(replace(own, lead=own.twin_lead), OWN_NO_TWIN)


def _is_near_twin(own: Likeness) -> bool:
    """Whether the deck's own pictures leave it open which suit of that colour a small card is."""
    return own.twin_lead is not None and own.twin_lead < SMALL_TWIN_LEAD


def _suit_wavers(seen: Evidence, card: Card) -> bool:
    """Whether the card may as well be of the other suit in the same colour, as soft ones are."""
    assert card.suit is not None
    other = SUITS.index(TWIN_SUITS[card.suit])
    has_wavering_pips = card.rank <= Rank.TEN and float(seen.body_suit[other]) >= PIPS_WAVER
    low, high = float(seen.suits[:, other].min()), float(seen.suits[:, other].max())
    return has_wavering_pips or low >= CORNERS_WAVER or high >= CORNER_WAVERS


def _says_another(seen: Evidence, card: Card) -> bool:
    """Whether both corners surely say another rank or suit."""
    assert card.suit is not None
    ranks, suits = seen.ranks[:, :NO_RANK].copy(), seen.suits[:, :NO_SUIT].copy()
    ranks[:, RANKS.index(card.rank)] = 0
    suits[:, SUITS.index(card.suit)] = 0
    return bool(max(ranks.max(axis=1).min(), suits.max(axis=1).min()) >= CORNER_ALONE)


def _rank_proof(seen: Evidence, rank: Rank) -> float:
    share = 0.0 if rank in COURTS else float(seen.body[BODY_OF_RANK[rank]])
    return share if share >= RANK_PROOF else 0.0


def _suit_proof(seen: Evidence, rank: Rank, suit: int) -> float:
    """What the pips say of the suit: nothing where both corners waver, and blue and green ones of a deck that
    wasn't shown nothing either, for their shape alone is too little."""
    other = SUITS.index(TWIN_SUITS[SUITS[suit]])
    if float(seen.suits[:, other].min()) >= SUIT_RIVAL:
        return 0.0
    if seen.own is None and seen.redness is not None and seen.redness <= BLUE_INK:
        return 0.0
    share = float(seen.body_suit[suit]) if rank <= Rank.TEN else 0.0
    return share if share >= SUIT_PROOF else 0.0


def _certainty(shares: Shares, nothing: Shares, proof: float) -> float:
    """How certain a rank or suit is by both corners, and by what the middle adds to them."""
    low, high = float(shares.min()), float(shares.max())
    if not proof:
        return low
    if low >= CORNER_WITH_PROOF:
        return 1 - (1 - low) * (1 - proof)  # index and middle seldom err in the same way
    other = int(shares.argmin())
    if high >= CORNER_ALONE and low + float(nothing[other]) >= SILENT:
        return 1 - (1 - high) * (1 - proof)
    return low


def _doubt(seen: Evidence) -> str:
    ranks, suits = seen.ranks[:, :NO_RANK], seen.suits[:, :NO_SUIT]
    readable = (ranks.max(axis=1) > CORNER_HALF) & (suits.max(axis=1) > CORNER_HALF)
    if readable.all():
        same = len(set(ranks.argmax(axis=1).tolist())) == 1 and len(set(suits.argmax(axis=1).tolist())) == 1
        return "low_confidence" if same else "corners_disagree"
    return "corner_hidden" if readable.any() else "no_index"


def _by_one_index(seen: Evidence) -> tuple[Card, float] | None:
    """The card that one clear index names where the other is hidden, and how certainly."""
    if seen.least is None:
        return None
    readable = int(seen.ranks[:, NO_RANK].argmin())
    hidden = 1 - readable
    if min(seen.ranks[hidden, NO_RANK], seen.suits[hidden, NO_SUIT]) < SILENT:
        return None
    rank, suit = int(seen.ranks[readable, :NO_RANK].argmax()), int(seen.suits[readable, :NO_SUIT].argmax())
    of_rank, of_suit = float(seen.least[0][readable, rank]), float(seen.least[1][readable, suit])
    card, ink = Card(RANKS[rank], SUITS[suit]), seen.corner_inks[readable]
    if ink is None or not _is_clear_alone(seen, card, of_rank, of_suit):
        return None
    is_whole = seen.own is None and not seen.is_covered
    if _veto(replace(seen, redness=ink[0], chroma=ink[1]), card, suit, is_whole):
        return None
    return card, min(of_rank, of_suit)


def _is_clear_alone(seen: Evidence, card: Card, of_rank: float, of_suit: float) -> bool:
    """Whether one index is clear enough; of a deck that wasn't shown what shows of the middle must agree."""
    if seen.own is not None:
        return min(of_rank, of_suit) >= INDEX_ALONE
    is_clear = of_rank >= (INDEX_ALONE if card.rank in COURTS else PIPS_ALONE) and of_suit >= SUIT_ALONE
    return is_clear and _strip_agrees(card.rank, seen.strip)


def _strip_agrees(rank: Rank, strip: Strip | None) -> bool:
    """Whether what shows of the middle is what this rank has there: pips in their places, or a figure."""
    if strip is None or strip.seen < STRIP_SEEN:
        return False
    if rank in COURTS:
        return strip.printed >= FIGURE_PRINTED and strip.foreign >= FIGURE_FOREIGN
    misfit = strip.misfits[0 if rank is Rank.ACE else rank - 1]
    return misfit <= MISFIT and strip.printed <= PIPS_PRINTED and strip.foreign <= PIPS_FOREIGN


def _veto(seen: Evidence, best: Card, suit: int, is_whole: bool = True) -> str:
    """Why a sure index may not name a card; of one that isn't whole the middle may show nothing known."""
    if float(seen.body[BODY_OF_RANK[best.rank]]) < BODY_VETO:
        is_unknown = seen.body[NO_BODY] > CORNER_HALF
        # of a whole card a middle that shows nothing known is no consent, but for the one that is ornamented
        if not is_unknown or (is_whole and not _is_ornamented_ace(seen, best)):
            return "body_unknown" if is_unknown else "body_disagrees"
    if _share_of_middle(seen, suit) < (PIPS_VETO if best.rank <= Rank.TEN else BODY_VETO):
        return "body_suit_disagrees"
    if seen.redness is None:
        return "no_ink"
    if seen.own is None and seen.redness <= BLACK_INK and seen.chroma >= COLOURED_INK:
        return "four_colours"
    if not _ink_agrees(best, seen.redness):
        return "ink_disagrees"
    if seen.own is None:
        return ""
    is_small = is_whole and seen.long_px < SMALL_PX
    if is_small and (_suit_wavers(seen, best) or _is_near_twin(seen.own)):
        return "body_suit_disagrees"
    return _deck_veto(best, seen.own, is_whole)


def _is_ornamented_ace(seen: Evidence, best: Card) -> bool:
    """Whether both corners say the ace of spades, the card whose middle is an ornament in most decks."""
    is_ace = float(seen.ranks[:, RANKS.index(Rank.ACE)].min()) >= ORNAMENT_RANK
    return is_ace and best == Card(Rank.ACE, Suit.SPADES)


def _share_of_middle(seen: Evidence, suit: int) -> float:
    """The middle's share of a suit; what it says nothing of doesn't speak against it."""
    return float(seen.body_suit[suit] + seen.body_suit[NO_SUIT])


def _deck_veto(best: Card, own: Likeness, is_whole: bool) -> str:
    """Whether the deck's own pictures speak against a card; one that isn't whole can't be very like any."""
    if own.card != best or (is_whole and (own.share < AGREE_LEAST or own.lead < AGREE_LEAD)):
        return "deck_disagrees"
    return "" if own.is_safe else "unsafe_in_deck"


def _ink_agrees(card: Card, redness: float) -> bool:
    """Red is red and black is black; four-colour decks print clubs green, diamonds blue: both below zero."""
    if card.suit in (Suit.CLUBS, Suit.SPADES):
        return redness <= BLACK_INK
    return redness >= RED_INK or (card.suit is Suit.DIAMONDS and redness <= BLUE_INK)


def _candidates(seen: Evidence) -> Candidates:
    """Cards by the evidence of both corners and the middle together."""
    index_rank = seen.ranks[:, :NO_RANK].mean(axis=0)
    index_suit = seen.suits[:, :NO_SUIT].mean(axis=0)
    body_rank = np.array([seen.body[BODY_OF_RANK[rank]] for rank in RANKS]) + float(seen.body[NO_BODY]) + 0.05
    body_suit = seen.body_suit[:NO_SUIT] + seen.body_suit[NO_SUIT] + 0.05
    both = np.outer(index_rank * body_rank, index_suit * body_suit)
    total = float(both.sum())
    if total < 1e-6:
        return ()
    order = np.argsort(both, axis=None)[::-1][:MAX_CANDIDATES]
    cards = [(Card(RANKS[n // 4], SUITS[n % 4]), float(both.flat[n]) / total) for n in order.tolist()]
    return tuple(
        (card, share) for n, (card, share) in enumerate(cards) if n == 0 or share > MIN_CANDIDATE_SHARE
    )
