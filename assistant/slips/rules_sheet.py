"""The rules sheet that lies on the table: the game, how it is played, the house rules, what pays how much."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.i18n import _
from assistant.rules_wording import rule_label, value_label
from assistant.slips.content import RulesSlip
from assistant.slips.layout import cells, centre, cut, ends, left, plain, right, wrap
from assistant.slips.phrases import night_title, unit

CHANGED = "*"
_POINT = "- "


def lines(slip: RulesSlip, width: int) -> Iterator[str]:
    """Yield the lines of a sheet; a house rule that isn't the game's default bears `CHANGED`."""
    yield centre(_("RULES"), width)
    for line in wrap(plain(slip.game), width):
        yield centre(line, width)
    if slip.night:
        yield centre(night_title(slip.night), width)
    for line in wrap(unit(slip.currency), width):
        yield centre(line, width)
    yield "=" * width
    for point in slip.points:
        for number, line in enumerate(wrap(plain(point), width - 2)):
            yield (_POINT if number == 0 else "  ") + line
    if slip.payouts:
        yield "-" * width
        for what, pays in slip.payouts:
            yield from _pair(plain(what), plain(pays), width)
    if slip.options:
        yield "-" * width
        yield _("House rules:")
        for name, value in slip.options:
            mark = CHANGED if name in slip.changed else " "
            yield from _pair(f"{mark} {plain(rule_label(name))}", plain(value_label(value)), width)
        if slip.changed:
            yield from wrap(_("* not the game's usual rule"), width)


def _pair(what: str, value: str, width: int) -> Iterator[str]:
    if cells(what) + cells(value) < width:
        yield ends(what, value, width)
        return
    yield cut(what, width)
    for line in wrap(value, width - 4):
        yield right(left(line, cells(line)), width)
