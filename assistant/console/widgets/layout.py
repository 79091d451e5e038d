"""The casino layout: the arc 1, 2, 3, 4-11, Cons, Pair, 3 of a kind, its payouts and the marker."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from assistant.console.rows import EMPTY, Part, Rows, cells, fit, row
from assistant.console.view import View
from assistant.console.widgets.lines import Lines
from assistant.i18n import _

if TYPE_CHECKING:
    from assistant.table.snapshot import LayoutField

LOW_ROWS, TALL_ROWS = 2, 3
SPREADS = ("1", "2", "3", "4-11")
HEAD = 9


class Arc(Lines):
    """The inner arc with its payouts under it; the marked field is inverted and stands between pointers."""

    def looks_at(self, view: View) -> tuple[object, ...]:
        """What the rows are made of."""
        return (view.snapshot,)

    def paint(self, view: View, width: int, height: int) -> Rows:
        """Paint the fields of the game's layout; nothing for games without one."""
        fields = view.snapshot.layout if view.snapshot is not None else ()
        if not fields:
            return [EMPTY] * height
        wide = _widths(fields, width)
        rows = [_row(fields, wide, payout=False), _row(fields, wide, payout=True)]
        return [_headings(fields, wide), *rows] if height >= TALL_ROWS else rows


def _widths(fields: tuple[LayoutField, ...], width: int) -> list[int]:
    """Columns of each field: what its words need, the rest shared out."""
    need = [max(cells(field.label) + 4, cells(field.payout) + 1) for field in fields]
    spare = max(0, min(width - HEAD - 2 - sum(need), 6 * len(fields)))
    return [wide + spare // len(fields) for wide in need]


def _row(fields: tuple[LayoutField, ...], widths: list[int], *, payout: bool) -> Content:
    parts: list[Part] = [(fit(_("  Payout") if payout else _("  Spread"), HEAD), "$quiet")]
    for field, wide in zip(fields, widths, strict=True):
        if field.name == "Cons":
            parts.append(("│", "$quiet"))
        text = field.payout if payout else f"▸ {field.label} ◂" if field.marked else field.label
        style = "bold reverse $turn" if field.marked else "$quiet" if payout else "bold"
        room = max(0, wide - cells(text))
        parts.append((" " * (room // 2) + text + " " * (room - room // 2), style))
    return row(*parts)


def _headings(fields: tuple[LayoutField, ...], widths: list[int]) -> Content:
    left = sum(wide for field, wide in zip(fields, widths, strict=True) if field.name in SPREADS)
    rest = sum(widths) - left
    line = f"{' ' + _('spread') + ' ':─^{max(0, left)}}", f"{' ' + _('no raises') + ' ':─^{max(0, rest)}}"
    return row(" " * HEAD, (line[0], "$quiet"), ("┬", "$quiet"), (line[1], "$quiet"))
