"""Help: keys and words of this moment, the manual page of the screen, the rules in force, shoes, paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events

from assistant.console.actions import KEYS, LABELS, Act, Key, is_legal, key_label
from assistant.console.manual import heading, page_rows, table_rows
from assistant.console.rows import EMPTY, Part, Rows, cells, fit, page, row, wrap
from assistant.console.screens.base import ConsoleScreen
from assistant.console.screens.game import game_label
from assistant.console.view import PanelView, View
from assistant.console.widgets.lines import Lines
from assistant.console.widgets.panel import Body
from assistant.holdings import HOUSE
from assistant.i18n import N_, _, language
from assistant.money import format_amount
from assistant.rules_wording import float_label, rule_label, value_label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.content import Content

    from assistant.console.state import TableState
    from assistant.table.snapshot import TableSnapshot

KEY_WIDTH = 14
KEYS_PAGE, WORDS_PAGE, SCREEN_PAGE, RULES_PAGE = "keys", "words", "screen", "rules"
SHOES_PAGE, PAPER_PAGE = "shoes", "paper"
TABS = {
    KEYS_PAGE: N_("keys"),
    SCREEN_PAGE: N_("manual"),
    RULES_PAGE: N_("rules"),
    SHOES_PAGE: N_("shoes"),
    PAPER_PAGE: N_("paper"),
    WORDS_PAGE: N_("words"),
}


class HelpScreen(ConsoleScreen):
    """A page to read; nothing can be booked here.

    Args:
        about: The screen it was called from; its manual page is shown.
        tab: The page to begin with; else the keys, or what the screen is about.
        game: The game whose rules are shown; None while there is none.
        below: The screen it was called from, with keys of its own; None for the table.
    """

    page = "help"

    def __init__(
        self, about: str, tab: str = "", game: str | None = None, below: ConsoleScreen | None = None
    ) -> None:
        super().__init__()
        self.about = about
        self.game = game
        self.below = below
        self.top = 0
        choosing = RULES_PAGE if game is not None else SCREEN_PAGE
        self.tab = tab or {"game": choosing, "shoes": SHOES_PAGE}.get(about, KEYS_PAGE)

    def body(self) -> tuple[Lines, ...]:
        """The page."""
        return (Body(id="body"),)

    def view(self) -> View:
        """The page from the line it is scrolled to."""
        app = self.console_app
        snapshot = app.state.snapshot

        def rows(width: int, height: int) -> Rows:
            lines = self._lines(snapshot, width)
            shown, self.top = page(lines, self.top, height - 2)
            return [self._tabs(width), EMPTY, *shown]

        return View(
            snapshot,
            self._duty(snapshot),
            prompt=_("help"),
            hint=_("← → page   ↑ ↓ Page Up, Page Down   Esc back"),
            lamps=app.lamps(),
            clock=app.clock_text,
            strip=self.strip(Act.TABLE, Act.SEATS, Act.GAME, Act.CLOSE, Act.QUIT),
            panel=PanelView("", rows),
        )

    def _duty(self, snapshot: TableSnapshot | None) -> str:
        """What the bar says of the screen below."""
        if snapshot is None:
            return self.console_app.opening_text
        return self.below.view().duty if self.below is not None else snapshot.duty

    def _tabs(self, width: int) -> Content:
        """The names of the pages, the open one marked; the game's own where there is room."""
        names = {tab: _(label) for tab, label in TABS.items()}
        if self.game is not None:
            long = _("rules of {game}").format(game=game_label(self.game))
            room = width - sum(cells(f"   {name} ") for tab, name in names.items() if tab != RULES_PAGE)
            names[RULES_PAGE] = long if cells(f"   {long} ") < room else names[RULES_PAGE]
        parts: list[Part] = [" "]
        for tab, name in names.items():
            is_open = tab == self.tab
            parts += [(f" ▶ {name} " if is_open else f"   {name} ", "bold reverse" if is_open else "")]
        return row(*parts)

    def _lines(self, snapshot: TableSnapshot | None, width: int) -> Rows:
        if self.tab == KEYS_PAGE and self.below is not None:
            return _keys_of(self.below.view(), self.console_app.state, width)
        if self.tab == KEYS_PAGE:
            return _keys(snapshot, self.console_app.state, width)
        if self.tab == WORDS_PAGE:
            return [*_words(snapshot, width), *page_rows("words", width)]
        if self.tab == RULES_PAGE:
            return _rules(self.game, snapshot, width)
        return page_rows(self.about if self.tab == SCREEN_PAGE else self.tab, width)

    def turn(self, step: int) -> None:
        """Turn to the next page, or the one before."""
        tabs = list(TABS)
        self.tab, self.top = tabs[(tabs.index(self.tab) + step) % len(tabs)], 0

    async def enter(self) -> None:
        """Back to where it was called."""
        self.app.pop_screen()

    def escape(self) -> None:
        """Back to where it was called."""
        self.app.pop_screen()

    async def command(self, key: str, character: str | None) -> bool:
        """Scroll, or go to a screen."""
        steps = {
            "up": -1,
            "down": 1,
            "pageup": -10,
            "pagedown": 10,
            "space": 10,
            "home": -(10**6),
            "end": 10**6,
        }
        if key in steps:
            self.top = max(0, self.top + steps[key])
            return True
        if key in ("left", "right", "tab", "shift+tab"):
            self.turn(-1 if key in ("left", "shift+tab") else 1)
            return True
        await super().command(key, None if character and character != "?" else character)
        return key != "escape"

    def paste(self, event: events.Paste) -> None:
        """There is nothing to paste into."""


def _keys(snapshot: TableSnapshot | None, state: TableState, width: int) -> Rows:
    """What works now, then the rest of the keys; with those of a Russian layout for who types on one."""
    now: Rows = []
    later: Rows = []
    for key in KEYS:
        works = snapshot is not None and is_legal(snapshot, key.act, state.selected)
        (now if works else later).extend(_key_rows(_names(key, state), _(key.help), width))
    return [
        heading(_("KEYS NOW")),
        *now,
        heading(_("AT OTHER MOMENTS")),
        *later,
    ]


def _keys_of(below: View, state: TableState, width: int) -> Rows:
    """The keys of a screen that is not the table: its strip, those that work everywhere, the table's own.

    A letter stands there for what that screen has it do, or begins a line.
    """
    shared = [(_screen_names(key), key) for key in KEYS if not key.table_only]
    labels = {name: _(key.label) for names, key in shared for name in names.split()}
    # a screen may have a key do something of its own: F3 among the sources looks again
    own = [(one.key, one.label) for one in below.strip if labels.get(one.key) != one.label]
    taken = {name for name, _label in own}
    everywhere = [(names, _(key.help)) for names, key in shared if taken.isdisjoint(names.split())]
    own = [("⏎", below.usual), *own] if below.usual else own
    return [
        heading(_("KEYS NOW")),
        *(line for one in own for line in _key_rows(*one, width)),
        heading(_("ON EVERY SCREEN")),
        *(line for one in everywhere if one[0] for line in _key_rows(*one, width)),
        heading(_("AT THE TABLE")),
        *(
            line
            for key in KEYS
            if key.table_only
            for line in _key_rows(_names(key, state), _(key.help), width)
        ),
    ]


def _names(key: Key, state: TableState) -> str:
    """A key of the table under all its names; that of a Russian layout for who types on one."""
    has_twins = language() == "ru" or state.is_russian_layout
    twins = list(_letters(key.twins)) if has_twins else []
    letters, names = _letters(key.keys), list[str]()
    for name in key.keys:
        if name in letters:
            names += [key_label(key) if name == key.keys[0] else name.upper(), *twins[:1]]
            del twins[:1]
        elif len(name) > 1:
            names.append(_other_name(name))
    return " ".join([*names, *twins])


def _letters(names: Sequence[str]) -> tuple[str, ...]:
    """The letters among the names of a key, each once: a large one only where the small one means something
    else."""
    return tuple(one for one in names if len(one) == 1 and (one.islower() or one.lower() not in names))


def _other_name(name: str) -> str:
    """What a key that is no letter is called."""
    return LABELS.get(name, name.upper() if name[:1] == "f" else name)


def _screen_names(key: Key) -> str:
    """The names of a key that begin no line: function keys, those with Ctrl; empty where there is none."""
    return " ".join(_other_name(name) for name in key.keys if len(name) > 1)


def _key_rows(names: str, text: str, width: int) -> Rows:
    first, *rest = wrap(text, max(10, width - KEY_WIDTH - 4)) or [""]
    return [
        row("  ", (fit(names, KEY_WIDTH), "bold"), first),
        *(row(" " * (KEY_WIDTH + 2), line) for line in rest),
    ]


def _words(snapshot: TableSnapshot | None, width: int) -> Rows:
    """The words of the game that are legal at this moment."""
    if snapshot is None or not snapshot.choices:
        return []
    verbs = "  ".join(sorted({choice.verb for choice in snapshot.choices}))
    lines = wrap(verbs, max(10, width - 4))
    return [heading(_("OF THE GAME, NOW")), *(row("  ", (line, "bold")) for line in lines), EMPTY]


def _rules(game: str | None, snapshot: TableSnapshot | None, width: int) -> Rows:
    """The house rules in force, then the rules of the game."""
    from assistant.games.variants import all_games, game_named

    if game is None:
        games = [row("  • ", game_label(one.name)) for one in all_games()]
        text = _("No game has been chosen yet. F5 chooses one; F1 there shows the rules of each:")
        return [*(row("  ", line) for line in wrap(text, max(10, width - 4))), EMPTY, *games]
    if snapshot is None or game != snapshot.game:
        return page_rows(f"rules-{game}", width)
    said = dict(snapshot.rules)
    lines = [[_("house rule"), _("in force")]]
    for option in game_named(game).options:
        value = said.get(option.name, option.default)
        default = value_label(option.default)
        usual = "" if value == option.default else _("   (usually {value})").format(value=default)
        label = rule_label(option.name)
        typed = "" if label == option.name else f" ({option.name})"
        shown = f"{value_label(value)}{usual}"
        if option.name == HOUSE and snapshot.money.bank is not None:
            amount = format_amount(snapshot.money.bank, snapshot.currency)
            shown = float_label(amount, snapshot.banker or "")
        lines.append([f"{label}{typed}", shown])
    return [
        heading(_("HOUSE RULES IN FORCE")),
        *table_rows(lines, max(10, width - 4)),
        EMPTY,
        *page_rows(f"rules-{game}", width),
    ]
