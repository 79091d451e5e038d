"""What is said about a camera and a deck that are being calibrated, once for console and command line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assistant.i18n import _

if TYPE_CHECKING:
    from calibration.deck import CardVerdict
    from calibration.quality import Finding


def finding_words(finding: Finding) -> str:
    """One sentence: what is wrong, and what mends it."""
    words = {
        "too_dark": _("Too dark to read cards: make light on the table."),
        "dim": _("Rather dark: more light on the table makes reading surer."),
        "too_bright": _("Washed out: less light, or close the camera's shutter (exposure)."),
        "light_cloth": _("The cloth is about as light as the cards: a dark cloth helps."),
        "glare": _("A lamp glares {place}: turn it aside or move the camera."),
        "card_too_small": _("A card would be only {value:.0f} px tall (70 at least): closer."),
        "card_small": _("A card is {value:.0f} px tall at the far edge (100 is good): closer is surer."),
        "card_unknown": _("How large cards are is not known: lay the printed sheet or one card there."),
        "blurred": _("Blurred by {value:.1f} px: focus the camera, wipe the lens."),
        "pumping": _("The exposure goes up and down: hold it, or steady the light."),
        "hunting": _("The focus goes to and fro: hold it, or set it by hand."),
        "slow": _("Only {value:.1f} pictures a second (5 at least): better Wi-Fi, or a smaller picture."),
        "frozen": _("The picture stands still: unplug the camera and plug it in again."),
        "black": _("The picture is black: take the cap off, or make light."),
        "other_size": _("The camera gives another picture size than was asked for; it works all the same."),
        "moved": _("The camera sees the table from elsewhere than when it was calibrated."),
        "other_view": _("The camera doesn't see the table it was calibrated for."),
        "light_changed": _("The light is not as it was at calibration."),
        "old": _("It was calibrated {value:.0f} days ago."),
    }
    text = words.get(finding.code, finding.code)
    return text.format(value=finding.value, place=place_words(finding.place))


def place_words(place: tuple[float, float] | None) -> str:
    """Where on the surface, as seen from the dealer."""
    if place is None:
        return _("on the table")
    across = 0 if place[0] < 1 / 3 else 1 if place[0] < 2 / 3 else 2
    down = 0 if place[1] < 1 / 3 else 1 if place[1] < 2 / 3 else 2
    names = (
        (_("far left"), _("far in the middle"), _("far right")),
        (_("on the left"), _("in the middle"), _("on the right")),
        (_("near you on the left"), _("near you"), _("near you on the right")),
    )
    return names[down][across]


def verdict_words(findings: Sequence[Finding]) -> str:
    """The verdict in a word or two."""
    if any(finding.severity == 2 for finding in findings):
        return _("NO USE YET")
    if any(finding.severity == 1 for finding in findings):
        return _("WORKS, but mend this")
    return _("GOOD")


def area_words(found_by: str) -> str:
    """How the surface was found."""
    words = {
        "sheet": _("found by the printed sheet; take the sheet away before you deal"),
        "corners": _("the four corners you set"),
    }
    return words.get(found_by, _("the whole picture (no sheet found, no corners set)"))


def plan_words(plan: str) -> str:
    """What ready-made zones are for."""
    words = {
        "table": _("posts left and right, third card between them, hands below"),
        "board-hand": _("turned cards above, hands below"),
        "board": _("one zone for turned cards; hands are not read"),
        "any": _("no zones: any card in the picture counts"),
    }
    return words[plan]


def safety_words(verdict: CardVerdict) -> str:
    """What is to be known of one card of a deck."""
    rival = verdict.rival.face if verdict.rival is not None else "?"
    words = {
        "safe": _("{card} is read safely"),
        "missing": _("{card} was not shown: it will be asked about"),
        "looks_differ": _("{card}: its pictures differ; show it again, else it is asked about"),
        "too_alike": _("{card} looks like {rival} to the reader: it will be asked about"),
        "no_index": _("{card} has no index that can be read: it will be asked about"),
        "one_index": _("{card} has an index in one corner only: it is asked about when that is covered"),
    }
    return words[verdict.safety.value].format(card=verdict.card.face, rival=rival)
